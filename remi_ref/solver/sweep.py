"""The search for deep racks and for every rule: one sweep over the numbers 1 to 13.

At each number it chooses the sets, and for each colour how its runs go on; what is open is the state. Prices say what
a state can still make at most (see `prices`), so each step has a loss: what it falls short of that. The losses of all
steps add up to what a packing falls short of the bound, and only states within a small loss are followed. Where none
leads to a packing, a look at the likeliest states finds a good one, and then only what may be better is followed.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from remi_ref.solver.chain import Chain
from remi_ref.solver.heap import CELLS, COLOURS, LOST, POINT, Found, Placed, TooManyError
from remi_ref.solver.prices import Prices
from remi_ref.solver.runs import Grammar, runs_laid
from remi_ref.solver.sets import NO_SETS, Choice, valued_choices
from remi_ref.solver.ways import Way, Ways
from remi_ref.tiles import TOP_NUMBER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remi_ref.solver.heap import Demand, Heap
    from remi_ref.solver.runs import Move
    from remi_ref.solver.shapes import Shapes

WINDOW = 16 * POINT
"""How far below the first bound the best packing is sought at first."""
CLOSE = 7 * POINT
"""Where a packing lies so close to the bound, it is found at once."""
FAR = (14 * POINT, 28 * POINT, 56 * POINT)
LIKELIEST = 16
"""How far below the bound, and how many states at each place, are looked at when any good packing will do."""


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


Part = tuple[int, int, bool, int, tuple[int, ...], tuple["Move | None", ...]]
"""A state half made, colour by colour: loss, free jokers, some, idle tiles, configs and moves so far."""


class Sweep:
    """One search: the heap by number and colour, a chain for each colour, and prices."""

    def __init__(self, shapes: Shapes, heap: Heap, demand: Demand) -> None:
        self._demand, self._jokers = demand, heap.free
        self._least = max(demand.worth, -CELLS * POINT)
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
        self._stay = max(0, sum(self._tiles) + sum(self._declared) + heap.free - demand.most)
        self._prices = Prices(self._chains, choices, (self._tiles, self._declared, heap.free), self._stay)
        self._ways = Ways(self._prices, self._tiles, self._declared, demand.owed)
        self._allowed = 0

    def _at(self, place: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        cells = slice(COLOURS * place, COLOURS * (place + 1))
        return tuple(self._tiles[cells]), tuple(self._declared[cells])

    def solve(self, allowed: int = LOST) -> Found | None:
        """The packing of most worth that does what is demanded; None when there is none, or none of the worth wanted.

        It looks ever further below the bound, until a packing is found or none can be of use.

        Raises:
            TooManyError: more states than allowed would have to be followed.
        """
        self._allowed = allowed
        floor, window = self._prices.bound, WINDOW
        while floor >= self._least:
            floor = max(self._least, floor - window)
            found = self._best_from(floor)
            if found and found.worth < floor:
                found = self._best_above(found)
            if found or floor == self._least:
                return found if found and found.placed else None
            window *= 2
        return None

    def _best_from(self, floor: int) -> Found | None:
        """The packing of most worth where one is worth the floor; else any that was met with, or None.

        Where none lies close to the bound, a look at the likeliest states finds a good one, and then only what is
        better is sought.
        """
        if not self._prices.narrow(floor):
            return None
        self._ways.forget()
        close = max(floor, self._prices.bound - CLOSE)
        found = self._found(close)
        if found or close == self._least:
            return found
        likely = self._any_good()
        if likely is None:
            return self._found(floor)
        return likely if likely.worth < floor else self._best_above(likely)

    def _any_good(self) -> Found | None:
        """A packing that is likely one of the best; None when the likeliest states lead to none."""
        looks = (self._found(max(self._least, self._prices.bound - far), LIKELIEST) for far in FAR)
        return next((found for found in looks if found), None)

    def _best_above(self, found: Found) -> Found:
        """The packing of most worth, when one is known that may be it."""
        if not self._prices.narrow(found.worth + 1):
            return found
        self._ways.forget()
        return self._found(found.worth + 1) or found

    def _found(self, floor: int, most: int | None = None) -> Found | None:
        """The packing of most worth, if that is not below the floor; with ``most``, among the likeliest states."""
        allowed = self._prices.bound - floor
        if allowed < 0:
            return None
        history = self._sweep(allowed, most)
        ends = [
            (origin.loss + self._lost_at_end(state), state)
            for state, origin in history[-1].items()
            if self._meets(state)
        ]
        loss, state = min(ends, default=(LOST, None))
        if state is None or loss > allowed:
            return None
        return Found(self._prices.bound - loss, tuple(self._trace(state, history)))

    def _lost_at_end(self, state: State) -> int:
        """The price of the jokers that stay."""
        jokers = self._jokers - state.free
        return jokers * self._prices.free - min(jokers, self._stay - state.idle) * self._prices.least

    def _meets(self, state: State) -> bool:
        stays = state.idle + self._jokers - state.free >= self._stay
        return stays and state.some and (state.free > 0 or not self._demand.joker)

    def _sweep(self, allowed: int, most: int | None) -> list[States]:
        """The states after each place that are within the loss, at each the likeliest ``most`` if that is given."""
        history: list[States] = [
            {
                State(configs, 0, not self._demand.run, 0): Origin(loss, None, NO_SETS, ())
                for loss, configs in self._beginnings(allowed)
            }
        ]
        for place in range(max(len(chain.edges) for chain in self._chains)):
            history.append(self._after(place, history[-1], allowed, most))
            self._allowed -= len(history[-1])
            if self._allowed < 0:
                raise TooManyError
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

    def _after(self, place: int, states: States, allowed: int, most: int | None) -> States:
        """Every state after this place, each reached in its best way; the likeliest ``most`` if that is given."""
        after: States = {}
        options = self._options(place)
        for state, origin in states.items():
            for lost, choice in options:
                if origin.loss + lost > allowed:
                    break
                for key, loss, moves in self._reached(place, state, choice, origin.loss + lost, allowed):
                    if key not in after or after[key].loss > loss:
                        after[key] = Origin(loss, state, choice, moves)
                if most is not None and len(after) > 2 * most:
                    after, allowed = _likeliest(after, most)
        return after if most is None else _likeliest(after, most)[0]

    def _reached(
        self, place: int, state: State, choice: Choice, loss: int, allowed: int
    ) -> Iterator[tuple[State, int, tuple[Move | None, ...]]]:
        """The states that follow one beside these sets, each with its loss and how the runs went on."""
        free = state.free + choice.free
        if free > self._jokers:
            return
        ways = []
        for colour, config in enumerate(state.configs):
            found = self._ways.beside(choice, place, colour, config)
            if not found:
                return
            loss += found[0].loss
            if loss > allowed:
                return
            ways.append(found)
        some = state.some or (bool(choice.sets) and (self._demand.sets or (self._demand.aces and place == 0)))
        parts: list[Part] = [(loss, free, some, state.idle, (), ())]
        for found in ways:
            parts = self._joined(parts, found, allowed)
        for lost, used, lays, idle, configs, moves in parts:
            stays = min(idle, self._stay)  # those beyond it cost their whole price
            whole = lost + (idle - stays) * self._prices.least
            if whole <= allowed:
                yield State(configs, used, lays, stays), whole, moves

    def _options(self, place: int) -> list[tuple[int, Choice]]:
        """Sets that can be laid at a place, with their losses, the least first."""
        if place >= TOP_NUMBER:
            return [(0, NO_SETS)]
        best = self._prices.best_sets[place]
        nets = self._prices.net_sets(place)
        options = [(best - net, choice) for net, (_, choice) in zip(nets, self._prices.choices[place], strict=True)]
        return sorted(options, key=lambda option: option[0])

    def _joined(self, parts: list[Part], ways: list[Way], allowed: int) -> list[Part]:
        """The parts, each with every way of one more colour; the loss of its best way is in them already."""
        joined: list[Part] = []
        least = ways[0].loss
        for way_loss, to, jokers, lays, left, move in ways:
            more, most = way_loss - least, self._jokers - jokers
            if more > allowed:
                break
            joined += [
                (loss + more, free + jokers, some or lays, idle + left, (*configs, to), (*moves, move))
                for loss, free, some, idle, configs, moves in parts
                if loss + more <= allowed and free <= most
            ]
        return joined

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


def _likeliest(states: States, most: int) -> tuple[States, int]:
    """So many states of the least loss, and the largest loss among them."""
    ranked = sorted(states.items(), key=lambda reached: reached[1].loss)[:most]
    return dict(ranked), ranked[-1][1].loss if ranked else 0
