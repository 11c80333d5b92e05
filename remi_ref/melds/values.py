"""What tiles and readings are worth: towards an opening, at the count, and in the hand."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from remi_ref.melds.meld import Kind, stands_in
from remi_ref.tiles import TOP_NUMBER, Slot
from remi_ref.verdict import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable

    from remi_ref.melds.meld import Meld
    from remi_ref.rules.deal import Deal
    from remi_ref.rules.ruleset import Ruleset
    from remi_ref.tiles import Piece, Tile
    from remi_ref.verdict import Reason

_VALUE_CODES = {
    "tile_values.low": "meld.value_low",
    "tile_values.high": "meld.value_high",
    "ace_value.set": "meld.value_ace_set",
    "ace_value.low": "meld.value_ace_low",
    "ace_value.high": "meld.value_ace_high",
}


def tile_value(rules: Ruleset, tile: Tile, place: str) -> int:
    """Points of a tile; an ace's depend on its place: ``set``, ``low``, ``high`` or ``hand``."""
    value = rules.number_or_word(_value_knob(tile, place))
    return tile.number if isinstance(value, str) else value


def _value_knob(tile: Tile, place: str) -> str:
    """The rule that says what a tile is worth."""
    if tile.number == 1:
        return f"ace_value.{place}"
    return "tile_values.low" if tile.number < 10 else "tile_values.high"


def hand_value(deal: Deal, piece: Piece) -> int:
    """Points a piece costs when it is left in the hand."""
    if deal.is_wild(piece):
        return deal.rules.number("joker.hand_value")
    tile = deal.stands_for(Slot(piece))
    assert tile is not None  # noqa: S101 - only a joker stands for nothing
    return tile_value(deal.rules, tile, "hand")


@lru_cache(maxsize=4096)
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


def value_notes(deal: Deal, melds: Iterable[Meld]) -> tuple[Reason, ...]:
    """What the tiles of these readings count towards an opening, and which rule says so: a note for each kind."""
    jokers_count = isinstance(deal.rules.number_or_word("joker.threshold_value"), str)
    return _value_notes(deal, frozenset().union(*(_value_knobs(meld, jokers_count) for meld in melds)))


@lru_cache(maxsize=256)
def _value_notes(deal: Deal, knobs: frozenset[str]) -> tuple[Reason, ...]:
    notes: dict[str, Reason] = {}
    for note in (_value_note(deal.rules, knob) for knob in _VALUE_CODES if knob in knobs):
        notes.setdefault(note.code, note)  # low and high tiles may both count their numbers
    return tuple(notes.values())


def _value_note(rules: Ruleset, knob: str) -> Reason:
    value = rules.number_or_word(knob)
    if isinstance(value, str):
        return rules.reason("meld.value_face", Outcome.NOTE, knob=knob)
    return rules.reason(_VALUE_CODES[knob], Outcome.NOTE, knob=knob, values={"value": value})


@lru_cache(maxsize=4096)
def _value_knobs(meld: Meld, jokers_count: bool) -> frozenset[str]:  # noqa: FBT001 - a rule
    """The rules that value a reading's tiles, and its jokers where these count as what they replace; none a pair's."""
    if meld.kind is Kind.PAIR:
        return frozenset()
    places = [(i, slot) for i, slot in enumerate(meld.slots) if jokers_count or not stands_in(slot)]
    return frozenset(_value_knob(slot.plays_as, ace_place(meld, i)) for i, slot in places if slot.plays_as)


@lru_cache(maxsize=1024)
def joker_value(deal: Deal, jokers: tuple[Slot, ...]) -> Reason:
    """What a joker counts towards the threshold, where one is laid."""
    value = deal.rules.number_or_word("joker.threshold_value")
    code = "opening.joker_replaced" if isinstance(value, str) else "opening.joker_fixed"
    values = {} if isinstance(value, str) else {"value": value}
    return deal.rules.reason(code, Outcome.NOTE, knob="joker.threshold_value", values=values, tiles=jokers)
