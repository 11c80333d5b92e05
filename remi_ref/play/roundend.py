"""The end of a round that was played: told as it is scored, and scored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remi_ref.opening.win import judge_win
from remi_ref.score.finished import Round, Side, Twin
from remi_ref.score.scoring import judge_round
from remi_ref.tiles import Slot

if TYPE_CHECKING:
    from remi_ref.play.seats import Seat, Table
    from remi_ref.score.scoring import RoundScore


def finish(table: Table) -> Round | None:
    """The round as it is scored, told from the play; None when it is not over."""
    if not table.over:
        return None
    sides = tuple(_side(table, seat) for seat in table.seats)
    return Round(sides, table.closer, table.closing_tile, table.in_hand)


def count(table: Table, finished: Round | None) -> RoundScore | None:
    """The count, where the round is over and the hands it needs are known."""
    if finished is None or any(side.hand is None for side in finished.sides):
        return None
    return judge_round(table.deal, finished)


def _side(table: Table, seat: Seat) -> Side:
    known = seat.hand is not None and not seat.unseen
    closes = seat.name == table.closer
    hand = tuple(Slot(piece) for piece in seat.hand or ()) if known else None
    melds = seat.laid
    if closes and table.deal.rules.choice("score.method") == "losses" and hand is not None:
        last = None if table.closing_tile is None else Slot(table.closing_tile)
        melds = tuple(meld.slots for meld in judge_win(table.deal, [hand], last).melds)
        hand = ()
    return Side(
        seat.name,
        opened=seat.opened,
        melds=melds,
        added=tuple(placed for placed in seat.placed if not placed.for_joker),
        bought=tuple(placed for placed in seat.placed if placed.for_joker),
        hand=() if closes else hand,
        twin=_twin(table, seat),
        wrong_opens=seat.wrong_opens,
        wrong_closes=seat.wrong_closes,
    )


def _twin(table: Table, seat: Seat) -> Twin | None:
    """What the player did with the twin of the turned tile."""
    rules, twin = table.deal.rules, table.deal.turned
    if twin is None or rules.choice("turned_tile") == "none":
        return None
    if seat.announced:
        return Twin.ANNOUNCED
    if rules.choice("turned_tile") == "made":
        return None  # the made tile itself is among the others, so holding one unannounced says nothing
    if seat.dealt is not None and twin in seat.dealt:
        return Twin.HELD
    return Twin.DRAWN if seat.drew_twin else None
