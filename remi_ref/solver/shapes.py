"""What the rules say about runs and sets, in plain numbers for the search."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from remi_ref.tiles import TOP_NUMBER

if TYPE_CHECKING:
    from remi_ref.rules.ruleset import Ruleset

SET, LOW, HIGH = range(3)
"""Where an ace may lie; any other tile is worth the same everywhere."""


class Shapes(NamedTuple):
    """The rules of one table about runs and sets. Equal rules are equal keys of the search's caches.

    Attributes:
        run_max: no longer than the row of numbers can be.
        most_jokers: in one formation; None without a limit.
        low_value: of the numbers 2 to 9; None for their face value. Likewise `high_value` from 10 on.
        ace_values: in a set, low, high.
        joker_value: towards the threshold; None for the tile it replaces.
    """

    run_min: int
    run_max: int
    set_sizes: tuple[int, ...]
    ace_low: bool
    ace_high: bool
    wrap: bool
    most_jokers: int | None
    min_naturals: int
    naturals_per_joker: int
    low_value: int | None
    high_value: int | None
    ace_values: tuple[int, int, int]
    joker_value: int | None

    @classmethod
    @lru_cache(maxsize=32)
    def of(cls, rules: Ruleset) -> Shapes:
        """Reads them from a ruleset."""
        longest = rules.number("melds.run_max")
        if not rules.flag("melds.wrap"):
            both = rules.flag("melds.ace_low") and rules.flag("melds.ace_high") and rules.flag("melds.both_aces_in_run")
            longest = min(longest, TOP_NUMBER + both)
        return cls(
            rules.number("melds.run_min"),
            longest,
            rules.numbers("melds.set_sizes"),
            rules.flag("melds.ace_low"),
            rules.flag("melds.ace_high"),
            rules.flag("melds.wrap"),
            rules.limit("joker.max_per_meld"),
            rules.number("joker.min_naturals"),
            rules.number("joker.naturals_per_joker"),
            _number(rules.number_or_word("tile_values.low")),
            _number(rules.number_or_word("tile_values.high")),
            (rules.number("ace_value.set"), rules.number("ace_value.low"), rules.number("ace_value.high")),
            _number(rules.number_or_word("joker.threshold_value")),
        )

    def counting_tiles(self) -> Shapes:
        """The same formations, each tile worth one."""
        return self._replace(low_value=1, high_value=1, ace_values=(1, 1, 1), joker_value=1)

    def value(self, number: int, place: int) -> int:
        """Points of a number in that place."""
        if number == 1:
            return self.ace_values[place]
        value = self.low_value if number < 10 else self.high_value
        return number if value is None else value

    @property
    def some_worthless(self) -> bool:
        """Whether a formation may count nothing, so that laying none is as good."""
        values = (self.low_value, self.high_value, *self.ace_values, self.joker_value)
        return 0 in values

    def jokers_fit(self, jokers: int, naturals: int) -> bool:
        """Whether a formation may hold that many of each."""
        if not jokers:
            return True
        few = self.most_jokers is None or jokers <= self.most_jokers
        return few and naturals >= self.min_naturals and naturals >= self.naturals_per_joker * jokers


def _number(value: int | str) -> int | None:
    return value if isinstance(value, int) else None
