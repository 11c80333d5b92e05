"""A photo is another keyboard: wherever tiles can be typed, the name of a picture file stands for what it shows.

Doubtful tiles give a photo several plausible readings. A judging command is run for every one of them; it answers only
when all give the same verdict, else it asks.
"""

from __future__ import annotations

import itertools
import math
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from remi_ref.answers.answer import Answer, Phrase, Said, Section
from remi_ref.errors import Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from remi_ref.vision.box import Box
    from remi_ref.vision.read import Readers
    from remi_ref.vision.scan import PhotoScan
    from remi_ref.yamltree import Node

MOST_READINGS = 64


class Seen(NamedTuple):
    """A photo with what it may show: one text for each plausible reading, the likeliest first; none when too many."""

    scan: PhotoScan
    texts: tuple[str, ...]


class Looking(NamedTuple):
    """How photos are read.

    Attributes:
        fixes: a player's corrections, ``3=A7`` each.
        profile: name of the player's own box, when he taught one.
    """

    fixes: tuple[str, ...] = ()
    profile: str | None = None

    def scan(self, path: str | Path, box: Box | None = None) -> PhotoScan:
        """Reads one photo, corrections applied.

        Raises:
            Unreadable: the photo, the profile or a correction cannot be read.
        """
        from remi_ref.vision.doubts import apply_fixes
        from remi_ref.vision.scan import scan_photo

        return apply_fixes(scan_photo(path, readers(self.profile), box), self.fixes)

    def refuse_if_idle(self) -> None:
        """Refuses what was said about a photo where there is none: whoever said it expects to be heard.

        Raises:
            Unreadable: so it is.
        """
        for option, said in (("--fix", self.fixes), ("--tiles", self.profile)):
            if said:
                raise Unreadable("photo.idle", option=option)

    def see(self, path: str | Path) -> Seen:
        """Reads one photo in every plausible way.

        Raises:
            Unreadable: it cannot be read, or shows no tile.
        """
        from remi_ref.vision.doubts import plausible_readings

        scan = self.scan(path)
        if not scan.tiles:
            raise Unreadable("photo.no_tiles", where=str(path))
        return Seen(scan, tuple(" | ".join(reading.rows) for reading in plausible_readings(scan, MOST_READINGS)))


@lru_cache(maxsize=1)
def readers(profile: str | None = None) -> Readers:
    """The networks, loaded once for all photos of a call, with what the player taught them of his box."""
    from remi_ref.vision.profile import load_profile
    from remi_ref.vision.scan import load_readers

    return load_readers(None if profile is None else load_profile(profile))


def is_photo(word: str) -> bool:
    """Whether a word names an existing picture file; no tile has a dot, so typed tiles cost nothing here."""
    if "." not in word:
        return False
    from remi_ref.vision.photo import is_photo as names_picture

    return names_picture(word)


# --- photos among the arguments --------------------------------------------------------------------------------------


def judge_words(judge: Callable[..., Any], given: Mapping[str, object], looking: Looking) -> Any:  # noqa: ANN401 - as judged
    """Runs a judging command on its arguments, each photo among them read in every plausible way."""
    photos = {word: looking.see(word) for word in dict.fromkeys(_words(given)) if is_photo(word)}
    if not photos:
        if not any(map(_is_file, _words(given))):  # a file may name a photo yet
            looking.refuse_if_idle()
        return judge(**given)
    _one_photo_to_fix(looking, len(photos))
    return _decided(lambda texts: judge(**{name: _typed(value, texts) for name, value in given.items()}), photos)


def _is_file(word: str) -> bool:
    try:
        return Path(word).is_file()
    except (OSError, ValueError):
        return False


def _words(given: Mapping[str, object]) -> Iterator[str]:
    for value in given.values():
        words = value if isinstance(value, list) else [value]
        yield from (word for word in words if isinstance(word, str))


def _typed(value: object, texts: Mapping[str, str]) -> object:
    """An argument with what its photos show."""
    if isinstance(value, str):
        return texts.get(value, value)
    return [_typed(item, texts) for item in value] if isinstance(value, list) else value


# --- photos in a file ------------------------------------------------------------------------------------------------


