"""A photo is another keyboard: wherever tiles can be typed, the name of a picture file stands for what it shows.

Doubtful tiles give a photo several plausible readings. A judging command is run for every one of them; it answers only
when all give the same verdict, else it asks. The verdict is yes or no, and with it what else was asked for that a
player acts on (`Answer.upshot`): scores, what may be done, what a formation is worth. How a rack opens best, or which
tiles a box lacks, may differ from reading to reading; the likeliest is shown.
"""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from remi_ref.answers.answer import Answer, Phrase, Section
from remi_ref.cli.looking import MOST_READINGS, photo_names, with_tiles
from remi_ref.cli.photoanswers import photo_fields, section_of
from remi_ref.errors import Unreadable
from remi_ref.yamltree import rewritten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from remi_ref.cli.looking import Looking, Seen
    from remi_ref.rules.ruleset import Ruleset
    from remi_ref.yamltree import Node


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
        return with_tiles(value, texts)
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


def photos_of(path: Path) -> tuple[str, ...]:
    """The photos that the file of a turn or a round names; none of a pipe, which can be read but once."""
    from remi_ref.play.roundtext import load_tree

    names = names_in_file(load_tree(path), path.parent) if path.is_file() else ()
    return tuple(str(path.parent / name) for name in names)


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
        return node._replace(value=with_tiles(node.value, texts))
    if isinstance(node.value, dict):
        return node._replace(value={key: _with_tiles_in(part, texts) for key, part in node.value.items()})
    return node._replace(value=tuple(_with_tiles_in(part, texts) for part in node.value))


def with_texts(data: bytes, path: Path, texts: Mapping[str, str]) -> bytes:
    """A file's content with what its photos show in place of their names."""
    from remi_ref.play.roundtext import is_round_text, renamed

    text = data.decode("utf-8-sig")
    if is_round_text(data, path.name):
        return renamed(text, texts).encode()
    return rewritten(text, lambda scalar: with_tiles(scalar, texts)).encode()


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
    faults: list[Unreadable] = []
    for answer in judged:
        if isinstance(answer, Answer):
            break
        faults.append(answer)
    else:
        raise _none_fits(faults, photos)
    sections = (*answer.sections, *(section_of(seen.scan, named=seen.named) for seen in photos.values()))
    before = answer.fields.get("photos", ())  # of a file, beside those among the arguments
    assert isinstance(before, tuple)  # noqa: S101 - as written below
    fields = {**answer.fields, "photos": (*before, *(photo_fields(seen.scan) for seen in photos.values()))}
    answer = answer._replace(fields=fields, sections=sections)
    if faults:
        why = Section("", (Phrase(faults[0].code, faults[0].values),))
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


_COPIES = {"tiles.too_many_copies", "round.copies"}
"""Faults of a tile that is there too often: what the box cannot hold is read in no other way."""


def _none_fits(faults: Sequence[Unreadable], photos: Mapping[str, Seen]) -> Unreadable:
    """Why the likeliest reading cannot be judged, with what is doubtful in the photos, where that may be why."""
    first = faults[0]
    same = all((fault.code, fault.where, fault.values) == (first.code, first.where, first.values) for fault in faults)
    doubts = [
        f"{seen.scan.file}: {', '.join(f'{tile.number} ({tile.text})' for tile in seen.scan.tiles if tile.doubtful)}"
        for seen in photos.values()
        if seen.scan.doubtful
    ]
    if not doubts or (same and first.code not in _COPIES):
        return first
    named = any(seen.named for seen in photos.values())
    return Unreadable(f"photo.none_fits{'_named' if named else ''}", problem=first, doubts="; ".join(doubts))
