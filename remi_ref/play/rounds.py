"""A whole round, turn after turn: the first fault is named, judging goes on where it can, and the end is scored.

Public interface:
    judge_play(play) -> PlayVerdict     from a `remi_ref.play.played.PlayFile`
    play_turn(table, turn) -> JudgedTurn, Table
    turn_to_go_on(play)                 the position and the actions of the turn that is not over
The tiles are followed throughout: what a player may lay is what he was dealt, drew and took.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from remi_ref.errors import Unreadable
from remi_ref.play.actions import Announce, Button, Draw, Lay, Show, Win
from remi_ref.play.discarding import is_in_hand
from remi_ref.play.heeding import heed
from remi_ref.play.laying import opening_value
from remi_ref.play.roundend import count, finish
from remi_ref.play.seats import Seat, Table, beginning, check_all
from remi_ref.play.turn import TurnVerdict, judge_turn
from remi_ref.score.finished import Opened
from remi_ref.verdict import Reason, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from remi_ref.play.actions import Action
    from remi_ref.play.played import PlayedTurn, PlayFile
    from remi_ref.play.position import Position
    from remi_ref.score.finished import Round
    from remi_ref.score.scoring import RoundScore
    from remi_ref.tiles import Piece
    from remi_ref.verdict import Score


@dataclass(frozen=True, slots=True)
class JudgedTurn:
    """One turn of a round.

    Attributes:
        player: whose.
        number: his own turn in this round.
        table: what the round asks of it: whose turn it is, a stock to draw from, the right hand.
        turn: the turn itself.
    """

    player: str
    number: int
    table: Verdict
    turn: TurnVerdict

    @property
    def verdict(self) -> Verdict:
        """All reasons together."""
        inner = self.turn.verdict
        return Verdict((*self.table.reasons, *inner.reasons), inner.open if self.table.ok else ())


@dataclass(frozen=True, slots=True)
class PlayVerdict:
    """A judged round.

    Attributes:
        turns: every turn with its reasons.
        after: the table at the end.
        finished: the round as it is scored; None while nobody went out and the stock lasts.
        counted: the count from the play itself, open where readings differ; None where hands are not known.
    """

    turns: tuple[JudgedTurn, ...]
    after: Table
    finished: Round | None = None
    counted: RoundScore | None = None

    @property
    def scores(self) -> tuple[Score, ...]:
        """Every player's score; empty where nothing is counted or the count is open."""
        return self.counted.scores if self.counted else ()

    @property
    def verdict(self) -> Verdict:
        """All reasons together."""
        parts = [turn.verdict for turn in self.turns]
        ok = all(part.ok is not False for part in parts)
        readings = tuple(reading for part in parts for reading in part.open) if ok else ()
        return Verdict(tuple(reason for part in parts for reason in part.reasons), readings)

    @property
    def first_fault(self) -> tuple[int, int | None] | None:
        """Index of the first illegal turn and of its first illegal step; no step when the turn is out of place."""
        for index, turn in enumerate(self.turns):
            if turn.verdict.ok is False:
                return index, turn.turn.first_fault if turn.table.ok is not False else None
        return None


def judge_play(play: PlayFile) -> PlayVerdict:
    """Judges a round turn by turn.

    Raises:
        Unreadable: the box cannot make up the tiles; names the line where there is one.
    """
    try:
        table = beginning(play)
    except Unreadable as error:
        raise error.at(play.where) from error
    turns: list[JudgedTurn] = []
    for turn in play.turns:
        judged, table = play_turn(table, turn)
        turns.append(judged)
    finished = finish(table)
    return PlayVerdict(tuple(turns), table, finished, count(table, finished))


def turn_to_go_on(play: PlayFile) -> tuple[Position, tuple[Action, ...]] | None:
    """Where a round that is not over stands: the last turn if it has not ended, else the next player's.

    Raises:
        Unreadable: as `judge_play`.
    """
    played = judge_play(play)
    last, after = played.turns[-1], played.after
    if last.turn.progress.discarded is None and not last.turn.progress.out:
        return last.turn.progress.before, play.turns[-1].actions
    if after.over or after.next_seat is None:
        return None
    return after.position(after.seats[after.next_seat]), ()


def play_turn(table: Table, turn: PlayedTurn) -> tuple[JudgedTurn, Table]:
    """Judges one turn of a round and moves the table on.

    Raises:
        Unreadable: a tile of which the box has no more copies, or the turn tells another table than play has left.
    """
    index = table.index(turn.player)
    table = heed(table, table.seats[index], turn.told)
    seat = _with_hand(table.seats[index], turn.hand)
    reasons = tuple(_about_the_round(table, table.seats[index], turn))
    table = replace(table, seats=_with_seat(table.seats, index, seat))
    drawn = tuple(action.tile for action in turn.actions if isinstance(action, Draw) and action.tile is not None)
    try:
        check_all(table, drawn)
        verdict = judge_turn(table.position(seat), turn.actions, tuple(table.held_by_others(seat)))
    except Unreadable as error:
        raise error.at(turn.where) from error
    judged = JudgedTurn(seat.name, seat.turns + 1, Verdict(reasons), verdict)
    return judged, _moved_on(table, index, judged)


# --- what the round asks of a turn -----------------------------------------------------------------------------------


