"""Whole rounds from files and from the short text: what is said of them, and what cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from remi_ref.errors import Unreadable
from remi_ref.play.rounds import judge_play
from remi_ref.play.roundwriting import write_round
from remi_ref.play.turn import judge_turn
from remi_ref.play.turnfile import PlayFile, TurnFile, load_turns, read_round, read_turns
from remi_ref.words import Words
from remi_ref.yamltree import Node, load_file

CASES = Path(__file__).parent / "cases"
SAMPLES = Path(__file__).parent.parent / "samples" / "turns"
OK = {"legal": True, "illegal": False, "open": None}


def _table(name: str) -> list[object]:
    return [pytest.param(case, id=case.mapping["id"].text) for case in load_file(CASES / name).items]


@pytest.mark.parametrize("case", _table("plays.yaml"))
def test_round(case: Node) -> None:
    parts = case.mapping
    play = read_turns(parts["file"], CASES)
    assert isinstance(play, PlayFile)
    verdict = judge_play(play)
    outcomes = [(reason.code, reason.outcome.value) for reason in verdict.verdict.reasons]
    assert verdict.verdict.ok is OK[parts["expect"].text], outcomes
    for code, outcome in parts.get("codes", Node({}, "")).mapping.items():
        assert (code, outcome.text) in outcomes
    fault = verdict.first_fault
    named = [] if fault is None else [index + 1 for index in fault if index is not None]
    assert named == [int(item.text) for item in parts.get("fault", Node((), "")).items]


@pytest.mark.parametrize("case", _table("broken_turns.yaml"))
def test_a_broken_file_is_answered_with_its_line(case: Node, tmp_path: Path) -> None:
    parts = case.mapping
    file = tmp_path / "broken.yaml"
    file.write_text(parts["text"].text, encoding="utf-8")
    with pytest.raises(Unreadable) as found:
        _judge(file)
    sentence = Words("en").error(found.value)
    assert "\n" not in sentence
    if "line" in parts:
        assert f"broken.yaml:{parts['line'].text}:" in sentence
    for word in parts["words"].items:
        assert word.text in sentence


def _judge(file: Path) -> None:
    loaded = load_turns(file)
    if isinstance(loaded, TurnFile):
        judge_turn(loaded.position, loaded.actions)
    else:
        judge_play(loaded)


@pytest.mark.parametrize("file", sorted(SAMPLES.glob("*.yaml")), ids=lambda file: file.stem)
def test_samples_are_as_they_say(file: Path) -> None:
    loaded = load_turns(file)
    ok = judge_turn(loaded.position, loaded.actions).verdict.ok if isinstance(loaded, TurnFile) else None
    if isinstance(loaded, PlayFile):
        ok = judge_play(loaded).verdict.ok
    assert ok is ("is refused" not in file.read_text(encoding="utf-8"))


def test_both_forms_of_a_round_are_the_same() -> None:
    from_yaml = load_turns(SAMPLES / "whole-round.yaml")
    assert isinstance(from_yaml, PlayFile)
    text = (SAMPLES / "whole-round.remi").read_text(encoding="utf-8")
    assert read_round(text, "whole-round.remi") == from_yaml
    assert text.endswith(write_round(from_yaml))


def test_house_rules_stand_in_the_text() -> None:
    play = load_turns(SAMPLES / "whole-round.yaml", house_rules=["opening.points=51", "double_game=[ace]"])
    assert isinstance(play, PlayFile)
    text = write_round(play)
    assert "set opening.points: 51" in text
    assert read_round(text, "text") == play


HEAD = "rules: remi-101\nplayers: Ana, Dan\nrow: A3\n\n"


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("rulse: remi-101\n\nAna: -A2\n", 1, "rules"),
        ("rules: remi-101\nturned: A7\nplayers: Ana\n\nAna: -A2\n", 2, "remi-101"),
        (HEAD + "Ana -A2\n", 5, "colon"),
        (HEAD + "Ana: ?R6 discard A2\n", 5, "discard"),
        (HEAD + "Ana: ?R99 -A2\n", 5, "R99"),
        (HEAD + "Ana: ? (R4 R5 R6 | ) -A2\n", 5, "R4 R5 R6"),
        (HEAD + "Ana: ? +R6>R3 R4 R5 -A2\n", 5, "+R6>R3"),
        (HEAD + "Eva: ? -A2\n", None, "Eva"),
        ("rules: remi-101\nplayers: Ana\ntable Ana: R4 R6 R8\n\nAna: ? -A2\n", 3, "R4 R6 R8"),
        ("rules: remi-101\nplayers: Ana\nopened Ana: par\n\nAna: ? -A2\n", 3, "pairs"),
    ],
)
def test_a_broken_text_is_answered_with_its_line(text: str, line: int | None, word: str) -> None:
    with pytest.raises(Unreadable) as found:
        read_round(text, "round.remi")
    sentence = Words("en").error(found.value)
    assert word in sentence
    assert line is None or f"round.remi:{line}:" in sentence


def test_every_move_has_its_form() -> None:
    text = (
        "rules: remi-etalat\nset joker.button: true\nturned: A7\nplayers: Ana, Dan\nstock: 60\n"
        "hand Ana: R4 R5\nopened Ana: melds\ntable Dan: R10 J R12\ntable: G7 A7 N7\nrow: A3 R12\n\n"
        "Ana: ? (R4 R5 R6 | A8 N8 J=G8) +R9>R6 R7 R8; -A2\n"
        "Dan: [R4 R5 N9] ?R6 *R11>R10 J R12; -N9\n"
        "Ana: ^R6 !three -A1\n"
        "Dan: ^R6/3 !atu -J\n"
        "Ana: ?button -R1\n"
        "Dan: ^atu A7 !show R4 =R1\n"
    )
    play = read_round(text, "text")
    assert write_round(play) == text
    assert read_round(write_round(play), "text") == play


def test_a_name_that_the_text_cannot_hold_is_refused() -> None:
    play = PlayFile(read_round(HEAD + "Ana: ? -A2\n", "text").deal, ("Ana: 2",), ())
    with pytest.raises(Unreadable):
        write_round(play)
