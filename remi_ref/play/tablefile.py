"""What lies on the table and what is done there, read from a turn file under one deal: tiles, formations, actions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from remi_ref.errors import Unreadable
from remi_ref.notation import parse_loose, parse_melds, parse_tile, parse_tiles
from remi_ref.play.actions import Add, Announce, Button, Discard, Draw, Lay, Show, Swap, Take, TakeAtu, Win
from remi_ref.play.fields import read_keys, read_name, read_number, read_word, with_place
from remi_ref.play.turn import table_meld
from remi_ref.rules.dealfile import at

if TYPE_CHECKING:
    from collections.abc import Callable

    from remi_ref.play.actions import Action
    from remi_ref.play.position import TableMeld
    from remi_ref.rules.deal import Deal
    from remi_ref.tiles import Piece, Slot
    from remi_ref.yamltree import Node

_ANNOUNCEMENTS = ("atu", "three")


@dataclass(frozen=True, slots=True)
class TableReader:
    """Reads tiles, formations and actions; a fault gets the line on which it stands."""

    deal: Deal

    def slot(self, node: Node) -> Slot:
        """One tile; a joker may be declared."""
        return at(node, lambda text: parse_tile(text, self.deal.rules.spellings))

    def slots(self, node: Node) -> tuple[Slot, ...]:
        """Several."""
        return at(node, lambda text: parse_tiles(text, self.deal.rules.spellings))

    def piece(self, node: Node) -> Piece:
        """One tile as it lies in the box."""
        return self._as_in_box(node, (self.slot(node),))[0]

    def pieces(self, node: Node) -> tuple[Piece, ...]:
        """Several, loose."""
        slots = at(node, lambda text: parse_loose(text, self.deal.rules.spellings))
        return self._as_in_box(node, slots)

    def _as_in_box(self, node: Node, slots: tuple[Slot, ...]) -> tuple[Piece, ...]:
        with_place(node.where, lambda: self.deal.check_each(slots))
        return tuple(self.deal.as_in_box(slot.piece) for slot in slots)

    def table(self, node: Node) -> tuple[TableMeld, ...]:
        """The formations on the table: a list, or all in one text with bars between them, as a photo shows them."""
        if isinstance(node.value, str) and not node.empty:
            return tuple(self._formation(node._replace(value=part)) for part in node.value.split("|"))
        return tuple(self._formation(item) for item in node.items)

    def _formation(self, node: Node) -> TableMeld:
        """``{owner: Dan, meld: R10 J R12}``, or the bare formation when nobody says whose it is."""
        if not isinstance(node.value, dict):
            return with_place(node.where, lambda: table_meld(self.deal, self.slots(node), ""))
        keys = node.keys(("owner", "meld"))
        if "meld" not in keys:
            raise Unreadable("turn.key_missing", where=node.where, key="meld")
        owner = read_name(keys["owner"]) if "owner" in keys else ""
        return with_place(keys["meld"].where, lambda: table_meld(self.deal, self.slots(keys["meld"]), owner))

    def actions(self, node: Node) -> tuple[Action, ...]:
        """What was done, in order."""
        return tuple(self._action(item) for item in node.items)

    def _action(self, node: Node) -> Action:
        readers: dict[str, Callable[[Node], Action]] = {
            "draw": self._draw,
            "take": self._take,
            "take-atu": lambda value: TakeAtu(self.piece(value), where=value.where),
            "lay": self._lay,
            "add": self._add,
            "swap": self._swap,
            "show": lambda value: Show(self.piece(value), where=value.where),
            "announce": lambda value: Announce(read_word(value, _ANNOUNCEMENTS), where=value.where),
            "discard": lambda value: Discard(self.piece(value), where=value.where),
            "win": lambda value: Win(self.piece(value), where=value.where),
        }
        keys = node.keys(tuple(readers))
        if len(keys) != 1:
            raise Unreadable("turn.one_action", where=node.where, count=len(keys))
        name, value = next(iter(keys.items()))
        return readers[name](value)

    def _draw(self, node: Node) -> Action:
        if isinstance(node.value, dict):
            keys = node.keys(("stock",))
            return Draw(self.piece(keys["stock"]) if keys else None, where=node.where)
        word = read_word(node, ("stock", "joker-button"))
        return Draw(where=node.where) if word == "stock" else Button(where=node.where)

    def _take(self, node: Node) -> Action:
        if not isinstance(node.value, dict):
            return Take(self.piece(node), where=node.where)
        keys = read_keys(node, ("tile", "from"))
        return Take(self.piece(keys["tile"]), read_number(keys["from"], 1), where=node.where)

    def _lay(self, node: Node) -> Action:
        return Lay(at(node, lambda text: parse_melds(text, self.deal.rules.spellings)), where=node.where)

    def _add(self, node: Node) -> Action:
        keys = read_keys(node, ("tile", "to"))
        return Add(self.slot(keys["tile"]), self.slots(keys["to"]), where=node.where)

    def _swap(self, node: Node) -> Action:
        keys = read_keys(node, ("tile", "in"))
        return Swap(self.slot(keys["tile"]), self.slots(keys["in"]), where=node.where)
