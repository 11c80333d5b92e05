"""Is this a run, a set, a pair? Every way to read it, every condition that was tested, and what it is worth.

A reading gives each joker the tile it plays as. The order in which the tiles were laid decides where it can; where it
cannot, all readings that the rules allow are kept, and whoever asks sees whether they matter.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

from remi_ref.tiles import TOP_NUMBER, Colour, FalseJoker, Joker, Slot, Tile, format_tiles
from remi_ref.verdict import Outcome, Reason, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from remi_ref.rules.deal import Deal
    from remi_ref.rules.ruleset import Ruleset
    from remi_ref.tiles import Piece

HIGH_ACE = TOP_NUMBER + 1
PAIR = 2


class Kind(StrEnum):
    """The kinds of formation."""

    RUN = "run"
    SET = "set"
    PAIR = "pair"


@dataclass(frozen=True, slots=True)
class Meld:
    """One reading of a formation: its kind, and each piece with the tile it plays as, runs from low to high."""

    kind: Kind
    slots: tuple[Slot, ...]

    def __str__(self) -> str:
        return format_tiles(self.slots)


@dataclass(frozen=True, slots=True)
class Formation:
    """What was laid and what it can be.

    Attributes:
        laid: the slots as laid.
        readings: every legal reading; empty when it is no formation.
        verdict: all conditions with their outcome.
    """

    laid: tuple[Slot, ...]
    readings: tuple[Meld, ...]
    verdict: Verdict

    @property
    def kind(self) -> Kind | None:
        """The kind all readings share; None when there is no reading, the first reading's when they differ."""
        return self.readings[0].kind if self.readings else None


# --- what a piece is worth -------------------------------------------------------------------------------------------


def tile_value(rules: Ruleset, tile: Tile, place: str) -> int:
    """Points of a tile; an ace's depend on its place: ``set``, ``low``, ``high`` or ``hand``."""
    if tile.number == 1:
        return rules.number(f"ace_value.{place}")
    value = rules.number_or_word("tile_values.low" if tile.number < 10 else "tile_values.high")
    return tile.number if isinstance(value, str) else value


def hand_value(deal: Deal, piece: Piece) -> int:
    """Points a piece costs when it is left in the hand."""
    if deal.is_wild(piece):
        return deal.rules.number("joker.hand_value")
    tile = deal.stands_for(Slot(piece))
    assert tile is not None  # noqa: S101 - only a joker stands for nothing
    return tile_value(deal.rules, tile, "hand")


def opening_points(deal: Deal, meld: Meld) -> int:
    """Points of a reading towards the opening threshold; pairs are counted, not valued."""
    return 0 if meld.kind is Kind.PAIR else _points(deal, meld, "joker.threshold_value")


def table_points(deal: Deal, meld: Meld) -> int:
    """Points of a reading at the count of the round."""
    return _points(deal, meld, "joker.table_value")


def slot_points(deal: Deal, meld: Meld, index: int, joker_knob: str = "joker.table_value") -> int:
    """Points of one slot of a reading."""
    slot = meld.slots[index]
    joker = deal.rules.number_or_word(joker_knob)
    if stands_in(slot) and isinstance(joker, int):
        return joker
    return tile_value(deal.rules, slot.plays_as, ace_place(meld, index)) if slot.plays_as else 0


def ace_place(meld: Meld, index: int) -> str:
    """Where an ace at that slot would stand: in a set, or low or high in a run."""
    if meld.kind is not Kind.RUN:
        return "set"
    before = meld.slots[index - 1].plays_as if index else None
    return "high" if before is not None and before.number == TOP_NUMBER else "low"


def _points(deal: Deal, meld: Meld, joker_knob: str) -> int:
    return sum(slot_points(deal, meld, index, joker_knob) for index in range(len(meld.slots)))


# --- judging ---------------------------------------------------------------------------------------------------------


def judge_meld(deal: Deal, laid: Sequence[Slot]) -> Formation:
    """Reads what was laid in every way the rules allow, with all reasons.

    Raises:
        Unreadable: a false joker without a turned tile, or a plain tile declared to be another.
    """
    slots = tuple(laid)
    fixed = tuple(deal.stands_for(slot) for slot in slots)
    tests = [_Test(deal, slots, fixed, kind) for kind in _kinds_to_try(deal.rules, fixed)]
    legal = [test for test in tests if test.readings]
    readings = tuple(reading for test in legal for reading in test.readings)
    if not legal:
        return Formation(slots, (), Verdict(tuple(reason for test in tests for reason in test.reasons())))
    return Formation(slots, readings, Verdict((*legal[0].reasons(), *_joker_notes(deal, slots, readings))))


