"""The best packing of a heap: which search to ask, and tiles that must stay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remi_ref.depth import search
from remi_ref.heap import LOST, without_one
from remi_ref.sweep import sweep

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remi_ref.heap import Demand, Found, Heap
    from remi_ref.shapes import Shapes

_FEW_TILES = 26
_FEW_JOKERS = 2
_COPIES = 2


def pack(shapes: Shapes, heap: Heap, demand: Demand, floor: int = -LOST) -> Found | None:
    """The formations worth most; None when none that does what is demanded is worth more than the floor."""
    found = _unlimited(shapes, heap, demand, floor)
    if found is None or found.tiles <= demand.most:
        return found
    best = None
    for smaller in _one_less(heap):
        found = pack(shapes, smaller, demand, floor)
        if found is not None:
            best, floor = found, found.worth
    return best


def _unlimited(shapes: Shapes, heap: Heap, demand: Demand, floor: int) -> Found | None:
    """As `pack`, however many tiles that lays. Depth first for a rack as held, the sweep for all the rest."""
    tiles = sum(level.bit_count() for level in heap.tiles)
    plain = not shapes.wrap and not heap.declared and len(heap.tiles) <= _COPIES
    if plain and tiles <= _FEW_TILES and heap.free <= _FEW_JOKERS:
        return search(shapes, heap, demand, floor)
    found = sweep(shapes, heap, demand)
    return found if found is not None and found.worth > floor else None


def _one_less(heap: Heap) -> Iterator[Heap]:
    """The heap without one of each kind of piece."""
    for cell in range(52):
        tiles, declared = heap.count(cell)
        if tiles:
            yield heap._replace(tiles=without_one(heap.tiles, 1 << cell))
        if declared:
            yield heap._replace(declared=without_one(heap.declared, 1 << cell))
    if heap.free:
        yield heap._replace(free=heap.free - 1)
