"""What one number can make of the open runs of a colour, under any rules."""

from __future__ import annotations

from itertools import permutations
from operator import le
from typing import TYPE_CHECKING, NamedTuple

from remi_ref.solver.heap import DECLARED, FREE, PLAIN
from remi_ref.tiles import TOP_NUMBER

if TYPE_CHECKING:
    from collections.abc import Iterable

    from remi_ref.solver.shapes import Shapes

HIGH_ACE = TOP_NUMBER
"""The place of the ace above the 13; places count from 0."""

NEVER = 99
"""More tiles than there are."""

Run = tuple[int, ...]
"""An open run: its length where the rules count it (else 0), then for 0, 1, 2, ... further jokers the plain tiles it
would still want before it may end. That is all that its future hangs on."""

Runs = tuple[Run, ...]
"""Open runs, sorted."""

Stock = tuple[int, int, int]
"""Plain tiles, declared jokers and free jokers."""

Plan = tuple[tuple[int, int], ...]
"""For each open run, which of the runs one number before it continues (-1: it starts), and with what."""

_Way = tuple[tuple[tuple[Run, int, int], ...], Stock]
"""The runs that go on, each with what `Plan` says of it, and what is left for new ones."""


class Outcome(NamedTuple):
    """What becomes of open runs at one number.

    Attributes:
        runs: open after it.
        plan: how each of them came about.
        on: plain tiles and jokers that continue a run.
        new: those that start one.
    """

    runs: Runs
    plan: Plan
    on: tuple[int, int]
    new: tuple[int, int]


class Outcomes:
    """Every outcome, with so many declared and free jokers at hand; each is worked out once."""

    def __init__(self, shapes: Shapes, declared: int, free: int) -> None:
        self._shapes, self._declared = shapes, declared
        places = TOP_NUMBER + shapes.ace_high - (not shapes.ace_low)
        self._count_length = shapes.wrap or shapes.run_max < places
        self._fresh: Run = (0, *(self._wanted(jokers) for jokers in range(declared + free + 1)))
        self._longer_known: dict[tuple[Run, int, int], dict[int, Run]] = {}
        self._known: dict[tuple[Runs, int, int, Stock], list[Outcome]] = {}

    def _wanted(self, jokers: int) -> int:
        """Plain tiles that a run with so many jokers wants in all."""
        shapes = self._shapes
        if not jokers:
            return shapes.run_min
        if shapes.most_jokers is not None and jokers > shapes.most_jokers:
            return NEVER
        return max(shapes.run_min - jokers, shapes.min_naturals, shapes.naturals_per_joker * jokers)

    def of(self, runs: Runs, free: int, place: int, laid: Stock) -> list[Outcome]:
        """What can become of open runs where just this is laid and so many free jokers are left.

        Where another outcome leaves runs that want less, one is left out; but not where runs go round the corner, as
        those must meet what they were begun as.
        """
        key = (runs, free, place, laid)
        found = self._known.get(key)
        if found is None:
            every = self._all(*key)
            useful = every if self._shapes.wrap else _wanting_least(every)
            found = self._known[key] = [_outcome(after, every[after]) for after in useful]
        return found

    def _all(self, runs: Runs, free: int, place: int, laid: Stock) -> dict[Runs, Plan]:
        shapes = self._shapes
        longest = shapes.run_max if place in {0, HIGH_ACE} else min(shapes.run_max, TOP_NUMBER)
        starts = place != HIGH_ACE and (place > 0 or shapes.ace_low or shapes.wrap)
        fresh = self._longer(self._fresh, longest, free) if starts else {}
        found: dict[Runs, Plan] = {}
        for continued, left in self._continued(runs, free, longest, laid):
            if all(how in fresh for how, count in enumerate(left) if count):
                started = [(fresh[how], -1, how) for how, count in enumerate(left) for _ in range(count)]
                open_runs = sorted((*continued, *started))
                plan = tuple((before, how) for _, before, how in open_runs)
                found.setdefault(tuple(run for run, _, _ in open_runs), plan)
        return found

    def _continued(self, runs: Runs, free: int, longest: int, laid: Stock) -> list[_Way]:
        """Every way to go on with some of the runs and to end the others."""
        ways: list[_Way] = [((), laid)]
        for index, run in enumerate(runs):
            longer = self._longer(run, longest, free)
            ended = [] if run[1] else ways
            ways = ended + [
                ((*others, (grown, index, how)), _less(left, how))
                for others, left in ways
                for how, grown in longer.items()
                if left[how]
            ]
        return ways

    def _longer(self, run: Run, longest: int, free: int) -> dict[int, Run]:
        """By what continues a run, when so many free jokers are left then, the run it makes."""
        key = (run, longest, free)
        found = self._longer_known.get(key)
        if found is None:
            every = {how: self._longer_by(how, run, free) for how in (PLAIN, DECLARED, FREE)}
            found = self._longer_known[key] = {
                how: grown for how, grown in every.items() if grown[0] <= longest and min(grown[1:]) < NEVER
            }
        return found

    def _longer_by(self, how: int, run: Run, free: int) -> Run:
        """The run one longer, without what it would want of more jokers than are left."""
        length = run[0] + 1 if self._count_length else 0
        less = (n - 1 if 0 < n < NEVER else n for n in run[1:])
        wanted = tuple(less) if how == PLAIN else (*run[2:], NEVER)
        return (length, *(wanted if self._shapes.wrap else wanted[: free + self._declared + 1]))


def _less(stock: Stock, how: int) -> Stock:
    plain, declared, free = stock
    return plain - (how == PLAIN), declared - (how == DECLARED), free - (how == FREE)


def _outcome(runs: Runs, plan: Plan) -> Outcome:
    on = [how for before, how in plan if before >= 0]
    new = [how for before, how in plan if before < 0]
    plain_on, plain_new = on.count(PLAIN), new.count(PLAIN)
    return Outcome(runs, plan, (plain_on, len(on) - plain_on), (plain_new, len(new) - plain_new))


def _wanting_least(every: Iterable[Runs]) -> list[Runs]:
    """Without those beside which others, as many, want no more."""
    least: list[Runs] = []
    for runs in every:
        if not any(_want_no_more(others, runs) for others in least):
            least = [others for others in least if not _want_no_more(runs, others)] + [runs]
    return least


def _want_no_more(runs: Runs, others: Runs) -> bool:
    """Whether whatever the others can become, these can; they are as many."""
    return any(
        all(all(map(le, run, other)) for run, other in zip(order, others, strict=True)) for order in permutations(runs)
    )
