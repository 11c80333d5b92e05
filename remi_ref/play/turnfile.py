"""The turn file: YAML to frozen values, every fault with its line. A file with ``turns:`` holds a whole round.

Public interface:
    load_turns(path, rules, house_rules, turned) -> TurnFile | PlayFile
    read_turns(root, folder, rules, house_rules, turned)    the same from a tree; other files lie beside ``folder``
    read_round(text, name, rules, house_rules) -> PlayFile  a round from its short text
The keys are those of the contract; ``previous`` and ``previous-pairs`` tell a rising threshold what it must beat. A
whole round may also give the dealt ``hands``, how everybody has ``opened`` so far, the tiles left in the ``stock`` and
rules ``set`` by the house; each of its turns may say of the table before it what a turn file says.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from remi_ref.errors import Unreadable
from remi_ref.notation import parse_piece
from remi_ref.play.copies import Seen
from remi_ref.play.fields import (
    checked_name,
    differs,
    read_flag,
    read_name,
    read_number,
    read_opened,
    read_players_opened,
    with_place,
)
from remi_ref.play.played import PlayedTurn, PlayFile, Told, TurnFile
from remi_ref.play.position import Position, shown_opening
from remi_ref.play.roundtext import load_tree, read_text
from remi_ref.play.seating import read_seats
from remi_ref.play.tablefile import TableReader
from remi_ref.rules.dealfile import at, read_deal
from remi_ref.rules.rulefile import DEFAULT, load_ruleset
from remi_ref.yamltree import Node

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remi_ref.rules.deal import Deal
    from remi_ref.rules.ruleset import Ruleset

__all__ = ["PlayFile", "PlayedTurn", "TurnFile", "load_turns", "read_round", "read_turns"]

_DEAL_KEYS = ("rules", "set", "turned")
_TOLD_KEYS = (
    "turn",
    "starter",
    "opened",
    "others",
    "button-used",
    "previous",
    "previous-pairs",
    "table",
    "row",
)
_TURN_KEYS = (*_DEAL_KEYS, *_TOLD_KEYS, "player", "hand", "actions")
_PLAY_KEYS = (*_DEAL_KEYS, "table", "row", "players", "hands", "opened", "others", "starter", "stock", "turns")
_MOST_TURNS = 2_000


def load_turns(
    path: Path, rules: str | None = None, house_rules: Sequence[str] = (), turned: str | None = None
) -> TurnFile | PlayFile:
    """Reads a turn file, or a round given turn by turn, in YAML or in the short text.

    Args:
        path: the file.
        rules: ruleset chosen outside the file; it outweighs the file's, and what the file's house has set.
        house_rules: ``PATH=VALUE`` on top.
        turned: turned tile given outside the file; it outweighs the file's.

    Raises:
        Unreadable: with file and line.
    """
    return read_turns(load_tree(path), path.parent, rules, house_rules, turned)


def read_turns(  # noqa: PLR0913 - the file, and what may be said outside it
    root: Node,
    folder: Path,
    rules: Ruleset | str | None = None,
    house_rules: Sequence[str] = (),
    turned: str | None = None,
    *,
    default: str = DEFAULT,
) -> TurnFile | PlayFile:
    """Reads a turn file's tree; arguments and errors as in `load_turns`.

    A house file is looked for in ``folder``; the rules may be loaded already; ``default`` are those of a silent file.
    """
    facts = _deal_facts(root)
    own = () if rules is not None or "set" not in facts.mapping else _house_rules(facts.mapping["set"])
    deal = read_deal(facts, folder, rules=rules, house_rules=(*own, *house_rules), turned=turned, default=default)
    reader = _Reader(deal, facts, asked_rules=rules is not None, asked_turned=turned is not None)
    if "turns" in root.mapping:
        return reader.play(root)
    if "actions" not in root.mapping:
        raise Unreadable("turn.actions_missing", where=root.where)
    return reader.turn(root)


def read_round(
    text: bytes | str, name: str, rules: Ruleset | str | None = None, house_rules: Sequence[str] = ()
) -> PlayFile:
    """Reads a round from its short text; ``name`` is how errors call it. Arguments and errors as in `load_turns`."""
    loaded = read_turns(read_text(text, name), Path(name).parent, rules, house_rules)
    assert isinstance(loaded, PlayFile)  # noqa: S101 - the text always has turns
    return loaded


def _deal_facts(root: Node) -> Node:
    """What the file says of rules and turned tile; where the head of a round is silent, its first turn to speak."""
    facts = {key: node for key, node in root.mapping.items() if key in _DEAL_KEYS}
    for item in root.mapping["turns"].items if "turns" in root.mapping else ():
        for key in ("rules", "turned"):
            if key in item.mapping and key not in facts:
                facts[key] = item.mapping[key]
    return Node(facts, root.where)


def _house_rules(node: Node) -> tuple[str, ...]:
    """The rules that the file sets, each tried alone so that a fault gets its own line."""
    rules = {f"{path}={_value_text(value)}": value.where for path, value in node.mapping.items()}
    for rule, where in rules.items():
        try:
            load_ruleset(DEFAULT, [rule])
        except Unreadable as error:
            raise Unreadable(error.code, where=where, **error.values) from error
    return tuple(rules)


def _value_text(node: Node) -> str:
    return f"[{', '.join(item.text for item in node.items)}]" if isinstance(node.value, tuple) else node.text


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads a turn or a round under one deal."""

    deal: Deal
    facts: Node
    asked_rules: bool
    asked_turned: bool

    @property
    def tiles(self) -> TableReader:
        return TableReader(self.deal)

    def turn(self, root: Node) -> TurnFile:
        keys = root.keys(_TURN_KEYS)
        told = self.told(keys)
        player = read_name(keys["player"]) if "player" in keys else ""
        position = Position(
            self.deal,
            player=player,
            hand=self.tiles.pieces(keys["hand"]) if "hand" in keys else None,
            table=told.table or (),
            row=told.row or (),
            opened=told.opened or shown_opening(told.table or (), player, self.deal.rules),
            others=told.others,
            turn=told.turn or 2,
            starter=bool(told.starter),
            button_used=bool(told.button_used),
            previous=told.previous,
            previous_pairs=told.previous_pairs,
        )
        where = keys["hand"].where if "hand" in keys else root.where
        with_place(where, lambda: Seen.of(position))
        return TurnFile(position, self.tiles.actions(keys["actions"]), root.where)

    def play(self, root: Node) -> PlayFile:
        keys = root.keys(_PLAY_KEYS)
        empty = Node("", root.where, empty=True)
        items = keys["turns"].items
        if not 0 < len(items) <= _MOST_TURNS:
            raise Unreadable("play.turns", where=keys["turns"].where, count=len(items), most=_MOST_TURNS)
        hands = keys.get("hands", empty).mapping
        opened = {**keys.get("opened", empty).mapping, **keys.get("others", empty).mapping}
        return PlayFile(
            self.deal,
            read_seats(keys),
            tuple(self.played(node) for node in items),
            tuple((checked_name(name, node), self.tiles.pieces(node)) for name, node in hands.items()),
            read_players_opened(Node(opened, root.where)),
            read_name(keys["starter"]) if "starter" in keys else "",
            self.tiles.table(keys.get("table", empty)),
            self.tiles.pieces(keys.get("row", empty)),
            read_number(keys["stock"], 0) if "stock" in keys else None,
            keys["hands"].where if "hands" in keys else root.where,
        )

    def played(self, node: Node) -> PlayedTurn:
        keys = node.keys(_TURN_KEYS)
        for key in ("player", "actions"):
            if key not in keys:
                raise Unreadable("turn.key_missing", where=node.where, key=key)
        self.same_deal(keys)
        hand = self.tiles.pieces(keys["hand"]) if "hand" in keys else None
        return PlayedTurn(
            read_name(keys["player"]), self.tiles.actions(keys["actions"]), hand, self.told(keys), node.where
        )

    def same_deal(self, keys: dict[str, Node]) -> None:
        """A turn of a round may name rules and turned tile again, but no others."""
        known = self.facts.mapping
        if "set" in keys:
            raise Unreadable("play.set_in_turn", where=keys["set"].where)
        if "rules" in keys and not self.asked_rules and keys["rules"].text != known["rules"].text:
            raise differs("rules", keys["rules"].text, known["rules"].text, keys["rules"].where)
        if "turned" in keys and not self.asked_turned:
            turned = at(keys["turned"], lambda text: parse_piece(text, self.deal.rules.spellings))
            if turned != self.deal.turned:
                raise differs("turned", turned, self.deal.turned or "-", keys["turned"].where)

    def told(self, keys: dict[str, Node]) -> Told:
        return Told(
            turn=read_number(keys["turn"], 1) if "turn" in keys else None,
            starter=read_flag(keys["starter"]) if "starter" in keys else None,
            opened=read_opened(keys["opened"]) if "opened" in keys else None,
            others=read_players_opened(keys["others"]) if "others" in keys else (),
            button_used=read_flag(keys["button-used"]) if "button-used" in keys else None,
            previous=read_number(keys["previous"], 0) if "previous" in keys else None,
            previous_pairs=read_number(keys["previous-pairs"], 0) if "previous-pairs" in keys else None,
            table=self.tiles.table(keys["table"]) if "table" in keys else None,
            row=self.tiles.pieces(keys["row"]) if "row" in keys else None,
            places={key: node.where for key, node in keys.items() if key in _TOLD_KEYS},
        )
