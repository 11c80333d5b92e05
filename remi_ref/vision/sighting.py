"""What the eye reports: one tile seen in a photo, with every reading it considers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Point = tuple[float, float]


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
