"""The reader's examples: crops of printed symbols, badly placed as the finder may leave them, and of what is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from training.constants import CLASSES, COLOURS, CROP, SYMBOL, readable
from training.light import relight
from training.warps import squeezed, up_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.random import Generator
    from numpy.typing import NDArray

    from training.data import Picture, Sample


def crop_matrix(centre: tuple[float, float], height: float, angle: float, side: int = CROP) -> NDArray[np.float64]:
    """The map that puts a symbol upright, `SYMBOL` high, in the middle of a crop."""
    scale, turn = SYMBOL / height, np.radians(angle)
    matrix = np.zeros((2, 3))
    matrix[:, :2] = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) * scale
    matrix[:, 2] = side / 2 - matrix[:, :2] @ np.asarray(centre)
    return matrix


@dataclass
class ReaderBatch:
    """Crops (N, 64, 64, 3) with class, colour (-1 unknown), upside down, and the four numbers of the misplacement.

    ``placed`` says for which rows the misplacement means anything.
    """

    crops: Picture
    classes: NDArray[np.int64]
    colours: NDArray[np.int64]
    upside: NDArray[np.float32]
    offsets: NDArray[np.float32]
    placed: NDArray[np.float32]


def reader_batch(samples: Sequence[Sample], weights: NDArray[np.float64], count: int, rng: Generator) -> ReaderBatch:
    """Draws crops: most of symbols, some of what is none."""
    batch = ReaderBatch(
        np.empty((count, CROP, CROP, 3), np.uint8),
        np.full(count, CLASSES.index("none"), np.int64),
        np.full(count, -1, np.int64),
        np.zeros(count, np.float32),
        np.zeros((count, 4), np.float32),
        np.zeros(count, np.float32),
    )
    picks = rng.choice(len(samples), size=count, p=weights)
    for row, pick in enumerate(picks):
        sample = samples[pick]
        if sample.symbols and rng.random() < (0.8 if sample.decoys else 0.87):
            _symbol_crop(batch, row, sample, rng)
        else:
            _other_crop(batch, row, sample, rng)
        batch.crops[row] = relight(batch.crops[row], rng)
    return batch


def _symbol_crop(batch: ReaderBatch, row: int, sample: Sample, rng: Generator) -> None:
    symbol = sample.symbols[rng.integers(len(sample.symbols))]
    wide = rng.random() < 0.5  # half of the crops as badly placed as the finder may leave them
    shift = np.clip(rng.normal(0, 0.2 if wide else 0.05, 2), -0.5, 0.5)
    zoom = float(np.clip(rng.normal(0, 0.22 if wide else 0.06), -0.5, 0.5))
    turn = float(np.clip(rng.normal(0, 13 if wide else 3), -40, 40))
    upside = rng.random() < 0.25
    sideways = not upside and rng.random() < 0.08
    extra = 180 if upside else rng.choice((90, 270)) if sideways else 0
    radians = np.radians(symbol.angle)
    centre = np.asarray(symbol.centre) + symbol.height * (
        shift[0] * np.array([np.cos(radians), np.sin(radians)])
        + shift[1] * np.array([-np.sin(radians), np.cos(radians)])
    )
    height = symbol.height * np.exp(zoom)
    angle = symbol.angle + turn + extra
    matrix = crop_matrix((centre[0], centre[1]), height, angle)
    matrix = squeezed(matrix, CROP, rng)
    crop = sample.warp(matrix, CROP, int(rng.integers(256)))
    covered = 0.0
    lot = rng.random()
    if lot < 0.06:
        crop, covered = _cover(crop, rng)
    elif lot < 0.14:
        crop, covered = _cut_off(crop, rng)
    batch.crops[row] = crop
    if sideways or not readable(symbol.tile, symbol.visible * (1 - covered)):
        return
    batch.classes[row] = CLASSES.index(symbol.tile if symbol.tile in {"J", "F", "X"} else symbol.tile[1:])
    if symbol.tile[0] in COLOURS:
        batch.colours[row] = COLOURS.index(symbol.tile[0])
    batch.upside[row] = upside
    found = matrix @ np.array([*symbol.centre, 1.0]) - CROP / 2
    right, below = up_in(matrix, symbol) * (-1 if upside else 1)
    lean, size = np.arctan2(right, -below), np.log(np.hypot(right, below) / SYMBOL)
    batch.offsets[row] = (found[0] / SYMBOL, found[1] / SYMBOL, size, lean)
    batch.placed[row] = 1.0


def _cover(crop: Picture, rng: Generator) -> tuple[Picture, float]:
    """Hides part of the symbol from one side, with a plain or a mirrored patch."""
    crop = crop.copy()
    share = float(rng.choice((rng.uniform(0.05, 0.2), rng.uniform(0.2, 0.8))))
    half = SYMBOL * 0.5
    edge = int(CROP / 2 - half + share * SYMBOL)
    patch = np.full_like(crop, rng.integers(0, 256, 3)) if rng.random() < 0.5 else crop[::-1, ::-1].copy()
    side = int(rng.integers(4))
    turned, cover = np.rot90(crop, side), np.rot90(patch, side)
    turned[:, :edge] = cover[:, :edge]
    return np.ascontiguousarray(np.rot90(turned, -side)), share


def _cut_off(crop: Picture, rng: Generator) -> tuple[Picture, float]:
    """Leaves a side of the crop empty, as where the picture ends; what an edge cuts is easier to tell than it looks."""
    crop = crop.copy()
    share = float(rng.uniform(0.05, 0.6))
    turned = np.rot90(crop, int(rng.integers(4)))
    turned[:, : int(CROP / 2 - SYMBOL / 2 + share * SYMBOL)] = rng.integers(256)
    return crop, 1 - float(np.sqrt(1 - share))


def _other_crop(batch: ReaderBatch, row: int, sample: Sample, rng: Generator) -> None:
    """A crop away from every symbol, often right beside one, with its digits cut by the crop's middle."""
    if sample.decoys and rng.random() < 0.6:
        _decoy_crop(batch, row, sample, rng)
        return
    rows, columns = sample.levels[0].shape[:2]
    heights = [symbol.height for symbol in sample.symbols] or [rng.uniform(0.03, 0.15) * rows]
    for _ in range(20):
        height = float(rng.choice(heights) * np.exp(rng.normal(0, 0.3)))
        centre = np.array([rng.uniform(0, columns), rng.uniform(0, rows)])
        if sample.symbols and rng.random() < 0.6:
            near = sample.symbols[rng.integers(len(sample.symbols))]
            direction = rng.uniform(0, 2 * np.pi)
            centre = np.asarray(near.centre) + near.height * rng.uniform(0.8, 2.0) * np.array(
                [np.cos(direction), np.sin(direction)]
            )
        gaps = [np.hypot(*(np.asarray(s.centre) - centre)) / max(s.height, 1) for s in sample.symbols]
        if not gaps or min(gaps) > 0.75:
            break
    else:
        centre, height = np.array([-500.0, -500.0]), 20.0
    angle = float(rng.uniform(0, 360))
    batch.crops[row] = sample.warp(crop_matrix((centre[0], centre[1]), max(height, 3), angle), CROP, 0)


def _decoy_crop(batch: ReaderBatch, row: int, sample: Sample, rng: Generator) -> None:
    """What a finder took for a symbol, cut out as it would be, a little off."""
    decoy = sample.decoys[rng.integers(len(sample.decoys))]
    centre = np.asarray(decoy.centre) + decoy.height * rng.normal(0, 0.08, 2)
    height = max(3.0, decoy.height * float(np.exp(rng.normal(0, 0.12))))
    angle = decoy.angle + float(rng.normal(0, 5)) + float(rng.choice((0, 0, 90, 180, 270)))
    matrix = squeezed(crop_matrix((centre[0], centre[1]), height, angle), CROP, rng)
    batch.crops[row] = sample.warp(matrix, CROP, int(rng.integers(256)))
