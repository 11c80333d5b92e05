"""The search for deep racks and for every rule: one sweep over the numbers 1 to 13.

At each number it chooses the sets, and for each colour how its runs go on; what is open is the state. Prices say what
a state can still make at most (see `prices`), so each step has a loss: what it falls short of that. The losses of all
steps add up to what a packing falls short of the bound, and only states within a small loss are followed; the loss
allowed grows until a packing is found. Few states are within it, whatever the rack.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from remi_ref.solver.chain import Chain
from remi_ref.solver.heap import CELLS, COLOURS, LOST, POINT, Found, Placed
from remi_ref.solver.prices import Prices
from remi_ref.solver.runs import Grammar, runs_laid
from remi_ref.solver.sets import NO_SETS, Choice, valued_choices
from remi_ref.tiles import TOP_NUMBER

if TYPE_CHECKING:
    from remi_ref.solver.chain import Edge
    from remi_ref.solver.heap import Demand, Heap
    from remi_ref.solver.runs import Move
    from remi_ref.solver.shapes import Shapes

FIRST_LOSS = 3 * POINT
FIRST_WINDOW = 14 * POINT
"""How far below the bound the first search looks."""


class State(NamedTuple):
    """What is open after a place.

    Attributes:
        configs: of the colours.
        free: jokers used, in sets and in runs.
        some: whether what opening asks for, a run or a set of aces, is laid (or not asked for).
        idle: tiles not laid, counted no further than must stay.
    """

    configs: tuple[int, ...]
    free: int
    some: bool
    idle: int


class Origin(NamedTuple):
    """How a state came about: the loss so far, the state before, the sets chosen and how each colour's runs went on."""

    loss: int
    before: State | None
    choice: Choice
    moves: tuple[Move | None, ...]


States = dict[State, Origin]


def sweep(shapes: Shapes, heap: Heap, demand: Demand) -> Found | None:
    """The packing of most worth that does what is demanded; None when there is none, or none of the worth wanted."""
    return _Sweep(shapes, heap, demand).run()


Step = tuple[int, "Edge"]
"""A loss and the edge that brings it."""

Part = tuple[int, int, bool, int, tuple[int, ...], tuple["Move | None", ...]]
"""A state half made, colour by colour: loss, free jokers, some, idle tiles, configs and moves so far."""


