"""What a formation is: its kind, its readings, and the verdict on it."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from remi_ref.tiles import Joker, Slot, Tile, format_tiles

if TYPE_CHECKING:
    from remi_ref.verdict import Verdict

PAIR = 2


class Kind(StrEnum):
    """The kinds of formation."""

    __hash__ = str.__hash__  # an enumeration's own is written in Python, and melds are looked up everywhere

    RUN = "run"
    SET = "set"
    PAIR = "pair"


class Meld(NamedTuple):
    """One reading of a formation: its kind, and each piece with the tile it plays as, runs from low to high."""

    kind: Kind
    slots: tuple[Slot, ...]

    def __str__(self) -> str:
        return format_tiles(self.slots)


class Formation(NamedTuple):
    """What was laid and what it can be.

    Attributes:
        laid: the slots as laid.
        readings: every legal reading; empty when it is no formation.
        verdict: all conditions with their outcome.
    """

    laid: tuple[Slot, ...]
    readings: tuple[Meld, ...]
    verdict: Verdict

    @property
    def kind(self) -> Kind | None:
        """The kind all readings share; None when there is no reading, the first reading's when they differ."""
        return self.readings[0].kind if self.readings else None


def stands_in(slot: Slot) -> bool:
    """Whether the slot holds a joker at work: one that is not simply the tile it shows."""
    return isinstance(slot.piece, Joker) or (isinstance(slot.piece, Tile) and slot.plays_as != slot.piece)
