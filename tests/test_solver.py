"""The solver against an enumerator, against its own second search, and against hands that others get wrong."""

from __future__ import annotations

import os
import random
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

import oracle
import pytest

from remi_ref.melds import opening_points, read_meld
from remi_ref.notation import parse_tiles
from remi_ref.rules.deal import Deal
from remi_ref.rules.rulefile import SHIPPED, load_ruleset
from remi_ref.solver import solver, sweep
from remi_ref.solver.depth import Depth
from remi_ref.solver.heap import Demand
from remi_ref.solver.rack import Rack
from remi_ref.solver.shapes import Shapes
from remi_ref.tiles import ALL_TILES, Colour, FalseJoker, Joker, Piece, Slot, Tile, format_tiles

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HOUSES = [
    ("remi-101", "joker.max_per_meld=1"),
    ("remi-101", "joker.min_naturals=0", "set.jokers=3"),
    ("remi-101", "joker.naturals_per_joker=1", "joker.threshold_value=50"),
    ("remi-101", "melds.run_max=4", "joker.in_pair=any"),
    ("remi-101", "opening.need_run=true", "joker.in_pair=none"),
    ("remi-101", "melds.wrap=true"),
    ("remi-101", "set.jokers=3", "joker.naturals_per_joker=2"),
    ("remi-101", "melds.run_max=3", "melds.ace_high=true"),
    ("remi-101", "tile_values.low=0", "opening.need_run=true"),
    ("remi-etalat", "opening.set_of_aces_exception=true", "joker.max_per_meld=none"),
    ("remi-etalat", "melds.ace_low=false", "melds.pairs=opening"),
    ("remi-etalat", "melds.both_aces_in_run=false", "joker.min_naturals=1", "joker.max_per_meld=2"),
    ("remi-etalat", "ace_value.high=30", "melds.wrap=true"),
    ("remi-clasic", "melds.run_min=4", "joker.threshold_value=0"),
    ("remi-clasic", "melds.set_sizes=[4]", "opening.need_run=false"),
    ("remi-clasic", "melds.set_sizes=[3]", "tile_values.low=0"),
    ("remi-pe-tabla", "joker.max_per_meld=1", "joker.in_pair=one"),
]


def _deal(rng: random.Random, rules: tuple[str, ...]) -> Deal:
    ruleset = load_ruleset(rules[0], rules[1:])
    indicator = ruleset.choice("turned_tile") == "indicator"
    return Deal(ruleset, rng.choice(ALL_TILES) if indicator else None)


def _pool(rng: random.Random) -> list[Tile]:
    """Tiles to draw from: the whole box, a corner of it, or a few numbers."""
    kind, low = rng.randrange(3), rng.randint(1, 13)
    near = {(low + i - 1) % 13 + 1 for i in range(rng.randint(3, 6))}
    colours = rng.sample(list(Colour), rng.randint(1, 4))
    few = rng.sample(range(1, 14), 4)
    fits = [
        tile
        for tile in ALL_TILES
        if kind == 0
        or (kind == 1 and tile.number in near and tile.colour in colours)
        or (kind == 2 and tile.number in few)
    ]
    return fits * 2


def _rack(rng: random.Random, deal: Deal, most: int) -> list[Slot]:
    """A rack that the box can make up: random, dense, or heavy with jokers; now and then with a declared one."""
    pool = [tile for tile in _pool(rng) if tile != deal.joker_tile]
    jokers: list[Piece] = [Joker(white=rng.random() < 0.1) for _ in range(rng.randint(0, deal.rules.jokers))]
    if deal.joker_tile is not None:
        jokers = [deal.joker_tile] * rng.randint(0, 2)
        jokers += [FalseJoker()] * rng.randint(0, 2)
    pieces = [*rng.sample(pool, min(len(pool), rng.randint(3, most))), *jokers]
    rng.shuffle(pieces)
    return [_slot(rng, deal, piece) for piece in pieces]