class _Sweep:
    """One search: the heap by number and colour, a chain for each colour, and prices."""

    def __init__(self, shapes: Shapes, heap: Heap, demand: Demand) -> None:
        self._demand, self._jokers = demand, heap.free
        held = [heap.held(cell) for cell in range(CELLS)]
        self._tiles, self._declared = [plain for plain, _ in held], [bound for _, bound in held]
        self._chains = [
            Chain(
                _grammar(shapes, sum(self._declared[colour::COLOURS]), heap.free),
                tuple(self._tiles[colour::COLOURS]),
                tuple(self._declared[colour::COLOURS]),
                heap.free,
            )
            for colour in range(COLOURS)
        ]
        choices = [valued_choices(shapes, heap.free, place, *self._at(place)) for place in range(TOP_NUMBER)]
        self._prices = Prices(self._chains, choices, (self._tiles, self._declared, heap.free))
        self._stay = max(0, sum(self._tiles) + sum(self._declared) + heap.free - demand.most)
        self._steps: dict[tuple[int, int, int], list[Step]] = {}

    def _at(self, place: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        cells = slice(COLOURS * place, COLOURS * (place + 1))
        return tuple(self._tiles[cells]), tuple(self._declared[cells])

    def run(self) -> Found | None:
        """Looks ever further below the bound, until a packing is found or none can be of use."""
        least = max(self._demand.worth, -CELLS * POINT)
        window = FIRST_WINDOW
        while self._prices.bound >= least:
            floor = max(least, self._prices.bound - window)
            self._prices.narrow(self._prices.bound - floor)
            self._steps.clear()
            found = self._best_from(floor)
            if found or floor == least:
                return found if found and found.placed else None
            window *= 3
            self._prices.widen()
        return None

    def _best_from(self, floor: int) -> Found | None:
        """The packing of most worth that does what is demanded; None when it is worth less than the floor."""
        bound, allowed = self._prices.bound, FIRST_LOSS
        while bound >= floor:
            allowed = min(allowed, bound - floor)
            history = self._sweep(allowed)
            ends = [
                (origin.loss + self._prices.free * (self._jokers - state.free), state)
                for state, origin in history[-1].items()
                if self._meets(state)
            ]
            loss, state = min(ends, default=(LOST, None))
            if state is not None and loss <= allowed:
                return Found(bound - loss, tuple(self._trace(state, history)))
            if allowed >= bound - floor:
                break
            allowed = allowed * 3 // 2
        return None

    def _meets(self, state: State) -> bool:
        stays = state.idle + self._jokers - state.free >= self._stay
        return stays and state.some and (state.free > 0 or not self._demand.joker)

    def _sweep(self, allowed: int) -> list[States]:
        """The states after each place that are within the loss."""
        history: list[States] = [
            {
                State(configs, 0, not self._demand.run, 0): Origin(loss, None, NO_SETS, ())
                for loss, configs in self._beginnings(allowed)
            }
        ]
        for place in range(max(len(chain.edges) for chain in self._chains)):
            history.append(self._after(place, history[-1], allowed))
        return history

    def _beginnings(self, allowed: int) -> list[tuple[int, tuple[int, ...]]]:
        """Every way to begin; more than one only where runs go round the corner."""
        begun: list[tuple[int, tuple[int, ...]]] = [(0, ())]
        for starts, ahead in zip(self._prices.starts, self._prices.ahead, strict=True):
            best = max(map(ahead[0].__getitem__, starts))
            begun = [
                (loss + best - ahead[0][config], (*configs, config))
                for loss, configs in begun
                for config in starts
                if loss + best - ahead[0][config] <= allowed
            ]
        return begun

    def _after(self, place: int, states: States, allowed: int) -> States:
        """Every state after this place, each reached in its best way."""
        after: States = {}
        options = self._options(place)
        for state, origin in states.items():
            for lost, choice in options:
                loss, free = origin.loss + lost, state.free + choice.free
                if loss > allowed:
                    break
                if free > self._jokers:
                    continue
                some = state.some or (bool(choice.sets) and (self._demand.sets or (self._demand.aces and place == 0)))
                parts: list[Part] = [(loss, free, some, state.idle, (), ())]
                for colour in range(COLOURS):
                    parts = self._with_colour(place, colour, parts, state, choice, allowed)
                    if not parts:
                        break
                for loss, free, some, idle, configs, moves in parts:
                    key = State(configs, free, some, idle)
                    if key not in after or after[key].loss > loss:
                        after[key] = Origin(loss, state, choice, moves)
        return after

    def _options(self, place: int) -> list[tuple[int, Choice]]:
        """Sets that can be laid at a place, with their losses, the least first."""
        if place >= TOP_NUMBER:
            return [(0, NO_SETS)]
        best = self._prices.best_sets[place]
        nets = self._prices.net_sets(place)
        options = [(best - net, choice) for net, (_, choice) in zip(nets, self._prices.choices[place], strict=True)]
        return sorted(options, key=lambda option: option[0])

    def _with_colour(  # noqa: PLR0913, PLR0917 - the loop that all the time is spent in
        self, place: int, colour: int, parts: list[Part], state: State, choice: Choice, allowed: int
    ) -> list[Part]:
        """The parts, each with every way in which one more colour can go on."""
        tiles = declared = plain_price = declared_price = 0
        if place < TOP_NUMBER:
            cell = COLOURS * place + colour
            tiles, declared = self._tiles[cell] - choice.tiles[colour], self._declared[cell] - choice.declared[colour]
            plain_price, declared_price = self._prices.plain[cell], self._prices.declared[cell]
        owed = self._owed(place, colour, choice)
        edges = self._prices.edges[colour]
        config = state.configs[colour]
        if place >= len(edges) or edges[place] is None:
            lost = tiles * plain_price + declared * declared_price
            return [
                (loss + lost, free, some, min(self._stay, idle + tiles + declared), (*configs, config), (*moves, None))
                for loss, free, some, idle, configs, moves in parts
                if owed < 0 and loss + lost <= allowed
            ]
        further: list[Part] = []
        room = allowed - min(part[0] for part in parts)
        for step_loss, (to, _, plain, bound, jokers, move) in self._steps_from(place, colour, config):
            if step_loss > room:
                break
            if plain > tiles or bound > declared or (owed >= 0 and not (plain, bound)[owed]):
                continue
            lost = step_loss + (tiles - plain) * plain_price + (declared - bound) * declared_price
            if lost > room:
                continue
            rest, lays, most = tiles + declared - plain - bound, bool(move.plan), self._jokers - jokers
            further += [
                (loss + lost, free + jokers, some or lays, min(self._stay, idle + rest), (*configs, to), (*moves, move))
                for loss, free, some, idle, configs, moves in parts
                if loss + lost <= allowed and free <= most
            ]
        return further

    def _owed(self, place: int, colour: int, choice: Choice) -> int:
        """The kind of piece (`PLAIN` or `DECLARED`) that the runs of a colour must lay here, -1 for none."""
        owed = self._demand.owed
        if owed is None or owed[0] != COLOURS * place + colour:
            return -1
        return -1 if (choice.tiles, choice.declared)[owed[1]][colour] else owed[1]

    def _steps_from(self, place: int, colour: int, config: int) -> list[Step]:
        """The edges from a config with their losses, the least first."""
        key = (place, colour, config)
        if key not in self._steps:
            ahead, edges = self._prices.ahead[colour], self._prices.edges[colour][place] or {}
            can, after = ahead[place][config], ahead[place + 1]
            steps = [(can - self._prices.net(edge, place, colour) - after[edge.to], edge) for edge in edges[config]]
            self._steps[key] = sorted(steps, key=lambda step: step[0])
        return self._steps[key]

    def _trace(self, end: State, history: list[States]) -> list[Placed]:
        """Goes back through the places and collects the sets and the pieces of each run."""
        placed: list[Placed] = []
        steps: list[list[tuple[int, Move]]] = [[] for _ in self._chains]
        state = end
        for place in reversed(range(len(history) - 1)):
            _, before, choice, moves = history[place + 1][state]
            assert before is not None  # noqa: S101 - only the states before the 1 have none
            for one in choice.sets:
                cells = tuple(COLOURS * place + colour for colour, _ in one)
                placed.append(Placed(is_run=False, cells=cells, fill=tuple(how for _, how in one)))
            for colour, move in enumerate(moves):
                if move is not None:
                    steps[colour].append((place, move))
            state = before
        for colour, chain in enumerate(self._chains):
            placed += runs_laid(chain.grammar, colour, steps[colour][::-1], state.configs[colour])
        return sorted(placed)


@lru_cache(maxsize=64)
def _grammar(shapes: Shapes, declared: int, free: int) -> Grammar:
    return Grammar(shapes, declared, free)
