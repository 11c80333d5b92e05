"""A photo is another keyboard: wherever tiles can be typed, the name of a picture file stands for what it shows.

Doubtful tiles give a photo several plausible readings. A judging command is run for every one of them; it answers only
when all give the same verdict, else it asks. The verdict is yes or no, and with it what else was asked for that a
player acts on (`Answer.upshot`): scores, what may be done, what a formation is worth. How a rack opens best, or which
tiles a box lacks, may differ from reading to reading; the likeliest is shown.
"""

from __future__ import annotations

import itertools
import math
import re
import shlex
from functools import lru_cache
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from remi_ref.answers.answer import Answer, Phrase, Said, Section
from remi_ref.errors import Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from remi_ref.rules.ruleset import Ruleset
    from remi_ref.vision.box import Box
    from remi_ref.vision.read import Readers
    from remi_ref.vision.scan import PhotoScan
    from remi_ref.yamltree import Node

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
        elsewhere: whether photos stand elsewhere, too, and a correction may be about one of those.
    """

    fixes: tuple[str, ...] = ()
    profile: str | None = None
    elsewhere: bool = False

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
            if said and not self.elsewhere:
                raise Unreadable("photo.idle", option=option)

    def check_fixes(self, files: Iterable[str]) -> None:
        """Refuses a correction of which it is not clear which photo it is about, or that is about none of these.

        Raises:
            Unreadable: so it is.
        """
        from remi_ref.vision.doubts import read_fix

        files = tuple(dict.fromkeys(files))
        for fix in map(read_fix, self.fixes):
            about = [file for file in files if fix.is_about(file)]
            if len(about) > 1 or (self.elsewhere and not fix.file):
                raise Unreadable(
                    "photo.fix_one", text=fix.text, example=f"{(about or files)[0]}:{fix.number}={fix.tile}"
                )
            if not about and not self.elsewhere:
                raise Unreadable("photo.fix_file", text=fix.text, files=", ".join(files))

    def see(self, paths: Mapping[str, Path], rules: Callable[[], Ruleset]) -> dict[str, Seen]:
        """Reads photos in every plausible way, each by the name it has in the input.

        Raises:
            Unreadable: one cannot be read, or shows no tile.
        """
        from remi_ref.vision.doubts import plausible_readings

        self.check_fixes(map(str, paths.values()))
        box, named, photos = box_of(rules()), self.elsewhere or len(paths) > 1, {}
        for name, path in paths.items():
            scan = self.scan(path, box)
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


def _with_tiles(text: str, texts: Mapping[str, str]) -> str:
    """A text with what its photos show in place of their names."""
    if "." not in text:
        return text
    return texts.get(text.strip()) or _WORD.sub(lambda word: texts.get(word[0], word[0]), text)


def refuse_picture(given: object) -> None:
    """Refuses a picture where no tiles are wanted but another file, or a word.

    Raises:
        Unreadable: so it is.
    """
    if isinstance(given, str) and "." in given:
        from remi_ref.vision.photo import SUFFIXES

        if Path(given).suffix.lower() in SUFFIXES:
            raise Unreadable("photo.not_here", where=given)


# --- photos among the arguments --------------------------------------------------------------------------------------


def judge_words(
    judge: Callable[..., Any], given: Mapping[str, object], looking: Looking, rules: Callable[[], Ruleset]
) -> Any:  # noqa: ANN401 - as judged
    """Runs a judging command on its arguments, each photo among them read in every plausible way.

    Args:
        judge: the command.
        given: arguments that tiles are typed in, by name.
        looking: how photos are read.
        rules: tells what the box holds; asked only where there is a photo.
    """
    names = dict.fromkeys(name for word in _words(given) for name in photo_names(word))
    if not names:
        looking.refuse_if_idle()
        return judge(**given)

    def judge_typed(texts: Mapping[str, str]) -> Answer:
        answer: Answer = judge(**{name: _typed(value, texts) for name, value in given.items()})
        return answer

    return judge_photos(judge_typed, {name: Path(name) for name in names}, looking, rules)


def _words(given: Mapping[str, object]) -> Iterator[str]:
    for value in given.values():
        words = value if isinstance(value, list) else [value]
        yield from (word for word in words if isinstance(word, str))


def _typed(value: object, texts: Mapping[str, str]) -> object:
    """An argument with what its photos show."""
    if isinstance(value, str):
        return _with_tiles(value, texts)
    return [_typed(item, texts) for item in value] if isinstance(value, list) else value


# --- photos in a file ------------------------------------------------------------------------------------------------


def judge_file(
    judge: Callable[[Node], Answer], root: Node, folder: Path, looking: Looking, rules: Callable[[], Ruleset]
) -> Answer:
    """Judges a file's tree, each photo that it names (relative to its folder) read in every plausible way."""
    names = names_in_file(root, folder)
    if not names:
        looking.refuse_if_idle()
        return judge(root)
    paths = {name: folder / name for name in names}
    return judge_photos(lambda texts: judge(_with_tiles_in(root, texts)), paths, looking, rules)