def _slot(rng: random.Random, deal: Deal, piece: Piece) -> Slot:
    if isinstance(piece, FalseJoker):
        return Slot(piece)
    if deal.is_wild(piece):
        return Slot(piece, rng.choice(ALL_TILES) if rng.random() < 0.05 else None)
    return Slot(piece, piece if isinstance(piece, Tile) else None)


def _check(deal: Deal, rack: list[Slot], packing: solver.Packing) -> None:
    """A packing is made of this rack's pieces, and every meld of it is a legal reading."""
    laid = Counter(slot.piece for meld in packing.melds for slot in meld.slots)
    assert laid + Counter(packing.left) == Counter(slot.piece for slot in rack)
    for meld in packing.melds:
        assert meld in read_meld(deal, meld.slots), str(meld)
    assert packing.points == sum(opening_points(deal, meld) for meld in packing.melds)


RACKS = int(os.environ.get("REMI_REF_RACKS", "495"))
"""How many racks are held against the enumerator in all; a long run asks for more."""


SEARCHES: list[dict[str, object]] = [
    {},  # by what a rack of this kind is given to
    {"packing.FEW_FORMATIONS": 10_000},  # by choosing among all that can be made, where that can be done
    {"packing.FEW_FORMATIONS": -1},  # tile by tile, where that can be done
    {"packing._by_turns": lambda shapes, heap, demand: sweep.Sweep(shapes, heap, demand).solve()},
    {"packing.HEAPS": 1, "packing.STATES": 8, "packing.LONGER": 2, "packing.FEW_TILES": 0},  # in many short turns
    {
        "packing._by_turns": lambda shapes, heap, demand: sweep.Sweep(shapes, heap, demand).solve(),
        "sweep.WINDOW": 300,
        "sweep.CLOSE": 0,
        "sweep.LIKELIEST": 1,
    },  # by the sweep that is wrong in its guesses
]


def _by_each_search(
    monkeypatch: pytest.MonkeyPatch, ask: Callable[[], solver.Packing | None]
) -> Iterator[solver.Packing | None]:
    for changes in SEARCHES:
        with monkeypatch.context() as patch:
            for name, value in {"packing.FEW_FORMATIONS": -1, **changes}.items() if changes else ():
                patch.setattr(f"remi_ref.solver.{name}", value)
            yield ask()


