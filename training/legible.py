"""Whether a person could tell what a rendered tile shows: enough of it, from near enough, sharp, standing out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from training.constants import NARROWEST, SYMBOL, readable
from training.crops import crop_matrix

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from training.render import Placed, Scene

LEAST = 300.0  # contrast times sharpness; chosen by eye on scenes that are not measured (seeds 40000 on, 910000 on)
SHARP = 25.0  # heights of a print to the deviation of the blur; sharper than this is no easier to tell
_PIXEL = 0.35  # what any picture is blurred by
_SIDE = 48


def legible(scene: Scene, tile: Placed) -> bool:
    """Whether a tile of a scene can be asked for."""
    if tile.breadth < NARROWEST or not readable(tile.tile, tile.visible):
        return False
    sharpness = min(tile.number_height / max(scene.softness, _PIXEL), SHARP)
    return contrast(scene.image, tile) * sharpness >= LEAST


def contrast(picture: NDArray[np.uint8], tile: Placed) -> float:
    """How far the colours around a print lie apart, noise smoothed away: from dark to light in 8-bit L*a*b*."""
    matrix = crop_matrix(tile.number_centre, tile.number_height, tile.angle, _SIDE)
    shrinks = tile.number_height > SYMBOL
    crop = cv2.warpAffine(picture, matrix, (_SIDE, _SIDE), flags=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR)
    lab: NDArray[Any] = cv2.cvtColor(cv2.GaussianBlur(crop, (0, 0), 1.0), cv2.COLOR_BGR2LAB).astype(np.float64)
    colours = lab[10:38, 12:36].reshape(-1, 3)
    colours -= colours.mean(axis=0)
    along = colours @ np.linalg.eigh(np.cov(colours.T))[1][:, -1]
    low, high = np.percentile(along, (3, 97))
    return float(high - low)
