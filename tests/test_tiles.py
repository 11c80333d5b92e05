"""Tiles as they are typed: read generously, printed in one way, and refused with the nearest right spelling."""

from __future__ import annotations

from pathlib import Path

import pytest

from remi_ref.errors import Unreadable
from remi_ref.notation import parse_tiles
from remi_ref.tiles import format_tiles
from remi_ref.yamltree import load_file

CASES = load_file(Path(__file__).parent / "cases" / "tiles.yaml").mapping


@pytest.mark.parametrize(("typed", "printed"), [(typed, node.text) for typed, node in CASES["read"].mapping.items()])
def test_a_spelling_is_read(typed: str, printed: str) -> None:
    slots = parse_tiles(typed)
    assert format_tiles(slots) == printed
    assert parse_tiles(printed) == slots


@pytest.mark.parametrize(("typed", "near"), [(typed, node.text) for typed, node in CASES["refused"].mapping.items()])
def test_what_is_no_tile_is_refused_with_the_nearest(typed: str, near: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        parse_tiles(typed)
    assert refusal.value.values["nearest"] == near
    assert refusal.value.values["token"] == typed


def test_a_run_from_one_colour_to_another_is_told_that_it_has_one() -> None:
    with pytest.raises(Unreadable) as refusal:
        parse_tiles("R3-A6")
    assert refusal.value.code == "tiles.run_colours"
