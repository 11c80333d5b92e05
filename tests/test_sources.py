"""The shipped statements of the four texts: complete, in both languages, and rightly spelled."""

import re
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
import yaml

RULESETS = Path(__file__).parents[1] / "rulesets"
SOURCES: dict[str, Any] = yaml.safe_load((RULESETS / "sources.yaml").read_text(encoding="utf-8"))
CLAUSES: dict[str, dict[str, str]] = SOURCES["clauses"]
RULINGS: dict[str, dict[str, Any]] = SOURCES["rulings"]
CLAUSE_COUNTS = {"R101": 88, "PT": 43, "ET": 67, "CL": 48}
RULING_COUNTS = {"G1": 26, "G2": 16, "G3": 23, "G4": 20}
TEXT_OF_GROUP = dict(zip(RULING_COUNTS, CLAUSE_COUNTS, strict=True))
STATEMENTS = {**CLAUSES, **RULINGS}


def _ids(counts: dict[str, int]) -> list[str]:
    return [f"{prefix}-{number:02}" for prefix, count in counts.items() for number in range(1, count + 1)]


def _tiles_and_numbers(statement: str) -> list[str]:
    return sorted(set(re.findall(r"\b[RANG]\d+\b|\b[JF]\b|\d{2,}", statement)))


def test_the_texts_are_the_prefixes_of_the_clauses() -> None:
    assert list(SOURCES["texts"]) == list(CLAUSE_COUNTS)
    for text in SOURCES["texts"].values():
        assert text["name"]["ro"]
        assert text["name"]["en"]
        assert text["file"].endswith(".txt")


def test_every_clause_stands_once_and_in_order() -> None:
    assert list(CLAUSES) == _ids(CLAUSE_COUNTS)


def test_every_ruling_stands_once_and_in_order() -> None:
    assert list(RULINGS) == _ids(RULING_COUNTS)


def test_no_id_is_written_twice() -> None:
    # A YAML mapping silently keeps the last of two equal keys, so the lines themselves are counted.
    written = re.findall(r"^  (\w+-\d\d):", (RULESETS / "sources.yaml").read_text(encoding="utf-8"), re.MULTILINE)
    assert [name for name, group in groupby(sorted(written)) if len(list(group)) > 1] == []


@pytest.mark.parametrize("name", STATEMENTS)
def test_a_statement_is_a_sentence_in_each_language(name: str) -> None:
    romanian, english = STATEMENTS[name]["ro"], STATEMENTS[name]["en"]
    assert romanian != english
    for sentence in (romanian, english):
        assert sentence == sentence.strip()
        assert sentence[0].isupper() or sentence[0].isdigit()
        assert sentence.endswith(".")
    assert not set("şţŞŢ") & set(romanian + english)
    assert not set("ăâîșțĂÂÎȘȚ") & set(english.replace("pe tablă", "")), "Romanian letters in the English"


@pytest.mark.parametrize("name", STATEMENTS)
def test_both_languages_name_the_same_tiles_and_numbers(name: str) -> None:
    assert _tiles_and_numbers(STATEMENTS[name]["ro"]) == _tiles_and_numbers(STATEMENTS[name]["en"])


def test_no_two_clauses_say_the_same_words() -> None:
    for language in ("ro", "en"):
        sentences = [clause[language] for clause in CLAUSES.values()]
        assert len(set(sentences)) == len(sentences)


@pytest.mark.parametrize("name", CLAUSES)
def test_a_clause_names_its_section(name: str) -> None:
    section = CLAUSES[name]["section"]
    assert re.fullmatch(r"L[1-9]\d*|[A-ZÎȘȚ][\w ,:/]+", section), section


@pytest.mark.parametrize("name", RULINGS)
def test_a_ruling_reads_clauses_of_its_own_text(name: str) -> None:
    ruling = RULINGS[name]
    assert ruling["basis"] in {"derived", "default"}
    assert ruling["clauses"]
    assert set(ruling["clauses"]) <= set(CLAUSES)
    assert {clause.rsplit("-", 1)[0] for clause in ruling["clauses"]} == {TEXT_OF_GROUP[name[:2]]}


@pytest.mark.parametrize("path", sorted(RULESETS.glob("remi-*.yaml")), ids=lambda path: path.stem)
def test_a_ruleset_cites_only_what_is_written_here(path: Path) -> None:
    cited = set(re.findall(r"\b(?:R101|PT|ET|CL|G[1-4])-\d+\b", path.read_text(encoding="utf-8")))
    assert cited - set(STATEMENTS) == set()
