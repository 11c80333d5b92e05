"""Every reason code is explained by examples that really show it, and by the rule it really rests on."""

from __future__ import annotations

import json
import shlex
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from remi_ref.__main__ import main
from remi_ref.answers.explain import Example, all_codes, examples_of, knob_of
from remi_ref.cli.usage import example_commands
from remi_ref.rules.knobs import KNOBS
from remi_ref.words import Words

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
OUTCOMES = {"legal": {"pass", "note"}, "illegal": {"fail"}}
CONVERSATIONS = {"ask"}  # its tests hold a conversation; an example alone cannot


@pytest.fixture(autouse=True)
def in_a_copy_of_the_samples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Examples stand where a reader would try them; some of them write."""
    for name in ("samples", "rulesets"):
        shutil.copytree(ROOT / name, tmp_path / name)
    shutil.copy(ROOT / "samples" / "matches" / "evening.jsonl", tmp_path)
    monkeypatch.chdir(tmp_path)


def _run(example: Example, folder: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    arguments = shlex.split(example.arguments)
    if example.file:
        file = folder / "example.yaml"
        file.write_text(example.file, encoding="utf-8")
        arguments = [str(file) if word == "FILE" else word for word in arguments]
    code = main([*arguments, "--json", "--lang", "en"])
    printed = capsys.readouterr()
    assert code != 2, printed.err
    answer: dict[str, Any] = json.loads(printed.out)
    return answer


def _judgements(value: Any) -> Iterator[dict[str, Any]]:  # noqa: ANN401 - anything JSON holds
    """Every reason and score line anywhere in an answer."""
    if isinstance(value, dict):
        if "code" in value and "citation" in value:
            yield value
        for item in value.values():
            yield from _judgements(item)
    elif isinstance(value, list):
        for item in value:
            yield from _judgements(item)


@pytest.mark.parametrize("code", all_codes())
def test_every_code_has_examples_that_show_it(code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    entry = Words("en").entry(code)
    assert isinstance(entry, dict)
    examples = examples_of(code)
    wanted = {"legal"} if "line" in entry else {name for name, outcomes in OUTCOMES.items() if outcomes & set(entry)}
    assert set(examples) == wanted
    for name, example in examples.items():
        shown = [found for found in _judgements(_run(example, tmp_path, capsys)) if found["code"] == code]
        assert shown, f"{name}: {example.arguments}"
        if "line" not in entry:
            assert any(found["outcome"] in OUTCOMES[name] for found in shown), f"{name}: {example.arguments}"
        cited = {found["citation"].get("rule", "") for found in shown}
        assert knob_of(code) in cited | {""}, f"{code} rests on {cited}"


@pytest.mark.parametrize("code", all_codes())
def test_a_code_that_rests_on_a_rule_names_it(code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for example in examples_of(code).values():
        for found in _judgements(_run(example, tmp_path, capsys)):
            if found["code"] == code and found["citation"].get("rule"):
                assert knob_of(code), f"{code} rests on {found['citation']['rule']}: name it as knob in the examples"


@pytest.mark.parametrize("command", sorted({*example_commands()} - CONVERSATIONS))
def test_every_example_of_the_help_runs(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    for example in example_commands()[command]:
        assert main([*shlex.split(example)]) in {0, 1}, example
        assert capsys.readouterr().out


@pytest.mark.parametrize(
    "asked",
    ["meld.set_colours", "ET-31", "G3-10", "opening.points", "joker.discard", "et-31", "Opening.Need_run", "COLOURS.a"],
)
@pytest.mark.parametrize("language", ["ro", "en"])
def test_explains(asked: str, language: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", asked, "--lang", language]) == 0
    assert asked.upper() in capsys.readouterr().out.upper()


def test_a_clause_names_the_codes_that_rest_on_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "ET-09", "--json", "--lang", "en"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert {"meld.set_size", "meld.set_colours", "meld.set_number"} <= set(answer["codes"])
    assert "melds.set_sizes" in answer["knobs"]
    assert answer["source"].startswith("003_")


def test_an_unknown_name_is_answered_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "meld.set_colors", "--lang", "en"]) == 2
    assert "meld.set_colours" in capsys.readouterr().err


def test_every_rule_of_a_ruleset_can_be_explained(capsys: pytest.CaptureFixture[str]) -> None:
    for path in KNOBS:
        assert main(["explain", path, "--lang", "en", "-r", "remi-etalat"]) == 0
        assert path in capsys.readouterr().out
