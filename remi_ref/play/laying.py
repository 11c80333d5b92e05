"""New formations on the table: the opening, which may come in several steps of one turn, and what follows it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from remi_ref.melds import PAIR, Kind, judge_meld, opening_points
from remi_ref.opening.judging import Opening, judge_opening
from remi_ref.opening.moment import Moment
from remi_ref.play.position import TableMeld
from remi_ref.play.progress import Judged, Progress, from_hand, has_table, in_order, is_fine, keeps_one, no_table
from remi_ref.score.finished import Opened
from remi_ref.tiles import Slot
from remi_ref.verdict import Outcome, Reason, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from remi_ref.melds import Meld
    from remi_ref.play.actions import Lay
    from remi_ref.play.position import Position
    from remi_ref.tiles import Piece

    Melds = tuple[tuple[Slot, ...], ...]


def lay(progress: Progress, action: Lay, later: Sequence[Lay] = ()) -> Judged:
    """New formations; a faulty lay is taken back whole.

    Args:
        progress: the turn so far.
        action: what is laid.
        later: what the player still lays in this turn, since an opening may be put down in several steps.
    """
    if not has_table(progress):
        return no_table(progress)
    after, spent, held = from_hand(progress, [slot.piece for meld in action.melds for slot in meld])
    melds = _as_spent(action.melds, spent)
    opened, pending = progress.position.opened, progress.pending
    if opened is Opened.NO:
        verdict, opened, pending = _opening_step(progress, melds, [step.melds for step in later])
    else:
        verdict = Verdict(tuple(_further(progress, melds)))
    reasons = (*in_order(progress), *held, *verdict.reasons, *keeps_one(after))
    if not is_fine(reasons):
        return Judged(Verdict(reasons), progress)
    return Judged(Verdict(reasons, verdict.open), _put_down(replace(after, pending=pending), melds, opened))


def moment_of(progress: Progress) -> Moment:
    """When the player would open."""
    before = progress.before
    own = _own_readings(before)
    return Moment(
        turn=before.turn,
        taken=progress.taken,
        previous=before.previous,
        previous_pairs=before.previous_pairs,
        starter=before.starter,
        already=sum(min(opening_points(before.deal, reading) for reading in meld) for meld in own),
        already_run=any(meld[0].kind is Kind.RUN for meld in own),
        already_aces=any(meld[0].kind is Kind.SET and _of_aces(meld[0]) for meld in own),
        already_pairs=sum(meld[0].kind is Kind.PAIR for meld in own),
    )


def _own_readings(position: Position) -> list[tuple[Meld, ...]]:
    """The player's own formations on the table, where an opening may be paid over several turns."""
    if position.deal.rules.flag("opening.single_turn") or position.opened is not Opened.NO:
        return []
    return [meld.readings for meld in position.table if meld.owner == position.player]


def _of_aces(meld: Meld) -> bool:
    return all(slot.plays_as is not None and slot.plays_as.number == 1 for slot in meld.slots)


def _as_spent(melds: Melds, spent: Sequence[Piece]) -> Melds:
    """The melds with the pieces as they lay in the hand, so that a white joker stays white."""
    if len(spent) < sum(len(meld) for meld in melds):
        return melds
    pieces = iter(spent)
    return tuple(tuple(Slot(next(pieces), slot.plays_as) for slot in meld) for meld in melds)


def _put_down(progress: Progress, melds: Melds, opened: Opened) -> Progress:
    position = progress.position
    on_table = tuple(TableMeld(judge_meld(position.deal, meld).readings, position.player) for meld in melds)
    pieces = [slot.piece for meld in melds for slot in meld]
    return replace(
        progress,
        position=replace(position, table=(*position.table, *on_table), opened=opened),
        laid=(*progress.laid, *melds),
        taken_laid=progress.taken_laid or progress.taken in pieces,
        atu_laid=progress.atu_laid or progress.atu in pieces,
        out=position.count == 0,
    )


