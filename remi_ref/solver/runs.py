"""How the runs of one colour go on from number to number, under any rules."""

from __future__ import annotations

from itertools import permutations, product
from operator import le
from typing import TYPE_CHECKING, NamedTuple

from remi_ref.solver.heap import COLOURS, DECLARED, FREE, PLAIN, Placed
from remi_ref.tiles import TOP_NUMBER

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from remi_ref.solver.shapes import Shapes

HIGH_ACE = TOP_NUMBER
"""The place of the ace above the 13; places count from 0."""

NEVER = 99
"""More tiles than there are."""

Run = tuple[int, ...]
"""An open run: its length where the rules count it (else 0), then for 0, 1, 2, ... further jokers the plain tiles it
would still want before it may end. That is all that its future hangs on."""

Stock = tuple[int, int, int]
"""Plain tiles, declared jokers and free jokers: at hand, left, or used."""

Plan = tuple[tuple[int, int], ...]
"""For each open run, which of the runs one number before it continues (-1: it starts), and with what."""


Kept = tuple[int, int] | tuple[Run, ...]
"""As (plain, declared) the aces put by for above the 13; where runs go round the corner, the runs that must be open
after the 13 because they were already continued from the 1."""


class Config(NamedTuple):
    """A way to have runs open.

    Attributes:
        kept: for the last number.
        free: free jokers that this colour may still lay.
        runs: the open ones, sorted.
    """

    kept: Kept
    free: int
    runs: tuple[Run, ...]


NOTHING_KEPT = (0, 0)


class Move(NamedTuple):
    """What one number does to a config.

    Attributes:
        config: the config after it.
        plan: how each run open after it came about.
        used: plain tiles, declared jokers and free jokers taken, aces put by among them.
        on: plain tiles and jokers that continue a run.
        new: those that start one.
    """

    config: int
    plan: Plan
    used: Stock
    on: tuple[int, int]
    new: tuple[int, int]


class Outcome(NamedTuple):
    """What one number makes of open runs: those open after it, and as in `Move`."""

    runs: tuple[Run, ...]
    plan: Plan
    on: tuple[int, int]
    new: tuple[int, int]


