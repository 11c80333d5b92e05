"""The table of rounds: every score that the texts and the rulings give, and every rule of the table both ways."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from remi_ref.rules.rulefile import load_ruleset
from remi_ref.score.roundfile import load_round
from remi_ref.score.scoring import judge_round
from remi_ref.words import LANGUAGES, Words

CASES: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "cases" / "rounds.yaml").read_text(encoding="utf-8")
)


SCORING_KNOBS = (
    "ace_value.hand",
    "ace_value.high",
    "ace_value.low",
    "ace_value.set",
    "atu.announce",
    "atu.bonus",
    "atu.dealt_only",
    "atu.joker_twin",
    "atu.paid_by",
    "close.ace_doubles",
    "close.bonus",
    "close.joker",
    "close.joker_loss",
    "close.loss",
    "close.seven_pairs",
    "close.seven_pairs_joker",
    "double_game",
    "joker.hand_value",
    "joker.table_value",
    "layoff.owner_of_points",
    "loss_cap",
    "not_opened",
    "pairs_opener_multiplier",
    "score.method",
    "stock_out",
    "tile_values.high",
    "tile_values.low",
    "wrong_close_penalty",
    "wrong_open_penalty",
)


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])
def test_round(case: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "round.yaml"
    path.write_text(yaml.safe_dump(case["round"], sort_keys=False, allow_unicode=True), encoding="utf-8")
    deal, finished = load_round(path, house_rules=case.get("set", ()))
    judged = judge_round(deal, finished)
    if case.get("open"):
        assert len(judged.verdict.open) > 1
        assert not judged.scores
        return
    assert judged.verdict.ok
    assert {score.player: score.total for score in judged.scores} == case["scores"]
    for player, codes in case.get("codes", {}).items():
        lines = next(score.lines for score in judged.scores if score.player == player)
        assert set(codes) <= {line.code for line in lines}
    cited = {line.code: line.citation for score in judged.scores for line in score.lines}
    for code, (ref, basis) in case.get("cites", {}).items():
        assert ref in cited[code].refs
        assert cited[code].basis == basis
    for score in judged.scores:
        for line in score.lines:
            for language in LANGUAGES:
                words = Words(language)
                assert words.fill(words.text(line.code, "line"), {"tiles": "R1", **line.values})


@pytest.mark.parametrize("knob", SCORING_KNOBS)
def test_every_scoring_rule_is_shown_with_two_values_and_two_outcomes(knob: str) -> None:
    shown = [case for case in CASES if knob in case.get("knobs", ())]
    values = {load_ruleset(case["round"]["rules"], case.get("set", ())).leaves[knob].value for case in shown}
    assert len(values) >= 2
    outcomes = {json.dumps(case.get("scores")) for case in shown}
    assert len(outcomes) >= 2
