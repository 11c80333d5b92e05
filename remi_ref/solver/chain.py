"""One colour of a heap as a chain of numbers: every way its runs may go, as edges from config to config."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from remi_ref.solver.heap import POINT
from remi_ref.solver.outcomes import HIGH_ACE, NEVER
from remi_ref.solver.runs import NOTHING_KEPT, alike
from remi_ref.solver.shapes import HIGH, LOW
from remi_ref.tiles import TOP_NUMBER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remi_ref.solver.outcomes import Runs
    from remi_ref.solver.runs import Grammar, Move
    from remi_ref.solver.shapes import Shapes


class Edge(NamedTuple):
    """A step of one colour over one number.

    Attributes:
        to: the config after it.
        gain: worth of what it lays.
        plain: tiles it takes, and likewise `declared` and `free` jokers.
        move: how the runs go on.
    """

    to: int
    gain: int
    plain: int
    declared: int
    free: int
    move: Move


Edges = dict[int, list[Edge]]
"""By the config they go out from; only such as can be followed to the end."""


class Chain:
    """One colour of a heap.

    Attributes:
        grammar: how its runs may be made.
        edges: for each place, None where no run can use it; a high ace's place is the last.
        starts: the configs before the 1.
    """

    def __init__(self, grammar: Grammar, tiles: tuple[int, ...], declared: tuple[int, ...], free: int) -> None:
        self.grammar, self._tiles, self._declared, self._free = grammar, tiles, declared, free
        shapes = grammar.shapes
        holds = [a + b for a, b in zip(tiles, declared, strict=True)]
        if shapes.wrap:
            holds += holds[:TOP_NUMBER]
        elif shapes.ace_high:
            holds.append(holds[0])
        self._places = TOP_NUMBER if shapes.wrap else len(holds)
        self._missing = [tuple(self._missing_after(holds, place)) for place in range(self._places)]
        self._live = self._live_places(holds)
        round_corner = shapes.wrap and self._live[0] and self._live[-1]
        self.starts = [grammar.start(runs) for runs in (self._crossing() if round_corner else [()])]
        self.edges = self._all_edges()
        alive = self.edges[next((place for place, live in enumerate(self._live) if live), 0)]
        self.starts = [config for config in self.starts if alive is None or config in alive]

    def _missing_after(self, holds: list[int], place: int) -> list[int]:
        """For 0, 1, 2, ... places after this one, how many of them hold nothing.

        What lies round the corner does not count: a run that goes there was continued, and paid for, at the start.
        """
        row = [0]
        for ahead in range(place + 1, place + self.grammar.shapes.run_min + 1):
            if ahead < self._places:
                row.append(row[-1] + (not holds[ahead]))
            else:
                row.append(row[-1] if self.grammar.shapes.wrap else NEVER)
        return row

    def _live_places(self, holds: list[int]) -> list[bool]:
        shapes = self.grammar.shapes
        live = [False] * len(holds)
        first = 0 if shapes.ace_low or shapes.wrap else 1
        for low in range(first, len(holds) - shapes.run_min + 1):
            if holds[low : low + shapes.run_min].count(0) <= self._free:
                live[low : low + shapes.run_min] = [True] * shapes.run_min
        if shapes.wrap:
            return [a or b for a, b in zip(live[:TOP_NUMBER], live[TOP_NUMBER:], strict=True)]
        if shapes.ace_high and live[HIGH_ACE] and holds[0]:
            live[0] = True
        return live

    def _crossing(self) -> list[Runs]:
        """Every group of runs that can be open when the row goes round from 13 to 1."""
        grammar = self.grammar
        reached = {grammar.start()}
        for place in range(TOP_NUMBER):
            reached = {
                move.config
                for config in reached
                for move in grammar.moves(config, place, self._tiles[place], self._declared[place])
                if self._can_end(place, move.config)
            }
        return sorted({grammar.configs[config].runs for config in reached})

    def _can_end(self, place: int, config: int) -> bool:
        """Whether tiles enough lie ahead, with the jokers left, for the runs that are not long enough yet."""
        return self._missing[place][self.grammar.wants[config]] <= self.grammar.configs[config].free

    def _all_edges(self) -> list[Edges | None]:
        every: list[Edges | None] = []
        reached = set(self.starts)
        for place in range(self._places):
            if not self._live[place]:
                every.append(None)
                continue
            edges = self._edges(place, reached)
            reached = {edge.to for found in edges.values() for edge in found}
            every.append(edges)
        return _followed(every)

    def _edges(self, place: int, reached: set[int]) -> Edges:
        """All steps from these configs that can be followed; of those that lead and cost the same, the best."""
        grammar, missing, ends = self.grammar, self._missing[place], place + 1 == self._places
        step = _Step(
            alike(place),
            _worths_at(grammar.shapes, place),
            goes_on=not ends and self._live[place + 1],
            ends=ends,
            keeps=place > 0 or grammar.shapes.wrap or (self._places > HIGH_ACE and self._live[HIGH_ACE]),
        )
        high = place == HIGH_ACE  # what lies there was taken when it was put by, at the 1
        tiles, declared = (0, 0) if high else (self._tiles[place], self._declared[place])
        every = {config: _edges_from(grammar, config, step, tiles, declared) for config in reached}
        if not missing[-1]:
            return every
        wants, configs = grammar.wants, grammar.configs
        return {
            config: [edge for edge in edges if missing[wants[edge.to]] <= configs[edge.to].free]
            for config, edges in every.items()
        }


class _Step(NamedTuple):
    """What the steps at a place depend on, besides the config and the pieces there.

    Attributes:
        place: the one that it is like, as `alike` says.
        worths: of a plain tile and of a joker that continue a run there, and of those that start one.
        goes_on: whether runs can go on to the next place; ``ends``: whether there is none.
        keeps: whether an ace that is put by can be laid above the 13.
    """

    place: int
    worths: tuple[int, int, int, int]
    goes_on: bool
    ends: bool
    keeps: bool


@lru_cache(maxsize=20_000)
def _edges_from(grammar: Grammar, config: int, step: _Step, tiles: int, declared: int) -> list[Edge]:
    on_plain, on_joker, new_plain, new_joker = step.worths
    best: dict[tuple[int, int, int, int], Edge] = {}
    for move in grammar.moves(config, step.place, tiles, declared):
        _, _, (plain, bound, free), on, new = move
        to = _config_after(grammar, move, step)
        if to < 0:
            continue
        if step.place == HIGH_ACE:
            plain = bound = 0
        gain = on[0] * on_plain + on[1] * on_joker + new[0] * new_plain + new[1] * new_joker
        key = (to, plain, bound, free)
        known = best.get(key)
        if known is None or known.gain < gain:
            best[key] = Edge(to, gain, plain, bound, free, move)
    return list(best.values())


def _worths_at(shapes: Shapes, place: int) -> tuple[int, int, int, int]:
    number = place % TOP_NUMBER + 1
    on, new = shapes.value(number, HIGH), shapes.value(number, LOW)
    joker = shapes.joker_value
    joker_on, joker_new = (on, new) if joker is None else (joker, joker)
    return on * POINT - 1, joker_on * POINT - 1, new * POINT - 1, joker_new * POINT - 1


def _config_after(grammar: Grammar, move: Move, step: _Step) -> int:
    """The config a move leads to, runs closed where none can go on; -1 when they cannot be."""
    if not step.keeps and grammar.configs[move.config].kept != NOTHING_KEPT:
        return -1
    return move.config if step.goes_on else grammar.closed(move.config, last=step.ends)


def without_jokers(every: Sequence[Edges | None], starts: Sequence[int]) -> list[Edges | None]:
    """The edges that take no free joker, as far as they can be reached and followed to the end."""
    plain: list[Edges | None] = []
    reached = set(starts)
    for edges in every:
        if edges is None:
            plain.append(None)
            continue
        here = {config: [edge for edge in edges[config] if not edge.free] for config in reached if config in edges}
        reached = {edge.to for found in here.values() for edge in found}
        plain.append(here)
    return _followed(plain)


def _followed(every: list[Edges | None]) -> list[Edges | None]:
    """Without the edges that lead nowhere."""
    alive: Edges | None = None
    for place in reversed(range(len(every))):
        edges = every[place]
        if edges is None:
            continue
        if alive is not None:
            edges = {config: [edge for edge in found if edge.to in alive] for config, found in edges.items()}
        alive = every[place] = {config: found for config, found in edges.items() if found}
    return every
