"""Commands about photos themselves: which tiles are in them, and learning one's own box."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from remi_ref.answers.answer import Answer, Phrase, Section
from remi_ref.cli.looking import Looking, readers, refuse_picture
from remi_ref.cli.photoanswers import photo_fields, section_of
from remi_ref.cli.table import Result, Table, shown, with_photos_kept
from remi_ref.errors import Unreadable

if TYPE_CHECKING:
    from remi_ref.rules.ruleset import Ruleset
    from remi_ref.vision.scan import PhotoScan

PhotosArgument = Annotated[list[str], typer.Argument(metavar="PHOTO...")]
AnnotateOption = Annotated[str | None, typer.Option("--annotate", metavar="OUT.png")]
NameOption = Annotated[str, typer.Option("--name", metavar="NAME")]


@with_photos_kept
def scan(table: Table, photos: PhotosArgument, annotate: AnnotateOption = None) -> Result:
    """Which tiles are in the photos?"""
    refuse_picture(table.turned_text)
    table.looking.check_fixes(photos)
    if annotate is not None:
        _check_picture(annotate, photos)
    rules = None if table.nothing_said else table.deal.rules
    scans, faults = _read_all(table.looking, photos, rules)
    if faults and len(photos) == 1:
        raise faults[0]
    if annotate is not None:
        from remi_ref.match.disk import put_file
        from remi_ref.vision.annotate import annotated

        put_file(Path(annotate), annotated(scans[0]))
    drawn = (Section(Phrase("photo.annotated", {"file": annotate})),) if annotate else ()
    counts = {
        "tiles": sum(len(found.tiles) for found in scans),
        "photos": len(scans),
        "ms": round(sum(found.ms for found in scans)),
    }
    fields = {"photos": tuple(map(photo_fields, scans))}
    sections = (*(section_of(found, named=len(photos) > 1) for found in scans), *drawn)
    return [*faults, Answer("scan", rules, fields, Phrase("photo.scanned", counts), sections)]


def _check_picture(name: str, photos: Sequence[str]) -> None:
    """Refuses a name that is no picture's, one under which a photo or a match is kept, and one for several photos."""
    from remi_ref.match.disk import refuse_to_replace

    if len(photos) > 1:
        raise Unreadable("photo.annotate_one", count=len(photos))
    if Path(name).suffix.lower() != ".png":
        raise Unreadable("photo.annotate_kind", name=Path(name).name)
    refuse_to_replace(Path(name), *map(Path, photos))


@shown
def learn(photos: PhotosArgument, name: NameOption) -> Answer:
    """Learns the player's own box."""
    loaded = readers()  # says what is wrong where OpenCV cannot load, before anything else asks for it
    from remi_ref.vision.fitting import teach
    from remi_ref.vision.profile import save_profile

    profile, learned = teach(name, photos, loaded)
    path = save_profile(profile)
    doubtful = tuple(f"{placed} ({looks})" for placed, looks in learned.doubtful)
    lines = [Phrase("photo.learn_missing", {"tiles": " ".join(learned.missing)})] if learned.missing else []
    lines += [Phrase("photo.learn_doubtful", {"tiles": ", ".join(doubtful)})] if doubtful else []
    fields = {"name": name, "file": str(path), "missing": learned.missing, "doubtful": learned.doubtful}
    headline = Phrase("photo.learned", {"name": name, "tiles": len(profile.texts)})
    return Answer("learn", None, fields, headline, (Section("", tuple(lines)),))


def _read_all(
    looking: Looking, photos: Sequence[str], rules: "Ruleset | None"
) -> tuple[list["PhotoScan"], list[Unreadable]]:
    """Every photo, read; one that cannot be does not stop the others."""
    scans: list[PhotoScan] = []
    faults: list[Unreadable] = []
    hidden = len(photos) == 1 or not sys.stderr.isatty()
    with typer.progressbar(photos, file=sys.stderr, hidden=hidden) as bar:
        for photo in bar:
            try:
                scans.append(looking.scan(photo, photos, rules))
            except Unreadable as error:
                faults.append(error)
    return scans, faults
