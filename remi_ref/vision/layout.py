"""From places of tiles to rows and groups, in reading order.

A tile knows its own "up", so its right-hand neighbour is sought along its own right. Neighbours that choose each other
make a chain; a chain is a group (a meld, or a stretch of a rack without a gap). Groups that continue each other's line
make a row; rows come from top to bottom. Nothing depends on how the picture is turned: an upside-down formation is read
in its own order, and the rows of a rack photographed sideways are still the rows of the rack.

Points are complex numbers, ``x + y*1j`` with y downwards: turning is multiplying, and dividing by a direction gives how
far right (real) and how far down (imaginary) another tile lies.
"""

from __future__ import annotations

import cmath
import itertools
import math
from dataclasses import dataclass, replace
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from remi_ref.vision.sighting import Sighting

Layout = tuple[tuple[tuple[int, ...], ...], ...]
"""Rows of groups of places in the list that was given."""

_CONE = 1.4  # while its slope is unknown, a row may rise or fall by this many heights of the number a width
_REACH = 1.9  # tile widths to a neighbour while it is unknown how close tiles stand
_GAP = 0.4  # tile widths more than usual between neighbours: a gap
_DRIFT = 0.75  # heights of the number by which neighbours may be out of line once the slope is known
_ROW_SLOPE = 0.08  # what a row may rise or fall across a gap, for each unit to the right, beside the drift
_ALIKE = 1.6  # neighbours differ less in size
_PARALLEL = math.cos(math.radians(35))
_NEAR = 5  # links of the neighbourhood that tell its slope


@dataclass(frozen=True)
class _Spot:
    """A tile: middle of its number and of its face, unit vector to its right, width, height of number (pixels)."""

    number: complex
    face: complex
    right: complex
    width: float
    height: float


_Pair = tuple[int, int]
_Chain = tuple[int, ...]


def arrange(sightings: Sequence[Sighting]) -> Layout:
    """Rows from top to bottom, groups from left to right, tiles in the order in which their holder reads them."""
    spots = [_spot(sighting) for sighting in sightings]
    pitch = 1.0
    for _ in range(2):  # the first look tells how rows slope and how close tiles stand; the second knows it
        pairs = _neighbours(spots, pitch - 1 + _REACH, slope_known=False)
        spots, pitch = _sloped(spots, pairs), _pitch(spots, pairs)
    pairs = _neighbours(spots, pitch + _GAP, slope_known=True)
    main = _main_direction(spots)
    groups = [_in_reading_order(chain, spots, main) for chain in _chains(len(spots), pairs)]
    return tuple(sorted(_rows(groups, spots), key=lambda row: _depth(row, spots, main)))


def _spot(sighting: Sighting) -> _Spot:
    top_left, top_right, bottom_right, bottom_left = (complex(*corner) for corner in sighting.corners)
    across = top_right - top_left + bottom_right - bottom_left
    return _Spot(
        number=complex(*sighting.centre),
        face=(top_left + top_right + bottom_right + bottom_left) / 4,
        right=across / abs(across) if across else cmath.rect(1, math.radians(sighting.angle)),
        width=max((abs(top_right - top_left) + abs(bottom_right - bottom_left)) / 2, 1.0),
        height=max(sighting.height, 1.0),
    )


def _cosine(a: complex, b: complex) -> float:
    return (a * b.conjugate()).real


def _step(a: _Spot, b: _Spot) -> complex:
    """From a to b as a sees it, in tile widths."""
    return _between(a, b) / a.right / _width(a, b)


def _between(a: _Spot, b: _Spot) -> complex:
    """From number to number, which are found best; tiles turned against each other are compared by their faces."""
    return b.face - a.face if _cosine(a.right, b.right) < 0 else b.number - a.number


def _width(a: _Spot, b: _Spot) -> float:
    return (a.width + b.width) / 2


def _neighbours(spots: Sequence[_Spot], reach: float, *, slope_known: bool) -> set[_Pair]:
    """Pairs (lower index first) that stand side by side and are each other's nearest on that side."""
    nearest: dict[tuple[int, bool], tuple[float, int]] = {}
    for i, a in enumerate(spots):
        for j, b in enumerate(spots):
            if i == j or not _may_pair(a, b):
                continue
            step = _step(a, b)
            along, aside = abs(step.real), abs(step.imag) * a.width / a.height
            in_line = aside < (_DRIFT if slope_known else _CONE * along)
            if in_line and 0.4 < along < reach:
                side = (i, step.real > 0)
                nearest[side] = min(nearest.get(side, (math.inf, j)), (along + aside, j))
    chosen = {(i, j) for (i, _), (_, j) in nearest.items()}
    return {(i, j) for i, j in chosen if i < j and (j, i) in chosen}


def _may_pair(a: _Spot, b: _Spot) -> bool:
    alike = max(a.width, b.width) < _ALIKE * min(a.width, b.width)
    return alike and abs(_cosine(a.right, b.right)) > _PARALLEL


