"""Looks again at photos taken from low down: flattened numbers are hard to read, so the picture is stretched upright.

Only where the first look leaves much in doubt. The look that leaves least in doubt counts, with what another one is
surer of; all places are given in the picture as it was.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from remi_ref.vision.photo import opencv
from remi_ref.vision.sighting import thin_out

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from remi_ref.vision.sighting import Point, Sighting

CONTENT = 0.85  # mean confidence from which one look is enough
FLATTENED = (0.64, 0.45)  # height against width of what lies on the table, seen from ever lower
SURE = 0.7  # what another look is this sure of is there

_LARGEST_SIDE = 4000


class Eye(Protocol):
    """What sees tiles in a picture: the loaded networks."""

    def sight(self, picture: NDArray[np.uint8]) -> list[Sighting]:
        """Every tile of a photo (height x width x 3, BGR), in any order."""
        ...


def best_look(eye: Eye, picture: NDArray[np.uint8]) -> list[Sighting]:
    """Every tile of a photo (height x width x 3, BGR), in any order."""
    first = eye.sight(picture)
    if not first or _mean_confidence(first) >= CONTENT:
        return first
    looks = [first, *(_look(eye, picture, flat) for flat in FLATTENED)]
    best = max(looks, key=_clarity)
    sure = [seen for look in looks for seen in look if look is not best and _confidence(seen) >= SURE]
    return thin_out([*best, *sure], _confidence)


def _look(eye: Eye, picture: NDArray[np.uint8], flat: float) -> list[Sighting]:
    """What is seen in the picture stretched upright."""
    shrink = min(1.0, _LARGEST_SIDE * flat / picture.shape[0])
    return [_flattened(seen, flat, shrink) for seen in eye.sight(_stretched(picture, flat, shrink))]


def _confidence(seen: Sighting) -> float:
    return seen.odds[0][1]


def _mean_confidence(sightings: Sequence[Sighting]) -> float:
    return sum(map(_confidence, sightings)) / len(sightings)


def _clarity(sightings: Sequence[Sighting]) -> float:
    """More for each tile that is more likely than not what it is taken for, less for each other."""
    return sum(_confidence(seen) - 0.5 for seen in sightings)


def _stretched(picture: NDArray[np.uint8], flat: float, shrink: float) -> NDArray[np.uint8]:
    import numpy as np

    cv2 = opencv()
    height, width = picture.shape[:2]
    size = (max(1, round(width * shrink)), max(1, round(height * shrink / flat)))
    stretched = cv2.resize(picture, size, interpolation=cv2.INTER_CUBIC if shrink == 1 else cv2.INTER_AREA)
    return np.asarray(stretched, np.uint8)


def _flattened(seen: Sighting, flat: float, shrink: float) -> Sighting:
    """A sighting in the stretched picture, as it lies in the picture itself."""

    def back(point: Point) -> Point:
        return point[0] / shrink, point[1] * flat / shrink

    a, b, c, d = seen.corners
    radians = math.radians(seen.angle)
    up = complex(math.sin(radians), -math.cos(radians) * flat)
    return replace(
        seen,
        corners=(back(a), back(b), back(c), back(d)),
        centre=back(seen.centre),
        height=seen.height * abs(up) / shrink,
        angle=math.degrees(math.atan2(up.real, -up.imag)),
    )
