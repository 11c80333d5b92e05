"""The search for racks as they are held: depth first, the heap as bits, the lowest tile decided first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remi_ref.solver.candidates import meets, table_of, wants
from remi_ref.solver.heap import ACES, LOST, POINT, Found, TooManyError, active_cells, each_bit

if TYPE_CHECKING:
    from remi_ref.solver.candidates import Candidate, Table
    from remi_ref.solver.heap import Demand, Heap, Placed
    from remi_ref.solver.shapes import Shapes

IMPOSSIBLE = -LOST // 2
"""No packing is worth so little; what is left when the demand cannot be met."""

FEW = 12
"""Up to so many tiles that matter, without jokers, one look at everything is quickest."""

Usable = tuple[int, int, int, int, int, "Candidate"]
"""A candidate that this heap can make: its mask, worth and jokers; what the jokers bring, tiles that nothing else could
lay among it; what it meets of the demand, as bits; and itself."""

Key = tuple[int, int, int, int, int]
"""What is left: cells held once and twice, jokers, how many must stay, what is wanted."""


class Depth:
    """One heap's search. What is left is two masks: cells held at least once, and cells held twice.

    Floors: only a worth above the floor is wanted, so what cannot rise above it is not looked into. The search starts
    with a floor just below what all tiles together would be worth, and lowers it until something is found: in a rack
    where nearly all can be laid, very little is then worth looking into.

    The heap holds at most two of a cell and no declared jokers; runs do not go round the corner.
    """

    def __init__(self, shapes: Shapes, heap: Heap, demand: Demand) -> None:
        active = active_cells(heap.tiles[0]) if heap.tiles else 0
        table = table_of(shapes, heap.free)
        self._jokers, self._allowed = heap.free, 0
        self._once, self._twice = (*heap.tiles, 0, 0)[:2]
        self._want = wants(demand)
        self._demand = demand
        self._least = max(demand.worth, IMPOSSIBLE + 1)
        count = self._once.bit_count() + self._twice.bit_count() + self._jokers
        self._stay = max(0, count - demand.most)
        self._weights = [(weight, cells & active) for weight, cells in table.weights if cells & active]
        lowest = self._once if heap.free else active
        self._by_lowest = {low: found for low in each_bit(lowest) if (found := self._usable(table, low, active))}
        self._gain = self._gains() if heap.free else {}
        worths = table.worths
        self._worths = {low: worths[low.bit_length() - 1] if low & active else 0 for low in each_bit(self._once)}
        self._cheapest = self._cheapest_from() if self._stay else {}
        self._exact: dict[Key, tuple[int, Candidate | None]] = {}
        self._at_most: dict[Key, int] = {}

    def _usable(self, table: Table, low: int, active: int) -> list[Usable]:
        """The candidates with that lowest tile that this heap can make."""
        outside, idle, usable = ~self._once, ~active, []
        for candidate in [candidate for candidate in table.by_lowest.get(low, ()) if not candidate[0] & outside]:
            mask, worth, jokers, brought, _ = candidate
            if mask & idle or mask & ACES:  # what an ace is worth hangs on its place
                brought = worth - self._total(mask & active, 0)
            met = meets(candidate, self._demand) if self._want else 0
            usable.append((mask, worth, jokers, brought, met, candidate))
        return usable

    def _gains(self) -> dict[int, int]:
        """For each lowest tile left, what one joker can bring at most."""
        gains, best = {}, 0
        for low in reversed([*each_bit(self._once)]):
            for _, _, jokers, brought, _, _ in self._by_lowest.get(low, ()):
                if jokers:
                    best = max(best, -(-brought // jokers))
            gains[low] = best
        return gains

    def _cheapest_from(self) -> dict[int, int]:
        """For each lowest tile left, the worth of the cheapest: what stays costs at least so much."""
        cheapest, least = {}, LOST
        for low in reversed(self._worths):
            least = cheapest[low] = min(least, self._worths[low])
        return cheapest

    def solve(self, allowed: int) -> Found | None:
        """The packing of most worth that does what is demanded; None when there is none.

        Raises:
            TooManyError: more heaps than allowed would have to be looked at; those looked at are remembered.
        """
        self._allowed = allowed
        once, twice = self._once, self._twice
        all_tiles = self._total(once, twice)
        most = all_tiles + self._jokers * self._gain.get(once & -once, 0)
        step = POINT
        if not self._jokers and active_cells(once).bit_count() <= FEW:
            step = most - self._least + 1
        while True:
            floor = max(most - step, self._least - 1)
            most = self._best(once, twice, self._jokers, self._stay, self._want, all_tiles, floor)
            if most > floor:
                return Found(most, self._trace())
            if most < self._least:
                return None
            step *= 2

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
            idle = once & ~active_cells(once)
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
        if stay:  # one that stays is a tile, or a joker that brings nothing
            cheapest = self._cheapest[low]
            limit -= stay * (gain if jokers and gain < cheapest else cheapest)
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
        for mask, worth, used, brought, met, candidate in self._by_lowest.get(low, ()):
            if mask & ~once or used > jokers:
                continue
            reach = limit - used * gain + brought
            if reach > best:
                less = once & ~mask | twice & mask, twice & ~mask
                rest = total - worth + brought
                reach = worth + self._best(*less, jokers - used, stay, want & ~met, rest, best - worth)
                if reach > best:
                    best, chosen = reach, candidate
            short = max(short, reach)
        less = (once, twice ^ low) if twice & low else (once ^ low, twice)
        reach = self._best(*less, jokers, stay and stay - 1, want, total - self._worths[low], best)
        if reach > best:
            best, chosen = reach, None
        if best > floor:
            self._exact[key] = best, chosen
            return best
        short = self._at_most[key] = max(short, reach)
        if len(self._at_most) > self._allowed:
            raise TooManyError
        return short

    def _trace(self) -> tuple[Placed, ...]:
        """The formations behind the answer."""
        once, twice, jokers, stay, want = self._once, self._twice, self._jokers, self._stay, self._want
        placed: list[Placed] = []
        while True:
            if not jokers:
                idle = once & ~active_cells(once)
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
                want &= ~meets(candidate, self._demand)
                placed.append(candidate.placed)
            once, twice = once & ~mask | twice & mask, twice & ~mask

    def _total(self, once: int, twice: int) -> int:
        """What the tiles are worth together, those left out that no formation without jokers can hold."""
        if not once:
            return 0
        total = 0
        for weight, cells in self._weights:
            total += weight * ((once & cells).bit_count() + (twice & cells).bit_count())
        return total