class Grammar:
    """How open runs may go on, with so many declared and free jokers at hand. Configs are known by their number here.

    Attributes:
        configs: by number.
        wants: for each config, how many more tiles one of its runs wants at the least before it may end.
    """

    def __init__(self, shapes: Shapes, declared: int, free: int) -> None:
        self.shapes, self._declared, self._all_free = shapes, declared, free
        places = TOP_NUMBER + shapes.ace_high - (not shapes.ace_low)
        self._count_length = shapes.wrap or shapes.run_max < places
        self._fresh: Run = (0, *(self._wanted(jokers) for jokers in range(declared + free + 1)))
        self.configs: list[Config] = []
        self.wants: list[int] = []
        self._numbers: dict[Config, int] = {}
        self._moves: dict[tuple[int, int, Stock], list[Move]] = {}
        self._grown: dict[tuple[Run, int, int], dict[int, Run]] = {}
        self._known: dict[tuple[tuple[Run, ...], int, int, Stock], list[Outcome]] = {}

    def _wanted(self, jokers: int) -> int:
        """Plain tiles that a run with so many jokers wants in all."""
        shapes = self.shapes
        if not jokers:
            return shapes.run_min
        if shapes.most_jokers is not None and jokers > shapes.most_jokers:
            return NEVER
        return max(shapes.run_min - jokers, shapes.min_naturals, shapes.naturals_per_joker * jokers)

    def start(self, crossing: tuple[Run, ...] = ()) -> int:
        """The config before the 1, with the runs that come round the corner."""
        kept = crossing if self.shapes.wrap else NOTHING_KEPT
        return self._number(Config(kept, self._all_free, crossing))

    def _number(self, config: Config) -> int:
        found = self._numbers.get(config)
        if found is None:
            found = self._numbers[config] = len(self.configs)
            self.configs.append(config)
            self.wants.append(max((self._least(run) for run in config.runs if run[1]), default=0))
        return found

    def _least(self, run: Run) -> int:
        """How many more tiles the run wants at the least, none further on than the rules look."""
        return min(self.shapes.run_min, *(plain + jokers for jokers, plain in enumerate(run[1:])))

    def _longer(self, run: Run, longest: int, free: int) -> dict[int, Run]:
        """By what continues a run, when so many free jokers are left then, the run it makes."""
        key = (run, longest, free)
        found = self._grown.get(key)
        if found is None:
            every = {how: self._longer_by(how, run, free) for how in (PLAIN, DECLARED, FREE)}
            found = self._grown[key] = {
                how: grown for how, grown in every.items() if grown[0] <= longest and min(grown[1:]) < NEVER
            }
        return found

    def _longer_by(self, how: int, run: Run, free: int) -> Run:
        """The run one longer, without what it would want of more jokers than are left."""
        length = run[0] + 1 if self._count_length else 0
        less = (n - 1 if 0 < n < NEVER else n for n in run[1:])
        wanted = tuple(less) if how == PLAIN else (*run[2:], NEVER)
        return (length, *(wanted if self.shapes.wrap else wanted[: free + self._declared + 1]))

    def closed(self, number: int, *, last: bool) -> int:
        """The config with its runs closed, -1 when they cannot be; past the last number those kept are met again."""
        kept, free, runs = self.configs[number]
        rest = list(runs)
        if last and self.shapes.wrap:
            for run in kept:
                if run not in rest:
                    return -1
                rest.remove(run)
            kept = ()
        return -1 if any(run[1] for run in rest) else self._number(Config(kept, free, ()))

    def moves(self, number: int, place: int, tiles: int, declared: int) -> list[Move]:
        """Every way to go on from a config with that many tiles and declared jokers at the place."""
        config, place = self.configs[number], alike(place)
        free = range(config.free + 1)
        if place == HIGH_ACE:
            uses = [(*config.kept, jokers) for jokers in free]
        else:
            uses = list(product(range(tiles + 1), range(declared + 1), free))
        return [move for used in uses for move in self._moves_using(number, place, used)]

    def _moves_using(self, number: int, place: int, used: Stock) -> list[Move]:
        key = (number, place, used)
        found = self._moves.get(key)
        if found is None:
            config = self.configs[number]
            free = config.free - used[FREE]
            found = self._moves[key] = [
                Move(self._number(Config(kept, free, runs)), plan, used, on, new)
                for kept, laid in self._put_by(config, place, used)
                for runs, plan, on, new in self._outcomes(config.runs, free, place, laid)
            ]
        return found

    def _put_by(self, config: Config, place: int, used: Stock) -> Iterator[tuple[Kept, Stock]]:
        """What is kept after the place, and what is laid of that which is used there."""
        if place == HIGH_ACE:
            yield NOTHING_KEPT, used
        elif place == 0 and self.shapes.ace_high and not self.shapes.wrap:
            for plain, declared in product(range(used[PLAIN] + 1), range(used[DECLARED] + 1)):
                yield (plain, declared), (used[PLAIN] - plain, used[DECLARED] - declared, used[FREE])
        else:
            yield config.kept, used

    def _outcomes(self, runs: tuple[Run, ...], free: int, place: int, laid: Stock) -> list[Outcome]:
        """What can become of open runs where just this is laid and so many free jokers are left.

        Where another outcome leaves runs that want less, one is left out; but not where runs go round the corner, as
        those must meet what they were begun as.
        """
        key = (runs, free, place, laid)
        found = self._known.get(key)
        if found is None:
            every = self._all_outcomes(*key)
            wanted = every if self.shapes.wrap else _wanting_least(every)
            found = self._known[key] = [_outcome(after, every[after]) for after in wanted]
        return found

    def _all_outcomes(self, runs: tuple[Run, ...], free: int, place: int, laid: Stock) -> dict[tuple[Run, ...], Plan]:
        shapes = self.shapes
        starts = place != HIGH_ACE and (place > 0 or shapes.ace_low or shapes.wrap)
        longest = shapes.run_max if place in {0, HIGH_ACE} else min(shapes.run_max, TOP_NUMBER)
        ways: list[tuple[tuple[tuple[Run, int, int], ...], Stock]] = [((), laid)]
        for index, run in enumerate(runs):
            longer = self._longer(run, longest, free)
            closed = [] if run[1] else ways
            ways = closed + [
                ((*others, (grown, index, how)), _less(left, how))
                for others, left in ways
                for how, grown in longer.items()
                if left[how]
            ]
        fresh = self._longer(self._fresh, longest, free) if starts else {}
        found: dict[tuple[Run, ...], Plan] = {}
        for continued, left in ways:
            if all(how in fresh for how, count in enumerate(left) if count):
                started = [(fresh[how], -1, how) for how, count in enumerate(left) for _ in range(count)]
                open_runs = sorted((*continued, *started))
                plan = tuple((came, how) for _, came, how in open_runs)
                found.setdefault(tuple(run for run, _, _ in open_runs), plan)
        return found


