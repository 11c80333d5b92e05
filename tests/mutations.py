"""Legal turns spoilt in one point each, with the code that must then fail."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from remi_ref.melds import Kind, stands_in
from remi_ref.opening.moment import points_needed
from remi_ref.play.actions import Add, Discard, Draw, Lay, Show, Swap, Take, TakeAtu, Win
from remi_ref.play.laying import moment_of
from remi_ref.play.position import TableMeld, find
from remi_ref.play.turn import start
from remi_ref.score.finished import Opened
from remi_ref.tiles import TOP_NUMBER, Colour, Joker, Slot, Tile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remi_ref.play.actions import Action
    from remi_ref.play.position import Position
    from remi_ref.play.turn import TurnVerdict
    from remi_ref.tiles import Piece

    Mutation = tuple[str, Position, list[Action]]


def mutations(verdict: TurnVerdict) -> Iterator[Mutation]:
    """Every way this turn can be spoilt: the code to fail, the position and the actions."""
    before, actions = verdict.progress.before, [step.action for step in verdict.steps]
    yield from _order(before, actions)
    yield from _taking(before, actions)
    yield from _laying(before, actions, verdict)
    yield from _layoffs(before, actions, verdict)
    yield from _endings(before, actions, verdict)


def _without(actions: list[Action], index: int) -> list[Action]:
    return [*actions[:index], *actions[index + 1 :]]


def _instead(actions: list[Action], index: int, action: Action) -> list[Action]:
    return [*actions[:index], action, *actions[index + 1 :]]


def _first(actions: list[Action], kind: type[Action]) -> int | None:
    return next((index for index, action in enumerate(actions) if isinstance(action, kind)), None)


def _own(position: Position, actions: list[Action]) -> set[Piece | None]:
    """What is in the hand or is drawn: all that can be discarded before anything is laid."""
    return {*(position.hand or ()), *(action.tile for action in actions if isinstance(action, Draw | TakeAtu))}


def _not_held(position: Position, actions: list[Action]) -> Tile:
    """A tile that is neither in the hand nor comes into it."""
    came = {*_own(position, actions), *position.row}
    return next(tile for tile in map(_numbered, range(52)) if tile not in came)


def _order(before: Position, actions: list[Action]) -> Iterator[Mutation]:
    drawn = _first(actions, Draw)
    taken = _first(actions, Take)
    index = drawn if drawn is not None else taken
    if index is not None:
        yield "turn.one_draw", before, [*actions[: index + 1], Draw(), *actions[index + 1 :]]
        if _first(actions, TakeAtu) is None:
            yield "turn.draw_first", before, _without(actions, index)
    if before.starts:
        yield "turn.starter", before, [Draw(), *actions]
    last = _first(actions, Discard)
    if last is not None:
        yield "turn.discarded", before, _without(actions, last)
        yield "turn.one_discard", before, [*actions, actions[last]]
        lay, ended = _first(actions, Lay), actions[last]
        assert isinstance(ended, Discard)
        if lay is not None and ended.tile in _own(before, actions):
            early = _without(actions, last)
            yield "turn.after_discard", before, [*early[:lay], ended, *early[lay:]]
        yield "turn.held", before, _instead(actions, last, Discard(_not_held(before, actions)))


def _taking(before: Position, actions: list[Action]) -> Iterator[Mutation]:
    rules, index = before.deal.rules, _first(actions, Take)
    if len(before.row) > 1 and not before.starts:
        older = Take(before.row[-2], 2)
        rest = [action for action in actions if not isinstance(action, Draw | Take)]
        if rules.choice("take.source") == "previous":
            yield "take.previous", before, [older, *rest]
        elif before.opened is Opened.NO:
            yield "take.deep", before, [older, *rest]
    if before.row and not before.starts:
        absent = next(tile for tile in map(_numbered, range(52)) if tile not in before.row)
        yield "take.there", before, [Take(absent)]
        if rules.flag("take.first_discard_dead"):
            yield "take.first_discard", before, [Take(before.row[0], len(before.row))]
        if not rules.flag("take.first_round") and before.turn == 1:
            yield "take.first_round", before, [Take(before.row[-1])]
    if index is not None and rules.choice("take.must_use") != "none":
        code = "take.used" if rules.choice("take.must_use") == "formation" else "take.used_new"
        yield code, before, [actions[index]]


def _numbered(index: int) -> Tile:
    return Tile(tuple(Colour)[index // TOP_NUMBER], index % TOP_NUMBER + 1)


def _laying(before: Position, actions: list[Action], verdict: TurnVerdict) -> Iterator[Mutation]:
    rules, index = before.deal.rules, _first(actions, Lay)
    if index is None:
        return
    lay = actions[index]
    assert isinstance(lay, Lay)
    if (spoilt := _run_of_two_colours(lay)) is not None:
        yield "meld.run_colour", before, _instead(actions, index, spoilt)
    opened = verdict.progress.position.opened
    if before.opened is Opened.NO:
        if not rules.flag("opening.first_turn_allowed") and not before.starter:
            yield "opening.first_turn", replace(before, turn=1), actions
        lays = [action for action in actions if isinstance(action, Lay)]
        if len(lays) == 1 and rules.flag("opening.single_turn"):
            yield from _too_little(before, actions, index, opened)
    elif opened is Opened.MELDS and any(len(meld) > 2 for meld in lay.melds):
        yield "lay.pairs_opener", replace(before, opened=Opened.PAIRS), actions


def _run_of_two_colours(lay: Lay) -> Lay | None:
    """The same formations, one run with a tile in another colour."""
    for place, meld in enumerate(lay.melds):
        plain = all(isinstance(slot.piece, Tile) and not stands_in(slot) for slot in meld)
        colours = {slot.piece.colour for slot in meld if isinstance(slot.piece, Tile)}
        if plain and len(meld) > 3 and len(colours) == 1:
            tile = meld[0].piece
            assert isinstance(tile, Tile)
            laid = [slot.piece for meld in lay.melds for slot in meld]
            others = [Tile(colour, tile.number) for colour in Colour if colour is not tile.colour]
            other = next((other for other in others if other not in laid), None)
            if other is None:
                continue  # a third copy would be no tile of the box
            return Lay((*lay.melds[:place], (Slot(other, other), *meld[1:]), *lay.melds[place + 1 :]))
    return None


def _too_little(before: Position, actions: list[Action], index: int, opened: Opened) -> Iterator[Mutation]:
    """The opening cut down to its first formation, where that is too little."""
    lay = actions[index]
    assert isinstance(lay, Lay)
    less = Lay(lay.melds[:1])
    if opened is Opened.PAIRS:
        yield "opening.pairs", before, _instead(actions, index, less)
        return
    needed = points_needed(before.deal, moment_of(start(before)))
    if len(lay.melds) > 1 and len(less.melds[0]) * 25 < needed:
        yield "opening.points", before, _instead(actions, index, less)


def _layoffs(before: Position, actions: list[Action], verdict: TurnVerdict) -> Iterator[Mutation]:
    rules = before.deal.rules
    index = _first(actions, Add)
    if index is not None:
        add = actions[index]
        assert isinstance(add, Add)
        if before.opened is not Opened.NO and _first(actions[:index], Lay) is None:
            yield "layoff.opened", replace(before, opened=Opened.NO), actions[: index + 1]
        wrong = _misfit(add)
        yield "layoff.fits", before, _instead(actions, index, Add(Slot(wrong, wrong), add.to))
        yield "layoff.there", before, _instead(actions, index, Add(add.tile, (Slot(wrong, wrong),) * 3))
        if rules.choice("joker.layoff") == "none":
            yield "layoff.joker", before, _instead(actions, index, Add(Slot(Joker(), add.tile.plays_as), add.to))
    index = _first(actions, Swap)
    if index is not None:
        swap = actions[index]
        assert isinstance(swap, Swap)
        if before.opened is not Opened.NO and _first(actions[:index], Lay) is None:
            yield "swap.opened", replace(before, opened=Opened.NO), actions[: index + 1]
        tile = swap.tile.piece
        assert isinstance(tile, Tile)
        colours = tuple(Colour)  # another colour and number: a second joker may stand for the next of either
        other = Tile(colours[(colours.index(tile.colour) + 1) % len(colours)], tile.number % TOP_NUMBER + 1)
        yield "swap.exact", before, _instead(actions, index, Swap(Slot(other, other), swap.into))
        place = find(before, swap.into)
        if rules.choice("joker.recover") == "once" and place is not None:
            yield "swap.white", _with_white(before, place), actions
    opening = verdict.progress.opened_now and before.table
    if opening and not rules.flag("layoff.opening_turn"):
        meld = next((meld for meld in before.table if meld.kind is Kind.RUN), None)
        end = meld.slots[-1].plays_as if meld is not None else None
        if meld is not None and end is not None:
            late = Add(Slot(Tile(end.colour, end.number % TOP_NUMBER + 1)), meld.slots)
            yield "layoff.opening_turn", before, [*actions[:-1], late, actions[-1]]


def _misfit(add: Add) -> Tile:
    """A tile that fits the formation nowhere: another colour in a run, another number in a set."""
    tiles = [slot.plays_as for slot in add.to if slot.plays_as is not None]
    if len({tile.number for tile in tiles}) == 1:
        return Tile(tiles[0].colour, (tiles[0].number + 5) % TOP_NUMBER + 1)
    return Tile(next(colour for colour in Colour if colour is not tiles[0].colour), tiles[0].number)


def _with_white(position: Position, place: int) -> Position:
    """The position with the jokers of one formation white."""
    meld = position.table[place]
    readings = tuple(reading._replace(slots=tuple(map(_whitened, reading.slots))) for reading in meld.readings)
    white = TableMeld(readings, meld.owner)
    return replace(position, table=(*position.table[:place], white, *position.table[place + 1 :]))


def _whitened(slot: Slot) -> Slot:
    return Slot(Joker(white=True), slot.plays_as) if isinstance(slot.piece, Joker) else slot


def _endings(before: Position, actions: list[Action], verdict: TurnVerdict) -> Iterator[Mutation]:
    rules, progress = before.deal.rules, verdict.progress
    hand, last = before.hand or (), actions[-1]
    kept = progress.out and rules.flag("close.must_discard") and isinstance(actions[-2:][0], Lay | Add)
    if kept and isinstance(last, Discard) and last.tile in hand:
        yield "close.keep_one", replace(before, hand=_removed(hand, last.tile)), actions[:-1]
    if progress.atu is not None and rules.choice("take.atu") == "closing":
        yield "take.atu_closing", replace(before, hand=(*hand, _spare(before))), actions
    if rules.choice("joker.discard") == "last-resort" and not progress.out and Joker() in hand and len(hand) > 2:
        others = [piece for piece in hand if not isinstance(piece, Joker)]
        if others and isinstance(actions[0], Draw):
            yield "discard.joker", before, [actions[0], Discard(Joker())]
    if any(isinstance(action, Show) for action in actions):
        yield "announce.first_lap", replace(before, turn=2, starter=False), actions
    if rules.choice("melds.pairs") != "win" and not progress.out:
        yield "close.no_win", before, [*actions[:-1], _win(last)]


def _win(last: Action) -> Action:
    assert isinstance(last, Discard)
    return Win(last.tile)


def _removed(hand: tuple[Piece, ...], piece: Piece) -> tuple[Piece, ...]:
    index = hand.index(piece)
    return (*hand[:index], *hand[index + 1 :])


def _spare(before: Position) -> Tile:
    """A numbered tile of which fewest are seen on the table or in the hand."""
    laid = (slot.piece for meld in before.table for slot in meld.slots)
    seen = Counter([*laid, *(before.hand or ()), *before.row, before.deal.turned])
    return min(map(_numbered, range(52)), key=seen.__getitem__)
