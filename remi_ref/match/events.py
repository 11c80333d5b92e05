"""What can happen to a match, and how each event stands in its line of the match file.

    {"line": 1, "event": "new", "at": ..., "players": [...], "points": 10, "rules": {...}}
    {"line": 2, "event": "round", "at": ..., "round": 1, "scores": {...}, "counted": {...}, "entered": [...]}
    {"line": 3, "event": "correct", ...}   the same, for a round that is already there
    {"line": 4, "event": "undo", "at": ..., "undoes": 3}

``counted`` holds the lines that each score is the sum of, ``entered`` the round as it was typed, line by line.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from remi_ref.errors import Unreadable, nearest
from remi_ref.match.jsonfields import Fields
from remi_ref.match.storedrules import restore_rules, store_rules
from remi_ref.notation import parse_tiles
from remi_ref.tiles import format_tiles
from remi_ref.verdict import Score, ScoreLine
from remi_ref.words import LANGUAGES, Words
from remi_ref.yamltree import plain_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from remi_ref.rules.ruleset import Ruleset

_KINDS = ("new", "round", "correct", "undo")


@dataclass(frozen=True, slots=True)
class Start:
    """The match begins.

    Attributes:
        at: when, in ISO 8601.
        players: in table order.
        points: what each player begins with; 0 where the game has no pot.
        rules: as they were then.
    """

    at: str
    players: tuple[str, ...]
    points: int
    rules: Ruleset


@dataclass(frozen=True, slots=True)
class Entry:
    """A round is entered, or entered again.

    Attributes:
        at: when, in ISO 8601.
        number: of the round, from 1.
        corrects: whether it takes the place of what was entered for that round before.
        scores: every player's, in table order.
        entered: the round as it was typed, line by line.
    """

    at: str
    number: int
    corrects: bool
    scores: tuple[Score, ...]
    entered: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Undo:
    """The last entry that still stands is taken back; ``undoes`` is its line in the file."""

    at: str
    undoes: int


def write_start(start: Start) -> str:
    """The first line of a match file."""
    points = {"points": start.points} if start.points else {}
    fields = {"players": start.players, **points, "rules": store_rules(start.rules)}
    return _line(1, "new", start.at, fields)


def write_event(event: Entry | Undo, line: int) -> str:
    """The event as the given line of the file."""
    if isinstance(event, Undo):
        return _line(line, "undo", event.at, {"undoes": event.undoes})
    fields = {
        "round": event.number,
        "scores": {score.player: score.total for score in event.scores},
        "counted": {score.player: [_counted(one) for one in score.lines] for score in event.scores},
        "entered": event.entered,
    }
    return _line(line, "correct" if event.corrects else "round", event.at, fields)


def _line(line: int, event: str, at: str, fields: dict[str, object]) -> str:
    return json.dumps({"line": line, "event": event, "at": at, **fields}, ensure_ascii=False)


def _counted(line: ScoreLine) -> dict[str, object]:
    optional = {"rule": line.citation.knob, "values": dict(line.values), "tiles": format_tiles(line.tiles)}
    return {"code": line.code, "points": line.points, **{key: value for key, value in optional.items() if value}}


def read_start(line: str, name: str) -> Start:
    """The first event of a match file.

    Args:
        line: the file's first line.
        name: how errors call the file.

    Raises:
        Unreadable: with file and line.
    """
    fields = Fields.of_line(line, f"{name}:1")
    _check_envelope(fields, 1, ("new",))
    fields.only(("line", "event", "at", "players", "points", "rules"))
    points = fields.number("points") if "points" in fields.values else 0
    players = tuple(map(plain_name, fields.texts("players")))
    return Start(fields.text("at"), players, points, restore_rules(fields.inside("rules")))


def read_events(start: Start, lines: Sequence[str], name: str) -> Iterator[Entry | Undo]:
    """The events after the first.

    Args:
        start: the first event.
        lines: the file's second and further lines.
        name: how errors call the file.

    Raises:
        Unreadable: with file and line.
    """
    for number, line in enumerate(lines, start=2):
        fields = Fields.of_line(line, f"{name}:{number}")
        if _check_envelope(fields, number, _KINDS[1:]) == "undo":
            fields.only(("line", "event", "at", "undoes"))
            yield Undo(fields.text("at"), fields.number("undoes"))
        else:
            yield _entry(start, fields)


def _check_envelope(fields: Fields, number: int, kinds: tuple[str, ...]) -> str:
    """The event's kind; lines are numbered, so that a missing one is noticed."""
    kind = fields.text("event")
    if kind not in kinds:
        near, known = nearest(kind, kinds), ", ".join(kinds)
        raise Unreadable("match.no_event", where=fields.where, event=kind[:40], nearest=near, known=known)
    if fields.number("line") != number:
        raise Unreadable("match.line_number", where=fields.where, number=number, found=fields.number("line"))
    return kind


def _entry(start: Start, fields: Fields) -> Entry:
    fields.only(("line", "event", "at", "round", "scores", "counted", "entered"))
    totals, counted = fields.inside("scores"), fields.inside("counted")
    for part in (totals, counted):
        if set(part.values) != set(start.players):
            raise Unreadable("match.other_players", where=fields.where, players=", ".join(start.players))
    scores = tuple(Score(player, _lines(start.rules, counted, player)) for player in start.players)
    for score in scores:
        if totals.number(score.player) != score.total:
            stated = totals.number(score.player)
            raise Unreadable("match.sum", where=fields.where, player=score.player, points=stated, total=score.total)
    corrects = fields.text("event") == "correct"
    return Entry(fields.text("at"), fields.number("round"), corrects, scores, fields.texts("entered"))


def _lines(rules: Ruleset, counted: Fields, player: str) -> tuple[ScoreLine, ...]:
    return tuple(_score_line(rules, fields) for fields in counted.objects(player))


def _score_line(rules: Ruleset, fields: Fields) -> ScoreLine:
    fields.only(("code", "points", "rule", "values", "tiles"))
    code, knob = fields.text("code"), fields.text("rule") if "rule" in fields.values else ""
    if knob not in rules.leaves and (knob or code not in rules.citations):
        raise Unreadable("match.field", where=fields.where, key="rule")
    values = fields.inside("values") if "values" in fields.values else Fields({}, fields.where)
    tiles = fields.text("tiles") if "tiles" in fields.values else ""
    try:
        slots = parse_tiles(tiles)
    except Unreadable as error:
        raise error.at(fields.where) from error
    named = {key: _value(values, key) for key in values.values}
    _check_said(code, named, fields.where)
    return ScoreLine(code, fields.number("points"), rules.cite(code, knob), named, slots)


def _check_said(code: str, values: Mapping[str, int | str], where: str) -> None:
    """Refuses a line that cannot be put into words: no such code, or a value that was taken out by hand."""
    sentence = _sentence(code)
    if sentence is None:
        raise Unreadable("match.field", where=where, key="code")
    try:
        _words().fill(sentence, {"tiles": "", "points": 0, **values})
    except KeyError as error:
        raise Unreadable("match.field", where=where, key=f"values.{error.args[0]}") from error


def _sentence(code: str) -> str | None:
    try:
        return _words().text(code, "line") if code.startswith("score.") else None
    except KeyError:
        return None


@lru_cache(maxsize=1)
def _words() -> Words:
    return Words(LANGUAGES[0])


def _value(fields: Fields, key: str) -> int | str:
    return fields.text(key) if isinstance(fields.values[key], str) else fields.number(key)
