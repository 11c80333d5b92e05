"""YAML read strictly: every value keeps its line, and nothing is guessed.

PyYAML's own loaders keep the last of two equal keys, read ``no`` as False, ``010`` as 8 and ``1:30`` as 90. Here every
scalar stays the text that stands in the file; whoever knows the field gives it a type. Anchors, aliases and tags are
refused, so are files that are too long or too deep, before anything is built.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

import yaml

from remi_ref.errors import Unreadable, missing_file, nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from pathlib import Path

Raw = str | tuple["Raw", ...] | dict[str, "Raw"]
"""What stands in a file before a knob gives it a type: text, a list, or a mapping."""

MAX_BYTES = 512 * 1024
MAX_DEPTH = 12
MAX_NODES = 60_000

_UNSEEN = "[\x00-\x08\x0b-\x1f\x7f-\x9f]"  # what moves a terminal's cursor or rings its bell; no text needs it

_LOADER: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # same events, ten times faster


class Node(NamedTuple):
    """A value of a YAML file with the place where it stands.

    Attributes:
        value: text of a scalar, a tuple of nodes, or a mapping of key to node.
        where: ``file:line``.
        empty: a plain scalar with nothing in it (``hand:`` and no more).
    """

    value: str | tuple[Node, ...] | dict[str, Node]
    where: str
    empty: bool = False

    @property
    def text(self) -> str:
        """The scalar's text."""
        if isinstance(self.value, str):
            return self.value
        raise Unreadable("file.text_wanted", where=self.where)

    @property
    def name(self) -> str:
        """The scalar's text as a player's name."""
        return plain_name(self.text)

    @property
    def items(self) -> tuple[Node, ...]:
        """The list's items."""
        if isinstance(self.value, tuple):
            return self.value
        if self.empty:
            return ()
        raise Unreadable("file.list_wanted", where=self.where)

    @property
    def mapping(self) -> dict[str, Node]:
        """The mapping, keys in file order."""
        if isinstance(self.value, dict):
            return self.value
        if self.empty:
            return {}
        raise Unreadable("file.mapping_wanted", where=self.where)

    def keys(self, known: Collection[str]) -> dict[str, Node]:
        """The mapping, with every key one of ``known``; another is named with the nearest."""
        for key, node in self.mapping.items():
            if key not in known:
                raise Unreadable("file.unknown_key", where=node.where, key=key, nearest=nearest(key, sorted(known)))
        return self.mapping

    @property
    def raw(self) -> Raw:
        """Without the places: text, tuples and dicts."""
        if isinstance(self.value, str):
            return self.value
        if isinstance(self.value, tuple):
            return tuple(item.raw for item in self.value)
        return {key: node.raw for key, node in self.value.items()}


def plain_name(text: str) -> str:
    """A name without the spaces around it; an accent that was typed as a letter of its own is the same name."""
    return unicodedata.normalize("NFC", text.strip())


def load_file(path: Path) -> Node:
    """Reads a YAML file.

    Raises:
        Unreadable: missing, too big, not UTF-8, not YAML, or YAML of the refused kinds; names file and line.
    """
    return load_text(read_bytes(path), str(path))


