"""What a player does in a turn, one value an action, in the order in which it happens."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from remi_ref.tiles import Piece, Slot


@dataclass(frozen=True, slots=True)
class Draw:
    """A tile from the stock; None when only its owner saw it."""

    tile: Piece | None = None
    where: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Button:
    """The joker button in place of the draw."""

    where: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Take:
    """A tile from the discards: the topmost of its kind, or the one at ``from_top`` (1 is the last discarded)."""

    tile: Piece
    from_top: int | None = None
    where: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class TakeAtu:
    """The tile turned up beside the stock."""

    tile: Piece
    where: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Lay:
    """New formations put on the table together."""

    melds: tuple[tuple[Slot, ...], ...]
    where: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Add:
    """A tile laid off on a formation of the table."""

    tile: Slot
    to: tuple[Slot, ...]
    where: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Swap:
    """A tile put in place of a joker of the table, which comes into the hand."""

    tile: Slot
    into: tuple[Slot, ...]
    where: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Show:
    """The twin of the indicator, shown to the table."""

    tile: Piece
    where: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Announce:
    """Something said aloud: ``atu`` or ``three``."""

    what: str
    where: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Discard:
    """The tile put down at the end of the turn."""

    tile: Piece
    where: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Win:
    """The last tile put on the indicator, announcing that the others win the board."""

    tile: Piece
    where: str = field(default="", compare=False)


Action = Draw | Button | Take | TakeAtu | Lay | Add | Swap | Show | Announce | Discard | Win

NAMES: dict[type[Action], str] = {
    Draw: "draw",
    Button: "draw",
    Take: "take",
    TakeAtu: "take-atu",
    Lay: "lay",
    Add: "add",
    Swap: "swap",
    Show: "show",
    Announce: "announce",
    Discard: "discard",
    Win: "win",
}
"""Each action by the key it has in a turn file."""