def _opening_step(progress: Progress, melds: Melds, later: Sequence[Melds]) -> tuple[Verdict, Opened, Melds]:
    """Judges the opening by as many of the following lays as it needs; with the melds that still wait for them."""
    now = (*progress.pending, *melds)
    pool = now
    judged, extra = _judge(progress, pool)
    for more in later:
        if judged.verdict.ok is not False:
            break
        pool = (*pool, *more)
        judged, extra = _judge(progress, pool)
    reasons = (*judged.verdict.reasons, *_pairs_after(progress, extra))
    if judged.verdict.ok is False:
        return Verdict(reasons), Opened.NO, progress.pending
    complete = pool == now and judged.complete
    opened = Opened.NO if not complete else Opened.PAIRS if judged.pairs else Opened.MELDS
    return Verdict(reasons, judged.verdict.open), opened, () if complete else now


def _judge(progress: Progress, melds: Melds) -> tuple[Opening, Melds]:
    """The opening, and the pairs that come on top of it where somebody has already opened on pairs."""
    pairs = tuple(meld for meld in melds if len(meld) == PAIR)
    others = tuple(meld for meld in melds if len(meld) != PAIR)
    on_top = bool(pairs and others and somebody_on_pairs(progress))
    deal = progress.before.deal
    if deal.rules.choice("turned_tile") == "atu":
        deal = replace(deal, turned=None)  # it may be one of these tiles, now or later in the turn: `copies` counts it
    opening = judge_opening(deal, others if on_top else melds, moment_of(progress))
    return opening, pairs if on_top else ()


def _further(progress: Progress, melds: Melds) -> Iterator[Reason]:
    """Formations laid once the player has opened."""
    rules = progress.rules
    for meld in melds:
        yield from judge_meld(progress.position.deal, meld).verdict.reasons
    pairs = tuple(meld for meld in melds if len(meld) == PAIR and rules.choice("melds.pairs") == "opening")
    others = tuple(slot for meld in melds if meld not in pairs for slot in meld)
    if progress.position.opened is Opened.PAIRS:
        if others:
            yield rules.reason("lay.pairs_opener", outcome=False, tiles=others)
        if pairs:
            yield rules.reason("lay.more_pairs", Outcome.PASS, tiles=tuple(slot for pair in pairs for slot in pair))
        return
    yield from _pairs_after(progress, pairs)
    if others:
        yield rules.reason("lay.free", Outcome.PASS, tiles=others)


def _pairs_after(progress: Progress, pairs: Melds) -> Iterator[Reason]:
    """Pairs of a player who opened with runs and sets need somebody who opened on pairs before."""
    if pairs:
        tiles = tuple(slot for pair in pairs for slot in pair)
        yield progress.rules.reason("lay.pairs_after", somebody_on_pairs(progress), tiles=tiles)


def somebody_on_pairs(progress: Progress) -> bool:
    """Whether the other players tell it, or a pair on the table does: only then can it have been laid."""
    before = progress.before
    told = any(opened is Opened.PAIRS for _, opened in before.others)
    pairs = (meld for meld in before.table if meld.kind is Kind.PAIR)
    own_counts = before.opened is Opened.MELDS
    return told or any(own_counts or not meld.owner or meld.owner != before.player for meld in pairs)


def opening_value(progress: Progress) -> tuple[int, int]:
    """What the opening laid in this turn sets for the next one: points of its runs and sets, or its pairs."""
    formations = [judge_meld(progress.position.deal, meld).readings for meld in progress.laid]
    if progress.position.opened is Opened.PAIRS:
        return 0, len(formations)
    runs_and_sets = [readings for readings in formations if readings[0].kind is not Kind.PAIR]
    deal = progress.position.deal
    return sum(min(opening_points(deal, reading) for reading in readings) for readings in runs_and_sets), 0
