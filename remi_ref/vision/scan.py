"""One photo, read: find the tiles, hold the readings against the box, put them in rows, number them.

Tiles are numbered from 1 in reading order, as the list and the annotated picture show them; corrections name them so.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from remi_ref.vision.box import NO_TILE, Box, Conflict, Odds, settle
from remi_ref.vision.layout import Layout, arrange, renumbered
from remi_ref.vision.outlines import fitted
from remi_ref.vision.photo import load_photo, opencv
from remi_ref.vision.views import best_look

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from remi_ref.vision.profile import Profile
    from remi_ref.vision.read import Readers
    from remi_ref.vision.sighting import Sighting
    from remi_ref.vision.views import Eye

DOUBTFUL_BELOW = 0.9

IntPoint = tuple[int, int]


@dataclass(frozen=True, slots=True)
class SeenTile:
    """A tile in a photo.

    Attributes:
        number: from 1, in reading order; it stays when a correction takes another tile away.
        text: the reading, in notation.
        confidence: its probability, 0 to 1.
        box: the tile's corners, clockwise from its own top left, pixels of the picture as shown upright.
        runner_up: the next reading, where there is one.
        doubtful: whether the player should look.
        odds: every reading that was weighed, best first as the photo said it.
    """

    number: int
    text: str
    confidence: float
    box: tuple[IntPoint, ...]
    runner_up: str | None
    doubtful: bool
    odds: Odds

    @property
    def any_colour(self) -> bool:
        """Whether its number has one colour as likely as another, as in a photo in black and white."""
        (text, chance), *others = self.odds
        return text[1:].isdigit() and any(other[1:] == text[1:] and odd == chance for other, odd in others)


@dataclass(frozen=True, slots=True)
class PhotoScan:
    """A photo, read.

    Attributes:
        file: the name as given.
        tiles: in reading order.
        layout: rows of groups of places in `tiles`.
        conflicts: readings that the box does not allow, by place in `tiles`.
        box: what the readings were held against.
        ms: milliseconds from opening the file to the answer.
    """

    file: str
    tiles: tuple[SeenTile, ...]
    layout: Layout
    conflicts: tuple[Conflict, ...]
    box: Box
    ms: float

    @property
    def rows(self) -> tuple[str, ...]:
        """The rows in canonical notation: ``R3 R4 R5 | A8 N8``."""
        return self._written([tile.text for tile in self.tiles])

    @property
    def marked_rows(self) -> tuple[str, ...]:
        """The same with a question mark before each doubtful tile: ``?R7``."""
        return self._written([f"?{tile.text}" if tile.doubtful else tile.text for tile in self.tiles])

    @property
    def doubtful(self) -> tuple[int, ...]:
        """Numbers of the tiles to look at."""
        return tuple(tile.number for tile in self.tiles if tile.doubtful)

    def _written(self, texts: Sequence[str]) -> tuple[str, ...]:
        return tuple(" | ".join(" ".join(texts[i] for i in group) for group in row) for row in self.layout)


def load_readers(profile: Profile | None = None) -> Readers:
    """Loads the networks; do it once for many photos.

    Raises:
        Unreadable: OpenCV cannot load, or a model file is missing or changed.
    """
    opencv()
    from remi_ref.vision.read import Readers

    return replace(Readers.load(), profile=profile)


def scan_photo(path: str | Path, eye: Eye, box: Box | None = None) -> PhotoScan:
    """Reads one photo.

    Raises:
        PhotoError: the file cannot be read.
    """
    begin = time.perf_counter()
    photo = load_photo(path)
    sightings = best_look(eye, photo.pixels)
    tiles, layout, conflicts = read_tiles(sightings, photo.scale, box or Box())
    ms = round((time.perf_counter() - begin) * 1000, 1)
    return PhotoScan(photo.file, tiles, layout, conflicts, box or Box(), ms)


def read_tiles(
    sightings: Sequence[Sighting], scale: int, box: Box
) -> tuple[tuple[SeenTile, ...], Layout, tuple[Conflict, ...]]:
    """From what was seen to numbered tiles in rows; what shows no reading is no tile.

    Args:
        sightings: in any order.
        scale: pixels of the file for one pixel of the sightings.
        box: what the readings are held against.
    """
    shown = [sighting for sighting in sightings if sighting.odds[0][0] != NO_TILE]
    places = arrange(shown)
    ordered = [shown[i] for row in places for group in row for i in group]
    layout = renumbered(places)
    readings, conflicts = settle([sighting.odds for sighting in ordered], box)
    tiles = tuple(
        SeenTile(
            number=number,
            text=reading.text,
            confidence=round(reading.confidence, 4),
            box=tuple((round(x * scale), round(y * scale)) for x, y in corners),
            runner_up=_runner_up(sighting.odds, reading.text),
            doubtful=reading.gave_way or reading.confidence < DOUBTFUL_BELOW,
            odds=sighting.odds,
        )
        for number, (sighting, reading, corners) in enumerate(
            zip(ordered, readings, fitted(ordered, layout), strict=True), start=1
        )
    )
    return tiles, layout, conflicts


def _runner_up(odds: Odds, text: str) -> str | None:
    return next((other for other, _ in odds if other not in (text, NO_TILE)), None)
