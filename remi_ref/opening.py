"""The first opening: may exactly this be laid, and can this rack open at all, how best, and what would help."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from remi_ref.errors import Unreadable
from remi_ref.melds import PAIR, Formation, Kind, Meld, judge_meld, opening_points, stands_in
from remi_ref.solver import solver
from remi_ref.tiles import Joker, Slot, format_melds
from remi_ref.verdict import Outcome, Reason, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from remi_ref.rules.deal import Deal
    from remi_ref.tiles import Piece


@dataclass(frozen=True, slots=True)
class Moment:
    """When and on top of what an opening is laid.

    Attributes:
        turn: the player's own turn in this round; 1 is the first.
        taken: the tile picked from the discards this turn.
        previous: points of the last opening at the table, for a rising threshold.
        previous_pairs: pairs of the last pairs opening, likewise.
        starter: the player was dealt the extra tile.
        already: points of own formations on the table, where a house lets an opening be paid in parts.
        already_run: a run is among them.
        already_aces: a set of aces is.
        already_pairs: own pairs on the table, likewise.
    """

    turn: int = 2
    taken: Piece | None = None
    previous: int | None = None
    previous_pairs: int | None = None
    starter: bool = False
    already: int = 0
    already_run: bool = False
    already_aces: bool = False
    already_pairs: int = 0


@dataclass(frozen=True, slots=True)
class Opening:
    """The verdict on melds laid as a first opening.

    Attributes:
        formations: each meld with its readings.
        points: of the runs and sets; the lowest reading where jokers leave several.
        pairs: how many pairs.
        threshold: points needed, or pairs when it is laid on pairs.
        short_by: what is missing to it.
    """

    formations: tuple[Formation, ...]
    points: int
    pairs: int
    threshold: int
    short_by: int
    verdict: Verdict

    @property
    def complete(self) -> bool:
        """Whether nothing of it is left for a later turn, where a house lets an opening be laid in parts."""
        later = any(reason.code == "opening.run_later" for reason in self.verdict.reasons)
        return self.short_by == 0 and not later


@dataclass(frozen=True, slots=True)
class CanOpen:
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


@dataclass(frozen=True, slots=True)
class _State:
    """One way to read all melds together: its points and what it holds, with the readings that make it."""

    points: int = 0
    has_run: bool = False
    has_aces: bool = False
    readings: tuple[Meld, ...] = field(default=(), compare=False)


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
    moment = moment or Moment()
    _refuse_game_without_opening(deal)
    deal.check_box([slot for meld in melds for slot in meld])
    formations = tuple(judge_meld(deal, meld) for meld in melds)
    pairs = sum(_meant_as_pair(deal, formation) for formation in formations)
    on_pairs = pairs == len(formations)
    common = [*_meld_reasons(formations), *_mixing(deal, pairs, len(formations), moment), *_when(deal, moment)]
    common += [*_taken(deal, formations, moment), *_held(deal, formations, moment, hand)]
    if on_pairs:
        reason = _pairs_reason(deal, pairs, moment)
        needed, pairs = pairs_needed(deal, moment), pairs + moment.already_pairs
        return Opening(formations, 0, pairs, needed, max(0, needed - pairs), Verdict((*common, reason)))
    shown, reasons, open_readings = _weigh(deal, _states(deal, formations, moment), moment)
    failed = any(reason.outcome is Outcome.FAIL for reason in common)
    needed, points = points_needed(deal, moment), shown.points + moment.already
    verdict = Verdict((*common, *reasons), () if failed else open_readings)
    return Opening(formations, points, pairs, needed, max(0, needed - points), verdict)


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
    _refuse_game_without_opening(deal)
    rack = _with_taken(rack, moment.taken)
    deal.check_box(rack)
    keep = 0 if before_draw or not deal.rules.flag("close.must_discard") else 1
    taken = moment.taken if deal.rules.choice("take.must_use") != "none" else None
    by_points = _best_by_points(deal, rack, keep, taken)
    by_pairs = _best_by_pairs(deal, rack, keep, taken)
    found = [packing for packing in (by_points, by_pairs) if packing is not None]
    ways = [judge_opening(deal, [meld.slots for meld in packing.melds], moment) for packing in found]
    best = next((way for way in ways if way.verdict.ok), None)
    points, pairs = by_points.points if by_points else 0, len(by_pairs.melds) if by_pairs else 0
    if best is not None:
        chosen = by_pairs if best.pairs else by_points
        assert chosen is not None  # noqa: S101 - best was judged from one of them
        notes = _other_way(deal, best, points, pairs, moment)
        verdict = Verdict((*best.verdict.reasons, *notes))
        return CanOpen(points, pairs, best.threshold, 0, chosen.melds, chosen.left, verdict)
    verdict = Verdict(_failing(deal, ways, points, pairs, moment))
    by_count = deal.rules.limit("opening.points") is None or (not points and pairs > 0)
    needed = pairs_needed(deal, moment) if by_count else points_needed(deal, moment)
    one_away: tuple[Piece, ...] = ()
    if ask_one_away and _turn_allows(deal, moment):
        goals = (_points_goal(deal, moment), _pairs_goal(deal, moment))
        one_away = solver.one_away(deal, rack, keep=keep, taken=taken, points=goals[0], pairs=goals[1])
    reached = pairs if by_count else points
    melds = by_points.melds if by_points else ()
    left = by_points.left if by_points else tuple(slot.piece for slot in rack)
    return CanOpen(points, pairs, needed, max(0, needed - reached), melds, left, verdict, one_away)


def points_needed(deal: Deal, moment: Moment) -> int:
    """The threshold in points; with a rising one, one more than the last opening."""
    base = deal.rules.limit("opening.points") or 0
    if deal.rules.flag("opening.rising") and moment.previous is not None:
        return max(base, moment.previous + 1)
    return base


def pairs_needed(deal: Deal, moment: Moment) -> int:
    """The threshold in pairs, counted apart from the points."""
    base = deal.rules.limit("opening.pairs_min") or 0
    if deal.rules.flag("opening.rising") and moment.previous_pairs is not None:
        return max(base, moment.previous_pairs + 1)
    return base


# --- the conditions --------------------------------------------------------------------------------------------------


def _refuse_game_without_opening(deal: Deal) -> None:
    rules = deal.rules
    if rules.limit("opening.points") is None and rules.limit("opening.pairs_min") is None:
        raise Unreadable("opening.none", rules=rules.id)


def _meant_as_pair(deal: Deal, formation: Formation) -> bool:
    return deal.rules.limit("opening.pairs_min") is not None and len(formation.laid) == PAIR


def _meld_reasons(formations: tuple[Formation, ...]) -> Iterator[Reason]:
    for formation in formations:
        yield from formation.verdict.reasons


def _mixing(deal: Deal, pairs: int, count: int, moment: Moment) -> Iterator[Reason]:
    """Pairs are not mixed with runs and sets; those of earlier turns count where an opening is laid in parts."""
    others = count - pairs + bool(moment.already)
    pairs += moment.already_pairs
    if pairs:
        values = {"pairs": pairs, "others": others}
        yield deal.rules.reason("opening.mixed", not others, knob="opening.pairs_min", values=values)


def _turn_allows(deal: Deal, moment: Moment) -> bool:
    if moment.turn > 1:
        return True
    knob = "opening.starter_may_lay" if moment.starter else "opening.first_turn_allowed"
    return deal.rules.flag(knob)


def _when(deal: Deal, moment: Moment) -> Iterator[Reason]:
    knob = "opening.starter_may_lay" if moment.starter and moment.turn == 1 else "opening.first_turn_allowed"
    code = "opening.starter" if moment.starter and moment.turn == 1 else "opening.first_turn"
    yield deal.rules.reason(code, _turn_allows(deal, moment), knob=knob, values={"turn": moment.turn})


def _taken(deal: Deal, formations: tuple[Formation, ...], moment: Moment) -> Iterator[Reason]:
    if moment.taken is None or deal.rules.choice("take.must_use") == "none":
        return
    laid = [_plain(slot.piece) for formation in formations for slot in formation.laid]
    used = _plain(moment.taken) in laid
    yield deal.rules.reason("opening.taken", used, knob="take.must_use", tiles=(moment.taken,))


def _held(
    deal: Deal, formations: tuple[Formation, ...], moment: Moment, hand: Sequence[Slot] | None
) -> Iterator[Reason]:
    """Possession and the tile for the discard, when the hand is known."""
    if hand is None:
        return
    deal.check_box(hand)
    holds = Counter(_plain(slot.piece) for slot in _with_taken(hand, moment.taken))
    lays = Counter(_plain(slot.piece) for formation in formations for slot in formation.laid)
    lacking = tuple((lays - holds).elements())
    yield deal.rules.reason("opening.held", not lacking, tiles=lacking)
    left = tuple((holds - lays).elements())
    kept = bool(left) or not deal.rules.flag("close.must_discard")
    yield deal.rules.reason("opening.discard_kept", kept, knob="close.must_discard", tiles=left)


def _plain(piece: Piece) -> Piece:
    return Joker() if isinstance(piece, Joker) else piece


def _with_taken(hand: Sequence[Slot], taken: Piece | None) -> Sequence[Slot]:
    """The hand with the taken tile in it, once."""
    if taken is None or any(_plain(slot.piece) == _plain(taken) for slot in hand):
        return hand
    return (*hand, Slot(taken))


def _pairs_reason(deal: Deal, pairs: int, moment: Moment) -> Reason:
    needed, pairs = pairs_needed(deal, moment), pairs + moment.already_pairs
    values = {"pairs": pairs, "threshold": needed, "short_by": max(0, needed - pairs)}
    if pairs < needed and not deal.rules.flag("opening.single_turn"):
        return deal.rules.reason("opening.part_pairs", Outcome.NOTE, knob="opening.single_turn", values=values)
    knob = _threshold_knob(deal, "opening.pairs_min", moment.previous_pairs)
    return deal.rules.reason("opening.pairs", pairs >= needed, knob=knob, values=values)


def _threshold_knob(deal: Deal, knob: str, previous: int | None) -> str:
    """The rule that set the threshold: the rising one once somebody has opened."""
    return "opening.rising" if previous is not None and deal.rules.flag("opening.rising") else knob


def _states(deal: Deal, formations: tuple[Formation, ...], moment: Moment) -> list[_State]:
    """Every different way to read the runs and sets together; one without readings adds nothing."""
    states = {_State(has_run=moment.already_run, has_aces=moment.already_aces)}
    for formation in formations:
        melds = [meld for meld in formation.readings if meld.kind is not Kind.PAIR]
        if melds:
            states = {_with_meld(deal, state, meld) for state in states for meld in melds}
    return sorted(states, key=lambda state: (state.points, state.has_run, state.has_aces))


def _with_meld(deal: Deal, state: _State, meld: Meld) -> _State:
    aces = meld.kind is Kind.SET and all(slot.plays_as is not None and slot.plays_as.number == 1 for slot in meld.slots)
    return _State(
        state.points + opening_points(deal, meld),
        state.has_run or meld.kind is Kind.RUN,
        state.has_aces or aces,
        (*state.readings, meld),
    )


def _weigh(deal: Deal, states: list[_State], moment: Moment) -> tuple[_State, tuple[Reason, ...], tuple[str, ...]]:
    """The state to show, the reasons that hang on it, and two readings to choose from when the verdict differs.

    Where all readings agree, a legal opening is shown at its lowest and an illegal one at its best.
    """
    judged = [(state, tuple(_value_reasons(deal, state, moment))) for state in states]
    fine = [entry for entry in judged if all(reason.outcome is not Outcome.FAIL for reason in entry[1])]
    if not fine:
        return (*judged[-1], ())
    if len(fine) == len(judged):
        return (*judged[0], ())
    wrong = next(entry for entry in judged if entry not in fine)
    values: dict[str, int | str] = {
        "low": wrong[0].points,
        "high": fine[-1][0].points,
        "threshold": points_needed(deal, moment),
    }
    note = deal.rules.reason("opening.joker_decides", Outcome.NOTE, knob="opening.points", values=values)
    return wrong[0], (note,), (_as_text(wrong[0]), _as_text(fine[-1][0]))


def _as_text(state: _State) -> str:
    return format_melds(meld.slots for meld in state.readings)


def _value_reasons(deal: Deal, state: _State, moment: Moment) -> Iterator[Reason]:
    rules = deal.rules
    needed, points = points_needed(deal, moment), state.points + moment.already
    if rules.limit("opening.points") is None:
        yield rules.reason("opening.only_pairs", outcome=False, knob="opening.points")
        return
    values = {"points": points, "threshold": needed, "short_by": max(0, needed - points)}
    knob = _threshold_knob(deal, "opening.points", moment.previous)
    if points < needed and not rules.flag("opening.single_turn"):
        yield rules.reason("opening.part", Outcome.NOTE, knob="opening.single_turn", values=values)
    else:
        yield rules.reason("opening.points", points >= needed, knob=knob, values=values)
    if moment.previous is not None and not rules.flag("opening.rising"):
        yield rules.reason("opening.fixed", Outcome.NOTE, knob="opening.rising", values={"previous": moment.previous})
    if moment.previous_pairs is not None and rules.flag("opening.rising"):
        yield rules.reason("opening.counters_apart", Outcome.NOTE, values={"pairs": moment.previous_pairs})
    yield from _joker_value(deal, state)
    yield _run_reason(deal, state)


def _joker_value(deal: Deal, state: _State) -> Iterator[Reason]:
    """What a joker counts towards the threshold, where one is laid."""
    jokers = tuple(slot for meld in state.readings for slot in meld.slots if stands_in(slot))
    if not jokers:
        return
    value = deal.rules.number_or_word("joker.threshold_value")
    code = "opening.joker_replaced" if isinstance(value, str) else "opening.joker_fixed"
    values = {} if isinstance(value, str) else {"value": value}
    yield deal.rules.reason(code, Outcome.NOTE, knob="joker.threshold_value", values=values, tiles=jokers)


def _run_reason(deal: Deal, state: _State) -> Reason:
    rules = deal.rules
    if not rules.flag("opening.need_run"):
        return rules.reason("opening.run_not_needed", Outcome.PASS, knob="opening.need_run")
    if not state.has_run and state.has_aces and rules.flag("opening.set_of_aces_exception"):
        return rules.reason("opening.aces_instead", Outcome.PASS, knob="opening.set_of_aces_exception")
    if not state.has_run and not rules.flag("opening.single_turn"):
        return rules.reason("opening.run_later", Outcome.NOTE, knob="opening.single_turn")
    return rules.reason("opening.need_run", state.has_run, knob="opening.need_run")


# --- the search ------------------------------------------------------------------------------------------------------


def _best_by_points(deal: Deal, rack: Sequence[Slot], keep: int, taken: Piece | None) -> solver.Packing | None:
    """The most points in an opening; when no run can be laid, the most without one, so that the refusal says so."""
    if deal.rules.limit("opening.points") is None:
        return None
    best = solver.best_opening(deal, rack, keep=keep, taken=taken)
    if best is None and deal.rules.flag("opening.need_run"):
        best = solver.best_opening(deal, rack, keep=keep, taken=taken, need_run=False)
    if best is None and taken is not None:
        best = solver.best_opening(deal, rack, keep=keep, need_run=False)
    return best if best is not None and best.melds else None


def _best_by_pairs(deal: Deal, rack: Sequence[Slot], keep: int, taken: Piece | None) -> solver.Packing | None:
    if deal.rules.limit("opening.pairs_min") is None:
        return None
    best = solver.most_pairs(deal, rack, keep=keep, taken=taken)
    return best if best is not None and best.melds else None


def _failing(deal: Deal, ways: list[Opening], points: int, pairs: int, moment: Moment) -> tuple[Reason, ...]:
    """Why neither way opens."""
    shown = ways[0].verdict.reasons if ways else (*_when(deal, moment), *_value_reasons(deal, _State(), moment))
    reasons = list(shown)
    codes = {reason.code for reason in reasons}
    if deal.rules.limit("opening.pairs_min") is not None and "opening.pairs" not in codes:
        reasons.append(_pairs_reason(deal, pairs, moment))
    if deal.rules.limit("opening.points") is not None and not codes & {"opening.points", "opening.part"}:
        reasons += _value_reasons(deal, _State(points), moment)
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
