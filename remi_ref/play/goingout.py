"""Can the player go out in this turn? Every tile but one put into formations or onto the table's, and the judge asked.

Public interface: ``way_out(progress) -> tuple of actions | None``; it raises `outsearch.TooManyWays` when it gives up.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

from remi_ref.melds import stands_in
from remi_ref.opening.moment import points_needed
from remi_ref.play import discarding, takings
from remi_ref.play.actions import Add, Discard, Lay, Swap, Win
from remi_ref.play.laying import moment_of, somebody_on_pairs
from remi_ref.play.layoffs import freed_joker
from remi_ref.play.outsearch import STEPS_FOR_TAKINGS, Budget, Plan, Search, TooManyWays
from remi_ref.play.position import as_laid
from remi_ref.play.progress import has_table, is_fine
from remi_ref.play.turn import judge_step
from remi_ref.score.finished import Opened
from remi_ref.solver import solver
from remi_ref.tiles import Slot, Tile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remi_ref.play.actions import Action
    from remi_ref.play.progress import Progress
    from remi_ref.tiles import Piece

__all__ = ["STEPS_FOR_TAKINGS", "Budget", "TooManyWays", "way_out"]


def way_out(progress: Progress, budget: Budget | None = None) -> tuple[Action, ...] | None:
    """Actions that end the round for this player in this turn, the discard last; None when there is none.

    With one tile in the hand that only the player has seen, that tile is the one to discard and is left out.

    Args:
        progress: the turn so far.
        budget: steps that the search may take, shared with others; its own where none is given.

    Raises:
        TooManyWays: neither a way out nor the lack of one could be proved.
    """
    hand, unseen = progress.position.hand, progress.position.unseen
    if hand is None or unseen > 1 or progress.discarded is not None:
        return None
    if progress.rules.choice("melds.pairs") == "win":
        return None if unseen else _winning(progress, hand)
    if not has_table(progress):
        return None
    nothing = Plan(progress.position.table)
    starts = list(_with_swaps(progress, Counter(hand), nothing)) if _may_swap(progress) else [(Counter(hand), nothing)]
    for search in _searches(progress, budget or Budget()):
        for held, plan in starts:
            found = _found(search, held, plan)
            if found is not None:
                return found
    return None


def _winning(progress: Progress, hand: tuple[Piece, ...]) -> tuple[Action, ...] | None:
    """A board that wins with the tile put on the indicator."""
    if len(hand) != progress.rules.number("deal.hand") + 1 or progress.position.deal.joker_tile is None:
        return None
    found = solver.winning_board(progress.position.deal, [Slot(piece) for piece in hand])
    return None if found is None or found[1] is None else (Win(found[1]),)


def _searches(progress: Progress, budget: Budget) -> Iterator[Search]:
    """One search for each way that the rules leave to lay: runs and sets, with or without pairs, or pairs alone."""
    rules, opened = progress.rules, progress.position.opened
    on_pairs = rules.choice("melds.pairs") == "opening"
    may_add = rules.flag("layoff.opening_turn") or not _opens_now(progress)
    needed = 0
    if opened is Opened.NO:
        needed = max(1, points_needed(progress.position.deal, moment_of(progress)))
    if opened is not Opened.PAIRS and rules.limit("opening.points") is not None:
        yield Search(progress, on_pairs and somebody_on_pairs(progress), may_add, needed, budget)
    if opened is Opened.PAIRS or (opened is Opened.NO and rules.limit("opening.pairs_min") is not None):
        yield Search(progress, None, may_add, needed, budget)


def _opens_now(progress: Progress) -> bool:
    """Whether this is, or must become, the turn of the player's opening."""
    return progress.position.opened is Opened.NO or progress.opened_now


def _may_swap(progress: Progress) -> bool:
    rules = progress.rules
    allowed = rules.flag("joker.recover_opening_turn") or not _opens_now(progress)
    return allowed and rules.choice("joker.recover") != "none"


