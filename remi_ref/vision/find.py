"""Where in a photo printed symbols are: their centre, height and which way is up.

The finder network was trained on symbols 8 to 46 pixels high. A photo is looked at once at a middling size, and again
at the size at which what was found is about `BEST` pixels high, so that far racks and close tiles are both read.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from remi_ref.vision.nets import Net

    Picture = NDArray[np.uint8]

STRIDE = 4
GRAIN = 16  # the network wants sides that are multiples of this
FIRST_SIDE = 768  # longer side of the first look, pixels
LARGEST_SIDE = 1792
BEST = 24
COMFORT = (13.0, 36.0)  # heights at which one look is enough
LEAST_HEAT = 0.2


@dataclass(frozen=True)
class Found:
    """A symbol: centre and height in pixels of the photo, angle of its up in degrees clockwise, heat 0..1."""

    centre: tuple[float, float]
    height: float
    angle: float
    heat: float


def find(net: Net, picture: Picture) -> list[Found]:
    """Every symbol of the photo (H, W, 3, BGR), each once, hottest first."""
    longest = max(picture.shape[:2])
    scale = FIRST_SIDE / longest
    found = _look(net, picture, scale)
    typical = _typical_height(found)
    if typical is None:
        for side in (2 * FIRST_SIDE, FIRST_SIDE // 2):
            scale = side / longest
            found = _look(net, picture, scale)
            typical = _typical_height(found)
            if typical is not None:
                break
    if typical is not None and not COMFORT[0] < typical * scale < COMFORT[1]:
        closer = min(BEST / typical, LARGEST_SIDE / longest)
        if not 0.8 < closer / scale < 1.25:
            found += [replace(one, heat=one.heat + 1) for one in _look(net, picture, closer)]
    return [replace(one, heat=min(1.0, one.heat % 1 or 1.0)) for one in thin_out(found)]


def thin_out(found: list[Found]) -> list[Found]:
    """Keeps the hottest of those that lie on one another."""
    kept: list[Found] = []
    for one in sorted(found, key=lambda each: -each.heat):
        if all(_gap(one, other) > 0.55 * min(one.height, other.height) for other in kept):
            kept.append(one)
    return kept


def _gap(one: Found, other: Found) -> float:
    return float(np.hypot(one.centre[0] - other.centre[0], one.centre[1] - other.centre[1]))


def _typical_height(found: list[Found]) -> float | None:
    heights = [one.height for one in found if one.heat > 0.35]
    return float(np.median(heights)) if heights else None


def _look(net: Net, picture: Picture, scale: float) -> list[Found]:
    """One run of the network on the photo resized by ``scale``."""
    rows, columns = (max(GRAIN, round(side * scale)) for side in picture.shape[:2])
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    resized = cv2.resize(picture, (columns, rows), interpolation=method)
    padded = cv2.copyMakeBorder(resized, 0, -rows % GRAIN, 0, -columns % GRAIN, cv2.BORDER_CONSTANT)
    maps = net.run(padded[None])[0]
    heat = 1 / (1 + np.exp(-maps[0]))
    peaks = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > LEAST_HEAT)
    across, down = columns / picture.shape[1], rows / picture.shape[0]
    found = []
    for y, x in zip(*np.nonzero(peaks), strict=True):
        _, height, cosine, sine, right, below = maps[:, y, x]
        centre = ((STRIDE * (x + 0.5) + right) / across, (STRIDE * (y + 0.5) + below) / down)
        angle = float(np.degrees(np.arctan2(sine, cosine)))
        found.append(Found(centre, float(np.exp(height)) / down, angle, float(heat[y, x])))
    return found
