"""The turn file: YAML to frozen values, every fault with its line. A file with ``turns:`` holds a whole round.

Public interface:
    load_turns(path, rules, house_rules, turned) -> TurnFile | PlayFile
    read_turns(root, folder, rules, house_rules, turned)    the same from a YAML tree; other files lie beside ``folder``
The keys are those of the contract; ``previous`` and ``previous-pairs`` tell a rising threshold what it must beat, and a
whole round may give the dealt ``hands``, how everybody has ``opened`` so far, and the tiles left in the ``stock``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from remi_ref.errors import Unreadable, nearest
from remi_ref.play.actions import Add, Announce, Button, Discard, Draw, Lay, Show, Swap, Take, TakeAtu, Win
from remi_ref.play.copies import Seen
from remi_ref.play.position import Position, TableMeld
from remi_ref.play.turn import table_meld
from remi_ref.rules.deal import Deal
from remi_ref.rules.rulefile import DEFAULT, load_ruleset
from remi_ref.score.finished import Opened
from remi_ref.tiles import parse_melds, parse_tile, parse_tiles
from remi_ref.yamltree import Node, load_file

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from remi_ref.play.actions import Action
    from remi_ref.rules.ruleset import Ruleset
    from remi_ref.tiles import Piece, Slot

_TABLE_KEYS = ("rules", "turned", "table", "row")
_TURN_KEYS = (
    "player",
    "turn",
    "starter",
    "opened",
    "others",
    "hand",
    "actions",
    "button-used",
    "previous",
    "previous-pairs",
)
_PLAY_KEYS = ("players", "hands", "opened", "starter", "stock", "turns")
_ACTIONS = ("draw", "take", "take-atu", "lay", "add", "swap", "show", "announce", "discard", "win")
_ANNOUNCEMENTS = ("atu", "three")
_MOST_TURNS = 2_000
_LONGEST_NAME = 40

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TurnFile:
    """One turn: the position it begins from and what was done."""

    position: Position
    actions: tuple[Action, ...]
    where: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """One turn of a round, as written: who played and what he did; ``hand`` where the file tells it."""

    player: str
    actions: tuple[Action, ...]
    hand: tuple[Piece, ...] | None = None
    where: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class PlayFile:
    """A whole round, from the deal or from a position.

    Attributes:
        deal: rules and turned tile.
        players: in the order in which they play.
        hands: the hand of each player at the beginning, where it is known.
        opened: how each has opened at the beginning.
        starter: who was dealt the extra tile; empty when the round is told from a later position.
        table: formations at the beginning.
        row: discards at the beginning, oldest first.
        stock: tiles left in the stock at the beginning; None to reckon it from the hands.
        turns: as played.
    """

    deal: Deal
    players: tuple[str, ...]
    turns: tuple[PlayedTurn, ...]
    hands: tuple[tuple[str, tuple[Piece, ...]], ...] = ()
    opened: tuple[tuple[str, Opened], ...] = ()
    starter: str = ""
    table: tuple[TableMeld, ...] = ()
    row: tuple[Piece, ...] = ()
    stock: int | None = None
    where: str = field(default="", compare=False)


def load_turns(
    path: Path, rules: str | None = None, house_rules: Sequence[str] = (), turned: str | None = None
) -> TurnFile | PlayFile:
    """Reads a turn file, or a round given turn by turn.

    Args:
        path: the file.
        rules: ruleset chosen outside the file; it outweighs the file's.
        house_rules: ``PATH=VALUE`` on top.
        turned: turned tile given outside the file; it outweighs the file's.

    Raises:
        Unreadable: with file and line.
    """
    return read_turns(load_file(path), path.parent, rules, house_rules, turned)


def read_turns(
    root: Node,
    folder: Path,
    rules: Ruleset | str | None = None,
    house_rules: Sequence[str] = (),
    turned: str | None = None,
) -> TurnFile | PlayFile:
    """Reads a turn file's tree; arguments and errors as in `load_turns`.

    A house file is looked for in ``folder``; the rules may be loaded already.
    """
    reader = _Reader(_deal_of(root, folder, rules, house_rules, turned))
    if "turns" in root.mapping:
        return reader.play(root)
    if "actions" not in root.mapping:
        raise Unreadable("turn.actions_missing", where=root.where)
    return reader.turn(root)


def _deal_of(
    root: Node, folder: Path, rules: Ruleset | str | None, house_rules: Sequence[str], turned: str | None
) -> Deal:
    keys = root.mapping
    chosen = rules or (_beside(folder, keys["rules"].text) if "rules" in keys else DEFAULT)
    ruleset = load_ruleset(chosen, house_rules) if isinstance(chosen, str) else chosen
    if turned is not None:
        return Deal(ruleset, parse_tile(turned, ruleset.spellings).piece)
    if "turned" not in keys or keys["turned"].empty:
        return Deal(ruleset)
    return _at(keys["turned"], lambda text: Deal(ruleset, parse_tile(text, ruleset.spellings).piece))


def _beside(folder: Path, chosen: str) -> str:
    """A house file named relative to the file that names it."""
    beside = folder / chosen
    return str(beside) if beside.suffix in {".yaml", ".yml"} and beside.is_file() else chosen


def _at(node: Node, read: Callable[[str], T]) -> T:
    """Reads a node's text; a fault gets the node's place."""
    return _with_place(node.where, lambda: read(node.text))


def _with_place(where: str, do: Callable[[], T]) -> T:
    """Does something; a fault that has no place of its own gets this one."""
    try:
        return do()
    except Unreadable as error:
        raise error.at(where) from error


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads the parts of a turn file under one deal."""

    deal: Deal

    def turn(self, root: Node) -> TurnFile:
        keys = root.keys((*_TABLE_KEYS, *_TURN_KEYS))
        empty = Node("", root.where, empty=True)
        position = Position(
            self.deal,
            player=_name(keys["player"]) if "player" in keys else "",
            hand=self.pieces(keys["hand"]) if "hand" in keys else None,
            table=self.table(keys.get("table", empty)),
            row=self.pieces(keys.get("row", empty)),
            opened=_opened(keys["opened"]) if "opened" in keys else Opened.NO,
            others=_players_opened(keys.get("others", empty)),
            turn=_number(keys["turn"], 1) if "turn" in keys else 2,
            starter=_flag(keys["starter"]) if "starter" in keys else False,
            button_used=_flag(keys["button-used"]) if "button-used" in keys else False,
            previous=_number(keys["previous"], 0) if "previous" in keys else None,
            previous_pairs=_number(keys["previous-pairs"], 0) if "previous-pairs" in keys else None,
        )
        where = keys["hand"].where if "hand" in keys else root.where
        _with_place(where, lambda: Seen.of(position))
        return TurnFile(position, self.actions(keys["actions"]), root.where)

    def play(self, root: Node) -> PlayFile:
        keys = root.keys((*_TABLE_KEYS, *_PLAY_KEYS))
        empty = Node("", root.where, empty=True)
        turns = tuple(self.played(node) for node in keys["turns"].items)
        if not turns or len(turns) > _MOST_TURNS:
            raise Unreadable("play.turns", where=keys["turns"].where, count=len(turns), most=_MOST_TURNS)
        hands = {_checked(name, node): self.pieces(node) for name, node in keys.get("hands", empty).mapping.items()}
        for turn in turns:
            if turn.hand is not None:
                hands.setdefault(turn.player, turn.hand)
        seats = [_name(node) for node in keys.get("players", empty).items]
        players = tuple(dict.fromkeys([*seats, *(turn.player for turn in turns), *hands]))
        if seats and len(players) > len(seats):
            raise Unreadable("play.not_seated", where=keys["players"].where, player=players[len(seats)])
        starter = _name(keys["starter"]) if "starter" in keys else ""
        if starter and starter not in players:
            raise Unreadable("play.not_seated", where=keys["starter"].where, player=starter)
        return PlayFile(
            self.deal,
            players,
            turns,
            tuple(hands.items()),
            _players_opened(keys.get("opened", empty)),
            starter,
            self.table(keys.get("table", empty)),
            self.pieces(keys.get("row", empty)),
            _number(keys["stock"], 0) if "stock" in keys else None,
            keys["hands"].where if "hands" in keys else root.where,
        )

    def played(self, node: Node) -> PlayedTurn:
        keys = node.keys(("player", "hand", "actions"))
        for key in ("player", "actions"):
            if key not in keys:
                raise Unreadable("turn.key_missing", where=node.where, key=key)
        hand = self.pieces(keys["hand"]) if "hand" in keys else None
        return PlayedTurn(_name(keys["player"]), self.actions(keys["actions"]), hand, node.where)

    # tiles

    def pieces(self, node: Node) -> tuple[Piece, ...]:
        slots = _at(node, lambda text: parse_tiles(text, self.deal.rules.spellings))
        return tuple(self.deal.as_in_box(slot.piece) for slot in slots)

    def one(self, node: Node) -> Piece:
        return self.deal.as_in_box(self.slot(node).piece)

    def slot(self, node: Node) -> Slot:
        return _at(node, lambda text: parse_tile(text, self.deal.rules.spellings))

    def meld(self, node: Node) -> tuple[Slot, ...]:
        return _at(node, lambda text: parse_tiles(text, self.deal.rules.spellings))

    def table(self, node: Node) -> tuple[TableMeld, ...]:
        return tuple(self.formation(item) for item in node.items)

    def formation(self, node: Node) -> TableMeld:
        """``{owner: Dan, meld: R10 J R12}``, or the bare formation when nobody says whose it is."""
        if not isinstance(node.value, dict):
            return _with_place(node.where, lambda: table_meld(self.deal, self.meld(node), ""))
        keys = node.keys(("owner", "meld"))
        if "meld" not in keys:
            raise Unreadable("turn.key_missing", where=node.where, key="meld")
        owner = _name(keys["owner"]) if "owner" in keys else ""
        return _with_place(keys["meld"].where, lambda: table_meld(self.deal, self.meld(keys["meld"]), owner))

    # actions

    def actions(self, node: Node) -> tuple[Action, ...]:
        return tuple(self.action(item) for item in node.items)

    def action(self, node: Node) -> Action:
        keys = node.keys(_ACTIONS)
        if len(keys) != 1:
            raise Unreadable("turn.one_action", where=node.where, count=len(keys))
        name, value = next(iter(keys.items()))
        return getattr(self, "_" + name.replace("-", "_"))(value)  # type: ignore[no-any-return]

    def _draw(self, node: Node) -> Action:
        if isinstance(node.value, dict):
            keys = node.keys(("stock",))
            return Draw(self.one(keys["stock"]), node.where) if keys else Draw(None, node.where)
        word = _word(node, ("stock", "joker-button"))
        return Draw(None, node.where) if word == "stock" else Button(node.where)

    def _take(self, node: Node) -> Action:
        if not isinstance(node.value, dict):
            return Take(self.one(node), None, node.where)
        keys = _both(node, ("tile", "from"))
        return Take(self.one(keys["tile"]), _number(keys["from"], 1), node.where)

    def _take_atu(self, node: Node) -> Action:
        return TakeAtu(self.one(node), node.where)

    def _lay(self, node: Node) -> Action:
        return Lay(_at(node, lambda text: parse_melds(text, self.deal.rules.spellings)), node.where)

    def _add(self, node: Node) -> Action:
        keys = _both(node, ("tile", "to"))
        return Add(self.slot(keys["tile"]), self.meld(keys["to"]), node.where)

    def _swap(self, node: Node) -> Action:
        keys = _both(node, ("tile", "in"))
        return Swap(self.slot(keys["tile"]), self.meld(keys["in"]), node.where)

    def _show(self, node: Node) -> Action:
        return Show(self.one(node), node.where)

    def _announce(self, node: Node) -> Action:
        return Announce(_word(node, _ANNOUNCEMENTS), node.where)

    def _discard(self, node: Node) -> Action:
        return Discard(self.one(node), node.where)

    def _win(self, node: Node) -> Action:
        return Win(self.one(node), node.where)