@pytest.mark.parametrize("rules", [*((name,) for name in SHIPPED), *HOUSES], ids="/".join)
def test_agrees_with_the_enumerator(rules: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random("/".join(rules))
    for _ in range(RACKS * (40 if len(rules) == 1 else 15) // 495):
        deal = _deal(rng, rules)
        rack = _rack(rng, deal, 10)
        keep, need_run = rng.choice([0, 1, 1, 2]), rng.choice([None, None, True, False])
        taken = rng.choice(rack).piece if deal.joker_tile is None and rng.random() < 0.3 else None
        told = f"{format_tiles(rack)} turned={deal.turned} keep={keep} taken={taken} run={need_run}"
        ask = partial(solver.best_opening, deal, rack, keep=keep, taken=taken, need_run=need_run)
        expected = oracle.best(deal, rack, keep=keep, taken=taken, need_run=need_run)
        for best in _by_each_search(monkeypatch, ask):
            found = None if best is None else (best.points, sum(len(meld.slots) for meld in best.melds))
            assert found == expected, told
            if best is not None:
                _check(deal, rack, best)

        if deal.rules.choice("melds.pairs") != "none":
            pairs = solver.most_pairs(deal, rack, keep=keep, taken=taken)
            count = 0 if pairs is None else len(pairs.melds)
            assert count == oracle.most_pairs(deal, rack, keep=keep, taken=taken), told
            if pairs is not None:
                _check(deal, rack, pairs)


@pytest.mark.parametrize("rules", ["remi-101", "remi-etalat", "remi-clasic"])
@pytest.mark.parametrize("size", [15, 22, 30])
def test_two_searches_agree(rules: str, size: int) -> None:
    """Depth first over bit masks, and the sweep over the numbers, which share nothing but the rules."""
    rng = random.Random(size)
    deal = Deal(load_ruleset(rules))
    box: list[Piece] = [*ALL_TILES * 2, Joker()]
    for _ in range(6):
        rack = [_slot(rng, deal, piece) for piece in rng.sample(box, size)]
        shapes, heap, demand = Shapes.of(deal.rules), Rack(deal, rack).heap(), Demand(size, run=rng.random() < 0.5)
        first, second = Depth(shapes, heap, demand).solve(10**9), sweep.Sweep(shapes, heap, demand).solve()
        assert (first and first.worth) == (second and second.worth), format_tiles(rack)


def test_a_formation_that_counts_nothing_can_still_be_laid(monkeypatch: pytest.MonkeyPatch) -> None:
    deal = Deal(load_ruleset("remi-101", ["tile_values.low=0"]))
    for best in _by_each_search(monkeypatch, partial(solver.best_opening, deal, parse_tiles("R2 R3 R4 R5 A4 N4 G9"))):
        assert best is not None
        assert (best.points, len(best.left)) == (0, 4)


def test_no_run_longer_than_allowed_up_to_the_high_ace(monkeypatch: pytest.MonkeyPatch) -> None:
    deal = Deal(load_ruleset("remi-101", ["melds.run_max=3", "melds.ace_high=true"]))
    ask = partial(solver.best_opening, deal, parse_tiles("J G1 J R13 G2 R1"), need_run=True)
    assert {best and best.points for best in _by_each_search(monkeypatch, ask)} == {36}


@pytest.mark.parametrize(
    ("rules", "tiles", "points"),
    [
        ("remi-101", "R12 R13 J N1", 36),
        ("remi-101", "R4 R5 J A9 A10 J N1", 45),  # R4 R5 J=R6 and A9 A10 J=A11: a joker in each
        ("remi-101", "R10 A10 N10 R5 A5 N5 G1", 45),
        ("remi-101", "R10 R11 R12 R13 A10 A11 A12 A13 N10 N11 N12 G2", 125),
        ("remi-etalat", "A1 N1 G1 R4 R5 R6 N9", 90),
        ("remi-etalat", "R12 R13 R1 A2 A3 A1 N8", 45),  # the ace is 10 above the 13 and 5 below the 2
        ("remi-clasic", "R1 R2 J J R5 R6 N9", 30),  # two jokers in one run want four tiles
        ("remi-clasic", "R3 R3 R4 R4 R5 R5 R6 R6 R7 R7 R8 A3 A3 A4 A4 A5 A5 A6 A6 A7 A8 A8 J J", 120),  # a run of eight
    ],
)
def test_known_hands(rules: str, tiles: str, points: int) -> None:
    best = solver.best_opening(Deal(load_ruleset(rules)), parse_tiles(tiles))
    assert best is not None
    assert best.points == points


def test_one_tile_stays_for_the_discard() -> None:
    deal = Deal(load_ruleset("remi-101"))
    rack = parse_tiles("R10 A10 N10 G10")
    kept, all_laid = solver.best_opening(deal, rack), solver.best_opening(deal, rack, keep=0)
    assert kept is not None
    assert all_laid is not None
    assert (kept.points, all_laid.points) == (30, 40)


def test_a_set_of_aces_alone_where_the_house_allows_it() -> None:
    rack = parse_tiles("R1 A1 N1 R9 A9 N9 G4")
    assert solver.best_opening(Deal(load_ruleset("remi-etalat")), rack) is None
    house = Deal(load_ruleset("remi-etalat", ["opening.set_of_aces_exception=true"]))
    best = solver.best_opening(house, rack)
    assert best is not None
    assert best.points == 90


def test_the_same_rack_gives_the_same_answer() -> None:
    deal = Deal(load_ruleset("remi-101"))
    rack = parse_tiles("R5 R6 R7 A5 A6 A7 N5 N6 N7 J J G9 G9")
    assert solver.best_opening(deal, rack) == solver.best_opening(deal, rack)


# --- winning boards --------------------------------------------------------------------------------------------------


def _almost_won(rng: random.Random, deal: Deal) -> list[Slot]:
    """Fourteen tiles cut from formations, one of them perhaps exchanged."""
    pool: list[Piece] = [tile for tile in ALL_TILES * 2 if tile != deal.joker_tile]
    pieces: list[Piece] = [FalseJoker()] * rng.randint(0, 1)
    pieces += [deal.joker_tile] * rng.randint(0, 2) if deal.joker_tile else []
    colour, low = rng.choice(list(Colour)), rng.randint(1, 9)
    pieces += [Tile(colour, low + i) for i in range(4)] + [Tile(c, low) for c in Colour]
    pieces = [piece for piece in pieces if piece != deal.joker_tile or rng.random() < 0.9]
    pieces += rng.sample(pool, 14)
    return [_slot(rng, deal, piece) for piece in pieces[:14]]


def test_wins_agree_with_the_enumerator() -> None:
    rng = random.Random(14)
    outcomes = Counter[bool]()
    for _ in range(60):
        deal = _deal(rng, ("remi-pe-tabla",))
        board = _almost_won(rng, deal)[: rng.choice([8, 9, 10, 11])]
        size = f"deal.hand={len(board)}"
        deal = Deal(load_ruleset("remi-pe-tabla", [size]), deal.turned)
        expected = oracle.wins_with_melds(deal, board) or oracle.most_pairs(deal, board, keep=0) * 2 == len(board)
        won = solver.winning_board(deal, board)
        assert (won is not None) == expected, (format_tiles(board), deal.turned)
        outcomes[expected] += 1
        if won is not None:
            assert not won[0].left
    assert min(outcomes[True], outcomes[False]) >= 5


@pytest.mark.parametrize(
    ("tiles", "last"),
    [
        ("R1 R2 R3 A4 A5 A6 N7 N8 N9 G10 G11 G12 G13 G1 R7", "R7"),  # a joker put down last costs the others more
        ("R1 R1 A2 A2 N3 N3 G4 G4 R5 R5 A9 A9 N10 N10 G13", "G13"),
        ("R1 R2 R3 A4 A5 A6 N7 N8 N9 G10 G11 G12 G13 G1 A1", "A1"),
    ],
)
def test_the_last_tile(tiles: str, last: str) -> None:
    deal = Deal(load_ruleset("remi-pe-tabla"), parse_tiles("R6")[0].piece)
    won = solver.winning_board(deal, parse_tiles(tiles))
    assert won is not None
    assert str(won[1]) == last


# --- one tile away ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "points", "pairs"), [("remi-101", 40, 3), ("remi-etalat", 45, None)])
def test_one_away_is_what_drawing_each_piece_would_give(rules: str, points: int, pairs: int | None) -> None:
    rng = random.Random(52)
    deal = Deal(load_ruleset(rules))
    kinds: list[Piece] = [*ALL_TILES, Joker()]
    seen = 0
    for _ in range(3):
        rack = [_slot(rng, deal, piece) for piece in rng.sample(kinds * 2, 8)]
        away = solver.one_away(deal, rack, keep=1, taken=None, points=points, pairs=pairs)
        held = Counter("J" if isinstance(slot.piece, Joker) else str(slot.piece) for slot in rack)
        for piece in kinds:
            more = [*rack, Slot(piece, piece if isinstance(piece, Tile) else None)]
            best = oracle.best(deal, more)
            makes = (best is not None and best[0] >= points) or (
                pairs is not None and oracle.most_pairs(deal, more) >= pairs
            )
            assert (piece in away) == (makes and held[str(piece)] < 2), (format_tiles(rack), str(piece))
        seen += len(away)
    assert seen