def read_meld(deal: Deal, laid: Sequence[Slot]) -> tuple[Meld, ...]:
    """Only the legal readings, without reasons."""
    slots = tuple(laid)
    fixed = tuple(deal.stands_for(slot) for slot in slots)
    tests = (_Test(deal, slots, fixed, kind) for kind in _kinds_to_try(deal.rules, fixed))
    return tuple(reading for test in tests for reading in test.readings)


def all_melds(deal: Deal) -> Iterator[Meld]:
    """Every run and set without a joker that the rules allow: 65 sets and 264 runs where aces stand low or high."""
    rules = deal.rules
    for window in _windows(rules):
        for colour in Colour:
            yield Meld(Kind.RUN, tuple(Slot(tile, tile) for tile in (Tile(colour, number) for number in window)))
    for size in rules.numbers("melds.set_sizes"):
        for number in range(1, TOP_NUMBER + 1):
            for colours in combinations(Colour, size):
                yield Meld(Kind.SET, tuple(Slot(Tile(c, number), Tile(c, number)) for c in colours))


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


@dataclass(frozen=True, slots=True)
class _Test:
    """One attempt to read the slots as a kind."""

    deal: Deal
    slots: tuple[Slot, ...]
    fixed: tuple[Tile | None, ...]
    kind: Kind

    @property
    def readings(self) -> tuple[Meld, ...]:
        found = {Kind.RUN: self._runs, Kind.SET: self._sets, Kind.PAIR: self._pairs}[self.kind]()
        return tuple(Meld(self.kind, slots) for slots in found if self._jokers_fit(slots))

    def reasons(self) -> tuple[Reason, ...]:
        shape = {Kind.RUN: self._run_reasons, Kind.SET: self._set_reasons, Kind.PAIR: self._pair_reasons}
        return (*shape[self.kind](), *self._joker_reasons())

    # runs

    def _runs(self) -> list[tuple[Slot, ...]]:
        if not self._one_colour():
            return []
        windows = [window for window in _windows(self.deal.rules) if len(window) == len(self.slots)]
        for order in (1, -1):
            if fits := [window for window in windows if _matches(self.fixed[::order], window)]:
                return [
                    self._placed(self.slots[::order], window, colour) for window in fits for colour in self._colours()
                ]
        if self._lone_between_jokers():
            return []
        return [
            self._placed(sorted_slots, window, colour)
            for window in windows
            if (sorted_slots := self._sorted_into(window)) is not None
            for colour in self._colours()
        ]

    def _sorted_into(self, window: tuple[int, ...]) -> tuple[Slot, ...] | None:
        """The slots in the order of the window, jokers in its gaps; None when a tile finds no place."""
        by_number = [(tile.number, slot) for tile, slot in zip(self.fixed, self.slots, strict=True) if tile]
        jokers = [slot for tile, slot in zip(self.fixed, self.slots, strict=True) if tile is None]
        placed: list[Slot] = []
        for number in window:
            index = next((i for i, (known, _) in enumerate(by_number) if known == number), None)
            if index is not None:
                placed.append(by_number.pop(index)[1])
            elif jokers:
                placed.append(jokers.pop(0))
            else:
                return None
        return None if by_number or jokers else tuple(placed)

    def _placed(self, slots: Sequence[Slot], window: tuple[int, ...], colour: Colour) -> tuple[Slot, ...]:
        return tuple(Slot(slot.piece, Tile(colour, number)) for slot, number in zip(slots, window, strict=True))

    def _run_reasons(self) -> Iterable[Reason]:
        rules, count = self.deal.rules, len(self.slots)
        numbers = [tile.number for tile in self._tiles()]
        enough = count >= rules.number("melds.run_min")
        yield self._reason("meld.run_min", enough, "melds.run_min", count=count)
        if enough:
            yield self._reason("meld.run_max", count <= rules.number("melds.run_max"), "melds.run_max", count=count)
        yield self._reason("meld.run_colour", self._one_colour(), "melds.run_min")
        joined = any(self._fills(window) for window in _circle_windows(count))
        yield self._reason("meld.run_consecutive", joined, "melds.run_min")
        if joined and enough and 1 in self._run_numbers(numbers):
            yield self._ace_reason()

    def _run_numbers(self, numbers: list[int]) -> set[int]:
        """The numbers of the run these tiles make, when only one window takes them; else the tiles' own."""
        fits = [window for window in _circle_windows(len(self.slots)) if self._fills(window)]
        return set(fits[0]) if len(fits) == 1 else set(numbers)

    def _ace_reason(self) -> Reason:
        rules = self.deal.rules
        fits = [window for window in _circle_windows(len(self.slots)) if self._fills(window)]
        legal = [window for window in _windows(rules) if window in fits]
        window = (legal or fits)[0]
        if window.count(1) > 1:
            knob, place = "melds.both_aces_in_run", "both"
        elif window[0] == 1:
            knob, place = "melds.ace_low", "low"
        elif window[-1] == 1:
            knob, place = "melds.ace_high", "high"
        else:
            knob, place = "melds.wrap", "corner"
        return self._reason(f"meld.ace_{place}", bool(legal), knob)

    def _fills(self, window: tuple[int, ...]) -> bool:
        if self._lone_between_jokers():
            return _matches(self.fixed, window)
        return self._sorted_into(window) is not None

    def _lone_between_jokers(self) -> bool:
        """A single tile with jokers on both sides: the order was laid on purpose and is not rearranged."""
        return _lone_between_jokers(self.fixed)

    # sets

    def _sets(self) -> list[tuple[Slot, ...]]:
        colours = [tile.colour for tile in self._tiles()]
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

    def _set_reasons(self) -> Iterable[Reason]:
        sizes, tiles = self.deal.rules.numbers("melds.set_sizes"), self._tiles()
        fits = len(self.slots) in sizes
        yield self._reason(
            "meld.set_size", fits, "melds.set_sizes", count=len(self.slots), sizes="/".join(str(size) for size in sizes)
        )
        yield self._reason("meld.set_number", len({tile.number for tile in tiles}) <= 1, "melds.set_sizes")
        repeated = tuple(dict.fromkeys(tile for tile in tiles if _colour_count(tiles, tile) > 1))
        different = len(self.slots) <= len(Colour) and not repeated
        yield self.deal.rules.reason(
            "meld.set_colours", different, knob="melds.set_sizes", tiles=repeated or self.slots
        )

    # pairs

    def _pairs(self) -> list[tuple[Slot, ...]]:
        if len(self.slots) != PAIR or self.deal.rules.choice("melds.pairs") == "none":
            return []
        tiles = self._tiles()
        if len(set(tiles)) > 1:
            return []
        if not tiles:
            return [tuple(Slot(slot.piece, self.deal.joker_tile) for slot in self.slots)]
        return [tuple(Slot(slot.piece, tiles[0]) for slot in self.slots)]

    def _pair_reasons(self) -> Iterable[Reason]:
        code = "meld.pair_of_jokers" if self._two_jokers_as_they_lie() else "meld.pair_same"
        yield self._reason(code, len(set(self._tiles())) <= 1, "melds.pairs")

    def _two_jokers_as_they_lie(self) -> bool:
        """Two clovers, or two joker tiles: equal pieces, whatever else they may stand for."""
        joker = self.deal.joker_tile
        pieces = {slot.piece for slot in self.slots}
        return joker is not None and len(pieces) == 1 and pieces <= {joker, FalseJoker(), Joker()}

    # jokers

    def _jokers_fit(self, slots: tuple[Slot, ...]) -> bool:
        jokers = sum(stands_in(slot) for slot in slots)
        return all(ok for _, ok, _ in self._joker_limits(jokers, len(slots) - jokers))

    def _joker_limits(self, jokers: int, naturals: int) -> Iterable[tuple[str, bool, int]]:
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

    def _joker_reasons(self) -> Iterable[Reason]:
        legal = self.readings
        slots = legal[0].slots if legal else tuple(map(Slot, (s.piece for s in self.slots), self.fixed))
        jokers = sum(stands_in(slot) for slot in slots)
        for knob, ok, limit in self._joker_limits(jokers, len(slots) - jokers):
            values = {"jokers": jokers, "naturals": len(slots) - jokers, "limit": limit}
            if knob == "joker.max_per_meld" and self.deal.rules.limit(knob) is None:
                yield self.deal.rules.reason("joker.no_limit", Outcome.PASS, knob=knob, values=values, tiles=self.slots)
            else:
                yield self.deal.rules.reason(knob, ok, knob=knob, values=values, tiles=self.slots)

    # what the slots certainly are

    def _tiles(self) -> list[Tile]:
        return [tile for tile in self.fixed if tile is not None]

    def _one_colour(self) -> bool:
        return len({tile.colour for tile in self._tiles()}) <= 1

    def _colours(self) -> list[Colour]:
        tiles = self._tiles()
        return [tiles[0].colour] if tiles else list(Colour)

    def _numbers(self) -> list[int]:
        numbers = sorted({tile.number for tile in self._tiles()}) or list(range(1, TOP_NUMBER + 1))
        return numbers if len(numbers) == 1 or not self._tiles() else []

    def _reason(self, code: str, ok: bool, knob: str, **values: int | str) -> Reason:  # noqa: FBT001 - as Ruleset.reason
        leaf = self.deal.rules.leaves[knob].value
        if isinstance(leaf, int) and not isinstance(leaf, bool):
            values["limit"] = leaf
        return self.deal.rules.reason(code, ok, knob=knob, values=values, tiles=self.slots)


