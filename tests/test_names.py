"""A player is the same one however his name was typed: an accent may be a letter of its own, in any kind of file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from remi_ref.__main__ import main

if TYPE_CHECKING:
    from pathlib import Path

ONE, TWO = "\u00c9va", "E\u0301va"  # É as one letter, and as E with an accent after it

FILES = {
    "score": "rules: remi-101\ncloser: {b}\nplayers:\n  {a}: {{}}\n  Dan: {{hand: R5}}\n",
    "turn": "player: {a}\nopened: melds\ntable: [{{owner: {b}, meld: R1 R2 R3}}]\nactions: [{{draw: stock}}]\n",
    "legal": "player: {a}\nopened: melds\nothers: {{Dan: no}}\ntable: [{{owner: {b}, meld: R1 R2 R3}}]\n",
}


@pytest.mark.parametrize("command", FILES)
def test_a_name_in_two_forms_in_one_file(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = []
    for number, (first, second) in enumerate([(ONE, ONE), (ONE, TWO), (TWO, ONE), (TWO, TWO)]):
        file = tmp_path / f"{number}.yaml"
        file.write_text(FILES[command].format(a=first, b=second), encoding="utf-8")
        assert main([command, str(file), "--json"]) != 2, capsys.readouterr().err
        said.append(capsys.readouterr().out)
    assert len(set(said)) == 1


def test_two_forms_are_one_player_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "round.yaml"
    file.write_text(f"rules: remi-101\nplayers:\n  {ONE}: {{}}\n  {TWO}: {{hand: R5}}\n", encoding="utf-8")
    assert main(["score", str(file), "--lang", "en"]) == 2
    assert "twice" in capsys.readouterr().err
    assert main(["match", "new", str(tmp_path / "m"), "--players", f"{ONE},{TWO}", "--lang", "en"]) == 2
    assert "twice" in capsys.readouterr().err


def test_the_short_text_knows_both_forms(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "round.remi"
    file.write_text(f"rules: remi-101\nplayers: {ONE}, Dan\nopened {TWO}: melds\n\n{TWO}: ?R6 -R6\n", encoding="utf-8")
    main(["turn", str(file), "--json"])
    assert set(json.loads(capsys.readouterr().out)["after"]["hands"]) == {ONE, "Dan"}


@pytest.mark.parametrize(("begun", "entered"), [(ONE, TWO), (TWO, ONE)])
def test_a_match_knows_both_forms(begun: str, entered: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match, played = tmp_path / "match", tmp_path / "round.yaml"
    played.write_text(FILES["score"].format(a=entered, b=begun), encoding="utf-8")
    assert main(["match", "new", str(match), "-r", "remi-101", "--players", f"{begun},Dan"]) == 0
    match.write_text(match.read_text(encoding="utf-8").replace(ONE, begun), encoding="utf-8")
    assert main(["match", "add", str(match), str(played)]) == 0
    capsys.readouterr()
    assert main(["match", "show", str(match), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["standings"] == {ONE: 101, "Dan": -202}
