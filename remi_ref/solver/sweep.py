"""The search: which disjoint runs and sets of a heap of tiles are worth most.

One sweep over the numbers 1 to 13. At each number it chooses the sets; each colour keeps its runs in a profile (see
`runs`). Of two states, the one that can never overtake the other is dropped.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from remi_ref.solver.heap import COLOURS, DECLARED, FREE, LOST, PLAIN, POINT, Found, Placed, cell_at, number_at
from remi_ref.solver.runs import Grammar, Profile, Row
from remi_ref.solver.shapes import SET
from remi_ref.tiles import TOP_NUMBER

if TYPE_CHECKING:
    from remi_ref.solver.heap import Demand, Heap
    from remi_ref.solver.runs import Move
    from remi_ref.solver.shapes import Shapes


class Choice(NamedTuple):
    """Sets laid at one number: tiles and declared jokers by colour, free jokers, and each set as colours with fill."""

    tiles: tuple[int, ...]
    declared: tuple[int, ...]
    free: int
    sets: tuple[tuple[tuple[int, int], ...], ...]


State = tuple[Profile, Profile, Profile, Profile, int, bool]
"""The four colours' profiles, free jokers spent on sets, and whether a set of aces was laid where one is wanted."""


class Origin(NamedTuple):
    """How a state came about: its worth, the state before, and the sets chosen at that place."""

    worth: int
    before: State | None
    choice: Choice
    place: int


States = dict[State, Origin]


class End(NamedTuple):
    """The best way to end: its worth, the last state, and the entry each colour's profile ends with."""

    worth: int
    state: State
    keys: tuple[int, ...]


NO_SETS = Choice((0, 0, 0, 0), (0, 0, 0, 0), 0, ())
COMPARED = 6  # states each newcomer is held against; more costs more than it drops


def sweep(shapes: Shapes, heap: Heap, demand: Demand) -> Found | None:
    """The packing of most worth that does what is demanded."""
    return _Sweep(shapes, heap, demand).run()


