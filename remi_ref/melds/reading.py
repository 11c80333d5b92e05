"""In which ways can what was laid be read?"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

from remi_ref.melds.meld import PAIR, Kind, Meld, stands_in
from remi_ref.melds.windows import circle, matches, windows
from remi_ref.tiles import TOP_NUMBER, Colour, Slot, Tile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from remi_ref.melds.windows import Window
    from remi_ref.rules.deal import Deal
    from remi_ref.rules.ruleset import Ruleset


def read_meld(deal: Deal, laid: Sequence[Slot]) -> tuple[Meld, ...]:
    """Only the legal readings, without reasons.

    Raises:
        Unreadable: a false joker without a turned tile, or a plain tile declared to be another.
    """
    return _read(deal, tuple(laid))


@lru_cache(maxsize=4096)
def _read(deal: Deal, slots: tuple[Slot, ...]) -> tuple[Meld, ...]:
    """Kept, since a formation on the table is asked about again with every move."""
    return tuple(reading for test in attempts(deal, slots) for reading in test.readings)


def runs_in_any_order(deal: Deal, laid: Sequence[Slot]) -> tuple[Meld, ...]:
    """Every run these pieces can be, whatever the order in which they are named says of their jokers.

    Raises:
        Unreadable: as `read_meld`.
    """
    slots = tuple(laid)
    return Attempt(deal, slots, tuple(deal.stands_for(slot) for slot in slots), Kind.RUN).in_any_order


def all_melds(deal: Deal) -> Iterator[Meld]:
    """Every run and set without a joker that the rules allow: 65 sets and 264 runs where aces stand low or high."""
    rules = deal.rules
    for window in windows(rules):
        for colour in Colour:
            yield Meld(Kind.RUN, tuple(Slot(tile, tile) for tile in (Tile(colour, number) for number in window.row)))
    for size in rules.numbers("melds.set_sizes"):
        for number in range(1, TOP_NUMBER + 1):
            for colours in combinations(Colour, size):
                yield Meld(Kind.SET, tuple(Slot(Tile(c, number), Tile(c, number)) for c in colours))


def attempts(deal: Deal, laid: Sequence[Slot]) -> list[Attempt]:
    """What was laid, read as each kind that it can be meant as.

    Raises:
        Unreadable: as `read_meld`.
    """
    slots = tuple(laid)
    fixed = tuple(deal.stands_for(slot) for slot in slots)
    return [Attempt(deal, slots, fixed, kind) for kind in _kinds_to_try(deal.rules, fixed)]


def _kinds_to_try(rules: Ruleset, fixed: tuple[Tile | None, ...]) -> tuple[Kind, ...]:
    """The kinds these tiles can be meant as, so that a refusal speaks of what the player tried."""
    if len(fixed) == PAIR and rules.choice("melds.pairs") != "none":
        return (Kind.PAIR,)
    tiles = [tile for tile in fixed if tile is not None]
    one_number = len({tile.number for tile in tiles}) == 1
    one_colour = len({tile.colour for tile in tiles}) == 1
    if one_number and len(tiles) > 1:
        return (Kind.SET,)
    if one_colour and len(tiles) > 1:
        return (Kind.RUN,)
    if _lone_between_jokers(fixed):
        return (Kind.RUN,)  # laid so, it shows a run in that order; a set must be declared
    return (Kind.RUN, Kind.SET)


@dataclass(frozen=True)
class Attempt:
    """One attempt to read what was laid.

    Attributes:
        slots: as laid.
        fixed: the tile each slot certainly plays as; None for a joker not declared.
        kind: what it is read as.
    """

    deal: Deal
    slots: tuple[Slot, ...]
    fixed: tuple[Tile | None, ...]
    kind: Kind

    @cached_property
    def readings(self) -> tuple[Meld, ...]:
        """Every legal one."""
        found = {Kind.RUN: self._runs, Kind.SET: self._sets, Kind.PAIR: self._pairs}[self.kind]()
        return self._legal(found)

    @property
    def in_any_order(self) -> tuple[Meld, ...]:
        """Every legal run, the order of the slots overlooked."""
        return self._legal(self._sorted(self._run_rows()) if self.one_colour else [])

    @cached_property
    def tiles(self) -> list[Tile]:
        """What the slots certainly are."""
        return [tile for tile in self.fixed if tile is not None]

    @cached_property
    def one_colour(self) -> bool:
        """Whether no two tiles differ in colour."""
        return len({tile.colour for tile in self.tiles}) <= 1

    @cached_property
    def rows(self) -> list[tuple[int, ...]]:
        """The rows on the circle of numbers that these slots can fill, legal or not."""
        return [window.row for window in self._possible(circle(len(self.slots))) if self._fills(window.row)]

    @cached_property
    def lone_between_jokers(self) -> bool:
        """A single tile with jokers on both sides: the order was laid on purpose and is not rearranged."""
        return _lone_between_jokers(self.fixed)

    def joker_limits(self, jokers: int, naturals: int) -> Iterable[tuple[str, bool, int]]:
        """The rules on jokers that so many of each meet or not: knob, whether it is met, and its limit."""
        rules = self.deal.rules
        if not jokers:
            return
        if self.kind is Kind.PAIR:
            most = {"none": 0, "one": 1, "any": PAIR}[rules.choice("joker.in_pair")]
            yield "joker.in_pair", jokers <= most, most
            return
        limit = rules.limit("joker.max_per_meld")
        yield "joker.max_per_meld", limit is None or jokers <= limit, limit or 0
        yield "joker.min_naturals", naturals >= rules.number("joker.min_naturals"), rules.number("joker.min_naturals")
        ratio = rules.number("joker.naturals_per_joker")
        if ratio:
            yield "joker.naturals_per_joker", naturals >= ratio * jokers, ratio

    # runs

    def _runs(self) -> list[tuple[Slot, ...]]:
        if not self.one_colour:
            return []
        rows = self._run_rows()
        for order in (1, -1):
            if fits := [row for row in rows if matches(self.fixed[::order], row)]:
                return [self._placed(self.slots[::order], row, colour) for row in fits for colour in self._colours()]
        return [] if self.lone_between_jokers else self._sorted(rows)

    def _run_rows(self) -> list[tuple[int, ...]]:
        return [window.row for window in self._possible(windows(self.deal.rules, len(self.slots)))]

    def _sorted(self, rows: list[tuple[int, ...]]) -> list[tuple[Slot, ...]]:
        return [
            self._placed(sorted_slots, row, colour)
            for row in rows
            if (sorted_slots := self._sorted_into(row)) is not None
            for colour in self._colours()
        ]

    def _sorted_into(self, row: tuple[int, ...]) -> tuple[Slot, ...] | None:
        """The slots in the order of the row, jokers in its gaps; None when a tile finds no place."""
        by_number = [(tile.number, slot) for tile, slot in zip(self.fixed, self.slots, strict=True) if tile]
        jokers = [slot for tile, slot in zip(self.fixed, self.slots, strict=True) if tile is None]
        placed: list[Slot] = []
        for number in row:
            index = next((i for i, (known, _) in enumerate(by_number) if known == number), None)
            if index is not None:
                placed.append(by_number.pop(index)[1])
            elif jokers:
                placed.append(jokers.pop(0))
            else:
                return None
        return None if by_number or jokers else tuple(placed)

    def _placed(self, slots: Sequence[Slot], row: tuple[int, ...], colour: Colour) -> tuple[Slot, ...]:
        return tuple(Slot(slot.piece, Tile(colour, number)) for slot, number in zip(slots, row, strict=True))

    def _possible(self, among: Iterable[Window]) -> list[Window]:
        """The windows that have all the numbers these slots certainly show."""
        known = {tile.number for tile in self.tiles}
        return [window for window in among if known <= window.numbers]

    def _fills(self, row: tuple[int, ...]) -> bool:
        return matches(self.fixed, row) if self.lone_between_jokers else self._sorted_into(row) is not None

    # sets and pairs

    def _sets(self) -> list[tuple[Slot, ...]]:
        colours = [tile.colour for tile in self.tiles]
        if len(self.slots) not in self.deal.rules.numbers("melds.set_sizes") or len(set(colours)) < len(colours):
            return []
        found = []
        for number in self._numbers():
            for missing in combinations([c for c in Colour if c not in colours], self.fixed.count(None)):
                rest = iter(missing)
                found.append(
                    tuple(
                        Slot(slot.piece, tile or Tile(next(rest), number))
                        for slot, tile in zip(self.slots, self.fixed, strict=True)
                    )
                )
        return found

    def _pairs(self) -> list[tuple[Slot, ...]]:
        if len(self.slots) != PAIR or self.deal.rules.choice("melds.pairs") == "none":
            return []
        tiles = self.tiles
        if len(set(tiles)) > 1:
            return []
        if not tiles:
            return [tuple(Slot(slot.piece, self.deal.joker_tile) for slot in self.slots)]
        return [tuple(Slot(slot.piece, tiles[0]) for slot in self.slots)]

    # jokers

    def _legal(self, found: Iterable[tuple[Slot, ...]]) -> tuple[Meld, ...]:
        return tuple(Meld(self.kind, slots) for slots in found if self._jokers_fit(slots))

    def _jokers_fit(self, slots: tuple[Slot, ...]) -> bool:
        jokers = sum(stands_in(slot) for slot in slots)
        return all(ok for _, ok, _ in self.joker_limits(jokers, len(slots) - jokers))

    # what else the slots are

    def _colours(self) -> list[Colour]:
        tiles = self.tiles
        return [tiles[0].colour] if tiles else list(Colour)

    def _numbers(self) -> list[int]:
        numbers = sorted({tile.number for tile in self.tiles}) or list(range(1, TOP_NUMBER + 1))
        return numbers if len(numbers) == 1 or not self.tiles else []


def _lone_between_jokers(fixed: Sequence[Tile | None]) -> bool:
    return len(fixed) - fixed.count(None) == 1 and fixed[0] is None and fixed[-1] is None
