"""Which tile a found symbol shows, and how sure that is.

Each symbol is cut out upright, straightened by what the reader network says of its misplacement, and read again. The
colour is what the network sees, weighed against the inks of this very photo: tiles of one colour look alike in it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from remi_ref.vision.chances import softmax
from remi_ref.vision.correction import FEATURES, LOGITS, corrected
from remi_ref.vision.facing import Lying, lying_against
from remi_ref.vision.find import Found, find, level_for, levels_of
from remi_ref.vision.inks import by_box, colourless, sharpen_colours
from remi_ref.vision.nets import Net, load_net
from remi_ref.vision.sighting import Sighting, thin_out

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from remi_ref.vision.profile import Profile
    from remi_ref.vision.sighting import Point

    Array = NDArray[np.float32]
    Picture = NDArray[Any]  # uint8, which OpenCV does not promise

CLASSES = (*(str(number) for number in range(1, 14)), "J", "F", "X", "none")
COLOURS = "RANG"
CROP = 64
SYMBOL = 26
BEYOND = (128, 128, 128)  # the middle of what stood there while the reader learned
NONE = CLASSES.index("none")
LEAST = 0.36  # what is less likely than this to be a symbol is left out
MARK = 0.6  # below this a thing under a surer symbol is the mark of its tile
PLAIN_HEAT = 0.7  # what the finder is this sure of is there
AGAINST = 0.04  # of the tiles that lie in rows so many are taken to lie upside down
SIX_NINE = (CLASSES.index("6"), CLASSES.index("9"))
ASTRAY = 0.1  # straightened, but so much less sure: what was read first stays
UNSURE = 0.85  # below this the other ways up are tried
BATCH = 64
ROW = LOGITS + 1 + 4 + FEATURES  # numbers that the reader network answers with for a crop
_ENDS = np.cumsum([len(CLASSES), len(COLOURS), 1, 4])


@dataclass(frozen=True, eq=False)
class _Reading:
    """What the network says of one crop: chances of the classes and colours, of lying upside down; its placing."""

    found: Found
    classes: Array
    colours: Array
    upside: float
    offset: Array

    @property
    def sure(self) -> float:
        """Chance of the likeliest class that is something."""
        return float(self.classes[:NONE].max())

    @property
    def present(self) -> float:
        """How far the finder vouches for a symbol there, 0 to 1."""
        return min(1.0, self.found.heat / PLAIN_HEAT)


@dataclass(frozen=True, eq=False)
class Readers:
    """The loaded networks; load once, read many photos. With a profile they know the player's own box."""

    finder: Net
    reader: Net
    inker: Net
    profile: Profile | None = None

    @classmethod
    def load(cls, models: Path | None = None) -> Readers:
        """Loads the networks.

        Raises:
            Unreadable: a model file is missing or changed.
        """
        return cls(load_net("finder", models), load_net("reader", models), load_net("inks", models))

    def sight(self, picture: Picture) -> list[Sighting]:
        """Every tile of a photo (H, W, 3, BGR), in no order."""
        levels = levels_of(picture)
        readings = self._straightened(levels, find(self.finder, levels))
        readings = _each_once(self._other_ways_up(levels, readings))
        readings = self._six_or_nine(levels, readings)
        inks = self.see_inks([cut(levels, reading.found) for reading in readings])
        colours = np.array([reading.colours for reading in readings], np.float32).reshape(-1, len(COLOURS))
        numbers = np.array([reading.classes[:13].sum() for reading in readings], np.float32)
        if colourless(levels[-1]):
            colours[:] = 1 / len(COLOURS)
        elif self.profile is not None:
            colours = by_box(colours, inks, self.profile.inks, self.profile.spread, numbers)
        else:
            colours = sharpen_colours(colours, inks, numbers)
        return [_sighting(reading, colour, ink) for reading, colour, ink in zip(readings, colours, inks, strict=True)]

    def _straightened(self, levels: list[Picture], found: list[Found]) -> list[_Reading]:
        """Reads twice, straightened by what the first reading says; that one stays where straightening led astray."""
        first = self._read(levels, found)
        likely = [reading for reading in first if reading.classes[NONE] < 0.995]
        second = self._read(levels, [_moved(reading) for reading in likely])
        return [
            before if before.sure > after.sure + ASTRAY else after for before, after in zip(likely, second, strict=True)
        ]

    def _other_ways_up(self, levels: list[Picture], readings: list[_Reading]) -> list[_Reading]:
        """Straightens what is unsure once more, turns it by quarter turns, and keeps the best reading of each."""
        unsure = [index for index, reading in enumerate(readings) if reading.sure < UNSURE]
        best = list(readings)
        for turn in (0, 90, 180, 270):
            placed = [_moved(readings[index]) for index in unsure]
            turned = [replace(found, angle=found.angle + turn) for found in placed]
            for index, reading in zip(unsure, self._read(levels, turned), strict=True):
                if reading.sure > best[index].sure + (0.1 if turn else 0.0):
                    best[index] = reading
        return best

    def _six_or_nine(self, levels: list[Picture], readings: list[_Reading]) -> list[_Reading]:
        """Reads a 6 or 9 that lies against its neighbours the other way as well: few are put in upside down."""
        against = lying_against([_lying(reading) for reading in readings])
        turned = [replace(readings[index].found, angle=readings[index].found.angle + 180) for index in against]
        settled = list(readings)
        for index, other in zip(against, self._read(levels, turned), strict=True):
            settled[index] = _likelier(readings[index], other)
        return settled

    def _read(self, levels: list[Picture], found: list[Found]) -> list[_Reading]:
        rows = self.describe([cut(levels, one) for one in found])
        if self.profile is not None:
            rows = corrected(rows, self.profile.correction)
        return [_reading(one, row) for one, row in zip(found, rows, strict=True)]

    def describe(self, crops: Sequence[Picture]) -> Array:
        """What the reader network says of crops (N of 64 x 64 x 3), untaught: rows of logits, placing and features."""
        return _in_batches(self.reader, crops, ROW)

    def see_inks(self, crops: Sequence[Picture]) -> Array:
        """The ink over its face (N, 3, BGR) in upright crops (N of 64 x 64 x 3)."""
        return _in_batches(self.inker, crops, 3)


