"""How a turn ends: the discard, a close, a won board; and what is said or shown on the way."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from remi_ref.opening.win import judge_win
from remi_ref.play.progress import Judged, Progress, from_hand, in_order, is_fine, not_over
from remi_ref.score.finished import Opened
from remi_ref.tiles import Joker, Slot, Tile
from remi_ref.verdict import Outcome, Reason, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remi_ref.play.actions import Announce, Discard, Show, Win
    from remi_ref.tiles import Piece


def discard(progress: Progress, action: Discard) -> Judged:
    """The tile put down; it stays there even where it should not have been."""
    rules = progress.rules
    if progress.discarded is not None or progress.out:
        return Judged(Verdict((rules.reason("turn.one_discard", outcome=False, tiles=(action.tile,)),)), progress)
    after, spent, held = from_hand(progress, [action.tile])
    if not is_fine(held):
        return Judged(Verdict((*in_order(progress), *held)), progress)
    tile = spent[0]
    about_joker, undecided = _joker(progress, tile)
    out = after.position.count == 0
    closing = tuple(_closing(progress, tile)) if out else ()
    position = replace(after.position, row=(*after.position.row, tile))
    done = replace(after, position=position, discarded=tile, out=out)
    return Judged(Verdict((*in_order(progress), *held, *about_joker, *closing), undecided), done)


def win(progress: Progress, action: Win) -> Judged:
    """The last tile on the indicator; a false announcement is taken back and play goes on."""
    rules = progress.rules
    if rules.choice("melds.pairs") != "win":
        return Judged(Verdict((rules.reason("close.no_win", outcome=False),)), progress)
    after, spent, held = from_hand(progress, [action.tile])
    reasons = [*in_order(progress), *held]
    hand = after.position.hand
    if not is_fine(reasons):
        return Judged(Verdict(tuple(reasons)), progress)
    won = replace(after, discarded=spent[0], out=True)
    if hand is None or after.position.unseen:
        reasons.append(rules.reason("close.board_hidden", Outcome.NOTE))
        return Judged(Verdict(tuple(reasons), ("won", "not won")), won)
    size = rules.number("deal.hand")
    if len(hand) != size:
        values = {"count": len(hand), "needed": size}
        return Judged(Verdict((*reasons, rules.reason("win.count", outcome=False, values=values))), progress)
    verdict = judge_win(progress.position.deal, [tuple(Slot(piece) for piece in hand)], Slot(spent[0])).verdict
    reasons += verdict.reasons
    return Judged(Verdict(tuple(reasons), verdict.open), won if is_fine(reasons) else progress)


def announce(progress: Progress, action: Announce) -> Judged:
    """``atu``: the twin of the turned tile was dealt to me; ``three``: I have three tiles or fewer."""
    about = [*_said_before(progress), *_announce_atu(progress)] if action.what == "atu" else _announce_three(progress)
    reasons = tuple(about)
    if is_fine(reasons):
        progress = replace(progress, announced=(*progress.announced, action.what))
    return Judged(Verdict(reasons), progress)


def show(progress: Progress, action: Show) -> Judged:
    """The indicator's twin, shown in the first lap; it goes back to the hand."""
    rules, position = progress.rules, progress.position
    way = rules.choice("atu.announce")
    reasons = [rules.reason("announce.show", way == "first-lap", knob="atu.announce", tiles=(action.tile,))]
    if way == "first-lap":
        values = {"turn": position.turn}
        reasons.append(rules.reason("announce.first_lap", position.turn == 1, knob="atu.announce", values=values))
    reasons += [
        *_said_before(progress),
        *_is_twin(progress, action.tile),
        *_dealt(progress, action.tile),
        *not_over(progress),
    ]
    _, _, held = from_hand(progress, [action.tile])
    reasons += held
    if is_fine(reasons):
        progress = replace(progress, announced=(*progress.announced, "atu"))
    return Judged(Verdict(tuple(reasons)), progress)


def ending(progress: Progress) -> Iterator[Reason]:
    """What the end of the turn asks for: a tile put down, and a word when few are left."""
    rules, count = progress.rules, progress.position.count
    yield rules.reason("turn.discarded", progress.discarded is not None or progress.out)
    limit = rules.limit("announce_at")
    if limit is not None and count is not None and 0 < count <= limit and "three" not in progress.announced:
        values = {"count": count, "limit": limit}
        yield rules.reason("announce.reminder", Outcome.NOTE, knob="announce_at", values=values)


# --- the discard -----------------------------------------------------------------------------------------------------


