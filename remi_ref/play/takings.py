"""How a turn begins: a tile from the stock, from the discards, the turned tile, or the joker button."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from remi_ref.opening.judging import when_reason
from remi_ref.opening.moment import Moment, turn_allows
from remi_ref.play.position import with_tiles
from remi_ref.play.progress import Judged, Progress, not_over
from remi_ref.score.finished import Opened
from remi_ref.tiles import Joker
from remi_ref.verdict import Outcome, Reason, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remi_ref.play.actions import Button, Draw, Take, TakeAtu
    from remi_ref.tiles import Piece


def draw(progress: Progress, action: Draw) -> Judged:
    """A tile from the stock; a second one stays there."""
    reasons = tuple(_one_draw(progress))
    if not progress.drew:
        position = progress.position
        if action.tile is not None:
            position = with_tiles(position, (action.tile,))
        elif position.hand is not None:
            position = replace(position, unseen=position.unseen + 1)
        progress = replace(progress, position=position, drew=True)
    return Judged(Verdict(reasons), progress)


def button(progress: Progress, _: Button) -> Judged:
    """A joker by the button, once a round and in place of the draw."""
    rules = progress.rules
    reasons = (
        rules.reason("take.button", rules.flag("joker.button"), knob="joker.button"),
        rules.reason("take.button_once", not progress.position.button_used, knob="joker.button"),
        *_one_draw(progress),
    )
    if not progress.drew:
        position = replace(with_tiles(progress.position, (Joker(),)), button_used=True)
        progress = replace(progress, position=position, drew=True)
    return Judged(Verdict(reasons), progress)


def take(progress: Progress, action: Take) -> Judged:
    """A tile from the discards; what lies above it comes along."""
    row = progress.position.row
    index = _place(row, action)
    reasons = [*_one_draw(progress), *_first_round(progress), *_no_opening_yet(progress)]
    reasons.append(progress.rules.reason("take.there", index is not None, tiles=(action.tile,)))
    if index is None:
        return Judged(Verdict(tuple(reasons)), progress)
    reasons += _depth(progress, index, action.tile)
    if progress.rules.choice("take.must_use") == "none":
        reasons.append(progress.rules.reason("take.free", Outcome.NOTE, knob="take.must_use", tiles=(action.tile,)))
    if not progress.drew:
        position = replace(with_tiles(progress.position, row[index:]), row=row[:index])
        progress = replace(progress, position=position, drew=True, taken=row[index])
    return Judged(Verdict(tuple(reasons)), progress)


def take_atu(progress: Progress, action: TakeAtu) -> Judged:
    """The turned tile, with the draw or in place of it; that the player goes out is seen at the end of the turn."""
    rules, position = progress.rules, progress.position
    there = rules.choice("turned_tile") == "atu" and position.atu_there and position.deal.turned == action.tile
    reasons = [
        *not_over(progress),
        rules.reason("take.atu", rules.choice("take.atu") != "never", knob="take.atu", tiles=(action.tile,)),
        rules.reason("take.atu_there", there, knob="turned_tile", tiles=(action.tile,)),
    ]
    if there:
        position = replace(with_tiles(position, (action.tile,)), atu_there=False)
        progress = replace(progress, position=position, atu=action.tile)
    return Judged(Verdict(tuple(reasons)), progress)


def duties(progress: Progress) -> Iterator[Reason]:
    """What a player owes at the end of the turn for the tiles he took."""
    rules = progress.rules
    must_use = rules.choice("take.must_use")
    if progress.taken is not None and must_use != "none":
        used = progress.taken_laid or (must_use == "formation" and progress.taken_added)
        code = "take.used" if must_use == "formation" else "take.used_new"
        yield rules.reason(code, used, knob="take.must_use", tiles=(progress.taken,))
    if progress.atu is not None:
        if rules.choice("take.atu") == "closing":
            goes_out = Outcome.NOTE if progress.position.hand is None else progress.out
            yield rules.reason("take.atu_closing", goes_out, knob="take.atu", tiles=(progress.atu,))
        yield rules.reason("take.atu_laid", progress.atu_laid, knob="take.atu", tiles=(progress.atu,))


def duty_ahead(progress: Progress) -> Iterator[Reason]:
    """What a player who has just taken a tile must still do with it, in advance."""
    rules, must_use = progress.rules, progress.rules.choice("take.must_use")
    if progress.taken is not None and must_use != "none":
        opened = progress.position.opened is not Opened.NO
        nowhere = isinstance(progress.taken, Joker) and rules.choice("joker.layoff") == "none"
        anywhere = must_use == "formation" and not nowhere
        code = "take.must_open" if not opened else "take.must" if anywhere else "take.must_new"
        yield rules.reason(code, Outcome.NOTE, knob="take.must_use", tiles=(progress.taken,))


def _one_draw(progress: Progress) -> Iterator[Reason]:
    rules = progress.rules
    if progress.position.starts:
        yield rules.reason("turn.starter", Outcome.FAIL)
    yield rules.reason("turn.one_draw", not progress.drew)
    yield from not_over(progress)


def _first_round(progress: Progress) -> Iterator[Reason]:
    rules, turn = progress.rules, progress.position.turn
    allowed = turn > 1 or rules.flag("take.first_round")
    yield rules.reason("take.first_round", allowed, knob="take.first_round", values={"turn": turn})


def _no_opening_yet(progress: Progress) -> Iterator[Reason]:
    """Refuses a tile that must go into an opening, in a turn in which nobody may open."""
    position, moment = progress.position, Moment(turn=progress.position.turn, starter=progress.position.starter)
    must_open = position.opened is Opened.NO and progress.rules.choice("take.must_use") != "none"
    if must_open and not turn_allows(position.deal, moment):
        yield when_reason(position.deal, moment)


def _place(row: tuple[Piece, ...], action: Take) -> int | None:
    """Where in the row the tile lies."""
    if action.from_top is not None:
        index = len(row) - action.from_top
        return index if 0 <= index < len(row) and _alike(row[index], action.tile) else None
    return next((index for index in reversed(range(len(row))) if _alike(row[index], action.tile)), None)


def _alike(piece: Piece, named: Piece) -> bool:
    return piece == named or (isinstance(piece, Joker) and isinstance(named, Joker))


def _depth(progress: Progress, index: int, tile: Piece) -> Iterator[Reason]:
    """Which tile of the row this player may have."""
    rules, position = progress.rules, progress.position
    above = position.row[index + 1 :]
    values = {"above": len(above)}
    if rules.choice("take.source") == "previous":
        yield rules.reason("take.previous", not above, knob="take.source", values=values, tiles=(tile,))
    elif not above:
        yield rules.reason("take.top", Outcome.PASS, knob="take.source", tiles=(tile,))
    else:
        deep = rules.choice("take.deep") == "opened" and position.opened is not Opened.NO
        yield rules.reason("take.deep", deep, knob="take.deep", values=values, tiles=(tile,))
        yield from _hand_for_deep(progress)
        yield rules.reason("take.along", Outcome.NOTE, knob="take.deep", tiles=above)
    if index == 0:
        dead = rules.flag("take.first_discard_dead")
        yield rules.reason("take.first_discard", not dead, knob="take.first_discard_dead", tiles=(tile,))


def _hand_for_deep(progress: Progress) -> Iterator[Reason]:
    least, count = progress.rules.number("take.deep_min_hand"), progress.position.count
    if least and count is not None:
        values = {"count": count, "least": least}
        yield progress.rules.reason("take.deep_min_hand", count >= least, knob="take.deep_min_hand", values=values)
