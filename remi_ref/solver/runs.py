"""The runs of one colour, number by number.

A colour is read from 1 to 13 and keeps, for every way to have runs open, the best worth so far: its *profile*. The
ways are few, so a colour costs little however many tiles it holds. Sets take tiles out on the way, and that is all
that the colours have to do with each other.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple, cast

from remi_ref.solver.heap import DECLARED, FREE, LOST, PLAIN, POINT
from remi_ref.solver.shapes import HIGH, LOW
from remi_ref.tiles import TOP_NUMBER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remi_ref.solver.shapes import Shapes

HIGH_ACE = TOP_NUMBER
"""The place of the ace above the 13; places count from 0."""

NEVER = 99
"""More jokers than there are: missing cells beyond the end of the row."""

Run = tuple[int, int, int]
"""An open run: its length, jokers and plain tiles, each counted no further than the rules care."""

Stock = tuple[int, ...]
"""Plain tiles, declared jokers and free jokers: at hand, left, or used."""


class Config(NamedTuple):
    """A way to have runs open: what is kept for the end, whether any run was laid at all, and the open runs.

    Kept are, as (plain, declared), the aces for above the 13; where runs go round the corner, the runs that must be
    open after the 13 because they were already continued from the 1.
    """

    kept: tuple[int, int] | tuple[Run, ...]
    some: bool
    runs: tuple[Run, ...]


NOTHING_KEPT = (0, 0)


class Move(NamedTuple):
    """What one number does to a config.

    Attributes:
        config: the config after it.
        plan: for each run open after it, which of the runs before it continues (-1: it starts), and with what.
        used: plain tiles, declared jokers and free jokers.
        on: plain tiles and jokers that continue a run.
        new: those that start one.
    """

    config: int
    plan: tuple[tuple[int, int], ...]
    used: Stock
    on: tuple[int, int]
    new: tuple[int, int]


class Grammar:
    """How open runs may go on under the rules, with so many jokers at hand. Configs are known by their number here."""

    def __init__(self, shapes: Shapes, jokers: int) -> None:
        self.shapes = shapes
        self.plain_cap = max(shapes.min_naturals, shapes.naturals_per_joker * jokers) if jokers else 0
        self.configs: list[Config] = []
        self.needs: list[tuple[int, ...]] = []
        self._numbers: dict[Config, int] = {}
        self._moves: dict[tuple[int, int, int, int, int], list[Move]] = {}
        self._weaker: dict[int, list[int]] = {}
        places = TOP_NUMBER + shapes.ace_high - (not shapes.ace_low)
        self._count_all = shapes.wrap or shapes.run_max < places

    def number(self, config: Config) -> int:
        """The config's number; a new one when it was never met."""
        found = self._numbers.get(config)
        if found is None:
            found = self._numbers[config] = len(self.configs)
            self.configs.append(config)
            self.needs.append(tuple(need for run in config.runs if (need := self._need(run))))
        return found

    def done(self, run: Run) -> bool:
        """Whether the run may end here."""
        return run[0] >= self.shapes.run_min and self.shapes.jokers_fit(run[1], run[2])

    def _need(self, run: Run) -> int:
        """How many more tiles the run wants at the least."""
        return 0 if self.done(run) else max(1, self.shapes.run_min - run[0])

    def _grown(self, run: Run, how: int, longest: int) -> Run | None:
        """The run one longer, or None when no rule lets it grow so."""
        shapes = self.shapes
        length, jokers, plain = run[0] + 1, run[1] + (how != PLAIN), run[2] + (how == PLAIN)
        if length > longest or (shapes.most_jokers is not None and jokers > shapes.most_jokers):
            return None
        if not self._count_all:
            length = min(length, shapes.run_min)
        plain = min(plain, self.plain_cap)
        if shapes.most_jokers is None and not shapes.naturals_per_joker:
            jokers = 0 if plain >= shapes.min_naturals else min(jokers, 1)
        return length, jokers, plain

    def weaker(self, number: int) -> list[int]:
        """The configs that this one can stand in for: some finished runs closed, or no run laid at all."""
        if number not in self._weaker:
            kept, some, runs = self.configs[number]
            found: set[tuple[Run, ...]] = {()}
            for run in runs:
                found = {(*others, run) for others in found} | (found if self.done(run) else set())
            flags = (True, False) if some else (False,)
            self._weaker[number] = [self.number(Config(kept, flag, rest)) for flag in flags for rest in found]
        return self._weaker[number]

    def closed(self, number: int, *, last: bool) -> int:
        """The config with its runs closed, -1 when they cannot be; past the last number those kept are met again."""
        kept, some, runs = self.configs[number]
        rest = list(runs)
        if last and self.shapes.wrap:
            for run in kept:
                if run not in rest:
                    return -1
                rest.remove(run)
            kept = ()
        return self.number(Config(kept, some, ())) if all(map(self.done, rest)) else -1

    def moves(self, number: int, place: int, tiles: int, declared: int, free: int) -> list[Move]:
        """Every way to go on from a config with that many tiles, declared and free jokers at the place."""
        kind = place if place in {0, HIGH_ACE} else 1
        key = (number, kind, tiles, declared, free)
        found = self._moves.get(key)
        if found is None:
            found = self._moves[key] = list(self._all_moves(self.configs[number], kind, tiles, declared, free))
        return found

    def _all_moves(self, config: Config, place: int, tiles: int, declared: int, free: int) -> Iterator[Move]:
        shapes = self.shapes
        if place == HIGH_ACE:
            plain_kept, declared_kept = cast("tuple[int, int]", config.kept)
            all_used = (plain_kept, declared_kept)
            for runs, plan, used in self._outcomes(config.runs, (plain_kept, declared_kept, free), starts=False):
                if used[:2] == all_used:
                    yield self._move(Config(NOTHING_KEPT, config.some, runs), plan, used)
            return
        keeps = [(0, 0)]
        if place == 0 and shapes.ace_high and not shapes.wrap:
            keeps = list(product(range(tiles + 1), range(declared + 1)))
        for kept in keeps:
            stock = (tiles - kept[0], declared - kept[1], free)
            starts = place > 0 or shapes.ace_low or shapes.wrap
            longest = shapes.run_max if place == 0 or not shapes.wrap else min(shapes.run_max, TOP_NUMBER)
            for runs, plan, used in self._outcomes(config.runs, stock, starts=starts, longest=longest):
                after = kept if place == 0 and not shapes.wrap else config.kept
                yield self._move(Config(after, config.some, runs), plan, used)

    def _move(self, config: Config, plan: tuple[tuple[int, int], ...], used: Stock) -> Move:
        on = [how for before, how in plan if before >= 0]
        new = [how for before, how in plan if before < 0]
        plain_on, plain_new = on.count(PLAIN), new.count(PLAIN)
        return Move(
            self.number(config._replace(some=config.some or bool(plan))),
            plan,
            used,
            (plain_on, len(on) - plain_on),
            (plain_new, len(new) - plain_new),
        )

    def _outcomes(
        self, runs: tuple[Run, ...], stock: Stock, *, starts: bool, longest: int = NEVER
    ) -> Iterator[tuple[tuple[Run, ...], tuple[tuple[int, int], ...], Stock]]:
        """Every different outcome of one number: the runs open after it, the plan, and what was used of the stock."""
        found: dict[tuple[tuple[Run, ...], Stock], tuple[tuple[int, int], ...]] = {}
        for grown, left in self._continued(runs, 0, stock, longest):
            for new in product(*(range(n + 1) for n in left)) if starts else [(0, 0, 0)]:
                all_grown = list(grown)
                for how, count in enumerate(new):
                    first = self._grown((0, 0, 0), how, longest)
                    if first is None:
                        if count:
                            break
                        continue
                    all_grown += [(first, -1, how)] * count
                else:
                    all_grown.sort()
                    used = tuple(a - b + c for a, b, c in zip(stock, left, new, strict=True))
                    key = tuple(run for run, _, _ in all_grown), used
                    found.setdefault(key, tuple((before, how) for _, before, how in all_grown))
        for (after, used), plan in found.items():
            yield after, plan, used

    def _continued(
        self, runs: tuple[Run, ...], index: int, stock: Stock, longest: int
    ) -> Iterator[tuple[tuple[tuple[Run, int, int], ...], Stock]]:
        """Every way to close or go on with the runs from that index, and the stock that is left then."""
        if index == len(runs):
            yield (), stock
            return
        if self.done(runs[index]):
            yield from self._continued(runs, index + 1, stock, longest)
        for how, count in enumerate(stock):
            grown = self._grown(runs[index], how, longest) if count else None
            if grown is not None:
                less = tuple(n - (i == how) for i, n in enumerate(stock))
                for others, left in self._continued(runs, index + 1, less, longest):
                    yield ((grown, index, how), *others), left


