"""What a player says of doubtful tiles, and what they may be as long as nobody says."""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from remi_ref.errors import Unreadable
from remi_ref.notation import DEFAULT_SPELLINGS, Spellings, parse_tile
from remi_ref.vision.box import NO_TILE
from remi_ref.vision.layout import renumbered

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from remi_ref.vision.scan import PhotoScan, SeenTile

PLAUSIBLE_FROM = 0.02  # readings of a doubtful tile that a judgement must hold for as well

_FIX = re.compile(r"\s*(?P<number>\d{1,4})\s*=\s*(?P<tile>\S+)\s*")


def apply_fixes(scan: PhotoScan, fixes: Iterable[str], spellings: Spellings = DEFAULT_SPELLINGS) -> PhotoScan:
    """Applies a player's corrections, each ``3=A7``; ``3=X`` says that there is no tile.

    Raises:
        Unreadable: not of this form, no tile of that number, or no such tile in the box.
    """
    said: dict[int, str] = {}
    for fix in fixes:
        match = _FIX.fullmatch(fix)
        if match is None:
            raise Unreadable("photo.fix_form", text=fix)
        number = int(match["number"])
        if not 1 <= number <= len(scan.tiles):
            raise Unreadable("photo.fix_number", file=scan.file, number=number, count=len(scan.tiles))
        tile = match["tile"]
        said[number - 1] = NO_TILE if tile.upper() == NO_TILE else str(parse_tile(tile, spellings).piece)
    return _taken_as(scan, said)


def plausible_readings(scan: PhotoScan, most: int = 64) -> tuple[PhotoScan, ...]:
    """What the photo may show, the reading itself first: a judgement that holds for all of them holds.

    Empty when there would be more than `most`: so much is doubtful that the player has to look.
    """
    doubtful = [number - 1 for number in scan.doubtful]
    choices = [_plausible(scan.tiles[i]) for i in doubtful]
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


def _plausible(tile: SeenTile) -> tuple[str, ...]:
    likely = [text for text, chance in tile.odds if chance >= PLAUSIBLE_FROM]
    runner_up = [tile.runner_up] if tile.runner_up else []
    return tuple(dict.fromkeys([tile.text, *likely, *runner_up]))


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
