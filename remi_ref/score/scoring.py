"""Round points, line by line; a total is nothing but the sum of its lines.

Public interface:
    score_round(deal, finished) -> tuple[Score, ...]    every player's lines, in table order
    judge_round(deal, finished) -> RoundScore           the same with what only the players can say
    RoundScore(scores, verdict)                         scores are empty while `verdict.open` names readings
A finished round is a `Round` of `Side` values (`finished`); `roundfile.load_round` reads one.

The order of counting: what was laid and what is left, or a flat penalty; the closing; the twin of the turned tile; then
the doublings (closing with a joker or an ace, from the hand, double game); then fines; last the cap.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from remi_ref.errors import Unreadable
from remi_ref.score.asfirstlaid import FirstLaid
from remi_ref.score.counting import Count
from remi_ref.score.extras import (
    cap_lines,
    closing_unnamed,
    double_game,
    double_game_line,
    doublings,
    fine_lines,
    twin_lines,
)
from remi_ref.score.finished import Opened
from remi_ref.score.handlines import left_lines, unopened_lines
from remi_ref.score.laid import meld_worth, placed_worth
from remi_ref.score.laidlines import gained_lines, laid_lines
from remi_ref.score.roundcheck import check_round
from remi_ref.tiles import Slot, format_tiles
from remi_ref.verdict import Outcome, Reason, Score, ScoreLine, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remi_ref.rules.deal import Deal
    from remi_ref.score.finished import Round, Side
    from remi_ref.score.laid import Worth


@dataclass(frozen=True, slots=True)
class RoundScore:
    """What a finished round scores.

    Attributes:
        scores: every player's, in table order; empty while it hangs on what only the players can say.
        verdict: decided without reasons, or open with the readings that count differently.
    """

    scores: tuple[Score, ...]
    verdict: Verdict


def score_round(deal: Deal, finished: Round) -> tuple[Score, ...]:
    """Every player's score.

    Raises:
        Unreadable: the round contradicts itself, or a joker must be declared before it can be counted.
    """
    judged = judge_round(deal, finished)
    if judged.verdict.open:
        raise Unreadable("round.declare", readings=" / ".join(judged.verdict.open))
    return judged.scores


def judge_round(deal: Deal, finished: Round) -> RoundScore:
    """Every player's score, or the readings among which it is undecided.

    Raises:
        Unreadable: the round contradicts itself.
    """
    check_round(deal, finished)
    count = Count(deal, FirstLaid(deal, finished))
    undecided = [worth for worth in _worths(count) if not worth.decided]
    if not undecided:
        return RoundScore(tuple(Score(side.name, _lines(count, side)) for side in count.finished.sides), Verdict(()))
    reasons = tuple(_joker_decides(deal, worth) for worth in undecided)
    return RoundScore((), Verdict(reasons, tuple(format_tiles(slots) for slots in undecided[0].readings)))


def _joker_decides(deal: Deal, worth: Worth) -> Reason:
    readings = " / ".join(format_tiles(slots) for slots in worth.readings)
    knob = "joker.table_value"
    return deal.rules.reason("score.joker_decides", Outcome.NOTE, knob=knob, values={"readings": readings})


def _lines(count: Count, side: Side) -> tuple[ScoreLine, ...]:
    lines = [*_base(count, side), *twin_lines(count, side)]
    for code, knob in doublings(count, side):
        lines.append(count.line(code, sum(line.points for line in lines), knob))
    lines += closing_unnamed(count, side)
    if double_game(count.deal):
        lines.append(double_game_line(count, lines))
    lines += fine_lines(count, side)
    return (*lines, *cap_lines(count, sum(line.points for line in lines)))


def _worths(count: Count) -> Iterator[Worth]:
    """What everything laid is worth, where it counts."""
    if count.method == "laid-minus-hand":
        for side in count.finished.sides:
            yield from (meld_worth(count.deal, meld) for meld in side.melds)
            yield from (placed_worth(count.deal, placed) for placed in side.placed)


def _base(count: Count, side: Side) -> Iterator[ScoreLine]:
    if count.finished.closer is None:
        yield count.line("score.stock_out", 0, "stock_out")
        if count.deal.rules.choice("stock_out") == "void":
            return
    if count.method == "losses":
        yield from _loss(count, side)
        return
    if count.method == "laid-minus-hand":
        yield from () if count.unopened(side) else laid_lines(count, side)
        yield from gained_lines(count, side)
    if count.closes(side):
        yield count.line("score.closing", count.deal.rules.number("close.bonus"), "close.bonus")
    else:
        yield from unopened_lines(count, side) if count.unopened(side) else left_lines(count, side)


def _loss(count: Count, side: Side) -> Iterator[ScoreLine]:
    """Remi pe tablă: the winner loses nothing, every other player the price of the win."""
    from remi_ref.opening.win import loss_of

    if count.finished.closer is None:
        return
    if side.name == count.finished.closer:
        yield count.line("score.board_won", 0, "score.method")
        return
    winner = count.finished.side(count.finished.closer)
    knob, loss = loss_of(count.deal, _kind_won(count, winner), count.finished.closing_tile)
    said = count.finished.win is not None or winner.melds
    ordinary = "score.loss" if said else "score.loss_presumed"
    code = {"close.loss": ordinary, "close.joker_loss": "score.loss_joker"}.get(knob, "score.loss_pairs")
    yield count.line(code, -loss, knob)


def _kind_won(count: Count, winner: Side) -> str:
    """The shape of the winning board: as its tiles show, else as it is told, else taken as the ordinary one."""
    from remi_ref.opening.win import MELDS, PAIRS, judge_win

    if winner.melds:
        last = count.finished.closing_tile
        found = judge_win(count.deal, winner.melds, None if last is None else Slot(last)).kind
        assert found is not None  # noqa: S101 - a board that does not win was refused before
        return found
    return count.finished.win or (PAIRS if winner.opened is Opened.PAIRS else MELDS)
