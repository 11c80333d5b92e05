"""Broken round files; the first line of each says which words its message must hold, with ``|`` between."""

from __future__ import annotations

from pathlib import Path

import pytest

from remi_ref.errors import Unreadable
from remi_ref.roundfile import load_round
from remi_ref.words import Words

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
