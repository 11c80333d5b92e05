"""What a player does in a turn, one value an action, in the order in which it happens.

Each knows where it stands in its file (``where``), which says nothing about whether two actions are the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from remi_ref.tiles import Piece, Slot


@dataclass(frozen=True, slots=True)
class _Done:
    where: str = field(default="", compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class _WithPiece(_Done):
    tile: Piece


@dataclass(frozen=True, slots=True)
class Draw(_Done):
    """A tile from the stock; None when only its owner saw it."""

    tile: Piece | None = None


@dataclass(frozen=True, slots=True)
class Button(_Done):
    """The joker button in place of the draw."""


@dataclass(frozen=True, slots=True)
class Take(_WithPiece):
    """A tile from the discards: the topmost of its kind, or the one at ``from_top`` (1 is the last discarded)."""

    from_top: int | None = None


@dataclass(frozen=True, slots=True)
class TakeAtu(_WithPiece):
    """The tile turned up beside the stock."""


@dataclass(frozen=True, slots=True)
class Lay(_Done):
    """New formations put on the table together."""

    melds: tuple[tuple[Slot, ...], ...]


@dataclass(frozen=True, slots=True)
class Add(_Done):
    """A tile laid off on a formation of the table."""

    tile: Slot
    to: tuple[Slot, ...]


@dataclass(frozen=True, slots=True)
class Swap(_Done):
    """A tile put in place of a joker of the table, which comes into the hand."""

    tile: Slot
    into: tuple[Slot, ...]


@dataclass(frozen=True, slots=True)
class Show(_WithPiece):
    """The twin of the indicator, shown to the table."""


@dataclass(frozen=True, slots=True)
class Announce(_Done):
    """Something said aloud: ``atu`` or ``three``."""

    what: str


@dataclass(frozen=True, slots=True)
class Discard(_WithPiece):
    """The tile put down at the end of the turn."""


@dataclass(frozen=True, slots=True)
class Win(_WithPiece):
    """The last tile put on the indicator, announcing that the others win the board."""


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