def _in_batches(net: Net, crops: Sequence[Picture], width: int) -> Array:
    """The rows of that width that a network answers with, for any number of crops."""
    parts = [net.run(np.stack(crops[at : at + BATCH])) for at in range(0, len(crops), BATCH)]
    return np.concatenate([np.empty((0, width), np.float32), *parts])


def _lying(reading: _Reading) -> Lying:
    """How a symbol lies; whether it is one of those that are another when turned round."""
    found, best = reading.found, int(reading.classes[:NONE].argmax())
    up = found.angle + (180 if reading.upside > 0.5 else 0)
    return Lying(found.centre, found.height, up, turns=best in SIX_NINE, sure=reading.sure)


def _likelier(reading: _Reading, turned: _Reading) -> _Reading:
    """The reading of a 6 or 9, or that of the same symbol turned round; the chances of both are weighed."""
    own = int(reading.classes[:NONE].argmax())
    other = SIX_NINE[1 - SIX_NINE.index(own)]
    stays = reading.sure * (1 - reading.upside) * AGAINST
    turns = float(turned.classes[other]) * (1 - turned.upside) * (1 - AGAINST)
    if turns <= stays:
        return reading
    classes = np.zeros_like(turned.classes)
    classes[NONE] = reading.classes[NONE]
    classes[other], classes[own] = np.array((turns, stays)) / (turns + stays) * (1 - classes[NONE])
    return replace(turned, classes=classes)


