"""A round handed to a match, whatever it is written as: counted (a round file) or played (turns, or the short text).

This is the one place that tells them apart.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remi_ref.errors import Unreadable, nearest
from remi_ref.notation import parse_piece
from remi_ref.play.rounds import judge_play
from remi_ref.play.roundtext import is_round_text
from remi_ref.play.turnfile import PlayFile, read_turns
from remi_ref.play.turnfile import read_round as read_text
from remi_ref.rules.deal import Deal
from remi_ref.rules.dealfile import at, read_deal
from remi_ref.score.roundfile import read_round
from remi_ref.score.scoring import RoundScore, judge_round
from remi_ref.verdict import Outcome, Verdict
from remi_ref.yamltree import load_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from remi_ref.play.rounds import PlayVerdict
    from remi_ref.rules.ruleset import Ruleset
    from remi_ref.yamltree import Node

_NAMED_RULES = re.compile(r"^rules:[ \t]*(\S+)", re.MULTILINE)


def score_entered(rules: Ruleset, players: Sequence[str], data: bytes, path: Path) -> RoundScore:
    """Scores a round by a match's rules; a played one must have been played by them, too.

    Args:
        rules: the match's.
        players: the match's; the round must have the same, the scores come in this order.
        data: content of the round's file.
        path: the file; errors name it, and a house file named in it is looked for beside it.

    Raises:
        Unreadable: the round cannot be read, contradicts itself, is not over, has other players or is of another game.
    """
    if is_round_text(data, path.name):
        play = _short_text(rules, data, path)
        judged = _score_play(play, players, dict.fromkeys(play.players, str(path)))
    else:
        judged = _score_yaml(rules, players, load_text(data, str(path)), path)
    by_name = {score.player: score for score in judged.scores}
    return RoundScore(tuple(by_name[name] for name in players if name in by_name), judged.verdict)


def _score_yaml(rules: Ruleset, players: Sequence[str], root: Node, path: Path) -> RoundScore:
    named = root.mapping.get("rules")
    if named is not None and not named.empty:
        _check_rules(rules, read_deal(root, path).rules.id, named.where)
    if "turns" not in root.mapping:
        deal = _deal(rules, root)
        finished = read_round(root, deal)
        _check_players(
            players, {name: node.where for name, node in root.mapping["players"].mapping.items()}, root.where
        )
        return judge_round(deal, finished)
    play = read_turns(root, path.parent, rules)
    assert isinstance(play, PlayFile)  # noqa: S101 - it has turns
    return _score_play(play, players, dict.fromkeys(play.players, root.where))


def _short_text(rules: Ruleset, data: bytes, path: Path) -> PlayFile:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise Unreadable("file.not_utf8", where=f"{path}:{line}") from error
    if named := _NAMED_RULES.search(text):
        line = text[: named.start()].count("\n") + 1
        _check_rules(rules, named[1], f"{path}:{line}")
    return read_text(text, str(path), rules)


def _score_play(play: PlayFile, players: Sequence[str], places: Mapping[str, str]) -> RoundScore:
    """The count of a played round; without scores when a turn was not legal."""
    where = next(iter(places.values()))
    _check_players(players, places, where)
    judged = judge_play(play)
    if judged.verdict.ok is False:
        return RoundScore((), _fault(play, judged))
    if judged.finished is None:
        raise Unreadable("match.not_finished", where=where)
    if unknown := [side.name for side in judged.finished.sides if side.hand is None]:
        raise Unreadable("match.hands_unknown", where=where, names=", ".join(unknown))
    if judged.verdict.open or judged.counted is None:
        return RoundScore((), judged.verdict)
    return judged.counted


def _fault(play: PlayFile, judged: PlayVerdict) -> Verdict:
    """Why the first faulty turn was not legal."""
    index = next(number for number, turn in enumerate(judged.turns) if turn.verdict.ok is False)
    turn = judged.turns[index]
    values: dict[str, int | str] = {"turn": index + 1, "player": turn.player, "where": play.turns[index].where}
    failed = tuple(reason for reason in turn.verdict.reasons if reason.outcome is Outcome.FAIL)
    return Verdict((play.deal.rules.reason("match.legal_play", Outcome.FAIL, values=values), *failed))


def _check_rules(rules: Ruleset, named: str, where: str) -> None:
    """A round may name the match's ruleset or its game; the match's own values count."""
    if named not in {rules.id, rules.game}:
        raise Unreadable("match.other_rules", where=where, named=named, rules=rules.id)


def _deal(rules: Ruleset, root: Node) -> Deal:
    node = root.mapping.get("turned")
    if node is None or node.empty:
        return Deal(rules)
    return at(node, lambda text: Deal(rules, parse_piece(text, rules.spellings)))


def _check_players(players: Sequence[str], places: Mapping[str, str], where: str) -> None:
    for name, place in places.items():
        if name not in players:
            near, known = nearest(name, players), ", ".join(players)
            raise Unreadable("match.no_player", where=place, name=name, nearest=near, players=known)
    for name in players:
        if name not in places:
            raise Unreadable("match.player_missing", where=where, name=name)
