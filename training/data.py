"""Pictures with marked symbols to training examples for both networks: jittered, relit, blurred, compressed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from training.constants import CLASSES, COLOURS, CROP, STRIDE, SYMBOL

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.random import Generator
    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]

WINDOW = 256  # side of the finder's training crops, pixels


@dataclass(frozen=True)
class Symbol:
    """A printed symbol: tile in notation, centre and height in pixels, angle of up in degrees, share that shows."""

    tile: str
    centre: tuple[float, float]
    height: float
    angle: float
    visible: float = 1.0


@dataclass(frozen=True)
class Sample:
    """A picture with its symbols, at several sizes so that nothing is shrunk without being smoothed."""

    name: str
    group: str
    levels: tuple[Picture, ...]
    symbols: tuple[Symbol, ...]

    @classmethod
    def of(cls, name: str, group: str, picture: Picture, symbols: Sequence[Symbol]) -> Sample:
        """Builds the smaller levels."""
        levels = [picture]
        while min(levels[-1].shape[:2]) > 120:
            levels.append(cv2.resize(levels[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
        return cls(name, group, tuple(levels), tuple(symbols))

    def warp(self, matrix: NDArray[np.float64], side: int, fill: int) -> Picture:
        """The picture under a 2x3 map from picture to crop."""
        scale = float(np.sqrt(abs(np.linalg.det(matrix[:, :2]))))
        level = int(np.clip(np.floor(-np.log2(max(scale, 1e-3))), 0, len(self.levels) - 1))
        shrunk = matrix.copy()
        shrunk[:, :2] *= 2**level
        return cv2.warpAffine(
            self.levels[level], shrunk, (side, side), flags=cv2.INTER_LINEAR, borderValue=(fill, fill, fill)
        )


def load_rendered(folder: Path) -> list[Sample]:
    """The scenes that `training.cache` wrote."""
    samples = []
    for path in sorted(folder.glob("*.json")):
        entry = json.loads(path.read_text())
        picture = cv2.imread(str(path.with_suffix(".jpg")))
        samples.append(
            Sample.of(path.stem, entry["style"], picture, [Symbol(t, tuple(c), h, a, v) for t, c, h, a, v in entry["tiles"]])
        )
    return samples


def load_real(folder: Path, leave_out: str = "") -> list[Sample]:
    """The labelled photos, without one setting when a check wants it kept out."""
    from training.photos import load_photos

    return [
        Sample.of(
            photo.name, photo.setting, photo.picture, [Symbol(m.tile, m.centre, m.height, m.angle) for m in photo.tiles]
        )
        for photo in load_photos(folder)
        if photo.setting != leave_out
    ]


def crop_matrix(centre: tuple[float, float], height: float, angle: float, side: int = CROP) -> NDArray[np.float64]:
    """The map that puts a symbol upright, `SYMBOL` high, in the middle of a crop."""
    scale, turn = SYMBOL / height, np.radians(angle)
    matrix = np.zeros((2, 3))
    matrix[:, :2] = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) * scale
    matrix[:, 2] = side / 2 - matrix[:, :2] @ np.asarray(centre)
    return matrix


# --- the reader's crops ----------------------------------------------------------------------------------------------


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
        if sample.symbols and rng.random() < 0.85:
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
        shift[0] * np.array([np.cos(radians), np.sin(radians)]) + shift[1] * np.array([-np.sin(radians), np.cos(radians)])
    )
    height = symbol.height * np.exp(zoom)
    angle = symbol.angle + turn + extra
    matrix = crop_matrix((centre[0], centre[1]), height, angle)
    _squeeze(matrix, rng)
    crop = sample.warp(matrix, CROP, int(rng.integers(256)))
    covered = 0.0
    if rng.random() < 0.06:
        crop, covered = _cover(crop, rng)
    batch.crops[row] = crop
    hidden = symbol.visible * (1 - covered) < 0.6
    if sideways or hidden:
        return
    batch.classes[row] = CLASSES.index(symbol.tile if symbol.tile in {"J", "F", "X"} else symbol.tile[1:])
    if symbol.tile[0] in COLOURS:
        batch.colours[row] = COLOURS.index(symbol.tile[0])
    batch.upside[row] = upside
    found = matrix @ np.array([*symbol.centre, 1.0]) - CROP / 2
    batch.offsets[row] = (found[0] / SYMBOL, found[1] / SYMBOL, -zoom, -np.radians(turn))
    batch.placed[row] = 1.0


def _squeeze(matrix: NDArray[np.float64], rng: Generator) -> None:
    """A little shear and squeeze about the crop's middle, as a low camera sees it."""
    bend = np.eye(2) + rng.normal(0, 0.06, (2, 2)) * (rng.random() < 0.6)
    middle = np.full(2, CROP / 2)
    matrix[:, 2] = bend @ (matrix[:, 2] - middle) + middle
    matrix[:, :2] = bend @ matrix[:, :2]


