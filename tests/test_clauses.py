"""Every clause of the four texts is cited by a rule and shown by a case, or named among the few that cannot be."""

from __future__ import annotations

from pathlib import Path

import yaml

from remi_ref.answers.explain import Source, explain
from remi_ref.places import data_folder
from remi_ref.rules.rulefile import SHIPPED, load_ruleset

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


def test_a_rule_rests_on_every_clause() -> None:
    games = [load_ruleset(game) for game in SHIPPED]
    found = {clause: explain(clause, games) for clause in _known() - _excused()}
    idle = [clause for clause, it in found.items() if isinstance(it, Source) and not (it.codes or it.knobs)]
    assert sorted(idle) == []


def test_cases_cite_only_clauses_that_exist() -> None:
    assert sorted(_shown() - _known()) == []


def test_no_excuse_is_idle() -> None:
    assert sorted(_excused() & _shown()) == []
