"""What is added to a count: the twin of the turned tile, doublings, fines, the cap."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remi_ref.score.counting import is_ace
from remi_ref.score.finished import Opened, Twin
from remi_ref.score.roundcheck import has_opening
from remi_ref.tiles import Joker, Tile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remi_ref.rules.deal import Deal
    from remi_ref.score.counting import Count
    from remi_ref.score.finished import Side
    from remi_ref.verdict import ScoreLine


def double_game(deal: Deal) -> bool:
    """Whether the turned tile doubles the round for everybody."""
    doubling = deal.rules.words("double_game")
    if isinstance(deal.turned, Joker):
        return "joker" in doubling
    return isinstance(deal.turned, Tile) and deal.turned.number == 1 and "ace" in doubling


def twin_lines(count: Count, side: Side) -> Iterator[ScoreLine]:
    """What the twin of the turned tile brings its holder, or costs the others."""
    bonus, paid_by = count.deal.rules.number("atu.bonus"), count.deal.rules.choice("atu.paid_by")
    for holder in (other for other in count.finished.sides if other.twin is not None):
        barred = _twin_barred(count, holder)
        others = len(count.finished.sides) - 1
        if holder.name != side.name:
            if barred is None and paid_by != "bank":
                yield count.line("score.twin_paid", -bonus, "atu.paid_by", {"player": holder.name})
        elif barred is not None:
            yield count.line(barred[0], 0, barred[1])
        elif paid_by == "bank":
            unopened = has_opening(count.deal) and side.opened is Opened.NO
            yield count.line("score.twin_unopened" if unopened else "score.twin", bonus, "atu.bonus")
        else:
            gain = bonus * others if paid_by == "opponents" else 0
            yield count.line("score.twin_from_others", gain, "atu.paid_by", {"each": bonus, "others": others})


def _twin_barred(count: Count, side: Side) -> tuple[str, str] | None:
    """Why the twin earns nothing, as code and rule; None when it earns."""
    rules = count.deal.rules
    if isinstance(count.deal.turned, Joker) and not rules.flag("atu.joker_twin"):
        return "score.twin_joker", "atu.joker_twin"
    if side.twin is Twin.DRAWN and rules.flag("atu.dealt_only"):
        return "score.twin_drawn", "atu.dealt_only"
    if side.twin is not Twin.ANNOUNCED and rules.choice("atu.announce") != "none":
        return "score.twin_silent", "atu.announce"
    return None


def doublings(count: Count, side: Side) -> Iterator[tuple[str, str]]:
    """Codes and rules of what doubles this player's count so far, each on top of the one before."""
    rules, tile = count.deal.rules, count.finished.closing_tile
    closes = count.closes(side)
    if count.method != "losses" and tile is not None:
        who = rules.choice("close.joker") if count.deal.is_wild(tile) else "none"
        if who == "everyone" or (who == "closer" and closes):
            yield _joker_close(count, side), "close.joker"
        if closes and is_ace(tile) and rules.flag("close.ace_doubles"):
            yield "score.ace_close", "close.ace_doubles"
    if count.finished.in_hand:
        yield ("score.in_hand" if closes else "score.in_hand_other"), "close.in_hand"


def closing_unnamed(count: Count, side: Side) -> Iterator[ScoreLine]:
    """That the closing tile was not named, where the tile may double; it counts as one that does not."""
    rules = count.deal.rules
    if count.method == "losses" or not count.closes(side) or count.finished.closing_tile is not None:
        return
    if rules.choice("close.joker") != "none":
        yield count.line("score.closing_unnamed", 0, "close.joker")
    elif rules.flag("close.ace_doubles"):
        yield count.line("score.closing_unnamed", 0, "close.ace_doubles")


def _joker_close(count: Count, side: Side) -> str:
    if count.finished.in_hand:
        return "score.joker_in_hand"
    if count.closes(side):
        return "score.joker_close"
    return "score.joker_closed_unopened" if side.opened is Opened.NO else "score.joker_closed"


def double_game_line(count: Count, lines: list[ScoreLine]) -> ScoreLine:
    """The double game; beside another doubling, or on a loss, it may rest on other ground."""
    total = sum(line.points for line in lines)
    closed = any(line.code in {"score.joker_close", "score.ace_close"} for line in lines)
    code = "score.double_game_close" if closed else "score.double_game_loss" if total < 0 else "score.double_game"
    return count.line(code, total, "double_game")


def fine_lines(count: Count, side: Side) -> Iterator[ScoreLine]:
    """What wrong openings and closes cost, where a table fines them."""
    for code, times in (("wrong_open", side.wrong_opens), ("wrong_close", side.wrong_closes)):
        if times:
            fine = count.deal.rules.number(f"{code}_penalty")
            yield count.line(f"score.{code}", -fine * times, f"{code}_penalty", {"times": times, "each": fine})


def cap_lines(count: Count, total: int) -> Iterator[ScoreLine]:
    """What a loss exceeds the most that one can lose in a round."""
    cap = count.deal.rules.limit("loss_cap")
    if cap is not None and total < cap:
        yield count.line("score.cap", cap - total, "loss_cap", {"cap": cap, "total": total})
