"""Broken round files; the first line of each says which words its message must hold, with ``|`` between."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remi_ref.errors import Unreadable
from remi_ref.rules.dealfile import read_deal
from remi_ref.score.roundfile import load_round, read_round
from remi_ref.score.scoring import judge_round
from remi_ref.words import LANGUAGES, Words
from remi_ref.yamltree import load_text

GALLERY = sorted((Path(__file__).parent / "cases" / "round_errors").glob("*.yaml"))


def _messages(path: Path) -> tuple[str, str]:
    with pytest.raises(Unreadable) as caught:
        load_round(path)
    return Words("en").error(caught.value), Words("ro").error(caught.value)


@pytest.mark.parametrize("path", GALLERY, ids=[path.stem for path in GALLERY])
def test_broken_file_is_refused_by_name(path: Path) -> None:
    english, romanian = _messages(path)
    first_line = path.read_text(encoding="utf-8").splitlines()[0]
    for wanted in first_line.removeprefix("# ").split(" | "):
        assert wanted.strip() in english, english
    assert path.name in english
    assert path.name in romanian
    assert len(english.splitlines()) == len(romanian.splitlines()) == 1


def test_a_hundred_players_are_refused_quickly(tmp_path: Path) -> None:
    path = tmp_path / "many.yaml"
    path.write_text("players:\n" + "".join(f"  P{number}: {{}}\n" for number in range(100)), encoding="utf-8")
    english, _ = _messages(path)
    assert "100 players" in english


SAMPLES = sorted((Path(__file__).parent.parent / "samples" / "rounds").glob("*.yaml"))
WORDS = ("R5", "J=R7", "no", "closer: Dan", "in-hand: true", "twin: held", "hand: 88", "laid: 9")
SCRAPS = (*"{}[]|:,\"'-0=JWF\n ", *WORDS)


@given(st.sampled_from(SAMPLES), st.lists(st.tuples(st.integers(0, 800), st.integers(0, 12), st.sampled_from(SCRAPS))))
def test_a_damaged_file_is_scored_or_refused_with_a_sentence(path: Path, edits: list[tuple[int, int, str]]) -> None:
    text = path.read_text(encoding="utf-8")
    for start, length, scrap in edits:
        text = text[:start] + scrap + text[start + length :]
    said = [""]
    try:
        root = load_text(text, "damaged.yaml")
        deal = read_deal(root, path)
        judge_round(deal, read_round(root, deal))
    except Unreadable as fault:
        said = [Words(language).error(fault) for language in LANGUAGES]
    assert all(len(sentence.splitlines()) <= 1 for sentence in said)


def test_a_thousand_added_tiles_are_refused_quickly(tmp_path: Path) -> None:
    path = tmp_path / "added.yaml"
    added = ", ".join(["{tile: R6, to: R3 R4 R5}"] * 1000)
    path.write_text(f"players:\n  Ana: {{added: [{added}], hand: R4}}\n  Dan: {{opened: no}}\n", encoding="utf-8")
    english, _ = _messages(path)
    assert "1000" in english
