"""The best packing of a heap: which search to ask, and tiles that must stay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remi_ref.solver.depth import search
from remi_ref.solver.heap import CELLS, without_one
from remi_ref.solver.sweep import sweep

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remi_ref.solver.heap import Demand, Found, Heap
    from remi_ref.solver.shapes import Shapes

_FEW_JOKERS = 2
_COPIES = 2


def pack(shapes: Shapes, heap: Heap, demand: Demand) -> Found | None:
    """The formations worth most; None when none do what is demanded."""
    if not shapes.wrap and not heap.declared and len(heap.tiles) <= _COPIES and heap.free <= _FEW_JOKERS:
        return search(shapes, heap, demand)
    found = sweep(shapes, heap, demand)
    if found is None or found.tiles <= demand.most:
        return found
    ways = (pack(shapes, smaller, demand) for smaller in _one_less(heap))
    return max((way for way in ways if way is not None), key=lambda way: way.worth, default=None)


def _one_less(heap: Heap) -> Iterator[Heap]:
    """The heap without one of each kind of piece."""
    for cell in range(CELLS):
        tiles, declared = heap.held(cell)
        if tiles:
            yield heap._replace(tiles=without_one(heap.tiles, 1 << cell))
        if declared:
            yield heap._replace(declared=without_one(heap.declared, 1 << cell))
    if heap.free:
        yield heap._replace(free=heap.free - 1)
