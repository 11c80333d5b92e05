"""The best packing of a heap: which search to ask."""

from __future__ import annotations

import gc
from contextlib import contextmanager, suppress
from itertools import count
from typing import TYPE_CHECKING

from remi_ref.solver.candidates import table_of
from remi_ref.solver.depth import Depth
from remi_ref.solver.few import choose, makeable
from remi_ref.solver.heap import TooManyError
from remi_ref.solver.sweep import Sweep

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remi_ref.solver.heap import Demand, Found, Heap
    from remi_ref.solver.shapes import Shapes

_FEW_JOKERS = 2
_COPIES = 2
FEW_FORMATIONS = 14
FEW_TILES = 32
HEAPS, STATES, LONGER = 250, 3_000, 16
"""What the search by tiles and the sweep may look at in their first turns, and how much longer each next turn is."""


def pack(shapes: Shapes, heap: Heap, demand: Demand) -> Found | None:
    """The formations worth most; None when none do what is demanded."""
    usual = not shapes.wrap and not heap.declared and len(heap.tiles) <= _COPIES and heap.free <= _FEW_JOKERS
    if usual and heap.tiles:
        formations = makeable(table_of(shapes, heap.free), heap.tiles[0], heap.free)
        without_jokers = [formation.jokers for formation in formations].count(0)
        if without_jokers <= FEW_FORMATIONS:
            return choose(formations, heap, demand)
    with _no_garbage_sought():
        return _by_turns(shapes, heap, demand) if usual else Sweep(shapes, heap, demand).solve()


@contextmanager
def _no_garbage_sought() -> Iterator[None]:
    """A search leaves no circles of garbage; looking for some among all it remembers could double its time."""
    sought = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if sought:
            gc.enable()


def _by_turns(shapes: Shapes, heap: Heap, demand: Demand) -> Found | None:
    """Each search is quick where the other one explodes, so they take turns; by tiles, a few of them take one turn."""
    depth, sweep = Depth(shapes, heap, demand), None
    few = sum(level.bit_count() for level in heap.tiles) <= FEW_TILES
    for turn in count(1 if few else 0):
        with suppress(TooManyError):
            return depth.solve(HEAPS * LONGER**turn)
        sweep = sweep or Sweep(shapes, heap, demand)
        with suppress(TooManyError):
            return sweep.solve(STATES * LONGER**turn)
    raise AssertionError
