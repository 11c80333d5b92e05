"""Where a match stands: rounds as they count now, running totals, its end, winners and ties.

Public interface:
    replay(start, events, name) -> Match      what the events leave standing
    standings(match) -> Standings             totals, places, the end, the winners
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from remi_ref.errors import Unreadable
from remi_ref.match.events import Entry, Start, Undo
from remi_ref.verdict import Outcome, Reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from remi_ref.rules.ruleset import Ruleset
    from remi_ref.verdict import Score


@dataclass(frozen=True, slots=True)
class Played:
    """A round that counts.

    Attributes:
        number: from 1.
        entries: how it was entered, then each correction; the last one counts.
    """

    number: int
    entries: tuple[Entry, ...]

    @property
    def scores(self) -> tuple[Score, ...]:
        """Every player's score, in table order."""
        return self.entries[-1].scores


@dataclass(frozen=True)
class Match:
    """A match as its events leave it.

    Attributes:
        start: how it began.
        rounds: those that were not taken back.
        standing: the entries that stand with their lines in the file, oldest first; `Undo` takes back the last.
    """

    start: Start
    rounds: tuple[Played, ...]
    standing: tuple[tuple[int, Entry], ...]

    @cached_property
    def running(self) -> tuple[dict[str, int], ...]:
        """Every player's total before the first round and after each."""
        totals = dict.fromkeys(self.start.players, self.start.points)
        found = [totals]
        for played in self.rounds:
            totals = {score.player: totals[score.player] + score.total for score in played.scores}
            found.append(totals)
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Standings:
    """Where a match stands.

    Attributes:
        totals: by player, the best first; after the end, as they were then.
        places: by player; equal totals share a place.
        ended: the round with which the match ended; None while it goes on.
        winners: those who won; more than the game has winners when they are tied.
        reasons: how the totals are read, whether it is over, who won, ties.
    """

    totals: dict[str, int]
    places: dict[str, int]
    ended: int | None
    winners: tuple[str, ...]
    reasons: tuple[Reason, ...]


def replay(start: Start, events: Iterable[Entry | Undo], name: str) -> Match:
    """What the events leave standing.

    Args:
        start: how the match began.
        events: what followed, the first in line 2 of the file.
        name: how errors call the file.

    Raises:
        Unreadable: an event that cannot follow the ones before it; with its line.
    """
    stack: list[tuple[int, Entry]] = []
    for line, event in enumerate(events, start=2):
        where = f"{name}:{line}"
        if isinstance(event, Undo):
            if not stack or stack[-1][0] != event.undoes:
                last = stack[-1][0] if stack else 0
                raise Unreadable("match.bad_undo", where=where, line=event.undoes, last=last)
            stack.pop()
            continue
        count = sum(not entry.corrects for _, entry in stack)
        allowed = range(1, count + 1) if event.corrects else (count + 1,)
        if event.number not in allowed:
            raise Unreadable("match.bad_round", where=where, round=event.number, count=count)
        stack.append((line, event))
    entries = [entry for _, entry in stack]
    numbers = [entry.number for entry in entries if not entry.corrects]
    rounds = (Played(number, tuple(entry for entry in entries if entry.number == number)) for number in numbers)
    return Match(start, tuple(rounds), tuple(stack))


def standings(match: Match) -> Standings:
    """Totals, places, the end, the winners, and on what all that rests."""
    ended = _ended(match)
    totals = match.running[-1 if ended is None else ended]
    best_first = sorted(totals, key=lambda player: -totals[player])
    places = {player: 1 + sum(other > totals[player] for other in totals.values()) for player in best_first}
    winners: tuple[str, ...] = ()
    if ended is not None:
        most = match.start.rules.number("match.winners")
        winners = tuple(player for player in best_first if places[player] <= most)
    reasons = tuple(_reasons(match, ended, places, winners))
    return Standings({player: totals[player] for player in best_first}, places, ended, winners, reasons)


def _ended(match: Match) -> int | None:
    """The first round after which the match was over."""
    rules = match.start.rules
    ends, target = rules.choice("match_end"), rules.number("match.end_at")
    for number, totals in enumerate(match.running):
        over = {
            "none": False,
            "zero": min(totals.values()) <= 0,
            "points": max(totals.values()) >= target,
            "rounds": number >= target,
        }
        if number > 0 and over[ends]:
            return number
    return None


def _reasons(match: Match, ended: int | None, places: dict[str, int], winners: tuple[str, ...]) -> Iterator[Reason]:
    rules = match.start.rules
    yield rules.reason(f"match.order_{rules.choice('score_direction')}", Outcome.NOTE, knob="score_direction")
    yield _end(rules, ended, match.running[-1 if ended is None else ended])
    if winners:
        names, most = ", ".join(winners), rules.number("match.winners")
        yield rules.reason("match.winners", Outcome.NOTE, knob="match.winners", values={"names": names, "most": most})
    for place in sorted(set(places.values())):
        tied = [player for player, taken in places.items() if taken == place]
        if len(tied) > 1 and match.rounds:
            values: dict[str, int | str] = {"place": place, "names": ", ".join(tied)}
            yield rules.reason("match.tie", Outcome.NOTE, knob="ties", values=values)
    if ended is not None and len(match.rounds) > ended:
        late = {"first": ended + 1, "last": len(match.rounds), "ended": ended}
        yield rules.reason("match.late", Outcome.NOTE, knob="match_end", values=late)


def _end(rules: Ruleset, ended: int | None, totals: dict[str, int]) -> Reason:
    """Whether the match is over: a pass when it is."""
    ends, target = rules.choice("match_end"), rules.number("match.end_at")
    names = {
        "zero": [player for player, total in totals.items() if total <= 0],
        "points": [player for player, total in totals.items() if total >= target],
    }
    values: dict[str, int | str] = {"target": target, "round": ended or 0, "names": ", ".join(names.get(ends, ()))}
    outcome = Outcome.NOTE if ended is None else Outcome.PASS
    return rules.reason(f"match.end_{ends}", outcome, knob="match_end", values=values)