def stands_in(slot: Slot) -> bool:
    """Whether the slot holds a joker at work: one that is not simply the tile it shows."""
    return isinstance(slot.piece, Joker) or (isinstance(slot.piece, Tile) and slot.plays_as != slot.piece)


def _lone_between_jokers(fixed: Sequence[Tile | None]) -> bool:
    return len(fixed) - fixed.count(None) == 1 and fixed[0] is None and fixed[-1] is None


def _colour_count(tiles: list[Tile], tile: Tile) -> int:
    return sum(other.colour is tile.colour for other in tiles)


def _matches(fixed: Sequence[Tile | None], window: tuple[int, ...]) -> bool:
    return all(tile is None or tile.number == number for tile, number in zip(fixed, window, strict=True))


def _windows(rules: Ruleset) -> tuple[tuple[int, ...], ...]:
    """Every row of numbers a run may show, aces as the rules let them stand."""
    return _window_rows(
        rules.number("melds.run_min"),
        rules.number("melds.run_max"),
        1 if rules.flag("melds.ace_low") else 2,
        HIGH_ACE if rules.flag("melds.ace_high") else TOP_NUMBER,
        both=rules.flag("melds.both_aces_in_run"),
        wrap=rules.flag("melds.wrap"),
    )


@lru_cache(maxsize=32)
def _window_rows(  # noqa: PLR0913 - the rules that shape a run
    shortest: int, longest: int, low: int, high: int, *, both: bool, wrap: bool
) -> tuple[tuple[int, ...], ...]:
    rows: list[tuple[int, ...]] = []
    for length in range(shortest, longest + 1):
        if wrap:
            rows += _circle_windows(length)
            continue
        for start in range(low, high - length + 2):
            if both or not (start == 1 and start + length - 1 == HIGH_ACE):
                rows.append(tuple((number - 1) % TOP_NUMBER + 1 for number in range(start, start + length)))
    return tuple(rows)


def _circle_windows(length: int) -> Iterator[tuple[int, ...]]:
    """Every row of that many numbers on the circle 1 to 13, so that a refusal can say which rule stops it."""
    if length <= HIGH_ACE:
        for start in range(1, TOP_NUMBER + 1):
            if length <= TOP_NUMBER or start == 1:
                yield tuple((number - 1) % TOP_NUMBER + 1 for number in range(start, start + length))


def _joker_notes(deal: Deal, slots: tuple[Slot, ...], readings: tuple[Meld, ...]) -> Iterator[Reason]:
    """Says when several readings stay open, with what each is worth."""
    if len(readings) > 1:
        totals = sorted({opening_points(deal, reading) for reading in readings})
        values: dict[str, int | str] = {
            "readings": " / ".join(str(reading) for reading in readings[:6]),
            "count": len(readings),
            "points": "/".join(str(total) for total in totals),
        }
        yield deal.rules.reason("joker.readings", Outcome.NOTE, values=values, tiles=slots)
