"""A finished round as a value: who closed and with what, what each player laid and what each still holds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from remi_ref.tiles import Joker, Piece, Slot

Laid = tuple[Slot, ...]


class Opened(StrEnum):
    """Whether a player has opened, and on what."""

    NO = "no"
    MELDS = "melds"
    PAIRS = "pairs"


class Twin(StrEnum):
    """What a player did with the twin of the turned tile: held it from the deal, announced it, or drew it later."""

    HELD = "held"
    ANNOUNCED = "announced"
    DRAWN = "drawn"


@dataclass(frozen=True, slots=True)
class Placed:
    """A tile put on a formation that already lay there.

    Attributes:
        tile: the tile.
        target: the formation as it was just before.
        for_joker: the tile took a joker's place there; otherwise it was added.
        owner: whose formation it is, the empty name being nobody's; None where only its tiles say it.
    """

    tile: Slot
    target: Laid
    for_joker: bool = False
    owner: str | None = None


@dataclass(frozen=True, slots=True)
class Side:
    """One player's side of a finished round.

    Attributes:
        name: the player.
        opened: whether and on what he opened.
        melds: the formations he laid; in remi pe tablă the winner's board.
        laid: points of all he laid, counted at the table; None when `melds` speak for themselves.
        added: tiles he added to formations on the table.
        bought: tiles he gave for a joker on the table.
        hand: tiles left, or their points counted at the table; None when it is not known.
        twin: what he did with the twin of the turned tile.
        wrong_opens: how many times he laid a wrong opening.
        wrong_closes: how many times he announced a wrong close.
        presumed: that he never opened was not said, only presumed.
    """

    name: str
    opened: Opened = Opened.NO
    melds: tuple[Laid, ...] = ()
    laid: int | None = None
    added: tuple[Placed, ...] = ()
    bought: tuple[Placed, ...] = ()
    hand: Laid | int | None = None
    twin: Twin | None = None
    wrong_opens: int = 0
    wrong_closes: int = 0
    presumed: bool = False

    @property
    def loose(self) -> Laid:
        """The tiles left, where they are known."""
        return self.hand if isinstance(self.hand, tuple) else ()

    @property
    def placed(self) -> tuple[Placed, ...]:
        """All tiles he put on formations that lay on the table."""
        return (*self.added, *self.bought)


@dataclass(frozen=True, slots=True)
class Round:
    """A finished round.

    Attributes:
        sides: the players, in table order.
        closer: who closed; None when the stock ran out.
        closing_tile: the last tile put down, when it is known.
        in_hand: the closer laid everything and closed in one turn while nobody had opened.
        win: ``melds`` or ``pairs``: the winning board's shape where its tiles are not given (remi pe tablă).
    """

    sides: tuple[Side, ...]
    closer: str | None = None
    closing_tile: Piece | None = None
    in_hand: bool = False
    win: str | None = None

    def side(self, name: str) -> Side:
        """The side of a player of this round."""
        return next(side for side in self.sides if side.name == name)


def plain(piece: Piece) -> Piece:
    """The piece as it lies in the box: a white joker is a joker."""
    return Joker() if isinstance(piece, Joker) else piece
