"""What is done to formations that already lie on the table: a tile laid off, a joker recovered."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from remi_ref.melds import Kind, joker_for, judge_meld, stands_in, with_joker_given, with_tile
from remi_ref.play.position import (
    TableMeld,
    as_laid,
    as_named,
    declared_otherwise,
    find,
    meld_text,
    replaced,
    with_tiles,
)
from remi_ref.play.progress import Judged, Progress, from_hand, has_table, in_order, is_fine, keeps_one, no_table
from remi_ref.score.finished import Opened, Placed
from remi_ref.tiles import TOP_NUMBER, Joker, Slot, format_tiles
from remi_ref.verdict import Outcome, Reason, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remi_ref.play.actions import Add, Swap
    from remi_ref.rules.deal import Deal
    from remi_ref.rules.ruleset import Ruleset
    from remi_ref.tiles import Piece, Tile


def add(progress: Progress, action: Add) -> Judged:
    """A tile laid off; a faulty one is taken back."""
    if not has_table(progress):
        return no_table(progress)
    after, spent, index, reasons = _begun(progress, "layoff", action.tile, action.to)
    slot = Slot(spent[0], action.tile.plays_as) if spent else action.tile
    if index is None:
        return Judged(Verdict(tuple(reasons)), progress)
    meld = as_named(progress.position.deal, progress.position.table[index], action.to)
    grown, fit, undecided = grown_with(progress.position.deal, meld, slot)
    whose, unknown = _whose(progress, meld, slot)
    reasons += [*fit, *whose, *keeps_one(after)]
    if not is_fine(reasons):
        return Judged(Verdict(tuple(reasons)), progress)
    position = replaced(after.position, index, grown)
    done = replace(
        after,
        position=position,
        taken_added=progress.taken_added or progress.taken == slot.piece,
        placed=(*progress.placed, Placed(slot, as_laid(position.deal, meld), owner=meld.owner)),
        out=position.count == 0,
    )
    return Judged(Verdict(tuple(reasons), undecided or unknown), done)


def swap(progress: Progress, action: Swap) -> Judged:
    """A tile in place of a joker; a faulty swap is taken back."""
    if not has_table(progress):
        return no_table(progress)
    after, _, index, reasons = _begun(progress, "swap", action.tile, action.into)
    if index is None:
        return Judged(Verdict(tuple(reasons)), progress)
    meld = as_named(progress.position.deal, progress.position.table[index], action.into)
    freed, fit, undecided = _without_joker(progress, meld, action.tile.piece)
    reasons += fit
    if freed is None or not is_fine(reasons):
        return Judged(Verdict(tuple(reasons)), progress)
    left, joker = freed[0], _taken_back(progress.rules, freed[1])
    if joker != freed[1]:
        reasons.append(progress.rules.reason("swap.turns_white", Outcome.NOTE, knob="joker.recover", tiles=(joker,)))
    position = with_tiles(replaced(after.position, index, left), (joker,))
    done = replace(
        after,
        position=position,
        taken_added=progress.taken_added or progress.taken == action.tile.piece,
        placed=(*progress.placed, Placed(action.tile, as_laid(position.deal, meld), for_joker=True, owner=meld.owner)),
    )
    return Judged(Verdict(tuple(reasons), undecided), done)


def _begun(
    progress: Progress, area: str, tile: Slot, named: tuple[Slot, ...]
) -> tuple[Progress, tuple[Piece, ...], int | None, list[Reason]]:
    """The turn without the tile, the tile as it lay in the hand, where the formation lies, and what was tested."""
    after, spent, held = from_hand(progress, [tile.piece])
    may = _may_add(progress) if area == "layoff" else _may_swap(progress)
    index = find(progress.position, named)
    return after, spent, index, [*in_order(progress), *held, *may, *_lies_there(progress, area, index, named)]


def _lies_there(progress: Progress, area: str, index: int | None, named: tuple[Slot, ...]) -> Iterator[Reason]:
    """Whether the formation lies on the table as it is named; a joker may be left undeclared."""
    other = declared_otherwise(progress.position, named) if index is None else None
    yield progress.rules.reason(f"{area}.there", index is not None or other is not None, tiles=named)
    if other is not None:
        values = {"lies": format_tiles(other.slots)}
        yield progress.rules.reason(f"{area}.declared", outcome=False, values=values, tiles=named)


# --- laying off ------------------------------------------------------------------------------------------------------


def _may_add(progress: Progress) -> Iterator[Reason]:
    rules = progress.rules
    opened = progress.position.opened is not Opened.NO
    yield rules.reason("layoff.opened", opened)
    if progress.opened_now:
        yield rules.reason("layoff.opening_turn", rules.flag("layoff.opening_turn"), knob="layoff.opening_turn")


def _whose(progress: Progress, meld: TableMeld, slot: Slot) -> tuple[list[Reason], tuple[str, ...]]:
    """Rules that ask whose formation it is; and both answers where they differ and the owner is not known."""
    position, rules = progress.position, progress.rules
    on_pairs = position.opened is Opened.PAIRS  # then no run and no set can be his own
    known = on_pairs or bool(position.player and meld.owner)
    own = bool(position.player) and meld.owner == position.player
    tests: list[tuple[str, str, bool, bool]] = []
    if position.deal.is_wild(slot.piece) and slot.plays_as != slot.piece:
        allowed = rules.choice("joker.layoff")
        tests.append(("layoff.joker", "joker.layoff", allowed != "none", allowed == "any"))
    if on_pairs:
        allowed = rules.choice("layoff.pairs_opener")
        tests.append(("layoff.pairs_opener", "layoff.pairs_opener", allowed == "any", allowed != "none"))
    reasons: list[Reason] = []
    unknown: tuple[str, ...] = ()
    for code, knob, on_own, on_others in tests:
        if not known and on_own != on_others:
            reasons.append(rules.reason("layoff.whose", Outcome.NOTE, knob=knob))
            name = position.player or "?"
            unknown = (f"owner: {name}", f"owner: not {name}")
        else:
            reasons.append(rules.reason(code, on_own if own else on_others, knob=knob, tiles=(slot,)))
    return reasons, unknown


def grown_with(deal: Deal, meld: TableMeld, slot: Slot) -> tuple[TableMeld, list[Reason], tuple[str, ...]]:
    """The formation with the tile; why it fits or not; the readings between which the player must choose."""
    rules = deal.rules
    if meld.kind is Kind.PAIR:
        return meld, [rules.reason("layoff.pair", outcome=False, tiles=meld.slots)], ()
    fits = {reading: with_tile(deal, reading, slot) for reading in meld.readings}
    readings = tuple(dict.fromkeys(grown for found in fits.values() for grown in found))
    if not readings:
        refused = judge_meld(deal, (*meld.slots, slot)).verdict.reasons
        failed = [reason for reason in refused if reason.outcome is Outcome.FAIL]
        values = {"meld": meld_text(deal, meld)}
        return meld, [rules.reason("layoff.fits", outcome=False, values=values, tiles=(slot,)), *failed], ()
    grown = TableMeld(readings, meld.owner)
    passed = rules.reason("layoff.fits", outcome=True, values={"meld": meld_text(deal, grown)}, tiles=(slot,))
    note, undecided = _undecided(deal, meld, chosen=sum(bool(found) for found in fits.values()))
    return grown, [passed, *note], undecided


def may_touch(meld: TableMeld, tile: Tile) -> bool:
    """Whether the tile could stand beside this formation at all: a quick look before anything is judged."""
    first, last = meld.slots[0].plays_as, meld.slots[-1].plays_as
    if meld.kind is Kind.PAIR or first is None or last is None:
        return False
    if meld.kind is Kind.SET:
        return tile.number == first.number
    before, after = (first.number - 2) % TOP_NUMBER + 1, last.number % TOP_NUMBER + 1
    return tile.colour is first.colour and (len(meld.readings) > 1 or tile.number in {before, after})


def _undecided(deal: Deal, meld: TableMeld, chosen: int) -> tuple[list[Reason], tuple[str, ...]]:
    """What an undeclared joker leaves open when only some readings take the tile.

    In a set either missing colour will do, and the joker is the other one from then on; in a run the player must say.
    """
    if chosen == len(meld.readings):
        return [], ()
    texts = tuple(str(reading) for reading in meld.readings)
    values = {"readings": " / ".join(texts)}
    if meld.kind is Kind.SET:
        return [deal.rules.reason("layoff.either_colour", Outcome.NOTE, values=values)], ()
    return [deal.rules.reason("layoff.which", Outcome.NOTE, values=values)], texts


# --- recovering a joker ----------------------------------------------------------------------------------------------


def _may_swap(progress: Progress) -> Iterator[Reason]:
    rules = progress.rules
    yield rules.reason("swap.recover", rules.choice("joker.recover") != "none", knob="joker.recover")
    yield rules.reason("swap.opened", progress.position.opened is not Opened.NO)
    if progress.opened_now:
        allowed = rules.flag("joker.recover_opening_turn")
        yield rules.reason("swap.opening_turn", allowed, knob="joker.recover_opening_turn")


def _without_joker(
    progress: Progress, meld: TableMeld, tile: Piece
) -> tuple[tuple[TableMeld, Piece] | None, list[Reason], tuple[str, ...]]:
    """The formation with the tile in the joker's place, and the joker; what was tested; readings to choose from."""
    rules = progress.rules
    jokers = tuple(slot for slot in meld.slots if stands_in(slot))
    reasons = [rules.reason("swap.joker", bool(jokers), tiles=jokers or meld.slots)]
    if not jokers:
        return None, reasons, ()
    places = {reading: joker_for(reading, tile) for reading in meld.readings}
    exact = {reading: place for reading, place in places.items() if place is not None}
    stands_for = dict.fromkeys(
        str(slot.plays_as) for reading in meld.readings for slot in reading.slots if stands_in(slot)
    )
    reasons.append(
        rules.reason("swap.exact", bool(exact), values={"stands_for": " / ".join(stands_for)}, tiles=(tile,))
    )
    if not exact:
        return None, reasons, ()
    reading, place = next(iter(exact.items()))
    joker = reading.slots[place].piece
    recover = rules.choice("joker.recover")
    if recover == "once":
        white = isinstance(joker, Joker) and joker.white
        reasons.append(rules.reason("swap.white", not white, knob="joker.recover", tiles=(joker,)))
    left = TableMeld(tuple(with_joker_given(reading, place, tile) for reading, place in exact.items()), meld.owner)
    note, undecided = ([], ()) if recover == "none" else _undecided(progress.position.deal, meld, chosen=len(exact))
    return (left, joker), [*reasons, *note], undecided


def freed_joker(progress: Progress, meld: TableMeld, tile: Piece) -> tuple[TableMeld, Piece] | None:
    """The formation with the tile in a joker's place, and the joker as it comes into the hand; None if it may not."""
    freed, reasons, _ = _without_joker(progress, meld, tile)
    return None if freed is None or not is_fine(reasons) else (freed[0], _taken_back(progress.rules, freed[1]))


def _taken_back(rules: Ruleset, joker: Piece) -> Piece:
    """Where a joker is bought only once, the bought one turns white."""
    return Joker(white=True) if isinstance(joker, Joker) and rules.choice("joker.recover") == "once" else joker
