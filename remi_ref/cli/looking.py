"""How photos are read for a command: which names are pictures, what the player corrects, what each photo may show."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remi_ref.errors import Unreadable
from remi_ref.notation import DEFAULT_SPELLINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from remi_ref.rules.ruleset import Ruleset
    from remi_ref.vision.box import Box
    from remi_ref.vision.read import Readers
    from remi_ref.vision.scan import PhotoScan

MOST_READINGS = 64

_WORD = re.compile(r"[^\s,|]+")


class Seen(NamedTuple):
    """A photo with what it may show.

    Attributes:
        scan: the likeliest reading.
        texts: one for each plausible reading, the likeliest first; none when there are too many.
        named: whether a correction must say which photo it is about, as there are several.
    """

    scan: PhotoScan
    texts: tuple[str, ...]
    named: bool

    @property
    def text(self) -> str:
        """What the likeliest reading says, as it would be typed."""
        return _as_typed(self.scan)


class Looking(NamedTuple):
    """How photos are read.

    Attributes:
        fixes: a player's corrections, ``3=A7`` or ``rack.jpg:3=A7`` each.
        profile: name of the player's own box, when he taught one.
        photos: all photos of the call, where not all are read at one place; a correction may be about any.
        more: whether others may follow, and a proposed correction must say which photo it is about.
    """

    fixes: tuple[str, ...] = ()
    profile: str | None = None
    photos: tuple[str, ...] = ()
    more: bool = False

    def scan(self, path: str | Path, among: Sequence[str], rules: Ruleset | None = None) -> PhotoScan:
        """Reads one photo ``among`` all, corrections applied.

        Raises:
            Unreadable: the photo, the profile or a correction cannot be read.
        """
        from remi_ref.vision.doubts import apply_fixes
        from remi_ref.vision.scan import scan_photo

        scan = scan_photo(path, readers(self.profile), None if rules is None else box_of(rules))
        return apply_fixes(scan, self.fixes, DEFAULT_SPELLINGS if rules is None else rules.spellings, among)

    def refuse_if_idle(self) -> None:
        """Refuses what was said about a photo where there is none: whoever said it expects to be heard.

        Raises:
            Unreadable: so it is.
        """
        for option, said in (("--fix", self.fixes), ("--tiles", self.profile)):
            if said and not self.photos:
                raise Unreadable("photo.idle", option=option)

    def for_all(self, texts: Iterable[str]) -> Looking:
        """The same for texts that are judged one by one: what is said about photos is about one of theirs.

        Raises:
            Unreadable: it is not.
        """
        photos: list[str] = []
        for text in texts:
            with suppress(Unreadable):  # as is told where the text is judged
                photos += photo_names(text)
        known = self._replace(photos=tuple(photos), more=False)
        known.refuse_if_idle()
        known.check_fixes(known.photos)
        return known

    def check_fixes(self, files: Sequence[str]) -> None:
        """Refuses a correction of which it is not clear which photo it is about, or that is about none of these.

        Raises:
            Unreadable: so it is.
        """
        from remi_ref.vision.doubts import read_fix

        for fix in map(read_fix, self.fixes):
            about = [file for file in dict.fromkeys(files) if fix.is_about(file, files)]
            if not about:
                raise Unreadable("photo.fix_file", text=fix.text, files=", ".join(dict.fromkeys(files)))
            if len(about) > 1:
                raise Unreadable("photo.fix_one", text=fix.text, example=f"{about[0]}:{fix.number}={fix.tile}")

    def see(self, paths: Mapping[str, Path], rules: Callable[[], Ruleset]) -> dict[str, Seen]:
        """Reads photos in every plausible way, each by the name it has in the input.

        Raises:
            Unreadable: one cannot be read, or shows no tile.
        """
        from remi_ref.vision.doubts import plausible_readings

        among, photos = self.photos or tuple(map(str, paths.values())), {}
        self.check_fixes(among)
        named = self.more or len(set(among)) > 1
        for name, path in paths.items():
            scan = self.scan(path, among, rules())
            if not scan.tiles:
                raise Unreadable("photo.no_tiles", where=str(path))
            photos[name] = Seen(scan, tuple(map(_as_typed, plausible_readings(scan, MOST_READINGS))), named)
        return photos


def _as_typed(scan: PhotoScan) -> str:
    return " | ".join(scan.rows)


@lru_cache(maxsize=1)
def readers(profile: str | None = None) -> Readers:
    """The networks, loaded once for all photos of a call, with what the player taught them of his box."""
    from remi_ref.vision.profile import load_profile
    from remi_ref.vision.scan import load_readers

    return load_readers(None if profile is None else load_profile(profile))


def box_of(rules: Ruleset) -> Box:
    """What readings are held against at a table with these rules."""
    from remi_ref.vision.box import Box

    return Box(rules.number("set.packs"), rules.jokers, rules.number("set.false_jokers"))


def photo_names(text: str, folder: Path = Path()) -> tuple[str, ...]:
    """The picture files that a text names: it is the name of one, or words of it are.

    No tile has a dot, so typed tiles cost nothing here.

    Raises:
        Unreadable: it is the name of a picture, but there is no such file; names one that is like it.
    """
    if "." not in text:
        return ()
    from remi_ref.vision.photo import is_photo

    words = [text.strip()] if _is_file(folder / text.strip()) else _WORD.findall(text)
    return tuple(word for word in words if "." in word and is_photo(str(folder / word)))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def with_tiles(text: str, texts: Mapping[str, str]) -> str:
    """A text with what its photos show in place of their names."""
    if "." not in text:
        return text
    return texts.get(text.strip()) or _WORD.sub(lambda word: texts.get(word[0], word[0]), text)


def refuse_picture(given: object, *, made: bool = False) -> None:
    """Refuses a picture where no tiles are wanted but another file, or a word; also as the name of one to be ``made``.

    Raises:
        Unreadable: so it is, or it is the name of a picture that is not there.
    """
    if isinstance(given, str) and "." in given:
        from remi_ref.vision.photo import SUFFIXES, is_photo

        if Path(given).suffix.lower() in SUFFIXES if made else is_photo(given):
            raise Unreadable("photo.not_here", where=given)
