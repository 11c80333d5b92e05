"""What the eye reports: one tile seen in a photo, with every reading it considers; what lies at one place is one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

Point = tuple[float, float]

SAME_PLACE = 0.55  # symbols nearer than this, in their heights, are one


@dataclass(frozen=True, eq=False)
class Sighting:
    """One tile.

    Attributes:
        corners: the tile's four corners (estimated), pixels of the upright picture, clockwise from its own top left.
        centre: of the printed symbol, pixels.
        height: of the printed symbol along the tile's up, pixels.
        angle: of the tile's up, degrees clockwise from the picture's up.
        odds: readings in notation with their probability, best first; ``X`` is a tile without a readable symbol.
        ink: its light over that of its face (3, BGR), for telling which tiles of a box share one.
    """

    corners: tuple[Point, Point, Point, Point]
    centre: Point
    height: float
    angle: float
    odds: tuple[tuple[str, float], ...]
    ink: NDArray[np.float32]


class Placed(Protocol):
    """What has a place in a picture, in pixels."""

    @property
    def centre(self) -> Point:
        """Of the printed symbol."""
        ...

    @property
    def height(self) -> float:
        """Of the printed symbol."""
        ...


P = TypeVar("P", bound=Placed)


def thin_out(found: Iterable[P], strength: Callable[[P], float]) -> list[P]:
    """Keeps the strongest of those that lie on one another, strongest first."""
    ranked = sorted(found, key=strength, reverse=True)
    centres = np.array([one.centre for one in ranked]).reshape(-1, 2)
    heights = np.array([one.height for one in ranked])
    kept: list[int] = []
    for index in range(len(ranked)):
        gaps = np.hypot(*(centres[kept] - centres[index]).T)
        if (gaps > SAME_PLACE * np.minimum(heights[kept], heights[index])).all():
            kept.append(index)
    return [ranked[index] for index in kept]
