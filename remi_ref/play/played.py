"""What a turn file holds, as values: one turn from a position, or a whole round turn by turn."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from remi_ref.play.actions import Action
    from remi_ref.play.position import Position, TableMeld
    from remi_ref.rules.deal import Deal
    from remi_ref.score.finished import Opened
    from remi_ref.tiles import Piece


@dataclass(frozen=True, slots=True)
class TurnFile:
    """One turn: the position it begins from and what was done."""

    position: Position
    actions: tuple[Action, ...]
    where: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Told:
    """What a file says of the table before a turn; None, or empty, where it says nothing.

    Attributes:
        turn: the player's own turn in this round.
        starter: whether he was dealt the extra tile.
        opened: whether and how he has opened.
        others: the same of other players.
        button_used: his joker button is spent.
        previous: points of the last opening at the table.
        previous_pairs: pairs of the last opening on pairs.
        table: the formations.
        row: the discards, oldest first.
        places: where each of these stands, by its key in the file.
    """

    turn: int | None = None
    starter: bool | None = None
    opened: Opened | None = None
    others: tuple[tuple[str, Opened], ...] = ()
    button_used: bool | None = None
    previous: int | None = None
    previous_pairs: int | None = None
    table: tuple[TableMeld, ...] | None = None
    row: tuple[Piece, ...] | None = None
    places: Mapping[str, str] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """One turn of a round, as written: who played, what he did, and what the file tells of the table before it.

    Attributes:
        player: whose turn.
        actions: in order.
        hand: his tiles before the draw, where the file tells them.
        told: the rest of the table, where the file tells it.
        where: the turn's place in the file.
    """

    player: str
    actions: tuple[Action, ...]
    hand: tuple[Piece, ...] | None = None
    told: Told = field(default_factory=Told)
    where: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class PlayFile:
    """A whole round, from the deal or from a position.

    Attributes:
        deal: rules and turned tile.
        players: in the order in which they play.
        turns: as played.
        hands: the hand of each player at the beginning, where it is known.
        opened: how each has opened at the beginning.
        starter: who was dealt the extra tile; empty when that is not told.
        table: formations at the beginning.
        row: discards at the beginning, oldest first.
        stock: tiles left in the stock at the beginning; None to reckon it from the hands.
        where: where a fault of the beginning is said to stand.
    """

    deal: Deal
    players: tuple[str, ...]
    turns: tuple[PlayedTurn, ...]
    hands: tuple[tuple[str, tuple[Piece, ...]], ...] = ()
    opened: tuple[tuple[str, Opened], ...] = ()
    starter: str = ""
    table: tuple[TableMeld, ...] = ()
    row: tuple[Piece, ...] = ()
    stock: int | None = None
    where: str = field(default="", compare=False)