class Profile:
    """The best worth of each config of a colour after one number, the best of them 0.

    Entries are keyed by config and free jokers used: ``config * 16 + jokers``.
    """

    __slots__ = ("at_least", "entries")

    def __init__(self, entries: dict[int, int], at_least: dict[int, int]) -> None:
        self.entries = entries
        self.at_least = at_least

    def lead_over(self, other: Profile) -> int:
        """By how much this one can be ahead of the other at most, whatever comes."""
        return max(worth - other.at_least.get(key, -LOST) for key, worth in self.entries.items())


class Step(NamedTuple):
    """What one number adds to a colour: its gain, the profile after it, and how each entry came about."""

    gain: int
    profile: Profile
    origins: dict[int, tuple[int, Move]]


class Row:
    """One colour of a heap.

    Attributes:
        grammar: how its runs may be made.
        places: how many places runs may use, a high ace's counted.
        live: whether a run may use the place, for each place.
        start: the profile before the 1.
    """

    def __init__(
        self,
        grammar: Grammar,
        tiles: tuple[int, ...],
        declared: tuple[int, ...],
        free: int,
        some: bool,  # noqa: FBT001 - whether a run counts as laid already
    ) -> None:
        shapes = grammar.shapes
        self.grammar, self._tiles, self._declared, self._free = grammar, tiles, declared, free
        holds = [a + b for a, b in zip(tiles, declared, strict=True)]
        if shapes.wrap:
            holds += holds[:TOP_NUMBER]
        elif shapes.ace_high:
            holds.append(holds[0])
        self.places = TOP_NUMBER if shapes.wrap else len(holds)
        self._missing = [self._missing_after(holds, place) for place in range(self.places)]
        self.live = self._live(holds)
        self._worth = [self._worth_at(place) for place in range(self.places)]
        self._profiles: dict[tuple[tuple[int, int], ...], Profile] = {}
        self._steps: dict[tuple[int, Profile, int, int, int], Step | None] = {}
        round_corner = shapes.wrap and self.live[0] and self.live[-1]
        crossing = self._crossing() if round_corner else [()]
        starts = [Config(runs if shapes.wrap else NOTHING_KEPT, some, runs) for runs in crossing]
        self.start = self._profile({grammar.number(config) * 16: 0 for config in starts})[1]

    def _missing_after(self, holds: list[int], place: int) -> list[int]:
        """For 0, 1, 2, ... places after this one, how many of them hold nothing.

        What lies round the corner does not count: a run that goes there was continued, and paid for, at the start.
        """
        row = [0]
        for ahead in range(place + 1, place + self.grammar.shapes.run_min + 1):
            if ahead < self.places:
                row.append(row[-1] + (not holds[ahead]))
            else:
                row.append(row[-1] if self.grammar.shapes.wrap else NEVER)
        return row

    def _live(self, holds: list[int]) -> list[bool]:
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

    def _worth_at(self, place: int) -> tuple[int, int, int, int]:
        """Worth of a plain tile and of a joker that continue a run there, and of those that start one."""
        shapes, number = self.grammar.shapes, place % TOP_NUMBER + 1
        on, new = shapes.value(number, HIGH), shapes.value(number, LOW)
        joker = shapes.joker_value
        joker_on, joker_new = (on, new) if joker is None else (joker, joker)
        return on * POINT - 1, joker_on * POINT - 1, new * POINT - 1, joker_new * POINT - 1

    def _crossing(self) -> list[tuple[Run, ...]]:
        """Every group of runs that can be open when the row goes round from 13 to 1."""
        grammar = self.grammar
        reached = {(grammar.number(Config((), some=True, runs=())), 0)}
        for place in range(TOP_NUMBER):
            tiles, declared = self._tiles[place], self._declared[place]
            reached = {
                (move.config, jokers + move.used[FREE])
                for config, jokers in reached
                for move in grammar.moves(config, place, tiles, declared, self._free - jokers)
                if self._can_end(place, move.config, self._free - jokers - move.used[FREE])
            }
        return sorted({grammar.configs[config].runs for config, _ in reached})

    def _can_end(self, place: int, config: int, jokers: int) -> bool:
        """Whether tiles enough lie ahead, with so many jokers, for the runs that are not long enough yet."""
        missing = self._missing[place]
        return all(missing[need] <= jokers for need in self.grammar.needs[config])

    def step(self, place: int, profile: Profile, tiles: int, declared: int, owed: int) -> Step | None:
        """Lays runs through one place, less the tiles and declared jokers that sets take there.

        With ``owed`` as `PLAIN` or `DECLARED`, one of those must be laid here. None when that is not possible.
        """
        key = (place, profile, tiles, declared, owed)
        if key not in self._steps:
            self._steps[key] = self._step(*key)
        return self._steps[key]

    def origin(
        self, place: int, profiles: tuple[Profile, Profile], tiles: int, declared: int, key: int
    ) -> tuple[int, Move]:
        """How an entry of the second profile came about from the first: the entry it was, and the move."""
        for owed in (-1, PLAIN, DECLARED):
            step = self._steps.get((place, profiles[0], tiles, declared, owed))
            if step is not None and step.profile is profiles[1] and key in step.origins:
                return step.origins[key]
        raise KeyError(key)

    def _step(self, place: int, profile: Profile, tiles: int, declared: int, owed: int) -> Step | None:
        grammar, free = self.grammar, self._free
        on_plain, on_joker, new_plain, new_joker = self._worth[place]
        entries: dict[int, int] = {}
        origins: dict[int, tuple[int, Move]] = {}
        kept = place == HIGH_ACE
        here = (0, 0) if kept else (self._tiles[place] - tiles, self._declared[place] - declared)
        for key, worth in profile.entries.items():
            jokers = key & 15
            for move in grammar.moves(key >> 4, place, *here, free - jokers):
                if not self._can_end(place, move.config, free - jokers - move.used[FREE]):
                    continue
                config = self._config_after(place, move)
                if config < 0 or not self._pays(place, move, config, owed):
                    continue
                after = config * 16 + jokers + move.used[FREE]
                total = (
                    worth
                    + move.on[0] * on_plain
                    + move.on[1] * on_joker
                    + move.new[0] * new_plain
                    + move.new[1] * new_joker
                )
                if entries.get(after, -LOST) < total:
                    entries[after] = total
                    origins[after] = key, move
        if not entries:
            return None
        return Step(*self._profile(entries), origins)

    def _config_after(self, place: int, move: Move) -> int:
        """The config a move leads to, runs closed where none can go on; -1 when they cannot be."""
        last = place + 1 == self.places
        if last or not self.live[place + 1]:
            return self.grammar.closed(move.config, last=last)
        return move.config

    def _pays(self, place: int, move: Move, config: int, owed: int) -> bool:
        """Whether the move lays what is owed, and keeps an ace for the top only where one can be laid there."""
        put_by = self.grammar.configs[config].kept if place == 0 and not self.grammar.shapes.wrap else NOTHING_KEPT
        may_keep = self.places > HIGH_ACE and self.live[HIGH_ACE]
        if put_by != NOTHING_KEPT and not may_keep:
            return False
        return owed < 0 or bool(move.used[owed]) or bool(put_by[owed])

    def _profile(self, entries: dict[int, int]) -> tuple[int, Profile]:
        """The best worth, and the profile relative to it; entries that another can stand in for are dropped."""
        ranked = sorted(entries.items(), key=lambda entry: -entry[1])
        best = ranked[0][1]
        at_least: dict[int, int] = {}
        strong: dict[int, int] = {}
        for key, worth in ranked:
            if key not in at_least:
                strong[key] = worth - best
                for weaker in self.grammar.weaker(key >> 4):
                    for more in range(self._free - (key & 15) + 1):
                        at_least.setdefault(weaker * 16 + (key & 15) + more, worth - best)
        name = tuple(sorted(strong.items()))
        if name not in self._profiles:
            self._profiles[name] = Profile(strong, at_least)
        return best, self._profiles[name]