class _Sweep:
    """One search: the heap by number and colour, and a row for each colour."""

    def __init__(self, shapes: Shapes, heap: Heap, demand: Demand) -> None:
        self.shapes, self.heap, self.demand = shapes, heap, demand
        counts = [heap.held(cell_at(number, colour)) for number in range(1, 14) for colour in range(COLOURS)]
        self.tiles = tuple(plain for plain, _ in counts)
        self.declared = tuple(declared for _, declared in counts)
        grammar = _grammar(shapes, heap.free + sum(self.declared))
        self.rows = tuple(
            Row(grammar, self.tiles[c::COLOURS], self.declared[c::COLOURS], heap.free, not demand.run)
            for c in range(COLOURS)
        )

    def run(self) -> Found | None:
        """Sweeps, ends as well as can be, and traces the way back."""
        one, two, three, four = (row.start for row in self.rows)
        states: States = {(one, two, three, four, 0, not self.demand.aces): Origin(0, None, NO_SETS, -1)}
        history: list[States] = []
        for place in range(self.rows[0].places):
            choices = self._choices_at(place)
            idle = not any(row.live[place] for row in self.rows) and len(choices) == 1
            if idle and self._owed_at(place) < 0:
                continue
            states = _strongest(self._after(place, choices, states))
            history.append(states)
        end = self._best_end(states)
        placed = self._trace(end, history) if end else []
        return Found(end.worth, tuple(placed)) if end and placed else None

    def _owed_at(self, place: int) -> int:
        """The kind of piece (`PLAIN` or `DECLARED`) that must be laid at this place, -1 for none."""
        owed = self.demand.owed
        here = owed is not None and place < TOP_NUMBER and number_at(owed[0]) == place + 1
        return owed[1] if owed is not None and here else -1

    def _choices_at(self, place: int) -> tuple[Choice, ...]:
        if place >= TOP_NUMBER:
            return (NO_SETS,)
        cells = slice(COLOURS * place, COLOURS * (place + 1))
        return _choices(self.shapes, self.tiles[cells], self.declared[cells], self.heap.free)

    def _after(self, place: int, choices: tuple[Choice, ...], states: States) -> States:
        """Every state after this place, each reached in its best way."""
        plain = self.shapes.value(place % TOP_NUMBER + 1, SET) * POINT - 1
        joker = plain if self.shapes.joker_value is None else self.shapes.joker_value * POINT - 1
        after: States = {}
        for state, origin in states.items():
            for choice in choices:
                if state[4] + choice.free > self.heap.free:
                    continue
                stepped = self._stepped(place, state, choice)
                if stepped is None:
                    continue
                gain, (one, two, three, four) = stepped
                total = origin.worth + gain + sum(choice.tiles) * plain
                total += (sum(choice.declared) + choice.free) * joker
                aces = state[5] or (place == 0 and bool(choice.sets))
                key = (one, two, three, four, state[4] + choice.free, aces)
                if key not in after or after[key].worth < total:
                    after[key] = Origin(total, state, choice, place)
        return after

    def _stepped(self, place: int, state: State, choice: Choice) -> tuple[int, tuple[Profile, ...]] | None:
        """The runs of all colours one place on, beside those sets; None when something owed would be left out."""
        owed = self._owed_at(place)
        owed_row = self.demand.owed[0] % COLOURS if self.demand.owed else -1
        gain, profiles = 0, list(_profiles(state))
        for c, row in enumerate(self.rows):
            in_sets = choice.tiles[c] if owed == PLAIN else choice.declared[c]
            due = owed if owed >= 0 and c == owed_row and not in_sets else -1
            if row.live[place]:
                step = row.step(place, profiles[c], choice.tiles[c], choice.declared[c], due)
                if step is None:
                    return None
                profiles[c] = step.profile
                gain += step.gain
            elif due >= 0:
                return None
        return gain, tuple(profiles)

    def _best_end(self, states: States) -> End | None:
        """The last state, and in it one entry for each colour, that together are worth most and meet the demand."""
        best: End | None = None
        for state, origin in states.items():
            for (jokers, some), (total, keys) in self._combined(state, origin.worth).items():
                meets = (some or not self.demand.run) and (jokers or not self.demand.joker)
                if meets and (best is None or total > best.worth):
                    best = End(total, state, keys)
        return best

    def _combined(self, state: State, worth: int) -> dict[tuple[int, bool], tuple[int, tuple[int, ...]]]:
        """By jokers spent and whether a run is laid: the most that entries of the four profiles make together."""
        combined: dict[tuple[int, bool], tuple[int, tuple[int, ...]]] = {
            (state[4], state[5] and self.demand.aces): (worth, ())
        }
        for row, profile in zip(self.rows, _profiles(state), strict=True):
            longer: dict[tuple[int, bool], tuple[int, tuple[int, ...]]] = {}
            for (jokers, some), (total, keys) in combined.items():
                for key, more in profile.entries.items():
                    spent, laid = jokers + (key & 15), some or row.grammar.configs[key >> 4].some
                    fits = spent <= self.heap.free
                    if fits and longer.get((spent, laid), (-LOST, ()))[0] < total + more:
                        longer[spent, laid] = (total + more, (*keys, key))
            combined = longer
        return combined

    def _trace(self, end: End, history: list[States]) -> list[Placed]:
        """Goes back through the places and collects the sets and the pieces of each run."""
        keys, state, placed = list(end.keys), end.state, []
        steps: list[list[tuple[int, Move]]] = [[] for _ in self.rows]
        for states in reversed(history):
            _, before, choice, place = states[state]
            assert before is not None  # noqa: S101 - only the state before the 1 has none, and it is not in the history
            for one in choice.sets:
                cells = tuple(COLOURS * place + c for c, _ in one)
                placed.append(Placed(is_run=False, cells=cells, fill=tuple(how for _, how in one)))
            for c, (row, came, went) in enumerate(zip(self.rows, _profiles(before), _profiles(state), strict=True)):
                if row.live[place]:
                    keys[c], move = row.origin(place, (came, went), choice.tiles[c], choice.declared[c], keys[c])
                    steps[c].append((place, move))
            state = before
        for c, row in enumerate(self.rows):
            placed += _runs_of(row, c, steps[c][::-1], keys[c])
        return sorted(placed)


def _profiles(state: State) -> tuple[Profile, ...]:
    return state[:4]


def _strongest(states: States) -> States:
    """Drops states that another can never fall behind."""
    kept: list[tuple[State, Origin]] = []
    for state, origin in sorted(states.items(), key=lambda item: -item[1].worth):
        if not any(_never_behind(other, theirs, state, origin) for other, theirs in kept[:COMPARED]):
            kept.append((state, origin))
    return dict(kept)


