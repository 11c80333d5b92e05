"""Rulesets: every shipped value cites, house files change what they say, hostile ones are refused at once by name."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
import yaml

from remi_ref.__main__ import main
from remi_ref.errors import Unreadable
from remi_ref.rules.knobs import KNOBS
from remi_ref.rules.rulefile import SHIPPED, digest, json_schema, load_ruleset, write_value
from remi_ref.rules.sources import all_ids, find, is_ruling, text_of
from remi_ref.verdict import Basis
from remi_ref.words import Words
from remi_ref.yamltree import MAX_BYTES, MAX_NODES

CASES = Path(__file__).parent / "cases"
BROKEN = CASES / "broken_rules"
HELPERS = {"cycle_back"}  # stands in the gallery only because another file names it
GALLERY = [
    (path, str(text))
    for path, texts in yaml.safe_load((CASES / "values.yaml").read_text(encoding="utf-8")).items()
    for text in texts
]
SAYS: dict[str, list[str]] = yaml.safe_load((CASES / "broken_rules.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("game", SHIPPED)
def test_every_value_of_a_game_cites_what_exists(game: str) -> None:
    known = set(all_ids())
    rules = load_ruleset(game)
    for path, leaf in rules.leaves.items():
        assert set(leaf.citation.refs) <= known, path
        if leaf.below is not None and not leaf.citation.refs:
            assert leaf.citation.basis is Basis.DEFAULT, f"{path} claims to rest on the text and names no clause"
    for code, citation in rules.citations.items():
        assert set(citation.refs) <= known, code


@pytest.mark.parametrize("game", SHIPPED)
def test_a_game_cites_its_own_text(game: str) -> None:
    """A value set by a game rests on that game's text or on a ruling about it, never on another game's."""
    rules = load_ruleset(game)
    clauses = [(path, ref) for path, leaf in rules.leaves.items() for ref in leaf.citation.refs if not is_ruling(ref)]
    texts = {text.file for _, ref in clauses if (text := text_of(ref)) is not None}
    assert len(texts) == 1, texts


def test_every_ruling_names_clauses_that_exist() -> None:
    known = set(all_ids())
    for ref in filter(is_ruling, known):
        entry = find(ref)
        assert entry is not None
        assert set(entry.clauses) <= known
        assert entry.basis in {"derived", "default"}


def test_a_house_rule_says_what_the_game_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "casa.yaml"
    file.write_text(
        "id: casa\nextends: remi-etalat\nrules:\n  opening.points: {value: 51, why: agreed in 2024}\n", encoding="utf-8"
    )
    run = ["opening", "R10 R11 R12 | N5 A5 G5", "-r", str(file), "--lang", "en"]
    assert main([*run, "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    reason = next(reason for reason in answer["reasons"] if reason["code"] == "opening.points")
    assert reason["basis"] == "house"
    citation = reason["citation"]
    assert citation["source"] == str(file)
    assert citation["where"] == f"{file}:4"
    assert citation["why"] == "agreed in 2024"
    assert citation["game"]["value"] == 45
    assert citation["game"]["clause"] == "ET-30"
    assert main(run) == 1
    said = " ".join(capsys.readouterr().out.split())
    assert "51, house rule" in said
    assert "the game says 45 [ET-30]" in said


def test_set_outweighs_the_file(tmp_path: Path) -> None:
    file = tmp_path / "casa.yaml"
    file.write_text("id: casa\nextends: remi-etalat\nrules: {opening.points: 51}\n", encoding="utf-8")
    leaf = load_ruleset(str(file), ["opening.points=60"]).leaves["opening.points"]
    assert (leaf.value, leaf.below and leaf.below.value) == (60, 51)


def test_extends_is_relative_to_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "one.yaml").write_text("id: one\nextends: remi-clasic\nrules: {close.bonus: 75}\n", encoding="utf-8")
    (tmp_path / "two.yaml").write_text("id: two\nextends: one.yaml\nrules: {not_opened: -100}\n", encoding="utf-8")
    monkeypatch.chdir("/")
    rules = load_ruleset(str(tmp_path / "two.yaml"))
    assert (rules.game, rules.number("close.bonus"), rules.number("not_opened")) == ("remi-clasic", 75, -100)


@pytest.mark.parametrize("name", sorted(SAYS))
def test_a_broken_file_is_refused_by_name(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    started = time.process_time()
    assert main(["rules", "check", str(BROKEN / f"{name}.yaml"), "--lang", "en"]) == 2
    assert time.process_time() - started < 2
    printed = capsys.readouterr()
    assert not printed.out
    assert len(printed.err.strip().splitlines()) == 1
    for word in SAYS[name]:
        assert word in printed.err, word


def test_the_gallery_and_its_table_agree() -> None:
    assert {path.stem for path in BROKEN.glob("*.yaml")} - HELPERS == set(SAYS)


def test_megabytes_are_refused_at_once(tmp_path: Path) -> None:
    big, wide = tmp_path / "big.yaml", tmp_path / "wide.yaml"
    big.write_bytes(b"id: casa\n" + b"#" * (200 * MAX_BYTES))
    wide.write_text("id: [" + "a, " * (MAX_NODES + 10) + "a]", encoding="utf-8")
    for file, code in ((big, "file.too_big"), (wide, "file.too_many_values")):
        started = time.process_time()
        with pytest.raises(Unreadable) as refused:
            load_ruleset(str(file))
        assert refused.value.code == code
        assert time.process_time() - started < 5


def test_a_long_chain_of_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "0.yaml").write_text("id: f0\nextends: remi-etalat\n", encoding="utf-8")
    for number in range(1, 15):
        text = f"id: f{number}\nextends: {number - 1}.yaml\n"
        (tmp_path / f"{number}.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(Unreadable) as refused:
        load_ruleset(str(tmp_path / "14.yaml"))
    assert refused.value.code == "rules.too_many_layers"


@pytest.mark.parametrize("game", SHIPPED)
def test_values_are_written_as_they_are_read(game: str) -> None:
    """A house file that repeats every value changes none: the digest is the same."""
    rules = load_ruleset(game)
    repeated = [f"{path}={write_value(leaf.value)}" for path, leaf in rules.leaves.items()]
    assert digest(load_ruleset(game, repeated)) == digest(rules)


def test_an_empty_list_is_written_as_none() -> None:
    assert write_value(load_ruleset("remi-etalat", ["double_game=no"]).leaves["double_game"].value) == "none"


def _schema(language: str = "en") -> dict[str, Any]:
    words = Words(language)
    return json_schema({path: words.say(f"knobs.{path}") for path in KNOBS})


def test_the_schema_knows_every_rule_and_what_it_means() -> None:
    rules = _schema()["properties"]["rules"]
    assert set(rules["properties"]) == set(KNOBS)
    assert rules["additionalProperties"] is False
    assert rules["properties"]["players"]["description"] == "How many may sit at the table."


_TYPES = {"string": str, "number": int | float, "integer": int, "boolean": bool, "array": list, "object": dict}


def _fits(value: Any, schema: dict[str, Any]) -> bool:  # noqa: ANN401 - anything JSON holds
    """Whether a value is valid under those words of JSON Schema that ours is written in."""
    if "anyOf" in schema:
        return any(_fits(value, one) for one in schema["anyOf"])
    if "enum" in schema:
        return any(value == one and type(value) is type(one) for one in schema["enum"])
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    right = any(value is None if kind == "null" else _is(value, kind) for kind in kinds)
    return right and _within(value, schema)


def _within(value: Any, schema: dict[str, Any]) -> bool:  # noqa: ANN401 - as above
    """What a schema says of a value that is of the right type."""
    if isinstance(value, dict):
        known = schema["properties"]
        named = set(schema["required"]) <= set(value) <= set(known)
        return named and all(_fits(value[key], known[key]) for key in value)
    if isinstance(value, list):
        unique = len(set(map(str, value))) == len(value) or not schema.get("uniqueItems")
        return unique and len(value) >= schema.get("minItems", 0) and all(_fits(one, schema["items"]) for one in value)
    if isinstance(value, str):
        return bool(schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)))
    return not isinstance(value, int) or bool(schema.get("minimum", value) <= value <= schema.get("maximum", value))


def _is(value: Any, kind: str) -> bool:  # noqa: ANN401 - as above
    return isinstance(value, _TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))


@pytest.mark.parametrize(("path", "text"), GALLERY)
def test_the_schema_and_the_loader_agree(path: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / "casa.yaml"
    file.write_text(f"id: casa\nextends: remi-etalat\nrules: {{{path}: {text}}}\n", encoding="utf-8")
    try:
        load_ruleset(str(file))
    except Unreadable:
        loads = False
    else:
        loads = True
    value = yaml.safe_load(text)
    assert _fits(value, _schema()["properties"]["rules"]["properties"][path]) is loads


@pytest.mark.parametrize("game", SHIPPED)
def test_what_rules_show_prints_fits_the_schema(game: str) -> None:
    known = _schema()["properties"]["rules"]["properties"]
    for path, leaf in load_ruleset(game).leaves.items():
        assert _fits(json.loads(json.dumps(leaf.value)), known[path]), path


def test_rules_are_listed_shown_and_compared(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "list"]) == 0
    listed = capsys.readouterr().out
    assert all(game in listed for game in SHIPPED)
    assert main(["rules", "show", "remi-clasic", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert set(shown["values"]) == set(KNOBS)
    assert shown["values"]["opening.points"]["citation"]["clause"] == "CL-21"
    assert main(["rules", "diff", "remi-etalat", "remi-etalat-51", "--json"]) == 0
    differences = json.loads(capsys.readouterr().out)["differences"]
    assert list(differences) == ["opening.points"]
    assert differences["opening.points"]["remi-etalat-51"]["value"] == 51
    assert main(["rules", "schema", "--lang", "ro"]) == 0
    assert json.loads(capsys.readouterr().out) == _schema("ro")
    assert main(["rules", "schema", "--json", "--lang", "en"]) == 0
    assert json.loads(capsys.readouterr().out)["schema"] == _schema()


@pytest.mark.parametrize("command", [["show"], ["check"], ["diff", "remi-101"]])
def test_a_picture_is_no_ruleset(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    for name, said in (("rack.jpg", "this is a picture"), ("rac.jpg", "no such file; nearest: rack.jpg")):
        photo = Path(__file__).parent.parent / "samples" / "photos" / name
        assert main(["rules", *command, str(photo), "--lang", "en"]) == 2
        assert said in capsys.readouterr().err