def judge_file(judge: Callable[[Node], Answer], root: Node, folder: Path, looking: Looking) -> Answer:
    """Judges a file's tree, each photo that it names (relative to its folder) read in every plausible way."""
    names = dict.fromkeys(text for text in _texts(root) if "." in text and is_photo(str(folder / text)))
    photos = {name: looking.see(folder / name) for name in names}
    if not photos:
        looking.refuse_if_idle()
        return judge(root)
    _one_photo_to_fix(looking, len(photos))
    return _decided(lambda texts: judge(_with_texts(root, texts)), photos)


def _texts(node: Node) -> Iterator[str]:
    if isinstance(node.value, str):
        yield node.value.strip()
    else:
        for part in node.value.values() if isinstance(node.value, dict) else node.value:
            yield from _texts(part)


def _with_texts(node: Node, texts: Mapping[str, str]) -> Node:
    """The tree with what its photos show."""
    if isinstance(node.value, str):
        return node._replace(value=texts.get(node.value.strip(), node.value))
    if isinstance(node.value, dict):
        return node._replace(value={key: _with_texts(part, texts) for key, part in node.value.items()})
    return node._replace(value=tuple(_with_texts(part, texts) for part in node.value))


# --- the same verdict for every reading ------------------------------------------------------------------------------


def _one_photo_to_fix(looking: Looking, count: int) -> None:
    if looking.fixes and count > 1:
        raise Unreadable("photo.fix_one", count=count)


def _decided(judge: Callable[[Mapping[str, str]], Answer], photos: Mapping[str, Seen]) -> Answer:
    """The answer to the likeliest reading, open when another plausible one is judged otherwise."""
    likeliest = judge({name: " | ".join(seen.scan.rows) for name, seen in photos.items()})
    sections = (*likeliest.sections, *(section_of(seen.scan) for seen in photos.values()))
    fields = {**likeliest.fields, "photos": tuple(photo_fields(seen.scan) for seen in photos.values())}
    answer = likeliest._replace(fields=fields, sections=sections)
    many = math.prod(len(seen.texts) for seen in photos.values())
    if not 0 < many <= MOST_READINGS or not _all_agree(judge, photos, likeliest.ok):
        return answer._replace(ok=None, headline=Phrase("photo.undecided"))
    return answer


def _all_agree(
    judge: Callable[[Mapping[str, str]], Answer],
    photos: Mapping[str, Seen],
    ok: bool | None,  # noqa: FBT001 - a verdict's truth value
) -> bool:
    for texts in itertools.product(*(seen.texts for seen in photos.values())):
        try:
            other = judge(dict(zip(photos, texts, strict=True)))
        except Unreadable:
            continue  # no box holds these tiles, so the photo does not show them
        if other.ok is not ok:
            return False
    return True


# --- what a photo shows ----------------------------------------------------------------------------------------------


def photo_fields(scan: PhotoScan) -> dict[str, object]:
    """A photo as scripts read it."""
    return {
        "file": scan.file,
        "tiles": tuple(
            {"tile": tile.text, "confidence": tile.confidence, "box": tile.box, "runner_up": tile.runner_up}
            for tile in scan.tiles
        ),
        "rows": scan.rows,
        "doubtful": scan.doubtful,
        "conflicts": tuple(_conflicts(scan)),
        "ms": scan.ms,
    }


def section_of(scan: PhotoScan) -> Section:
    """A photo as people see it: rows with the doubtful tiles marked, then what to look at."""
    rows: Sequence[Said] = scan.marked_rows or (Phrase("photo.nothing"),)
    return Section(Phrase("photo.read", {"file": scan.file}), (*rows, *_doubts(scan), *_conflicts(scan)))


def _doubts(scan: PhotoScan) -> Iterator[Phrase]:
    for number in scan.doubtful:
        tile = scan.tiles[number - 1]
        values = {"number": number, "tile": tile.text, "runner_up": tile.runner_up}
        yield Phrase("photo.doubtful" if tile.runner_up else "photo.doubtful_alone", values)


def _conflicts(scan: PhotoScan) -> Iterator[Phrase]:
    for conflict in scan.conflicts:
        values = {"number": conflict.tile + 1, "read": conflict.read, "taken": conflict.taken, "most": conflict.most}
        yield Phrase("photo.conflict" if conflict.read != conflict.taken else "photo.conflict_kept", values)
