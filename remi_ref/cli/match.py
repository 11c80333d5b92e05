"""Commands of the running match. The match's own rules, stored in its file, count; so only `new` takes rules."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated

import typer

from remi_ref.answers.answer import Answer, Bilingual, Phrase, Section
from remi_ref.answers.show import as_json
from remi_ref.cli.looking import Looking
from remi_ref.cli.photos import judge_photos, names_in_file, with_texts
from remi_ref.cli.table import Table, at_the_table, shown, shown_with_photos
from remi_ref.errors import Unreadable
from remi_ref.match import match as matches
from remi_ref.match.chart import plot as draw
from remi_ref.match.chart import text_chart
from remi_ref.match.disk import put_file, refuse_to_replace
from remi_ref.match.enteredround import score_entered
from remi_ref.match.export import match_csv, match_fields
from remi_ref.match.standings import Match, Played, Standings, standings
from remi_ref.play.roundtext import tree_of
from remi_ref.rules.rulefile import digest
from remi_ref.yamltree import plain_name, read_bytes

CHART_WIDTH = 70
LONGEST_HEAD = 12

MatchArgument = Annotated[str, typer.Argument(metavar="MATCH")]
RoundFileArgument = Annotated[str, typer.Argument(metavar="ROUND")]
NumberArgument = Annotated[int, typer.Argument(metavar="N", min=1, max=99_999)]
NamesOption = Annotated[str, typer.Option("--players", metavar="A,B,C")]
PointsOption = Annotated[int | None, typer.Option("--points", metavar="N", min=1, max=10_000)]
RoundOption = Annotated[int | None, typer.Option("--round", metavar="N", min=1, max=99_999)]
PlotOption = Annotated[str | None, typer.Option("--plot", metavar="OUT.png|.svg")]
OutOption = Annotated[str | None, typer.Option("--to", metavar="OUT.csv|.json")]


@at_the_table
def new(table: Table, match_file: MatchArgument, names: NamesOption, points: PointsOption = None) -> Answer:
    """Begins a match."""
    players = [plain_name(name) for name in names.split(",")]
    change = matches.begin(Path(match_file), table.rules, players, points)
    return _answer("match new", change, Phrase("match.began", {"players": ", ".join(players)}), "match.not_begun")


@shown_with_photos
def add(looking: Looking, match_file: MatchArgument, round_file: RoundFileArgument) -> Answer:
    """Adds a round."""
    path, round_path = Path(match_file), Path(round_file)

    def enter(data: bytes) -> Answer:
        return _answer("match add", matches.add(path, round_path, data), Phrase("match.added_round"))

    return _entered(enter, looking, path, round_path)


@shown_with_photos
def correct(
    looking: Looking, match_file: MatchArgument, number: NumberArgument, round_file: RoundFileArgument
) -> Answer:
    """Enters a past round again."""
    path, round_path = Path(match_file), Path(round_file)

    def enter(data: bytes) -> Answer:
        change = matches.correct(path, number, round_path, data)
        return _answer("match correct", change, Phrase("match.corrected_round"))

    return _entered(enter, looking, path, round_path)


@shown
def undo(match_file: MatchArgument) -> Answer:
    """Takes back the last entry."""
    return _answer("match undo", matches.undo(Path(match_file)), Phrase("match.undone_round"))


@shown
def show(
    context: typer.Context, match_file: MatchArgument, number: RoundOption = None, plot: PlotOption = None
) -> Answer:
    """Shows where a match stands, one round of it in full, or draws a chart."""
    opened = matches.read(Path(match_file))
    match, table = opened.match, standings(opened.match)
    drawn: tuple[Section, ...] = ()
    if plot is not None:
        if not match.rounds:
            raise Unreadable("match.plot_empty", where=match_file)
        words = context.obj
        refuse_to_replace(Path(plot), Path(match_file))
        draw(match.running, Path(plot), (words.say("match.axis"), words.say("match.total")))
        drawn = (Section("", (Phrase("match.drawn", {"file": plot}),)),)
    if number is None:
        body = (*_sheet(match, table), Section("", (), table.reasons), *_chart(match))
    else:
        body = _one_round(match, number, match_file)
    sections = (*_torn(opened), *body, _rules(match), *drawn)
    return Answer("match show", match.start.rules, match_fields(match, table), _stands(match, table), sections)


@shown
def export(context: typer.Context, match_file: MatchArgument, to: OutOption = None) -> Answer:
    """Writes a match as CSV or JSON."""
    opened = matches.read(Path(match_file))
    match, table = opened.match, standings(opened.match)
    fields = match_fields(match, table)
    words = context.obj
    sheet = match_csv(match, words.say("match.axis"), words.say("match.total"))
    answer = Answer("match export", match.start.rules, fields, "", (Section("", (sheet.rstrip(),), verbatim=True),))
    if to is None:
        return answer
    texts = {".csv": sheet, ".json": as_json(answer, words) + "\n"}
    path = Path(to)
    if path.suffix.lower() not in texts:
        raise Unreadable("match.export_kind", name=path.name)
    refuse_to_replace(path, Path(match_file))
    put_file(path, texts[path.suffix.lower()].encode())
    return Answer("match export", match.start.rules, fields, Phrase("match.exported", {"file": to}))


def _entered(enter: Callable[[bytes], Answer], looking: Looking, path: Path, round_path: Path) -> Answer:
    """Enters a round, with the tiles that its photos show in place of their names, for the match to stand by itself.

    Nothing is entered while the plausible readings of the photos are scored differently.
    """
    data = read_bytes(round_path)
    names = names_in_file(tree_of(data, round_path), round_path.parent)
    if not names:
        looking.refuse_if_idle()
        return enter(data)
    match, read = matches.read(path).match, []

    def judge(texts: Mapping[str, str]) -> Answer:
        written = with_texts(data, round_path, texts)
        judged = score_entered(match.start.rules, match.start.players, written, round_path)
        read.append(written)
        why = (Section("", (), judged.verdict.reasons),) if judged.verdict.ok is None else ()
        scores = {score.player: score.total for score in judged.scores}
        return Answer("match", match.start.rules, {}, Phrase("match.undecided"), why, judged.verdict.ok, scores)

    asked = judge_photos(judge, {name: round_path.parent / name for name in names}, looking, lambda: match.start.rules)
    if asked.ok is None:
        return asked._replace(sections=(Section("", (Phrase("match.not_added"),)), *asked.sections))
    answer = enter(read[0])
    return answer._replace(fields={**answer.fields, **asked.fields}, sections=(*answer.sections, *asked.sections))


def _answer(command: str, change: matches.Change, done: Phrase, refused: str = "match.not_added") -> Answer:
    """What was changed, or why nothing was, and where the match stands now."""
    match, table = change.opened.match, standings(change.opened.match)
    ok = change.verdict.ok
    headline = Phrase(done.code, {"round": change.round, **done.values})
    if not ok:
        headline = Phrase("match.undecided" if ok is None else refused)
    why = Section("", (), change.verdict.reasons)
    stands = (Section(_stands(match, table) if match.rounds else "", (), table.reasons), *_sheet(match, table))
    sections = (*_torn(change.opened), why, *(stands if ok else ()))
    return Answer(command, match.start.rules, match_fields(match, table), headline, sections, ok)


def _stands(match: Match, table: Standings) -> Phrase:
    """In one sentence, who won or who is ahead."""
    best = next(iter(table.totals.values()))
    ahead = [player for player, total in table.totals.items() if total == best]
    values = {"rounds": len(match.rounds), "points": best, "names": ", ".join(table.winners or ahead)}
    if table.ended is not None:
        return Phrase("match.over", values | {"rounds": table.ended})
    return Phrase("match.level" if len(ahead) == len(table.totals) else "match.running", values)


def _torn(opened: matches.Opened) -> tuple[Section, ...]:
    if opened.torn is None:
        return ()
    code = "match.torn" if opened.torn.kept else "match.torn_here"
    return (Section("", (Phrase(code, {"line": opened.torn.line, "kept": opened.torn.kept}),)),)


def _sheet(match: Match, table: Standings) -> tuple[Section, ...]:
    """The score sheet: a column for each player, a line for each round, the totals below."""
    if not match.rounds:
        return ()
    players = match.start.players
    heads = [player if len(player) <= LONGEST_HEAD else f"{player[: LONGEST_HEAD - 1]}…" for player in players]
    rows = [("", heads)]
    if match.start.points:
        rows.append(("0", [str(match.start.points) for _ in players]))
    rows += [_sheet_row(played, table) for played in match.rounds]
    rows.append(("Σ", [str(table.totals[player]) for player in players]))
    first = max(len(head) for head, _ in rows)
    widths = [max(len(head), 6) for head in heads]
    lines = tuple(
        f"  {head:>{first}}" + "".join(f"  {cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
        for head, cells in rows
    )
    corrected = any(len(played.entries) > 1 for played in match.rounds)
    below = (Section("", (Phrase("match.corrected_mark"),)),) if corrected else ()
    return (Section(Phrase("match.sheet"), lines, verbatim=True), *below)


def _sheet_row(played: Played, table: Standings) -> tuple[str, list[str]]:
    """A round's line; a star for a corrected one, brackets for one that came after the end."""
    head = f"{played.number}{'*' if len(played.entries) > 1 else ''}"
    if table.ended is not None and played.number > table.ended:
        head = f"({head})"
    return head, [f"{score.total:+d}" for score in played.scores]


