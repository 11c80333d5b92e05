"""Prices: what a tile or a joker is worth to the runs and to the sets that both want it.

With a price on every piece, the colours and the numbers no longer compete: each takes what pays, and together they
cannot make less than the best packing does. Prices at which hardly anything is wanted twice or left over bring that
bound close to the best packing (a Lagrangian relaxation, lowered one price at a time). What no packing near the bound
can hold is left out, and what remains is small: the rounds that follow cost little.
"""

from __future__ import annotations

from operator import mul
from typing import TYPE_CHECKING

from remi_ref.solver.chain import without_jokers
from remi_ref.solver.heap import CELLS, COLOURS, LOST, POINT
from remi_ref.solver.settling import settled
from remi_ref.tiles import TOP_NUMBER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remi_ref.solver.chain import Chain, Edge, Edges
    from remi_ref.solver.sets import Choice

ROUNDS_WITHOUT, ROUNDS_WITH, ROUNDS_NARROWED = 4, 2, (2, 3)
"""Rounds with jokers left out, which cost little; with all; with what is near the bound, and when that is less."""

FIRST_JOKER_PRICE, FIRST_CHANGE = 24 * POINT, 5 * POINT
LESS, MORE = 4, 5

_Into = tuple[int, int, int, list[tuple[int, int, int]]]
"""Edges that lead to one config and take the same: that config, the plain and declared pieces taken, and for each edge
the config it goes out from, its gain and its free jokers."""

_Made = tuple[int, int, int, int]
"""A config reached, the plain and declared pieces taken on the last step, and the most made so, these not yet paid."""

Values = dict[int, int]
"""By config: the most that a colour can still make from there, less the price of what it takes."""


