"""Commands about photos themselves: which tiles are in them, and learning one's own box."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from remi_ref.answers.answer import Answer, Phrase, Section
from remi_ref.cli.photos import photo_fields, readers, section_of
from remi_ref.cli.table import Result, Table, shown, with_photos_kept
from remi_ref.errors import Unreadable
from remi_ref.rules.ruleset import Ruleset

if TYPE_CHECKING:
    from remi_ref.vision.box import Box
    from remi_ref.vision.scan import PhotoScan

PhotosArgument = Annotated[list[str], typer.Argument(metavar="PHOTO...")]
AnnotateOption = Annotated[str | None, typer.Option("--annotate", metavar="OUT.png")]
NameOption = Annotated[str, typer.Option("--name", metavar="NAME")]


@with_photos_kept
def scan(table: Table, photos: PhotosArgument, annotate: AnnotateOption = None) -> Result:
    """Which tiles are in the photos?"""
    for option, given in (("photo.fix_one", table.looking.fixes), ("photo.annotate_one", annotate)):
        if given and len(photos) > 1:
            raise Unreadable(option, count=len(photos))
    if annotate is not None:
        _check_picture(annotate, photos)
    scans, faults = _read_all(table, photos)
    if faults and len(photos) == 1:
        raise faults[0]
    if annotate is not None:
        from remi_ref.vision.annotate import annotate as draw

        draw(scans[0], annotate)
    drawn = (Section(Phrase("photo.annotated", {"file": annotate})),) if annotate else ()
    counts = {
        "tiles": sum(len(found.tiles) for found in scans),
        "photos": len(scans),
        "ms": round(sum(found.ms for found in scans)),
    }
    fields = {"photos": tuple(map(photo_fields, scans))}
    sections = (*map(section_of, scans), *drawn)
    rules = None if table.nothing_chosen else table.rules
    return [*faults, Answer("scan", rules, fields, Phrase("photo.scanned", counts), sections)]


def _check_picture(name: str, photos: Sequence[str]) -> None:
    """Refuses a name that is no picture's, and one under which a photo or a match is kept."""
    from remi_ref.match.disk import refuse_to_replace

    if Path(name).suffix.lower() != ".png":
        raise Unreadable("photo.annotate_kind", name=Path(name).name)
    refuse_to_replace(Path(name), *map(Path, photos))


@shown
def learn(photos: PhotosArgument, name: NameOption) -> Answer:
    """Learns the player's own box."""
    from remi_ref.vision.fitting import teach
    from remi_ref.vision.profile import save_profile

    profile, learned = teach(name, photos, readers())
    path = save_profile(profile)
    doubtful = tuple(f"{placed} ({looks})" for placed, looks in learned.doubtful)
    lines = [Phrase("photo.learn_missing", {"tiles": " ".join(learned.missing)})] if learned.missing else []
    lines += [Phrase("photo.learn_doubtful", {"tiles": ", ".join(doubtful)})] if doubtful else []
    fields = {"name": name, "file": str(path), "missing": learned.missing, "doubtful": learned.doubtful}
    headline = Phrase("photo.learned", {"name": name, "tiles": len(profile.texts)})
    return Answer("learn", None, fields, headline, (Section("", tuple(lines)),))


def _read_all(table: Table, photos: Sequence[str]) -> tuple[list["PhotoScan"], list[Unreadable]]:
    """Every photo, read; one that cannot be does not stop the others."""
    box = None if table.nothing_chosen else _box(table.rules)
    scans: list[PhotoScan] = []
    faults: list[Unreadable] = []
    hidden = len(photos) == 1 or not sys.stderr.isatty()
    with typer.progressbar(photos, file=sys.stderr, hidden=hidden) as bar:
        for photo in bar:
            try:
                scans.append(table.looking.scan(photo, box))
            except Unreadable as error:
                faults.append(error)
    return scans, faults


def _box(rules: Ruleset) -> "Box":
    from remi_ref.vision.box import Box

    return Box(rules.number("set.packs"), rules.jokers, rules.number("set.false_jokers"))
