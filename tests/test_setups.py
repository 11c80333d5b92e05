"""How to deal, and whether a box is full, asked of the core itself: figures that must hold for every game."""

from __future__ import annotations

import pytest

from remi_ref.notation import parse_tiles
from remi_ref.rules.deal import Deal, box_of
from remi_ref.rules.rulefile import SHIPPED, load_ruleset
from remi_ref.score.boxcount import count_box
from remi_ref.score.setup import plan_setup
from remi_ref.tiles import Slot, Tile
from remi_ref.verdict import Basis
from remi_ref.words import LANGUAGES, Words

DEALS = [(name, players) for name in SHIPPED for players in load_ruleset(name).numbers("players")]


@pytest.mark.parametrize(("name", "players"), DEALS)
def test_every_tile_of_the_box_is_somewhere(name: str, players: int) -> None:
    rules = load_ruleset(name)
    plan = plan_setup(Deal(rules), players)
    beside = rules.choice("turned_tile") in {"atu", "indicator"}
    dealt = plan.hand_first + (players - 1) * plan.hand_other
    assert plan.verdict.ok
    assert dealt + plan.stock + beside == box_of(rules).total() == 106


@pytest.mark.parametrize(("name", "players"), DEALS)
def test_what_stays_in_the_stock_follows_from_the_text(name: str, players: int) -> None:
    plan = plan_setup(Deal(load_ruleset(name)), players)
    reasons = {reason.code: reason for reason in (*plan.steps, *plan.verdict.reasons)}
    assert {reasons[code].citation.basis for code in ("setup.stock", "setup.enough")} == {Basis.DERIVED}


@pytest.mark.parametrize("number", range(1, 14))
def test_the_ritual_counts_as_far_as_the_made_tile_says(number: int) -> None:
    made = parse_tiles(f"N{number}")[0].piece
    plan = plan_setup(Deal(load_ruleset("remi-clasic"), made), 4)
    steps = {step.code: step.values for step in plan.steps}
    assert isinstance(made, Tile)
    assert steps["setup.count_piles"]["number"] == steps["setup.made_in"]["number"] == number
    assert steps["setup.lifted_on"] == {"number": number + 1, "size": 8}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_can_be_said(language: str) -> None:
    words = Words(language)
    for name, players in DEALS:
        plan = plan_setup(Deal(load_ruleset(name)), players)
        assert all(words.reason(step) for step in (*plan.verdict.reasons, *plan.steps))


@pytest.mark.parametrize("name", SHIPPED)
def test_a_box_without_one_tile_misses_just_that_tile(name: str) -> None:
    rules = load_ruleset(name)
    full = [Slot(piece) for piece in box_of(rules).elements()]
    for index in range(0, len(full), 9):
        counted = count_box(rules, full[:index] + full[index + 1 :])
        assert counted.missing == (full[index].piece,)
        assert counted.extra == ()
        assert counted.total == 105
        assert not counted.verdict.ok
    assert count_box(rules, full).verdict.ok


def test_a_white_joker_is_one_of_the_jokers() -> None:
    rules = load_ruleset("remi-etalat")
    tiles = parse_tiles("R1-13 A1-13 N1-13 G1-13 R1-13 A1-13 N1-13 G1-13 J W")
    assert count_box(rules, tiles).verdict.ok
