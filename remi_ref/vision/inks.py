"""Colour relative to the picture: an ink is what it takes from its own tile's light; tiles of one photo agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float32]

TRUST = 0.35  # weight of the photo's own inks beside the network's word
SPREAD = 0.28  # how far two prints of one ink differ in a photo, in log of light
GREY = 8  # where no pixel has channels further apart than this there is no colour
FEW = 3  # below so many tiles of numbers there is nothing to compare with


def colourless(picture: NDArray[np.uint8]) -> bool:
    """Whether a photo (H, W, 3) shows no colour at all, as one taken in black and white."""
    return int(np.ptp(picture, axis=2).max()) < GREY


def ink_of(crop: NDArray[np.uint8]) -> Array:
    """Log of the ink's light over its face's (3, BGR) in an upright crop: lamp and shadow cancel out."""
    side = crop.shape[0]
    inner = crop[side // 4 : -side // 4, side // 4 : -side // 4].reshape(-1, 3).astype(np.float32) + 4
    light = inner.sum(axis=1)
    face = np.median(inner[light >= np.percentile(light, 60)], axis=0)
    away = np.abs(np.log(inner / face)).sum(axis=1)
    ink = inner[away >= np.percentile(away, 88)]
    return np.asarray(np.log(np.median(ink, axis=0) / face), np.float32)


def sharpen_colours(colours: Array, inks: Array, numbers: Array) -> Array:
    """The colours' chances (N, 4), given how the inks (N, 3) of this photo cluster.

    Args:
        colours: what the network says of each tile.
        inks: as `ink_of`.
        numbers: chance that the tile bears a number at all; jokers say nothing of the inks.
    """
    if (numbers > 0.5).sum() < FEW:
        return colours
    prior = np.log(colours + 1e-4)
    chances = colours
    for _ in range(4):
        weights = chances * numbers[:, None]
        total = weights.sum(axis=0)
        means = (weights.T @ inks) / (total[:, None] + 1e-6)
        distance = ((inks[:, None, :] - means[None]) ** 2).sum(axis=2) / (2 * SPREAD**2)
        distance = np.where(total > 0.8, np.minimum(distance, 8), np.nan)
        unknown = np.nanmedian(distance, axis=1, keepdims=True) if (total > 0.8).any() else 4.0
        scores = prior - TRUST * np.where(np.isnan(distance), np.maximum(unknown, 3.0), distance)
        scores -= scores.max(axis=1, keepdims=True)
        chances = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    return np.asarray(chances, np.float32)
