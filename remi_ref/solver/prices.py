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

ROUNDS_WITHOUT, ROUNDS_WITH, ROUNDS_NARROWED, LAST_ROUNDS = 6, 2, 8, 2
"""Rounds with jokers left out, which cost little; with all; with what a guess leaves; with what is proved needed."""

GUESS = 16 * POINT
"""So far below the first bound little is wanted; what it leaves out is only left out while prices are sought."""

FIRST_JOKER_PRICE, FIRST_CHANGE = 20 * POINT, 8 * POINT
LESS, MORE = 4, 5

_Step = tuple[int, int, int, int, int]
"""A config reached, what is made by then, the same with all that is ahead, and the plain and declared pieces taken."""

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
        bound: no packing is worth more.
    """

    def __init__(
        self,
        chains: Sequence[Chain],
        choices: Sequence[Sequence[tuple[int, Choice]]],
        held: tuple[Sequence[int], Sequence[int], int],
    ) -> None:
        self._chains, self._all_choices = chains, choices
        self._change = FIRST_CHANGE
        self._tiles, self._declared, self._jokers = held
        self.plain, self.declared = [0] * CELLS, [0] * CELLS
        self.free = FIRST_JOKER_PRICE if self._jokers else 0
        self.starts = [chain.starts for chain in chains]
        self.edges = [without_jokers(chain.edges, chain.starts) for chain in chains]
        self.choices: list[Sequence[tuple[int, Choice]]]
        self.choices = [[option for option in options if not option[1].free] for options in choices]
        for _ in range(ROUNDS_WITHOUT):
            self._look_ahead()
            self._lower()
        if self._jokers:
            self._take_all()
            self._settle(ROUNDS_WITH)
            self._sum_up()
            self._guess()
        self.widen()

    def _guess(self) -> None:
        """Seeks prices with what lies near the bound; where no packing lies so near, with all after all."""
        prices, floor = (self.plain.copy(), self.declared.copy(), self.free), self.bound - GUESS
        self._leave_out(GUESS)
        self._settle(ROUNDS_NARROWED)
        self._sum_up()
        if self.bound < floor:
            self.plain, self.declared, self.free = prices
            self._take_all()
            self._settle(ROUNDS_NARROWED)

    def widen(self) -> None:
        """Takes everything back in that was left out."""
        self._take_all()
        self._sum_up()

    def _take_all(self) -> None:
        self.starts, self.edges = [chain.starts for chain in self._chains], [chain.edges for chain in self._chains]
        self.choices = list(self._all_choices)

    def narrow(self, allowed: int) -> None:
        """Leaves out what no packing can hold that is worth at most so much less than the bound; lowers the bound."""
        self._leave_out(allowed)
        self._settle(LAST_ROUNDS)
        self._sum_up()

    def _leave_out(self, allowed: int) -> None:
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
        for _ in range(rounds):
            self._look_ahead()
            if not self._jokers:
                self._lower()
                continue
            wanted = self._runs_want() + self._lower()
            self.free = max(0, self.free + (self._change if wanted > self._jokers else -self._change))
            self._change = self._change * LESS // MORE

    def _sum_up(self) -> None:
        self._look_ahead()
        self.best_sets = [max(self.net_sets(place)) for place in range(TOP_NUMBER)]
        self.bound = sum(self.best_sets) + self._jokers * self.free
        self.bound += sum(price * count for price, count in zip(self.plain, self._tiles, strict=True))
        self.bound += sum(price * count for price, count in zip(self.declared, self._declared, strict=True))
        self.bound += sum(
            max(map(values[0].__getitem__, starts)) for starts, values in zip(self.starts, self.ahead, strict=True)
        )

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
                edges = self.edges[colour][place]
                if edges is None:
                    self._reprice(place, colour, nets, [])
                    continue
                steps = self._steps(edges, behind[colour], self.ahead[colour][place + 1])
                self._reprice(place, colour, nets, steps)
                behind[colour] = self._after(steps, COLOURS * place + colour)
        return wanted

    def _steps(self, edges: Edges, behind: Values, ahead: Values) -> list[_Step]:
        free_price = self.free
        return [
            (to, before + gain - free * free_price, before + gain - free * free_price + ahead[to], plain, declared)
            for config, before in behind.items()
            if config in edges
            for to, gain, plain, declared, free, _ in edges[config]
        ]

    def _after(self, steps: list[_Step], cell: int) -> Values:
        """What each config has made, all prices paid."""
        after: Values = {}
        plain_price, declared_price = self.plain[cell], self.declared[cell]
        for to, made, _, plain, declared in steps:
            worth = made - plain * plain_price - declared * declared_price
            if worth > after.get(to, -LOST):
                after[to] = worth
        return after

    def _reprice(self, place: int, colour: int, nets: list[int], steps: list[_Step]) -> None:
        """Sets the prices of one cell; the worths of the sets are kept up to date."""
        cell = COLOURS * place + colour
        if self._tiles[cell]:
            bound = self.declared[cell] if self._declared[cell] else 0
            wanted = [(plain, worth - declared * bound) for _, _, worth, plain, declared in steps]
            counts = [choice.tiles[colour] for _, choice in self.choices[place]]
            self.plain[cell] = settled(self.plain[cell], self._tiles[cell], wanted, nets, counts)
        if self._declared[cell]:
            wanted = [(declared, worth - plain * self.plain[cell]) for _, _, worth, plain, declared in steps]
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
