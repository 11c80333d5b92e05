"""A player who plays whole rounds at random: every step is one the program says is legal.

What he lays is counted as it is laid, tile by tile, so that the score of the round can be held against it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from remi_ref import legal
from remi_ref.actions import Add, Announce, Discard, Draw, Lay, Show, Swap, Take, TakeAtu
from remi_ref.deal import Deal, box_of
from remi_ref.finished import Opened
from remi_ref.goingout import TooManyWays, way_out
from remi_ref.melds import judge_meld, table_points
from remi_ref.rounds import play_turn
from remi_ref.seats import beginning, pieces_of_table, tiles_in_box
from remi_ref.tiles import Joker, Tile
from remi_ref.turn import judge_step, start
from remi_ref.turnfile import PlayedTurn, PlayFile

if TYPE_CHECKING:
    from random import Random

    from remi_ref.actions import Action
    from remi_ref.progress import Progress
    from remi_ref.rounds import JudgedTurn
    from remi_ref.ruleset import Ruleset
    from remi_ref.seats import Table
    from remi_ref.tiles import Piece

NAMES = ("Ana", "Dan", "Eva", "Ion")


@dataclass
class PlayedRound:
    """A round as it was played.

    Attributes:
        play: as it would stand in a file.
        turns: the verdict on each turn, as it was played.
        after: the table at the end.
        stock: tiles never drawn.
        laid: points each player laid, counted when he laid them.
    """

    play: PlayFile
    turns: list[JudgedTurn]
    after: Table
    stock: list[Piece]
    laid: Counter[str] = field(default_factory=Counter)


def play_round(rules: Ruleset, random: Random) -> PlayedRound:
    """Deals and plays one round to its end."""
    deal, tiles = _turned(rules, random)
    players = NAMES[: random.choice(rules.numbers("players"))]
    size, extra = rules.number("deal.hand"), rules.number("deal.starter_extra")
    starter = random.choice(players)
    hands = tuple((name, tuple(tiles.pop() for _ in range(size + extra * (name == starter)))) for name in players)
    begun = PlayFile(deal, players, (), hands, starter=starter)
    table, verdicts, turns = beginning(begun), [], []
    round_ = PlayedRound(begun, verdicts, table, tiles)
    while not table.over:
        assert table.next_seat is not None
        turn = PlayedTurn(table.seats[table.next_seat].name, tuple(_turn(table, round_, random)))
        verdict, table = play_turn(table, turn)
        verdicts.append(verdict)
        turns.append(turn)
        assert sum(1 for _ in pieces_of_table(table)) + len(tiles) == tiles_in_box(table)
    round_.play, round_.after = replace(begun, turns=tuple(turns)), table
    return round_


def _turned(rules: Ruleset, random: Random) -> tuple[Deal, list[Piece]]:
    """The shuffled tiles and the one turned up; an indicator must be a numbered tile."""
    tiles = list(box_of(rules).elements())
    random.shuffle(tiles)
    kind = rules.choice("turned_tile")
    if kind == "none":
        return Deal(rules), tiles
    choices = [tile for tile in tiles if isinstance(tile, Tile) or kind != "indicator"]
    turned = random.choice(choices)
    if kind != "made":
        tiles.remove(turned)
    return Deal(rules, turned), tiles


def _turn(table: Table, round_: PlayedRound, random: Random) -> list[Action]:
    """One turn: what was done, in order."""
    assert table.next_seat is not None
    mover = _Mover(start(table.position(table.seats[table.next_seat])), round_, random)
    mover.begin()
    while mover.go_on():
        pass
    mover.end()
    return mover.done


@dataclass
class _Mover:
    """A player in his turn."""

    progress: Progress
    round: PlayedRound
    random: Random
    done: list[Action] = field(default_factory=list)

    def begin(self) -> None:
        """Announces what he may, and takes a tile."""
        position, rules = self.progress.position, self.progress.rules
        twin, held = position.deal.turned, position.hand or ()
        early = rules.choice("atu.announce") == "before-first-draw" and twin in held and not isinstance(twin, Joker)
        if early and position.turn == 1 and not any(seat.announced for seat in self.round.after.seats):
            self._try(Announce("atu"))
        if not position.starts:
            takings = legal.takings(self.progress) if self.random.random() < 0.5 else []
            chosen = self.random.choice(takings) if takings else None
            if chosen is None:
                self._do(Draw(self.round.stock.pop()))
            else:
                self._do(chosen.take)
                if chosen.use is not None:
                    self._do(chosen.use)
        if rules.choice("atu.announce") == "first-lap" and position.turn == 1 and twin is not None:
            self._try(Show(twin))

    def go_on(self) -> bool:
        """One more action; no when he has enough, or none is left."""
        if self.progress.out or self._leaves():
            return False
        if self.random.random() < 0.15:
            return False
        choices: list[Action] = [*legal.openings(self.progress), *legal.swaps(self.progress), *legal.adds(self.progress)]
        choices += [lay for lay in legal.lays(self.progress) if self._worth_a_joker(lay)]
        if not choices:
            return False
        self._do(self.random.choice(choices))
        return True

    def end(self) -> None:
        """Puts a tile down; any that the rules allow."""
        if self.progress.out:
            return
        if self.progress.rules.limit("announce_at") is not None and self.random.random() < 0.5:
            self._try(Announce("three"))
        self._do(self.random.choice(list(legal.discards(self.progress))))

    def _leaves(self) -> bool:
        """Goes out when a way is found."""
        way = self._way_out(self.progress)
        turned = self.progress.position.deal.turned
        if way is None and turned is not None and self.progress.rules.choice("take.atu") != "never":
            with_atu = judge_step(self.progress, TakeAtu(turned))
            way = self._way_out(with_atu.progress) if with_atu.verdict.ok else None
            way = None if way is None or not with_atu.verdict.ok else (TakeAtu(turned), *way)
            if way is not None and not any(isinstance(a, Lay) and _lays(a, turned) for a in way):
                way = None
        for action in way or ():
            self._do(action)
        return way is not None

    def _way_out(self, progress: Progress) -> tuple[Action, ...] | None:
        if progress.rules.choice("melds.pairs") != "win" and (progress.position.count or 0) > 9:
            return None
        try:
            return way_out(progress)
        except TooManyWays:
            return None

    def _worth_a_joker(self, lay: Lay) -> bool:
        """Jokers are spent now and then only, so that some are left to discard, to recover and to count."""
        joker = any(self.progress.position.deal.is_wild(slot.piece) for slot in lay.melds[0])
        return not joker or self.random.random() < 0.05

    def _try(self, action: Action) -> None:
        if judge_step(self.progress, action).verdict.ok:
            self._do(action)

    def _do(self, action: Action) -> None:
        judged = judge_step(self.progress, action)
        assert judged.verdict.ok, (action, [reason.code for reason in judged.verdict.reasons])
        self._count(action, self.progress, judged.progress)
        self.progress = judged.progress
        self.done.append(action)

    def _count(self, action: Action, before: Progress, after: Progress) -> None:
        """The points of what is put down, counted from the table before and after."""
        deal = before.position.deal
        if isinstance(action, Lay):
            for meld in action.melds:
                self.round.laid[before.position.player] += table_points(deal, judge_meld(deal, meld).readings[0])
        if isinstance(action, Add):
            was, now = (sum(table_points(deal, m.readings[0]) for m in p.position.table) for p in (before, after))
            self.round.laid[before.position.player] += now - was
        if isinstance(action, Swap):
            was, now = (sum(table_points(deal, m.readings[0]) for m in p.position.table) for p in (before, after))
            joker = deal.rules.number_or_word("joker.table_value")
            self.round.laid[before.position.player] += now - was + (joker if isinstance(joker, int) else 0)


def _lays(lay: Lay, piece: Piece) -> bool:
    return any(slot.piece == piece for meld in lay.melds for slot in meld)