def names_in_file(root: Node, folder: Path) -> tuple[str, ...]:
    """The photos that a file names, each once.

    Raises:
        Unreadable: there is no such file; names the place, too.
    """
    found: dict[str, None] = {}
    for node in _scalars(root):
        try:
            found |= dict.fromkeys(photo_names(node.text, folder))
        except Unreadable as error:
            raise error.within(node.where) from error
    return tuple(found)


def _scalars(node: Node) -> Iterator[Node]:
    if isinstance(node.value, str):
        yield node
    else:
        for part in node.value.values() if isinstance(node.value, dict) else node.value:
            yield from _scalars(part)


def _with_tiles_in(node: Node, texts: Mapping[str, str]) -> Node:
    """The tree with what its photos show."""
    if isinstance(node.value, str):
        return node._replace(value=_with_tiles(node.value, texts))
    if isinstance(node.value, dict):
        return node._replace(value={key: _with_tiles_in(part, texts) for key, part in node.value.items()})
    return node._replace(value=tuple(_with_tiles_in(part, texts) for part in node.value))


def with_texts(data: bytes, texts: Mapping[str, str]) -> bytes:
    """A file's content with what its photos show in place of their names."""
    text = data.decode("utf-8-sig")
    for name, shown in texts.items():
        text = re.sub(rf"""(?<![^\s"',:{{\[|]){re.escape(name)}(?![^\s"',}}\]|])""", shown, text)
    return text.encode()


# --- the same verdict for every reading ------------------------------------------------------------------------------


def judge_photos(
    judge: Callable[[Mapping[str, str]], Answer],
    paths: Mapping[str, Path],
    looking: Looking,
    rules: Callable[[], Ruleset],
) -> Answer:
    """The answer to the likeliest reading that can be judged; open when another plausible one is judged otherwise.

    It is open, too, when the likeliest one itself cannot be judged, or when there are too many to judge them all.

    Args:
        judge: takes what each photo shows, as it would be typed.
        paths: the photos by the names they have in the input.
        looking: how they are read.
        rules: tells what the box holds.

    Raises:
        Unreadable: a photo cannot be read, or no reading can be judged; names what is doubtful.
    """
    photos = looking.see(paths, rules)
    judged = _judged_each(judge, photos)
    likeliest = next(judged)
    answer = next((each for each in itertools.chain([likeliest], judged) if isinstance(each, Answer)), None)
    if isinstance(likeliest, Unreadable) and answer is None:
        raise _none_fits(likeliest, photos)
    assert answer is not None  # noqa: S101 - the likeliest, or another
    sections = (*answer.sections, *(section_of(seen.scan, named=seen.named) for seen in photos.values()))
    before = answer.fields.get("photos", ())  # of a file, beside those among the arguments
    assert isinstance(before, tuple)  # noqa: S101 - as written below
    fields = {**answer.fields, "photos": (*before, *(photo_fields(seen.scan) for seen in photos.values()))}
    answer = answer._replace(fields=fields, sections=sections)
    if isinstance(likeliest, Unreadable):
        why = Section("", (Phrase(likeliest.code, likeliest.values),))
        return answer._replace(ok=None, headline=Phrase("photo.misread"), sections=(why, *sections))
    if not _few(photos):
        return answer._replace(ok=None, headline=Phrase("photo.many_doubts"))
    if any(_verdict(other) != _verdict(answer) for other in judged if isinstance(other, Answer)):
        return answer._replace(ok=None, headline=Phrase("photo.undecided"))
    return answer


