"""The photo with what was read on it: outline, number and reading of each tile, the doubtful ones in another colour.

A frame holds the tiles of a group together. Labels are put where they hide the fewest symbols.
"""

from __future__ import annotations

import math
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from remi_ref.vision.photo import load_photo, opencv

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from remi_ref.vision.photo import Photo
    from remi_ref.vision.scan import PhotoScan, SeenTile

    Array = NDArray[np.float64]

SURE = (60, 150, 0)  # BGR: a green
DOUBTFUL = (200, 0, 220)  # a magenta that no tile, cloth or wood has
GROUP = (200, 110, 0)  # a blue
_PAPER = (255, 255, 255)
_LEGIBLE = 70  # width of a tile, pixels, in which number and reading can be read
_LARGEST_ZOOM = 3
_LARGEST_PICTURE = 16_000_000  # pixels beyond which nothing is enlarged

# Where the symbol stands on a tile and where the middle of a label may, best first: shares of its width and height.
_SYMBOL = np.array([(0.12, 0.1), (0.88, 0.1), (0.88, 0.6), (0.12, 0.6)])
_PLACES = np.array([(x, y) for y in (0.82, 0.95, 1.1, 0.7, -0.1, 1.3) for x in (0.5, 0.25, 0.75, 0.0, 1.0)])
_COST_OF_ANOTHER_PLACE = 0.02  # as much as hiding this share of a label's area


class _Pen(NamedTuple):
    """Line width in pixels and size of the letters, the same all over a picture."""

    line: int
    letters: float


def annotated(scan: PhotoScan) -> bytes:
    """The photo of a scan, annotated, as a PNG file.

    Raises:
        PhotoError: the photo is gone.
    """
    _, encoded = opencv().imencode(".png", draw(load_photo(scan.file), scan))
    return bytes(encoded.tobytes())


def draw(photo: Photo, scan: PhotoScan) -> NDArray[np.uint8]:
    """The picture (height x width x 3, BGR) with the readings on it; enlarged where tiles are too small for words."""
    cv2 = opencv()
    outlines = np.array([tile.box for tile in scan.tiles], np.float64).reshape(-1, 4, 2) / photo.scale
    widths = [float(np.linalg.norm(outline[1] - outline[0])) for outline in outlines]
    zoom = _zoom(widths, photo.pixels.size / 3)
    picture = np.asarray(cv2.resize(photo.pixels, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_LINEAR), np.uint8)
    if not scan.tiles:
        return picture
    outlines *= zoom
    width = median(widths) * zoom
    pen = _Pen(
        max(1, round(width / 50)), 0.9 * width / cv2.getTextSize("12 A13", cv2.FONT_HERSHEY_SIMPLEX, 1.0, 1)[0][0]
    )
    for row in scan.layout:
        for group in row:
            if len(group) > 1:
                _frame(picture, outlines[list(group)], pen)
    for tile, outline in zip(scan.tiles, outlines, strict=True):
        _line(picture, outline, _colour(tile), pen.line)
    _label_all(picture, scan.tiles, outlines, pen)
    return picture


def _zoom(widths: Sequence[float], pixels: float) -> float:
    wanted = math.ceil(_LEGIBLE / max(median(widths), 1.0)) if widths else 1
    return max(1.0, min(wanted, _LARGEST_ZOOM, math.sqrt(_LARGEST_PICTURE / pixels)))


def _colour(tile: SeenTile) -> tuple[int, int, int]:
    return DOUBTFUL if tile.doubtful else SURE


def _line(picture: NDArray[np.uint8], outline: Array, colour: tuple[int, int, int], width: int) -> None:
    cv2 = opencv()
    cv2.polylines(
        picture, [outline.astype(np.int32)], isClosed=True, color=colour, thickness=width, lineType=cv2.LINE_AA
    )


def _frame(picture: NDArray[np.uint8], outlines: Array, pen: _Pen) -> None:
    """A line around the tiles of one group, a little outside of theirs."""
    hull = opencv().convexHull(outlines.reshape(-1, 2).astype(np.float32))[:, 0]
    outward = hull - hull.mean(axis=0)
    outward /= np.maximum(np.linalg.norm(outward, axis=1, keepdims=True), 1)
    _line(picture, hull + 2 * pen.line * outward, GROUP, 2 * pen.line)


def _label_all(picture: NDArray[np.uint8], tiles: Sequence[SeenTile], outlines: Array, pen: _Pen) -> None:
    """Number and reading of each tile, where they hide least of the symbols and of each other."""
    cv2 = opencv()
    symbols = np.array([_around(_at(outline, _SYMBOL)) for outline in outlines])
    labels = np.empty((0, 4))
    for tile, outline in zip(tiles, outlines, strict=True):
        text = f"{tile.number} {'?' if tile.doubtful else ''}{tile.text}"
        (wide, high), below = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, pen.letters, pen.line)
        size = np.array([wide, high + below], np.float64)
        box = _best_place(outline, size, np.vstack([symbols, labels]), picture.shape)
        labels = np.vstack([labels, box])
        left, top, right, bottom = (round(side) for side in box)
        cv2.rectangle(picture, (left, top), (right, bottom), _PAPER, cv2.FILLED)
        foot = (left, bottom - below // 2)
        cv2.putText(picture, text, foot, cv2.FONT_HERSHEY_SIMPLEX, pen.letters, _colour(tile), pen.line, cv2.LINE_AA)


def _best_place(outline: Array, size: Array, taken: Array, shape: tuple[int, ...]) -> Array:
    """The box (left, top, right, bottom) of a label of that size (width, height) that covers least of what is taken."""
    room = np.maximum(np.array([shape[1], shape[0]]) - size, 0)
    corners = np.clip(_at(outline, _PLACES) - size / 2, 0, room)
    boxes = np.hstack([corners, corners + size])
    shared = np.minimum(boxes[:, None, 2:], taken[None, :, 2:]) - np.maximum(boxes[:, None, :2], taken[None, :, :2])
    hidden = np.prod(np.maximum(shared, 0), axis=2).sum(axis=1) / np.prod(size)
    return np.asarray(boxes[np.argmin(hidden + _COST_OF_ANOTHER_PLACE * np.arange(len(boxes)))])


def _at(outline: Array, shares: Array) -> Array:
    """Points (N x 2) of a tile, given as shares of its width and height from its own top left."""
    return np.asarray(outline[0] + shares @ np.array([outline[1] - outline[0], outline[3] - outline[0]]))


def _around(points: Array) -> Array:
    return np.concatenate([points.min(axis=0), points.max(axis=0)])