def _cover(crop: Picture, rng: Generator) -> tuple[Picture, float]:
    """Hides part of the symbol from one side, with a plain or a mirrored patch."""
    crop = crop.copy()
    share = float(rng.uniform(0.15, 0.8))
    half = SYMBOL * 0.5
    edge = int(CROP / 2 - half + share * SYMBOL)
    patch = np.full_like(crop, rng.integers(0, 256, 3)) if rng.random() < 0.5 else crop[::-1, ::-1].copy()
    side = rng.integers(4)
    turned, cover = np.rot90(crop, side), np.rot90(patch, side)
    turned[:, :edge] = cover[:, :edge]
    return np.ascontiguousarray(np.rot90(turned, -side)), share


def _other_crop(batch: ReaderBatch, row: int, sample: Sample, rng: Generator) -> None:
    """A crop away from every symbol, often right beside one, with its digits cut by the crop's middle."""
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


# --- the finder's windows --------------------------------------------------------------------------------------------


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
    if sample.symbols:
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
    batch.windows[row] = sample.warp(matrix, WINDOW, int(rng.integers(256)) if rng.random() < 0.5 else 0)
    for symbol in sample.symbols:
        _draw(batch, row, symbol, matrix, scale, turn)


def _draw(  # one symbol needs all of these
    batch: FinderBatch, row: int, symbol: Symbol, matrix: NDArray[np.float64], scale: float, turn: float
) -> None:
    cells = WINDOW // STRIDE
    x, y = (matrix @ np.array([*symbol.centre, 1.0])) / STRIDE - 0.5
    height = symbol.height * scale
    reach = max(0.9, 0.13 * height / STRIDE)
    column, line = round(x), round(y)
    if not (-3 < x < cells + 3 and -3 < y < cells + 3):
        return
    ys, xs = np.mgrid[0:cells, 0:cells]
    distance = (xs - x) ** 2 + (ys - y) ** 2
    outside = not (0 <= column < cells and 0 <= line < cells)
    if symbol.visible < 0.6 or symbol.tile == "X" or outside or not 5 < height < 75:
        batch.weight[row][distance < (0.5 * height / STRIDE) ** 2] = 0
        return
    bump = np.exp(-distance / (2 * reach**2)).astype(np.float32)
    batch.maps[row, 0] = np.maximum(batch.maps[row, 0], bump)
    batch.maps[row, 0, line, column] = 1.0
    angle = np.radians(symbol.angle - turn)
    near = distance <= 1.5
    for index, value in enumerate((np.log(height), np.cos(angle), np.sin(angle)), start=1):
        batch.maps[row, index][near] = value
    batch.maps[row, 4][near] = ((x - xs) * STRIDE)[near]
    batch.maps[row, 5][near] = ((y - ys) * STRIDE)[near]
    batch.centre[row][near] = 1.0


# --- light and lens --------------------------------------------------------------------------------------------------


def relight(crop: Picture, rng: Generator) -> Picture:
    """Another lamp, another lens, another phone: gains, contrast, blur, fewer pixels, noise, JPEG."""
    image = crop.astype(np.float32)
    gains = np.exp(rng.normal(0, 0.07, 3) + rng.normal(0, 0.16))
    image = image * gains
    if rng.random() < 0.4:
        image = 255 * (np.clip(image, 0, 255) / 255) ** np.exp(rng.normal(0, 0.25))
    if rng.random() < 0.3:
        image = image * rng.uniform(0.6, 1.0) + rng.uniform(0, 60)
    if rng.random() < 0.15:
        grey = image.mean(axis=2, keepdims=True)
        image = grey + (image - grey) * rng.uniform(0.55, 1.0)
    image = np.clip(image, 0, 255)
    side = crop.shape[0]
    if rng.random() < 0.3:
        small = int(side * rng.uniform(0.4, 0.9))
        image = cv2.resize(cv2.resize(image, (small, small), interpolation=cv2.INTER_AREA), (side, side))
    if rng.random() < 0.3:
        image = cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.4, 1.8)))
    if rng.random() < 0.1:
        kernel = np.zeros((5, 5), np.float32)
        kernel[2] = 0.2
        image = cv2.filter2D(image, -1, kernel if rng.random() < 0.5 else kernel.T)
    if rng.random() < 0.4:
        image = image + rng.normal(0, rng.uniform(1, 12), image.shape)
    result = np.clip(image, 0, 255).astype(np.uint8)
    if rng.random() < 0.4:
        _, data = cv2.imencode(".jpg", result, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 95))])
        result = cv2.imdecode(data, cv2.IMREAD_COLOR)
    return result
