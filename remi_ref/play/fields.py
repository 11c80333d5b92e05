"""The small values of a turn file: a name, a number, a word, yes or no; each fault with its line."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from remi_ref.errors import Unreadable, nearest
from remi_ref.score.finished import Opened

if TYPE_CHECKING:
    from collections.abc import Callable

    from remi_ref.yamltree import Node

_LONGEST_NAME = 40

T = TypeVar("T")


def with_place(where: str, do: Callable[[], T]) -> T:
    """Does something; a fault that has no place of its own gets this one."""
    try:
        return do()
    except Unreadable as error:
        raise error.at(where) from error


def read_name(node: Node) -> str:
    """A player's name."""
    return checked_name(node.name, node)


def checked_name(name: str, node: Node) -> str:
    """The same of a name that is a key: not empty, one line, not endless."""
    if not name or len(name) > _LONGEST_NAME or not name.isprintable():
        raise Unreadable("turn.name", where=node.where, most=_LONGEST_NAME)
    return name


def read_number(node: Node, least: int) -> int:
    """A whole number, ``least`` or more."""
    text = node.text
    if not (text.isascii() and text.isdigit() and len(text) <= 5 and int(text) >= least):
        raise Unreadable("turn.number", where=node.where, given=text[:40], least=least)
    return int(text)


def read_word(node: Node, known: tuple[str, ...]) -> str:
    """One of a few words."""
    if node.text not in known:
        raise Unreadable(
            "turn.word",
            where=node.where,
            given=node.text[:40],
            allowed=", ".join(known),
            nearest=nearest(node.text, known),
        )
    return node.text


def read_flag(node: Node) -> bool:
    """Yes or no."""
    return read_word(node, ("true", "false", "yes", "no")) in {"true", "yes"}


def read_opened(node: Node) -> Opened:
    """Whether and how somebody has opened."""
    if node.text.lower() in {"false", "nu"}:
        return Opened.NO
    return Opened(read_word(node, tuple(Opened)))


def read_players_opened(node: Node) -> tuple[tuple[str, Opened], ...]:
    """The same of several players."""
    return tuple((checked_name(name, value), read_opened(value)) for name, value in node.mapping.items())


def read_keys(node: Node, names: tuple[str, ...]) -> dict[str, Node]:
    """A mapping that must have all of these keys and no other."""
    keys = node.keys(names)
    for name in names:
        if name not in keys:
            raise Unreadable("turn.key_missing", where=node.where, key=name)
    return keys


def differs(key: str, said: object, known: object, where: str) -> Unreadable:
    """What a turn tells is not what the rest of the round says."""
    return Unreadable("play.differs", where=where, key=key, said=str(said) or "-", known=str(known) or "-")
