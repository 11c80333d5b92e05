"""A match for other programs: every round and every line of it as plain fields, and the score sheet as CSV."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from remi_ref.rules.rulefile import digest

if TYPE_CHECKING:
    from remi_ref.match.standings import Match, Played, Standings


def match_fields(match: Match, table: Standings) -> dict[str, object]:
    """The match as scripts read it.

    ``standings`` maps players to totals, the best first; ``rounds`` holds, for each round, the scores, the lines they
    are the sum of, and the round as it was entered last.
    """
    return {
        "players": match.start.players,
        "points": match.start.points or None,
        "digest": digest(match.start.rules),
        "standings": table.totals,
        "places": table.places,
        "rounds": tuple(_round_fields(played) for played in match.rounds),
        "over": table.ended is not None,
        "ended": table.ended,
        "winners": table.winners,
    }


def _round_fields(played: Played) -> dict[str, object]:
    latest = played.entries[-1]
    return {
        "round": played.number,
        "scores": {score.player: score.total for score in played.scores},
        "players": {score.player: {"total": score.total, "lines": score.lines} for score in played.scores},
        "at": latest.at,
        "corrections": len(played.entries) - 1,
        "entered": latest.entered,
    }


def match_csv(match: Match, round_word: str, total_word: str) -> str:
    """The score sheet: a row for each round with the points of each player, then the running totals.

    Args:
        match: the match.
        round_word: head of the column of round numbers.
        total_word: what is put after a player's name over his running totals.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    players = match.start.players
    writer.writerow([round_word, *players, *(f"{player} ({total_word})" for player in players)])
    for played, running in zip(match.rounds, match.running[1:], strict=True):
        points = {score.player: score.total for score in played.scores}
        writer.writerow([played.number, *(points[name] for name in players), *(running[name] for name in players)])
    return text.getvalue()
