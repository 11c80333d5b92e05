"""What a tile makes of a formation that lies there: put at an end of it, or given for a joker in it.

Whatever lay there before keeps its place, jokers and aces too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from remi_ref.melds.meld import Kind, Meld, stands_in
from remi_ref.melds.reading import read_meld
from remi_ref.tiles import Slot

if TYPE_CHECKING:
    from remi_ref.rules.deal import Deal
    from remi_ref.tiles import Piece


def with_tile(deal: Deal, reading: Meld, slot: Slot) -> tuple[Meld, ...]:
    """The readings with the tile at either end; none when it does not fit."""
    tail = [grown for grown in read_meld(deal, (*reading.slots, slot)) if grown.slots[:-1] == reading.slots]
    head = [grown for grown in read_meld(deal, (slot, *reading.slots)) if grown.slots[1:] == reading.slots]
    ends = tail if reading.kind is Kind.SET else [*tail, *head]
    return tuple(dict.fromkeys(grown for grown in ends if grown.kind is reading.kind))


def joker_for(reading: Meld, tile: Piece) -> int | None:
    """Where in the reading a joker stands for the tile; None where none does."""
    return next((i for i, slot in enumerate(reading.slots) if stands_in(slot) and slot.plays_as == tile), None)


def with_joker_given(reading: Meld, place: int, tile: Piece) -> Meld:
    """The reading with the tile in the place of the joker there."""
    slots = tuple(Slot(tile, slot.plays_as) if i == place else slot for i, slot in enumerate(reading.slots))
    return reading._replace(slots=slots)
