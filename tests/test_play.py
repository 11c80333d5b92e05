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

from remi_ref.cli.program import main
from remi_ref.melds import hand_value
from remi_ref.play.rounds import judge_play
from remi_ref.play.roundwriting import write_round
from remi_ref.play.seats import pieces_of_table
from remi_ref.play.turn import judge_turn
from remi_ref.play.turnfile import read_round
from remi_ref.rules.deal import box_of
from remi_ref.rules.rulefile import SHIPPED, load_ruleset
from remi_ref.score.finished import Opened
from remi_ref.tiles import Joker, Tile
from remi_ref.verdict import Outcome

if TYPE_CHECKING:
    from pathlib import Path

    from random_player import PlayedRound

    from remi_ref.play.seats import Seat
    from remi_ref.rules.ruleset import Ruleset
    from remi_ref.tiles import Piece

ROUNDS = int(os.environ.get("REMI_REF_ROUNDS", "35"))
HOUSE_RULES = (
    ("remi-etalat", "set.packs=1"),
    ("remi-101", "joker.button=true"),
    ("remi-etalat", "layoff.owner_of_points=owner"),
    ("remi-clasic", "joker.recover=unlimited", "joker.layoff=any"),
)


@pytest.mark.parametrize("seed", range(ROUNDS))
@pytest.mark.parametrize("rules", SHIPPED)
def test_a_round_at_random(rules: str, seed: int) -> None:
    check_round_at_random(load_ruleset(rules), seed)


