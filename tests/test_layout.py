"""Rows and groups from where tiles stand: racks, tables and heaps, seen from anywhere."""

from __future__ import annotations

import math
import random
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remi_ref.vision.layout import arrange
from remi_ref.vision.sighting import Sighting

if TYPE_CHECKING:
    from collections.abc import Callable

Table = dict[tuple[float, float], tuple[str, float]]
"""Centre of the number (in heights of the number) to the tile and the angle of its up, as seen from above."""


PITCH = 2.4  # a tile's width, heights of its number
ROW = 4.2  # from row to row
FACE = 0.6  # from the number down to the middle of the face


def rack(*rows: str, gap: float = 0.8, shift: float = 0.0) -> Table:
    """Rows as they are printed, standing on shelves; ``~R7`` stands on its head."""
    table: Table = {}
    for y, row in enumerate(rows):
        x = shift * y
        for group in row.split("|"):
            for word in group.split():
                on_its_head = word.startswith("~")
                down = 2 * FACE if on_its_head else 0.0
                table[x, ROW * y + down] = (word.removeprefix("~"), 180.0 if on_its_head else 0.0)
                x += PITCH
            x += gap * PITCH
    return table


def meld(text: str, at: complex, angle: float) -> Table:
    """One formation on a table, read along its own right."""
    right = complex(math.cos(math.radians(angle)), math.sin(math.radians(angle)))
    places = (at + right * PITCH * i for i in range(len(text.split())))
    return {(p.real, p.imag): (tile, angle) for p, tile in zip(places, text.split(), strict=True)}


def seen(table: Table, project: Callable[[complex], complex], seed: int = 0) -> list[Sighting]:
    """What is reported of a table through a projection, in any order: up to a degree and two percent wrong."""
    chance = random.Random(seed)
    sightings = []
    for (x, y), (tile, angle) in table.items():
        at, up = complex(x, y), complex(math.sin(math.radians(angle)), -math.cos(math.radians(angle)))
        centre, top, bottom = project(at), project(at + up / 2), project(at - up / 2)
        tall = top - bottom
        height = abs(tall) * chance.uniform(0.98, 1.02)
        turn = math.degrees(math.atan2(tall.real, -tall.imag)) + chance.uniform(-1, 1)
        down, right = -tall / abs(tall) * height, -tall / abs(tall) * height * -1j
        ends = (centre + right * a + down * b for a, b in ((-1, -0.9), (1, -0.9), (1, 2.1), (-1, 2.1)))
        corners = tuple((p.real, p.imag) for p in ends)
        assert len(corners) == 4
        sightings.append(
            Sighting(corners, (centre.real, centre.imag), height, turn, ((tile, 1.0),), np.zeros(131, np.float32))
        )
    chance.shuffle(sightings)
    return sightings


def written(sightings: list[Sighting]) -> tuple[str, ...]:
    rows = arrange(sightings)
    return tuple(" | ".join(" ".join(sightings[i].odds[0][0] for i in group) for group in row) for row in rows)


def straight(p: complex) -> complex:
    return 100 + 100j + p * 20


def turned(degrees: float) -> Callable[[complex], complex]:
    turn = complex(math.cos(math.radians(degrees)), math.sin(math.radians(degrees)))
    return lambda p: 900 + 900j + p * turn * 20


def from_below(p: complex) -> complex:
    """As from a chair: what is farther up is smaller, and everything is squashed."""
    far = 1 + (20 - p.imag) * 0.012
    return 500 + (p.real - 12) / far * 24 + 1j * (700 - (20 - p.imag) / far * 17)


def from_the_side(p: complex) -> complex:
    """Rows slope by twelve degrees while tiles stand straight, and the right is nearer."""
    near = 1 / (1.5 - 0.015 * p.real)
    return 200 + p.real * near * 20 + 1j * (400 + (p.imag + 0.21 * p.real) * near * 20)


VIEWS = {"from above": straight, "tilted": turned(-11), "sideways": turned(90), "upside down": turned(178)}
VIEWS |= {"from below": from_below, "from the side": from_the_side}

RACKS = {
    "one shelf": ("R3 R4 R5 | A8 N8 G8 | J N1",),
    "two shelves": ("R3 R4 R5 R6 | A8 N8", "G1 G2 | A13 N13 R13 J"),
    "three steep shelves": ("R3 R4 R5 R6", "A8 N8 | G8 R1", "N2 | N3 N4 J N6"),
    "a short last row": ("R1 R2 R3 R4 R5 R6 R7", "A1 A2 A3 A4 A5 A6 A7", "J J"),
    "a tile on its head": ("R3 R4 ~R5 R6 | ~A8 N8", "G1 G2 G3 | A13 N13"),
    "one tile": ("R3",),
}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("rows", RACKS.values(), ids=RACKS)
def test_racks(rows: tuple[str, ...], view: str) -> None:
    assert written(seen(rack(*rows), VIEWS[view])) == tuple(row.replace("~", "") for row in rows)


def test_shelves_out_of_step() -> None:
    rows = ("R3 R4 R5 | A8 N8 G8", "G1 G2 G3 G4 G5", "J N1 N2 | A3 A4")
    assert written(seen(rack(*rows, shift=1.3), from_below)) == rows


MELDS = {
    "R3 R4 R5 R6": (2 + 3j, -24.0),
    "A8 N8 G8": (20 + 2j, 15.0),
    "G10 J G12": (24 + 26j, 180.0),  # the player opposite reads it from there
    "N1 A1 R1 G1": (30 + 8j, 90.0),
    "A2 A3 A4": (4 + 22j, -60.0),
}


def from_low(p: complex) -> complex:
    """From the table's edge: depth shrinks to less than a half, and a turned tile's up no longer stands on its row."""
    return complex(100 + p.real * 24, 100 + p.imag * 24 * 0.42)


VIEWS["from low"] = from_low


@pytest.mark.parametrize("view", ["from above", "tilted", "upside down", "from low"])
def test_melds_at_any_angle_are_read_in_their_own_order(view: str) -> None:
    table: Table = {}
    for text, (at, angle) in MELDS.items():
        table |= meld(text, at, angle)
    groups = [group for row in written(seen(table, VIEWS[view])) for group in row.split(" | ")]
    assert Counter(groups) == Counter(MELDS.keys())


def test_nothing_to_see() -> None:
    assert arrange([]) == ()


@settings(max_examples=60, deadline=None)
@given(
    places=st.lists(
        st.tuples(st.floats(0, 900), st.floats(0, 900), st.floats(-180, 180), st.floats(0, 60)), max_size=30
    )
)
def test_every_tile_stands_in_exactly_one_place(places: list[tuple[float, float, float, float]]) -> None:
    corner = (0.0, 0.0)
    heap = [
        Sighting((corner,) * 4, (x, y), height, angle, (("R1", 1.0),), np.zeros(131, np.float32))
        for x, y, angle, height in places
    ]
    rows = arrange(heap)
    assert sorted(i for row in rows for group in row for i in group) == list(range(len(places)))
    assert all(group for row in rows for group in row)
