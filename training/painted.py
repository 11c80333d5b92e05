"""Jokers painted on the blank tiles of a picture: more drawings than there are rendered boxes."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from training.typefaces import Mask, drawn, pictogram, pictograms
from training.warps import up_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.random import Generator
    from numpy.typing import NDArray

    from training.data import Picture, Symbol

# Unicode blocks of faces, figures, beasts and things; nothing that could be a number or a mark below one.
_BLOCKS = (
    (0x2605, 0x2607),
    (0x2639, 0x263C),
    (0x2654, 0x265F),
    (0x1F31A, 0x1F31E),
    (0x1F3A0, 0x1F3CB),
    (0x1F400, 0x1F488),
    (0x1F600, 0x1F64F),
    (0x1F910, 0x1F92F),
    (0x1F980, 0x1F997),
)
_WIDEST = 2.5  # width over height, or height over width
_SMALLEST = 400  # pixels of a mask


@lru_cache(maxsize=1)
def _drawings() -> tuple[Mask, ...]:
    return tuple(_drawn())


def _drawn() -> Iterator[Mask]:
    """What a font has of those blocks, but for what is kept out of training."""
    kept_out = pictograms(held_out=True)
    for sign in drawn(chr(code) for low, high in _BLOCKS for code in range(low, high + 1)):
        mask = pictogram(sign)
        if mask is None or sign in kept_out:
            continue
        if mask.size >= _SMALLEST and 1 / _WIDEST < mask.shape[1] / mask.shape[0] < _WIDEST:
            yield mask


def with_joker(crop: Picture, matrix: NDArray[np.float64], symbol: Symbol, rng: Generator) -> Picture:
    """The crop with a drawing where the symbol is said to be; as it is where no font has any.

    Args:
        crop: (H, W, 3, BGR).
        matrix: from the picture to the crop.
        symbol: of the picture.
        rng: draws the sign and its ink.
    """
    drawings = _drawings()
    if not drawings:
        return crop
    mask = _coarse(drawings[rng.integers(len(drawings))], rng)
    rows, columns = mask.shape
    centre = matrix @ np.array([*symbol.centre, 1.0])
    up, turn = up_in(matrix, symbol), np.radians(symbol.angle)
    right = matrix[:, :2] @ (symbol.height * np.array([np.cos(turn), np.sin(turn)]))
    right *= min(1.15, columns / rows)
    place = np.column_stack([right / columns, -up / rows, centre - right / 2 + up / 2])
    shrinks = max(float(np.hypot(*place[:, 1])), 1e-3)
    soft = cv2.GaussianBlur(mask, (0, 0), max(0.1, 0.5 / shrinks))
    print_ = cv2.warpAffine(soft, place, crop.shape[1::-1], flags=cv2.INTER_LINEAR)
    print_ = cv2.GaussianBlur(print_, (0, 0), float(rng.uniform(0.3, 1.3)))[..., None] * rng.uniform(0.75, 1)
    light = float(np.median(crop)) / 255
    return np.asarray(np.clip(crop * (1 - print_) + _ink(rng) * light * print_, 0, 255), np.uint8)


def _coarse(mask: Mask, rng: Generator) -> Mask:
    """A drawing as another stamp would print it: mirrored, thicker."""
    if rng.random() < 0.5:
        mask = mask[:, ::-1]
    if rng.random() < 0.3:
        size = int(rng.integers(1, 4)) * 2 + 1
        mask = cv2.dilate(np.pad(mask, size), np.ones((size, size), np.uint8))
    return mask


def _ink(rng: Generator) -> NDArray[Any]:
    """Some dark or strong colour (BGR)."""
    strength = rng.integers(90, 256) if rng.random() < 0.7 else 0
    colour = np.array([[[rng.integers(180), strength, rng.integers(10, 190)]]], np.uint8)
    return np.asarray(cv2.cvtColor(colour, cv2.COLOR_HSV2BGR)[0, 0], np.float32)
