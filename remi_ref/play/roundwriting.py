"""A round written down: as the short text, or as the YAML of a turn file. Both read back to the same value.

Public interface: ``write_round(play) -> str`` in the short text, ``write_yaml(play) -> str``.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from remi_ref.errors import Unreadable
from remi_ref.play.actions import NAMES, Add, Button, Draw, Lay, Swap, Take
from remi_ref.play.movetext import action_text
from remi_ref.play.position import as_laid
from remi_ref.rules.rulefile import write_value
from remi_ref.tiles import format_melds, format_tiles
from remi_ref.verdict import Basis

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from remi_ref.play.actions import Action
    from remi_ref.play.played import PlayedTurn, PlayFile, Told
    from remi_ref.play.position import TableMeld
    from remi_ref.rules.deal import Deal

_PLAIN = re.compile(r"[^\W\d_][\w .'-]*")
_WORDS = {"true", "false", "yes", "no", "on", "off", "null", "y", "n"}


def house_values(deal: Deal) -> dict[str, str]:
    """The rules that the house has set, by path."""
    leaves = deal.rules.leaves.items()
    return {path: write_value(leaf.value) for path, leaf in leaves if leaf.citation.basis is Basis.HOUSE}


# --- the short text --------------------------------------------------------------------------------------------------


def write_round(play: PlayFile) -> str:
    """The round as text, ending with a line break.

    Raises:
        Unreadable: a player's name holds a sign that parts the text.
    """
    for name in play.players:
        if set(name) & set(":,;{}[]#"):
            raise Unreadable("play.name_in_text", player=name)
    return "\n".join([*_head(play), "", *(_turn_text(play.deal, turn) for turn in play.turns)]) + "\n"


def _head(play: PlayFile) -> Iterator[str]:
    yield f"rules: {play.deal.rules.game}"
    for path, value in house_values(play.deal).items():
        yield f"set {path}: {value}"
    if play.deal.turned is not None:
        yield f"turned: {play.deal.turned}"
    yield f"players: {', '.join(play.players)}"
    if play.starter:
        yield f"starter: {play.starter}"
    if play.stock is not None:
        yield f"stock: {play.stock}"
    for name, hand in play.hands:
        yield f"hand {name}: {format_tiles(hand)}".rstrip()
    for name, opened in play.opened:
        yield f"opened {name}: {opened.value}"
    for meld in play.table:
        yield _table_text(play.deal, meld)
    if play.row:
        yield f"row: {format_tiles(play.row)}"


def _table_text(deal: Deal, meld: TableMeld) -> str:
    return f"table {meld.owner}".rstrip() + f": {format_tiles(as_laid(deal, meld))}"


def _turn_text(deal: Deal, turn: PlayedTurn) -> str:
    parts = [f"{turn.player}:"]
    if turn.hand is not None:
        parts.append(f"[{format_tiles(turn.hand)}]")
    if told := "; ".join(_told_text(deal, turn.told)):
        parts.append(f"{{{told}}}")
    return " ".join([*parts, *map(action_text, turn.actions)])


def _told_text(deal: Deal, told: Told) -> Iterator[str]:
    yield from (f"{key}: {value}" for key, value in _told_values(told))
    yield from (f"opened {name}: {opened.value}" for name, opened in told.others)
    if told.table is not None:
        yield from (_table_text(deal, meld) for meld in told.table)
        if not told.table:
            yield "table:"
    if told.row is not None:
        yield f"row: {format_tiles(told.row)}".rstrip()


def _told_values(told: Told) -> Iterator[tuple[str, str]]:
    """What a turn tells in one word each."""
    values = {
        "turn": told.turn,
        "starter": told.starter,
        "opened": None if told.opened is None else told.opened.value,
        "button-used": told.button_used,
        "previous": told.previous,
        "previous-pairs": told.previous_pairs,
    }
    for key, value in values.items():
        if value is not None:
            yield key, str(value).lower()


# --- YAML ------------------------------------------------------------------------------------------------------------


def write_yaml(play: PlayFile) -> str:
    """The round as a turn file with ``turns:``."""
    return "\n".join([*_yaml_head(play), "turns:", *(_yaml_turn(play.deal, turn) for turn in play.turns)]) + "\n"


def _yaml_head(play: PlayFile) -> Iterator[str]:
    yield f"rules: {play.deal.rules.game}"
    if house := house_values(play.deal):
        yield f"set: {_flow(house.items())}"
    if play.deal.turned is not None:
        yield f"turned: {play.deal.turned}"
    yield f"players: [{', '.join(map(_scalar, play.players))}]"
    if play.starter:
        yield f"starter: {_scalar(play.starter)}"
    if play.stock is not None:
        yield f"stock: {play.stock}"
    if play.hands:
        yield "hands:"
        yield from (f"  {_scalar(name)}: {_tiles(hand)}" for name, hand in play.hands)
    if play.opened:
        yield f"opened: {_flow((_scalar(name), opened.value) for name, opened in play.opened)}"
    if play.table:
        yield f"table: {_yaml_table(play.deal, play.table)}"
    if play.row:
        yield f"row: {format_tiles(play.row)}"


def _yaml_turn(deal: Deal, turn: PlayedTurn) -> str:
    keys = [("player", _scalar(turn.player))]
    if turn.hand is not None:
        keys.append(("hand", _tiles(turn.hand)))
    keys += _told_values(turn.told)
    if turn.told.others:
        keys.append(("others", _flow((_scalar(name), opened.value) for name, opened in turn.told.others)))
    if turn.told.table is not None:
        keys.append(("table", _yaml_table(deal, turn.told.table)))
    if turn.told.row is not None:
        keys.append(("row", _tiles(turn.told.row)))
    done = "".join(f"\n      - {NAMES[type(action)]}: {_yaml_action(action)}" for action in turn.actions)
    return "  - " + "\n    ".join([*(f"{key}: {value}" for key, value in keys), f"actions:{done or ' []'}"])


def _yaml_action(action: Action) -> str:  # noqa: PLR0911 - one line for each kind of action
    match action:
        case Draw(tile):
            return "stock" if tile is None else f"{{stock: {tile}}}"
        case Button():
            return "joker-button"
        case Take(tile, from_top):
            return f"{tile}" if from_top is None else f"{{tile: {tile}, from: {from_top}}}"
        case Lay(melds):
            return format_melds(melds)
        case Add(slot, to):
            return f"{{tile: {slot}, to: {format_tiles(to)}}}"
        case Swap(slot, into):
            return f"{{tile: {slot}, in: {format_tiles(into)}}}"
        case _:
            return str(getattr(action, "tile", None) or getattr(action, "what", ""))


def _yaml_table(deal: Deal, table: Iterable[TableMeld]) -> str:
    melds = ((meld.owner, format_tiles(as_laid(deal, meld))) for meld in table)
    return f"[{', '.join(f'{{owner: {_scalar(owner)}, meld: {text}}}' if owner else text for owner, text in melds)}]"


def _flow(items: Iterable[tuple[str, str]]) -> str:
    return f"{{{', '.join(f'{key}: {value}' for key, value in items)}}}"


def _tiles(tiles: Iterable[object]) -> str:
    return " ".join(map(str, tiles)) or '""'


def _scalar(text: str) -> str:
    """A name as YAML writes it: bare where that is safe."""
    plain = _PLAIN.fullmatch(text) and text.lower() not in _WORDS and not text.endswith(" ")
    return text if plain else json.dumps(text, ensure_ascii=False)
