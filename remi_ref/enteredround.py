"""A round handed to a match, whatever it is written as: the one place that tells a counted round from a played one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remi_ref.deal import Deal
from remi_ref.dealfile import at, read_deal
from remi_ref.errors import Unreadable
from remi_ref.knobs import nearest
from remi_ref.roundfile import read_round
from remi_ref.scoring import RoundScore, judge_round
from remi_ref.tiles import parse_tile
from remi_ref.yamltree import load_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from remi_ref.ruleset import Ruleset
    from remi_ref.yamltree import Node


def score_entered(rules: Ruleset, players: Sequence[str], data: bytes, path: Path) -> RoundScore:
    """Scores a round by a match's rules.

    Args:
        rules: the match's.
        players: the match's; the round must have the same, the scores come in this order.
        data: content of the round file.
        path: the file; errors name it, and a house file named in it is looked for beside it.

    Raises:
        Unreadable: the round cannot be read, contradicts itself, has other players or is of another game.
    """
    root = load_text(data, str(path))
    _check_rules(rules, root, path)
    deal = _deal(rules, root)
    finished = read_round(root, deal)
    _check_players(players, root)
    judged = judge_round(deal, finished)
    by_name = {score.player: score for score in judged.scores}
    return RoundScore(tuple(by_name[name] for name in players if name in by_name), judged.verdict)


def _check_rules(rules: Ruleset, root: Node, path: Path) -> None:
    """A round may name the match's ruleset or its game; the match's own values count."""
    node = root.mapping.get("rules")
    if node is None or node.empty:
        return
    named = read_deal(root, path).rules
    if named.id not in {rules.id, rules.game}:
        raise Unreadable("match.other_rules", where=node.where, named=named.id, rules=rules.id)


def _deal(rules: Ruleset, root: Node) -> Deal:
    node = root.mapping.get("turned")
    if node is None or node.empty:
        return Deal(rules)
    return at(node, lambda text: Deal(rules, parse_tile(text, rules.spellings).piece))


def _check_players(players: Sequence[str], root: Node) -> None:
    entries = root.mapping["players"].mapping
    for name, node in entries.items():
        if name not in players:
            near, known = nearest(name, players), ", ".join(players)
            raise Unreadable("match.no_player", where=node.where, name=name, nearest=near, players=known)
    for name in players:
        if name not in entries:
            raise Unreadable("match.player_missing", where=root.mapping["players"].where, name=name)
