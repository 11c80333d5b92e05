"""The best packing of a heap: which search to ask."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from remi_ref.solver.candidates import table_of
from remi_ref.solver.depth import TooManyError, search
from remi_ref.solver.few import choose, makeable
from remi_ref.solver.sweep import sweep

if TYPE_CHECKING:
    from remi_ref.solver.heap import Demand, Found, Heap
    from remi_ref.solver.shapes import Shapes

_FEW_JOKERS = 2
_COPIES = 2
FEW_TILES = 32
FEW_FORMATIONS = 10


def pack(shapes: Shapes, heap: Heap, demand: Demand) -> Found | None:
    """The formations worth most; None when none do what is demanded."""
    usual = not shapes.wrap and not heap.declared and len(heap.tiles) <= _COPIES and heap.free <= _FEW_JOKERS
    if usual and not heap.free and heap.tiles:
        formations = makeable(table_of(shapes, 0), heap.tiles[0])
        if len(formations) <= FEW_FORMATIONS:
            return choose(formations, heap, demand)
    if usual and sum(level.bit_count() for level in heap.tiles) <= FEW_TILES:
        with suppress(TooManyError):
            return search(shapes, heap, demand)
    return sweep(shapes, heap, demand)
