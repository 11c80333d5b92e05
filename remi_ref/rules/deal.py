"""A deal: the rules at this table and the tile turned up, which together say what every piece is."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from remi_ref.errors import Unreadable
from remi_ref.tiles import ALL_TILES, TOP_NUMBER, FalseJoker, Joker, Piece, Slot, Tile, check_box

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from remi_ref.rules.ruleset import Ruleset


@dataclass(frozen=True)
class Deal:
    """One deal.

    Attributes:
        rules: the table's ruleset.
        turned: the tile turned up at the deal (atu, made tile or indicator), when it is known.
    """

    rules: Ruleset
    turned: Piece | None = None

    def __post_init__(self) -> None:
        """Refuses a turned tile that the game cannot have."""
        if self.turned is None:
            return
        kind = self.rules.choice("turned_tile")
        if kind == "none":
            raise Unreadable("deal.nothing_turned", rules=self.rules.id)
        if kind == "indicator" and not isinstance(self.turned, Tile):
            raise Unreadable("deal.turn_again", tile=str(self.turned))
        check_box((self.turned,), packs=1, jokers=self.rules.jokers, false_jokers=self.false_jokers)

    def __hash__(self) -> int:
        """Reckoned once, since what is worked out for a deal is looked up all the time."""
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.rules, self.turned))

    @property
    def false_jokers(self) -> int:
        """False jokers in the box."""
        return self.rules.number("set.false_jokers")

    @cached_property
    def joker_tile(self) -> Tile | None:
        """The numbered tile that is the joker: one above the indicator, the 1 after a 13."""
        if self.rules.choice("turned_tile") != "indicator" or not isinstance(self.turned, Tile):
            return None
        return Tile(self.turned.colour, self.turned.number % TOP_NUMBER + 1)

    def as_in_box(self, piece: Piece) -> Piece:
        """The piece as it lies in the box: where the joker is a numbered tile, ``J`` means that tile."""
        return self.joker_tile if isinstance(piece, Joker) and self.joker_tile is not None else piece

    def is_wild(self, piece: Piece) -> bool:
        """Whether the piece may stand for another tile."""
        return isinstance(piece, Joker) or (piece == self.joker_tile and not isinstance(piece, FalseJoker))

    def stands_for(self, slot: Slot) -> Tile | None:
        """The tile a slot certainly plays as; None for a joker that was not declared.

        Raises:
            Unreadable: a false joker without a turned tile, or it or a plain tile declared to be another.
        """
        self._check_declared(slot)
        piece = slot.piece
        if isinstance(piece, FalseJoker):
            return self._as_joker_tile(piece)
        if self.is_wild(piece):
            declared = slot.plays_as
            return None if declared == piece and isinstance(piece, Tile) else declared
        assert isinstance(piece, Tile)  # noqa: S101 - all that is left
        return piece

    def check_each(self, slots: Iterable[Slot]) -> None:
        """Refuses a piece that the game does not have or that is declared to be what it cannot be.

        Raises:
            Unreadable: names the piece.
        """
        told = [slot for slot in slots if slot.piece is not slot.plays_as]  # not the plain tiles, as nearly all are
        self._check_white([slot.piece for slot in told])
        for slot in told:
            self._check_declared(slot)

    def _check_white(self, pieces: Sequence[Piece]) -> None:
        if Joker(white=True) in pieces and self.rules.choice("turned_tile") == "indicator":
            raise Unreadable("deal.no_white", tile=str(Joker(white=True)), rules=self.rules.id)

    def _check_declared(self, slot: Slot) -> None:
        """A false joker plays as the joker tile, a plain tile as itself."""
        piece, declared = slot
        if declared is None or self.is_wild(piece):
            return
        if isinstance(piece, FalseJoker):
            joker = self._as_joker_tile(piece)
            if declared != joker:
                raise Unreadable("deal.false_joker", tile=str(piece), joker=str(joker), declared=str(declared))
        elif declared != piece:
            raise Unreadable("deal.no_joker", tile=str(piece), declared=str(slot))

    def _as_joker_tile(self, piece: FalseJoker) -> Tile:
        if self.joker_tile is None:
            raise Unreadable("deal.turned_wanted", tile=str(piece))
        return self.joker_tile

    def check_box(self, slots: Iterable[Slot], *, extra_jokers: int | None = None) -> None:
        """Refuses a position that the box cannot make up; the turned tile is one of its tiles.

        In remi pe tablă ``J`` is the joker tile, of which the box has as many as packs. A made tile goes back among
        the others, so it takes none away.

        Args:
            slots: every tile that is seen.
            extra_jokers: jokers there are beside those of the box; None for all that joker buttons may have added.

        Raises:
            Unreadable: names the piece of which there are too many, or that `check_each` refuses.
        """
        slots = tuple(slots)
        self.check_each(slots)
        self.check_pieces([slot.piece for slot in slots], extra_jokers=extra_jokers)

    def check_pieces(self, seen: Iterable[Piece], *, extra_jokers: int | None = None) -> None:
        """As `check_box`, of pieces alone.

        Raises:
            Unreadable: names the piece of which there are too many, or that the game does not have.
        """
        pieces = [*seen, *self._seen_by_all]
        self._check_white(pieces)
        if self.joker_tile is not None:
            pieces = [self.as_in_box(piece) for piece in pieces]
        packs, jokers, false_jokers = self._copies
        if extra_jokers is not None and self.rules.choice("turned_tile") != "indicator":
            jokers = self.rules.jokers + extra_jokers
        check_box(pieces, packs=packs, jokers=jokers, false_jokers=false_jokers)

    @cached_property
    def _seen_by_all(self) -> tuple[Piece, ...]:
        """The turned tile, where it is one of the box that nobody can hold."""
        lies = self.turned is not None and self.rules.choice("turned_tile") in {"indicator", "atu"}
        return (self.turned,) if self.turned is not None and lies else ()

    @cached_property
    def _copies(self) -> tuple[int, int, int]:
        """How many of a tile there are, of jokers (with all that buttons may have added), and of false jokers."""
        packs = self.rules.number("set.packs")
        if self.rules.choice("turned_tile") == "indicator":
            return packs, packs, self.false_jokers
        buttons = max(self.rules.numbers("players")) if self.rules.flag("joker.button") else 0
        return packs, self.rules.jokers + buttons, self.false_jokers


def box_of(rules: Ruleset) -> Counter[Piece]:
    """Every piece of the table's box with its number of copies."""
    box: Counter[Piece] = Counter({tile: rules.number("set.packs") for tile in ALL_TILES})
    box[Joker()] = rules.jokers
    box[FalseJoker()] = rules.number("set.false_jokers")
    return +box
