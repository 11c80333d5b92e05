"""Commands about a round as a whole: how to deal it, whether the box is full, and what it scores."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from remi_ref.answers.answer import Answer, Phrase, Section
from remi_ref.cli.judging import TilesArgument, answered, open_lines, yes_or_no
from remi_ref.cli.photos import judge_file
from remi_ref.cli.table import Table, at_the_table
from remi_ref.cli.tiles_argument import read_tiles
from remi_ref.verdict import Score, Verdict

if TYPE_CHECKING:
    from remi_ref.rules.ruleset import Ruleset
    from remi_ref.yamltree import Node

PlayersOption = Annotated[int, typer.Option("--players", metavar="N", min=1, max=9)]
RoundFileArgument = Annotated[str, typer.Argument(metavar="FILE")]


@at_the_table
def count(table: Table, tiles: TilesArgument) -> Answer:
    """Do these make a full box?"""
    from remi_ref.score.boxcount import count_box

    slots = read_tiles(tiles, table.rules.spellings)
    table.deal.check_each(slots)
    counted = count_box(table.rules, slots)
    fields = {"missing": counted.missing, "extra": counted.extra, "total": counted.total}
    ok = counted.verdict.ok
    headline = Phrase("cli.count_yes" if ok else "cli.count_no", {"total": counted.total})
    return Answer("count", table.rules, fields, headline, (Section("", (), counted.verdict.reasons),), ok)


@at_the_table
def setup(table: Table, players: PlayersOption) -> Answer:
    """How to deal."""
    from remi_ref.score.setup import plan_setup

    plan = plan_setup(table.deal, players)
    fields = {
        "hand_first": plan.hand_first,
        "hand_other": plan.hand_other,
        "stock": plan.stock,
        "joker": plan.joker,
        "steps": plan.steps,
    }
    ok = plan.verdict.ok
    headline = Phrase("cli.setup_yes" if ok else "cli.setup_no", {"players": players, **fields})
    sections = (Section("", (), plan.steps), Section("", (), plan.verdict.reasons))
    return Answer("setup", table.rules, fields, headline, sections, ok)


@at_the_table
def score(table: Table, file: RoundFileArgument) -> Answer:
    """What does this round score?"""
    from remi_ref.play.roundtext import load_tree

    path = Path(file)
    root = load_tree(path)
    rules = partial(table.rules_of, root, path)
    return judge_file(lambda tree: _score(table, path, tree), root, path.parent, table.looking, rules)


def _score(table: Table, path: Path, root: "Node") -> Answer:
    rules, verdict, scores = (_played if "turns" in root.mapping else _counted)(table, path, root)
    totals = {score.player: score.total for score in scores}
    fields = {
        "scores": totals,
        "players": {score.player: {"total": score.total, "lines": score.lines} for score in scores},
    }
    headline = answered(f"cli.score_{yes_or_no(verdict)}", verdict)
    reasons = Section("", open_lines(verdict), () if scores else verdict.reasons)
    players = (
        Section(Phrase("cli.score_player", {"player": s.player, "points": s.total}), (), s.lines) for s in scores
    )
    return Answer("score", rules, fields, headline, (reasons, *players), verdict.ok, totals)


def _counted(table: Table, path: Path, root: "Node") -> tuple["Ruleset", Verdict, tuple[Score, ...]]:
    from remi_ref.rules.dealfile import read_deal
    from remi_ref.score.roundfile import read_round
    from remi_ref.score.scoring import judge_round

    deal = read_deal(
        root,
        path,
        rules=table.chosen,
        house_rules=table.house_rules,
        turned=table.turned_text,
        default=table.usual,
    )
    judged = judge_round(deal, read_round(root, deal))
    return deal.rules, judged.verdict, judged.scores


def _played(table: Table, path: Path, root: "Node") -> tuple["Ruleset", Verdict, tuple[Score, ...]]:
    """A round given turn by turn is judged first; only a legal one is counted."""
    from remi_ref.cli.turns import read_turns
    from remi_ref.errors import Unreadable
    from remi_ref.play.rounds import judge_play
    from remi_ref.play.turnfile import PlayFile

    play = read_turns(table, path, root)
    assert isinstance(play, PlayFile)  # noqa: S101 - it has turns
    judged = judge_play(play)
    if judged.verdict.ok is False:
        return play.deal.rules, judged.verdict, ()
    if judged.counted is None:
        raise Unreadable("cli.not_over", where=str(path))
    return play.deal.rules, judged.verdict if judged.scores else judged.counted.verdict, judged.scores
