"""The reader's examples: crops of printed symbols, badly placed as the finder may leave them, and of what is none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from training.constants import CLASSES, COLOURS, CROP, SYMBOL, readable
from training.light import relight
from training.painted import with_joker
from training.warps import squeezed, up_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.random import Generator
    from numpy.typing import NDArray

    from training.data import Picture, Sample, Symbol

PAINTED = 0.12  # share of the crops, of pictures with blank tiles, that show a joker painted on one
OPEN = -100  # a class that counts for nothing in cross entropy
NOTHING = 0.35  # of a print that shows less, nobody can say that it is one
LENIENT = 0.82  # so much less of a print than can be read for sure is still learned as what it is


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
    symbol, painted = _some_symbol(sample, rng)
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
    if painted:
        crop = with_joker(crop, matrix, symbol, rng)
    covered = 0.0
    lot = rng.random()
    if lot < 0.2:
        crop, covered = _cover(crop, _print_on(crop, matrix, symbol), _other_tile(sample, rng), rng)
    elif lot < 0.26:
        crop, covered = _cut_off(crop, rng)
    batch.crops[row] = crop
    visible = symbol.visible * (1 - covered)
    if sideways or visible < NOTHING:
        return
    if not readable(symbol.tile, visible / LENIENT):
        batch.classes[row] = OPEN
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


def _some_symbol(sample: Sample, rng: Generator) -> tuple[Symbol, bool]:
    """A symbol of the picture, now and then a blank tile on which a joker is still to be painted."""
    blanks = [one for one in sample.symbols if one.tile == "X" and one.visible > 0.9]
    if blanks and rng.random() < PAINTED:
        blank = blanks[rng.integers(len(blanks))]
        return replace(blank, tile="J", height=blank.height * float(rng.uniform(0.9, 1.7))), True
    return sample.symbols[rng.integers(len(sample.symbols))], False


def _other_tile(sample: Sample, rng: Generator) -> Picture:
    """Some tile of the same picture, lying anyhow; or one even colour."""
    if rng.random() < 0.25:
        return np.full((CROP, CROP, 3), rng.integers(0, 256, 3), np.uint8)
    other = sample.symbols[rng.integers(len(sample.symbols))]
    centre = np.asarray(other.centre) + other.height * rng.normal(0, 0.5, 2)
    height = other.height * float(np.exp(rng.normal(0, 0.1)))
    matrix = crop_matrix((centre[0], centre[1]), height, float(rng.uniform(0, 360)))
    return sample.warp(matrix, CROP, int(rng.integers(256)))


def _print_on(crop: Picture, matrix: NDArray[np.float64], symbol: Symbol) -> NDArray[np.bool_]:
    """Where on the crop the print of a symbol is, as a box around it."""
    right, below = up_in(matrix, symbol)
    tall = max(1.0, float(np.hypot(right, below)))
    wide = tall * (0.62 if len(symbol.tile) == 2 else 1.0)  # one digit; two, or a drawing
    x, y = np.meshgrid(*map(np.arange, crop.shape[1::-1]))
    away = np.stack([x, y], axis=-1) - matrix @ np.array([*symbol.centre, 1.0])
    along, across = away @ (right, below), away @ (-below, right)
    return np.asarray((np.abs(along) < tall**2 / 2) & (np.abs(across) < tall * wide / 2))


def _cover(crop: Picture, printed: NDArray[np.bool_], other: Picture, rng: Generator) -> tuple[Picture, float]:
    """Hides part of the print behind the straight edge of another tile and its shade; gives the share hidden."""
    turn = rng.uniform(0, 2 * np.pi)
    x, y = np.meshgrid(*map(np.arange, crop.shape[1::-1]))
    along = x * np.cos(turn) + y * np.sin(turn)
    share = float(rng.uniform(0.0, 0.4) if rng.random() < 0.8 else rng.uniform(0.4, 0.9))
    low, high = (along[printed].min(), along[printed].max()) if printed.any() else (0.0, 1.0)
    beyond = along - (high - share * (high - low))
    over = np.clip(beyond + 0.5, 0, 1)[..., None]
    shade = 1 - rng.uniform(0, 0.6) * np.clip(1 + beyond / rng.uniform(1.5, 6), 0, 1)[..., None]
    mixed = crop * shade * (1 - over) + other * over
    return np.asarray(np.clip(mixed, 0, 255), np.uint8), float((beyond[printed] > 0).mean()) if printed.any() else 0.0


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
