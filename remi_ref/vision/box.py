"""What the box allows: no third copy of a tile, no more jokers than there are. Nothing else may bend a reading.

The surest readings are taken first. One that would be a copy too many gives way to its own next reading, and that is
reported: a referee must not hide that the photo said something else.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Odds = tuple[tuple[str, float], ...]
"""Readings in notation with their probability, best first."""

NO_TILE = "X"  # face-down, blank, or nothing that can be read
LEAST_LIKELY = 0.005  # a reading below this is no way out of a conflict


@dataclass(frozen=True, slots=True)
class Box:
    """How many of each piece there are."""

    packs: int = 2
    jokers: int = 2
    false_jokers: int = 2

    def most(self, text: str) -> int:
        """Copies of a piece in notation."""
        return {"J": self.jokers, "W": self.jokers, "F": self.false_jokers}.get(text, self.packs)

    def holds(self, texts: Iterable[str]) -> bool:
        """Whether all these pieces can lie on one table."""
        return all(count <= self.most(text) for text, count in Counter(texts).items())


@dataclass(frozen=True, slots=True)
class Reading:
    """What a tile is taken for, with its probability among the readings that the box allows."""

    text: str
    confidence: float
    gave_way: bool = False


@dataclass(frozen=True, slots=True)
class Conflict:
    """A copy too many.

    Attributes:
        tile: place of the tile in the list, from 0.
        read: what the photo said.
        taken: what it is taken for instead; the same as `read` where nothing else is likely enough.
        most: copies in the box.
    """

    tile: int
    read: str
    taken: str
    most: int


def settle(odds: Sequence[Odds], box: Box) -> tuple[tuple[Reading, ...], tuple[Conflict, ...]]:
    """A reading for each tile, and the conflicts in the order of the tiles."""
    readings: dict[int, Reading] = {}
    conflicts: list[Conflict] = []
    taken: Counter[str] = Counter()
    surest_first = sorted(range(len(odds)), key=lambda tile: -odds[tile][0][1])
    for tile in surest_first:
        best = odds[tile][0][0]
        reading = _allowed(odds[tile], taken, box)
        if reading.gave_way:
            conflicts.append(Conflict(tile, best, reading.text, box.most(best)))
        taken[reading.text] += 1
        readings[tile] = reading
    return tuple(readings[tile] for tile in range(len(odds))), tuple(sorted(conflicts, key=lambda c: c.tile))


def _allowed(odds: Odds, taken: Counter[str], box: Box) -> Reading:
    best, chance = odds[0]
    if taken[best] < box.most(best):
        return Reading(best, chance)
    left = [(text, p) for text, p in odds if text != NO_TILE and p >= LEAST_LIKELY and taken[text] < box.most(text)]
    if not left:
        return Reading(best, chance, gave_way=True)
    text, p = left[0]
    excluded = sum(p for text, p in odds if taken[text] >= box.most(text))
    return Reading(text, min(1.0, p / max(1 - excluded, p)), gave_way=True)
