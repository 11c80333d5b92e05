"""Every condition of a formation, with how it came out."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING

from remi_ref.melds.meld import Formation, Kind, stands_in
from remi_ref.melds.reading import attempts
from remi_ref.melds.values import opening_points
from remi_ref.melds.windows import windows
from remi_ref.tiles import Colour, FalseJoker, Joker, Slot
from remi_ref.verdict import Outcome, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from remi_ref.melds.meld import Meld
    from remi_ref.melds.reading import Attempt
    from remi_ref.rules.deal import Deal
    from remi_ref.tiles import Tile
    from remi_ref.verdict import Reason

MOST_READINGS = 6
"""Of those that stay open, so many are shown."""


def judge_meld(deal: Deal, laid: Sequence[Slot]) -> Formation:
    """Reads what was laid in every way the rules allow, with all reasons.

    Raises:
        Unreadable: a false joker without a turned tile, or a plain tile declared to be another.
    """
    return _judged(deal, tuple(laid))


@lru_cache(maxsize=4096)
def _judged(deal: Deal, slots: tuple[Slot, ...]) -> Formation:
    """Kept, since a formation on the table is asked about again with every move."""
    tried = attempts(deal, slots)
    legal = [attempt for attempt in tried if attempt.readings]
    readings = tuple(reading for attempt in legal for reading in attempt.readings)
    notes = (*false_joker_note(deal, slots), *_readings_note(deal, slots, readings))
    reasons = [reason for attempt in legal[:1] or tried for reason in _reasons(attempt)]
    return Formation(slots, readings, Verdict((*reasons, *notes)))


def _reasons(attempt: Attempt) -> Iterator[Reason]:
    yield from {Kind.RUN: _of_run, Kind.SET: _of_set, Kind.PAIR: _of_pair}[attempt.kind](attempt)
    yield from _of_jokers(attempt)


def _of_run(attempt: Attempt) -> Iterator[Reason]:
    rules, count = attempt.deal.rules, len(attempt.slots)
    enough = count >= rules.number("melds.run_min")
    yield _reason(attempt, "meld.run_min", enough, "melds.run_min", count=count)
    if enough:
        short = count <= rules.number("melds.run_max")
        yield _reason(attempt, "meld.run_max", short, "melds.run_max", count=count)
    yield _reason(attempt, "meld.run_colour", attempt.one_colour, "melds.run_min")
    joined = bool(attempt.rows)
    yield _reason(attempt, "meld.run_consecutive", joined, "melds.run_min")
    if joined and enough:
        yield from _ace_reason(attempt)


def _ace_reason(attempt: Attempt) -> Iterator[Reason]:
    """Where an ace stands: in the reading that counts, or in the row that was tried."""
    rows = attempt.rows
    if len(rows) > 1 and attempt.readings:
        counts = min(attempt.readings, key=partial(opening_points, attempt.deal))
        rows = [tuple([slot.plays_as.number for slot in counts.slots if slot.plays_as])]
    if 1 not in (rows[0] if len(rows) == 1 else [tile.number for tile in attempt.tiles]):
        return
    legal = [window.row for window in windows(attempt.deal.rules, len(attempt.slots)) if window.row in rows]
    row = (legal or rows)[0]
    if row.count(1) > 1:
        knob, place = "melds.both_aces_in_run", "both"
    elif row[0] == 1:
        knob, place = "melds.ace_low", "low"
    elif row[-1] == 1:
        knob, place = "melds.ace_high", "high"
    else:
        knob, place = "melds.wrap", "corner"
    yield _reason(attempt, f"meld.ace_{place}", bool(legal), knob)


def _of_set(attempt: Attempt) -> Iterator[Reason]:
    sizes, tiles, slots = attempt.deal.rules.numbers("melds.set_sizes"), attempt.tiles, attempt.slots
    shown = "–".join(str(size) for size in sizes)
    yield _reason(attempt, "meld.set_size", len(slots) in sizes, "melds.set_sizes", count=len(slots), sizes=shown)
    yield _reason(attempt, "meld.set_number", len({tile.number for tile in tiles}) <= 1, "melds.set_sizes")
    repeated = tuple(dict.fromkeys(tile for tile in tiles if _colour_count(tiles, tile) > 1))
    different = len(slots) <= len(Colour) and not repeated
    yield attempt.deal.rules.reason("meld.set_colours", different, knob="melds.set_sizes", tiles=repeated or slots)


def _colour_count(tiles: list[Tile], tile: Tile) -> int:
    return sum(other.colour is tile.colour for other in tiles)


def _of_pair(attempt: Attempt) -> Iterator[Reason]:
    code = "meld.pair_of_jokers" if _two_jokers_as_they_lie(attempt) else "meld.pair_same"
    yield _reason(attempt, code, len(set(attempt.tiles)) <= 1, "melds.pairs")


def _two_jokers_as_they_lie(attempt: Attempt) -> bool:
    """Two clovers, or two joker tiles: equal pieces, whatever else they may stand for."""
    joker = attempt.deal.joker_tile
    pieces = {slot.piece for slot in attempt.slots}
    return joker is not None and len(pieces) == 1 and pieces <= {joker, FalseJoker(), Joker()}


def _of_jokers(attempt: Attempt) -> Iterator[Reason]:
    rules, readings = attempt.deal.rules, attempt.readings
    slots = readings[0].slots if readings else tuple(map(Slot, (s.piece for s in attempt.slots), attempt.fixed))
    jokers = sum(map(stands_in, slots))
    for knob, ok, limit in attempt.joker_limits(jokers, len(slots) - jokers):
        values = {"jokers": jokers, "naturals": len(slots) - jokers, "limit": limit}
        if knob == "joker.max_per_meld" and rules.limit(knob) is None:
            yield rules.reason("joker.no_limit", Outcome.PASS, knob=knob, values=values, tiles=attempt.slots)
        else:
            yield rules.reason(knob, ok, knob=knob, values=values, tiles=attempt.slots)


def _reason(attempt: Attempt, code: str, ok: bool, knob: str, **values: int | str) -> Reason:  # noqa: FBT001 - as Ruleset.reason
    leaf = attempt.deal.rules.leaves[knob].value
    if isinstance(leaf, int) and not isinstance(leaf, bool):
        values["limit"] = leaf
    return attempt.deal.rules.reason(code, ok, knob=knob, values=values, tiles=attempt.slots)


def false_joker_note(deal: Deal, slots: Sequence[Slot]) -> Iterator[Reason]:
    """Says which tile a false joker among these plays as."""
    if deal.joker_tile is not None and FalseJoker() in [slot.piece for slot in slots]:
        values = {"joker": str(deal.joker_tile)}
        yield deal.rules.reason("meld.false_joker", Outcome.NOTE, values=values, tiles=(FalseJoker(),))


def _readings_note(deal: Deal, slots: tuple[Slot, ...], readings: tuple[Meld, ...]) -> Iterator[Reason]:
    """Says when several readings stay open, what each is worth where the game counts points, and what would decide."""
    if len(readings) < 2:
        return
    values: dict[str, int | str] = {"count": len(readings)}
    shown = [str(reading) for reading in readings[:MOST_READINGS]]
    if deal.rules.limit("opening.points") is not None:
        worth = [opening_points(deal, reading) for reading in readings]
        values["points"] = "/".join(map(str, sorted(set(worth))))
        shown = [f"{reading} ({points})" for reading, points in zip(shown, worth, strict=False)]
    values["readings"] = " / ".join(shown)
    declared = [slot for reading in readings for slot in reading.slots if stands_in(slot)]
    if declared:
        values["example"] = str(declared[0])
        yield deal.rules.reason("joker.readings", Outcome.NOTE, values=values, tiles=slots)
    else:
        yield deal.rules.reason("meld.readings", Outcome.NOTE, knob="melds.ace_high", values=values, tiles=slots)
