"""What may still be done: held against the judge, and the way out against plain trying."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from random_player import play_round

from remi_ref.__main__ import main
from remi_ref.melds import judge_meld, stands_in
from remi_ref.notation import parse_tiles
from remi_ref.play.actions import Add, Announce, Discard, Draw, Lay, Show, Swap, Take, TakeAtu
from remi_ref.play.goingout import way_out
from remi_ref.play.layoffs import may_touch
from remi_ref.play.legal import options
from remi_ref.play.position import Position, as_laid
from remi_ref.play.turn import judge_step, judge_turn, start, table_meld
from remi_ref.rules.deal import Deal
from remi_ref.rules.rulefile import load_ruleset
from remi_ref.score.finished import Opened
from remi_ref.tiles import ALL_TILES, Joker, Slot, Tile, format_tiles

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


def test_a_taken_tile_may_need_another_action_first() -> None:
    added = options(_position("remi-101", "A5 N9 G2 R3", "N6 N7 N8", row="G2 A4 N10")).takings
    assert [(str(t.take.tile), str(getattr(t.first, "tile", ""))) for t in added] == [("N10", "N9")]
    swapped = options(_position("remi-etalat", "R11 N9 G2 R3", "R10 J R12", row="N10")).takings
    assert [(str(t.take.tile), str(getattr(t.first, "tile", ""))) for t in swapped] == [("N10", "R11")]


@pytest.mark.parametrize(
    ("rules", "hand", "table", "row", "turned"),
    [
        ("remi-etalat", "R4 R5 A9", (), "G2 N13 R6", ""),
        ("remi-101", "R4 R5 A9", (), "G2 N13 R6", ""),
        ("remi-clasic", "J N9 A5", (), "G2 A4 G9 A9", ""),
        ("remi-etalat", "N9 A5", ("N6 N7 N8",), "G2 N10", ""),
        ("remi-101", "R11 N9 A5", ("R10 J R12",), "G2 N10", ""),
        ("remi-pe-tabla", "R4 R5 A5 A6 A7 N5 N6 N7 G8 G9 G10 G11 G12 A1", (), "N1 R6", "N9"),
    ],
)
def test_the_way_out_may_begin_with_a_discard(
    rules: str, hand: str, table: tuple[str, ...], row: str, turned: str
) -> None:
    position = _position(rules, hand, *table, row=row, turned=turned)
    found = options(position).out
    assert found is not None
    assert isinstance(found[0], Take)
    assert judge_turn(position, found).verdict.ok
    assert options(replace(position, row=_pieces("G2"))).out is None


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


SAMPLES = Path(__file__).parent.parent / "samples" / "turns"
SMALL_OPENINGS = ("opening.points=12", "opening.need_run=false", "layoff.opening_turn=true")


@pytest.mark.parametrize(
    ("rules", "house"),
    [
        ("remi-101", ()),
        ("remi-etalat", ()),
        ("remi-clasic", ("joker.recover=unlimited",)),
        ("remi-101", SMALL_OPENINGS),
        ("remi-etalat", (*SMALL_OPENINGS, "joker.recover_opening_turn=true")),
        ("remi-101", ("opening.pairs_min=1", "close.must_discard=false")),
    ],
)
def test_the_way_out_is_found_where_plain_trying_finds_one(rules: str, house: tuple[str, ...]) -> None:
    """In real positions cut down to a few tiles: the search and a plain trial of everything agree."""
    answers: Counter[bool] = Counter()
    for progress in _small_hands(rules, house):
        found = way_out(progress)
        assert (found is not None) == _tried(progress, set()), format_tiles(progress.position.hand or ())
        assert found is None or _goes_out(progress, found)
        answers[found is not None] += 1
    assert set(answers) == {True, False}


def _small_hands(rules: str, house: tuple[str, ...]) -> Iterator[Progress]:
    """Positions of real rounds, the hand replaced by a few tiles, some of which touch something on the table."""
    for seed in range(2):
        random = Random(seed)
        for turn in play_round(load_ruleset(rules, house), random).turns:
            position = turn.turn.progress.before
            if position.starts or position.hand is None or not position.table:
                continue
            near = [tile for tile in ALL_TILES if any(may_touch(meld, tile) for meld in position.table)]
            wanted = [
                slot.plays_as for meld in position.table for slot in meld.slots if stands_in(slot) and slot.plays_as
            ]
            hand: list[Piece] = random.sample(position.hand, min(2, len(position.hand)))
            hand += random.sample(near, min(2, len(near))) + random.sample(wanted, min(1, len(wanted)))
            hand += [Joker()] if random.random() < 0.2 else []
            random.shuffle(hand)
            hand = hand[: random.choice([3, 4])]
            table = Counter(slot.piece for meld in position.table for slot in meld.slots)
            if all(count + table[piece] <= 2 for piece, count in Counter(hand).items()):
                yield replace(start(replace(position, hand=tuple(hand))), drew=True)


def _goes_out(progress: Progress, actions: Sequence[Action]) -> bool:
    for index, action in enumerate(actions):
        judged = judge_step(progress, action, actions[index + 1 :])
        assert judged.verdict.ok is not False
        progress = judged.progress
    return progress.out


def _tried(progress: Progress, seen: set[object]) -> bool:
    """Whether some order of all single actions goes out."""
    if progress.out:
        return True
    position = progress.position
    state = (position.hand, position.table, position.opened, progress.pending)
    if state in seen:
        return False
    seen.add(state)
    return any(
        judged.verdict.ok is not False and _tried(judged.progress, seen)
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
            if isinstance(piece, Tile) and any(map(stands_in, meld.slots)):
                yield Swap(Slot(piece, piece), as_laid(deal, meld))
            for tile in ALL_TILES if deal.is_wild(piece) else (piece,):
                if isinstance(tile, Tile) and may_touch(meld, tile):
                    yield Add(Slot(piece, tile), as_laid(deal, meld))


def test_the_way_out_keeps_its_duties() -> None:
    """What was taken must be used: the taken tile is not the one to put down, and the atu is not merely laid off."""
    atu = _position("remi-etalat", "N9", "A4 A5 A6", turned="A7")
    assert options(atu).out is None
    assert way_out(judge_step(start(atu), TakeAtu(_pieces("A7")[0])).progress) is None
    row = _position("remi-101", "R7 R8 R9", "N1 N2 N3", row="G4")
    assert way_out(judge_step(start(row), Take(_pieces("G4")[0])).progress) is None
    new = _position("remi-clasic", "N4 N5 N6 R9", "N1 N2 N3", row="G2 N7")
    found = way_out(judge_step(start(new), Take(_pieces("N7")[0])).progress)
    assert found is not None
    assert isinstance(found[0], Lay)


def test_the_way_out_may_need_a_joker_of_the_table() -> None:
    swapped = options(_position("remi-101", "R11 A7 N7 G2", "R10 J R12"), [Draw(_pieces("G3")[0])])
    assert swapped.out is None
    swapped = options(_position("remi-101", "R11 A7 N7", "R10 J R12"), [Draw(_pieces("G3")[0])])
    assert swapped.out is not None
    assert [type(action) for action in swapped.out] == [Swap, Lay, Discard]
    alone = options(_position("remi-101", "R11", "R10 J R12", "G3 G4 G5"), [Draw(_pieces("G6")[0])])
    assert alone.out is not None
    between = options(_position("remi-101", "J R7", "R3 R4 R5"), [Draw(_pieces("N1")[0])])
    assert between.out is not None


def test_a_great_many_tiles_are_decided_soon() -> None:
    """A deep taking leaves half the box in one hand; whether it goes out is still found."""
    whole = _position("remi-etalat", "R1-13 A1-13 N1-13", "G3 G4 G5")
    assert options(whole, [Draw(_pieces("G9")[0])]).out is not None
    gaps = _position("remi-etalat", "R1-13 A1 A3 A5 A7 A9 A11 A13 N1 N3 N5 N7 N9 N11 N13 R2 R4 R6", "G3 G4 G5")
    found = options(gaps, [Draw(_pieces("G9")[0])])
    assert (found.out, found.undecided) == (None, False)


def test_a_search_that_gives_up_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("remi_ref.play.outsearch.MOST_STEPS", 1)
    found = options(_position("remi-101", "R4 R5 R6 N7 N8 N9"), [Draw(_pieces("G9")[0])])
    assert (found.out, found.undecided) == (None, True)


@pytest.mark.parametrize("rules", ["remi-101", "remi-101-crescator", "remi-etalat", "remi-etalat-51", "remi-clasic"])
def test_a_position_has_all_kinds_of_options(rules: str) -> None:
    table = ("R10 J R12", "R3 R4 R5", "N6 A6 G6")
    found = options(_position(rules, "R11 R6 R9 N9 G9 A2 R2", *table, row="A3 R2 A1"), [])
    takings = {"remi-etalat": {"A3", "R2", "A1"}, "remi-etalat-51": {"A3", "R2", "A1"}, "remi-clasic": set()}
    assert found.draws == (Draw(),)
    assert {str(swap.tile) for swap in found.swaps} == ({"R11"} if rules != "remi-clasic" else set())
    assert {str(add.tile) for add in found.adds} == {"R6", "R9", "R2"}
    assert [format_tiles(lay.melds[0]) for lay in found.lays] == ["R9 N9 G9"]
    assert not found.openings
    assert {str(taking.take.tile) for taking in found.takings} == takings.get(rules, {"A1"})
    assert (found.out is None) == (rules == "remi-clasic")  # R11 for the joker, which then stands beside A2 and R2


def test_announcements_are_offered_while_they_may_be_made() -> None:
    early = replace(_position("remi-clasic", "A7 N9", turned="A7", opened=Opened.NO), turn=1)
    assert options(early).announcements == (Announce("atu"), Announce("three"))
    assert options(early, [Announce("atu")]).announcements == (Announce("three"),)
    assert Announce("atu") not in options(early, [Draw()]).announcements
    assert options(_position("remi-clasic", "A7 N9 G1 G2 G3", turned="A7")).announcements == ()
    assert options(_position("remi-etalat", "A7 N9", turned="A7")).announcements == ()


def test_the_twin_is_offered_to_be_shown() -> None:
    early = replace(_position("remi-pe-tabla", "R4 N9", turned="R4", opened=Opened.NO), turn=1)
    twin = Show(_pieces("R4")[0])
    assert options(early).shows == (twin,)
    assert options(early, [Draw(), twin]).shows == ()
    assert options(replace(early, turn=2)).shows == ()
    assert options(early).announcements == ()


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


def test_a_round_in_the_short_text_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["legal", str(SAMPLES / "half-round.remi"), "--lang", "en"]) == 0
    assert "take N1 from the discards, then lay" in capsys.readouterr().out
    assert main(["legal", str(SAMPLES / "remi-etalat.yaml"), "--lang", "en"]) == 0
    assert "The turn has ended" in capsys.readouterr().out
    assert main(["legal", str(SAMPLES / "whole-round.remi"), "--lang", "en"]) == 2
    assert "the round is over" in capsys.readouterr().err


def test_a_round_is_written_in_both_forms(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, again = tmp_path / "round.remi", tmp_path / "round.yaml"
    assert main(["turn", str(SAMPLES / "whole-round.yaml"), "--write", str(text), "--lang", "en"]) == 0
    first = capsys.readouterr().out
    assert str(text) in first
    assert main(["turn", str(text), "--lang", "en"]) == 0
    second = capsys.readouterr().out
    added = [line for line in first.splitlines() if line not in second.splitlines()]
    assert added[0].strip() == "the round is written:"
    assert added[1:] == [f"    {text}"]
    assert main(["turn", str(text), "--write", str(again)]) == 0
    assert str(again) in capsys.readouterr().out
    assert main(["turn", str(again), "--lang", "en"]) == 0
    assert capsys.readouterr().out == second
    assert (SAMPLES / "whole-round.remi").read_text(encoding="utf-8").endswith(text.read_text(encoding="utf-8"))
    assert main(["turn", str(again), "--write", str(again), "--lang", "en"]) == 2
    assert main(["turn", str(SAMPLES / "remi-101.yaml"), "--write", str(text), "--lang", "en"]) == 2
    assert "only a round" in capsys.readouterr().err