class Prices:
    """Prices for one heap, and what they leave to be gained.

    Attributes:
        plain: of a tile, by cell; likewise `declared` of a declared joker, `free` of a free one.
        starts: configs before the 1, for each colour; `edges`, for each colour and place, and `choices`, the sets of
            each number: what has not been left out.
        ahead: for each colour and place, what its runs can still make; one more place than there are.
        best_sets: for each number, what its sets can make.
        least: the lowest price of a piece, where some must stay: those lose so much each, whichever they are.
        bound: no packing is worth more.
    """

    def __init__(
        self,
        chains: Sequence[Chain],
        choices: Sequence[Sequence[tuple[int, Choice]]],
        held: tuple[Sequence[int], Sequence[int], int],
        stay: int,
    ) -> None:
        self._chains, self._all_choices = chains, choices
        self._change = FIRST_CHANGE
        self._tiles, self._declared, self._jokers = held
        self._stay, self._floor = stay, -LOST
        self.plain, self.declared = [0] * CELLS, [0] * CELLS
        self.free = FIRST_JOKER_PRICE if self._jokers else 0
        self.starts = [chain.starts for chain in chains]
        self.edges = [without_jokers(chain.edges, chain.starts) for chain in chains]
        self.choices: list[Sequence[tuple[int, Choice]]]
        self.choices = [[option for option in options if not option[1].free] for options in choices]
        self._regroup()
        self._look_ahead()
        for _ in range(ROUNDS_WITHOUT):
            self._lower()
            self._look_ahead()
        if self._jokers:
            self._take_all()
            self._settle(ROUNDS_WITH)
        self._sum_up()

    def _take_all(self) -> None:
        self.starts, self.edges = [chain.starts for chain in self._chains], [chain.edges for chain in self._chains]
        self.choices = list(self._all_choices)
        self._look_ahead()

    def narrow(self, floor: int) -> bool:
        """Leaves out what no packing worth at least the floor can hold, and lowers the bound.

        Returns:
            Whether there may be such a packing; if not, all is as it was, with nothing left out.
        """
        if floor < self._floor:
            self._widen()
        prices = self.plain.copy(), self.declared.copy(), self.free
        for rounds in ROUNDS_NARROWED:
            if self.bound < floor:
                break
            self._leave_out(self.bound - floor)
            self._settle(rounds)
            self._sum_up()
        if self.bound >= floor:
            self._floor = floor
            return True
        self.plain, self.declared, self.free = prices
        self._widen()
        return False

    def _widen(self) -> None:
        """Takes everything back in that was left out."""
        self._take_all()
        self._sum_up()
        self._floor = -LOST

    def _leave_out(self, allowed: int) -> None:
        """What can still be made stays as it was: the best way on from a config that is kept is kept, too."""
        for place, best in enumerate(self.best_sets):
            nets = self.net_sets(place)
            self.choices[place] = [
                option for net, option in zip(nets, self.choices[place], strict=True) if best - net <= allowed
            ]
        for colour in range(COLOURS):
            self._leave_out_runs(colour, allowed)

    def _leave_out_runs(self, colour: int, allowed: int) -> None:
        ahead, every = self.ahead[colour], self.edges[colour]
        best = max(map(ahead[0].__getitem__, self.starts[colour]))
        lost = {config: best - ahead[0][config] for config in self.starts[colour]}
        self.starts[colour] = [config for config, loss in lost.items() if loss <= allowed]
        narrowed: list[Edges | None] = []
        for place, edges in enumerate(every):
            if edges is None:
                narrowed.append(None)
                continue
            can, after = ahead[place], ahead[place + 1]
            kept: Edges = {}
            reached: Values = {}
            for config, loss in lost.items():
                if loss > allowed:
                    continue
                kept[config] = found = []
                for edge in edges[config]:
                    in_all = loss + can[config] - self.net(edge, place, colour) - after[edge.to]
                    if in_all <= allowed:
                        found.append(edge)
                        reached[edge.to] = min(in_all, reached.get(edge.to, LOST))
            narrowed.append(kept)
            lost = reached
        self.edges[colour] = narrowed

    def _settle(self, rounds: int) -> None:
        self._regroup()
        for _ in range(rounds):
            if self._jokers:
                self._reprice_jokers(self._runs_want() + self._lower())
            else:
                self._lower()
            self._look_ahead()

    def _reprice_jokers(self, wanted: int) -> None:
        if wanted != self._jokers:
            self.free = max(0, self.free + (self._change if wanted > self._jokers else -self._change))
        self._change = self._change * LESS // MORE

    def _sum_up(self) -> None:
        self.best_sets = [max(self.net_sets(place)) for place in range(TOP_NUMBER)]
        self.least = self._least_price() if self._stay else 0
        self.bound = sum(self.best_sets) + self._jokers * self.free - self._stay * self.least
        self.bound += sum(price * count for price, count in zip(self.plain, self._tiles, strict=True))
        self.bound += sum(price * count for price, count in zip(self.declared, self._declared, strict=True))
        self.bound += sum(
            max(map(values[0].__getitem__, starts)) for starts, values in zip(self.starts, self.ahead, strict=True)
        )

    def _least_price(self) -> int:
        pairs = (*zip(self.plain, self._tiles, strict=True), *zip(self.declared, self._declared, strict=True))
        return min([price for price, count in (*pairs, (self.free, self._jokers)) if count], default=0)

    def net(self, edge: Edge, place: int, colour: int) -> int:
        """What an edge gains, less the price of what it takes."""
        cell = COLOURS * (place % TOP_NUMBER) + colour
        taken = edge.plain * self.plain[cell] + edge.declared * self.declared[cell] + edge.free * self.free
        return edge.gain - taken

    def net_sets(self, place: int) -> list[int]:
        """For each choice of sets at a place, what they gain, less the price of what they take."""
        cells = slice(COLOURS * place, COLOURS * (place + 1))
        (a, b, c, d), free = self.plain[cells], self.free
        nets = [
            worth - tiles[0] * a - tiles[1] * b - tiles[2] * c - tiles[3] * d - jokers * free
            for worth, (tiles, _, jokers, _) in self.choices[place]
        ]
        if any(self._declared[cells]):
            for index, (_, choice) in enumerate(self.choices[place]):
                nets[index] -= sum(map(mul, choice.declared, self.declared[cells]))
        return nets

    def _regroup(self) -> None:
        self._into = [[None if edges is None else _by_target(edges) for edges in row] for row in self.edges]
        self._taken = [list(zip(*(choice.tiles for _, choice in options), strict=True)) for options in self.choices]

    def _look_ahead(self) -> None:
        self.ahead = [self._ahead_of(colour) for colour in range(COLOURS)]

    def _ahead_of(self, colour: int) -> list[Values]:
        """For each place, what each config can still make."""
        live = [edges for edges in self.edges[colour] if edges is not None]
        last = {edge.to for found in live[-1].values() for edge in found} if live else self.starts[colour]
        behind: list[Values] = [dict.fromkeys(last, 0)]
        for place in reversed(range(len(self.edges[colour]))):
            edges, values = self.edges[colour][place], behind[-1]
            if edges is not None:
                cell = COLOURS * (place % TOP_NUMBER) + colour
                plain, declared, free = self.plain[cell], self.declared[cell], self.free
                values = {
                    config: max(
                        [values[to] + gain - p * plain - d * declared - f * free for to, gain, p, d, f, _ in found]
                    )
                    for config, found in edges.items()
                }
            behind.append(values)
        return behind[::-1]

    def _lower(self) -> int:
        """Goes from the 1 to the 13 and gives each piece the price at which what is wanted is what is there.

        Returns:
            Free jokers that the sets wanted on the way.
        """
        behind = [dict.fromkeys(starts, 0) for starts in self.starts]
        wanted = 0
        for place in range(TOP_NUMBER):
            nets = self.net_sets(place)
            wanted += self.choices[place][nets.index(max(nets))][1].free
            for colour in range(COLOURS):
                into = self._into[colour][place]
                if into is None:
                    self._reprice(place, colour, nets, [])
                    continue
                before, price = behind[colour], self.free
                made = [
                    (to, plain, declared, max([before[config] + gain - free * price for config, gain, free in sources]))
                    for to, plain, declared, sources in into
                ]
                self._reprice(place, colour, nets, made)
                behind[colour] = self._after(made, COLOURS * place + colour)
        return wanted

    def _after(self, made: list[_Made], cell: int) -> Values:
        """What each config has made, all prices paid."""
        after: Values = {}
        plain_price, declared_price = self.plain[cell], self.declared[cell]
        for to, plain, declared, most in made:
            worth = most - plain * plain_price - declared * declared_price
            if worth > after.get(to, -LOST):
                after[to] = worth
        return after

    def _reprice(self, place: int, colour: int, nets: list[int], made: list[_Made]) -> None:
        """Sets the prices of one cell; the worths of the sets are kept up to date."""
        cell, ahead = COLOURS * place + colour, self.ahead[colour][place + 1]
        if self._tiles[cell]:
            bound = self.declared[cell]
            wanted = [(plain, most + ahead[to] - declared * bound) for to, plain, declared, most in made]
            self.plain[cell] = settled(self.plain[cell], self._tiles[cell], wanted, nets, self._taken[place][colour])
        if self._declared[cell]:
            price = self.plain[cell]
            wanted = [(declared, most + ahead[to] - plain * price) for to, plain, declared, most in made]
            counts = [choice.declared[colour] for _, choice in self.choices[place]]
            self.declared[cell] = settled(self.declared[cell], self._declared[cell], wanted, nets, counts)

    def _runs_want(self) -> int:
        """Free jokers that the runs take at these prices."""
        wanted = 0
        for colour, ahead in enumerate(self.ahead):
            config = max(self.starts[colour], key=ahead[0].__getitem__)
            for place, edges in enumerate(self.edges[colour]):
                if edges is not None:
                    after = ahead[place + 1]
                    can = ahead[place][config]
                    edge = next(e for e in edges[config] if self.net(e, place, colour) + after[e.to] == can)
                    wanted += edge.free
                    config = edge.to
        return wanted


def _by_target(edges: Edges) -> list[_Into]:
    """Edges by where they lead and what they take."""
    into: dict[tuple[int, int, int], list[tuple[int, int, int]]] = {}
    for config, found in edges.items():
        for to, gain, plain, declared, free, _ in found:
            into.setdefault((to, plain, declared), []).append((config, gain, free))
    return [(*key, sources) for key, sources in into.items()]
