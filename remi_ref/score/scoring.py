"""Round points, line by line; a total is nothing but the sum of its lines.

Public interface:
    score_round(deal, finished) -> tuple[Score, ...]    every player's lines, in table order
    judge_round(deal, finished) -> RoundScore           the same with what only the players can say
    RoundScore(scores, verdict)                         scores are empty while `verdict.open` names readings
    double_game(deal) -> bool                           the turned tile doubles the round
A finished round is a `Round` of `Side` values (`finished`); `roundfile.load_round` reads one.

The order of counting: what was laid and what is left, or a flat penalty; the closing; the twin of the turned tile; then
the doublings (closing with a joker or an ace, from the hand, double game); then the cap; fines stand apart, last.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from remi_ref.errors import Unreadable
from remi_ref.melds import hand_value
from remi_ref.score.finished import Opened, Twin, as_laid, owners, pieces_of
from remi_ref.score.laid import end_aces, meld_worth, placed_worth
from remi_ref.score.roundcheck import check_round, has_opening
from remi_ref.tiles import Joker, Tile, format_tiles
from remi_ref.verdict import Basis, Outcome, Reason, Score, ScoreLine, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from remi_ref.rules.deal import Deal
    from remi_ref.score.finished import Placed, Round, Side
    from remi_ref.score.laid import Worth
    from remi_ref.tiles import Piece, Slot


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
    count = _Count(deal, as_laid(finished))
    undecided = [worth for worth in count.worths() if not worth.decided]
    if not undecided:
        return RoundScore(tuple(Score(side.name, count.lines(side)) for side in count.finished.sides), Verdict(()))
    reasons = tuple(_joker_decides(deal, worth) for worth in undecided)
    return RoundScore((), Verdict(reasons, tuple(format_tiles(slots) for slots in undecided[0].readings)))


def double_game(deal: Deal) -> bool:
    """Whether the turned tile doubles the round for everybody."""
    doubling = deal.rules.words("double_game")
    if isinstance(deal.turned, Joker):
        return "joker" in doubling
    return isinstance(deal.turned, Tile) and deal.turned.number == 1 and "ace" in doubling


def _joker_decides(deal: Deal, worth: Worth) -> Reason:
    readings = " / ".join(format_tiles(slots) for slots in worth.readings)
    knob = "joker.table_value"
    return deal.rules.reason("score.joker_decides", Outcome.NOTE, knob=knob, values={"readings": readings})


@dataclass(frozen=True)
class _Count:
    """The count of one round, every formation as it was first laid."""

    deal: Deal
    finished: Round

    def lines(self, side: Side) -> tuple[ScoreLine, ...]:
        lines = [*self._base(side), *self._twins(side)]
        for code, knob in self._doublings(side):
            lines.append(self._line(code, sum(line.points for line in lines), knob))
        if double_game(self.deal):
            lines.append(self._double_game(lines))
        lines += self._cap(sum(line.points for line in lines))
        return (*lines, *self._fines(side))

    def worths(self) -> Iterator[Worth]:
        """What everything laid is worth, where it counts."""
        if self._method == "laid-minus-hand":
            for side in self.finished.sides:
                yield from (meld_worth(self.deal, meld) for meld in side.melds)
                yield from (placed_worth(self.deal, placed) for placed in side.placed)

    # the count before anything is doubled

    def _base(self, side: Side) -> Iterator[ScoreLine]:
        if self.finished.closer is None:
            yield self._line("score.stock_out", 0, "stock_out")
            if self.deal.rules.choice("stock_out") == "void":
                return
        if self._method == "losses":
            yield from self._loss(side)
            return
        closes = side.name == self.finished.closer
        unopened = side.opened is Opened.NO and not closes
        if self._method == "laid-minus-hand":
            yield from () if unopened else self._laid(side)
            yield from self._gained(side)
        if closes:
            yield self._line("score.closing", self.deal.rules.number("close.bonus"), "close.bonus")
        else:
            yield from self._unopened(side) if unopened else self._left(side)

    def _loss(self, side: Side) -> Iterator[ScoreLine]:
        """Remi pe tablă: the winner loses nothing, every other player the price of the win."""
        from remi_ref.win import MELDS, PAIRS, loss_of

        if self.finished.closer is None:
            return
        if side.name == self.finished.closer:
            yield self._line("score.board_won", 0, "score.method")
            return
        winner = self.finished.side(self.finished.closer)
        kind = self.finished.win or (PAIRS if winner.opened is Opened.PAIRS else MELDS)
        knob, loss = loss_of(self.deal, kind, self.finished.closing_tile)
        said = self.finished.win is not None or winner.melds
        ordinary = "score.loss" if said else "score.loss_presumed"
        code = {"close.loss": ordinary, "close.joker_loss": "score.loss_joker"}.get(knob, "score.loss_pairs")
        yield self._line(code, -loss, knob)

    def _unopened(self, side: Side) -> Iterator[ScoreLine]:
        flat = self.deal.rules.number_or_word("not_opened")
        if isinstance(flat, int):
            yield self._line("score.not_opened", flat, "not_opened")
        else:
            yield self._line("score.unopened_hand", 0, "not_opened")
            yield from self._hand(side)

    def _left(self, side: Side) -> Iterator[ScoreLine]:
        """The tiles left of a player who has opened; after pairs a game may charge them more than once."""
        lines = tuple(self._hand(side))
        yield from lines
        factor = self.deal.rules.number("pairs_opener_multiplier")
        if side.opened is Opened.PAIRS and factor > 1:
            more = sum(line.points for line in lines) * (factor - 1)
            yield self._line("score.pairs_opener", more, "pairs_opener_multiplier", {"factor": factor})

    def _hand(self, side: Side) -> Iterator[ScoreLine]:
        if side.hand is None:
            yield self._line("score.hand_unknown", 0, "score.method")
        elif isinstance(side.hand, int):
            yield self._line("score.hand_counted", -side.hand, "score.method")
        else:
            jokers = tuple(slot for slot in side.hand if self.deal.is_wild(slot.piece))
            aces = tuple(slot for slot in side.hand if _is_ace(slot.piece) and self._set_apart("ace_value.hand"))
            tiles = tuple(slot for slot in side.hand if slot not in {*jokers, *aces})
            if tiles or not (jokers or aces):
                yield self._line("score.hand", -self._in_hand(tiles), "score.method", tiles=tiles)
            if aces:
                yield self._line("score.hand_ace", -self._in_hand(aces), "ace_value.hand", tiles=aces)
            if jokers:
                yield self._line("score.hand_joker", -self._in_hand(jokers), "joker.hand_value", tiles=jokers)

    def _in_hand(self, slots: tuple[Slot, ...]) -> int:
        return sum(hand_value(self.deal, slot.piece) for slot in slots)

    # what was laid

    def _laid(self, side: Side) -> Iterator[ScoreLine]:
        if side.laid is not None:
            yield self._line("score.laid_counted", side.laid, "score.method")
        elif not side.melds:
            yield self._line("score.laid_unknown", 0, "score.method")
        for meld in side.melds:
            worth = meld_worth(self.deal, meld)
            jokers = tuple(slot for slot in meld if isinstance(slot.piece, Joker))
            aces = [ace for ace in end_aces(self.deal, meld) if self._set_apart(ace.knob)]
            rest = Counter(slot.piece for slot in meld if not isinstance(slot.piece, Joker))
            rest -= Counter(ace.tile for ace in aces)
            points = worth.tiles - sum(ace.points for ace in aces)
            yield self._line("score.laid", points, "score.method", tiles=rest.elements())
            for ace in aces:
                yield self._line("score.laid_ace", ace.points, ace.knob, {"meld": format_tiles(meld)}, (ace.tile,))
            if jokers:
                white = any(isinstance(slot.piece, Joker) and slot.piece.white for slot in jokers)
                code = "score.laid_white" if white else "score.laid_joker"
                yield self._line(code, worth.jokers, "joker.table_value", tiles=meld)

    def _gained(self, side: Side) -> Iterator[ScoreLine]:
        """Tiles put on formations of the table: they count for who put them there, or for the formation's owner."""
        to_owner = self.deal.rules.choice("layoff.owner_of_points") == "owner"
        for other in self.finished.sides:
            for placed in other.placed:
                gains = self._owners[pieces_of(placed.target)] if to_owner else other.name
                if gains == side.name:
                    yield self._placed_line(placed, other, own=other.name == side.name)

    def _placed_line(self, placed: Placed, adder: Side, *, own: bool) -> ScoreLine:
        worth = placed_worth(self.deal, placed)
        code, knob = "score.added", "layoff.owner_of_points"
        if not own:
            code = "score.added_by_other"
        elif placed.for_joker:
            code, knob = "score.bought", "joker.recover"
        values: dict[str, int | str] = {"player": adder.name, "meld": format_tiles(placed.target)}
        return self._line(code, worth.tiles + worth.jokers, knob, values, (placed.tile,))

    # the twin of the turned tile

    def _twins(self, side: Side) -> Iterator[ScoreLine]:
        bonus, paid_by = self.deal.rules.number("atu.bonus"), self.deal.rules.choice("atu.paid_by")
        for holder in (other for other in self.finished.sides if other.twin is not None):
            barred = self._twin_barred(holder)
            others = len(self.finished.sides) - 1
            if holder.name != side.name:
                if barred is None and paid_by != "bank":
                    yield self._line("score.twin_paid", -bonus, "atu.paid_by", {"player": holder.name})
            elif barred is not None:
                yield self._line(barred[0], 0, barred[1])
            elif paid_by == "bank":
                unopened = has_opening(self.deal) and side.opened is Opened.NO
                yield self._line("score.twin_unopened" if unopened else "score.twin", bonus, "atu.bonus")
            else:
                gain = bonus * others if paid_by == "opponents" else 0
                yield self._line("score.twin_from_others", gain, "atu.paid_by", {"each": bonus, "others": others})

    def _twin_barred(self, side: Side) -> tuple[str, str] | None:
        """Why the twin earns nothing, as code and rule; None when it earns."""
        rules = self.deal.rules
        if isinstance(self.deal.turned, Joker) and not rules.flag("atu.joker_twin"):
            return "score.twin_joker", "atu.joker_twin"
        if side.twin is Twin.DRAWN and rules.flag("atu.dealt_only"):
            return "score.twin_drawn", "atu.dealt_only"
        if side.twin is not Twin.ANNOUNCED and rules.choice("atu.announce") != "none":
            return "score.twin_silent", "atu.announce"
        return None

    # what multiplies, what caps, what is fined

    def _doublings(self, side: Side) -> Iterator[tuple[str, str]]:
        rules, tile = self.deal.rules, self.finished.closing_tile
        closes = side.name == self.finished.closer
        if self._method != "losses" and tile is not None:
            who = rules.choice("close.joker") if self.deal.is_wild(tile) else "none"
            if who == "everyone" or (who == "closer" and closes):
                yield self._joker_close(side), "close.joker"
            if closes and _is_ace(tile) and rules.flag("close.ace_doubles"):
                yield "score.ace_close", "close.ace_doubles"
        if self.finished.in_hand:
            yield ("score.in_hand" if closes else "score.in_hand_other"), "close.in_hand"

    def _joker_close(self, side: Side) -> str:
        if self.finished.in_hand:
            return "score.joker_in_hand"
        if side.name == self.finished.closer:
            return "score.joker_close"
        return "score.joker_closed_unopened" if side.opened is Opened.NO else "score.joker_closed"

    def _double_game(self, lines: list[ScoreLine]) -> ScoreLine:
        """The double game; beside another doubling, or on a loss, it may rest on other ground."""
        total = sum(line.points for line in lines)
        closed = any(line.code in {"score.joker_close", "score.ace_close"} for line in lines)
        code = "score.double_game_close" if closed else "score.double_game_loss" if total < 0 else "score.double_game"
        return self._line(code, total, "double_game")

    def _cap(self, total: int) -> Iterator[ScoreLine]:
        cap = self.deal.rules.limit("loss_cap")
        if cap is not None and total < cap:
            yield self._line("score.cap", cap - total, "loss_cap", {"cap": cap, "total": total})

    def _fines(self, side: Side) -> Iterator[ScoreLine]:
        for code, times in (("wrong_open", side.wrong_opens), ("wrong_close", side.wrong_closes)):
            if times:
                fine = self.deal.rules.number(f"{code}_penalty")
                yield self._line(f"score.{code}", -fine * times, f"{code}_penalty", {"times": times, "each": fine})

    # helpers

    def _set_apart(self, knob: str) -> bool:
        """Whether what a tile counts is not the text's word, so that it needs a line and a citation of its own."""
        return self.deal.rules.cite("", knob).basis in {Basis.DEFAULT, Basis.HOUSE}

    @property
    def _method(self) -> str:
        return self.deal.rules.choice("score.method")

    @cached_property
    def _owners(self) -> dict[frozenset[tuple[Piece, int]], str]:
        return owners(self.finished)

    def _line(
        self,
        code: str,
        points: int,
        knob: str,
        values: dict[str, int | str] | None = None,
        tiles: Iterable[Slot | Piece] = (),
    ) -> ScoreLine:
        return ScoreLine(code, points, self.deal.rules.cite(code, knob), values or {}, tuple(tiles))


def _is_ace(piece: Piece) -> bool:
    return isinstance(piece, Tile) and piece.number == 1
