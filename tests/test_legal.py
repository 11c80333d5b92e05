"""What may still be done: held against the judge, and the way out against plain trying."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING

import pytest
from random_player import play_round

from remi_ref.melds import judge_meld
from remi_ref.play.actions import Add, Discard, Draw, Lay, Take, TakeAtu
from remi_ref.play.goingout import way_out
from remi_ref.play.layoffs import may_touch
from remi_ref.play.legal import options
from remi_ref.play.position import Position, as_laid
from remi_ref.play.turn import judge_step, start, table_meld
from remi_ref.rules.deal import Deal
from remi_ref.rules.rulefile import load_ruleset
from remi_ref.score.finished import Opened
from remi_ref.tiles import ALL_TILES, Slot, Tile, format_tiles, parse_tiles

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from remi_ref.play.actions import Action
    from remi_ref.play.progress import Progress
    from remi_ref.tiles import Piece


def _pieces(text: str) -> tuple[Piece, ...]:
    return tuple(slot.piece for slot in parse_tiles(text))


def _position(
    rules: str, hand: str, *table: str, row: str = "", opened: Opened = Opened.MELDS, turned: str = ""
) -> Position:
    deal = Deal(load_ruleset(rules), _pieces(turned)[0] if turned else None)
    melds = tuple(table_meld(deal, parse_tiles(text), "Dan") for text in table)
    return Position(deal, "Ana", hand=_pieces(hand), table=melds, row=_pieces(row), opened=opened)


def test_before_the_draw() -> None:
    found = options(_position("remi-101", "R4 R9 N9 G9 R11", "R10 J R12", "R3 R4 R5", row="A3 R6"))
    assert found.draws == (Draw(),)
    assert [str(taking.take.tile) for taking in found.takings] == ["R6"]
    assert isinstance(found.takings[0].use, Add)
    assert [str(swap.tile) for swap in found.swaps] == ["R11"]
    assert [format_tiles(lay.melds[0]) for lay in found.lays] == ["R9 N9 G9"]
    assert [str(add.tile) for add in found.adds] == ["R9"]


def test_a_taken_tile_that_cannot_be_used_is_not_offered() -> None:
    assert options(_position("remi-101", "R4 N9 G2", "R3 R4 R5", row="A3 A9")).takings == ()
    assert len(options(_position("remi-pe-tabla", "R4 N9 G2", row="A3 A9", turned="R4")).takings) == 1


def test_deep_takings_need_an_opening() -> None:
    opened = options(_position("remi-etalat", "R11 R13 N9 G2", row="A3 R12 N1 G7"))
    assert [(str(t.take.tile), format_tiles(t.along)) for t in opened.takings] == [("R12", "N1 G7")]
    assert options(_position("remi-etalat", "R11 R13 N9 G2", row="A3 R12 N1 G7", opened=Opened.NO)).takings == ()


def test_ways_to_open_leave_a_tile_to_discard() -> None:
    hand = "R10 R11 R12 N5 A5 G5"
    assert options(_position("remi-etalat", f"{hand} N9", opened=Opened.NO), [Draw(_pieces("A2")[0])]).openings
    assert options(_position("remi-etalat", hand, opened=Opened.NO)).openings
    full = options(_position("remi-etalat", "R10 R11 R12 N5 A5", opened=Opened.NO), [Draw(_pieces("G5")[0])])
    assert full.openings == ()


def test_the_way_out_may_need_the_atu() -> None:
    found = options(_position("remi-etalat", "A5 A6 N9", turned="A7"))
    assert found.out is not None
    assert isinstance(found.out[0], TakeAtu)
    assert options(_position("remi-etalat", "A5 A6 N9", turned="A8")).out is None


def test_the_way_out_before_the_draw_ends_with_the_drawn_tile() -> None:
    assert options(_position("remi-101", "R7 R8 R9")).out == (Lay((parse_tiles("R7 R8 R9"),)),)


@pytest.mark.parametrize("rules", ["remi-101", "remi-etalat", "remi-clasic"])
def test_the_way_out_is_found_where_plain_trying_finds_one(rules: str) -> None:
    """In real positions cut down to a few tiles: the search and a plain trial of everything agree."""
    answers: Counter[bool] = Counter()
    for progress in _small_hands(rules):
        found = way_out(progress)
        assert (found is not None) == _tried(progress), format_tiles(progress.position.hand or ())
        answers[found is not None] += 1
    assert set(answers) == {True, False}


def _small_hands(rules: str) -> Iterator[Progress]:
    """Positions of real rounds, the hand replaced by four tiles, three of which touch something on the table."""
    for seed in range(2):
        random = Random(seed)
        for turn in play_round(load_ruleset(rules), random).turns:
            position = turn.turn.progress.before
            if position.opened is Opened.NO or position.starts or position.hand is None:
                continue
            near = [tile for tile in ALL_TILES if any(may_touch(meld, tile) for meld in position.table)]
            hand = random.sample(position.hand, 1)
            hand += [tile for tile in random.sample(near, min(3, len(near))) if tile not in hand]
            yield replace(start(replace(position, hand=tuple(hand))), drew=True)


def _goes_out(progress: Progress, actions: Sequence[Action]) -> bool:
    for index, action in enumerate(actions):
        judged = judge_step(progress, action, actions[index + 1 :])
        assert judged.verdict.ok is not False
        progress = judged.progress
    return progress.out


def _tried(progress: Progress) -> bool:
    """Whether some order of all single actions goes out."""
    if progress.out:
        return True
    return any(
        judged.verdict.ok is not False and _tried(judged.progress)
        for action in _everything(progress)
        if (judged := judge_step(progress, action)).progress is not progress
    )


def _everything(progress: Progress) -> Iterator[Action]:
    deal, hand = progress.position.deal, progress.position.hand or ()
    if len(hand) == 1:
        yield Discard(hand[0])
    for size in (2, 3, 4):
        for tiles in combinations(hand, size):
            formation = judge_meld(deal, [Slot(tile) for tile in tiles])
            yield from (Lay((reading.slots,)) for reading in formation.readings)
    for meld in progress.position.table:
        for piece in dict.fromkeys(hand):
            for tile in ALL_TILES if deal.is_wild(piece) else (piece,):
                if isinstance(tile, Tile):
                    yield Add(Slot(piece, tile), as_laid(deal, meld))


def test_every_option_of_a_real_position_is_legal() -> None:
    random = Random(5)
    for turn in random.sample(play_round(load_ruleset("remi-101"), random).turns, 8):
        before = turn.turn.progress.before
        if before.starts:
            continue
        found = options(before)
        for taking in found.takings:
            taken = judge_step(start(before), taking.take)
            assert taken.verdict.ok
            assert taking.use is None or judge_step(taken.progress, taking.use).verdict.ok
        drawn = judge_step(start(before), Draw()).progress
        actions: list[Action] = [*found.openings, *found.lays, *found.adds, *found.swaps, *found.discards]
        assert all(judge_step(drawn, action).verdict.ok is not False for action in actions)
        assert not any(isinstance(action, Take) for action in found.draws)
