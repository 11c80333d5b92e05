"""A whole round as a short text, to be kept and argued about later; what is written reads back to the same value.

The head says what the table was, one fact a line; then every turn is one line, its player and what he did::

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

Public interface: ``write_round(play) -> str``, ``read_round(text, name, rules, house_rules) -> PlayFile``,
``action_text(action) -> str``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from remi_ref.errors import Unreadable, nearest
from remi_ref.play.actions import Add, Announce, Button, Discard, Draw, Lay, Show, Swap, Take, TakeAtu, Win
from remi_ref.play.position import as_laid
from remi_ref.play.turn import table_meld
from remi_ref.play.turnfile import PlayedTurn, PlayFile
from remi_ref.rules.deal import Deal
from remi_ref.rules.rulefile import DEFAULT, load_ruleset, write_value
from remi_ref.score.finished import Opened
from remi_ref.tiles import format_melds, format_tiles, parse_melds, parse_tile, parse_tiles
from remi_ref.verdict import Basis

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from remi_ref.play.actions import Action
    from remi_ref.play.position import TableMeld
    from remi_ref.rules.ruleset import Ruleset
    from remi_ref.tiles import Piece, Slot, Spellings

_MOST_CHARACTERS = 512 * 1024
_HEAD = ("rules", "set", "turned", "players", "starter", "stock", "row", "hand", "opened", "table")
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


# --- writing ---------------------------------------------------------------------------------------------------------


def write_round(play: PlayFile) -> str:
    """The round as text, ending with a line break.

    Raises:
        Unreadable: a player's name holds a colon or a comma, or a turn tells its hand anew.
    """
    for name in play.players:
        if set(name) & set(":,"):
            raise Unreadable("play.name_in_text", player=name)
    return "\n".join([*_head(play), "", *map(_turn_text, play.turns)]) + "\n"


def _head(play: PlayFile) -> Iterator[str]:
    house = {path: leaf.value for path, leaf in play.deal.rules.leaves.items() if leaf.citation.basis is Basis.HOUSE}
    yield f"rules: {play.deal.rules.game}"
    for path, value in house.items():
        yield f"set {path}: {write_value(value)}"
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
        yield f"table {meld.owner}".rstrip() + f": {format_tiles(as_laid(play.deal, meld))}"
    if play.row:
        yield f"row: {format_tiles(play.row)}"


def _turn_text(turn: PlayedTurn) -> str:
    hand = () if turn.hand is None else (f"[{format_tiles(turn.hand)}]",)
    return " ".join([f"{turn.player}:", *hand, *map(action_text, turn.actions)])


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


# --- reading ---------------------------------------------------------------------------------------------------------


def read_round(text: str, name: str, rules: Ruleset | str | None = None, house_rules: Sequence[str] = ()) -> PlayFile:
    """Reads a round from its text.

    Args:
        text: the notation.
        name: how errors call it.
        rules: ruleset chosen outside the text, or loaded already; it outweighs the text's.
        house_rules: ``PATH=VALUE`` on top of a chosen one.

    Raises:
        Unreadable: with the line, what stands there and what may stand there.
    """
    if len(text) > _MOST_CHARACTERS:
        raise Unreadable("file.too_big", where=name, most=_MOST_CHARACTERS // 1024)
    head, turns = _lines(text, name)
    facts = [_fact(line) for line in head]
    reader = _Reader(_deal_of(facts, rules, house_rules))
    for fact in facts:
        reader.take_fact(fact)
    return reader.play([reader.turn(line) for line in turns], name)


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
    value: str
    where: str


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


def _fact(line: _Line) -> _Fact:
    left, colon, value = line.text.partition(":")
    key, _, whose = left.strip().partition(" ")
    if not colon or key not in _HEAD:
        raise Unreadable("play.head", where=line.where, given=left[:40], nearest=nearest(key, _HEAD))
    return _Fact(key, whose.strip(), value.strip(), line.where)


def _deal_of(facts: Sequence[_Fact], rules: Ruleset | str | None, house_rules: Sequence[str]) -> Deal:
    said = {fact.key: fact for fact in facts if not fact.whose}
    if rules is None:
        own = [f"{fact.whose}={fact.value}" for fact in facts if fact.key == "set"]
        ruleset = load_ruleset(said["rules"].value if "rules" in said else DEFAULT, (*own, *house_rules))
    else:
        ruleset = load_ruleset(rules, house_rules) if isinstance(rules, str) else rules
    if "turned" not in said:
        return Deal(ruleset)
    try:
        return Deal(ruleset, parse_tile(said["turned"].value, ruleset.spellings).piece)
    except Unreadable as error:
        raise error.at(said["turned"].where) from error


@dataclass(slots=True)
class _Reader:
    """Collects what the lines say."""

    deal: Deal
    players: tuple[str, ...] = ()
    starter: str = ""
    stock: int | None = None
    row: tuple[Piece, ...] = ()
    hands: list[tuple[str, tuple[Piece, ...]]] = field(default_factory=list)
    opened: list[tuple[str, Opened]] = field(default_factory=list)
    table: list[TableMeld] = field(default_factory=list)

    def take_fact(self, fact: _Fact) -> None:
        try:
            self._take_fact(fact)
        except Unreadable as error:
            raise error.at(fact.where) from error

    def _take_fact(self, fact: _Fact) -> None:
        match fact.key:
            case "players":
                self.players = tuple(dict.fromkeys(name.strip() for name in fact.value.split(",") if name.strip()))
            case "starter":
                self.starter = fact.value
            case "stock":
                self.stock = _number(fact.value)
            case "row":
                self.row = self._pieces(fact.value)
            case "hand":
                self.hands.append((fact.whose, self._pieces(fact.value)))
            case "opened":
                self.opened.append((fact.whose, _opened(fact.value)))
            case "table":
                self.table.append(table_meld(self.deal, parse_tiles(fact.value, self._spellings), fact.whose))

    def turn(self, line: _Line) -> PlayedTurn:
        player, colon, moves = line.text.partition(":")
        if not colon:
            raise Unreadable("play.turn_line", where=line.where, given=line.text[:40])
        try:
            told = re.match(r"\s*\[([^\]]*)\]", moves)
            hand = self._pieces(told[1]) if told else None
            actions = tuple(self._actions(moves[told.end() :] if told else moves, line.where))
        except Unreadable as error:
            raise error.at(line.where) from error
        return PlayedTurn(player.strip(), actions, hand, line.where)

    def play(self, turns: Sequence[PlayedTurn], name: str) -> PlayFile:
        named = [(turn.player, turn.where) for turn in turns]
        named += [(player, name) for player, _ in (*self.hands, *self.opened)]
        if self.starter:
            named.append((self.starter, name))
        for player, where in named:
            if player not in self.players:
                raise Unreadable("play.not_seated", where=where, player=player or "?")
        return PlayFile(
            self.deal,
            self.players,
            tuple(turns),
            tuple(self.hands),
            tuple(self.opened),
            self.starter,
            tuple(self.table),
            self.row,
            self.stock,
            name,
        )

    def _actions(self, moves: str, where: str) -> Iterator[Action]:
        place = 0
        while rest := moves[place:].strip():
            found = _MOVE.match(moves, place)
            if found is None:
                raise Unreadable("play.move", where=where, given=rest.split()[0][:40])
            yield self._action(found, where)
            place = found.end()

    def _action(self, found: re.Match[str], where: str) -> Action:
        parts = {name: text for name, text in found.groupdict().items() if text is not None}
        makers: dict[str, Callable[[], Action]] = {
            "button": lambda: Button(where),
            "draw": lambda: Draw(self._piece(parts["draw_tile"]) if "draw_tile" in parts else None, where),
            "atu": lambda: TakeAtu(self._piece(parts["atu_tile"]), where),
            "take": lambda: Take(self._piece(parts["take_tile"]), _place(parts), where),
            "lay": lambda: Lay(parse_melds(parts["lay_melds"], self._spellings), where),
            "add": lambda: Add(self._slot(parts["add_tile"]), self._slots(parts["add_to"]), where),
            "swap": lambda: Swap(self._slot(parts["swap_tile"]), self._slots(parts["swap_in"]), where),
            "show": lambda: Show(self._piece(parts["show_tile"]), where),
            "announce": lambda: Announce(parts["announce_what"], where),
            "discard": lambda: Discard(self._piece(parts["discard_tile"]), where),
            "win": lambda: Win(self._piece(parts["win_tile"]), where),
        }
        return next(make for name, make in makers.items() if name in parts)()

    @property
    def _spellings(self) -> Spellings:
        return self.deal.rules.spellings

    def _slot(self, text: str) -> Slot:
        return parse_tile(text, self._spellings)

    def _slots(self, text: str) -> tuple[Slot, ...]:
        return parse_tiles(text, self._spellings)

    def _piece(self, text: str) -> Piece:
        return self.deal.as_in_box(self._slot(text).piece)

    def _pieces(self, text: str) -> tuple[Piece, ...]:
        return tuple(self.deal.as_in_box(slot.piece) for slot in self._slots(text))


def _place(parts: dict[str, str]) -> int | None:
    return _number(parts["take_from"]) if "take_from" in parts else None


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 5):
        raise Unreadable("turn.number", given=text[:40], least=0)
    return int(text)


def _opened(text: str) -> Opened:
    if text not in tuple(Opened):
        raise Unreadable("turn.word", given=text[:40], allowed=", ".join(Opened), nearest=nearest(text, tuple(Opened)))
    return Opened(text)
