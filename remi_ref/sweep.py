"""The search: which disjoint runs and sets of a heap of tiles are worth most.

One sweep over the numbers 1 to 13. At each number it chooses the sets; each colour keeps its runs in a profile (see
`runs`). Of two states, the one that can never overtake the other is dropped.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from remi_ref.heap import COLOURS, DECLARED, FREE, LOST, PLAIN, POINT, Found, Placed
from remi_ref.runs import Grammar, Profile, Row
from remi_ref.shapes import SET
from remi_ref.tiles import TOP_NUMBER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remi_ref.heap import Demand, Heap
    from remi_ref.shapes import Shapes


class Choice(NamedTuple):
    """Sets laid at one number: tiles and declared jokers by colour, free jokers, and each set as colours with fill."""

    tiles: tuple[int, ...]
    declared: tuple[int, ...]
    free: int
    sets: tuple[tuple[tuple[int, int], ...], ...]


State = tuple["Profile", "Profile", "Profile", "Profile", int, bool]


def sweep(shapes: Shapes, heap: Heap, demand: Demand) -> Found | None:
    """The packing of most worth that does what is demanded."""
    counts = [heap.count(cell) for cell in range(52)]
    tiles, declared = zip(*counts)
    grammar = _grammar(shapes, heap.free + sum(declared))
    rows = [Row(grammar, tiles[c::4], declared[c::4], heap.free, not demand.run) for c in range(COLOURS)]
    first = (*(row.start for row in rows), 0, not demand.aces)
    states = {first: (0, None, None, None)}
    history = []
    for place in range(rows[0].places):
        live = [row.live[place] for row in rows]
        if place < TOP_NUMBER:
            owed = demand.owed[1] if demand.owed and demand.owed[0] // 4 == place else -1
            owed_row = demand.owed[0] % 4 if demand.owed else -1
            choices = _choices(shapes, tiles[4 * place : 4 * place + 4], declared[4 * place : 4 * place + 4], heap.free)
        else:
            owed, choices = -1, (NO_SETS,)
        if not any(live) and len(choices) == 1 and owed < 0:
            continue
        value = shapes.value(place % 13 + 1, SET)
        plain = value * POINT - 1
        joker = plain if shapes.joker_value is None else shapes.joker_value * POINT - 1
        after = {}
        for state, (worth, *_) in states.items():
            for choice in choices:
                if state[4] + choice.free > heap.free:
                    continue
                total = worth + sum(choice.tiles) * plain + (sum(choice.declared) + choice.free) * joker
                profiles = list(state[:4])
                for c in range(4):
                    due = -1
                    if owed >= 0 and c == owed_row and not choice[owed][c]:
                        due = owed
                    if live[c]:
                        step = rows[c].step(place, profiles[c], choice.tiles[c], choice.declared[c], due)
                        if step is None:
                            break
                        profiles[c] = step.profile
                        total += step.gain
                    elif due >= 0:
                        break
                else:
                    key = (*profiles, state[4] + choice.free, state[5] or (place == 0 and bool(choice.sets)))
                    if key not in after or after[key][0] < total:
                        after[key] = (total, state, choice, place)
        states = _strongest(after)
        history.append(states)
    return _finish(shapes, heap, demand, rows, states, history)


def _strongest(states):
    ranked = sorted(states.items(), key=lambda item: -item[1][0])
    kept = []
    for state, origin in ranked:
        for other, (worth, *_) in kept[:6]:
            if other[4] <= state[4] and other[5] >= state[5]:
                lead = origin[0] - worth
                for c in range(4):
                    if other[c] is not state[c]:
                        lead += state[c].lead_over(other[c])
                if lead <= 0:
                    break
        else:
            kept.append((state, origin))
    return dict(kept)


def _finish(shapes, heap, demand, rows, states, history):
    best = None
    for state, (worth, *_) in states.items():
        combos = {(state[4], state[5] and demand.aces): (worth, ())}
        for c in range(4):
            grammar = rows[c]._grammar
            out = {}
            for (jokers, some), (total, keys) in combos.items():
                for key, more in state[c].entries.items():
                    j = jokers + (key & 15)
                    if j > heap.free:
                        continue
                    s = some or grammar.configs[key >> 4].some
                    if out.get((j, s), (-LOST,))[0] < total + more:
                        out[j, s] = (total + more, (*keys, key))
            combos = out
        for (jokers, some), (total, keys) in combos.items():
            if (demand.run and not some) or (demand.joker and not jokers):
                continue
            if best is None or total > best[0]:
                best = (total, state, keys)
    if best is None:
        return None
    total, state, keys = best
    placed = _trace(rows, state, keys, history)
    if not placed:
        return None
    return Found(total, tuple(placed))


def _trace(rows, state, keys, history):
    keys = list(keys)
    placed = []
    steps = [[] for _ in rows]
    for states in reversed(history):
        _, before, choice, place = states[state]
        for one in choice.sets:
            placed.append(Placed(False, tuple(4 * place + c for c, _ in one), tuple(how for _, how in one)))
        for c, row in enumerate(rows):
            if row.live[place]:
                for due in (-1, PLAIN, DECLARED):
                    step = row._steps.get((place, before[c], choice.tiles[c], choice.declared[c], due))
                    if step and step.profile is state[c] and keys[c] in step.origins:
                        break
                keys[c], move = step.origins[keys[c]]
                steps[c].append((place, move))
        state = before
    for c, row in enumerate(rows):
        placed += row_runs(rows[c], c, reversed(steps[c]), keys[c])
    return sorted(placed)


def row_runs(row, c, steps, first_key):
    config = row._grammar.configs[first_key >> 4]
    open_runs = [[] for _ in config.runs]
    entering = open_runs
    all_runs = list(open_runs)
    runs = config.runs
    for place, move in steps:
        after = []
        for before, how in move.plan:
            if before < 0:
                run = []
                all_runs.append(run)
            else:
                run = open_runs[before]
            run.append((4 * (place % 13) + c, how))
            after.append(run)
        open_runs = after
        runs = row._grammar.configs[move.config].runs
    if entering:
        used = []
        for wanted, tail in zip(config.runs, entering):
            i = next(i for i, r in enumerate(runs) if r == wanted and i not in used)
            used.append(i)
            tail[:0] = open_runs[i]
            all_runs = [r for r in all_runs if r is not open_runs[i]]
    return [Placed(True, tuple(x for x, _ in r), tuple(h for _, h in r)) for r in all_runs]


@lru_cache(maxsize=64)
def _grammar(shapes: Shapes, jokers: int) -> Grammar:
    return Grammar(shapes, jokers)


NO_SETS = Choice((0, 0, 0, 0), (0, 0, 0, 0), 0, ())


@lru_cache(maxsize=10_000)
def _choices(shapes: Shapes, tiles: tuple[int, ...], declared: tuple[int, ...], free: int) -> tuple[Choice, ...]:
    patterns = []
    for fill in product(*((None, *(h for h, n in ((PLAIN, t), (DECLARED, d)) if n)) for t, d in zip(tiles, declared))):
        chosen = [(c, h) for c, h in enumerate(fill) if h is not None]
        others = [c for c, h in enumerate(fill) if h is None]
        plain = sum(h == PLAIN for _, h in chosen)
        for size in shapes.set_sizes:
            k = size - len(chosen)
            if 0 <= k <= min(free, len(others)) and shapes.jokers_fit(size - plain, plain):
                patterns.append(tuple(sorted(chosen + [(c, FREE) for c in others[:k]])))
    found = {}

    def extend(index, t, d, f, sets):
        used_t = tuple(a - b for a, b in zip(tiles, t))
        used_d = tuple(a - b for a, b in zip(declared, d))
        found.setdefault((used_t, used_d, free - f), Choice(used_t, used_d, free - f, sets))
        for i in range(index, len(patterns)):
            nt, nd, nf = list(t), list(d), f
            for c, h in patterns[i]:
                if h == PLAIN:
                    nt[c] -= 1
                elif h == DECLARED:
                    nd[c] -= 1
                else:
                    nf -= 1
            if nf >= 0 and min(nt) >= 0 and min(nd) >= 0:
                extend(i, nt, nd, nf, (*sets, patterns[i]))

    extend(0, tiles, declared, free, ())
    return tuple(found.values())
