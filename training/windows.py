"""The finder's examples: windows of pictures with the maps that the finder shall give for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from training.constants import STRIDE, readable
from training.light import relight
from training.warps import squeezed, up_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.random import Generator
    from numpy.typing import NDArray

    from training.data import Picture, Sample, Symbol

WINDOW = 256  # side, pixels


@dataclass
class FinderBatch:
    """Windows (N, 256, 256, 3) with maps (N, 6, 64, 64) as the finder gives them.

    Heat is a bump of 1 at each centre; ``weight`` is 0 where a hidden symbol makes the heat a matter of taste;
    ``centre`` is 1 at the cells whose other five maps count.
    """

    windows: Picture
    maps: NDArray[np.float32]
    weight: NDArray[np.float32]
    centre: NDArray[np.float32]


def finder_batch(samples: Sequence[Sample], weights: NDArray[np.float64], count: int, rng: Generator) -> FinderBatch:
    """Draws windows whose symbols are 8 to 46 pixels high."""
    cells = WINDOW // STRIDE
    batch = FinderBatch(
        np.empty((count, WINDOW, WINDOW, 3), np.uint8),
        np.zeros((count, 6, cells, cells), np.float32),
        np.ones((count, cells, cells), np.float32),
        np.zeros((count, cells, cells), np.float32),
    )
    for row, pick in enumerate(rng.choice(len(samples), size=count, p=weights)):
        _window(batch, row, samples[pick], rng)
        batch.windows[row] = relight(batch.windows[row], rng)
    return batch


def _window(batch: FinderBatch, row: int, sample: Sample, rng: Generator) -> None:
    rows, columns = sample.levels[0].shape[:2]
    if sample.decoys and rng.random() < 0.25:
        decoy = sample.decoys[rng.integers(len(sample.decoys))]
        scale = np.exp(rng.uniform(np.log(8), np.log(46))) / max(decoy.height, 3.0)
        middle = np.asarray(decoy.centre) + rng.uniform(-0.4, 0.4, 2) * WINDOW / scale
    elif sample.symbols:
        anchor = sample.symbols[rng.integers(len(sample.symbols))]
        scale = np.exp(rng.uniform(np.log(8), np.log(46))) / anchor.height
        middle = np.asarray(anchor.centre) + rng.uniform(-0.4, 0.4, 2) * WINDOW / scale
    else:
        scale = WINDOW / rng.uniform(0.2, 1.0) / max(rows, columns)
        middle = np.array([rng.uniform(0, columns), rng.uniform(0, rows)])
    turn = rng.uniform(-180, 180) if rng.random() < 0.35 else rng.normal(0, 8)
    radians = np.radians(turn)
    matrix = np.zeros((2, 3))
    matrix[:, :2] = np.array([[np.cos(radians), np.sin(radians)], [-np.sin(radians), np.cos(radians)]]) * scale
    matrix[:, 2] = WINDOW / 2 - matrix[:, :2] @ middle
    matrix = squeezed(matrix, WINDOW, rng)
    batch.windows[row] = sample.warp(matrix, WINDOW, int(rng.integers(256)) if rng.random() < 0.5 else 0)
    for symbol in sample.symbols:
        _draw(batch, row, symbol, matrix)


def _draw(batch: FinderBatch, row: int, symbol: Symbol, matrix: NDArray[np.float64]) -> None:
    cells = WINDOW // STRIDE
    x, y = (matrix @ np.array([*symbol.centre, 1.0])) / STRIDE - 0.5
    right, below = up_in(matrix, symbol)
    height = float(np.hypot(right, below))
    reach = max(0.9, 0.13 * height / STRIDE)
    column, line = round(x), round(y)
    if not (-3 < x < cells + 3 and -3 < y < cells + 3):
        return
    ys, xs = np.mgrid[0:cells, 0:cells]
    distance = (xs - x) ** 2 + (ys - y) ** 2
    outside = not (0 <= column < cells and 0 <= line < cells)
    if not readable(symbol.tile, symbol.visible) or symbol.tile == "X" or outside or not 5 < height < 75:
        batch.weight[row][distance < (0.5 * height / STRIDE) ** 2] = 0
        return
    bump = np.exp(-distance / (2 * reach**2)).astype(np.float32)
    batch.maps[row, 0] = np.maximum(batch.maps[row, 0], bump)
    batch.maps[row, 0, line, column] = 1.0
    near = distance <= 1.5
    for index, value in enumerate((np.log(height), -below / height, right / height), start=1):
        batch.maps[row, index][near] = value
    batch.maps[row, 4][near] = ((x - xs) * STRIDE)[near]
    batch.maps[row, 5][near] = ((y - ys) * STRIDE)[near]
    batch.centre[row][near] = 1.0
