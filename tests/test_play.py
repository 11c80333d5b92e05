"""Whole rounds, played at random under every ruleset: all legal, every tile accounted for, scored as counted.

``REMI_REF_ROUNDS=2000 pytest tests/test_play.py`` plays that many under each ruleset.
"""

from __future__ import annotations

import os
from collections import Counter
from random import Random
from typing import TYPE_CHECKING

import pytest
from mutations import mutations
from random_player import play_round

from remi_ref.melds import hand_value
from remi_ref.play.rounds import judge_play
from remi_ref.play.roundtext import read_round, write_round
from remi_ref.play.seats import pieces_of_table
from remi_ref.play.turn import judge_turn
from remi_ref.rules.deal import box_of
from remi_ref.rules.rulefile import SHIPPED, load_ruleset
from remi_ref.score.finished import Opened
from remi_ref.tiles import Joker
from remi_ref.verdict import Outcome

if TYPE_CHECKING:
    from random_player import PlayedRound

    from remi_ref.play.seats import Seat

ROUNDS = int(os.environ.get("REMI_REF_ROUNDS", "35"))
# A tile laid off is counted for the wrong formation when two players' runs hold the same tiles: known, not mended yet.
KNOWN_FAULTS = {("remi-clasic", 24)}
_FAULT = pytest.mark.xfail(reason="a lay-off counted away between two equal runs", strict=True)
SEEDS = [
    pytest.param(rules, seed, marks=_FAULT if (rules, seed) in KNOWN_FAULTS else ())
    for rules in SHIPPED
    for seed in range(ROUNDS)
]


@pytest.mark.parametrize(("rules", "seed"), SEEDS)
def test_a_round_at_random(rules: str, seed: int) -> None:
    played = play_round(load_ruleset(rules), Random(seed))
    _every_turn_is_legal(played)
    _every_tile_is_somewhere(played)
    _read_back_it_is_the_same(played)
    _scored_as_counted(played)
    _spoilt_turns_fail(played, Random(seed))


def _every_turn_is_legal(played: PlayedRound) -> None:
    assert all(turn.verdict.ok for turn in played.turns)


def _every_tile_is_somewhere(played: PlayedRound) -> None:
    table = played.after
    seen = Counter(Joker() if isinstance(piece, Joker) else piece for piece in pieces_of_table(table))
    seen.update(Joker() if isinstance(piece, Joker) else piece for piece in played.stock)
    turned = table.deal.turned
    if turned is not None and table.atu_there and table.deal.rules.choice("turned_tile") != "made":
        seen[turned] += 1
    assert seen == box_of(table.deal.rules)


def _read_back_it_is_the_same(played: PlayedRound) -> None:
    text = write_round(played.play)
    again = read_round(text, "round.remi")
    assert again == played.play
    assert write_round(again) == text


def _scored_as_counted(played: PlayedRound) -> None:
    verdict = judge_play(played.play)
    assert verdict.verdict.ok
    assert verdict.after == played.after
    scores = {score.player: score.total for score in verdict.scores}
    assert scores == {seat.name: _count(played, seat) for seat in played.after.seats}


def _count(played: PlayedRound, seat: Seat) -> int:
    """The round counted a second time, from what lies in the hands and what was counted when it was laid."""
    table, rules = played.after, played.after.deal.rules
    closes, method = seat.name == table.closer, rules.choice("score.method")
    hand = 0 if closes else sum(hand_value(table.deal, piece) for piece in seat.hand or ())
    joker = table.closing_tile is not None and table.deal.is_wild(table.closing_tile)
    if method == "losses":
        return _tabla(played, seat)
    if method == "penalties":
        if closes:
            return 101 * (1 + joker) * (1 + table.in_hand)
        loss = {Opened.NO: 202, Opened.MELDS: hand, Opened.PAIRS: 2 * hand}[seat.opened]
        return -loss * (1 + joker) * (1 + table.in_hand)
    return _etalat(played, seat, hand, joker=joker)


def _etalat(played: PlayedRound, seat: Seat, hand: int, *, joker: bool) -> int:
    table, classic = played.after, played.after.deal.rules.game == "remi-clasic"
    closes, turned = seat.name == table.closer, table.deal.turned
    total = played.laid[seat.name] - hand
    if seat.opened is Opened.NO and not classic:
        total = -100
    if closes:
        total += 50 if classic else 100
    if seat.announced if classic else turned in (seat.dealt or ()):
        total += 50
    if closes and (joker or (classic and str(table.closing_tile).endswith("1") and len(str(table.closing_tile)) == 2)):
        total *= 2
    if isinstance(turned, Joker) or str(turned) in {"R1", "A1", "N1", "G1"}:
        total *= 2
    return total if classic else max(total, -100)


def _tabla(played: PlayedRound, seat: Seat) -> int:
    table = played.after
    shown = [other.name for other in table.seats if other.announced]
    total = sum(len(table.seats) - 1 if name == seat.name else -1 for name in shown)
    if table.closer in {None, seat.name}:
        return total
    winner = next(other for other in table.seats if other.name == table.closer)
    joker = table.closing_tile is not None and table.deal.is_wild(table.closing_tile)
    pairs = all(count % 2 == 0 for count in Counter(winner.hand or ()).values())
    return total - (4 if joker or pairs else 2)


def _spoilt_turns_fail(played: PlayedRound, random: Random) -> None:
    """Some turns of the round, spoilt in every way they can be: each must fail for the right reason."""
    for turn in random.sample(played.turns, min(4, len(played.turns))):
        for code, position, actions in mutations(turn.turn):
            reasons = judge_turn(position, actions).verdict.reasons
            failed = {reason.code for reason in reasons if reason.outcome is Outcome.FAIL}
            assert code in failed, (code, actions)
