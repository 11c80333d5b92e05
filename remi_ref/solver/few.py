"""The search for racks without jokers that can make few formations, as most racks at a table: it chooses among them."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING

from remi_ref.solver.heap import LOST, Found, active_cells, each_bit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remi_ref.solver.candidates import Candidate, Table
    from remi_ref.solver.heap import Demand, Heap, Placed

_WORTH = itemgetter(1)


def makeable(table: Table, once: int) -> list[Candidate]:
    """The formations without jokers that can be made of cells held at least once."""
    outside, by_lowest = ~once, table.by_lowest
    return [
        candidate
        for low in each_bit(active_cells(once))
        for candidate in by_lowest.get(low, ())
        if not candidate[0] & outside
    ]


def choose(formations: Sequence[Candidate], heap: Heap, demand: Demand) -> Found | None:
    """Those of the formations that are worth most together and do what is demanded; None when none do.

    The heap holds at most two of a cell, and no jokers.
    """
    if demand.joker:
        return None
    return _Choice(formations, heap, demand).best()


class _Choice:
    """Formations in falling worth; each is taken or left, while those that follow could still do better."""

    def __init__(self, formations: Sequence[Candidate], heap: Heap, demand: Demand) -> None:
        self._once, self._twice = (*heap.tiles, 0, 0)[:2]
        self._ranked = sorted(formations, key=_WORTH, reverse=True)
        self._demand = demand
        self._worth = max(demand.worth, -LOST) - 1
        self._chosen: tuple[Placed, ...] | None = None
        self._after = [0]  # what this formation and all that follow may bring
        for mask, worth, _, _, _ in reversed(self._ranked):
            copies = 1 if mask & ~self._twice else 2
            self._after.append(self._after[-1] + max(0, worth) * copies)
        self._after.reverse()

    def best(self) -> Found | None:
        """The best choice; None when none does what is demanded."""
        demand = self._demand
        self._look(0, self._once, self._twice, demand.most, demand.run, demand.owed, 0, ())
        return None if self._chosen is None else Found(self._worth, self._chosen)

    def _look(  # noqa: PLR0913, PLR0917 - all the time is spent here
        self,
        start: int,
        once: int,
        twice: int,
        room: int,
        run: bool,  # noqa: FBT001
        owed: tuple[int, int] | None,
        worth: int,
        taken: tuple[Placed, ...],
    ) -> None:
        """Keeps what is taken where it is the best so far, and takes more.

        Args:
            start: the first formation that may still be taken.
            once: cells left at least once.
            twice: cells left twice.
            room: so many tiles may still be laid.
            run: whether a run is still wanted.
            owed: the cell that is still to be laid.
            worth: of what is taken.
            taken: formations.
        """
        if worth > self._worth and not run and not owed:
            self._worth, self._chosen = worth, taken
        for index in range(start, len(self._ranked)):
            if worth + self._after[index] <= self._worth:
                return
            mask, gain, _, _, placed = self._ranked[index]
            if mask & ~once or len(placed.cells) > room:
                continue
            self._look(
                index,
                once & ~mask | twice & mask,
                twice & ~mask,
                room - len(placed.cells),
                run and not self._demand.met_by(placed),
                None if owed and mask >> owed[0] & 1 else owed,
                worth + gain,
                (*taken, placed),
            )