def _about_the_round(table: Table, seat: Seat, turn: PlayedTurn) -> Iterator[Reason]:
    rules = table.deal.rules
    yield rules.reason("play.over", not table.over)
    if table.next_seat is not None:
        expected = table.seats[table.next_seat].name
        values = {"player": seat.name, "expected": expected}
        yield rules.reason("play.next", seat.name == expected, values=values)
    if table.from_deal and seat.turns == 0 and seat.dealt is not None:
        yield _dealt_right(table, seat, seat.dealt)
    if any(isinstance(action, Show) or action == Announce("atu") for action in turn.actions):
        before = [other.name for other in table.seats if other.announced]
        yield rules.reason("play.twin", not before, values={"player": ", ".join(before)})
    if turn.hand is not None and seat.hand is not None:
        yield from _hand_fits(table, seat, turn.hand)


def _dealt_right(table: Table, seat: Seat, dealt: Sequence[Piece]) -> Reason:
    rules = table.deal.rules
    knob = "deal.hand" if rules.number("set.packs") > 1 else "deal.one_pack_hand"
    extra = rules.number("deal.starter_extra") if seat.name == table.starter else 0
    needed = rules.number(knob) + extra
    values: dict[str, int | str] = {"player": seat.name, "count": len(dealt), "needed": needed}
    return rules.reason("play.dealt", len(dealt) == needed, knob=knob, values=values)


def _hand_fits(table: Table, seat: Seat, told: Sequence[Piece]) -> Iterator[Reason]:
    """A hand told again must be what play has left, tiles that nobody else saw excepted."""
    known, said = Counter(seat.hand or ()), Counter(told)
    fits = not known - said and (said - known).total() == seat.unseen
    wrong = tuple((known - said).elements()) or tuple((said - known).elements())
    yield table.deal.rules.reason("play.hand", fits, values={"player": seat.name}, tiles=wrong)


def _with_hand(seat: Seat, told: tuple[Piece, ...] | None) -> Seat:
    """The seat with the hand as the file tells it, where that may be so."""
    if told is None or (seat.hand is not None and Counter(seat.hand) - Counter(told)):
        return seat
    return replace(seat, hand=told, unseen=0)


# --- moving on -------------------------------------------------------------------------------------------------------


def _with_seat(seats: tuple[Seat, ...], index: int, seat: Seat) -> tuple[Seat, ...]:
    return (*seats[:index], seat, *seats[index + 1 :])


def _moved_on(table: Table, index: int, judged: JudgedTurn) -> Table:
    """The table after the turn."""
    verdict = judged.turn
    progress, position = verdict.progress, verdict.progress.position
    seat = _seat_after(table, table.seats[index], verdict)
    stock = table.stock
    if stock is not None and _from_stock(verdict):
        stock -= 1
    table = replace(
        table,
        seats=_with_seat(table.seats, index, seat),
        next_seat=(index + 1) % len(table.seats),
        melds=position.table,
        row=position.row,
        stock=stock,
        atu_there=position.atu_there,
        faulty=table.faulty or judged.verdict.ok is False,
    )
    if progress.opened_now:
        points, pairs = opening_value(progress)
        table = replace(table, previous=points or table.previous, previous_pairs=pairs or table.previous_pairs)
        shown = {("opened", seat.name), ("previous-pairs" if pairs else "previous", "")}
        table = replace(table, unsure=table.unsure - shown)
    if progress.out and table.closer is None:
        from_hand = table.deal.rules.choice("close.in_hand") != "none" and is_in_hand(progress)
        table = replace(table, closer=seat.name, closing_tile=progress.discarded, in_hand=from_hand)
    return table


def _from_stock(verdict: TurnVerdict) -> bool:
    """Whether a tile left the stock."""
    first = next((step.action for step in verdict.steps if isinstance(step.action, Draw | Button)), None)
    return verdict.progress.drew and verdict.progress.taken is None and isinstance(first, Draw)


def _seat_after(table: Table, seat: Seat, verdict: TurnVerdict) -> Seat:
    progress, position = verdict.progress, verdict.progress.position
    wrong = [step.action for step in verdict.steps if step.verdict.ok is False]
    wrong_opens = sum(isinstance(action, Lay) for action in wrong) if position.opened is Opened.NO else 0
    return replace(
        seat,
        hand=position.hand,
        unseen=position.unseen,
        opened=position.opened,
        turns=seat.turns + 1,
        button_used=position.button_used,
        laid=(*seat.laid, *progress.laid),
        placed=(*seat.placed, *progress.placed),
        announced=seat.announced or ("atu" in progress.announced and not any(s.announced for s in table.seats)),
        drew_twin=seat.drew_twin or _first_with_twin(table, verdict),
        wrong_opens=seat.wrong_opens + wrong_opens,
        wrong_closes=seat.wrong_closes + sum(isinstance(action, Win) for action in wrong),
    )


def _first_with_twin(table: Table, verdict: TurnVerdict) -> bool:
    """Whether the twin of the turned tile came to a player in this turn, and to nobody before him."""
    twin, before = table.deal.turned, verdict.progress.before
    known = any(seat.drew_twin or (seat.dealt is not None and twin in seat.dealt) for seat in table.seats)
    drawn = [step.action.tile for step in verdict.steps if isinstance(step.action, Draw)]
    picked = before.row[len(verdict.progress.position.row) - 1 :] if verdict.progress.taken is not None else ()
    return twin is not None and not known and twin in (*drawn, *picked)
