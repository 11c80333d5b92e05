"""Where in a photo printed symbols are: their centre, height and which way is up.

The finder network was trained on symbols 8 to 46 pixels high. A photo is looked at in three sizes, so that one close
tile and a far rack are both seen, and again at the size at which its symbols are about `BEST` pixels high.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from remi_ref.vision.sighting import thin_out

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from remi_ref.vision.nets import Net

    Array = NDArray[np.float32]
    Picture = NDArray[Any]  # uint8, which OpenCV does not promise

STRIDE = 4
GRAIN = 16  # the network wants sides that are multiples of this
SIDES = (768, 384, 192, 96)  # longer sides of the first looks, pixels
FARTHEST_SIDE = 1536
LARGEST_SIDE = 1792
LARGEST_SCALE = 2.0  # blowing a small picture up shows nothing more
BEST = 20
COMFORT = (13.0, 28.0)  # heights at which a first look is enough
TOO_SMALL = 10.0  # where most are less high than this, pixels, a look was at the wrong size
TRUSTED = (7.0, 50.0)  # heights at which a look can be right
LEAST_HEAT = 0.2
HOT = 0.35
OUTWEIGHED = 0.1  # where looks agree on so little of what the strongest one sees, that one is right
ALIKE = (0.4, 2.5)  # the symbols of one photo are at most so much smaller and larger than the typical one


@dataclass(frozen=True)
class Found:
    """A symbol: centre and height in pixels of the photo, angle of its up in degrees clockwise, heat 0..1."""

    centre: tuple[float, float]
    height: float
    angle: float
    heat: float


def find(net: Net, levels: Sequence[Picture]) -> list[Found]:
    """Every symbol of a photo, each once, hottest first.

    Args:
        net: the finder.
        levels: the photo (H, W, 3, BGR) and its halves, as `levels_of` makes them.
    """
    longest = max(levels[0].shape[:2])
    scales = [side / longest for side in SIDES if side / longest <= LARGEST_SCALE]
    looks = [_look(net, levels, scale) for scale in scales]
    agreed = _agreed(looks)
    typical = _typical_height(agreed)
    if typical is None:
        scales.append(min(FARTHEST_SIDE / longest, LARGEST_SCALE))
        looks.append(_look(net, levels, scales[-1]))
        agreed = _agreed(looks)
        typical = _typical_height(agreed) or _typical_height([one for look in looks for one in look])
    if typical is None:
        return thin_out([one for look in looks for one in look], _heat)
    strongest = max(looks, key=_strength)
    if _strength(agreed) < OUTWEIGHED * _strength(strongest):  # what they agree on is no tile
        agreed, typical = [], _typical_height(strongest) or typical
    best, typical = _suited_look(net, levels, dict(zip(scales, looks, strict=True)), typical)
    ahead = [replace(one, heat=one.heat + 1) for one in best]
    kept = thin_out([one for one in ahead + agreed if ALIKE[0] < one.height / typical < ALIKE[1]], _heat)
    return [replace(one, heat=one.heat - (one.heat > 1)) for one in kept]


def _suited_look(
    net: Net, levels: Sequence[Picture], looks: dict[float, list[Found]], typical: float
) -> tuple[list[Found], float]:
    """The look at the size that suits the typical height, and that height.

    Where most of what it sees turns out too small for it, as when large jokers hid small numbers, one more look.
    """
    largest = min(LARGEST_SIDE / max(levels[0].shape[:2]), LARGEST_SCALE)
    scale = next((s for s in looks if COMFORT[0] < typical * s < COMFORT[1]), min(BEST / typical, largest))
    best = looks[scale] if scale in looks else _look(net, levels, scale)
    smaller = _typical_height(best) or typical
    if smaller * scale >= TOO_SMALL or scale >= largest:
        return best, typical
    return _look(net, levels, min(BEST / smaller, largest)), smaller


def _agreed(looks: list[list[Found]]) -> list[Found]:
    """What at least two looks see at the same place and of the same height; scratches and letters change with size."""
    agreed = []
    for index, look in enumerate(looks):
        others = [one for other in looks[:index] + looks[index + 1 :] for one in other if one.heat > HOT]
        agreed += [one for one in look if one.heat > HOT and any(_same(one, other) for other in others)]
    return agreed


def _same(one: Found, other: Found) -> bool:
    gap = np.hypot(one.centre[0] - other.centre[0], one.centre[1] - other.centre[1])
    return bool(gap < 0.35 * one.height and 0.7 < one.height / other.height < 1.4)


def _heat(one: Found) -> float:
    return one.heat


def _strength(found: Sequence[Found]) -> float:
    """How much there is to see, the hottest counting most."""
    return sum(one.heat**4 for one in found if one.heat > HOT)


def _typical_height(found: list[Found]) -> float | None:
    """Median height of what is hot, the hottest counting most; None where nothing is."""
    hot = sorted((one for one in found if one.heat > HOT), key=lambda one: one.height)
    if not hot:
        return None
    weights = np.cumsum([one.heat**4 for one in hot])
    return hot[int(np.searchsorted(weights, weights[-1] / 2))].height


def levels_of(picture: Picture) -> list[Picture]:
    """The photo and its halves, so that nothing is shrunk by more than two without being smoothed."""
    levels = [picture]
    while min(levels[-1].shape[:2]) > 120:
        levels.append(cv2.resize(levels[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
    return levels


def level_for(scale: float, levels: Sequence[Picture]) -> int:
    """The smallest level that is still not smaller than the photo resized by ``scale``."""
    return int(np.clip(np.floor(-np.log2(scale)), 0, len(levels) - 1))


def _look(net: Net, levels: Sequence[Picture], scale: float) -> list[Found]:
    """One run of the network on the photo resized by ``scale``."""
    picture = levels[0]
    rows, columns = (max(GRAIN, round(side * scale)) for side in picture.shape[:2])
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    resized = cv2.resize(levels[level_for(scale, levels)], (columns, rows), interpolation=method)
    padded = cv2.copyMakeBorder(resized, 0, -rows % GRAIN, 0, -columns % GRAIN, cv2.BORDER_CONSTANT)
    maps = net.run(np.asarray(padded[None], np.uint8))[0]
    heat = 1 / (1 + np.exp(-maps[0]))
    peaks = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > LEAST_HEAT)
    across, down = columns / picture.shape[1], rows / picture.shape[0]
    found = []
    for y, x in zip(*np.nonzero(peaks), strict=True):
        _, log_height, cosine, sine, right, below = maps[:, y, x]
        height = float(np.exp(log_height))
        centre = ((STRIDE * (x + 0.5) + right) / across, (STRIDE * (y + 0.5) + below) / down)
        angle = float(np.degrees(np.arctan2(sine, cosine)))
        if TRUSTED[0] < height < TRUSTED[1]:
            found.append(Found(centre, height / down, angle, float(heat[y, x])))
    return found
