"""The rows of numbers that a run may show."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from remi_ref.tiles import TOP_NUMBER

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from remi_ref.rules.ruleset import Ruleset
    from remi_ref.tiles import Tile

HIGH_ACE = TOP_NUMBER + 1


class Window(NamedTuple):
    """A row of numbers, and the same as a set."""

    row: tuple[int, ...]
    numbers: frozenset[int]


def matches(fixed: Sequence[Tile | None], row: tuple[int, ...]) -> bool:
    """Whether each tile stands where the row has its number; a None fits anywhere."""
    return all(tile is None or tile.number == number for tile, number in zip(fixed, row, strict=True))


def windows(rules: Ruleset, length: int | None = None) -> tuple[Window, ...]:
    """Every row a run may show, aces as the rules let them stand; those of one length, when it is given."""
    shortest, longest = rules.number("melds.run_min"), rules.number("melds.run_max")
    if length is not None:
        shortest, longest = max(shortest, length), min(longest, length)
    return _windows(
        shortest,
        longest,
        1 if rules.flag("melds.ace_low") else 2,
        HIGH_ACE if rules.flag("melds.ace_high") else TOP_NUMBER,
        both=rules.flag("melds.both_aces_in_run"),
        wrap=rules.flag("melds.wrap"),
    )


@lru_cache(maxsize=256)
def _windows(  # noqa: PLR0913 - the rules that shape a run
    shortest: int, longest: int, low: int, high: int, *, both: bool, wrap: bool
) -> tuple[Window, ...]:
    found: list[Window] = []
    for length in range(shortest, longest + 1):
        if wrap:
            found += circle(length)
            continue
        for start in range(low, high - length + 2):
            if both or not (start == 1 and start + length - 1 == HIGH_ACE):
                found.append(_window(start, length))
    return tuple(found)


@lru_cache(maxsize=32)
def circle(length: int) -> tuple[Window, ...]:
    """Every row of that many numbers on the circle 1 to 13, so that a refusal can say which rule stops it."""
    return tuple(_circle(length))


def _circle(length: int) -> Iterator[Window]:
    if length <= HIGH_ACE:
        for start in range(1, TOP_NUMBER + 1):
            if length <= TOP_NUMBER or start == 1:
                yield _window(start, length)


def _window(start: int, length: int) -> Window:
    row = tuple((number - 1) % TOP_NUMBER + 1 for number in range(start, start + length))
    return Window(row, frozenset(row))
