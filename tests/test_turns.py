"""Turns: the table of `cases/turns.yaml`, and what the table cannot show."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from remi_ref.play.position import meld_text
from remi_ref.play.turn import judge_turn
from remi_ref.play.turnfile import TurnFile, read_turns
from remi_ref.tiles import format_tiles
from remi_ref.yamltree import Node, load_file

if TYPE_CHECKING:
    from remi_ref.play.turn import TurnVerdict

CASES = Path(__file__).parent / "cases"
OK = {"legal": True, "illegal": False, "open": None}


def _cases() -> list[Node]:
    return list(load_file(CASES / "turns.yaml").items)


def _judge(case: Node) -> TurnVerdict:
    parts = case.mapping
    house = [item.text for item in parts["set"].items] if "set" in parts else []
    turn = read_turns(parts["file"], CASES, house_rules=house)
    assert isinstance(turn, TurnFile)
    return judge_turn(turn.position, turn.actions)


@pytest.mark.parametrize("case", [pytest.param(case, id=case.mapping["id"].text) for case in _cases()])
def test_turn(case: Node) -> None:
    parts = case.mapping
    verdict = _judge(case)
    outcomes = [(reason.code, reason.outcome.value) for reason in verdict.verdict.reasons]
    assert verdict.verdict.ok is OK[parts["expect"].text], outcomes
    for code, outcome in parts.get("codes", Node({}, "")).mapping.items():
        assert (code, outcome.text) in outcomes
    for unwanted in parts.get("without", Node((), "")).items:
        assert unwanted.text not in dict(outcomes)
    if "after" in parts:
        position, after = verdict.progress.position, parts["after"].mapping
        assert format_tiles(position.hand or ()) == after["hand"].text
        assert [meld_text(position.deal, meld) for meld in position.table] == [
            item.text for item in after["table"].items
        ]
        assert format_tiles(position.row) == after["row"].text
