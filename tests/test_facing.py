"""A 6 or 9 lies against its neighbours where all of them, and enough of them, look the other way."""

import cv2
import numpy as np
import pytest

from remi_ref.vision.facing import Lying, lying_against
from remi_ref.vision.find import Found
from remi_ref.vision.read import BEYOND, cut


def _row(angles: str, turned: int, *, sure: float = 0.9) -> list[Lying]:
    """Tiles side by side, ``^`` upright and ``v`` upside down; the one at that place turns into another symbol."""
    return [
        Lying((40.0 * place, 0.0), 20.0, 0.0 if angle == "^" else 180.0, turns=place == turned, sure=sure)
        for place, angle in enumerate(angles)
    ]


@pytest.mark.parametrize(
    ("angles", "turned", "against"),
    [("^^v^^", 2, [2]), ("vv^vv", 2, [2]), ("^^^^^", 2, []), ("^vv^^", 2, []), ("^v", 1, []), ("^^v", 2, [2])],
)
def test_against_its_neighbours(angles: str, turned: int, against: list[int]) -> None:
    assert lying_against(_row(angles, turned)) == against


def test_who_is_not_sure_is_no_witness() -> None:
    assert lying_against(_row("^^v^^", 2, sure=0.5)) == []


def test_beyond_the_edge_all_is_grey() -> None:
    white = np.full((200, 200, 3), 255, np.uint8)
    crop = cut([white], Found((0.0, 0.0), 26.0, 0.0, 1.0))
    assert tuple(crop[4, 4]) == BEYOND
    assert tuple(crop[-4, -4]) == (255, 255, 255)
    assert cv2.countNonZero(cv2.inRange(crop, (127,) * 3, (129,) * 3)) > crop.shape[0] ** 2 / 2
