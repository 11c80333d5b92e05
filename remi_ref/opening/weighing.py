"""What the runs and sets of an opening come to, by every way to read their jokers."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from remi_ref.melds import Kind, joker_value, opening_points, stands_in, value_notes
from remi_ref.opening.moment import points_needed
from remi_ref.tiles import format_melds
from remi_ref.verdict import Outcome, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remi_ref.melds import Formation, Meld
    from remi_ref.opening.moment import Moment
    from remi_ref.rules.deal import Deal
    from remi_ref.verdict import Reason


class State(NamedTuple):
    """One way to read all melds together: its points and what it holds, with the readings that make it."""

    points: int = 0
    has_run: bool = False
    has_aces: bool = False
    readings: tuple[Meld, ...] = ()


def states_of(deal: Deal, formations: tuple[Formation, ...], moment: Moment) -> list[State]:
    """Every different way to read the runs and sets together; one without readings adds nothing."""
    states = [State(0, moment.already_run, moment.already_aces)]
    for formation in formations:
        melds = [meld for meld in formation.readings if meld.kind is not Kind.PAIR]
        if melds:
            states = _different([_with_meld(deal, state, meld) for state in states for meld in melds])
    return sorted(states)


def _different(states: list[State]) -> list[State]:
    """The first state of those that come to the same, whatever readings make them."""
    different: dict[tuple[object, ...], State] = {}
    for state in states:
        different.setdefault(state[:-1], state)
    return list(different.values())


def _with_meld(deal: Deal, state: State, meld: Meld) -> State:
    is_run, shown = meld.kind is Kind.RUN, meld.slots[0].plays_as
    return State(
        state.points + opening_points(deal, meld),
        state.has_run or is_run,
        state.has_aces or (not is_run and shown is not None and shown.number == 1),
        (*state.readings, meld),
    )


def weigh(deal: Deal, states: list[State], moment: Moment) -> tuple[State, tuple[Reason, ...], tuple[str, ...]]:
    """The state to show, the reasons that hang on it, and two readings to choose from when the verdict differs.

    Where all readings agree, a legal opening is shown at its lowest and an illegal one at its best.
    """
    judged = [(state, value_reasons(deal, state, moment)) for state in states]
    fine = [entry for entry in judged if Verdict(entry[1]).ok]
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
    by_joker = any(stands_in(slot) for meld in fine[-1][0].readings for slot in meld.slots)
    code = "opening.joker_decides" if by_joker else "opening.order_decides"
    note = deal.rules.reason(code, Outcome.NOTE, knob="opening.points", values=values)
    return wrong[0], (note,), (_as_text(wrong[0]), _as_text(fine[-1][0]))


def _as_text(state: State) -> str:
    return format_melds(meld.slots for meld in state.readings)


def value_reasons(deal: Deal, state: State, moment: Moment) -> tuple[Reason, ...]:
    """The conditions that hang on how jokers are read: points, and a run among them."""
    if deal.rules.limit("opening.points") is None:
        return (deal.rules.reason("opening.only_pairs", outcome=False, knob="opening.points"),)
    jokers = tuple([slot for meld in state.readings for slot in meld.slots if stands_in(slot)])
    return (
        *_points_reasons(deal, state.points, moment),
        *value_notes(deal, state.readings),
        *([joker_value(deal, jokers)] if jokers else []),
        _run_reason(deal, state.has_run, state.has_aces),
    )


# Of thousands of racks most come to the same, so that what was said of one is kept.


@lru_cache(maxsize=1024)
def _points_reasons(deal: Deal, points: int, moment: Moment) -> tuple[Reason, ...]:
    """Whether so many points are enough, and what openings before this one have to do with it."""
    rules = deal.rules
    needed, points = points_needed(deal, moment), points + moment.already
    values = {"points": points, "threshold": needed, "short_by": max(0, needed - points)}
    if points < needed and not rules.flag("opening.single_turn"):
        found = [rules.reason("opening.part", Outcome.NOTE, knob="opening.single_turn", values=values)]
    else:
        knob = threshold_knob(deal, "opening.points", moment.previous)
        found = [rules.reason("opening.points", points >= needed, knob=knob, values=values)]
    found += fixed_notes(deal, moment)
    if moment.previous_pairs is not None and rules.flag("opening.rising"):
        values = {"pairs": moment.previous_pairs}
        found.append(rules.reason("opening.counters_apart", Outcome.NOTE, values=values))
    return tuple(found)


def fixed_notes(deal: Deal, moment: Moment) -> Iterator[Reason]:
    """That earlier openings do not raise the threshold, where they were named and it is fixed."""
    for code, previous in (("opening.fixed", moment.previous), ("opening.fixed_pairs", moment.previous_pairs)):
        if previous is not None and not deal.rules.flag("opening.rising"):
            yield deal.rules.reason(code, Outcome.NOTE, knob="opening.rising", values={"previous": previous})


@lru_cache(maxsize=32)
def _run_reason(deal: Deal, has_run: bool, has_aces: bool) -> Reason:  # noqa: FBT001 - what a state holds
    rules = deal.rules
    if not rules.flag("opening.need_run"):
        return rules.reason("opening.run_not_needed", Outcome.PASS, knob="opening.need_run")
    if not has_run and has_aces and rules.flag("opening.set_of_aces_exception"):
        return rules.reason("opening.aces_instead", Outcome.PASS, knob="opening.set_of_aces_exception")
    if not has_run and not rules.flag("opening.single_turn"):
        return rules.reason("opening.run_later", Outcome.NOTE, knob="opening.single_turn")
    return rules.reason("opening.need_run", has_run, knob="opening.need_run")


def threshold_knob(deal: Deal, knob: str, previous: int | None) -> str:
    """The rule that set the threshold: the rising one once somebody has opened."""
    return "opening.rising" if previous is not None and deal.rules.flag("opening.rising") else knob
