"""What holds for every round: totals are sums, doublings double, caps cap, the order of players does not matter."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remi_ref.errors import Unreadable
from remi_ref.melds import judge_meld, table_points
from remi_ref.notation import parse_melds, parse_tile, parse_tiles
from remi_ref.rules.deal import Deal
from remi_ref.rules.rulefile import SHIPPED, load_ruleset
from remi_ref.score.asfirstlaid import FirstLaid
from remi_ref.score.finished import Opened, Placed, Round, Side, Twin
from remi_ref.score.roundcheck import check_round
from remi_ref.score.scoring import judge_round, score_round
from remi_ref.tiles import Joker, Slot, Tile

if TYPE_CHECKING:
    from random import Random

    from remi_ref.rules.ruleset import Ruleset
    from remi_ref.verdict import Score

NAMES = ("Ana", "Dan", "Ion", "Eva")
TABLE_GAMES = tuple(name for name in SHIPPED if name != "remi-pe-tabla")


@lru_cache
def rules_of(name: str, *house: str) -> Ruleset:
    return load_ruleset(name, house)


def points(scores: tuple[Score, ...]) -> dict[str, int]:
    return {score.player: score.total for score in scores}


def sides_counted_by_hand(closer: str | None) -> st.SearchStrategy[tuple[Side, ...]]:
    """Two to four players whose tiles were counted at the table."""

    def side(name: str) -> st.SearchStrategy[Side]:
        if name == closer:
            return st.builds(Side, st.just(name), st.just(Opened.MELDS), laid=st.integers(0, 300), hand=st.just(0))
        opened = st.builds(
            Side,
            st.just(name),
            st.sampled_from([Opened.MELDS, Opened.PAIRS]),
            laid=st.integers(0, 300),
            hand=st.integers(0, 400),
        )
        unopened = st.builds(Side, st.just(name), hand=st.integers(0, 400))
        return st.one_of(opened, unopened)

    return st.integers(2, 4).flatmap(lambda count: st.tuples(*(side(name) for name in NAMES[:count])))


rounds = st.sampled_from([None, "Ana"]).flatmap(
    lambda closer: st.builds(
        Round,
        sides_counted_by_hand(closer),
        st.just(closer),
        st.sampled_from([None, Joker(), parse_tile("R1").piece, parse_tile("R5").piece]) if closer else st.none(),
    )
)
turned = st.sampled_from([None, "G7", "G1", "J"]).map(lambda text: parse_tile(text).piece if text else None)


@given(rounds, st.sampled_from(TABLE_GAMES))
def test_a_total_is_the_sum_of_its_lines_and_every_line_cites(finished: Round, name: str) -> None:
    for score in score_round(Deal(rules_of(name)), finished):
        assert score.total == sum(line.points for line in score.lines)
        assert score.lines
        assert all(line.citation.knob for line in score.lines)


@given(rounds)
def test_a_double_game_doubles_everybody(finished: Round) -> None:
    rules = rules_of("remi-clasic")
    plain = points(score_round(Deal(rules, parse_tile("G7").piece), finished))
    ace = points(score_round(Deal(rules, parse_tile("G1").piece), finished))
    joly = points(score_round(Deal(rules, Joker()), finished))
    assert ace == joly == {name: 2 * total for name, total in plain.items()}


@given(rounds, turned)
def test_nobody_loses_more_than_the_cap_and_nobody_else_is_touched(finished: Round, tile: Tile | Joker | None) -> None:
    capped = points(score_round(Deal(rules_of("remi-etalat"), tile), finished))
    free = points(score_round(Deal(rules_of("remi-etalat", "loss_cap=none"), tile), finished))
    assert capped == {name: max(-100, total) for name, total in free.items()}


@given(rounds, turned)
def test_the_joker_close_doubles_the_closer_alone_where_the_text_says_so(
    finished: Round, tile: Tile | Joker | None
) -> None:
    deal = Deal(rules_of("remi-etalat", "loss_cap=none"), tile)
    with_joker = replace(finished, closing_tile=Joker() if finished.closer else None)
    ordinary = points(score_round(deal, replace(finished, closing_tile=None)))
    for name, total in points(score_round(deal, with_joker)).items():
        assert total == ordinary[name] * (2 if name == finished.closer else 1)


@given(rounds)
def test_the_joker_close_doubles_everybody_in_remi_101(finished: Round) -> None:
    deal = Deal(rules_of("remi-101"))
    factor = 2 if finished.closer else 1
    with_joker = replace(finished, closing_tile=Joker() if finished.closer else None)
    ordinary = points(score_round(deal, replace(finished, closing_tile=None)))
    assert points(score_round(deal, with_joker)) == {name: total * factor for name, total in ordinary.items()}


@given(rounds, turned, st.sampled_from(["remi-etalat", "remi-clasic"]), st.randoms(use_true_random=False))
def test_the_order_of_the_players_does_not_matter(
    finished: Round, tile: Tile | Joker | None, name: str, chance: Random
) -> None:
    deal = Deal(rules_of(name), tile)
    sides = list(finished.sides)
    chance.shuffle(sides)
    assert points(score_round(deal, finished)) == points(score_round(deal, replace(finished, sides=tuple(sides))))


@given(rounds, st.sampled_from(["bank", "opponents", "losses-only"]), st.integers(0, 3))
def test_the_twin_is_paid_by_whom_the_table_says(finished: Round, payer: str, holder: int) -> None:
    rules = rules_of("remi-etalat", "loss_cap=none", f"atu.paid_by={payer}")
    deal = Deal(rules, parse_tile("G7").piece)
    finished = replace(finished, closing_tile=None)
    holder %= len(finished.sides)
    sides = [replace(side, twin=Twin.HELD if index == holder else None) for index, side in enumerate(finished.sides)]
    before = points(score_round(deal, finished))
    after = points(score_round(deal, replace(finished, sides=tuple(sides))))
    others = len(sides) - 1
    gain = {"bank": 50, "opponents": 50 * others, "losses-only": 0}[payer]
    for index, side in enumerate(sides):
        change = gain if index == holder else 0 if payer == "bank" else -50
        assert after[side.name] - before[side.name] == change


@given(
    st.lists(st.sampled_from(["R10 R11 R12", "N5 A5 G5", "R1 R2 R3", "A12 A13 A1", "N1 A1 G1", "G4 J G6"]), unique=True)
)
def test_laid_formations_count_as_the_melds_say(texts: list[str]) -> None:
    deal = Deal(rules_of("remi-etalat"))
    melds = tuple(parse_tiles(text) for text in texts)
    finished = Round((Side("Ana", Opened.MELDS, melds, hand=()), Side("Dan")))
    expected = sum(table_points(deal, judge_meld(deal, meld).readings[0]) for meld in melds)
    assert points(score_round(deal, finished))["Ana"] == expected


def test_a_table_may_be_written_as_laid_or_as_it_lies() -> None:
    first, grown = parse_tiles("R3 R4 R5"), parse_tiles("R3 R4 R5 R6 R7")
    added = (
        Placed(parse_tile("R7"), parse_tiles("R3 R4 R5 R6")),
        Placed(parse_tile("R6"), first),
    )
    bought = (Placed(parse_tile("N11"), parse_tiles("N10 J N12"), for_joker=True),)
    adder = Side("Ana", Opened.MELDS, added=added, bought=bought, hand=parse_tiles("W"))
    written = [
        Round((Side("Dan", Opened.MELDS, (run, joker), hand=()), adder))
        for run, joker in ((first, parse_tiles("N10 J N12")), (grown, parse_tiles("N10 N11 N12")))
    ]
    deal = Deal(rules_of("remi-etalat"))
    assert FirstLaid(deal, written[0]).round.sides == FirstLaid(deal, written[1]).round.sides
    assert points(score_round(deal, written[0])) == {"Dan": 85, "Ana": 20 - 50}


def test_what_only_the_player_can_say_is_not_guessed() -> None:
    deal = Deal(rules_of("remi-etalat", "joker.table_value=replaced"))
    finished = Round((Side("Ana", Opened.MELDS, parse_melds("R9 J R8"), hand=()), Side("Dan")))
    judged = judge_round(deal, finished)
    assert judged.verdict.ok is None
    assert set(judged.verdict.open) == {"J=R7 R8 R9", "R8 R9 J=R10"}
    with pytest.raises(Unreadable):
        score_round(deal, finished)


@given(st.sampled_from(TABLE_GAMES), st.integers(1, 20))
def test_a_closer_with_tiles_is_refused_in_every_game(name: str, left: int) -> None:
    deal = Deal(rules_of(name))
    for hand in (left, tuple(Slot(tile.piece, tile.plays_as) for tile in parse_tiles("R5"))):
        sides = (Side("Ana", Opened.MELDS, hand=hand), Side("Dan"))
        with pytest.raises(Unreadable) as caught:
            check_round(deal, Round(sides, "Ana"))
        assert caught.value.values["player"] == "Ana"