@pytest.mark.parametrize("seed", range(ROUNDS // 7))
@pytest.mark.parametrize("rules", HOUSE_RULES, ids=" ".join)
def test_a_round_at_random_by_house_rules(rules: tuple[str, ...], seed: int) -> None:
    check_round_at_random(load_ruleset(rules[0], rules[1:]), seed)


@pytest.mark.parametrize(("command", "code"), [("score", 3), ("turn", 0)])
def test_a_count_that_readings_leave_open_is_said(
    command: str, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played = play_round(load_ruleset("remi-etalat-51"), Random(770351))  # R1 was put on R2 to R13
    file = tmp_path / "round.remi"
    file.write_text(write_round(played.play), encoding="utf-8")
    assert main([command, str(file), "--lang", "en"]) == code
    page = capsys.readouterr().out
    assert "R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 R1\n  R1 R2" in page
    assert ("not counted yet" in page) is (command == "turn")


def check_round_at_random(rules: Ruleset, seed: int) -> PlayedRound:
    """Plays a round and holds all that is known of it against it."""
    played = play_round(rules, Random(seed))
    _every_turn_is_legal(played)
    _every_tile_is_somewhere(played)
    _read_back_it_is_the_same(played)
    _scored_as_counted(played)
    _spoilt_turns_fail(played, Random(seed))
    return played


def _every_turn_is_legal(played: PlayedRound) -> None:
    assert all(turn.verdict.ok for turn in played.turns)


def _every_tile_is_somewhere(played: PlayedRound) -> None:
    table = played.after
    seen = Counter(Joker() if isinstance(piece, Joker) else piece for piece in pieces_of_table(table))
    seen.update(Joker() if isinstance(piece, Joker) else piece for piece in played.stock)
    turned = table.deal.turned
    if turned is not None and table.atu_there and table.deal.rules.choice("turned_tile") != "made":
        seen[turned] += 1
    from_buttons = Counter({Joker(): sum(seat.button_used for seat in table.seats)})
    assert seen == box_of(table.deal.rules) + from_buttons


def _read_back_it_is_the_same(played: PlayedRound) -> None:
    text = write_round(played.play)
    again = read_round(text, "round.remi")
    assert again == played.play
    assert write_round(again) == text


def _scored_as_counted(played: PlayedRound) -> None:
    verdict = judge_play(played.play)
    assert verdict.verdict.ok
    assert verdict.after == played.after
    if verdict.counted is not None and verdict.counted.verdict.open:  # an ace that fits both ends of a run
        assert not verdict.scores
        return
    scores = {score.player: score.total for score in verdict.scores}
    assert scores == {seat.name: _count(played, seat) for seat in played.after.seats}


def _count(played: PlayedRound, seat: Seat) -> int:
    """The round counted a second time, from what lies in the hands and what was counted when it was laid."""
    table, rules = played.after, played.after.deal.rules
    closes, opens_at_all = seat.name == table.closer, rules.choice("melds.pairs") != "win"
    joker = table.closing_tile is not None and table.deal.is_wild(table.closing_tile)
    total = 0
    if table.closer is not None or rules.choice("stock_out") == "count":
        total = _base(played, seat) if opens_at_all else _price_of_the_board(played, seat)
    total += _twins(played, seat)
    if opens_at_all and joker and (rules.choice("close.joker") == "everyone" or closes):
        total *= 1 if rules.choice("close.joker") == "none" else 2
    if closes and isinstance(table.closing_tile, Tile) and table.closing_tile.number == 1:
        total *= 1 + rules.flag("close.ace_doubles")
    total *= 1 + table.in_hand
    total *= 1 + (_kind(table.deal.turned) in rules.words("double_game"))
    cap = rules.limit("loss_cap")
    return total if cap is None else max(total, cap)


def _kind(turned: Piece | None) -> str:
    if isinstance(turned, Joker):
        return "joker"
    return "ace" if isinstance(turned, Tile) and turned.number == 1 else "other"


def _base(played: PlayedRound, seat: Seat) -> int:
    """What was laid, the close, and what is left in the hand or the penalty for never having opened."""
    table, rules = played.after, played.after.deal.rules
    laid = played.laid[seat.name] if rules.choice("score.method") == "laid-minus-hand" else 0
    if seat.name == table.closer:
        return laid + rules.number("close.bonus")
    hand, flat = sum(hand_value(table.deal, piece) for piece in seat.hand or ()), rules.number_or_word("not_opened")
    if seat.opened is Opened.NO:
        return flat if isinstance(flat, int) else -hand
    return laid - hand * (rules.number("pairs_opener_multiplier") if seat.opened is Opened.PAIRS else 1)


def _twins(played: PlayedRound, seat: Seat) -> int:
    """What the twin of the turned tile brings or costs."""
    table, rules = played.after, played.after.deal.rules
    turned, holders = table.deal.turned, list[str]()
    if turned is None or (isinstance(turned, Joker) and not rules.flag("atu.joker_twin")):
        return 0
    for other in table.seats:
        dealt = turned in (other.dealt or ())
        counts = (dealt or not rules.flag("atu.dealt_only")) and rules.choice("turned_tile") != "made"
        counts = counts and (dealt or other.drew_twin)
        if other.announced or (counts and rules.choice("atu.announce") == "none"):
            holders.append(other.name)
    bonus, paid_by = rules.number("atu.bonus"), rules.choice("atu.paid_by")
    gain = {"bank": bonus, "opponents": bonus * (len(table.seats) - 1), "losses-only": 0}[paid_by]
    loss = 0 if paid_by == "bank" else -bonus
    return sum(gain if name == seat.name else loss for name in holders)


def _price_of_the_board(played: PlayedRound, seat: Seat) -> int:
    table, rules = played.after, played.after.deal.rules
    if table.closer in {None, seat.name}:
        return 0
    winner = next(other for other in table.seats if other.name == table.closer)
    joker = table.closing_tile is not None and table.deal.is_wild(table.closing_tile)
    board = winner.hand or ()
    jokers = sum(map(table.deal.is_wild, board))
    odd = sum(count % 2 for piece, count in Counter(board).items() if not table.deal.is_wild(piece))
    if odd <= jokers:
        return -rules.number("close.seven_pairs_joker" if joker else "close.seven_pairs")
    return -rules.number("close.joker_loss" if joker else "close.loss")


def _spoilt_turns_fail(played: PlayedRound, random: Random) -> None:
    """Some turns of the round, spoilt in every way they can be: each must fail for the right reason."""
    for turn in random.sample(played.turns, min(4, len(played.turns))):
        for code, position, actions in mutations(turn.turn):
            reasons = judge_turn(position, actions).verdict.reasons
            failed = {reason.code for reason in reasons if reason.outcome is Outcome.FAIL}
            assert code in failed, (code, actions)
