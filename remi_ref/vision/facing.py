"""Which 6s and 9s lie against the tiles beside them: in a rack or a formation nearly all look the same way."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remi_ref.vision.sighting import Point

REACH = 6.0  # heights of the symbol to the farthest neighbour that says anything
NEIGHBOURS = 4  # the nearest so many are asked
FEWEST = 2
ALIKE = 0.9  # cosine from which two tiles look the same way
SURE = 0.7


class Lying(NamedTuple):
    """How a symbol lies: centre and height in pixels, angle of its up in degrees, how sure it is one.

    ``turns`` where it is another symbol when turned round, so that its own up is no proof.
    """

    centre: Point
    height: float
    angle: float
    turns: bool
    sure: float


def lying_against(symbols: Sequence[Lying]) -> list[int]:
    """Places of those that turn and lie upside down to all their neighbours, where these agree."""
    return [index for index, one in enumerate(symbols) if one.turns and _alone(one, symbols)]


def _alone(one: Lying, symbols: Sequence[Lying]) -> bool:
    witnesses = sorted(
        (away, math.cos(math.radians(other.angle - one.angle)))
        for other in symbols
        if not other.turns and other.sure > SURE and (away := math.dist(other.centre, one.centre)) < REACH * one.height
    )[:NEIGHBOURS]
    return len(witnesses) >= FEWEST and all(cosine < -ALIKE for _, cosine in witnesses)
