"""The examples of the network that sees inks: upright numbers, and what ink each colour of their box has on its face.

Red, green and blue change places by lot, and mix: whatever the light does to one ink it does to another, so a box in
any inks comes of every rendered one, in light that fits.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from training.constants import COLOURS, CROP
from training.crops import crop_matrix
from training.light import relight
from training.styles import sample_style
from training.warps import squeezed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.random import Generator
    from numpy.typing import NDArray

    from training.data import Picture, Sample, Symbol
    from training.styles import Style

    Array = NDArray[np.float32]

SHOWS = 0.6  # share of a print that must be seen
FROM_EACH = 4  # crops of a sample at a time
_DARK = 10.0  # added to light before it is compared, as no print is quite black


@dataclass
class InkBatch:
    """Crops (N, 64, 64, 3) with the inks of their box over its face (N, 4, 3, BGR) and the colour that is shown."""

    crops: Picture
    inks: Array
    colours: NDArray[np.int64]


def ink_batch(samples: Sequence[Sample], weights: NDArray[np.float64], count: int, rng: Generator) -> InkBatch:
    """Draws crops of numbers from rendered samples, as badly placed as a straightened one may be."""
    numbered = [(sample, _numbers(sample)) for sample in samples]
    weights = weights * [bool(numbers) and sample.group.startswith("box-") for sample, numbers in numbered]
    batch = InkBatch(
        np.empty((count, CROP, CROP, 3), np.uint8), np.empty((count, 4, 3), np.float32), np.empty(count, np.int64)
    )
    picks = rng.choice(len(samples), size=-(-count // FROM_EACH), p=weights / weights.sum()).repeat(FROM_EACH)
    for row, pick in zip(rng.permutation(count), picks, strict=False):
        sample, numbers = numbered[pick]
        symbol = numbers[rng.integers(len(numbers))]
        mixed = _mixing(rng)
        crop = np.clip(_crop(sample, symbol, rng) @ mixed.T, 0, 255)
        if rng.random() < 0.5:
            crop = np.clip(crop * np.exp(rng.normal(0, 0.12, 3)), 0, 255)
        batch.crops[row] = relight(crop.astype(np.uint8), rng)
        batch.inks[row] = _inks_over_face(_style(sample.group), mixed)
        batch.colours[row] = COLOURS.index(symbol.tile[0])
    return batch


def _numbers(sample: Sample) -> list[Symbol]:
    return [one for one in sample.symbols if one.tile not in {"J", "F", "X"} and one.visible > SHOWS]


@lru_cache(maxsize=20_000)
def _style(name: str) -> Style:
    return sample_style(int(name.removeprefix("box-")))


def _mixing(rng: Generator) -> Array:
    """The channels in another order, half of the time blended with yet another one."""
    mixed = np.eye(3)[rng.permutation(3)]
    if rng.random() < 0.5:
        share = rng.uniform(0, 0.5)
        mixed = (1 - share) * mixed + share * np.eye(3)[rng.permutation(3)]
    return mixed.astype(np.float32)


def _inks_over_face(style: Style, mixed: Array) -> Array:
    face = mixed @ np.array(style.face[::-1], np.float32) + _DARK
    return np.stack([(mixed @ np.array(ink[::-1], np.float32) + _DARK) / face for ink in style.inks])


def _crop(sample: Sample, symbol: Symbol, rng: Generator) -> Array:
    radians = np.radians(symbol.angle)
    across, down = symbol.height * rng.normal(0, 0.06, 2)
    right, below = np.array([np.cos(radians), np.sin(radians)]), np.array([-np.sin(radians), np.cos(radians)])
    x, y = np.asarray(symbol.centre) + across * right + down * below
    height = symbol.height * float(np.exp(rng.normal(0, 0.07)))
    angle = symbol.angle + float(rng.normal(0, 4)) + (180 if rng.random() < 0.1 else 0)
    matrix = squeezed(crop_matrix((float(x), float(y)), height, angle), CROP, rng)
    return sample.warp(matrix, CROP, 128).astype(np.float32)
