"""Labelled photos to training truth: where the printed symbol of each tile lies, how high it is and which way is up.

The labels of the photos outline whole tiles. The ink inside an outline tells the rest: it is what differs from the
face, and it lies nearer to the tile's upper edge, so the way from the tile's centre to its ink is up.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import yaml

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    Array = NDArray[np.float32]
    Picture = NDArray[Any]  # uint8, which OpenCV does not promise


@dataclass(frozen=True)
class Marked:
    """One tile of a photo.

    Attributes:
        tile: in notation.
        outline: Nx2 corner points in pixels.
        centre: of the printed symbol, pixels.
        height: of the printed symbol along the tile's up, pixels.
        angle: of the tile's up, degrees clockwise from the picture's up.
    """

    tile: str
    outline: Array
    centre: tuple[float, float]
    height: float
    angle: float


@dataclass(frozen=True)
class Photo:
    """A photo with its marked tiles."""

    name: str
    setting: str
    picture: Picture
    tiles: tuple[Marked, ...]


def load_photos(folder: Path) -> Iterator[Photo]:
    """Every photo of the folder whose tiles are outlined or that shows one tile only."""
    truth = {entry["file"]: entry for entry in yaml.safe_load((folder / "truth.yaml").read_text(encoding="utf-8"))}
    boxes = json.loads((folder / "boxes.json").read_text(encoding="utf-8"))
    for name, entry in truth.items():
        picture = cv2.imread(str(folder / name), cv2.IMREAD_COLOR)
        if picture is None:
            continue
        height, width = picture.shape[:2]
        labels = boxes.get(name)
        if labels is None and entry["scene"] == "single-tile":
            labels = [[entry["rows"][0], _bright_part(picture) / (width, height)]]
        marked = [
            mark(picture, tile, np.asarray(points, np.float32) * np.array([width, height], np.float32))
            for tile, points in labels or ()
        ]
        yield Photo(name, entry["setting"], picture, tuple(m for m in marked if m is not None))


def mark(picture: Picture, tile: str, outline: Array) -> Marked | None:
    """Finds the symbol of a tile in its outline; None where too little ink shows to tell."""
    outline = outline.astype(np.float32)
    low = np.maximum(np.floor(outline.min(axis=0)).astype(int) - 1, 0)
    high = np.ceil(outline.max(axis=0)).astype(int) + 2
    crop = picture[low[1] : high[1], low[0] : high[0]]
    scale = 96 / max(crop.shape[:2])
    crop = cv2.resize(crop, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
    local = ((outline - low) * scale).astype(np.float32)
    inside = np.zeros(crop.shape[:2], np.uint8)
    cv2.fillPoly(inside, [np.round(local).astype(np.int32)], 255)
    (_, (w, h), _) = cv2.minAreaRect(local)
    core = cv2.erode(inside, np.ones((3, 3), np.uint8), iterations=max(2, int(min(w, h) * 0.07)), borderValue=0)
    ink = _ink(crop, core)
    if ink.sum() < 25:
        return None
    ys, xs = np.nonzero(ink)
    points = np.stack([xs, ys], axis=1).astype(np.float32)
    angle = _up(local, points)
    turn = np.radians(angle)
    up, right = np.array([np.sin(turn), -np.cos(turn)]), np.array([np.cos(turn), np.sin(turn)])
    along, across = points @ up, points @ right
    (bottom, top), (left, far) = np.percentile(along, (1, 99)), np.percentile(across, (1, 99))
    centre = ((bottom + top) / 2 * up + (left + far) / 2 * right) / scale + low
    return Marked(tile, outline, (float(centre[0]), float(centre[1])), float((top - bottom) / scale), float(angle))


def _bright_part(picture: Picture) -> Array:
    """Outline of the largest bright part of a picture that shows one tile close up."""
    grey = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (0, 0), 2)
    _, mask = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    return cv2.boxPoints(cv2.minAreaRect(max(contours, key=cv2.contourArea))).astype(np.float32)


def _ink(crop: Picture, core: Picture) -> NDArray[np.bool_]:
    """Pixels of the core that differ from the face, in one cluster away from the edge."""
    lab = cv2.cvtColor(crop, cv2.COLOR_BGR2LAB).astype(np.float32)
    seen = lab[core > 0]
    if len(seen) < 50:
        return np.zeros(core.shape, bool)
    face = np.median(seen[seen[:, 0] >= np.percentile(seen[:, 0], 55)], axis=0)
    distance = np.sqrt((((lab - face) * (0.8, 1.3, 1.3)) ** 2).sum(axis=2))
    level = np.clip(distance, 0, 255).astype(np.uint8)
    threshold, _ = cv2.threshold(level[core > 0].reshape(-1, 1), 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    mask = ((level > max(threshold, 14)) & (core > 0)).astype(np.uint8)
    count, parts, stats, centres = cv2.connectedComponentsWithStats(mask)
    if count < 2:
        return mask.astype(bool)
    sizes = stats[1:, cv2.CC_STAT_AREA]
    main = 1 + int(sizes.argmax())
    reach = 0.75 * max(stats[main, cv2.CC_STAT_WIDTH], stats[main, cv2.CC_STAT_HEIGHT])
    keep = np.zeros(mask.shape, bool)
    for index in range(1, count):
        near = np.linalg.norm(centres[index] - centres[main]) < reach + 4
        if index == main or (near and sizes[index - 1] > 0.06 * sizes.max()):
            keep |= parts == index
    return keep


def _up(outline: Array, ink: Array) -> float:
    """Degrees of the tile's up: the axis of its outline that points most nearly from its centre to the ink."""
    rect = cv2.minAreaRect(outline)
    corners = cv2.boxPoints(rect)
    centre = np.asarray(rect[0], np.float32)
    toward = ink.mean(axis=0) - centre
    sides = corners - np.roll(corners, 1, axis=0)
    axes = [side / (np.linalg.norm(side) + 1e-6) for side in sides]
    best = max((axis * sign for axis in axes for sign in (1, -1)), key=lambda axis: float(axis @ toward))
    return float(np.degrees(np.arctan2(best[0], -best[1])))
