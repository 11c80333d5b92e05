"""The first opening: can this rack open at all, how best, and what would help?"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from remi_ref.opening.judging import discard_reason, judge_laid, pairs_reason, refuse_game_without_opening, when_reason
from remi_ref.opening.moment import Moment, pairs_needed, points_needed, turn_allows, with_taken
from remi_ref.opening.weighing import State, value_reasons
from remi_ref.solver import solver
from remi_ref.verdict import Outcome, Reason, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from remi_ref.melds import Meld
    from remi_ref.opening.judging import Opening
    from remi_ref.rules.deal import Deal
    from remi_ref.tiles import Piece, Slot


class CanOpen(NamedTuple):
    """What a rack can do.

    Attributes:
        points: most that can be laid in runs and sets that make an opening.
        pairs: most pairs.
        threshold: points needed; pairs needed where the best way is on pairs.
        short_by: what is missing to it.
        melds: one best way, jokers declared.
        left: what stays on the rack.
        one_away: pieces any one of which would make it; empty when it can open or nobody asked.
    """

    points: int
    pairs: int
    threshold: int
    short_by: int
    melds: tuple[Meld, ...]
    left: tuple[Piece, ...]
    verdict: Verdict
    one_away: tuple[Piece, ...] = ()


def can_open(
    deal: Deal,
    rack: Sequence[Slot],
    moment: Moment | None = None,
    *,
    before_draw: bool = False,
    ask_one_away: bool = True,
) -> CanOpen:
    """Whether the rack can open, and how best.

    Args:
        deal: rules and turned tile.
        rack: what the player holds when he lays, the taken tile included.
        moment: turn, taken tile, previous openings.
        before_draw: a tile is still to come, so none of these need stay for the discard.
        ask_one_away: whether to look for the single tiles that would make it.

    Raises:
        Unreadable: the game has no opening, or the tiles cannot all come from one box.
    """
    moment = moment or Moment()
    refuse_game_without_opening(deal)
    rack = with_taken(rack, moment.taken)
    deal.check_box(rack)
    keep = 0 if before_draw or not deal.rules.flag("close.must_discard") else 1
    by_points, points_with_all = _best_by_points(deal, rack, keep, moment)
    by_pairs, pairs_with_all = _best_by_pairs(deal, rack, keep, moment)
    points, pairs = by_points.points if by_points else 0, len(by_pairs.melds) if by_pairs else 0
    ways = [_judged(deal, by_points.melds, moment)] if by_points else []
    if by_pairs and not (ways and (_few(deal, pairs, moment) or ways[0].verdict.ok)):
        ways.append(_judged(deal, by_pairs.melds, moment))
    best = next((way for way in ways if way.verdict.ok), None)
    kept = best is not None or not (points_with_all or pairs_with_all)
    discard = () if before_draw else (discard_reason(deal, kept),)
    if best is not None:
        chosen = by_pairs if best.pairs else by_points
        assert chosen is not None  # noqa: S101 - best was judged from one of them
        verdict = Verdict((*best.verdict.reasons, *discard, *_other_way(deal, best, points, pairs, moment)))
        return CanOpen(points, pairs, best.threshold, 0, chosen.melds, chosen.left, verdict)
    one_away = _one_away(deal, rack, keep, moment) if ask_one_away else ()
    verdict = Verdict((*_failing(deal, ways, points, pairs, moment), *discard))
    by_count = deal.rules.limit("opening.points") is None or (not points and pairs > 0)
    needed = pairs_needed(deal, moment) if by_count else points_needed(deal, moment)
    reached = pairs if by_count else points
    shown = by_points or by_pairs
    melds, left = (shown.melds, shown.left) if shown else ((), tuple(slot.piece for slot in rack))
    return CanOpen(points, pairs, needed, max(0, needed - reached), melds, left, verdict, one_away)


def _one_away(deal: Deal, rack: Sequence[Slot], keep: int, moment: Moment) -> tuple[Piece, ...]:
    if not turn_allows(deal, moment):
        return ()
    points, pairs = _points_goal(deal, moment), _pairs_goal(deal, moment)
    return solver.one_away(deal, rack, keep=keep, taken=_must_be_laid(deal, moment), points=points, pairs=pairs)


def _few(deal: Deal, pairs: int, moment: Moment) -> bool:
    return pairs_reason(deal, pairs, moment).outcome is Outcome.FAIL


@lru_cache(maxsize=4096)
def _judged(deal: Deal, melds: tuple[Meld, ...], moment: Moment) -> Opening:
    """Kept, since many of thousands of racks can lay the same."""
    return judge_laid(deal, [meld.slots for meld in melds], moment)


def _must_be_laid(deal: Deal, moment: Moment) -> Piece | None:
    if moment.taken is None or deal.rules.choice("take.must_use") == "none":
        return None
    return moment.taken


def _best_by_points(deal: Deal, rack: Sequence[Slot], keep: int, moment: Moment) -> tuple[solver.Packing | None, bool]:
    """The most points in an opening, and whether only all tiles together would reach the threshold.

    When no run can be laid, it is the most without one, so that the refusal says so.
    """
    if deal.rules.limit("opening.points") is None:
        return None, False
    taken, only_all = _must_be_laid(deal, moment), False
    best = solver.best_opening(deal, rack, keep=0, taken=taken)
    if keep and best is not None and best.lays_all:
        reached, needed = best.points, points_needed(deal, moment)
        best = solver.best_opening(deal, rack, keep=keep, taken=taken)
        only_all = reached >= needed > (best.points if best else 0)
    if best is None and deal.rules.flag("opening.need_run"):
        best = solver.best_opening(deal, rack, keep=keep, taken=taken, need_run=False)
    if best is None and taken is not None:
        best = solver.best_opening(deal, rack, keep=keep, need_run=False)
    return (best if best is not None and best.melds else None), only_all


def _best_by_pairs(deal: Deal, rack: Sequence[Slot], keep: int, moment: Moment) -> tuple[solver.Packing | None, bool]:
    """The same by pairs."""
    if deal.rules.limit("opening.pairs_min") is None:
        return None, False
    taken, only_all = _must_be_laid(deal, moment), False
    best = solver.most_pairs(deal, rack, keep=0, taken=taken)
    if keep and best is not None and best.lays_all:
        only_all = len(best.melds) == pairs_needed(deal, moment)
        best = solver.most_pairs(deal, rack, keep=keep, taken=taken)
    return best, only_all


def _failing(deal: Deal, ways: list[Opening], points: int, pairs: int, moment: Moment) -> tuple[Reason, ...]:
    """Why neither way opens."""
    shown = ways[0].verdict.reasons if ways else (when_reason(deal, moment), *value_reasons(deal, State(), moment))
    reasons = list(shown)
    codes = {reason.code for reason in reasons}
    if deal.rules.limit("opening.pairs_min") is not None and "opening.pairs" not in codes:
        reasons.append(pairs_reason(deal, pairs, moment))
    if deal.rules.limit("opening.points") is not None and not codes & {"opening.points", "opening.part"}:
        reasons += value_reasons(deal, State(points), moment)
    return tuple(reasons)


def _other_way(deal: Deal, best: Opening, points: int, pairs: int, moment: Moment) -> Iterator[Reason]:
    """What the way not taken comes to, for the record."""
    if not best.pairs and deal.rules.limit("opening.pairs_min") is not None:
        values = {"pairs": pairs, "threshold": pairs_needed(deal, moment)}
        yield deal.rules.reason("opening.pairs_too", Outcome.NOTE, knob="opening.pairs_min", values=values)
    if best.pairs and deal.rules.limit("opening.points") is not None:
        values = {"points": points, "threshold": points_needed(deal, moment)}
        yield deal.rules.reason("opening.points_too", Outcome.NOTE, knob="opening.points", values=values)


def _points_goal(deal: Deal, moment: Moment) -> int | None:
    return None if deal.rules.limit("opening.points") is None else points_needed(deal, moment)


def _pairs_goal(deal: Deal, moment: Moment) -> int | None:
    return None if deal.rules.limit("opening.pairs_min") is None else pairs_needed(deal, moment)
