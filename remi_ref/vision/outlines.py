"""How large the tiles of one photo are: what a single symbol leaves open, the others tell.

The eye draws each tile around its symbol by common proportions. Symbols of jokers are larger than numbers, and in some
boxes numbers fill their tiles; neighbours stand no closer than their tiles are wide.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from remi_ref.vision.layout import Layout
    from remi_ref.vision.sighting import Sighting

LEAST = 0.5  # tiles may be smaller than is common beside their numbers by this factor
_NEAR = 4  # numbers that tell how large the tile of a joker is


def fitted(sightings: Sequence[Sighting], layout: Layout) -> NDArray[np.float64]:
    """The corners (N x 4 x 2, pixels) of the tiles of a photo whose rows are known."""
    if not sightings:
        return np.empty((0, 4, 2))
    centres = np.array([tile.centre for tile in sightings], np.float64)
    corners = np.array([tile.corners for tile in sightings]) - centres[:, None]
    corners *= _of_jokers(sightings, centres)[:, None, None]
    widths = np.linalg.norm(corners[:, 1] - corners[:, 0], axis=1)
    beside = [pair for row in layout for group in row for pair in itertools.pairwise(group)]
    if beside:
        one, other = np.array(beside).T
        steps = 2 * np.linalg.norm(centres[one] - centres[other], axis=1) / (widths[one] + widths[other])
        corners *= np.clip(np.median(steps), LEAST, 1)
    return np.asarray(corners + centres[:, None])


def _of_jokers(sightings: Sequence[Sighting], centres: NDArray[np.float64]) -> NDArray[np.float64]:
    """By which factor (N) each tile is smaller than its symbol alone says: jokers' are as large as those of numbers."""
    heights = np.array([tile.height for tile in sightings])
    numbered = np.array([tile.odds[0][0] not in ("J", "F") for tile in sightings])
    factors = np.ones(len(sightings))
    if numbered.any():
        for i in np.flatnonzero(~numbered):
            near = np.argsort(np.linalg.norm(centres[numbered] - centres[i], axis=1))[:_NEAR]
            factors[i] = min(1, np.median(heights[numbered][near]) / max(heights[i], 1))
    return factors