def _chart(match: Match) -> tuple[Section, ...]:
    if not match.rounds:
        return ()
    lines = tuple(f"  {line}" for line in text_chart(match.running, CHART_WIDTH))
    return (Section(Phrase("match.chart"), lines, verbatim=True),)


def _one_round(match: Match, number: int, name: str) -> tuple[Section, ...]:
    """Every line of a round, and what had been entered for it before."""
    if number > len(match.rounds):
        raise Unreadable("match.no_round", where=name, round=number, count=len(match.rounds))
    played = match.rounds[number - 1]
    players = tuple(
        Section(Phrase("match.round_player", {"player": score.player, "points": score.total}), (), score.lines)
        for score in played.scores
    )
    before = tuple(
        Phrase(
            "match.replaced", {"at": entry.at, "scores": ", ".join(f"{s.player} {s.total:+d}" for s in entry.scores)}
        )
        for entry in played.entries[:-1]
    )
    title = Phrase("match.round_title", {"round": number, "at": played.entries[-1].at})
    return (
        Section(title, before),
        *players,
        Section(Phrase("match.as_entered"), played.entries[-1].entered, verbatim=True),
    )


def _rules(match: Match) -> Section:
    rules = match.start.rules
    values = {"name": Bilingual(rules.name), "id": rules.id, "digest": digest(rules)}
    return Section("", (Phrase("match.by_rules", values),))