def _joker(progress: Progress, tile: Piece) -> tuple[list[Reason], tuple[str, ...]]:
    """Whether this joker may be put down; open where it hangs on a hand that is not known."""
    rules, position = progress.rules, progress.position
    if not position.deal.is_wild(tile):
        return [], ()
    if rules.choice("joker.discard") == "free":
        return [rules.reason("discard.joker_free", Outcome.PASS, knob="joker.discard", tiles=(tile,))], ()
    only_jokers = all(position.deal.is_wild(piece) for piece in position.hand or ())
    if only_jokers and (position.hand is None or position.unseen):
        return [rules.reason("discard.joker_unknown", Outcome.NOTE, knob="joker.discard")], ("J", "J + ?")
    return [rules.reason("discard.joker", only_jokers, knob="joker.discard", tiles=position.hand or ())], ()


def _closing(progress: Progress, tile: Piece) -> Iterator[Reason]:
    """That the player is out, and what kind of close it is."""
    rules = progress.rules
    yield rules.reason("close.out", Outcome.PASS, knob="close.must_discard", tiles=(tile,))
    if progress.position.deal.is_wild(tile) and rules.choice("close.joker") != "none":
        yield rules.reason("close.joker", Outcome.NOTE, knob="close.joker", tiles=(tile,))
    if isinstance(tile, Tile) and tile.number == 1 and rules.flag("close.ace_doubles"):
        yield rules.reason("close.ace", Outcome.NOTE, knob="close.ace_doubles", tiles=(tile,))
    if rules.choice("close.in_hand") != "none" and is_in_hand(progress):
        yield rules.reason("close.in_hand", Outcome.NOTE, knob="close.in_hand")


def is_in_hand(progress: Progress) -> bool:
    """Whether going out now is a close from the hand: nobody had opened before this turn, and nothing lay there."""
    before = progress.before
    nobody = before.opened is Opened.NO and all(opened is Opened.NO for _, opened in before.others)
    return nobody and not before.table


# --- announcements ---------------------------------------------------------------------------------------------------


def _announce_atu(progress: Progress) -> Iterator[Reason]:
    rules, position = progress.rules, progress.position
    way, turned = rules.choice("atu.announce"), position.deal.turned
    if way == "none":
        if rules.number("atu.bonus"):
            yield rules.reason("announce.not_needed", Outcome.NOTE, knob="atu.announce")
        else:
            yield rules.reason("announce.no_atu", outcome=False, knob="atu.bonus")
        return
    if way == "before-first-draw":
        early = position.turn == 1 and not progress.drew and progress.discarded is None
        yield rules.reason("announce.before_draw", early, knob="atu.announce", values={"turn": position.turn})
    else:
        values = {"turn": position.turn}
        yield rules.reason("announce.first_lap", position.turn == 1, knob="atu.announce", values=values)
    if turned is None:
        yield rules.reason("announce.turned_unknown", Outcome.NOTE)
        return
    yield from _is_twin(progress, turned)
    yield from _dealt(progress, turned)
    _, _, held = from_hand(progress, [turned])
    yield from held


def _said_before(progress: Progress) -> Iterator[Reason]:
    """There is one twin, so it is announced or shown once."""
    if "atu" in progress.announced:
        yield progress.rules.reason("play.twin", outcome=False, values={"player": progress.position.player or "-"})


def _is_twin(progress: Progress, tile: Piece) -> Iterator[Reason]:
    """The same tile as the turned one; a joker has no number and colour, so a table must allow it to have a twin."""
    rules, turned = progress.rules, progress.position.deal.turned
    tiles = (tile,) if turned is None else (turned,)
    yield rules.reason("announce.twin", tile == turned, knob="atu.bonus", tiles=tiles)
    if isinstance(turned, Joker):
        yield rules.reason("announce.joker_twin", rules.flag("atu.joker_twin"), knob="atu.joker_twin", tiles=(turned,))


def _dealt(progress: Progress, tile: Piece) -> Iterator[Reason]:
    """Where only a dealt twin counts, it was in the hand before the first draw."""
    hand = progress.before.hand
    if progress.rules.flag("atu.dealt_only") and hand is not None and progress.position.turn == 1:
        yield progress.rules.reason("announce.dealt", tile in hand, knob="atu.dealt_only", tiles=(tile,))


def _announce_three(progress: Progress) -> Iterator[Reason]:
    rules, count = progress.rules, progress.position.count
    limit = rules.limit("announce_at")
    if limit is None:
        yield rules.reason("announce.not_asked", Outcome.NOTE, knob="announce_at")
    elif count is not None:
        left = count if progress.discarded is not None else count - 1
        values = {"count": max(left, 0), "limit": limit}
        yield rules.reason("announce.three", left <= limit, knob="announce_at", values=values)
