"""Who sits at the table of a round, in the order in which they play."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from remi_ref.errors import Unreadable
from remi_ref.play.fields import checked_name, read_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from remi_ref.yamltree import Node


def read_seats(keys: Mapping[str, Node]) -> tuple[str, ...]:
    """The players as listed; without a list, in the order in which they are named.

    Raises:
        Unreadable: somebody plays, or is spoken of, who is not listed.
    """
    listed = [read_name(node) for node in keys["players"].items] if "players" in keys else []
    named: dict[str, str] = {}
    for name, where in chain(_who_play(keys), _who_are_spoken_of(keys)):
        named.setdefault(name, where)
    known = dict.fromkeys([*listed, *named])
    if "starter" in keys:
        named.setdefault(read_name(keys["starter"]), keys["starter"].where)
    for name, where in named.items():
        if name not in (listed or known):
            raise Unreadable("play.not_seated", where=where, player=name)
    return tuple(known)


def _who_play(keys: Mapping[str, Node]) -> Iterator[tuple[str, str]]:
    """Names with their places."""
    for turn in keys["turns"].items:
        if "player" in turn.mapping:
            yield read_name(turn.mapping["player"]), turn.where


def _who_are_spoken_of(keys: Mapping[str, Node]) -> Iterator[tuple[str, str]]:
    """The same of those whose hand or opening is told."""
    told = [keys[key] for key in ("hands", "opened", "others") if key in keys]
    told += [turn.mapping["others"] for turn in keys["turns"].items if "others" in turn.mapping]
    for node in told:
        yield from ((checked_name(name, value), value.where) for name, value in node.mapping.items())
