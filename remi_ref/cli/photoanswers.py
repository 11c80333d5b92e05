"""What a photo shows, for scripts and for people."""

from __future__ import annotations

import shlex
from operator import attrgetter
from typing import TYPE_CHECKING

from remi_ref.answers.answer import Phrase, Said, Section

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from remi_ref.answers.answer import Answer
    from remi_ref.vision.scan import PhotoScan


def photo_fields(scan: PhotoScan) -> dict[str, object]:
    """A photo as scripts read it."""
    return {
        "file": scan.file,
        "tiles": tuple(
            {
                "number": tile.number,
                "tile": tile.text,
                "confidence": tile.confidence,
                "box": tile.box,
                "runner_up": tile.runner_up,
            }
            for tile in scan.tiles
        ),
        "rows": scan.rows,
        "doubtful": scan.doubtful,
        "conflicts": tuple(_conflicts(scan)),
        "ms": scan.ms,
    }


def hangs_on_photos(answer: Answer) -> bool:
    """Whether an answer is open, and doubtful tiles of its photos may be why."""
    photos = answer.fields.get("photos", ())
    assert isinstance(photos, tuple)  # noqa: S101 - of `photo_fields`
    return answer.ok is None and any(photo["doubtful"] for photo in photos)


def section_of(scan: PhotoScan, *, named: bool = False) -> Section:
    """A photo as people see it: rows with the doubtful tiles marked, then what to look at.

    With ``named`` the corrections it proposes say which photo they are about.
    """
    rows: Sequence[Said] = scan.marked_rows or (Phrase("photo.nothing"),)
    lines = (*rows, *_doubts(scan, named=named), *_conflicts(scan))
    return Section(Phrase("photo.read", {"file": scan.file}), lines)


def _doubts(scan: PhotoScan, *, named: bool) -> Iterator[Phrase]:
    from remi_ref.vision.box import NO_TILE
    from remi_ref.vision.doubts import may_be_runner_up, other_number, plausible

    if any(tile.any_colour for tile in scan.tiles):
        yield Phrase("photo.colourless")
    for tile in filter(attrgetter("doubtful"), scan.tiles):
        fix = shlex.quote(f"{scan.file}:{tile.number}") if named else str(tile.number)
        values = {"number": tile.number, "tile": tile.text, "runner_up": tile.runner_up, "fix": fix}
        if not tile.any_colour:
            yield Phrase("photo.doubtful" if may_be_runner_up(scan, tile) else "photo.doubtful_alone", values)
        elif (other := other_number(tile)) is not None:
            yield Phrase("photo.doubtful_number", values | {"read": tile.text[1:], "other": other})
        if NO_TILE in plausible(tile):
            yield Phrase("photo.doubtful_none", values)


def _conflicts(scan: PhotoScan) -> Iterator[Phrase]:
    for conflict in scan.conflicts:
        number = scan.tiles[conflict.tile].number
        values = {"number": number, "read": conflict.read, "taken": conflict.taken, "most": conflict.most}
        code = "photo.conflict" if conflict.read != conflict.taken else "photo.conflict_kept"
        yield Phrase(code if conflict.most else f"{code}_none", values)
