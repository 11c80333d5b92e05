"""Lines for what is left in a hand, or for never having opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remi_ref.melds import hand_value
from remi_ref.score.counting import is_ace
from remi_ref.score.finished import Opened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remi_ref.score.counting import Count
    from remi_ref.score.finished import Side
    from remi_ref.tiles import Slot
    from remi_ref.verdict import ScoreLine


def unopened_lines(count: Count, side: Side) -> Iterator[ScoreLine]:
    """A player who never opened: a flat penalty, or what he holds."""
    flat = count.deal.rules.number_or_word("not_opened")
    if isinstance(flat, int):
        yield count.line("score.not_opened", flat, "not_opened")
        if side.presumed:
            yield count.line("score.opened_unsaid", 0, "not_opened")
    else:
        yield count.line("score.unopened_hand", 0, "not_opened")
        yield from _hand(count, side)


def left_lines(count: Count, side: Side) -> Iterator[ScoreLine]:
    """The tiles left of a player who has opened; after pairs a game may charge them more than once."""
    lines = tuple(_hand(count, side))
    yield from lines
    factor = count.deal.rules.number("pairs_opener_multiplier")
    if side.opened is Opened.PAIRS and factor > 1:
        more = sum(line.points for line in lines) * (factor - 1)
        yield count.line("score.pairs_opener", more, "pairs_opener_multiplier", {"factor": factor})


def _hand(count: Count, side: Side) -> Iterator[ScoreLine]:
    if side.hand is None:
        yield count.line("score.hand_unknown", 0, "score.method")
    elif isinstance(side.hand, int):
        yield count.line("score.hand_counted", -side.hand, "score.method")
    elif not side.hand:
        yield count.line("score.hand_empty", 0, "score.method")
    else:
        jokers = tuple(slot for slot in side.hand if count.deal.is_wild(slot.piece))
        aces = tuple(slot for slot in side.hand if is_ace(slot.piece) and count.set_apart("ace_value.hand"))
        tiles = tuple(slot for slot in side.hand if slot not in {*jokers, *aces})
        if tiles:
            yield count.line("score.hand", -_in_hand(count, tiles), "score.method", tiles=tiles)
        if aces:
            yield count.line("score.hand_ace", -_in_hand(count, aces), "ace_value.hand", tiles=aces)
        if jokers:
            yield count.line("score.hand_joker", -_in_hand(count, jokers), "joker.hand_value", tiles=jokers)


def _in_hand(count: Count, slots: tuple[Slot, ...]) -> int:
    return sum(hand_value(count.deal, slot.piece) for slot in slots)
