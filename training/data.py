"""Pictures with marked symbols, from the renderer and from labelled photos."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from remi_ref.vision.find import levels_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.random import Generator
    from numpy.typing import NDArray

    Picture = NDArray[Any]  # uint8, which OpenCV does not promise


@dataclass(frozen=True)
class Symbol:
    """A printed symbol: tile in notation, centre and height in pixels, angle of up in degrees, share that shows."""

    tile: str
    centre: tuple[float, float]
    height: float
    angle: float
    visible: float = 1.0


@dataclass(frozen=True)
class Decoy:
    """What a finder took for a symbol: centre and height in pixels, angle of its up in degrees."""

    centre: tuple[float, float]
    height: float
    angle: float


@dataclass(frozen=True)
class Sample:
    """A picture with its symbols, at several sizes so that nothing is shrunk without being smoothed."""

    name: str
    group: str
    levels: tuple[Picture, ...]
    symbols: tuple[Symbol, ...]
    decoys: tuple[Decoy, ...] = ()

    @classmethod
    def of(
        cls, name: str, group: str, picture: Picture, symbols: Sequence[Symbol], decoys: Sequence[Decoy] = ()
    ) -> Sample:
        """Builds the smaller levels."""
        return cls(name, group, tuple(levels_of(picture)), tuple(symbols), tuple(decoys))

    def warp(self, matrix: NDArray[np.float64], side: int, fill: int) -> Picture:
        """The picture under a 2x3 map from picture to crop."""
        scale = float(np.sqrt(abs(np.linalg.det(matrix[:, :2]))))
        level = int(np.clip(np.floor(-np.log2(max(scale, 1e-3))), 0, len(self.levels) - 1))
        shrunk = matrix.copy()
        shrunk[:, :2] *= 2**level
        return cv2.warpAffine(
            self.levels[level], shrunk, (side, side), flags=cv2.INTER_LINEAR, borderValue=(fill, fill, fill)
        )


def load_rendered(folder: Path, most: int, rng: Generator) -> list[Sample]:
    """At most so many of the scenes that `training.cache` wrote, by lot."""
    paths = sorted(folder.glob("*.json"))
    return [load_scene(paths[index]) for index in rng.permutation(len(paths))[:most]]


def load_scene(path: Path) -> Sample:
    """A scene that `training.cache` wrote, with the decoys that `training.decoys` added."""
    entry = json.loads(path.read_text())
    picture = cv2.imread(str(path.with_suffix(".jpg")))
    if picture is None:
        raise FileNotFoundError(path.with_suffix(".jpg"))
    symbols = [Symbol(tile, (x, y), height, angle, visible) for tile, (x, y), height, angle, visible in entry["tiles"]]
    decoys = [Decoy((x, y), height, angle) for (x, y), height, angle in entry.get("decoys", ())]
    return Sample.of(path.stem, entry["style"], picture, symbols, decoys)


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
