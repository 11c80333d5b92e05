"""What every answer is made of: reasons that cite, verdicts that hold them, score lines that add up."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from remi_ref.tiles import Piece, Slot

    Values = Mapping[str, int | str]


class Outcome(StrEnum):
    """How a condition came out; a note decides nothing."""

    __hash__ = str.__hash__  # an enumeration's own is written in Python, and sentences are looked up by it

    PASS = "pass"  # noqa: S105 - an outcome, not a password
    FAIL = "fail"
    NOTE = "note"


class Basis(StrEnum):
    """What a reason rests on: the text, what follows from it, our default where it is silent, a house rule."""

    __hash__ = str.__hash__  # as above

    TEXT = "text"
    DERIVED = "derived"
    DEFAULT = "default"
    HOUSE = "house"


class Citation(NamedTuple):
    """Where a rule stands.

    Attributes:
        refs: ids of clauses (``ET-30``) and rulings (``G3-22``), the first one leading.
        basis: what kind of ground that is.
        layer: id of the ruleset layer that set it.
        knob: dotted path of the ruleset value it rests on, empty when it rests on a clause alone.
        where: ``file:line`` in that layer.
        why: a house's own reason.
    """

    refs: tuple[str, ...]
    basis: Basis
    layer: str
    knob: str = ""
    where: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Reason:
    """One condition that was tested, how it came out, and on what it rests.

    A reason equals only itself, so that what was written of one is found at once.
    """

    code: str
    outcome: Outcome
    citation: Citation
    values: Values = field(default_factory=dict)
    tiles: tuple[Slot | Piece, ...] = ()


class Verdict(NamedTuple):
    """Every reason that was tested; what only the player can say is listed as open.

    Attributes:
        reasons: all of them, passes too.
        open: the readings among which the verdict differs, in notation; empty when it is decided.
    """

    reasons: tuple[Reason, ...]
    open: tuple[str, ...] = ()

    @property
    def ok(self) -> bool | None:
        """True or False; None when the answer hangs on what only the player can say."""
        if self.open:
            return None
        return Outcome.FAIL not in [reason.outcome for reason in self.reasons]


class ScoreLine(NamedTuple):
    """One line of a player's score; multipliers and the cap are lines too, by what they add."""

    code: str
    points: int
    citation: Citation
    values: Values = MappingProxyType({})
    tiles: tuple[Slot | Piece, ...] = ()


class Score(NamedTuple):
    """A player's round: nothing but the sum of its lines."""

    player: str
    lines: tuple[ScoreLine, ...]

    @property
    def total(self) -> int:
        """Points of the round."""
        return sum(line.points for line in self.lines)