def _both(node: Node, names: tuple[str, str]) -> dict[str, Node]:
    keys = node.keys(names)
    for name in names:
        if name not in keys:
            raise Unreadable("turn.key_missing", where=node.where, key=name)
    return keys


def _word(node: Node, known: tuple[str, ...]) -> str:
    if node.text not in known:
        raise Unreadable(
            "turn.word",
            where=node.where,
            given=node.text[:40],
            allowed=", ".join(known),
            nearest=nearest(node.text, known),
        )
    return node.text


def _name(node: Node) -> str:
    return _checked(node.text.strip(), node)


def _checked(name: str, node: Node) -> str:
    """A player's name: not empty, one line, not endless."""
    if not name or len(name) > _LONGEST_NAME or not name.isprintable():
        raise Unreadable("turn.name", where=node.where, most=_LONGEST_NAME)
    return name


def _number(node: Node, least: int) -> int:
    text = node.text
    if not (text.isascii() and text.isdigit() and len(text) <= 5 and int(text) >= least):
        raise Unreadable("turn.number", where=node.where, given=text[:40], least=least)
    return int(text)


def _flag(node: Node) -> bool:
    return _word(node, ("true", "false", "yes", "no")) in {"true", "yes"}


def _opened(node: Node) -> Opened:
    if node.text.lower() in {"false", "nu"}:
        return Opened.NO
    return Opened(_word(node, tuple(Opened)))


def _players_opened(node: Node) -> tuple[tuple[str, Opened], ...]:
    return tuple((_checked(name, value), _opened(value)) for name, value in node.mapping.items())
