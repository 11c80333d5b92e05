"""Colour relative to the picture: an ink is seen against its own tile's face, and the tiles of one photo agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from remi_ref.vision.chances import softmax

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    Array = NDArray[np.float32]
    Numbers = NDArray[np.floating[Any]]

TRUST = 0.7  # weight of the photo's own inks beside the reader's word
SPREAD = 0.1  # how far two prints of one ink are seen apart in a photo, in each channel
GREY = 8  # where no pixel has channels further apart than this there is no colour
KNOWN = 0.25  # weight of the network's word beside the inks of a box that was learned
LEAST_CHANCE = 0.01  # no network is surer than this that a colour is another one
FARTHEST = 8.0  # an ink unlike all four says no more than this against any of them
STEADY = 0.5  # how firmly the light of a photo is taken to be that of the learned one; two pale tiles weigh as much
PRINTED_ALIKE = 8  # tiles of one ink that weigh as much as what the box says of it
ROUNDS = 4  # of finding which tile is which colour and what light there is
FEW = 3  # below so many tiles of numbers there is nothing to compare with


def colourless(picture: NDArray[np.uint8]) -> bool:
    """Whether a photo (H, W, 3) shows no colour at all, as one taken in black and white."""
    return int(np.ptp(picture, axis=2).max()) < GREY


def sharpen_colours(colours: Array, inks: Array, numbers: Array) -> Array:
    """The colours' chances (N, 4), given how the inks (N, 3) of this photo cluster.

    Args:
        colours: what the network says of each tile.
        inks: of each tile, the light of the ink over that of the face.
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
        chances = softmax(scores)
    return chances


def by_box(colours: Array, seen: Array, inks: Array, spread: Array, numbers: Array) -> Array:
    """The colours' chances (N, 4), given the inks of the box.

    The light of a photo makes all inks alike stronger; what the tiles of one ink show in it says the rest.

    Args:
        colours: what the reader says of each tile.
        seen: what the network that sees inks says of each (N, 3).
        inks: what it says of the four colours of the box (4, 3); not numbers where none was seen.
        spread: the covariance of one ink (3, 3).
        numbers: chance that the tile bears a number at all.
    """
    prior, here = KNOWN * np.log(np.maximum(colours, LEAST_CHANCE)), inks
    for _ in range(ROUNDS):
        weights = softmax(prior - _apart(seen, here, spread)) * numbers[:, None]
        expected = weights @ np.nan_to_num(inks)
        light = ((expected * seen).sum(axis=0) + STEADY) / ((expected**2).sum(axis=0) + STEADY)
        here = (weights.T @ seen + PRINTED_ALIKE * light * inks) / (weights.sum(axis=0)[:, None] + PRINTED_ALIKE)
    return softmax(prior - _apart(seen, here, spread))


def _apart(seen: Array, inks: Numbers, spread: Array) -> Numbers:
    """How far each ink seen lies from those of the box (N, 4), in half squares of deviations."""
    off = seen[:, None, :] - inks[None]
    distance = np.einsum("nci,ij,ncj->nc", off, np.linalg.inv(spread), off) / 2
    return np.asarray(np.minimum(np.nan_to_num(distance, nan=FARTHEST), FARTHEST))
