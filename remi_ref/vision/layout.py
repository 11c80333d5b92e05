"""From places of tiles to rows and groups, in reading order.

A tile knows its own "up", so its right-hand neighbour is sought along its own right. Neighbours that choose each other
and stand as close as is usual make a chain; a chain is a group (a meld, or a stretch of a rack without a gap). Groups
that continue each other's line make a row; rows come from top to bottom. Nothing depends on how the picture is turned:
an upside-down formation is read in its own order, and a rack photographed sideways keeps its rows.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

import numpy as np

from remi_ref.vision.lines import IN_LINE, IN_LINE_OPPOSED, PARALLEL, Spots, neighbours, spots_of, usual_steps

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from remi_ref.vision.sighting import Sighting

Layout = tuple[tuple[tuple[int, ...], ...], ...]
"""Rows of groups of places in the list that was given."""

GAP = 1.35  # steps from tile to tile longer than usual by this factor: a gap
_ROW_SLOPE = 0.08  # what a row may rise or fall across a gap for each unit along it, beside what is in line

_Chain = tuple[int, ...]


def arrange(sightings: Sequence[Sighting]) -> Layout:
    """Rows from top to bottom, groups from left to right, tiles in the order in which their holder reads them."""
    if not sightings:
        return ()
    spots = spots_of(sightings)
    links = neighbours(spots)
    close = [link[:2] for link, usual in zip(links, usual_steps(spots, links), strict=True) if link[2] < GAP * usual]
    main = _main_direction(spots)
    groups = [_in_reading_order(chain, spots, main) for chain in _chains(len(sightings), close)]
    return tuple(sorted(_rows(groups, spots), key=lambda row: _depth(row, spots, main)))


def renumbered(layout: Layout) -> Layout:
    """The same rows and groups with places counted from 0 in reading order."""
    counter = itertools.count()
    return tuple(tuple(tuple(next(counter) for _ in group) for group in row) for row in layout)


def _cosine(a: complex, b: complex) -> float:
    return float((a * b.conjugate()).real)


def _chains(count: int, pairs: Iterable[tuple[int, int]]) -> list[_Chain]:
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


def _in_reading_order(chain: _Chain, spots: Spots, main: complex) -> _Chain:
    """From left to right as most of its tiles see it; where as many see it the other way, as most of the photo does."""
    along = spots.face[chain[-1]] - spots.face[chain[0]]
    votes = sum(math.copysign(1, _cosine(spots.right[i], along)) for i in chain)
    return chain if (votes or _cosine(main, along)) >= 0 else chain[::-1]


def _rows(groups: Sequence[_Chain], spots: Spots) -> list[tuple[_Chain, ...]]:
    """Joins each group to the one that continues its line, the nearest ones first."""
    candidates = []
    for a, left in enumerate(groups):
        for b, right in enumerate(groups):
            distance = _continues(left, right, spots) if a != b else None
            if distance is not None:
                candidates.append((distance, a, b))
    follows: dict[int, int] = {}
    for _, a, b in sorted(candidates):
        if a not in follows and b not in follows.values() and a not in _followed(b, follows):
            follows[a] = b
    starts = [a for a in range(len(groups)) if a not in follows.values()]
    return [tuple(groups[i] for i in _followed(start, follows)) for start in starts]


def _followed(start: int, follows: Mapping[int, int]) -> Iterator[int]:
    at: int | None = start
    while at is not None:
        yield at
        at = follows.get(at)


def _continues(left: _Chain, right: _Chain, spots: Spots) -> float | None:
    """Heights of the number across the gap when the second group continues the line of the first, else None."""
    way, on = _direction(left, spots), _direction(right, spots)
    if len(left) == 1 and _cosine(way, on) < 0:  # a tile alone may stand on its head
        way = -way
    elif len(right) == 1 and _cosine(way, on) < 0:
        on = -on
    if _cosine(way, on) < PARALLEL:
        return None
    end, start = left[-1], right[0]
    opposed = _cosine(spots.right[end], spots.right[start]) < 0
    between = (spots.face if opposed else spots.number)[[start, end]]
    step = (between[0] - between[1]) / ((way + on) / abs(way + on)) / spots.height[[start, end]].mean()
    drift = (IN_LINE_OPPOSED if opposed else IN_LINE) + _ROW_SLOPE * step.real
    return float(step.real) if step.real > 0.8 and abs(step.imag) < drift else None


def _direction(group: _Chain, spots: Spots) -> complex:
    """Where the group reads on to."""
    along = complex(spots.face[group[-1]] - spots.face[group[0]])
    upright = [i for i in group if _cosine(spots.right[i], along) >= 0]
    if len(upright) >= 3:
        along = complex(spots.number[upright[-1]] - spots.number[upright[0]])
    else:  # two tiles that stand a little askew tell less than what is known of the rows here
        ways = (complex(spots.right[i]) for i in group)
        along = sum((math.copysign(1, _cosine(way, along)) * way for way in ways), 0j)
    return along / abs(along) if along else 1 + 0j


def _main_direction(spots: Spots) -> complex:
    """The right-hand side of most tiles; that of the picture when they point everywhere."""
    way = complex(np.mean(spots.right))
    return way / abs(way) if abs(way) > 0.6 else 1 + 0j


def _depth(row: tuple[_Chain, ...], spots: Spots, main: complex) -> float:
    """How far down the page a row lies, pixels."""
    return float(np.mean([(spots.number[i] / main).imag for group in row for i in group]))
