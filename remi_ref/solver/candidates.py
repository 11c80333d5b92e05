"""Every formation that a few jokers can make under some rules, as bits; made once for a table's rules."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from remi_ref.solver.heap import ACES, COLOURS, FREE, PLAIN, POINT, Placed, cell_at
from remi_ref.solver.shapes import HIGH, LOW, SET
from remi_ref.tiles import TOP_NUMBER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remi_ref.solver.heap import Demand
    from remi_ref.solver.shapes import Shapes

RUN, OWED, JOKER = 1, 2, 4
"""What may be wanted of a packing, as bits."""


class Candidate(NamedTuple):
    """A formation by the plain tiles in it, bit ``4 * (number - 1) + colour``; jokers where they are worth most."""

    mask: int
    worth: int
    jokers: int
    by_jokers: int
    placed: Placed


def wants(demand: Demand) -> int:
    """What is wanted of a packing, as bits."""
    return demand.run * RUN + (demand.owed is not None) * OWED + demand.joker * JOKER


def meets(candidate: Candidate, demand: Demand) -> int:
    """What of it a formation meets, as bits."""
    owed = demand.owed is not None and candidate.mask >> demand.owed[0] & 1
    return demand.met_by(candidate.placed) * RUN + owed * OWED + (candidate.jokers > 0) * JOKER


class Table(NamedTuple):
    """Everything that a few jokers can make under some rules.

    Attributes:
        by_lowest: candidates by their lowest plain tile, those with the fewest jokers first, then the best.
        worths: of the tile of each cell, where it is worth most.
        weights: the same in binary: a weight, and the cells whose worth has it.
    """

    by_lowest: dict[int, tuple[Candidate, ...]]
    worths: tuple[int, ...]
    weights: tuple[tuple[int, int], ...]


@lru_cache(maxsize=32)
def table_of(shapes: Shapes, jokers: int) -> Table:
    """The candidates for up to so many jokers; formations that can be cut in two legal ones are left out."""
    best: dict[tuple[int, int, bool], Candidate] = {}
    for candidate in (*_runs(shapes, jokers), *_sets(shapes, jokers)):
        key = (candidate.mask, candidate.jokers, candidate.placed.is_run)
        if key not in best or best[key].worth < candidate.worth:
            best[key] = candidate
    by_lowest: dict[int, list[Candidate]] = {}
    for candidate in sorted(best.values(), key=lambda c: (c.jokers, -c.worth)):
        by_lowest.setdefault(candidate.mask & -candidate.mask, []).append(candidate)
    values = [max(shapes.value(n, place) for place in (SET, LOW, HIGH)) for n in range(1, TOP_NUMBER + 1)]
    worths = tuple(value * POINT - (value > 0) for value in values for _ in range(COLOURS))
    return Table({low: tuple(found) for low, found in by_lowest.items()}, worths, tuple(_weights(values)))


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
