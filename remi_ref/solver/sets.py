"""The sets of one number: every way to lay some at once."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from remi_ref.solver.heap import COLOURS, DECLARED, FREE, PLAIN, POINT
from remi_ref.solver.shapes import SET

if TYPE_CHECKING:
    from remi_ref.solver.shapes import Shapes

Pattern = tuple[tuple[int, int], ...]
"""A set as colours, each with what fills it."""

Counts = tuple[int, ...]


class Choice(NamedTuple):
    """Sets laid at one number: tiles and declared jokers by colour, free jokers, and each set."""

    tiles: Counts
    declared: Counts
    free: int
    sets: tuple[Pattern, ...]


NO_SETS = Choice((0,) * COLOURS, (0,) * COLOURS, 0, ())


def valued_choices(
    shapes: Shapes, free: int, place: int, tiles: tuple[int, ...], declared: tuple[int, ...]
) -> list[tuple[int, Choice]]:
    """Every way to lay sets at a place, with its worth; of ways that take the same, one."""
    plain = shapes.value(place + 1, SET) * POINT - 1
    joker = plain if shapes.joker_value is None else shapes.joker_value * POINT - 1
    return [
        (sum(choice.tiles) * plain + (sum(choice.declared) + choice.free) * joker, choice)
        for choice in _choices(shapes, free, tiles, declared)
    ]


@lru_cache(maxsize=10_000)
def _choices(shapes: Shapes, free: int, tiles: tuple[int, ...], declared: tuple[int, ...]) -> list[Choice]:
    found: dict[tuple[Counts, Counts, int], Choice] = {}
    _extend(NO_SETS, _patterns(shapes, tiles, declared, free), (tiles, declared, free), found)
    return list(found.values())


def _patterns(shapes: Shapes, tiles: Counts, declared: Counts, free: int) -> list[Pattern]:
    """The sets that one number's pieces can make."""
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
    patterns: list[Pattern],
    most: tuple[Counts, Counts, int],
    found: dict[tuple[Counts, Counts, int], Choice],
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
            _extend(Choice(tuple(tiles), tuple(declared), free, (*taken.sets, pattern)), patterns[index:], most, found)