def _found(search: Search, hand: Counter[Piece], plan: Plan) -> tuple[Action, ...] | None:
    """The first way out by one search, over all choices of the tile to put down."""
    progress = search.progress
    stuck = search.hopeless(hand, plan)
    for last in _lasts(progress, hand):
        if any(piece != last or hand[piece] > 1 for piece in stuck):
            continue
        ways: list[tuple[Action, ...]] = []

        def accept(plan: Plan, last: Piece | None = last, ways: list[tuple[Action, ...]] = ways) -> bool:
            ways.extend(way for way in _orders(progress, plan, last) if _goes_out(progress, way))
            return bool(ways)

        rest = hand if last is None else hand - Counter([last])
        if search.find(rest, plan, accept) is not None:
            return ways[0]
    return None


def _lasts(progress: Progress, hand: Counter[Piece]) -> Iterator[Piece | None]:
    """What may be put down last; nothing where the table lets a player lay all, or where he alone has seen it."""
    if progress.position.unseen or not progress.rules.flag("close.must_discard"):
        yield None
    if not progress.position.unseen:
        yield from hand


def _with_swaps(
    progress: Progress, hand: Counter[Piece], plan: Plan, start: int = 0
) -> Iterator[tuple[Counter[Piece], Plan]]:
    """The hand and the table as they are, and with jokers of the table taken back in every way."""
    yield hand, plan
    for index in range(start, len(plan.table)):
        meld = plan.table[index]
        for tile in [piece for piece in hand if isinstance(piece, Tile) and any(map(stands_in, meld.slots))]:
            freed = freed_joker(progress, meld, tile)
            if freed is not None:
                table = (*plan.table[:index], freed[0], *plan.table[index + 1 :])
                swapped = replace(plan, table=table, swaps=(*plan.swaps, (Slot(tile, tile), index)))
                yield from _with_swaps(progress, hand - Counter([tile]) + Counter([freed[1]]), swapped, index)


def _orders(progress: Progress, plan: Plan, last: Piece | None) -> Iterator[tuple[Action, ...]]:
    """The plan as actions: formations, jokers taken back, formations that need them, lay-offs, the discard."""
    wild, held = progress.position.deal.is_wild, Counter(progress.position.hand or ())
    with_jokers = [meld for meld in plan.melds if any(wild(slot.piece) for slot in meld)]
    for count in range(len(with_jokers) + 1 if plan.swaps else 1):
        for late in combinations(with_jokers, count):
            early = [meld for meld in plan.melds if meld not in late]
            if Counter(slot.piece for meld in early for slot in meld) - held:
                continue
            yield tuple(_written(progress, plan, (tuple(early), late), last))
            if not late and early and plan.swaps:
                yield tuple(_written(progress, plan, ((), tuple(early)), last))


def _written(
    progress: Progress,
    plan: Plan,
    melds: tuple[tuple[tuple[Slot, ...], ...], tuple[tuple[Slot, ...], ...]],
    last: Piece | None,
) -> Iterator[Action]:
    """The actions in this order, each naming the formation as it lies when its turn comes."""
    first, later = melds
    steps: list[Lay | tuple[type[Add | Swap], Slot, int]] = [Lay(first)] if first else []
    steps += [(Swap, *swap) for swap in plan.swaps]
    steps += [Lay(later)] if later else []
    steps += [(Add, *add) for add in plan.adds]
    for step in steps:
        if isinstance(step, Lay):
            action: Action = step
        else:
            kind, slot, index = step
            action = kind(slot, as_laid(progress.position.deal, progress.position.table[index]))
        yield action
        progress = judge_step(progress, action, [Lay(later)] if later and action is not steps[-1] else []).progress
    if last is not None:
        yield Discard(last)


def _goes_out(progress: Progress, actions: tuple[Action, ...]) -> bool:
    """Whether the judge lets all of it pass, nothing is owed at the end, and no tile is left but one never seen."""
    unseen = progress.position.unseen
    for index, action in enumerate(actions):
        judged = judge_step(progress, action, actions[index + 1 :])
        if judged.verdict.ok is False:
            return False
        progress = judged.progress
    if unseen:
        return progress.position.count == 1 and (progress.atu is None or progress.atu_laid)
    return progress.out and is_fine((*takings.duties(progress), *discarding.ending(progress)))
