"""The tables in `cases/`: what a player types, and the answer that must come."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

from remi_ref.__main__ import main

CASES = Path(__file__).parent / "cases"
TABLES = ("melds", "openings", "wins", "setups")


def _load() -> list[tuple[str, dict[str, Any]]]:
    return [
        (f"{table}-{case['id']}", case)
        for table in TABLES
        for case in yaml.safe_load((CASES / f"{table}.yaml").read_text(encoding="utf-8"))
    ]


@pytest.mark.parametrize("case", [pytest.param(case, id=name) for name, case in _load()])
def test_case(case: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    code = main([*shlex.split(case["run"]), "--json", "--lang", "en"])
    printed = capsys.readouterr()
    assert code == case["exit"], printed
    if code == 2:
        assert len(printed.err.strip().splitlines()) == 1
        assert not printed.out
        return
    answer = json.loads(printed.out)
    assert answer["ok"] is {0: True, 1: False, 3: None}[code]
    formation = answer["melds"][0] if answer["command"] == "meld" else {}
    for field, value in case.get("expect", {}).items():
        assert {**answer, **formation}[field] == value, field
    outcomes = {(reason["code"], reason["outcome"]) for reason in answer["reasons"]}
    for reason, outcome in case.get("codes", {}).items():
        assert (reason, outcome) in outcomes
