"""Which way rows run around each tile, and how closely tiles stand in them.

Seen aslant, a row does not run at right angles to its tiles' up, and how wide a tile is beside its number differs from
box to box. Both are learned from the photo: the directions from tile to tile that come up most often near a place are
those along its rows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from remi_ref.vision.sighting import Sighting

    Complex = NDArray[np.complex128]
    Real = NDArray[np.float64]

PARALLEL = math.cos(math.radians(35))
IN_LINE = 0.75  # heights of the number by which neighbours in a row may be out of line
IN_LINE_OPPOSED = 1.1  # the same where they are turned against each other: where a face ends is only estimated

_SQUASHES = (1.0, 0.8, 0.64, 0.5, 0.4, 0.3)  # how far a low camera may flatten the picture
_DOUBT = 0.1  # a lower camera must explain the photo better by this
_REACH = 9.0  # heights of the number to the farthest tile that may be the next one
_SKEW = np.radians(np.arange(-40, 41, 2))  # how far off its tiles' right a row may run
_SKEW_PRIOR = math.radians(20)
_BLUR = math.radians(3)
_NEIGHBOURHOOD = 6.0  # heights of the number within which rows run alike
_TURNED_ALIKE = math.radians(15)


@dataclass(frozen=True)
class Spots:
    """Tiles as arrays of one length; points are complex, ``x + y*1j`` with y downwards.

    Attributes:
        number: middle of the printed number.
        face: middle of the tile.
        right: unit vector to the tile's right; along its row once that is known.
        height: of the numbers around, pixels.
    """

    number: Complex
    face: Complex
    right: Complex
    height: Real

    def steps(self) -> Complex:
        """From each tile (row) to each other (column) as the first sees it, in heights of the number.

        Numbers are found best, so they are compared; but they stand high on a tile, so tiles turned against each
        other are compared by their faces.
        """
        opposed = _cosines(self.right) < 0
        way = np.where(opposed, self.face[None] - self.face[:, None], self.number[None] - self.number[:, None])
        mean = (self.height[None] + self.height[:, None]) / 2
        return np.asarray(way / self.right[:, None] / mean)

    def pairs_possible(self) -> NDArray[np.bool_]:
        """Which tiles (row, column) may stand in one row: about parallel or opposed, of about one size."""
        alike = np.abs(np.log(self.height[None] / self.height[:, None])) < math.log(1.6)
        possible = alike & (np.abs(_cosines(self.right)) > PARALLEL)
        np.fill_diagonal(possible, val=False)
        return np.asarray(possible)


def spots_of(sightings: Sequence[Sighting]) -> Spots:
    """The arrays, as if seen from above; `right` runs along the rows."""
    views = [_seen_from_above(sightings, squash) for squash in _SQUASHES]
    order = [_orderly(view) * (1 - _DOUBT * place) for place, view in enumerate(views)]
    best = views[int(np.argmax(order))]
    return Spots(best.number, best.face, _along_rows(best), best.height)


def _seen_from_above(sightings: Sequence[Sighting], squash: float) -> Spots:
    """The tiles with the picture's height stretched, as it would be from above had the camera lain low."""
    number = np.array([complex(s.centre[0], s.centre[1] / squash) for s in sightings], np.complex128)
    corners = np.array([s.corners for s in sightings], np.float64).mean(axis=1)
    angle = np.radians([s.angle for s in sightings])
    up = np.sin(angle) - 1j * np.cos(angle) / squash
    heights = np.maximum([s.height for s in sightings], 1.0) * np.abs(up)
    distance = np.abs(number[None] - number[:, None])
    nearest = np.argsort(distance, axis=1)[:, :5]  # itself and four more: a joker's face is taller than the numbers
    return Spots(
        number=number,
        face=corners[:, 0] + 1j * corners[:, 1] / squash,
        right=up * 1j / np.abs(up),
        height=np.median(heights[nearest], axis=1),
    )