def _never_behind(other: State, theirs: Origin, state: State, origin: Origin) -> bool:
    if other[4] > state[4] or other[5] < state[5]:
        return False
    lead = origin.worth - theirs.worth
    for mine, yours in zip(_profiles(state), _profiles(other), strict=True):
        if mine is not yours:
            lead += mine.lead_over(yours)
    return lead <= 0


def _runs_of(row: Row, colour: int, steps: list[tuple[int, Move]], first_key: int) -> list[Placed]:
    """The runs of one colour, from the moves that laid them; with aces that go round, ends are joined to beginnings."""
    entering = row.grammar.configs[first_key >> 4].runs
    tails: list[list[tuple[int, int]]] = [[] for _ in entering]
    open_runs, laid, runs = tails, list(tails), entering
    for place, move in steps:
        after = []
        for before, how in move.plan:
            run = open_runs[before] if before >= 0 else []
            if before < 0:
                laid.append(run)
            run.append((COLOURS * (place % TOP_NUMBER) + colour, how))
            after.append(run)
        open_runs, runs = after, row.grammar.configs[move.config].runs
    used: list[int] = []
    for wanted, tail in zip(entering, tails, strict=True):
        index = next(i for i, run in enumerate(runs) if run == wanted and i not in used)
        used.append(index)
        tail[:0] = open_runs[index]
        laid = [run for run in laid if run is not open_runs[index]]
    return [Placed(is_run=True, cells=tuple(x for x, _ in run), fill=tuple(h for _, h in run)) for run in laid]


@lru_cache(maxsize=64)
def _grammar(shapes: Shapes, jokers: int) -> Grammar:
    return Grammar(shapes, jokers)


@lru_cache(maxsize=10_000)
def _choices(shapes: Shapes, tiles: tuple[int, ...], declared: tuple[int, ...], free: int) -> tuple[Choice, ...]:
    """Every way to lay sets of one number, as what they take; of ways that take the same, one."""
    patterns = _patterns(shapes, tiles, declared, free)
    found: dict[tuple[tuple[int, ...], tuple[int, ...], int], Choice] = {}
    _extend(Choice((0,) * COLOURS, (0,) * COLOURS, 0, ()), patterns, (tiles, declared, free), found)
    return tuple(found.values())


def _patterns(
    shapes: Shapes, tiles: tuple[int, ...], declared: tuple[int, ...], free: int
) -> list[tuple[tuple[int, int], ...]]:
    """The sets that one number's pieces can make: colours, each with what fills it."""
    fills = (
        (None, *(how for how, count in ((PLAIN, plain), (DECLARED, bound)) if count))
        for plain, bound in zip(tiles, declared, strict=True)
    )
    patterns = []
    for fill in product(*fills):
        chosen = [(c, how) for c, how in enumerate(fill) if how is not None]
        others = [c for c, how in enumerate(fill) if how is None]
        plain = sum(how == PLAIN for _, how in chosen)
        for size in shapes.set_sizes:
            jokers = size - len(chosen)
            if 0 <= jokers <= min(free, len(others)) and shapes.jokers_fit(size - plain, plain):
                patterns.append(tuple(sorted(chosen + [(c, FREE) for c in others[:jokers]])))
    return patterns


def _extend(
    taken: Choice,
    patterns: list[tuple[tuple[int, int], ...]],
    most: tuple[tuple[int, ...], tuple[int, ...], int],
    found: dict[tuple[tuple[int, ...], tuple[int, ...], int], Choice],
) -> None:
    """Adds every further pattern, in order, as long as the pieces last."""
    found.setdefault((taken.tiles, taken.declared, taken.free), taken)
    for index, pattern in enumerate(patterns):
        tiles, declared, free = list(taken.tiles), list(taken.declared), taken.free
        for colour, how in pattern:
            if how == FREE:
                free += 1
            else:
                (tiles if how == PLAIN else declared)[colour] += 1
        lasts = all(a <= b for a, b in zip((*tiles, *declared, free), (*most[0], *most[1], most[2]), strict=True))
        if lasts:
            more = Choice(tuple(tiles), tuple(declared), free, (*taken.sets, pattern))
            _extend(more, patterns[index:], most, found)