def read_bytes(path: Path, most: int = MAX_BYTES) -> bytes:
    """A file's content.

    Raises:
        Unreadable: missing, not to be opened, or longer than ``most`` bytes.
    """
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except FileNotFoundError as error:
        raise missing_file(path) from error
    except (OSError, ValueError) as error:
        raise _cannot_open(path, error) from error
    if len(data) > most:
        raise Unreadable("file.too_big", where=str(path), most=most // 1024)
    return data


def resolved(path: Path) -> Path:
    """Where a path leads.

    Raises:
        Unreadable: nowhere: a circle of links, or no path at all.
    """
    try:
        return path.resolve()
    except (OSError, ValueError, RuntimeError) as error:
        raise _cannot_open(path, error) from error


def _cannot_open(path: Path, error: Exception) -> Unreadable:
    return Unreadable("file.cannot_open", where=str(path), problem=getattr(error, "strerror", None) or str(error))


def load_text(data: bytes | str, name: str) -> Node:
    """Reads YAML from text; ``name`` is how errors call it."""
    if isinstance(data, bytes):
        try:
            data = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = error.object[: error.start].count(b"\n") + 1
            raise Unreadable("file.not_utf8", where=f"{name}:{line}") from error
    try:
        return _Builder(name).build(data)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{name}:{mark.line + 1}" if mark else name
        problem = getattr(error, "problem", None) or str(getattr(error, "reason", "YAML"))
        raise Unreadable("file.yaml", where=where, problem=problem) from error


def rewritten(text: str, change: Callable[[str], str]) -> str:
    """YAML with its scalars changed, each quoted where it stood; all else, comments too, stays as it is."""
    import json

    parts, end = [], 0
    for event in yaml.parse(text, Loader=_LOADER):
        if isinstance(event, yaml.ScalarEvent) and (changed := change(event.value)) != event.value:
            assert event.start_mark and event.end_mark  # noqa: S101, PT018 - as parsed
            start, before = event.start_mark.index, end
            end = start + len(text[start : event.end_mark.index].rstrip())  # a block ends in the next line
            parts += [text[before:start], json.dumps(changed, ensure_ascii=False)]
    return "".join([*parts, text[end:]])


class _Builder:
    """Builds the tree from parser events with its own stack, so that no file can exhaust Python's."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.stack: list[tuple[Node, list[Node]]] = []
        self.root: Node | None = None
        self.count = 0

    def build(self, text: str) -> Node:
        for event in yaml.parse(text, Loader=_LOADER):
            self._take(event)
        return self.root or Node("", f"{self.name}:1", empty=True)

    def _take(self, event: yaml.Event) -> None:
        if isinstance(event, yaml.ScalarEvent):
            if event.anchor or event.tag:
                raise self._refused(event)
            if not event.value.isprintable() and re.search(_UNSEEN, event.value):
                raise Unreadable("file.unseen", where=self._where(event))
            plain_empty = event.style is None and event.value in ("", "~", "null")
            self._add(Node("" if plain_empty else event.value, self._where(event), empty=plain_empty))
        elif isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
            if event.anchor or event.tag:
                raise self._refused(event)
            self._open(event, self._where(event))
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            self._close()
        elif isinstance(event, yaml.AliasEvent):
            raise self._refused(event)
        elif isinstance(event, yaml.DocumentStartEvent) and self.root is not None:
            raise Unreadable("file.two_documents", where=self._where(event))

    def _where(self, event: yaml.Event) -> str:
        mark = event.start_mark
        return f"{self.name}:{mark.line + 1}" if mark else self.name

    def _refused(self, event: yaml.NodeEvent) -> Unreadable:
        """The fault of an anchor, a reference or a tag."""
        tag = getattr(event, "tag", None)
        if tag and not event.anchor:
            return Unreadable("file.tag", where=self._where(event), tag=tag)
        return Unreadable("file.alias", where=self._where(event))

    def _open(self, event: yaml.Event, where: str) -> None:
        if len(self.stack) >= MAX_DEPTH:
            raise Unreadable("file.too_deep", where=where, most=MAX_DEPTH)
        shape: tuple[Node, ...] | dict[str, Node] = {} if isinstance(event, yaml.MappingStartEvent) else ()
        self.stack.append((Node(shape, where), []))

    def _close(self) -> None:
        opened, parts = self.stack.pop()
        if isinstance(opened.value, tuple):
            self._add(Node(tuple(parts), opened.where))
            return
        mapping: dict[str, Node] = {}
        for key, value in zip(parts[::2], parts[1::2], strict=True):
            text = unicodedata.normalize("NFC", key.text)
            if text in mapping:
                raise Unreadable("file.duplicate_key", where=key.where, key=text)
            mapping[text] = Node(value.value, key.where, value.empty)
        self._add(Node(mapping, opened.where))

    def _add(self, node: Node) -> None:
        self.count += 1
        if self.count > MAX_NODES:
            raise Unreadable("file.too_many_values", where=node.where, most=MAX_NODES)
        if self.stack:
            self.stack[-1][1].append(node)
        else:
            self.root = node
