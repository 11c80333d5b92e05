"""The first opening: may exactly this be laid?"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from remi_ref.errors import Unreadable
from remi_ref.melds import PAIR, Formation, Kind, judge_meld
from remi_ref.opening.moment import Moment, pairs_needed, plain, points_needed, turn_allows, with_taken
from remi_ref.opening.weighing import fixed_notes, states_of, threshold_knob, weigh
from remi_ref.verdict import Outcome, Reason, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from remi_ref.rules.deal import Deal
    from remi_ref.tiles import Piece, Slot


class Opening(NamedTuple):
    """The verdict on melds laid as a first opening.

    Attributes:
        formations: each meld with its readings.
        points: of the runs and sets; the lowest reading where jokers leave several.
        pairs: how many pairs.
        on_pairs: whether it is laid on pairs.
        threshold: points needed, or pairs when it is laid on pairs.
        short_by: what is missing to it.
    """

    formations: tuple[Formation, ...]
    points: int
    pairs: int
    on_pairs: bool
    threshold: int
    short_by: int
    verdict: Verdict

    @property
    def complete(self) -> bool:
        """Whether nothing of it is left for a later turn, where a house lets an opening be laid in parts."""
        later = any(reason.code == "opening.run_later" for reason in self.verdict.reasons)
        return self.short_by == 0 and not later


def judge_opening(
    deal: Deal, melds: Sequence[Sequence[Slot]], moment: Moment | None = None, hand: Sequence[Slot] | None = None
) -> Opening:
    """Whether exactly these melds may be laid as a first opening, with all reasons.

    Args:
        deal: rules and turned tile.
        melds: as laid.
        moment: turn, taken tile, previous openings.
        hand: the whole hand from which they are laid; None when it is not known.

    Raises:
        Unreadable: the game has no opening, or the tiles cannot all come from one box.
    """
    refuse_game_without_opening(deal)
    deal.check_box([slot for meld in melds for slot in meld])
    return judge_laid(deal, melds, moment or Moment(), hand)


def judge_laid(
    deal: Deal, melds: Sequence[Sequence[Slot]], moment: Moment, hand: Sequence[Slot] | None = None
) -> Opening:
    """The same where it is known that the game has an opening and the box these tiles."""
    formations = tuple([judge_meld(deal, meld) for meld in melds])
    pairs = _meant_as_pairs(deal, formations)
    common = [reason for formation in formations for reason in formation.verdict.reasons]
    common += [*_mixing(deal, pairs, len(formations), moment), when_reason(deal, moment)]
    common += _taken(deal, formations, moment)
    if hand is not None:
        common += _held(deal, formations, moment, hand)
    on_pairs = pairs == len(formations)
    pairs = [formation.kind for formation in formations].count(Kind.PAIR)  # what is no formation adds nothing
    if on_pairs:
        reasons = (pairs_reason(deal, pairs, moment), *fixed_notes(deal, moment))
        needed, pairs = pairs_needed(deal, moment), pairs + moment.already_pairs
        return Opening(formations, 0, pairs, on_pairs, needed, max(0, needed - pairs), Verdict((*common, *reasons)))
    shown, reasons, open_readings = weigh(deal, states_of(deal, formations, moment), moment)
    if open_readings and any(reason.outcome is Outcome.FAIL for reason in common):
        open_readings = ()
    needed, points = points_needed(deal, moment), shown.points + moment.already
    verdict = Verdict((*common, *reasons), open_readings)
    return Opening(formations, points, pairs, on_pairs, needed, max(0, needed - points), verdict)


def refuse_game_without_opening(deal: Deal) -> None:
    """Refuses a game that has no opening.

    Raises:
        Unreadable: so it is.
    """
    rules = deal.rules
    if rules.limit("opening.points") is None and rules.limit("opening.pairs_min") is None:
        board = rules.choice("melds.pairs") == "win"
        raise Unreadable("opening.none_but_a_board" if board else "opening.none", rules=rules.id)


def _meant_as_pairs(deal: Deal, formations: tuple[Formation, ...]) -> int:
    if deal.rules.limit("opening.pairs_min") is None:
        return 0
    return [len(formation.laid) for formation in formations].count(PAIR)


def _mixing(deal: Deal, pairs: int, count: int, moment: Moment) -> Iterator[Reason]:
    """Pairs are not mixed with runs and sets; those of earlier turns count where an opening is laid in parts."""
    others = count - pairs + bool(moment.already)
    pairs += moment.already_pairs
    if pairs:
        values = {"pairs": pairs, "others": others}
        yield deal.rules.reason("opening.mixed", not others, knob="opening.pairs_min", values=values)


@lru_cache(maxsize=256)
def when_reason(deal: Deal, moment: Moment) -> Reason:
    """Whether the turn allows it."""
    knob = "opening.starter_may_lay" if moment.starter and moment.turn == 1 else "opening.first_turn_allowed"
    code = "opening.starter" if moment.starter and moment.turn == 1 else "opening.first_turn"
    return deal.rules.reason(code, turn_allows(deal, moment), knob=knob, values={"turn": moment.turn})


def _taken(deal: Deal, formations: tuple[Formation, ...], moment: Moment) -> Iterator[Reason]:
    if moment.taken is None or deal.rules.choice("take.must_use") == "none":
        return
    laid = [plain(slot.piece) for formation in formations for slot in formation.laid]
    used = plain(moment.taken) in laid
    yield deal.rules.reason("opening.taken", used, knob="take.must_use", tiles=(moment.taken,))


def _held(deal: Deal, formations: tuple[Formation, ...], moment: Moment, hand: Sequence[Slot]) -> Iterator[Reason]:
    """Possession and the tile for the discard."""
    deal.check_box(hand)
    holds = Counter(plain(slot.piece) for slot in with_taken(hand, moment.taken))
    lays = Counter(plain(slot.piece) for formation in formations for slot in formation.laid)
    lacking = tuple((lays - holds).elements())
    yield deal.rules.reason("opening.held", not lacking, tiles=lacking)
    left = tuple((holds - lays).elements())
    yield discard_reason(deal, bool(left), left)


@lru_cache(maxsize=256)
def discard_reason(deal: Deal, kept: bool, left: tuple[Piece, ...] = ()) -> Reason:  # noqa: FBT001 - as Ruleset.reason
    """Whether a tile is left to discard, where the table wants one."""
    if not deal.rules.flag("close.must_discard"):
        return deal.rules.reason("opening.discard_not_needed", Outcome.PASS, knob="close.must_discard")
    return deal.rules.reason("opening.discard_kept", kept, knob="close.must_discard", tiles=left)


@lru_cache(maxsize=256)
def pairs_reason(deal: Deal, pairs: int, moment: Moment) -> Reason:
    """Whether so many pairs are enough."""
    needed, pairs = pairs_needed(deal, moment), pairs + moment.already_pairs
    values = {"pairs": pairs, "threshold": needed, "short_by": max(0, needed - pairs)}
    if pairs < needed and not deal.rules.flag("opening.single_turn"):
        return deal.rules.reason("opening.part_pairs", Outcome.NOTE, knob="opening.single_turn", values=values)
    knob = threshold_knob(deal, "opening.pairs_min", moment.previous_pairs)
    return deal.rules.reason("opening.pairs", pairs >= needed, knob=knob, values=values)
