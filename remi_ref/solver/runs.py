"""How the runs of one colour go on from number to number, under any rules."""

from __future__ import annotations

from itertools import permutations, product
from typing import TYPE_CHECKING, NamedTuple

from remi_ref.solver.heap import COLOURS, DECLARED, FREE, PLAIN, Placed
from remi_ref.tiles import TOP_NUMBER

if TYPE_CHECKING:
    from collections.abc import Iterator

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


class Config(NamedTuple):
    """A way to have runs open.

    Attributes:
        kept: as (plain, declared) the aces put by for above the 13; where runs go round the corner, the runs that must
            be open after the 13 because they were already continued from the 1.
        free: free jokers that this colour may still lay.
        runs: the open ones, sorted.
    """

    kept: tuple[int, int] | tuple[Run, ...]
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
        self._started = [self._grown(self._fresh, how, shapes.run_max) for how in range(3)]
        self.configs: list[Config] = []
        self.wants: list[int] = []
        self._numbers: dict[Config, int] = {}
        self._moves: dict[tuple[int, int, int, int], list[Move]] = {}

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

    def _grown(self, run: Run, how: int, longest: int) -> Run | None:
        """The run one longer, or None when no rule lets it grow so."""
        length = run[0] + 1 if self._count_length else 0
        less = (n - 1 if 0 < n < NEVER else n for n in run[1:])
        wanted = tuple(less) if how == PLAIN else (*run[2:], NEVER)
        return None if length > longest or min(wanted) == NEVER else (length, *wanted)

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
        key = (number, place if place in {0, HIGH_ACE} else 1, tiles, declared)
        found = self._moves.get(key)
        if found is None:
            every = list(self._all_moves(self.configs[number], *key[1:]))
            same_worth = key[1] not in {0, HIGH_ACE} and not self.shapes.wrap
            found = self._moves[key] = self._useful(every) if same_worth else every
        return found

    def _useful(self, moves: list[Move]) -> list[Move]:
        """Without the moves that take the same as another one and leave runs that want more."""
        by_use: dict[Stock, list[Move]] = {}
        for move in moves:
            alike = by_use.setdefault(move.used, [])
            if not any(self._as_good(other, move) for other in alike):
                alike[:] = [other for other in alike if not self._as_good(move, other)] + [move]
        return [move for alike in by_use.values() for move in alike]

    def _as_good(self, one: Move, other: Move) -> bool:
        """Whether whatever can follow the other move can follow this one; both leave as many runs open."""
        runs, others = self.configs[one.config].runs, self.configs[other.config].runs
        return any(
            all(a <= b for run, wanted in zip(order, others, strict=True) for a, b in zip(run, wanted, strict=True))
            for order in permutations(runs)
        )

    def _all_moves(self, config: Config, place: int, tiles: int, declared: int) -> Iterator[Move]:
        shapes = self.shapes
        if place == HIGH_ACE:
            for runs, plan, used in self._outcomes(
                config, (*config.kept, config.free), starts=False, longest=shapes.run_max
            ):
                if used[:FREE] == config.kept:
                    yield self._move(Config(NOTHING_KEPT, config.free - used[FREE], runs), plan, used)
            return
        keeps = [NOTHING_KEPT]
        if place == 0 and shapes.ace_high and not shapes.wrap:
            keeps = list(product(range(tiles + 1), range(declared + 1)))
        starts = place > 0 or shapes.ace_low or shapes.wrap
        longest = shapes.run_max if place == 0 or not shapes.wrap else min(shapes.run_max, TOP_NUMBER)
        for kept in keeps:
            stock = (tiles - kept[0], declared - kept[1], config.free)
            for runs, plan, used in self._outcomes(config, stock, starts=starts, longest=longest):
                after = kept if place == 0 and not shapes.wrap else config.kept
                taken = (used[PLAIN] + kept[PLAIN], used[DECLARED] + kept[DECLARED], used[FREE])
                yield self._move(Config(after, config.free - used[FREE], runs), plan, taken)

    def _move(self, config: Config, plan: Plan, used: Stock) -> Move:
        on = [how for before, how in plan if before >= 0]
        new = [how for before, how in plan if before < 0]
        plain_on, plain_new = on.count(PLAIN), new.count(PLAIN)
        return Move(self._number(config), plan, used, (plain_on, len(on) - plain_on), (plain_new, len(new) - plain_new))

    def _outcomes(
        self, config: Config, stock: Stock, *, starts: bool, longest: int
    ) -> Iterator[tuple[tuple[Run, ...], Plan, Stock]]:
        """Every different outcome of one number: the runs open after it, the plan, and what was used of the stock."""
        found: dict[tuple[tuple[Run, ...], Stock], Plan] = {}
        for continued, left in self._continued(config.runs, 0, stock, longest):
            for new in product(*(range(n + 1) for n in left)) if starts else [(0, 0, 0)]:
                used = (stock[0] - left[0] + new[0], stock[1] - left[1] + new[1], stock[2] - left[2] + new[2])
                started = [(self._started[how], -1, how) for how in range(3) for _ in range(new[how])]
                free = config.free - used[FREE]
                open_runs = [(self._cut(run, free), came, how) for run, came, how in (*continued, *started)]
                if all(run and min(run[1:]) < NEVER for run, _, _ in open_runs):
                    open_runs.sort()
                    runs = tuple(run for run, _, _ in open_runs)
                    found.setdefault((runs, used), tuple((came, how) for _, came, how in open_runs))
        for (runs, used), plan in found.items():
            yield runs, plan, used

    def _cut(self, run: Run | None, free: int) -> Run:
        """The run without what it would want of more jokers than are left; empty when it cannot be."""
        return () if run is None else run if self.shapes.wrap else run[: free + self._declared + 2]

    def _continued(
        self, runs: tuple[Run, ...], index: int, stock: Stock, longest: int
    ) -> Iterator[tuple[tuple[tuple[Run, int, int], ...], Stock]]:
        """Every way to close or go on with the runs from that index, and the stock that is left then."""
        if index == len(runs):
            yield (), stock
            return
        if not runs[index][1]:
            yield from self._continued(runs, index + 1, stock, longest)
        for how, count in enumerate(stock):
            grown = self._grown(runs[index], how, longest) if count else None
            if grown is not None:
                less = (stock[0] - (how == PLAIN), stock[1] - (how == DECLARED), stock[2] - (how == FREE))
                for others, left in self._continued(runs, index + 1, less, longest):
                    yield ((grown, index, how), *others), left


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
