"""The search for racks as they are held: depth first, the heap as bits, the lowest tile decided first."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from remi_ref.heap import COLOURS, FREE, PLAIN, POINT, Found, Placed
from remi_ref.shapes import HIGH, LOW, SET
from remi_ref.tiles import TOP_NUMBER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remi_ref.heap import Demand, Heap
    from remi_ref.shapes import Shapes

ACES = 0b1111
ALL_CELLS = COLOURS * TOP_NUMBER


class Candidate(NamedTuple):
    """A formation by the plain tiles in it, bit ``4 * (number - 1) + colour``; jokers where they are worth most."""

    mask: int
    worth: int
    jokers: int
    by_jokers: int
    placed: Placed


class Table(NamedTuple):
    """Everything that a few jokers can make under some rules, by jokers used, each list the best first."""

    by_jokers: tuple[tuple[Candidate, ...], ...]
    by_lowest: dict[int, tuple[Candidate, ...]]
    best_joker: int
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
    by_lowest: dict[int, list[Candidate]] = {}
    for candidate in ranked:
        if not candidate.jokers:
            by_lowest.setdefault(candidate.mask & -candidate.mask, []).append(candidate)
    values = [max(shapes.value(n, place) for place in (SET, LOW, HIGH)) for n in range(1, TOP_NUMBER + 1)]
    joker = max(values) if shapes.joker_value is None else shapes.joker_value
    return Table(
        tuple(tuple(c for c in ranked if c.jokers == n) for n in range(jokers + 1)),
        {low: tuple(found) for low, found in by_lowest.items()},
        joker * POINT - 1,
        tuple(_weights(values)),
    )


def _weights(values: list[int]) -> Iterator[tuple[int, int]]:
    """The worth of tiles in binary: a weight, and the cells whose worth has it."""
    for power in range(max(values).bit_length()):
        cells = sum(ACES << COLOURS * n for n, value in enumerate(values) if value >> power & 1)
        if cells:
            yield POINT << power, cells
    yield -1, (1 << ALL_CELLS) - 1


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
            mask |= 1 << (COLOURS * number + colour)
            worth += points * POINT - 1
        else:
            by_jokers += (points if shapes.joker_value is None else shapes.joker_value) * POINT - 1
    cells = tuple(COLOURS * number + colour for colour, number in places)
    return Candidate(mask, worth + by_jokers, fill.count(FREE), by_jokers, Placed(is_run, cells, fill))


def search(shapes: Shapes, heap: Heap, demand: Demand, floor: int) -> Found | None:
    """The packing of most worth that does what is demanded; None when that is not above the floor.

    The heap holds at most two of a cell and no declared jokers; runs do not go round the corner.
    """
    once, twice = (*heap.tiles, 0, 0)[:2]
    return _Search(table_of(shapes, heap.free), once, twice, heap.free).solve(demand, floor)


Chosen = tuple["Candidate", ...]


class _Search:
    """One heap's search, the heap as two masks: cells held at least once, and cells held twice.

    Floors: only a worth above the floor is wanted, so whatever cannot rise above it is not looked into.
    """

    def __init__(self, table: Table, once: int, twice: int, jokers: int) -> None:
        self._table = table
        self._once, self._twice, self._jokers = once, twice, jokers
        self._lists = [[c for c in table.by_jokers[n] if n and not c.mask & ~once] for n in range(jokers + 1)]
        self._exact: dict[tuple[int, int], tuple[int, Candidate | None]] = {}
        self._at_most: dict[tuple[int, int], int] = {}
        self._most: list[int] = []

    def solve(self, demand: Demand, floor: int) -> Found | None:
        """The packing of most worth that does what is demanded, above the floor."""
        once, twice, worth = self._once, self._twice, 0
        total = self._total(once, twice)
        chosen: Chosen = ()
        for jokers in range(self._jokers + 1):
            self._most.append(0)
            worth, chosen = self._best(once, twice, jokers, worth - 1, total, jokers, 0)
            self._most[jokers] = worth
        if worth <= floor:
            return None
        found = Found(worth, tuple(candidate.placed for candidate in chosen))
        if demand.met_by_all(found.placed):
            return found
        self._lists[0] = [c for c in self._table.by_jokers[0] if not c.mask & ~once]
        return self._forced(once, twice, self._jokers, demand, floor)

    def _forced(self, once: int, twice: int, jokers: int, demand: Demand, floor: int) -> Found | None:
        """The best packing that holds a formation of each kind that is demanded, trying them one by one."""
        if demand.met:
            worth, chosen = self._best(once, twice, jokers, floor, self._total(once, twice), jokers, 0)
            return Found(worth, tuple(candidate.placed for candidate in chosen)) if worth > floor else None
        best = None
        for used in range(jokers + 1):
            rest = self._most[jokers - used]
            for candidate in self._lists[used]:
                mask, worth, placed = candidate.mask, candidate.worth, candidate.placed
                if worth + rest <= floor:
                    break
                if mask & ~once or not demand.met_by(placed):
                    continue
                less = once & ~mask | twice & mask, twice & ~mask
                found = self._forced(*less, jokers - used, demand.after(placed), floor - worth)
                if found is not None:
                    best = Found(worth + found.worth, (placed, *found.placed))
                    floor = best.worth
        return best

    def _best(  # noqa: PLR0913, PLR0917 - the heap in pieces, for speed
        self, once: int, twice: int, jokers: int, floor: int, total: int, most_used: int, start: int
    ) -> tuple[int, Chosen]:
        """The best worth with up to so many jokers and its formations; not above the floor when there is none.

        Formations with jokers are chosen in one order, those with more jokers first, so that none comes up twice:
        no more than ``most_used`` in one, from ``start`` of the list of these. ``total`` is what all tiles are worth.
        """
        best, chosen = self._plain(once, twice, floor), None
        if best <= floor:
            best = floor
        else:
            chosen = self._plain_choice(once, twice)
        for used in range(min(jokers, most_used), 0, -1):
            rest = self._most[jokers - used]
            limit = total + self._table.best_joker * (jokers - used)
            candidates = self._lists[used]
            for index in range(start if used == most_used else 0, len(candidates)):
                candidate = candidates[index]
                mask, worth = candidate.mask, candidate.worth
                if mask & ~once:
                    continue
                if worth + rest <= best:
                    break
                if limit + candidate.by_jokers <= best:
                    continue
                less = once & ~mask | twice & mask, twice & ~mask
                left = total - worth + candidate.by_jokers
                more, others = self._best(*less, jokers - used, best - worth, left, used, index)
                if worth + more > best:
                    best, chosen = worth + more, (candidate, *others)
        return best, chosen or ()

    def _plain(self, once: int, twice: int, floor: int) -> int:
        """The best worth without jokers when it is above the floor; else something not above the floor."""
        active = _active(once)
        if not active:
            return 0
        once &= active
        twice &= active
        key = (once, twice)
        known = self._exact.get(key)
        if known is not None:
            return known[0]
        limit = self._at_most.get(key)
        if limit is None:
            limit = self._at_most[key] = self._total(once, twice)
        if limit <= floor:
            return limit
        low = once & -once
        best, chosen = floor, None
        for candidate in self._table.by_lowest.get(low, ()):
            mask = candidate.mask
            if not mask & ~once:
                worth = candidate.worth
                worth += self._plain(once & ~mask | twice & mask, twice & ~mask, best - worth)
                if worth > best:
                    best, chosen = worth, candidate
        worth = self._plain(once, twice ^ low, best) if twice & low else self._plain(once ^ low, twice, best)
        if worth > best:
            best, chosen = worth, None
        if best > floor:
            self._exact[key] = best, chosen
        else:
            self._at_most[key] = floor
        return best

    def _plain_choice(self, once: int, twice: int) -> Chosen:
        """The formations behind an exact answer of `_plain`."""
        chosen: list[Candidate] = []
        while active := _active(once):
            once &= active
            twice &= active
            _, candidate = self._exact[once, twice]
            mask = once & -once if candidate is None else candidate.mask
            if candidate is not None:
                chosen.append(candidate)
            once, twice = once & ~mask | twice & mask, twice & ~mask
        return tuple(chosen)

    def _total(self, once: int, twice: int) -> int:
        """What all tiles are worth."""
        return sum(
            weight * ((once & cells).bit_count() + (twice & cells).bit_count()) for weight, cells in self._table.weights
        )


def _active(once: int) -> int:
    """The cells that three in a row or three of a number pass through; 0 when there are none. Aces count as high too."""
    row = once | (once & ACES) << ALL_CELLS
    runs = row & row >> 4 & row >> 8
    pairs = (once & 0x5555555555555) + (once >> 1 & 0x5555555555555)
    counts = (pairs & 0x3333333333333) + (pairs >> 2 & 0x3333333333333)
    sets = counts + 0x5555555555555 & 0x8888888888888  # the top bit of each four where the count is 3 or 4
    if not runs and not sets:
        return 0
    sets |= sets >> 1
    active = runs | runs << 4 | runs << 8 | sets | sets >> 2
    return active | active >> ALL_CELLS