def _reading(found: Found, row: Array) -> _Reading:
    classes, colours, upside, offset, _ = np.split(row, _ENDS)
    return _Reading(found, softmax(classes), softmax(colours), float(1 / (1 + np.exp(-upside[0]))), offset)


def _moved(reading: _Reading) -> Found:
    """Where the symbol lies by what the reader saw of it."""
    found = reading.found
    across, down, zoom, turn = reading.offset
    radians = np.radians(found.angle)
    right, below = np.array([np.cos(radians), np.sin(radians)]), np.array([-np.sin(radians), np.cos(radians)])
    centre = np.asarray(found.centre) + found.height * (across * right + down * below)
    angle = found.angle + float(np.degrees(turn)) + (180 if reading.upside > 0.5 else 0)
    return Found((float(centre[0]), float(centre[1])), found.height * float(np.exp(zoom)), angle, found.heat)


def cut(levels: list[Picture], found: Found) -> Picture:
    """The symbol upright in the middle of a crop, `SYMBOL` high; beyond the picture's edge all is grey."""
    scale, turn = SYMBOL / max(found.height, 2.0), np.radians(found.angle)
    level = level_for(scale, levels)
    matrix = np.zeros((2, 3))
    matrix[:, :2] = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) * scale
    matrix[:, 2] = CROP / 2 - matrix[:, :2] @ np.asarray(found.centre)
    matrix[:, :2] *= 2**level
    return cv2.warpAffine(levels[level], matrix, (CROP, CROP), flags=cv2.INTER_LINEAR, borderValue=BEYOND)


def _each_once(readings: list[_Reading]) -> list[_Reading]:
    """Drops what is nothing, of two readings of one symbol the less sure, and the marks that tiles bear below it."""
    likely = [reading for reading in readings if reading.sure * reading.present > LEAST]
    ranked = [replace(reading.found, heat=reading.sure * reading.found.heat) for reading in likely]
    kept = {(one.centre, one.heat) for one in thin_out(ranked, lambda one: one.heat)}
    once = [reading for reading, one in zip(likely, ranked, strict=True) if (one.centre, one.heat) in kept]
    plain = [reading.found for reading in once if reading.sure * reading.present > MARK]
    return [
        reading
        for reading in once
        if reading.sure * reading.present > MARK or not any(_lies_below(reading.found, one) for one in plain)
    ]


def _lies_below(mark: Found, symbol: Found) -> bool:
    """Whether a thing stands where tiles bear a circle, dot or heart below their symbol."""
    turn = np.radians(symbol.angle)
    x, y = (np.asarray(mark.centre) - np.asarray(symbol.centre)) / symbol.height
    across, down = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
    return bool(abs(across) < 0.5 and 0.6 < down < 1.9 and mark.height < 1.3 * symbol.height)


def _sighting(reading: _Reading, colours: Array, ink: Array) -> Sighting:
    odds = {CLASSES[index]: float(reading.classes[index]) for index in range(13, NONE)}
    for index in range(13):
        for colour, chance in zip(COLOURS, colours, strict=True):
            odds[f"{colour}{CLASSES[index]}"] = float(reading.classes[index] * chance)
    best = sorted(((text, chance * reading.present) for text, chance in odds.items()), key=lambda entry: -entry[1])[:6]
    return Sighting(
        _corners(reading.found), reading.found.centre, reading.found.height, reading.found.angle, tuple(best), ink
    )


def _corners(found: Found) -> tuple[Point, Point, Point, Point]:
    """The tile around its symbol, by the proportions that tiles commonly have."""
    turn = np.radians(found.angle)
    right, below = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    centre = np.asarray(found.centre)

    def point(across: float, down: float) -> Point:
        x, y = centre + found.height * (across * right + down * below)
        return float(x), float(y)

    return point(-1.05, -0.95), point(1.05, -0.95), point(1.05, 2.0), point(-1.05, 2.0)