def _orderly(spots: Spots) -> float:
    """How well tiles stand side by side at even steps: most when all is seen as it lies on the table."""
    links = neighbours(spots)
    if not links:
        return 0.0
    steps = spots.steps()
    aside = np.array([abs(steps[i, j].imag) for i, j, _ in links])
    along = np.log([step for _, _, step in links])
    uneven = along - np.percentile(along, 30, method="lower")
    return float((np.exp(-((aside / 0.35) ** 2) / 2) * np.exp(-((uneven / 0.2) ** 2) / 2)).sum())


def _cosines(right: Complex) -> Real:
    return np.asarray((right[:, None] * right[None].conj()).real)


def _axis_angle(turn: Complex) -> Real:
    """Angles between lines, which have no sense: -90 to 90 degrees, in radians."""
    return np.asarray(np.angle(turn**2) / 2)


def _along_rows(spots: Spots) -> Complex:
    """Each tile's right, turned to the direction in which tiles follow each other around it."""
    steps = spots.steps()
    skew = np.arctan(steps.imag / np.where(np.abs(steps.real) < 1e-6, 1e-6, steps.real))
    chosen = spots.pairs_possible() & (np.abs(steps) > 0.5) & (np.abs(steps) < _REACH) & (np.abs(skew) <= _SKEW[-1])
    first, second = np.nonzero(chosen)
    if not len(first):
        return spots.right
    way = spots.right[first] * np.exp(1j * skew[chosen])  # sense as the first tile has it
    weight = 1 / np.abs(steps[chosen]) ** 2
    middle = (spots.number[first] + spots.number[second]) / 2
    turned = []
    for number, right, height in zip(spots.number, spots.right, spots.height, strict=True):
        off = _axis_angle(way / right)
        alike = np.exp(-((_axis_angle(spots.right[first] / right) / _TURNED_ALIKE) ** 2) / 2)
        near = weight * alike * np.exp(-np.abs(middle - number) / height / _NEIGHBOURHOOD)
        votes = near @ np.exp(-(((off[:, None] - _SKEW[None]) / _BLUR) ** 2) / 2)
        best = _SKEW[np.argmax(votes * np.exp(-((_SKEW / _SKEW_PRIOR) ** 2) / 2))]
        close = near * (np.abs(off - best) < 2 * _BLUR)
        turn = float((close * off).sum() / close.sum()) if close.sum() > 0 else 0.0
        turned.append(right * np.exp(1j * turn))
    return np.array(turned)


def neighbours(spots: Spots) -> list[tuple[int, int, float]]:
    """Tiles that are each other's nearest on that side: first, second (the higher), heights of the number between."""
    steps = spots.steps()
    along, aside = np.abs(steps.real), np.abs(steps.imag)
    opposed = _cosines(spots.right) < 0
    in_line = aside < np.where(opposed, IN_LINE_OPPOSED, IN_LINE)
    possible = spots.pairs_possible() & in_line & (along > 0.8) & (along < _REACH)
    cost = np.where(possible, along + aside, np.inf)
    chosen = set()
    for on_right in (True, False):
        side = np.where((steps.real > 0) == on_right, cost, np.inf)
        best = np.argmin(side, axis=1)
        chosen |= {(i, int(j)) for i, j in enumerate(best) if np.isfinite(side[i, j])}
    return [(i, j, float(along[i, j])) for i, j in sorted(chosen) if i < j and (j, i) in chosen]


def usual_steps(spots: Spots, links: Sequence[tuple[int, int, float]]) -> Real:
    """For each link, the heights of the number from tile to tile where they touch, thereabouts."""
    if not links:
        return np.empty(0)
    middle = np.array([(spots.number[i] + spots.number[j]) / 2 for i, j, _ in links])
    way = np.array([spots.right[i] for i, _, _ in links])
    step = np.array([step for _, _, step in links])
    everywhere = np.percentile(step, 25)
    usual = []
    for place, right in zip(middle, way, strict=True):
        turned = np.abs((way * right.conjugate()).real) > math.cos(_TURNED_ALIKE)
        order = np.argsort(np.abs(middle - place) + np.where(turned, 0, 1e9))[: max(8, len(links) // 4)]
        usual.append(np.percentile(step[order[turned[order]]], 25))
    return np.asarray(np.clip(usual, 0.6 * everywhere, 1.4 * everywhere))