def _judged_each(
    judge: Callable[[Mapping[str, str]], Answer], photos: Mapping[str, Seen]
) -> Iterator[Answer | Unreadable]:
    """The answer to every reading, the likeliest first, or why there is none: no box may hold these tiles."""
    each = [seen.texts if _few(photos) else (seen.text,) for seen in photos.values()]
    for texts in itertools.product(*each):
        try:
            yield judge(dict(zip(photos, texts, strict=True)))
        except Unreadable as error:
            yield error


def _few(photos: Mapping[str, Seen]) -> bool:
    """Whether every reading can be judged."""
    return 0 < math.prod(len(seen.texts) for seen in photos.values()) <= MOST_READINGS


def _verdict(answer: Answer) -> tuple[object, ...]:
    return answer.ok, answer.upshot


def _none_fits(error: Unreadable, photos: Mapping[str, Seen]) -> Unreadable:
    """Why the likeliest reading cannot be judged, with what is doubtful in the photos, if anything is."""
    doubts = [
        f"{seen.scan.file}: {', '.join(f'{tile.number} ({tile.text})' for tile in seen.scan.tiles if tile.doubtful)}"
        for seen in photos.values()
        if seen.scan.doubtful
    ]
    return Unreadable("photo.none_fits", problem=error, doubts="; ".join(doubts)) if doubts else error


# --- what a photo shows ----------------------------------------------------------------------------------------------


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


def section_of(scan: PhotoScan, *, named: bool = False) -> Section:
    """A photo as people see it: rows with the doubtful tiles marked, then what to look at.

    With ``named`` the corrections it proposes say which photo they are about.
    """
    rows: Sequence[Said] = scan.marked_rows or (Phrase("photo.nothing"),)
    lines = (*rows, *_doubts(scan, named=named), *_conflicts(scan))
    return Section(Phrase("photo.read", {"file": scan.file}), lines)


def _doubts(scan: PhotoScan, *, named: bool) -> Iterator[Phrase]:
    from remi_ref.vision.box import NO_TILE
    from remi_ref.vision.doubts import plausible

    if any(tile.any_colour for tile in scan.tiles):
        yield Phrase("photo.colourless")
    for tile in filter(attrgetter("doubtful"), scan.tiles):
        fix = shlex.quote(f"{scan.file}:{tile.number}") if named else str(tile.number)
        values = {"number": tile.number, "tile": tile.text, "runner_up": tile.runner_up, "fix": fix}
        if not tile.any_colour:
            yield Phrase("photo.doubtful" if tile.runner_up else "photo.doubtful_alone", values)
        if NO_TILE in plausible(tile):
            yield Phrase("photo.doubtful_none", values)


def _conflicts(scan: PhotoScan) -> Iterator[Phrase]:
    for conflict in scan.conflicts:
        number = scan.tiles[conflict.tile].number
        values = {"number": number, "read": conflict.read, "taken": conflict.taken, "most": conflict.most}
        code = "photo.conflict" if conflict.read != conflict.taken else "photo.conflict_kept"
        yield Phrase(code if conflict.most else f"{code}_none", values)
