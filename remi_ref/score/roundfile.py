"""The round file: YAML to a frozen `Round`, every fault with its line.

A player may also have ``wrong-open: N`` and ``wrong-close: N`` (how often he was caught, for tables that fine it) and
``twin: drawn`` (the twin of the turned tile came later, not at the deal). At the top ``win: melds`` or ``win: pairs``
tells the shape of a winning board whose tiles are not given. A tile added or given for a joker may name the ``owner``
of its formation, which counts where several players' formations hold the same tiles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from remi_ref.errors import Unreadable, nearest
from remi_ref.melds import PAIR
from remi_ref.notation import parse_loose, parse_melds, parse_tile, parse_tiles
from remi_ref.rules.dealfile import at, read_deal
from remi_ref.rules.knobs import POINTS
from remi_ref.rules.rulefile import DEFAULT
from remi_ref.score.finished import Opened, Placed, Round, Side, Twin
from remi_ref.score.roundcheck import check_round
from remi_ref.tiles import Joker
from remi_ref.yamltree import Node, load_file

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from remi_ref.rules.deal import Deal
    from remi_ref.score.finished import Laid
    from remi_ref.tiles import Piece, Slot

_TOP_KEYS = ("rules", "turned", "closer", "closing-tile", "in-hand", "win", "players")
_SIDE_KEYS = ("opened", "melds", "laid", "added", "bought", "hand", "twin", "wrong-open", "wrong-close")
_YES, _NO = ("true", "yes", "da"), ("false", "no", "nu")
_LONGEST_NAME = 40
_MOST_PLAYERS = 12  # far more than any game takes; a hostile file stops here
_MOST_FAULTS = 99


def load_round(
    path: Path,
    rules: str | None = None,
    house_rules: Sequence[str] = (),
    turned: str | None = None,
    default: str = DEFAULT,
) -> tuple[Deal, Round]:
    """Reads a round file and refuses a round that cannot have happened.

    Args:
        path: the file.
        rules: ruleset chosen outside the file; it outweighs the file's.
        house_rules: ``PATH=VALUE`` on top.
        turned: turned tile given outside the file; it outweighs the file's.
        default: ruleset when nobody names one.

    Raises:
        Unreadable: with file and line.
    """
    root = load_file(path)
    root.keys(_TOP_KEYS)
    deal = read_deal(root, path, rules=rules, house_rules=house_rules, turned=turned, default=default)
    return deal, read_round(root, deal)


def read_round(root: Node, deal: Deal) -> Round:
    """A round file's tree under a known deal.

    Raises:
        Unreadable: with file and line.
    """
    keys = root.keys(_TOP_KEYS)
    if "players" not in keys or not keys["players"].mapping:
        raise Unreadable("round.no_players", where=root.where)
    players = keys["players"].mapping
    reader = _Reader(deal, tuple(players))
    if len(players) > _MOST_PLAYERS:
        raise Unreadable("round.players", where=keys["players"].where, count=len(players), allowed=_allowed(deal))
    closer = _closer(keys["closer"], tuple(players)) if "closer" in keys else None
    in_hand = _flag(keys["in-hand"]) if "in-hand" in keys else False
    finished = Round(
        tuple(reader.side(name, node, closes=name == closer, in_hand=in_hand) for name, node in players.items()),
        closer,
        reader.piece(keys["closing-tile"]) if _given(keys, "closing-tile") else None,
        in_hand,
        _win(keys, players.get(closer or ""), deal),
    )
    _refuse_win_elsewhere(deal, keys)
    try:
        check_round(deal, finished)
    except Unreadable as error:
        raise error.at(_place_of(error, root)) from error
    return finished


class _Reader:
    """Reads a player's entry under one deal."""

    def __init__(self, deal: Deal, players: tuple[str, ...]) -> None:
        self.deal, self.players = deal, players

    def side(self, name: str, node: Node, *, closes: bool, in_hand: bool) -> Side:
        _check_name(name, node)
        keys = node.keys(_SIDE_KEYS)
        melds = self.melds(keys["melds"]) if _given(keys, "melds") else ()
        laid = _number(keys["laid"], POINTS) if _given(keys, "laid") else None
        stated = _opened(keys["opened"]) if _given(keys, "opened") else None
        if stated is Opened.NO and closes and in_hand:
            stated = None  # he had not opened before the turn in which he laid everything
        known = closes or bool(laid) or _given(keys, "added") or _given(keys, "bought")
        return Side(
            name,
            stated or _opened_by(melds, known=known),
            melds,
            laid,
            self.placed(keys["added"], "to") if _given(keys, "added") else (),
            self.placed(keys["bought"], "in") if _given(keys, "bought") else (),
            self.hand(keys["hand"]) if "hand" in keys else () if closes else None,
            _twin(keys["twin"]) if _given(keys, "twin") else None,
            _number(keys["wrong-open"], _MOST_FAULTS) if _given(keys, "wrong-open") else 0,
            _number(keys["wrong-close"], _MOST_FAULTS) if _given(keys, "wrong-close") else 0,
            presumed=stated is None and not (melds or known or in_hand),
        )

    def melds(self, node: Node) -> tuple[Laid, ...]:
        if node.text.strip() == "":
            return ()
        return at(node, lambda text: parse_melds(text, self.deal.rules.spellings))

    def placed(self, node: Node, target: str) -> tuple[Placed, ...]:
        return tuple(self.one_placed(item, target) for item in node.items)

    def one_placed(self, node: Node, target: str) -> Placed:
        """``{tile: R6, to: R3 R4 R5}``, or ``in`` for a joker bought back; ``owner: Dan`` where two would fit."""
        keys = node.keys(("tile", target, "owner"))
        for key in ("tile", target):
            if not _given(keys, key):
                raise Unreadable("round.key_missing", where=node.where, key=key)
        tile, slots = self.slot(keys["tile"]), self.slots(keys[target])
        for_joker = target == "in"
        if for_joker and (isinstance(tile.piece, Joker) or not any(isinstance(slot.piece, Joker) for slot in slots)):
            raise Unreadable("round.joker_wanted", where=node.where, tile=str(tile), meld=keys[target].text.strip())
        return Placed(tile, slots, for_joker, self.owner(keys["owner"]) if _given(keys, "owner") else None)

    def owner(self, node: Node) -> str:
        """Whose formation it is: one of the players."""
        name = node.name
        if name not in self.players:
            raise Unreadable("round.unknown_owner", where=node.where, name=name, nearest=nearest(name, self.players))
        return name

    def hand(self, node: Node) -> Laid | int:
        """Tiles left, or a plain number: their points counted at the table."""
        text = node.text.strip()
        return _number(node, POINTS) if text.lstrip("+-").isdigit() else self.loose(node)

    def slots(self, node: Node) -> Laid:
        return at(node, lambda text: parse_tiles(text, self.deal.rules.spellings))

    def loose(self, node: Node) -> Laid:
        return at(node, lambda text: parse_loose(text, self.deal.rules.spellings))

    def slot(self, node: Node) -> Slot:
        return at(node, lambda text: parse_tile(text, self.deal.rules.spellings))

    def piece(self, node: Node) -> Piece:
        slot = self.slot(node)
        at(node, lambda _: self.deal.check_each((slot,)))
        return slot.piece


