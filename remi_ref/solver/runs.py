"""How the runs of one colour go on from number to number, and the aces that are put by for above the 13."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from remi_ref.solver.heap import COLOURS, DECLARED, FREE, PLAIN, Placed
from remi_ref.solver.outcomes import HIGH_ACE, Outcomes, Runs
from remi_ref.tiles import TOP_NUMBER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remi_ref.solver.outcomes import Plan, Run, Stock
    from remi_ref.solver.shapes import Shapes

Kept = tuple[int, int] | Runs
"""As (plain, declared) the aces put by for above the 13; where runs go round the corner, the runs that must be open
after the 13 because they were already continued from the 1."""

NOTHING_KEPT = (0, 0)


class Config(NamedTuple):
    """A way to have runs open.

    Attributes:
        kept: what waits for the last number.
        free: free jokers that this colour may still lay.
        runs: the open ones, sorted.
    """

    kept: Kept
    free: int
    runs: Runs


class Move(NamedTuple):
    """What one number does to a config.

    Attributes:
        config: the config after it.
        plan: as in `Outcome`, likewise `on` and `new`.
        used: all that is taken, aces put by among it.
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
        self.shapes, self._all_free = shapes, free
        self._outcomes = Outcomes(shapes, declared, free)
        self.configs: list[Config] = []
        self.wants: list[int] = []
        self._numbers: dict[Config, int] = {}
        self._moves: dict[tuple[int, int, Stock], list[Move]] = {}

    def start(self, crossing: Runs = ()) -> int:
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
                for runs, plan, on, new in self._outcomes.of(config.runs, free, place, laid)
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


def alike(place: int) -> int:
    """A place where runs go on in the same ways: all between the two of the ace are alike."""
    return place if place in {0, HIGH_ACE} else 1


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
