"""The search for racks that can make few formations, as most racks at a table: it chooses among them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remi_ref.solver.candidates import meets, wants
from remi_ref.solver.heap import LOST, Found, active_cells, each_bit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remi_ref.solver.candidates import Candidate, Table
    from remi_ref.solver.heap import Demand, Heap, Placed


def makeable(table: Table, once: int, jokers: int) -> list[Candidate]:
    """The formations that can be made of cells held at least once, and of so many jokers."""
    outside, by_lowest = ~once, table.by_lowest
    return [
        candidate
        for low in each_bit(once if jokers else active_cells(once))
        for candidate in by_lowest.get(low, ())
        if not candidate[0] & outside
    ]


def choose(formations: Sequence[Candidate], heap: Heap, demand: Demand) -> Found | None:
    """Those of the formations that are worth most together and do what is demanded; None when none do.

    The heap holds at most two of a cell, and no declared jokers.
    """
    return _Choice(formations, heap, demand).best()


def _rank(candidate: Candidate) -> tuple[bool, float]:
    """Those without jokers first; each kind in falling worth, for each joker."""
    jokers = candidate[2]
    return (True, -candidate[1] / jokers) if jokers else (False, -candidate[1])


class _Choice:
    """Formations by rank; each is taken or left, while those that follow could still do better."""

    def __init__(self, formations: Sequence[Candidate], heap: Heap, demand: Demand) -> None:
        self._heap, self._demand = heap, demand
        self._ranked = sorted(formations, key=_rank)
        self._worth = max(demand.worth, -LOST) - 1
        self._chosen: tuple[Placed, ...] | None = None
        self._after = self._what_follows_brings()

    def _what_follows_brings(self) -> list[tuple[int, int]]:
        """For each formation, what it and all that follow can bring at most: without jokers, and for each joker."""
        once_only = ~(*self._heap.tiles, 0, 0)[1]
        plain = by_joker = 0
        after = [(0, 0)]
        for mask, worth, jokers, _, _ in reversed(self._ranked):
            if jokers:
                by_joker = max(by_joker, -(-worth // jokers))
            elif worth > 0:
                plain += worth if mask & once_only else 2 * worth
            after.append((plain, by_joker))
        return after[::-1]

    def best(self) -> Found | None:
        """The best choice; None when none does what is demanded."""
        once, twice = (*self._heap.tiles, 0, 0)[:2]
        self._look(0, once, twice, self._heap.free, self._demand.most, wants(self._demand), 0, ())
        return None if self._chosen is None else Found(self._worth, self._chosen)

    def _look(  # noqa: PLR0913, PLR0917 - all the time is spent here
        self,
        start: int,
        once: int,
        twice: int,
        jokers: int,
        room: int,
        want: int,
        worth: int,
        taken: tuple[Placed, ...],
    ) -> None:
        """Keeps what is taken where it is the best so far, and takes more.

        Args:
            start: the first formation that may still be taken.
            once: cells left at least once.
            twice: cells left twice.
            jokers: those left.
            room: so many tiles may still be laid.
            want: what is still wanted.
            worth: of what is taken.
            taken: formations.
        """
        if worth > self._worth and not want:
            self._worth, self._chosen = worth, taken
        for index in range(start, len(self._ranked)):
            plain, by_joker = self._after[index]
            if worth + plain + jokers * by_joker <= self._worth:
                return
            candidate = self._ranked[index]
            mask, gain, used, _, placed = candidate
            if mask & ~once or used > jokers or len(placed.cells) > room:
                continue
            self._look(
                index,
                once & ~mask | twice & mask,
                twice & ~mask,
                jokers - used,
                room - len(placed.cells),
                want and want & ~meets(candidate, self._demand),
                worth + gain,
                (*taken, placed),
            )
