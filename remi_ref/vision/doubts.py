"""What a player says of doubtful tiles, and what they may be as long as nobody says."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remi_ref.errors import Unreadable
from remi_ref.notation import DEFAULT_SPELLINGS, Spellings, parse_tile
from remi_ref.vision.box import NO_TILE
from remi_ref.vision.layout import renumbered
from remi_ref.vision.scan import DOUBTFUL_BELOW

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from remi_ref.vision.scan import PhotoScan, SeenTile

PLAUSIBLE_FROM = 0.02  # readings of a doubtful tile that a judgement must hold for as well
NOTHING_FROM = 0.3  # of the odds that no reading has: perhaps there is no tile

_FIX = re.compile(r"\s*(?:(?P<file>.+):)?(?P<number>\d{1,4})\s*=\s*(?P<tile>[^\s=]+)\s*")


class Fix(NamedTuple):
    """A player's correction.

    Attributes:
        text: as typed.
        file: the photo it is about, by the end of its path; empty where none is named.
        number: the tile's.
        tile: what it is; ``X`` when there is no tile.
    """

    text: str
    file: str
    number: int
    tile: str

    def is_about(self, file: str, among: Iterable[str] = ()) -> bool:
        """Whether it may be meant for a photo; one ``among`` all that has this very name is meant alone."""
        if Path(self.file) in map(Path, among):
            return Path(file) == Path(self.file)
        named = Path(self.file).parts
        return not named or Path(file).parts[-len(named) :] == named


def read_fix(text: str) -> Fix:
    """Reads ``3=A7``, or ``rack.jpg:3=A7`` where there are several photos.

    Raises:
        Unreadable: not of this form.
    """
    match = _FIX.fullmatch(text)
    if match is None:
        raise Unreadable("photo.fix_form", text=text)
    return Fix(text, match["file"] or "", int(match["number"]), match["tile"])


def apply_fixes(
    scan: PhotoScan, fixes: Iterable[str], spellings: Spellings = DEFAULT_SPELLINGS, among: Iterable[str] = ()
) -> PhotoScan:
    """Applies those of a player's corrections that are about this photo ``among`` all.

    Raises:
        Unreadable: not of this form, no tile of that number, or a copy that the box does not have.
    """
    said: dict[int, str] = {}
    places = {tile.number: place for place, tile in enumerate(scan.tiles)}
    for fix in map(read_fix, fixes):
        if not fix.is_about(scan.file, among):
            continue
        if fix.number not in places:
            raise Unreadable("photo.fix_number", file=scan.file, number=fix.number, count=len(scan.tiles))
        said[places[fix.number]] = _tile_of(fix, spellings)
    fixed = _taken_as(scan, said)
    _check_copies(fixed, said.values())
    return fixed


def _tile_of(fix: Fix, spellings: Spellings) -> str:
    try:
        return NO_TILE if fix.tile.upper() == NO_TILE else str(parse_tile(fix.tile, spellings).piece)
    except Unreadable as error:
        raise error.at("--fix") from error


def _check_copies(fixed: PhotoScan, said: Iterable[str]) -> None:
    """Refuses a tile that was said to lie there once too often; what the photo itself shows too often is a doubt."""
    there = Counter(tile.text for tile in fixed.tiles)
    for text in said:
        if there[text] > (most := fixed.box.most(text)):
            raise Unreadable("tiles.too_many_copies", where="--fix", tile=text, count=there[text], most=most)


def plausible_readings(scan: PhotoScan, most: int = 64) -> tuple[PhotoScan, ...]:
    """What the photo may show, the reading itself first: a judgement that holds for all of them holds.

    Empty when there would be more than `most`: so much is doubtful that the player has to look.
    """
    doubtful = [i for i, tile in enumerate(scan.tiles) if tile.doubtful]
    choices = [plausible(scan.tiles[i]) for i in doubtful]
    if math.prod(len(texts) for texts in choices) > most:
        return ()
    others = [scan]
    for texts in itertools.product(*choices):
        said = dict(zip(doubtful, texts, strict=True))
        whole = [said.get(i, tile.text) for i, tile in enumerate(scan.tiles)]
        changed = any(scan.tiles[i].text != text for i, text in said.items())
        if changed and scan.box.holds(text for text in whole if text != NO_TILE):
            others.append(_taken_as(scan, said))
    return tuple(others)


def plausible(tile: SeenTile) -> tuple[str, ...]:
    """What a doubtful tile may be, ``X`` among it where perhaps there is none; as it was read first."""
    likely = [text for text, chance in tile.odds if chance >= PLAUSIBLE_FROM]
    runner_up = [tile.runner_up] if tile.runner_up else []
    none = [NO_TILE] if 1 - sum(chance for _, chance in tile.odds) >= NOTHING_FROM else []
    return tuple(dict.fromkeys([tile.text, *likely, *runner_up, *none]))


def may_be_runner_up(scan: PhotoScan, tile: SeenTile) -> bool:
    """Whether a tile has a next reading, and the box a copy for it beside those that lie there."""
    there = [other.text for other in scan.tiles]
    return tile.runner_up is not None and there.count(tile.runner_up) < scan.box.most(tile.runner_up)


def other_number(tile: SeenTile) -> str | None:
    """What else a tile of any colour may be, whatever its colour; None where its number is sure."""
    chances: dict[str, float] = {}
    for text, chance in tile.odds:
        number = text[1:] or text
        chances[number] = chances.get(number, 0.0) + chance
    own = chances.pop(tile.text[1:])
    chances.pop(NO_TILE, None)
    return max(chances, key=chances.__getitem__, default=None) if own < DOUBTFUL_BELOW else None


def _taken_as(scan: PhotoScan, said: Mapping[int, str]) -> PhotoScan:
    """The scan with some tiles taken for what is said, or away."""
    tiles = [
        replace(tile, text=said[i], confidence=1.0, runner_up=None, doubtful=False, odds=((said[i], 1.0),))
        if i in said
        else tile
        for i, tile in enumerate(scan.tiles)
    ]
    kept = [i for i in range(len(tiles)) if tiles[i].text != NO_TILE]
    groups = [[tuple(i for i in group if i in kept) for group in row] for row in scan.layout]
    rows = [tuple(group for group in row if group) for row in groups]
    return replace(
        scan,
        tiles=tuple(tiles[i] for i in kept),
        layout=renumbered(tuple(row for row in rows if row)),
        conflicts=tuple(replace(c, tile=kept.index(c.tile)) for c in scan.conflicts if c.tile not in said),
    )
