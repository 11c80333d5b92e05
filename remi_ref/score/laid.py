"""What laid tiles are worth at the count: a formation, a tile added to one, a tile given for a joker.

An undeclared joker may leave several readings; where they are worth the same it does not matter which one was meant.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from remi_ref.melds import Kind, ace_place, joker_for, read_meld, slot_points, with_joker_given, with_tile
from remi_ref.tiles import Joker, Tile

if TYPE_CHECKING:
    from remi_ref.melds import Meld
    from remi_ref.rules.deal import Deal
    from remi_ref.score.finished import Laid, Placed
    from remi_ref.tiles import Slot


@dataclass(frozen=True, slots=True)
class Worth:
    """Points of laid tiles.

    Attributes:
        tiles: points of the numbered tiles.
        jokers: points of the jokers.
        readings: one reading for each different count; more than one when only the player can say which it is.
    """

    tiles: int
    jokers: int
    readings: tuple[Laid, ...] = ()

    @property
    def decided(self) -> bool:
        """Whether all readings count the same."""
        return len(self.readings) < 2


@dataclass(frozen=True, slots=True)
class EndAce:
    """A natural ace in a run: the tile, its points, and the knob that prices its end."""

    tile: Tile
    points: int
    knob: str


def meld_worth(deal: Deal, laid: Laid) -> Worth:
    """A formation's points at the count; it must be one."""
    counts: dict[tuple[int, int], Laid] = {}
    for meld in read_meld(deal, laid):
        tiles = sum(slot_points(deal, meld, index) for index in _places(meld, jokers=False))
        jokers = sum(slot_points(deal, meld, index) for index in _places(meld, jokers=True))
        counts.setdefault((tiles, jokers), meld.slots)
    (tiles, jokers), *_ = counts
    return Worth(tiles, jokers, tuple(counts.values()))


def end_aces(deal: Deal, laid: Laid) -> tuple[EndAce, ...]:
    """The aces of a run, low or high; a formation of another kind has none."""
    meld = read_meld(deal, laid)[0]
    if meld.kind is not Kind.RUN:
        return ()
    return tuple(
        EndAce(slot.piece, slot_points(deal, meld, index), f"ace_value.{ace_place(meld, index)}")
        for index, slot in enumerate(meld.slots)
        if isinstance(slot.piece, Tile) and slot.piece.number == 1
    )


def placed_worth(deal: Deal, placed: Placed) -> Worth:
    """Points of a tile put on a formation: what it makes of all tiles like it there, less what they made before."""
    counts: dict[int, Laid] = {}
    for before, grown in placed_readings(deal, placed):
        counts.setdefault(_alike(deal, grown, placed.tile) - _alike(deal, before, placed.tile), grown.slots)
    points = next(iter(counts))
    is_joker = isinstance(placed.tile.piece, Joker)
    return Worth(0 if is_joker else points, points if is_joker else 0, tuple(counts.values()))


def placed_readings(deal: Deal, placed: Placed) -> tuple[tuple[Meld, Meld], ...]:
    """Every reading of the formation that takes the tile, and what it then is; empty when it cannot be put there."""
    readings = read_meld(deal, placed.target)
    if not placed.for_joker:
        return tuple((reading, grown) for reading in readings for grown in with_tile(deal, reading, placed.tile))
    tile = placed.tile.piece
    places = ((reading, joker_for(reading, tile)) for reading in readings)
    return tuple((reading, with_joker_given(reading, at, tile)) for reading, at in places if at is not None)


def _places(meld: Meld, *, jokers: bool) -> list[int]:
    return [index for index, slot in enumerate(meld.slots) if isinstance(slot.piece, Joker) is jokers]


def _alike(deal: Deal, meld: Meld, tile: Slot) -> int:
    """Points of the slots of a reading that hold this piece, and stand for the same where it was declared."""
    return sum(
        slot_points(deal, meld, index)
        for index, slot in enumerate(meld.slots)
        if slot.piece == tile.piece and tile.plays_as in {None, slot.plays_as}
    )
