"""How many formations there are, counted; and the judge of formations held against the enumerator."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, combinations_with_replacement

import oracle
import pytest

from remi_ref.melds import Kind, Meld, all_melds, opening_points, read_meld
from remi_ref.notation import parse_tile, parse_tiles
from remi_ref.rules.deal import Deal
from remi_ref.rules.rulefile import SHIPPED, load_ruleset
from remi_ref.tiles import ALL_TILES, Joker, Slot

NUMBERS_AND_COLOURS = [tile for tile in ALL_TILES if tile.number in {1, 2, 3, 11, 12, 13} and tile.colour in "RAN"]


@pytest.mark.parametrize(
    ("rules", "house", "runs", "sets"),
    [
        ("remi-101", (), 264, 65),  # 11 + 10 + ... + 1 runs in each colour; 4 + 1 sets of each number
        ("remi-etalat", (), 312, 65),  # the ace above the 13 as well: 12 + 11 + ... + 1
        ("remi-etalat", ("melds.both_aces_in_run=false",), 308, 65),
        ("remi-101", ("melds.run_max=5",), 120, 65),
        ("remi-101", ("melds.run_min=4", "melds.set_sizes=[4]"), 220, 13),
        ("remi-101", ("melds.wrap=true",), 572, 65),  # thirteen starts of each length from 3 to 13
    ],
)
def test_number_of_formations(rules: str, house: tuple[str, ...], runs: int, sets: int) -> None:
    kinds = Counter(meld.kind for meld in all_melds(Deal(load_ruleset(rules, house))))
    assert kinds == {Kind.RUN: runs, Kind.SET: sets}


@pytest.mark.parametrize("rules", SHIPPED)
def test_all_melds_are_the_shapes_of_the_enumerator(rules: str) -> None:
    deal = Deal(load_ruleset(rules))
    ours = {tuple(slot.plays_as for slot in meld.slots): opening_points(deal, meld) for meld in all_melds(deal)}
    assert ours == {shape.tiles: sum(shape.points) for shape in oracle.shapes(deal)}


def _points(deal: Deal, melds: tuple[Meld, ...]) -> set[int]:
    return {opening_points(deal, meld) for meld in melds}


def _enumerated(deal: Deal, slots: tuple[Slot, ...]) -> set[int]:
    kinds = Counter((slot.piece, slot.plays_as) for slot in slots)
    return {filled.points for filled in oracle.fillings(deal, kinds) if len(filled.tokens) == len(slots)}


@pytest.mark.parametrize("rules", ["remi-101", "remi-etalat", "remi-clasic"])
def test_every_three_tiles(rules: str) -> None:
    deal = Deal(load_ruleset(rules))
    shapes = {frozenset(shape.tiles): sum(shape.points) for shape in oracle.shapes(deal) if len(shape.tiles) == 3}
    for tiles in combinations(ALL_TILES, 3):
        found = _points(deal, read_meld(deal, [Slot(tile, tile) for tile in tiles]))
        expected = shapes.get(frozenset(tiles))
        assert found == (set() if expected is None else {expected}), tiles


@pytest.mark.parametrize("rules", ["remi-101", "remi-etalat", "remi-clasic"])
def test_a_joker_beside_every_two_tiles(rules: str) -> None:
    deal = Deal(load_ruleset(rules))
    for pair in combinations_with_replacement(NUMBERS_AND_COLOURS, 2):
        slots = (*(Slot(tile, tile) for tile in pair), Slot(Joker()))
        found, possible = _points(deal, read_meld(deal, slots)), _enumerated(deal, slots)
        assert found <= possible, slots
        assert bool(found) == bool(possible), slots


def test_a_false_joker_is_the_joker_tile() -> None:
    deal = Deal(load_ruleset("remi-pe-tabla"), parse_tile("R6").piece)
    assert read_meld(deal, parse_tiles("F R8 R9"))
    assert not read_meld(deal, parse_tiles("F R9 R10"))
