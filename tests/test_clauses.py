"""Every clause of the four texts is shown by a case, or named among the few that cannot be."""

from __future__ import annotations

from pathlib import Path

import yaml

from remi_ref.places import data_folder

CASES = Path(__file__).parent / "cases"


def _shown() -> set[str]:
    shown: set[str] = set()
    for path in CASES.glob("*.yaml"):
        cases = yaml.safe_load(path.read_text(encoding="utf-8"))
        if isinstance(cases, list):
            shown |= {clause for case in cases for clause in case.get("clauses", ())}
    return shown


def _known() -> set[str]:
    return set(yaml.safe_load((data_folder("rulesets") / "sources.yaml").read_text(encoding="utf-8"))["clauses"])


def _excused() -> set[str]:
    return set(yaml.safe_load((CASES / "clauses_without_cases.yaml").read_text(encoding="utf-8")))


def test_every_clause_has_a_case() -> None:
    assert sorted(_known() - _shown() - _excused()) == []


def test_cases_cite_only_clauses_that_exist() -> None:
    assert sorted(_shown() - _known()) == []


def test_no_excuse_is_idle() -> None:
    assert sorted(_excused() & _shown()) == []
