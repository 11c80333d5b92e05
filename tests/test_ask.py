"""The guided conversation: every path is walked with keys as a person would press them, in both languages."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from remi_ref.__main__ import main
from remi_ref.ask import questions as ask
from remi_ref.ask.talk import Talk
from remi_ref.rules.rulefile import SHIPPED
from remi_ref.words import LANGUAGES, Words

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

ENTER, DOWN, CLEAR = "\r", "\x1b[B", "\x15"
LAYING = tuple(name for name in SHIPPED if name != "remi-pe-tabla")
YES_NO = ("no", "yes")
PLACED = ("none", "added", "bought")


def pick(wanted: str, options: Sequence[str]) -> str:
    """Keys that choose one of a list."""
    return DOWN * list(options).index(wanted) + ENTER


def subject(wanted: str) -> str:
    return pick(wanted, (*ask.SUBJECTS, "end"))


def rules(wanted: str, games: Sequence[str] = SHIPPED) -> str:
    return pick(wanted, (*games, "house"))


def typed(text: str) -> str:
    return text + ENTER


def tiles(text: str) -> str:
    """Tiles that are typed, not photographed."""
    return pick("typed", ("typed", "photo")) + typed(text)


def said(*keys: str, language: str = "en") -> list[list[str]]:
    """The commands a conversation comes to, when these keys are pressed and then nothing more is wanted."""
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        pipe.send_text("".join(keys) + subject("end"))
        return list(ask.converse(Talk(Words(language))))


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_wanted(language: str) -> None:
    assert said(language=language) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_formation(language: str) -> None:
    keys = subject("meld") + rules("remi-101") + tiles("R3 R4 R5 | A8 N8 G8")
    assert said(keys, language=language) == [["meld", "R3 R4 R5 | A8 N8 G8", "-r", "remi-101"]]


def test_a_formation_with_an_indicator() -> None:
    keys = subject("meld") + rules("remi-pe-tabla") + typed("R4") + tiles("R4 F R6")
    assert said(keys) == [["meld", "R4 F R6", "-r", "remi-pe-tabla", "--turned", "R4"]]


def test_a_formation_with_an_unknown_indicator() -> None:
    keys = subject("meld") + rules("remi-pe-tabla") + typed("") + tiles("R4 R5 R6")
    assert said(keys) == [["meld", "R4 R5 R6", "-r", "remi-pe-tabla"]]


def test_an_opening() -> None:
    keys = subject("opening") + rules("remi-101", LAYING) + tiles("R10 R11 R12")
    assert said(keys) == [["opening", "R10 R11 R12", "-r", "remi-101"]]


def test_an_opening_in_the_first_turn() -> None:
    keys = subject("opening") + rules("remi-etalat", LAYING) + tiles("R10 R11 R12") + pick("yes", YES_NO)
    assert said(keys) == [["opening", "R10 R11 R12", "--turn", "1", "-r", "remi-etalat"]]


@pytest.mark.parametrize(("points", "told"), [("116", ["--previous", "116"]), ("", [])])
def test_an_opening_after_another(points: str, told: list[str]) -> None:
    keys = subject("opening") + rules("remi-101-crescator", LAYING) + tiles("R10 R11 R12") + typed(points)
    assert said(keys) == [["opening", "R10 R11 R12", *told, "-r", "remi-101-crescator"]]


@pytest.mark.parametrize("wrong", ["many", "-5", "123456", "²"])
def test_points_that_are_no_number_are_asked_for_again(wrong: str) -> None:
    keys = subject("opening") + rules("remi-101-crescator", LAYING) + tiles("R10 R11 R12")
    keys += typed(wrong) + CLEAR + typed("116")
    assert said(keys) == [["opening", "R10 R11 R12", "--previous", "116", "-r", "remi-101-crescator"]]


def test_a_rack_that_may_open() -> None:
    keys = subject("can_open") + rules("remi-clasic", LAYING) + tiles("R10 R11 R12 J") + pick("no", YES_NO)
    assert said(keys) == [["can-open", "R10 R11 R12 J", "-r", "remi-clasic"]]


def test_a_photo_instead_of_typing(tmp_path: Path) -> None:
    photo = tmp_path / "rack.jpg"
    photo.write_bytes(b"\xff\xd8")
    keys = subject("can_open") + rules("remi-101", LAYING) + pick("photo", ("typed", "photo")) + typed(str(photo))
    assert said(keys) == [["can-open", str(photo), "-r", "remi-101"]]


def test_a_photo_that_is_not_there_is_asked_for_again(tmp_path: Path) -> None:
    photo = tmp_path / "rack.png"
    photo.write_bytes(b"\x89PNG")
    wrong = typed(str(tmp_path / "rock.png")) + CLEAR
    keys = subject("meld") + rules("remi-101") + pick("photo", ("typed", "photo")) + wrong + typed(str(photo))
    assert said(keys) == [["meld", str(photo), "-r", "remi-101"]]


def test_a_tile_laid_off() -> None:
    keys = subject("add") + rules("remi-101", LAYING) + typed("R6") + typed("R3 R4 R5") + pick("yes", YES_NO)
    assert said(keys) == [["add", "R6", "R3 R4 R5", "--opened", "-r", "remi-101"]]


def test_a_joker_swapped() -> None:
    keys = subject("swap") + rules("remi-101", LAYING) + typed("R11") + typed("R10 J R12") + pick("no", YES_NO)
    assert said(keys) == [["swap", "R11", "R10 J R12", "-r", "remi-101"]]


def test_two_formations_where_one_is_wanted_are_asked_for_again() -> None:
    again = typed("R10 J R12 | A3 A4 A5") + CLEAR + typed("R10 J R12")
    keys = subject("swap") + rules("remi-101", LAYING) + typed("R11") + again + pick("no", YES_NO)
    assert said(keys) == [["swap", "R11", "R10 J R12", "-r", "remi-101"]]


def test_a_tile_taken() -> None:
    keys = subject("take") + rules("remi-etalat", LAYING) + typed("R12") + tiles("A3 R12 N9") + tiles("R11 R13 A2")
    assert said(keys, pick("yes", YES_NO)) == [
        ["take", "R12", "--row", "A3 R12 N9", "--hand", "R11 R13 A2", "--opened", "-r", "remi-etalat"]
    ]


@pytest.mark.parametrize(("last", "told"), [("A2", ["--last", "A2"]), ("", [])])
def test_a_winning_board(last: str, told: list[str]) -> None:
    board = "R3 A3 N3 | R7 A7 N7 | G4 G5 G6 G7 | N9 N10 N11 N12"
    keys = subject("win") + rules("remi-pe-tabla", ("remi-pe-tabla",)) + typed("A12") + tiles(board) + typed(last)
    assert said(keys) == [["win", board, *told, "--turned", "A12", "-r", "remi-pe-tabla"]]


def test_the_deal() -> None:
    keys = subject("setup") + rules("remi-etalat") + pick("3", "234")
    assert said(keys) == [["setup", "--players", "3", "-r", "remi-etalat"]]


@pytest.mark.parametrize("wrong", ["R14", "R7 R8", "", "7"])
def test_what_is_no_tile_is_asked_for_again(wrong: str) -> None:
    keys = subject("add") + rules("remi-101", LAYING) + typed(wrong) + CLEAR + typed("R6") + typed("R3 R4 R5")
    assert said(keys, pick("no", YES_NO)) == [["add", "R6", "R3 R4 R5", "-r", "remi-101"]]


def test_no_tiles_are_asked_for_again() -> None:
    keys = subject("can_open") + rules("remi-101", LAYING) + tiles("") + typed("R6 R7")
    assert said(keys) == [["can-open", "R6 R7", "-r", "remi-101"]]


def test_rules_of_a_house(tmp_path: Path) -> None:
    house = tmp_path / "casa.yaml"
    house.write_text("{id: casa, extends: remi-101, rules: {opening.points: 51}}")
    keys = subject("opening") + rules("house", LAYING) + typed(str(house)) + tiles("R10 R11 R12")
    assert said(keys) == [["opening", "R10 R11 R12", "-r", str(house)]]


def test_rules_that_do_not_fit_the_question_are_asked_for_again(tmp_path: Path) -> None:
    for name, game in (("board", "remi-pe-tabla"), ("laid", "remi-101")):
        (tmp_path / f"{name}.yaml").write_text(f"{{id: {name}, extends: {game}}}")
    house = str(tmp_path / "laid.yaml")
    wrong = typed(str(tmp_path / "board.yaml")) + CLEAR + typed("") + CLEAR
    keys = subject("opening") + rules("house", LAYING) + wrong + typed(house) + tiles("R10 R11 R12")
    assert said(keys) == [["opening", "R10 R11 R12", "-r", house]]


# --- rounds and matches ----------------------------------------------------------------------------------------------


def read_back(path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """The round is one the program scores."""
    assert main(["score", str(path), "--lang", "en"]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_round_is_told(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    keys = (
        subject("score") + rules("remi-etalat") + typed("Ana, Ștefan") + typed("G1"),
        pick("Ana", ("Ana", "Ștefan", "nobody")) + typed("A2"),
        pick("Ștefan", ("nobody", "Ana", "Ștefan")),
        typed("R10 R11 R12 | N5 A5 G5") + pick("none", PLACED),
        pick("melds", ("no", "melds")) + typed("60") + pick("none", PLACED) + typed("G8 N2"),
        ENTER + pick("no", YES_NO),
    )
    name = Words(language).say("ask.round_name")
    assert said(*keys, language=language) == [["score", name, "-r", "remi-etalat"]]
    assert "Ștefan" in read_back(tmp_path / name, capsys)


def test_tiles_put_on_the_tables_formations_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "round.yaml"
    added = pick("added", PLACED) + typed("R6") + typed("R3 R4 R5 | A1") + CLEAR + typed("R3 R4 R5")
    keys = (
        subject("score") + rules("remi-etalat") + typed("Ana, Dan") + typed(""),
        pick("Ana", ("Ana", "Dan", "nobody")) + typed("A2"),
        typed("R3 R4 R5 | N10 J N12") + added + pick("none", PLACED),
        pick("melds", ("no", "melds")) + typed("60") + pick("bought", PLACED) + typed("N11") + typed("N10 J N12"),
        added.replace("R6", "R7").replace("R3 R4 R5", "R3 R4 R5 R6") + pick("none", PLACED) + typed("W"),
        CLEAR + typed(str(path)) + pick("no", YES_NO),
    )
    assert said(*keys) == [["score", str(path), "-r", "remi-etalat"]]
    score = read_back(path, capsys)
    assert "Ana: 190 points" in score  # 85 laid, 5 added, 100 for the close
    assert "Dan: 25 points" in score  # 60 laid, 10 for N11, 5 for R7, less a joker


def test_a_round_that_cannot_be_kept_there_is_kept_elsewhere(tmp_path: Path) -> None:
    path = tmp_path / "round.yaml"
    keys = (
        subject("score") + rules("remi-101") + typed("Ana, Dan"),
        pick("nobody", ("Ana", "Dan", "nobody")),
        pick("no", ("no", "melds", "pairs")) + typed("88") + pick("melds", ("no", "melds", "pairs")) + typed("9"),
        CLEAR + typed(str(tmp_path / "nowhere" / "round.yaml")) + CLEAR + typed(str(path)) + pick("no", YES_NO),
    )
    assert said(*keys) == [["score", str(path), "-r", "remi-101"]]
    assert path.exists()


def test_where_jokers_stay_nobody_is_asked_whether_he_took_one(tmp_path: Path) -> None:
    path = tmp_path / "round.yaml"
    keys = (
        subject("score") + rules("remi-clasic") + typed("Ana, Dan") + typed(""),
        pick("Ana", ("Ana", "Dan", "nobody")) + typed("A2"),
        typed("60") + pick("added", PLACED[:2]) + typed("R6") + typed("R3 R4 R5") + pick("none", PLACED[:2]),
        pick("no", ("no", "melds")) + typed("20"),
        CLEAR + typed(str(path)) + pick("no", YES_NO),
    )
    assert said(*keys) == [["score", str(path), "-r", "remi-clasic"]]
    assert 'added: [{"tile": "R6", "to": "R3 R4 R5"}]' in path.read_text(encoding="utf-8")


def test_a_round_of_remi_101_closed_from_the_hand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "hand.yaml"
    keys = (
        subject("score") + rules("remi-101") + typed("Ana,Dan"),
        pick("Dan", ("Ana", "Dan", "nobody")) + typed("J") + pick("yes", YES_NO),
        pick("no", ("no", "melds", "pairs")) + typed("88"),
        pick("melds", ("melds", "pairs")),
        CLEAR + typed(str(path)) + pick("no", YES_NO),
    )
    assert said(*keys) == [["score", str(path), "-r", "remi-101"]]
    assert "in-hand: true" in path.read_text(encoding="utf-8")
    assert "Ana: -808 points" in read_back(path, capsys)


def test_a_round_of_remi_pe_tabla_goes_into_a_match(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match, path = tmp_path / "match.jsonl", tmp_path / "round.yaml"
    assert main(["match", "new", str(match), "--players", "A,B,C,D", "--points", "9", "-r", "remi-pe-tabla"]) == 0
    keys = (
        subject("score") + rules("remi-pe-tabla") + typed("A,B,C,D") + typed("A12"),
        pick("C", ("A", "B", "C", "D", "nobody")) + pick("pairs", ("melds", "pairs")) + typed("A2"),
        pick("nobody", ("nobody", "A", "B", "C", "D")),
        CLEAR + typed(str(path)) + pick("yes", YES_NO) + typed(str(match)),
    )
    commands = said(*keys)
    assert commands == [["score", str(path), "-r", "remi-pe-tabla"], ["match", "add", str(match), str(path)]]
    assert [main(command) for command in commands] == [0, 0]
    assert "C" in capsys.readouterr().out


def test_a_round_nobody_closed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "round.yaml"
    keys = (
        subject("score") + rules("remi-etalat") + typed("Ana, Ana") + CLEAR + typed("Ana, Dan") + typed(""),
        pick("nobody", ("Ana", "Dan", "nobody")),
        pick("melds", ("no", "melds")) + typed("50") + pick("none", PLACED) + typed("10"),
        pick("no", ("no", "melds")) + typed("R1 R2"),
        CLEAR + typed(str(path)) + pick("no", YES_NO),
    )
    assert said(*keys) == [["score", str(path), "-r", "remi-etalat"]]
    assert "Ana" in read_back(path, capsys)


def test_a_match_begins(tmp_path: Path) -> None:
    path = str(tmp_path / "match.jsonl")
    what = ("show", "new", "add", "undo")
    plain = subject("match") + pick("new", what) + rules("remi-101") + typed("Ana, Dan") + CLEAR + typed(path)
    pot = subject("match") + pick("new", what) + rules("remi-pe-tabla") + typed("A,B,C,D")
    wrong = typed("4") + CLEAR + typed("many") + CLEAR
    assert said(plain, pot + wrong + typed("12") + CLEAR + typed(path)) == [
        ["match", "new", path, "--players", "Ana,Dan", "-r", "remi-101"],
        ["match", "new", path, "--players", "A,B,C,D", "--points", "12", "-r", "remi-pe-tabla"],
    ]


def test_a_match_is_shown_added_to_and_undone(tmp_path: Path) -> None:
    match, path = tmp_path / "match.jsonl", tmp_path / "round.yaml"
    what = ("show", "new", "add", "undo")
    assert main(["match", "new", str(match), "--players", "Ana,Dan"]) == 0
    path.write_text("players: {Ana: {laid: 50, hand: 5}, Dan: {}}")
    keys = (
        subject("match") + pick("show", what) + typed(str(tmp_path / "none.jsonl")) + CLEAR + typed(str(match)),
        subject("match") + pick("add", what) + typed(str(match)) + typed(str(path)),
        subject("match") + pick("undo", what) + typed(str(match)),
    )
    assert said(*keys) == [
        ["match", "show", str(match)],
        ["match", "add", str(match), str(path)],
        ["match", "undo", str(match)],
    ]


# --- the command itself ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_a_terminal_it_is_said_so(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", "--lang", language]) == 2
    assert "remi-ref --help" in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix", reason="needs a terminal as POSIX has them")
@pytest.mark.parametrize("language", LANGUAGES)
def test_in_a_terminal_the_answer_comes_with_its_command(language: str) -> None:
    pexpect = pytest.importorskip("pexpect")
    words = Words(language)
    program = pexpect.spawn(
        sys.executable,
        ["-m", "remi_ref", "ask", "--lang", language],
        encoding="utf-8",
        timeout=120,
        dimensions=(40, 120),
    )
    program.expect_exact(words.say("ask.subject"))
    program.send(subject("meld"))
    program.expect_exact(words.say("ask.rules"))
    program.send(rules("remi-101"))
    program.expect_exact(words.say("ask.how"))
    program.send(ENTER)
    program.expect_exact("R3 R4 R5 |")  # of the example in the question
    program.send(typed("R3 R4 R6"))
    program.expect_exact("remi-ref meld 'R3 R4 R6' -r remi-101")
    program.expect_exact(words.say("ask.subject"))
    program.send("\x03")
    program.expect(pexpect.EOF)
    program.close()
    assert program.exitstatus == 130
