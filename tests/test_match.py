"""The table of matches: how each begins, what is entered, where it stands then."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from random_player import play_round

from remi_ref.__main__ import main
from remi_ref.match import match as matches
from remi_ref.play.rounds import judge_play
from remi_ref.play.roundwriting import write_round
from remi_ref.rules.rulefile import SHIPPED, load_ruleset

if TYPE_CHECKING:
    from collections.abc import Iterator

CASES: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "cases" / "matches.yaml").read_text(encoding="utf-8")
)
PLAYERS = ("Ana", "Dan", "Eva", "Ion")
BOARDS = {"": ("melds", "A2"), "joker": ("melds", "A13"), "pairs": ("pairs", "A2")}


def round_text(step: str | dict[str, Any]) -> str:
    """A step of the table as a round file."""
    if isinstance(step, dict):
        return yaml.safe_dump(step, allow_unicode=True)
    if step == "nobody":
        return yaml.safe_dump({"players": {name: {} for name in PLAYERS}})
    winner, _, how = step.partition(" ")
    win, last = BOARDS[how]
    won = {"turned": "A12", "closer": winner, "win": win, "closing-tile": last}
    return yaml.safe_dump({**won, "players": {name: {} for name in PLAYERS}})


def commands(case: dict[str, Any], folder: Path) -> Iterator[list[str]]:
    """What is typed, one command after another."""
    match = str(folder / "match.jsonl")
    yield ["match", "new", match, *shlex.split(case["new"])]
    for number, step in enumerate(case.get("steps", ())):
        if step == "undo":
            yield ["match", "undo", match]
            continue
        path = folder / f"{number}.yaml"
        corrects = isinstance(step, list)
        path.write_text(round_text(step[1] if corrects else step), encoding="utf-8")
        yield ["match", "correct", match, str(step[0]), str(path)] if corrects else ["match", "add", match, str(path)]


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])
def test_match(case: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    *before, last = commands(case, tmp_path)
    for command in before:
        assert main([*command, "--json", "--lang", "en"]) == 0, capsys.readouterr()
    capsys.readouterr()
    code = main([*last, "--json", "--lang", "en"])
    printed = capsys.readouterr()
    assert code == case["exit"], printed
    assert (tmp_path / "match.jsonl").exists() is case.get("written", bool(before) or code == 0)
    if code == 2:
        assert case["error"] in printed.err
        assert len(printed.err.splitlines()) == 1
        return
    answer = json.loads(printed.out)
    for field, value in case.get("expect", {}).items():
        assert answer[field] == value, field
    outcomes = {(reason["code"], reason["outcome"]) for reason in answer["reasons"]}
    assert set(case.get("codes", {}).items()) <= outcomes


@pytest.mark.parametrize("language", ["ro", "en"])
@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])
def test_every_answer_is_said(
    case: dict[str, Any], language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in commands(case, tmp_path):
        code = main([*command, "--lang", language])
    printed = capsys.readouterr()
    said = printed.err if code == 2 else printed.out
    assert said.strip()
    assert "{" not in said


def test_standings_are_told_best_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = next(case for case in CASES if case["id"] == "somebody-at-zero")
    for command in commands(case, tmp_path):
        capsys.readouterr()
        main([*command, "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert list(answer["standings"]) == ["Ana", "Ion", "Dan", "Eva"]
    assert [played["round"] for played in answer["rounds"]] == list(range(1, 16))
    for played in answer["rounds"]:
        for name, side in played["players"].items():
            assert side["total"] == sum(line["points"] for line in side["lines"]) == played["scores"][name]


@pytest.mark.parametrize("game", SHIPPED)
def test_a_played_round_counts_as_it_was_played(game: str, tmp_path: Path) -> None:
    rules = load_ruleset(game)
    play = play_round(rules, Random(3)).play
    path, source = tmp_path / "match.jsonl", tmp_path / "round.txt"
    source.write_text(write_round(play), encoding="utf-8")
    pot = 10 if game == "remi-pe-tabla" else None
    matches.begin(path, rules, play.players, pot)
    counted = {score.player: score.total + (pot or 0) for score in judge_play(play).scores}
    assert matches.add(path, source).opened.match.running[-1] == counted
