"""What is done in a turn, in the short text.

====================  =====================================================
``?`` or ``?R6``      draws from the stock; the tile when it is known
``?button``           the joker button in place of the draw
``^R6`` ``^R6/3``     takes from the discards; the third from the top
``^atu A7``           takes the turned tile
``(R4 R5 R6 | ...)``  lays formations
``+R9>R6 R7 R8;``     lays R9 off there
``*R11>R10 J R12;``   puts R11 in the joker's place
``!show R4``          shows the indicator's twin
``!atu`` ``!three``   announces
``-A2`` ``=A2``       discards; puts the last tile on the indicator
====================  =====================================================

Public interface: ``action_text(action) -> str`` writes one; ``read_moves(text, where) -> Iterator[Node]`` reads a line
of them into the tree that a turn file's ``actions`` would have.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remi_ref.errors import Unreadable
from remi_ref.play.actions import Add, Announce, Button, Discard, Draw, Lay, Show, Swap, Take, TakeAtu, Win
from remi_ref.tiles import format_melds, format_tiles
from remi_ref.yamltree import Node

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from remi_ref.play.actions import Action

_TILE = r"[^\s()+*>;!?^|/=-][^\s()+*>;!?^|/]*"
_MOVES: tuple[tuple[str, str], ...] = (
    ("button", r"\?button\b"),
    ("draw", rf"\?(?P<draw_tile>{_TILE})?"),
    ("atu", rf"\^atu\s+(?P<atu_tile>{_TILE})"),
    ("take", rf"\^(?P<take_tile>{_TILE})(?:/(?P<take_from>[0-9]{{1,3}}))?"),
    ("lay", r"\((?P<lay_melds>[^()]*)\)"),
    ("add", rf"\+(?P<add_tile>{_TILE})>(?P<add_to>[^;()]*);"),
    ("swap", rf"\*(?P<swap_tile>{_TILE})>(?P<swap_in>[^;()]*);"),
    ("show", rf"!show\s+(?P<show_tile>{_TILE})"),
    ("announce", r"!(?P<announce_what>atu|three)\b"),
    ("discard", rf"-(?P<discard_tile>{_TILE})"),
    ("win", rf"=(?P<win_tile>{_TILE})"),
)
_MOVE = re.compile(r"\s*(?:" + "|".join(f"(?P<{name}>{pattern})" for name, pattern in _MOVES) + r")(?=\s|$)")


def action_text(action: Action) -> str:  # noqa: PLR0911 - one line for each kind of action
    """One action in the notation."""
    match action:
        case Draw(tile):
            return "?" if tile is None else f"?{tile}"
        case Button():
            return "?button"
        case Take(tile, from_top):
            return f"^{tile}" if from_top is None else f"^{tile}/{from_top}"
        case TakeAtu(tile):
            return f"^atu {tile}"
        case Lay(melds):
            return f"({format_melds(melds)})"
        case Add(slot, to):
            return f"+{slot}>{format_tiles(to)};"
        case Swap(slot, into):
            return f"*{slot}>{format_tiles(into)};"
        case _:
            return _closing_text(action)


def _closing_text(action: Action) -> str:
    match action:
        case Show(tile):
            return f"!show {tile}"
        case Announce(what):
            return f"!{what}"
        case Discard(tile):
            return f"-{tile}"
        case Win(tile):
            return f"={tile}"
    raise AssertionError(action)


def read_moves(text: str, where: str) -> Iterator[Node]:
    """Reads a turn's actions.

    Raises:
        Unreadable: something there is no move.
    """
    place = 0
    while rest := text[place:].strip():
        found = _MOVE.match(text, place)
        if found is None:
            raise Unreadable("play.move", where=where, given=rest.split()[0][:40])
        yield _tree(found, where)
        place = found.end()


def _tree(found: re.Match[str], where: str) -> Node:
    def of(name: str) -> Node:
        return Node(found[name].strip(), where)

    def pair(first: str, second: str, move: str) -> Node:
        return Node({first: of(f"{move}_{first}"), second: of(f"{move}_{second}")}, where)

    kind = next(name for name, _ in _MOVES if found[name] is not None)
    shapes: dict[str, Callable[[], tuple[str, Node]]] = {
        "button": lambda: ("draw", Node("joker-button", where)),
        "draw": lambda: ("draw", Node({"stock": of("draw_tile")} if found["draw_tile"] else "stock", where)),
        "atu": lambda: ("take-atu", of("atu_tile")),
        "take": lambda: ("take", pair("tile", "from", "take") if found["take_from"] else of("take_tile")),
        "lay": lambda: ("lay", of("lay_melds")),
        "add": lambda: ("add", pair("tile", "to", "add")),
        "swap": lambda: ("swap", pair("tile", "in", "swap")),
        "show": lambda: ("show", of("show_tile")),
        "announce": lambda: ("announce", of("announce_what")),
        "discard": lambda: ("discard", of("discard_tile")),
        "win": lambda: ("win", of("win_tile")),
    }
    key, value = shapes[kind]()
    return Node({key: value}, where)
