"""A ruleset: one frozen value that knows, for each rule, where it comes from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from remi_ref.notation import spellings_of
from remi_ref.tiles import Colour
from remi_ref.verdict import Basis, Citation, Outcome, Reason

if TYPE_CHECKING:
    from collections.abc import Mapping

    from remi_ref.notation import Spellings
    from remi_ref.rules.knobs import Value
    from remi_ref.tiles import Piece, Slot


class Leaf(NamedTuple):
    """One rule of a ruleset: its value, where it stands, and the leaf of the layer below that it replaced."""

    value: Value
    citation: Citation
    below: Leaf | None = None


@dataclass(frozen=True)
class Ruleset:
    """All rules of a table.

    Attributes:
        id: as chosen on the command line (``remi-etalat``, ``casa-noastra``).
        name: by language.
        game: the shipped game it is or extends.
        leaves: every knob, by dotted path.
        citations: reason code to the clause or ruling it rests on, for what hangs on no single knob.
    """

    id: str
    name: Mapping[str, str]
    game: str
    leaves: Mapping[str, Leaf]
    citations: Mapping[str, Citation]

    def __hash__(self) -> int:
        """By the id alone, so that what is worked out for a deal can be kept; equal means equal in every rule."""
        return hash(self.id)

    def flag(self, path: str) -> bool:
        """A switch."""
        value = self.leaves[path].value
        assert isinstance(value, bool)  # noqa: S101 - a knob has one type; a wrong getter is our own mistake
        return value

    def number(self, path: str) -> int:
        """A number that is always set."""
        value = self.leaves[path].value
        assert isinstance(value, int)  # noqa: S101 - as above
        return value

    def limit(self, path: str) -> int | None:
        """A number, or None where the game sets none."""
        value = self.leaves[path].value
        assert value is None or isinstance(value, int)  # noqa: S101 - as above
        return value

    def choice(self, path: str) -> str:
        """One of a knob's words."""
        value = self.leaves[path].value
        assert isinstance(value, str)  # noqa: S101 - as above
        return value

    def number_or_word(self, path: str) -> int | str:
        """A number or one of the knob's words (``replaced``, ``face``, ``hand``)."""
        value = self.leaves[path].value
        assert isinstance(value, int | str)  # noqa: S101 - as above
        return value

    def numbers(self, path: str) -> tuple[int, ...]:
        """A list of numbers."""
        value = self.leaves[path].value
        assert isinstance(value, tuple)  # noqa: S101 - as above
        return tuple(int(item) for item in value)

    def words(self, path: str) -> tuple[str, ...]:
        """A list of words."""
        value = self.leaves[path].value
        assert isinstance(value, tuple)  # noqa: S101 - as above
        return tuple(str(item) for item in value)

    @cached_property
    def spellings(self) -> Spellings:
        """How this table may write the colours."""
        return spellings_of({colour: self.words(f"colours.{colour.value}") for colour in Colour})

    @property
    def jokers(self) -> int:
        """Classic jokers in the box, by the number of packs."""
        return self.number("set.jokers" if self.number("set.packs") > 1 else "set.jokers_one_pack")

    @property
    def seats(self) -> tuple[int, ...]:
        """How many may play, by the number of packs."""
        return self.numbers("players" if self.number("set.packs") > 1 else "players_one_pack")

    def cite(self, code: str, knob: str = "") -> Citation:
        """The ground of a reason: the knob it rests on, or what the ruleset cites for its code.

        A house rule outweighs; otherwise a clause cited for the code itself is nearer than the knob's.
        """
        leaf = self.leaves[knob].citation if knob else None
        if leaf is not None and (leaf.basis is Basis.HOUSE or code not in self.citations):
            return leaf
        cited = self.citations[code]
        return Citation(cited.refs, cited.basis, cited.layer, knob, cited.where)

    def reason(
        self,
        code: str,
        outcome: Outcome | bool,  # noqa: FBT001 - a tested condition is a truth value
        *,
        knob: str = "",
        values: Mapping[str, int | str] | None = None,
        tiles: tuple[Slot | Piece, ...] = (),
    ) -> Reason:
        """A tested condition with its citation; a truth value stands for pass or fail."""
        if isinstance(outcome, bool):
            outcome = Outcome.PASS if outcome else Outcome.FAIL
        return Reason(code, outcome, self.cite(code, knob), values or {}, tiles)