def alike(place: int) -> int:
    """A place where runs go on in the same ways: all between the two of the ace are alike."""
    return place if place in {0, HIGH_ACE} else 1


def _less(stock: Stock, how: int) -> Stock:
    plain, declared, free = stock
    return plain - (how == PLAIN), declared - (how == DECLARED), free - (how == FREE)


def _outcome(runs: tuple[Run, ...], plan: Plan) -> Outcome:
    on = [how for before, how in plan if before >= 0]
    new = [how for before, how in plan if before < 0]
    plain_on, plain_new = on.count(PLAIN), new.count(PLAIN)
    return Outcome(runs, plan, (plain_on, len(on) - plain_on), (plain_new, len(new) - plain_new))


def _wanting_least(every: Iterable[tuple[Run, ...]]) -> list[tuple[Run, ...]]:
    """Without those beside which others, as many, want no more."""
    least: list[tuple[Run, ...]] = []
    for runs in every:
        if not any(_want_no_more(others, runs) for others in least):
            least = [others for others in least if not _want_no_more(runs, others)] + [runs]
    return least


def _want_no_more(runs: tuple[Run, ...], others: tuple[Run, ...]) -> bool:
    """Whether whatever the others can become, these can; they are as many."""
    return any(
        all(all(map(le, run, other)) for run, other in zip(order, others, strict=True)) for order in permutations(runs)
    )


def runs_laid(grammar: Grammar, colour: int, steps: list[tuple[int, Move]], first: int) -> list[Placed]:
    """The runs of one colour, from the moves that laid them; with aces that go round, ends are joined to beginnings."""
    entering = grammar.configs[first].runs
    tails: list[list[tuple[int, int]]] = [[] for _ in entering]
    open_runs, laid, runs = tails, list(tails), entering
    for place, move in steps:
        after = []
        for before, how in move.plan:
            run = open_runs[before] if before >= 0 else []
            if before < 0:
                laid.append(run)
            run.append((COLOURS * (place % TOP_NUMBER) + colour, how))
            after.append(run)
        open_runs, runs = after, grammar.configs[move.config].runs
    used: list[int] = []
    for wanted, tail in zip(entering, tails, strict=True):
        index = next(i for i, run in enumerate(runs) if run == wanted and i not in used)
        used.append(index)
        tail[:0] = open_runs[index]
        laid = [run for run in laid if run is not open_runs[index]]
    return [Placed(is_run=True, cells=tuple(x for x, _ in run), fill=tuple(h for _, h in run)) for run in laid]
