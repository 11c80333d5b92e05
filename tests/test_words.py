"""Both languages say everything, with the same values, in right Romanian and in right plurals."""

from __future__ import annotations

import ast
import re
from string import Formatter
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remi_ref.errors import Unreadable
from remi_ref.rules.knobs import KNOBS
from remi_ref.words import LANGUAGE_FOLDER, LANGUAGES, Words, plural_form
from remi_ref.yamltree import load_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from remi_ref.yamltree import Raw

PACKAGE = LANGUAGE_FOLDER.parent
AREAS = sorted({path.stem for path in LANGUAGE_FOLDER.glob("*/*.yaml")})
PARTS = {"rule", "pass", "fail", "note", "line", "short", "long"}


def _sentences(language: str, area: str) -> dict[str, str]:
    """Every sentence of an area, by its code and part."""
    found = {}
    raw = load_file(LANGUAGE_FOLDER / language / f"{area}.yaml").raw
    assert isinstance(raw, dict)
    for name, entry in raw.items():
        parts: dict[str, Raw] = entry if isinstance(entry, dict) else {"": entry}
        for part, text in parts.items():
            found[f"{area}.{name}/{part}"] = text if isinstance(text, str) else " ".join(map(str, text))
    return found


def _placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def _codes_in_source(pattern: str) -> Iterator[tuple[str, Path]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        for match in re.finditer(pattern, path.read_text(encoding="utf-8")):
            yield match[1], path


@pytest.mark.parametrize("area", AREAS)
def test_both_languages_say_the_same_things(area: str) -> None:
    romanian, english = _sentences("ro", area), _sentences("en", area)
    assert set(romanian) == set(english)
    if area == "nouns":
        return
    for code, text in romanian.items():
        assert _placeholders(text) == _placeholders(english[code]), code


@pytest.mark.parametrize("area", [area for area in AREAS if area != "nouns"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_are_clean(language: str, area: str) -> None:
    nouns = load_file(LANGUAGE_FOLDER / language / "nouns.yaml").mapping
    for code, text in _sentences(language, area).items():
        assert text, code
        assert text == text.strip(), code
        assert not set(text) & set("şţŞŢ"), f"{code}: cedilla in place of comma below"
        for _, _, noun, _ in Formatter().parse(text):
            assert not noun or noun in nouns, f"{code}: {noun}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_noun_has_its_forms(language: str) -> None:
    forms = {"ro": 3, "en": 2}[language]
    for noun, node in load_file(LANGUAGE_FOLDER / language / "nouns.yaml").mapping.items():
        assert len(node.items) == forms, noun


@pytest.mark.parametrize("area", [area for area in AREAS if area != "commands"])
def test_reason_codes_have_a_rule_and_known_parts(area: str) -> None:
    for name, node in load_file(LANGUAGE_FOLDER / "en" / f"{area}.yaml").mapping.items():
        if isinstance(node.value, dict):
            assert "rule" in node.value, name
            assert len(node.value) > 1, name
            assert set(node.value) <= PARTS, name


@pytest.mark.parametrize("path", sorted(KNOBS))
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_is_described(language: str, path: str) -> None:
    assert Words(language).say(f"knobs.{path}")


def test_every_error_has_words() -> None:
    errors = list(_codes_in_source(r'Unreadable\(\s*"([a-z_.0-9]+)"'))
    assert len(errors) > 60
    for code, path in errors:
        assert isinstance(Words("en").entry(code), str), f"{path.name}: {code}"


def test_every_error_is_given_the_values_its_sentence_names() -> None:
    for path in sorted(PACKAGE.rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "Unreadable"):
                continue
            if not call.args or not isinstance(call.args[0], ast.Constant):
                continue
            code, given = str(call.args[0].value), {keyword.arg for keyword in call.keywords}
            if None not in given:
                text = Words("en").entry(code)
                assert isinstance(text, str)
                assert _placeholders(text) <= given, f"{path.name}:{call.lineno} {code}"


def test_every_phrase_has_words() -> None:
    phrases = [found for found in _codes_in_source(r'Phrase\(\s*"([a-z_.0-9]+)"') if found[0]]
    assert len(phrases) > 40
    for code, path in phrases:
        assert Words("en").entry(code), f"{path.name}: {code}"


def test_every_reason_has_words_for_the_outcomes_it_names() -> None:
    outcomes = {"True": "pass", "False": "fail", "Outcome.PASS": "pass", "Outcome.FAIL": "fail", "Outcome.NOTE": "note"}
    found = 0
    for path in sorted(PACKAGE.rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "reason"):
                continue
            if not call.args or not isinstance(call.args[0], ast.Constant):
                continue
            found += 1
            entry = Words("en").entry(str(call.args[0].value))
            assert isinstance(entry, dict), call.args[0].value
            given = [*call.args[1:2], *(keyword.value for keyword in call.keywords if keyword.arg == "outcome")]
            outcome = outcomes.get(ast.unparse(given[0]))
            assert outcome in entry if outcome else {"pass", "fail"} & set(entry), f"{path.name}:{call.lineno}"
    assert found > 60


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (0, "0 puncte"),
        (1, "1 punct"),
        (2, "2 puncte"),
        (19, "19 puncte"),
        (20, "20 de puncte"),
        (21, "21 de puncte"),
        (100, "100 de puncte"),
        (101, "101 puncte"),
        (119, "119 puncte"),
        (120, "120 de puncte"),
        (-1, "-1 punct"),
        (-34, "-34 de puncte"),
        (-202, "-202 puncte"),
    ],
)
def test_romanian_plurals(number: int, said: str) -> None:
    assert Words("ro").count(number, "point") == said


@given(st.integers(-100_000, 100_000))
def test_de_stands_before_the_noun_as_the_last_two_digits_say(number: int) -> None:
    rest = abs(number) % 100
    assert (plural_form("ro", number) == 2) == (number != 0 and (rest >= 20 or rest == 0))


def test_english_plurals() -> None:
    assert [Words("en").count(number, "point") for number in (1, 2, 0, 101)] == [
        "1 point",
        "2 points",
        "0 points",
        "101 points",
    ]


def test_an_error_says_where() -> None:
    error = Unreadable("file.duplicate_key", where="casa.yaml:3", key="id")
    assert Words("en").error(error).startswith("casa.yaml:3: ")


_ROMANIAN = sorted((LANGUAGE_FOLDER / "ro").glob("*.yaml"))


@pytest.mark.parametrize("path", _ROMANIAN, ids=[path.stem for path in _ROMANIAN])
def test_romanian_counts_and_letters(path: Path) -> None:
    """Letters have their comma, a number goes with its noun as `{n:noun}`, and no ordinal is made of what may be 1."""
    text = path.read_text(encoding="utf-8")
    assert not set("şţŞŢ") & set(text)
    nouns = load_file(LANGUAGE_FOLDER / "ro" / "nouns.yaml").mapping.values()
    forms = "|".join(form.text for noun in nouns for form in noun.items[1:])
    assert not re.search(rf"\{{\w+\}} (?:{forms})\b", text)
    assert not re.search(r"\{\w+\}-(?:a|lea)\b", text)
    assert not re.search(r"(?:lipsesc|rămân|conduce|au câștigat) \{", text)  # wrong when it is one, or are several


def _said_in_source() -> re.Pattern[str]:
    """Every text of the source that may be a code, with anything where it is put together."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(re.escape(node.value))
            elif isinstance(node, ast.JoinedStr):
                parts = [re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".+" for part in node.values]
                found.add("".join(parts))
    return re.compile("|".join(text for text in found if re.fullmatch(r"[a-z0-9_\\.+]*[a-z]{3}[a-z0-9_\\.+]*", text)))


def test_no_words_lie_idle() -> None:
    used = _said_in_source()
    idle = [
        code
        for area in AREAS
        if area not in {"nouns", "knobs", "commands", "options", "placeholders"}
        for code in (key.partition("/")[0] for key in _sentences("en", area))
        if not used.fullmatch(code)
    ]
    assert idle == []
