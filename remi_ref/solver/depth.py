"""The search for racks as they are held: depth first, the heap as bits, the lowest tile decided first."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from remi_ref.solver.heap import CELLS, COLOURS, FREE, LOST, PLAIN, POINT, Found, Placed, cell_at
from remi_ref.solver.shapes import HIGH, LOW, SET
from remi_ref.tiles import TOP_NUMBER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remi_ref.solver.heap import Demand, Heap
    from remi_ref.solver.shapes import Shapes

ACES = 0b1111

RUN, OWED, JOKER = 1, 2, 4
"""What may be wanted of a packing, as bits."""


class Candidate(NamedTuple):
    """A formation by the plain tiles in it, bit ``4 * (number - 1) + colour``; jokers where they are worth most."""

    mask: int
    worth: int
    jokers: int
    by_jokers: int
    placed: Placed


ByLowest = dict[int, list[tuple[Candidate, int]]]
"""Candidates by their lowest plain tile, each with what it meets of a demand, as bits."""

Key = tuple[int, int, int, int, int]
"""What is left: cells held once and twice, jokers, how many must stay, what is wanted."""


class Table(NamedTuple):
    """Everything that a few jokers can make under some rules, by jokers used, each list the best first."""

    by_jokers: tuple[tuple[Candidate, ...], ...]
    by_lowest: ByLowest
    weights: tuple[tuple[int, int], ...]


@lru_cache(maxsize=32)
def table_of(shapes: Shapes, jokers: int) -> Table:
    """The candidates for up to so many jokers; formations that can be cut in two legal ones are left out."""
    best: dict[tuple[int, int, bool], Candidate] = {}
    for candidate in (*_runs(shapes, jokers), *_sets(shapes, jokers)):
        key = (candidate.mask, candidate.jokers, candidate.placed.is_run)
        if key not in best or best[key].worth < candidate.worth:
            best[key] = candidate
    ranked = sorted(best.values(), key=lambda c: -c.worth)
    by_lowest: ByLowest = {}
    for candidate in ranked:
        if not candidate.jokers:
            run = RUN if candidate.placed.is_run else 0
            by_lowest.setdefault(candidate.mask & -candidate.mask, []).append((candidate, run))
    values = [max(shapes.value(n, place) for place in (SET, LOW, HIGH)) for n in range(1, TOP_NUMBER + 1)]
    return Table(
        tuple(tuple(c for c in ranked if c.jokers == n) for n in range(jokers + 1)),
        by_lowest,
        tuple(_weights(values)),
    )


def _weights(values: list[int]) -> Iterator[tuple[int, int]]:
    """The worth of tiles in binary: a weight, and the cells whose worth has it."""
    for power in range(max(values).bit_length()):
        cells = sum(ACES << cell_at(n + 1, 0) for n, value in enumerate(values) if value >> power & 1)
        if cells:
            yield POINT << power, cells
    yield -1, sum(ACES << cell_at(n + 1, 0) for n, value in enumerate(values) if value)


def _runs(shapes: Shapes, jokers: int) -> Iterator[Candidate]:
    first, last = (0 if shapes.ace_low else 1), TOP_NUMBER - 1 + shapes.ace_high
    for length in range(shapes.run_min, shapes.run_max + 1):
        for fill in _fills(length, jokers):
            if not _run_fits(shapes, fill) or _can_be_cut(shapes, fill):
                continue
            for low in range(first, last - length + 2):
                places = range(low, low + length)
                worths = [shapes.value(p % TOP_NUMBER + 1, HIGH if p == TOP_NUMBER else LOW) for p in places]
                for colour in range(COLOURS):
                    yield _candidate(shapes, [(colour, p % TOP_NUMBER) for p in places], fill, worths, is_run=True)


def _fills(length: int, jokers: int) -> Iterator[tuple[int, ...]]:
    for count in range(min(jokers, length - 1) + 1):
        for at in combinations(range(length), count):
            yield tuple(FREE if i in at else PLAIN for i in range(length))


def _run_fits(shapes: Shapes, fill: tuple[int, ...]) -> bool:
    return len(fill) >= shapes.run_min and shapes.jokers_fit(fill.count(FREE), fill.count(PLAIN))


def _can_be_cut(shapes: Shapes, fill: tuple[int, ...]) -> bool:
    cuts = range(shapes.run_min, len(fill) - shapes.run_min + 1)
    return any(
        _run_fits(shapes, fill[:cut]) and _run_fits(shapes, fill[cut:]) and PLAIN in fill[:cut] and PLAIN in fill[cut:]
        for cut in cuts
    )


def _sets(shapes: Shapes, jokers: int) -> Iterator[Candidate]:
    for size in shapes.set_sizes:
        for fill in _fills(size, jokers):
            if not shapes.jokers_fit(fill.count(FREE), fill.count(PLAIN)):
                continue
            for number in range(TOP_NUMBER):
                worths = [shapes.value(number + 1, SET)] * size
                for colours in combinations(range(COLOURS), size):
                    yield _candidate(shapes, [(c, number) for c in colours], fill, worths, is_run=False)


def _candidate(
    shapes: Shapes, places: list[tuple[int, int]], fill: tuple[int, ...], worths: list[int], *, is_run: bool
) -> Candidate:
    mask = by_jokers = worth = 0
    for (colour, number), how, points in zip(places, fill, worths, strict=True):
        if how == PLAIN:
            mask |= 1 << cell_at(number + 1, colour)
            worth += points * POINT - 1
        else:
            by_jokers += (points if shapes.joker_value is None else shapes.joker_value) * POINT - 1
    cells = tuple(cell_at(number + 1, colour) for colour, number in places)
    return Candidate(mask, worth + by_jokers, fill.count(FREE), by_jokers, Placed(is_run, cells, fill))


def search(shapes: Shapes, heap: Heap, demand: Demand) -> Found | None:
    """The packing of most worth that does what is demanded.

    The heap holds at most two of a cell and no declared jokers; runs do not go round the corner.
    """
    if not heap.free and not (heap.tiles and _active(heap.tiles[0])):
        return None
    return _Search(table_of(shapes, heap.free), heap, demand).solve()


IMPOSSIBLE = -LOST // 2
"""No packing is worth so little; what is left when the demand cannot be met."""

FEW = 12
"""Up to so many tiles that matter, without jokers, one look at everything is quickest."""

MANY = 30
"""From so many tiles on, the floor is lowered by small steps: one step too far costs more than all the others."""


class _Search:
    """One heap's search. What is left is two masks: cells held at least once, and cells held twice.

    Floors: only a worth above the floor is wanted, so what cannot rise above it is not looked into. The search starts
    with a floor just below what all tiles together would be worth, and lowers it until something is found: in a rack
    where nearly all can be laid, very little is then worth looking into.
    """

    def __init__(self, table: Table, heap: Heap, demand: Demand) -> None:
        self._table = table
        self._jokers = heap.free
        self._once, self._twice = (*heap.tiles, 0, 0)[:2]
        self._want = demand.run * RUN + (demand.owed is not None) * OWED + demand.joker * JOKER
        self._aces, self._least = demand.aces, max(demand.worth, IMPOSSIBLE + 1)
        self._owed = 1 << demand.owed[0] if demand.owed else 0
        count = self._once.bit_count() + self._twice.bit_count() + self._jokers
        self._stay = max(0, count - demand.most)
        self._many = count > MANY
        as_in_table = not self._jokers and self._want in {0, RUN} and not self._aces
        self._by_lowest = table.by_lowest if as_in_table else self._usable()
        self._gain = self._gains() if heap.free else {}
        self._exact: dict[Key, tuple[int, Candidate | None]] = {}
        self._at_most: dict[Key, int] = {}

    def _usable(self) -> ByLowest:
        """The candidates that this heap can make, with what they meet of the demand."""
        usable: ByLowest = {}
        outside = ~self._once
        for used in self._table.by_jokers:
            for candidate in [candidate for candidate in used if not candidate.mask & outside]:
                meets = self._meets(candidate) if self._want else 0
                usable.setdefault(candidate.mask & -candidate.mask, []).append((candidate, meets))
        return usable

    def _meets(self, candidate: Candidate) -> int:
        run = candidate.placed.is_run or (self._aces and candidate.placed.cells[0] < COLOURS)
        return run * RUN + bool(candidate.mask & self._owed) * OWED + bool(candidate.jokers) * JOKER

    def _gains(self) -> dict[int, int]:
        """For each lowest tile left, what one joker can be worth at most."""
        gains, best = {}, 0
        for cell in reversed(range(CELLS)):
            low = 1 << cell
            for candidate, _ in self._by_lowest.get(low, ()):
                if candidate.jokers:
                    best = max(best, -(-candidate.by_jokers // candidate.jokers))
            gains[low] = best
        return gains

    def solve(self) -> Found | None:
        """The packing of most worth that does what is demanded; None when there is none."""
        once, twice = self._once, self._twice
        all_tiles = self._total(once, twice)
        low = once & -once
        most = all_tiles + self._jokers * self._gain.get(low, 0)
        step, growth = POINT, 1 if self._many else 2
        if not self._jokers and _active(once).bit_count() <= FEW:
            step = most - self._least + 1
        while True:
            floor = max(most - step, self._least - 1)
            most = self._best(once, twice, self._jokers, self._stay, self._want, all_tiles, floor)
            if most > floor:
                return Found(most, self._trace())
            if most < self._least:
                return None
            step *= growth

    def _best(  # noqa: C901, PLR0912, PLR0913, PLR0917 - all the time is spent here; calls would double it
        self, once: int, twice: int, jokers: int, stay: int, want: int, total: int, floor: int
    ) -> int:
        """The best worth when it is above the floor; else what it cannot rise above, which is not above the floor.

        Args:
            once: cells left at least once.
            twice: cells left twice.
            jokers: those left.
            stay: so many must not be laid.
            want: what is still wanted.
            total: what the tiles left are worth.
            floor: only more than this matters.
        """
        if not jokers:
            idle = once & ~_active(once)
            if idle:
                total -= self._total(idle, twice & idle)
                if stay:
                    stay = max(0, stay - idle.bit_count() - (twice & idle).bit_count())
                once ^= idle
                twice &= ~idle
        if not once:
            return -LOST if want or stay > jokers else 0
        low = once & -once
        gain = self._gain[low] if jokers else 0
        limit = total + jokers * gain
        if limit <= floor:
            return limit
        key = (once, twice, jokers, stay, want)
        exact = self._exact.get(key)
        if exact is not None:
            return exact[0]
        limit_known = self._at_most.get(key, limit)
        if limit_known <= floor:
            return limit_known
        best, chosen, short = floor, None, -LOST
        for candidate, meets in self._by_lowest.get(low, ()):
            mask, worth, used, by_jokers, _ = candidate
            if mask & ~once or used > jokers:
                continue
            reach = limit - used * gain + by_jokers
            if reach > best:
                less = once & ~mask | twice & mask, twice & ~mask
                rest = total - worth + by_jokers
                reach = worth + self._best(*less, jokers - used, stay, want & ~meets, rest, best - worth)
                if reach > best:
                    best, chosen = reach, candidate
            short = max(short, reach)
        less = (once, twice ^ low) if twice & low else (once ^ low, twice)
        reach = self._best(*less, jokers, stay and stay - 1, want, total - self._total(low, 0), best)
        if reach > best:
            best, chosen = reach, None
        if best > floor:
            self._exact[key] = best, chosen
            return best
        short = self._at_most[key] = max(short, reach)
        return short

    def _trace(self) -> tuple[Placed, ...]:
        """The formations behind the answer."""
        once, twice, jokers, stay, want = self._once, self._twice, self._jokers, self._stay, self._want
        placed: list[Placed] = []
        while True:
            if not jokers:
                idle = once & ~_active(once)
                if stay:
                    stay = max(0, stay - idle.bit_count() - (twice & idle).bit_count())
                once ^= idle
                twice &= ~idle
            if not once:
                return tuple(placed)
            _, candidate = self._exact[once, twice, jokers, stay, want]
            if candidate is None:
                mask = once & -once
                stay = stay and stay - 1
            else:
                mask = candidate.mask
                jokers -= candidate.jokers
                want &= ~self._meets(candidate)
                placed.append(candidate.placed)
            once, twice = once & ~mask | twice & mask, twice & ~mask

    def _total(self, once: int, twice: int) -> int:
        """What the tiles are worth together."""
        total = 0
        for weight, cells in self._table.weights:
            total += weight * ((once & cells).bit_count() + (twice & cells).bit_count())
        return total


def _active(once: int) -> int:
    """The cells that three in a row or three of a number pass through; 0 when there are none. Aces also as high."""
    row = once | (once & ACES) << CELLS
    runs = row & row >> 4 & row >> 8
    pairs = (once & 0x5555555555555) + (once >> 1 & 0x5555555555555)
    counts = (pairs & 0x3333333333333) + (pairs >> 2 & 0x3333333333333)
    sets = counts + 0x5555555555555 & 0x8888888888888  # the top bit of each four where the count is 3 or 4
    if not runs and not sets:
        return 0
    sets |= sets >> 1
    active = runs | runs << 4 | runs << 8 | sets | sets >> 2
    return active | active >> CELLS
