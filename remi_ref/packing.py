"""The search: which disjoint runs and sets of a heap of tiles are worth most."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from typing import TYPE_CHECKING, NamedTuple

from remi_ref.tiles import TOP_NUMBER

if TYPE_CHECKING:
    from collections.abc import Iterator

COLOURS = 4
CELLS = COLOURS * TOP_NUMBER
PLAIN, DECLARED, FREE = range(3)


class Shapes(NamedTuple):
    """What the rules say about runs and sets, as plain numbers; equal rules share one entry of every cache."""

    run_min: int
    run_max: int
    set_sizes: tuple[int, ...]
    ace_low: bool
    ace_high: bool
    both_aces: bool
    wrap: bool
    most_jokers: int | None
    min_naturals: int
    naturals_per_joker: int
    low_value: int | None
    high_value: int | None
    ace_values: tuple[int, int, int]
    joker_value: int | None

    def value(self, number: int, place: int) -> int:
        """Points of a number; place 0 is in a set, 1 low or inside a run, 2 above the 13."""
        if number == 1:
            return self.ace_values[place]
        value = self.low_value if number < 10 else self.high_value
        return number if value is None else value

    def jokers_fit(self, jokers: int, naturals: int) -> bool:
        """Whether a formation may hold that many of each."""
        if not jokers:
            return True
        if self.most_jokers is not None and jokers > self.most_jokers:
            return False
        return naturals >= self.min_naturals and naturals >= self.naturals_per_joker * jokers


class Placed(NamedTuple):
    """A formation as cells (13 for each colour) with what fills each: 0 the tile, 1 a declared joker, 2 a free one."""

    is_run: bool
    cells: tuple[int, ...]
    fill: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Heap:
    """What may be laid: tiles and declared jokers by cell, and the number of free jokers."""

    tiles: tuple[int, ...]
    declared: tuple[int, ...]
    free: int


class Demand(NamedTuple):
    """What a packing must do: lay at most so many, hold a run, hold a set of aces instead, lay one of a cell's tiles."""

    most: int
    run: bool = False
    aces_will_do: bool = False
    cell: int | None = None
    joker: bool = False


def pack(shapes: Shapes, heap: Heap, demand: Demand) -> tuple[int, list[Placed]] | None:
    """The most points and formations that make them; None when the demand cannot be met."""
    melds = list(_melds(shapes, heap))
    by_first: dict[int, list[tuple[Placed, int, bool]]] = {}

    @lru_cache(maxsize=None)
    def best(index: int, tiles: tuple[int, ...], declared: tuple[int, ...], free: int, laid: int, flags: int):
        out = None
        if flags == 0:
            out = (0, 0, ())
        for i in range(index, len(melds)):
            placed, value = melds[i]
            t, d, f = list(tiles), list(declared), free
            n = laid + len(placed.cells)
            if n > demand.most:
                continue
            fl = flags & ~8
            if placed.is_run or (demand.aces_will_do and placed.cells[0] % 13 == 0):
                fl &= ~1
            for c, how in zip(placed.cells, placed.fill):
                if how == 0:
                    t[c] -= 1
                    if c == demand.cell:
                        fl &= ~2
                elif how == 1:
                    d[c] -= 1
                    fl &= ~4
                else:
                    f -= 1
                    fl &= ~4
            if f < 0 or min(t) < 0 or min(d) < 0:
                continue
            rest = best(i, tuple(t), tuple(d), f, n, fl)
            if rest is not None:
                cand = (value + rest[0], rest[1] - len(placed.cells), (placed, *rest[2]))
                if out is None or cand[:2] > out[:2]:
                    out = cand
        return out

    flags = 8 | demand.run | (demand.cell is not None) << 1 | demand.joker << 2
    found = best(0, heap.tiles, heap.declared, heap.free, 0, flags)
    return None if found is None else (found[0], list(found[2]))


def _windows(shapes: Shapes) -> Iterator[tuple[int, ...]]:
    for length in range(shapes.run_min, shapes.run_max + 1):
        for start in range(1, 14):
            end = start + length - 1
            if length == 14 and start > 1:
                continue
            if not shapes.wrap:
                if end > (14 if shapes.ace_high else 13) or (start == 1 and not shapes.ace_low):
                    continue
                if start == 1 and end == 14 and not shapes.both_aces:
                    continue
            yield tuple((n - 1) % 13 for n in range(start, end + 1))


def _melds(shapes: Shapes, heap: Heap) -> Iterator[tuple[Placed, int]]:
    for colour in range(4):
        for window in _windows(shapes):
            yield from _filled(shapes, heap, True, tuple(colour * 13 + n for n in window))
    for size in shapes.set_sizes:
        for n in range(13):
            for colours in combinations(range(4), size):
                yield from _filled(shapes, heap, False, tuple(c * 13 + n for c in colours))


def _filled(shapes: Shapes, heap: Heap, is_run: bool, cells: tuple[int, ...]) -> Iterator[tuple[Placed, int]]:
    missing = sum(not heap.tiles[c] and not heap.declared[c] for c in cells)
    if missing > heap.free:
        return
    options = [[h for h, n in enumerate((heap.tiles[c], heap.declared[c], heap.free)) if n] for c in cells]
    for fill in product(*options):
        jokers = sum(h > 0 for h in fill)
        if fill.count(2) <= heap.free and shapes.jokers_fit(jokers, len(cells) - jokers):
            value = 0
            for i, c in enumerate(cells):
                place = 0 if not is_run else 2 if i and cells[i - 1] % 13 == 12 else 1
                v = shapes.value(c % 13 + 1, place)
                value += shapes.joker_value if fill[i] and shapes.joker_value is not None else v
            yield Placed(is_run, cells, fill), value