def _sloped(spots: Sequence[_Spot], pairs: Iterable[_Pair]) -> list[_Spot]:
    """The spots with "right" turned along their row: seen aslant, a row slopes though its tiles stand straight."""
    slopes = []
    for i, j in pairs:
        step = _step(spots[i], spots[j])
        slopes.append(((spots[i].number + spots[j].number) / 2, step.imag / step.real))
    if not slopes:
        return list(spots)
    turned = []
    for spot in spots:
        near = sorted(slopes, key=lambda slope: abs(slope[0] - spot.number))[:_NEAR]
        angle = math.atan(median(slope for _, slope in near))
        turned.append(replace(spot, right=spot.right * cmath.rect(1, angle)))
    return turned


def _pitch(spots: Sequence[_Spot], pairs: Iterable[_Pair]) -> float:
    """Widths from tile to tile where they touch: the lower quartile, so that gaps do not count."""
    steps = sorted(abs(_step(spots[i], spots[j]).real) for i, j in pairs)
    return min(max(steps[len(steps) // 4], 0.6), 1.5) if steps else 1.0


def _chains(count: int, pairs: Iterable[_Pair]) -> list[_Chain]:
    """Follows neighbours from one end to the other; a tile without any is a chain of its own."""
    beside: list[list[int]] = [[] for _ in range(count)]
    for i, j in pairs:
        beside[i].append(j)
        beside[j].append(i)
    left = set(range(count))
    chains = []
    for start in sorted(left, key=lambda i: len(beside[i])):  # ends first; a ring, if there were one, is cut somewhere
        chain = []
        at = start if start in left else None
        while at is not None:
            left.remove(at)
            chain.append(at)
            at = next((i for i in beside[at] if i in left), None)
        if chain:
            chains.append(tuple(chain))
    return chains


def _in_reading_order(chain: _Chain, spots: Sequence[_Spot], main: complex) -> _Chain:
    """From left to right as most of its tiles see it; where as many see it the other way, as most of the photo does."""
    along = spots[chain[-1]].face - spots[chain[0]].face
    votes = sum(math.copysign(1, _cosine(spots[i].right, along)) for i in chain)
    return chain if (votes or _cosine(main, along)) >= 0 else chain[::-1]


def _rows(groups: Sequence[_Chain], spots: Sequence[_Spot]) -> list[tuple[_Chain, ...]]:
    """Joins each group to the one that continues its line, the nearest ones first."""
    candidates = []
    for a, left in enumerate(groups):
        for b, right in enumerate(groups):
            distance = _continues(left, right, spots) if a != b else None
            if distance is not None:
                candidates.append((distance, a, b))
    follows: dict[int, int] = {}
    for _, a, b in sorted(candidates):
        if a not in follows and b not in follows.values():
            follows[a] = b
    starts = [a for a in range(len(groups)) if a not in follows.values()]
    return [tuple(groups[i] for i in _followed(start, follows)) for start in starts]


def _followed(start: int, follows: Mapping[int, int]) -> Iterator[int]:
    at: int | None = start
    while at is not None:
        yield at
        at = follows.get(at)


def _continues(left: _Chain, right: _Chain, spots: Sequence[_Spot]) -> float | None:
    """Widths across the gap when the second group continues the line of the first, else None."""
    way, on = _direction(left, spots), _direction(right, spots)
    if len(left) == 1 and _cosine(way, on) < 0:  # a tile alone may stand on its head
        way = -way
    elif len(right) == 1 and _cosine(way, on) < 0:
        on = -on
    if _cosine(way, on) < _PARALLEL:
        return None
    end, start = spots[left[-1]], spots[right[0]]
    step = _between(end, start) / ((way + on) / abs(way + on)) / _width(end, start)
    drift = _DRIFT * (end.height + start.height) / (end.width + start.width) + _ROW_SLOPE * step.real
    return step.real if step.real > 0.4 and abs(step.imag) < drift else None


def _direction(group: _Chain, spots: Sequence[_Spot]) -> complex:
    """Where the group reads on to."""
    along = spots[group[-1]].face - spots[group[0]].face
    if len(group) < 3:  # two tiles that stand a little askew tell less than what is known of the slope here
        ways = (spots[i].right for i in group)
        along = sum((math.copysign(1, _cosine(way, along)) * way for way in ways), 0j)
    return along / abs(along) if along else 1 + 0j


def _main_direction(spots: Sequence[_Spot]) -> complex:
    """The right-hand side of most tiles; that of the picture when they point everywhere."""
    way = sum((spot.right for spot in spots), 0j)
    return way / abs(way) if abs(way) > 0.6 * len(spots) else 1 + 0j


def _depth(row: tuple[_Chain, ...], spots: Sequence[_Spot], main: complex) -> float:
    """How far down the page a row lies, pixels."""
    places = [(spots[i].number / main).imag for group in row for i in group]
    return sum(places) / len(places)


def renumbered(layout: Layout) -> Layout:
    """The same rows and groups with places counted from 0 in reading order."""
    counter = itertools.count()
    return tuple(tuple(tuple(next(counter) for _ in group) for group in row) for row in layout)