def _given(keys: dict[str, Node], key: str) -> bool:
    return key in keys and not keys[key].empty


def _closer(node: Node, players: tuple[str, ...]) -> str | None:
    """The one closer; nobody when it is left empty."""
    if node.empty:
        return None
    names = [item.name for item in node.items] if isinstance(node.value, tuple) else _names(node.name, players)
    if len(names) > 1:
        raise Unreadable("round.two_closers", where=node.where, names=", ".join(names))
    if not names or names[0] not in players:
        name = names[0] if names else ""
        raise Unreadable("round.unknown_closer", where=node.where, name=name, nearest=nearest(name, players))
    return names[0]


def _names(text: str, players: tuple[str, ...]) -> list[str]:
    """A name, or several with commas between them where each is a player's."""
    parts = [part.strip() for part in text.split(",")]
    return parts if len(parts) > 1 and set(parts) <= set(players) else [text]


def _check_name(name: str, node: Node) -> None:
    if not name.strip() or len(name) > _LONGEST_NAME or not name.isprintable():
        raise Unreadable("round.name", where=node.where, most=_LONGEST_NAME)


def _opened_by(melds: tuple[Laid, ...], *, known: bool) -> Opened:
    """How a player opened where he does not say: by what he laid, or because he closed or added to formations."""
    if melds:
        return Opened.PAIRS if all(len(meld) == PAIR for meld in melds) else Opened.MELDS
    return Opened.MELDS if known else Opened.NO


def _opened(node: Node) -> Opened:
    text = node.text.lower()
    return Opened.NO if text in _NO else Opened(_word(node, tuple(Opened)))


def _twin(node: Node) -> Twin | None:
    text = node.text.lower()
    if text in _NO:
        return None
    return Twin.HELD if text in _YES else Twin(_word(node, tuple(Twin)))


def _flag(node: Node) -> bool:
    return node.text.lower() in _YES if node.text.lower() in (*_YES, *_NO) else _word(node, ("true", "false")) == "true"


def _word(node: Node, known: tuple[str, ...]) -> str:
    given = node.text
    if given not in known:
        near, allowed = nearest(given, known), ", ".join(known)
        raise Unreadable("round.word", where=node.where, given=given[:40], allowed=allowed, nearest=near)
    return given


def _number(node: Node, most: int) -> int:
    text = node.text.strip()
    if not (text.isascii() and text.isdigit() and len(text) <= 6 and int(text) <= most):
        raise Unreadable("round.number", where=node.where, given=text[:40], most=most)
    return int(text)


def _win(keys: dict[str, Node], winner: Node | None, deal: Deal) -> str | None:
    """The shape of the winning board, as said by ``win:`` or, where nothing is laid, by the winner's ``opened:``."""
    win = _word(keys["win"], ("melds", "pairs")) if _given(keys, "win") else None
    opened = winner.mapping.get("opened") if winner and deal.rules.choice("score.method") == "losses" else None
    if opened is None or opened.empty or (kind := _opened(opened)) is Opened.NO:
        return win
    if win not in {None, kind.value}:
        raise Unreadable("round.win_opened", where=opened.where, win=win or "", opened=kind.value)
    return kind.value


def _allowed(deal: Deal) -> str:
    return ", ".join(str(number) for number in deal.rules.seats)


def _refuse_win_elsewhere(deal: Deal, keys: dict[str, Node]) -> None:
    if _given(keys, "win") and deal.rules.choice("score.method") != "losses":
        raise Unreadable("round.no_board", where=keys["win"].where, rules=deal.rules.id)


def _place_of(error: Unreadable, root: Node) -> str:
    """The line of the entry a contradiction stands in, else of the file's first line."""
    player = error.values.get("player")
    entry = root.mapping["players"].mapping.get(str(player))
    return entry.where if entry else root.where
