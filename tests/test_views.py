"""A photo taken from low down is looked at again, stretched; what is sure at once is looked at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import pytest

from remi_ref.vision.sighting import Sighting
from remi_ref.vision.views import FLATTENED, best_look

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass
class Eye:
    """Sees one tile in the middle of the picture, the surer the nearer the picture's height is to `likes`."""

    likes: int
    angle: float = 0.0
    heights: list[int] = field(default_factory=list)

    def sight(self, picture: NDArray[np.uint8]) -> list[Sighting]:
        """One tile."""
        height, width = picture.shape[:2]
        self.heights.append(height)
        sure = max(0.1, 0.95 - abs(height - self.likes) / self.likes)
        centre = (width / 2, height / 2)
        corners = ((0.0, 0.0), (float(width), 0.0), (float(width), float(height)), (0.0, float(height)))
        return [Sighting(corners, centre, 20.0, self.angle, (("R7", sure),), np.zeros(3, np.float32))]


PICTURE = np.zeros((300, 400, 3), np.uint8)


def test_a_sure_look_is_the_only_one() -> None:
    eye = Eye(likes=300)
    best_look(eye, PICTURE)
    assert eye.heights == [300]


@pytest.mark.parametrize("flat", FLATTENED)
def test_the_clearest_look_is_kept_and_given_in_the_picture_itself(flat: float) -> None:
    eye = Eye(likes=round(300 / flat))
    (seen,) = best_look(eye, PICTURE)
    assert seen.odds[0][1] > 0.94
    assert seen.centre == pytest.approx((200, 150), abs=1)
    assert seen.corners[2] == pytest.approx((400, 300), abs=1)
    assert seen.height == pytest.approx(20 * flat)


def test_a_turned_tile_turns_with_the_picture() -> None:
    (upright,), (lying,), (leaning,) = (
        best_look(Eye(round(300 / 0.64), angle), PICTURE) for angle in (0.0, 90.0, 45.0)
    )
    assert upright.angle == pytest.approx(0)
    assert lying.angle == pytest.approx(90)
    assert lying.height == pytest.approx(20), "what lies along the picture is not flattened"
    assert 45 < leaning.angle < 60


def test_a_stretched_look_that_is_no_better_is_dropped() -> None:
    (seen,) = best_look(Eye(likes=200), PICTURE)
    assert seen.height == 20


@pytest.mark.parametrize(
    ("flat_look", "texts"),
    [
        ([("A5", 300, 0.95)], {"R7", "A5"}),  # what only another look sees, and is sure of
        ([("A5", 300, 0.6)], {"R7"}),  # not sure of
        ([("A5", 102, 0.95)], {"A5"}),  # the same tile, seen more surely
        ([("A5", 102, 0.75)], {"R7"}),  # and less surely
    ],
)
def test_what_another_look_is_surer_of_is_taken_over(
    flat_look: list[tuple[str, float, float]], texts: set[str]
) -> None:
    @dataclass
    class TwoLooks:
        def sight(self, picture: NDArray[np.uint8]) -> list[Sighting]:
            if picture.shape[0] == PICTURE.shape[0]:
                return [seen_at(50, "N1", 0.84), seen_at(100, "R7", 0.8)]
            return [seen_at(x, text, sure) for text, x, sure in flat_look]

    assert {seen.odds[0][0] for seen in best_look(TwoLooks(), PICTURE)} == {"N1", *texts}


def seen_at(x: float, text: str, sure: float) -> Sighting:
    corners = ((x, 0.0), (x, 0.0), (x, 0.0), (x, 0.0))
    return Sighting(corners, (x, 0.0), 20.0, 0.0, ((text, sure),), np.zeros(3, np.float32))


def test_a_large_photo_is_not_stretched_beyond_measure() -> None:
    eye = Eye(likes=4000)
    (seen,) = best_look(eye, np.zeros((3000, 400, 3), np.uint8))
    assert max(eye.heights) <= 4000
    assert seen.corners[2] == pytest.approx((400, 3000), abs=8)


def test_nothing_to_see() -> None:
    @dataclass
    class Blind:
        """Sees nothing."""

        def sight(self, picture: NDArray[np.uint8]) -> list[Sighting]:
            """No tile."""
            assert picture.size
            return []

    assert best_look(Blind(), PICTURE) == []
