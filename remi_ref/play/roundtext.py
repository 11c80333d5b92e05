"""A whole round as a short text, to be kept and argued about later; what is written reads back to the same value.

The head says what the table was, one fact a line; after an empty line every turn is one line, its player and what he
did (`movetext` has the signs)::

    rules: remi-etalat
    set opening.points: 51
    turned: A7
    players: Ana, Dan
    starter: Ana
    hand Ana: R4 R5 ...
    table Dan: R10 J R12
    row: A3 R12

    Ana: -A2
    Dan: ?R6 (R10 R11 R12 | N5 A5 G5) +R13>R10 R11 R12; -N9
    Ana: [R4 R5 N9] {turn: 2; opened Dan: melds; row: N9} ?R6 -N9

What a turn tells of the table before it stands in front of its moves: the hand in brackets, other facts in braces.

Public interface: ``read_text(text, name) -> Node`` reads it into the tree that the same round would have in YAML;
``load_tree(path) -> Node`` reads a file in either form; ``is_round_text(data, name)`` tells them apart.
`roundwriting` writes both forms.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from remi_ref.errors import Unreadable, nearest
from remi_ref.play.movetext import read_moves
from remi_ref.yamltree import MAX_BYTES, Node, load_text, plain_name, read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

SUFFIX = ".remi"
HEAD = ("rules", "set", "turned", "players", "starter", "stock", "row", "hand", "opened", "table")
TOLD = ("turn", "starter", "opened", "button-used", "previous", "previous-pairs", "table", "row")
_MAPPINGS = {"set": "set", "hand": "hands", "opened": "opened"}
# In YAML the players are a mapping or a list in brackets; in the short text their names follow.
_PLAYERS = re.compile(rb"^players:[ \t]+[^\s{\[#]", re.MULTILINE)
_TURN = re.compile(r"\s*(?:\[(?P<hand>[^\]]*)\])?\s*(?:\{(?P<told>[^}]*)\})?(?P<moves>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Line:
    """A line with its place."""

    text: str
    where: str


@dataclass(frozen=True, slots=True)
class _Fact:
    """A line of the head: ``hand Ana: R4 R5`` has key, whose and value."""

    key: str
    whose: str
    value: Node


def load_tree(path: Path) -> Node:
    """Reads a turn file or a round, in YAML or in the short text.

    Raises:
        Unreadable: as `yamltree.load_file` and `read_text`.
    """
    return tree_of(read_bytes(path), path)


def tree_of(data: bytes, path: Path) -> Node:
    """The same of what a file holds."""
    return read_text(data, str(path)) if is_round_text(data, path.name) else load_text(data, str(path))


def is_round_text(data: bytes, name: str = "") -> bool:
    """Whether a file holds the short text: by its name, else by how it names the players."""
    return name.endswith(SUFFIX) or _PLAYERS.search(data) is not None


def renamed(text: str, names: Mapping[str, str]) -> str:
    """The text with other words in place of these, wherever they stand between its signs; comments stay as they are."""
    words = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    word = re.compile(rf"(?<![^\s,:|(\[{{?^+*>=-])(?:{words})(?![^\s,;|)\]}}>/])")
    lines = text.splitlines(keepends=True)
    return "".join(line if line.startswith("#") else word.sub(lambda m: names[m[0]], line) for line in lines)


def read_text(data: bytes | str, name: str) -> Node:
    """Reads a round from its text.

    Args:
        data: the notation.
        name: how errors call it.

    Raises:
        Unreadable: with the line, what stands there and what may stand there.
    """
    if len(data) > MAX_BYTES:
        raise Unreadable("file.too_big", where=name, most=MAX_BYTES // 1024)
    head, turns = _lines(_decoded(data, name), name)
    root = _facts_tree([_fact(line, HEAD) for line in head], name)
    if "players" in root:
        players = root["players"]
        names = tuple(dict.fromkeys(plain_name(part) for part in players.text.split(",") if part.strip()))
        root["players"] = Node(tuple(Node(player, players.where) for player in names), players.where)
    items = tuple(_turn(line) for line in turns)
    root["turns"] = Node(items, items[0].where if items else name)
    return Node(root, f"{name}:1")


def _decoded(data: bytes | str, name: str) -> str:
    if isinstance(data, str):
        return data
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise Unreadable("file.not_utf8", where=f"{name}:{line}") from error


def _lines(text: str, name: str) -> tuple[list[_Line], list[_Line]]:
    """The head down to the first empty line, and the turns after it; lines that begin with ``#`` say nothing."""
    head: list[_Line] = []
    turns: list[_Line] = []
    part = head
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip() and not line.startswith("#"):
            part.append(_Line(line.strip(), f"{name}:{number}"))
        elif head and not line.strip():
            part = turns
    return head, turns


def _fact(line: _Line, known: tuple[str, ...]) -> _Fact:
    left, colon, value = line.text.partition(":")
    key, _, whose = left.strip().partition(" ")
    if not colon or key not in known:
        raise Unreadable("play.head", where=line.where, given=left[:40], nearest=nearest(key, known))
    return _Fact(key, plain_name(whose), Node(value.strip(), line.where, empty=not value.strip()))


def _facts_tree(facts: Iterable[_Fact], where: str) -> dict[str, Node]:
    """The facts as a turn file would have them: hands and openings by player, formations in a list."""
    tree: dict[str, Node] = {}
    for fact in facts:
        place = fact.value.where or where
        if fact.key == "table":
            before = tree["table"].items if "table" in tree else ()
            tree["table"] = Node((*before, *_formation(fact)), place)
            continue
        key = _MAPPINGS.get(fact.key, fact.key) if fact.whose else fact.key
        told = {**(tree[key].mapping if key in tree else {})} if fact.whose else {}
        if fact.whose in told or (not fact.whose and key in tree):
            raise Unreadable("file.duplicate_key", where=place, key=f"{fact.key} {fact.whose}".strip())
        tree[key] = Node({**told, fact.whose: fact.value}, place) if fact.whose else fact.value
    return tree


def _formation(fact: _Fact) -> Iterator[Node]:
    """One formation; none where the line only says that the table is empty."""
    if not fact.value.empty:
        owner = {"owner": Node(fact.whose, fact.value.where)} if fact.whose else {}
        yield Node({**owner, "meld": fact.value}, fact.value.where)


def _turn(line: _Line) -> Node:
    player, colon, text = line.text.partition(":")
    parts = _TURN.fullmatch(text)
    if not colon or parts is None:
        raise Unreadable("play.turn_line", where=line.where, given=line.text[:40])
    told = [_fact(_Line(part.strip(), line.where), TOLD) for part in (parts["told"] or "").split(";") if part.strip()]
    others = [_Fact("others", fact.whose, fact.value) for fact in told if fact.key == "opened" and fact.whose]
    tree = _facts_tree([*(fact for fact in told if fact.key != "opened" or not fact.whose), *others], line.where)
    if parts["hand"] is not None:
        tree["hand"] = Node(parts["hand"].strip(), line.where)
    tree["player"] = Node(player.strip(), line.where)
    tree["actions"] = Node(tuple(read_moves(parts["moves"], line.where)), line.where)
    return Node(tree, line.where)
