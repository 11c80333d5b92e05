"""The running match in its file: begin it, add a round, take one back, correct any; each change is one more line.

Public interface:
    begin(path, rules, players, points) -> Change
    read(path) -> Opened
    add(path, round_path, data) -> Change
    correct(path, number, round_path, data) -> Change
    undo(path) -> Change
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from remi_ref.errors import Unreadable
from remi_ref.match.enteredround import score_entered
from remi_ref.match.events import Entry, Start, Undo, read_events, read_start, write_event, write_start
from remi_ref.match.ledger import create_ledger, open_ledger
from remi_ref.match.standings import Match, replay, standings
from remi_ref.verdict import Outcome, Verdict
from remi_ref.yamltree import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from remi_ref.match.ledger import Ledger, Torn
    from remi_ref.rules.ruleset import Ruleset
    from remi_ref.verdict import Reason

LONGEST_NAME = 40


@dataclass(frozen=True, slots=True)
class Opened:
    """A match file as it was found.

    Attributes:
        match: what stands in it.
        torn: an unfinished last line, which does not count.
    """

    match: Match
    torn: Torn | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """A change that was asked for.

    Attributes:
        verdict: whether it was made; where not, the file is as it was.
        opened: the match after it.
        round: number of the round it is about; 0 when there is none.
    """

    verdict: Verdict
    opened: Opened
    round: int = 0


def begin(path: Path, rules: Ruleset, players: Sequence[str], points: int | None) -> Change:
    """Begins a match in a new file.

    Args:
        path: the file, which must not be there yet.
        rules: the table's; all their values go into the file.
        players: names in table order.
        points: what each begins with, where the game has a pot.

    Raises:
        Unreadable: a name that will not do, a pot where there is none or the other way round, rules that contradict
            each other, a file that is there already or cannot be written.
    """
    _check_names(players)
    _check_end(rules)
    pot = rules.choice("score_direction") == "pot"
    low, high = rules.numbers("match.pot")[0], rules.numbers("match.pot")[-1]
    if pot is (points is None):
        raise Unreadable("match.points_wanted" if pot else "match.no_pot", low=low, high=high, rules=rules.id)
    start = Start(_now(), tuple(players), points or 0, rules)
    verdict = Verdict(tuple(_conditions(start, low, high)))
    if verdict.ok:
        create_ledger(path, write_start(start))
    return Change(verdict, Opened(Match(start, (), ())))


def _conditions(start: Start, low: int, high: int) -> Iterator[Reason]:
    rules, count = start.rules, len(start.players)
    allowed = ", ".join(str(number) for number in rules.seats)
    values: dict[str, int | str] = {"players": count, "allowed": allowed}
    yield rules.reason("setup.players", count in rules.seats, knob="players", values=values)
    if rules.choice("score_direction") == "pot":
        values = {"points": start.points, "low": low, "high": high}
        yield rules.reason("match.pot", low <= start.points <= high, knob="match.pot", values=values)
        yield rules.reason("match.same_start", Outcome.NOTE, knob="score_direction", values={"points": start.points})


def read(path: Path) -> Opened:
    """Reads a match.

    Raises:
        Unreadable: with file and line.
    """
    with open_ledger(path, writing=False) as ledger:
        return _opened(ledger)


def add(path: Path, round_path: Path, data: bytes | None = None) -> Change:
    """Adds a round to a match that is not over.

    Args:
        path: the match.
        round_path: the round's file.
        data: what it holds, where that is known already; tiles may stand in it in place of photos.

    Raises:
        Unreadable: a fault in either file, other players, or a file that cannot be written.
    """
    data = read_bytes(round_path) if data is None else data
    with open_ledger(path, writing=True) as ledger:
        opened = _opened(ledger)
        ended = standings(opened.match).ended
        if ended is not None:
            return Change(Verdict((_over(opened.match.start.rules, ended),)), opened)
        return _enter(ledger, opened, len(opened.match.rounds) + 1, data, round_path)


def correct(path: Path, number: int, round_path: Path, data: bytes | None = None) -> Change:
    """Enters a round again that is already there; arguments as in `add`.

    Raises:
        Unreadable: no such round, or as `add`.
    """
    data = read_bytes(round_path) if data is None else data
    with open_ledger(path, writing=True) as ledger:
        opened = _opened(ledger)
        if not 1 <= number <= len(opened.match.rounds):
            raise Unreadable("match.no_round", where=str(path), round=number, count=len(opened.match.rounds))
        return _enter(ledger, opened, number, data, round_path)


def undo(path: Path) -> Change:
    """Takes back the last entry that stands, a round or a correction.

    Raises:
        Unreadable: nothing to take back, or the file cannot be read or written.
    """
    with open_ledger(path, writing=True) as ledger:
        opened = _opened(ledger)
        if not opened.match.standing:
            raise Unreadable("match.nothing_to_undo", where=str(path))
        line, entry = opened.match.standing[-1]
        after = _write(ledger, Undo(_now(), line))
        return Change(Verdict(()), after, entry.number)


def _opened(ledger: Ledger) -> Opened:
    return Opened(_match(ledger.lines, str(ledger.path)), ledger.torn)


def _match(lines: Sequence[str], name: str) -> Match:
    start = read_start(lines[0], name)
    return replay(start, read_events(start, lines[1:], name), name)


def _over(rules: Ruleset, ended: int) -> Reason:
    return rules.reason("match.goes_on", Outcome.FAIL, knob="match_end", values={"round": ended})


def _enter(ledger: Ledger, opened: Opened, number: int, data: bytes, round_path: Path) -> Change:
    """Scores the round by the match's own rules and writes it down, unless it hangs on what only the players know."""
    start = opened.match.start
    judged = score_entered(start.rules, start.players, data, round_path)
    if judged.verdict.ok is not True:
        return Change(judged.verdict, opened, number)
    text = tuple(data.decode("utf-8-sig").splitlines())
    corrects = number <= len(opened.match.rounds)
    after = _write(ledger, Entry(_now(), number, corrects, judged.scores, text))
    note = start.rules.reason("match.added", Outcome.NOTE, knob="score_direction")
    return Change(Verdict((*judged.verdict.reasons, note)), after, number)


def _write(ledger: Ledger, event: Entry | Undo) -> Opened:
    """Writes an event down; one that could not be read back never gets into the file."""
    line = write_event(event, len(ledger.lines) + 1)
    match = _match((*ledger.lines, line), str(ledger.path))
    ledger.append(line)
    return Opened(match, ledger.torn)


def _check_names(players: Sequence[str]) -> None:
    """A name begins with a letter or digit: in a spreadsheet a sign there begins a formula."""
    for index, name in enumerate(players):
        plain = name.isprintable() and "," not in name and name == name.strip()
        if not plain or not name[:1].isalnum() or len(name) > LONGEST_NAME:
            raise Unreadable("match.name", name=repr(name)[: LONGEST_NAME + 2], most=LONGEST_NAME)
        if name in players[:index]:
            raise Unreadable("match.name_twice", name=name)


def _check_end(rules: Ruleset) -> None:
    """Totals that start at zero would end a match that ends at zero."""
    if rules.choice("match_end") == "zero" and rules.choice("score_direction") != "pot":
        raise Unreadable("rules.contradiction", first="match_end=zero", second="score_direction=higher")


def _now() -> str:
    return datetime.now().astimezone().isoformat(timespec="seconds")
