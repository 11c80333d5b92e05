"""Every rule of a table is turned by cases: at least two that name it, and they do not all end alike."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import yaml

from remi_ref.rules.knobs import KNOBS

CASES = Path(__file__).parent / "cases"
_OUTCOMES = ("exit", "expect", "codes", "scores", "ok", "open", "error", "steps", "after")


def _outcomes_by_knob() -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for path in CASES.glob("*.yaml"):
        cases: Any = yaml.safe_load(path.read_text(encoding="utf-8"))
        for case in cases if isinstance(cases, list) else ():
            outcome = json.dumps({key: case.get(key) for key in _OUTCOMES}, sort_keys=True, default=str)
            house_rules = [text.partition("=")[0] for text in case.get("set", ())]
            for knob in (*case.get("knobs", ()), *house_rules):
                found[knob].add(outcome)
    return found


def test_every_knob_has_cases_with_different_outcomes() -> None:
    found = _outcomes_by_knob()
    assert sorted(knob for knob in KNOBS if len(found[knob]) < 2) == []


def test_cases_name_only_knobs_that_exist() -> None:
    assert sorted(set(_outcomes_by_knob()) - set(KNOBS)) == []
