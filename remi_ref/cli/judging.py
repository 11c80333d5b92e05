"""Commands that judge tiles: formations, openings, winning boards."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, cast

import typer

from remi_ref.answers.answer import Answer, Laid, Phrase, Said, Section
from remi_ref.cli.looking import photo_names
from remi_ref.cli.photos import judge_words
from remi_ref.cli.table import STANDARD_INPUT, Result, Table, at_the_table, with_photos_kept
from remi_ref.cli.tiles_argument import read_tile, read_tiles, read_tiles_argument
from remi_ref.errors import Unreadable
from remi_ref.melds import Formation, joker_value, judge_meld, opening_points, stands_in, table_points, value_notes
from remi_ref.rules.deal import Deal
from remi_ref.rules.ruleset import Ruleset
from remi_ref.tiles import Slot, format_tiles
from remi_ref.verdict import Outcome, Reason, Verdict

if TYPE_CHECKING:
    from remi_ref.opening.searching import CanOpen

MOST_POINTS = 10_000

MeldsArgument = Annotated[list[str], typer.Argument(metavar="MELDS")]
RackArgument = Annotated[list[str], typer.Argument(metavar="RACK")]
TilesArgument = Annotated[list[str], typer.Argument(metavar="TILES")]
TakenOption = Annotated[str | None, typer.Option("--taken", metavar="TILE")]
TurnOption = Annotated[int, typer.Option("--turn", metavar="N", min=1, max=99)]
PreviousOption = Annotated[int | None, typer.Option("--previous", metavar="P", min=0, max=MOST_POINTS)]
PreviousPairsOption = Annotated[int | None, typer.Option("--previous-pairs", metavar="K", min=0, max=20)]
HandOption = Annotated[str | None, typer.Option("--hand", metavar="TILES")]
BeforeDrawOption = Annotated[bool, typer.Option("--before-draw")]
OneAwayOption = Annotated[bool, typer.Option("--one-away")]
LastOption = Annotated[str | None, typer.Option("--last", metavar="TILE")]


@at_the_table
def meld(table: Table, melds: MeldsArgument) -> Answer:
    """Is each a valid formation, and what is it worth?"""
    groups = read_tiles_argument(melds, table.rules.spellings)
    table.deal.check_box([slot for group in groups for slot in group])
    formations = [judge_meld(table.deal, group) for group in groups]
    found = tuple(_formation_fields(table.deal, formation) for formation in formations)
    sections = tuple(
        _formation(table.deal, fields, formation) for fields, formation in zip(found, formations, strict=True)
    )
    good = sum(formation.verdict.ok is True for formation in formations)
    code = ("cli.meld_yes" if good == len(found) else "cli.meld_no") + ("_all" if len(found) > 1 else "")
    headline = Phrase(code, {"good": good, "count": len(found), "bad": len(found) - good})
    worth = {"worth": [(fields["ok"], fields["points"], fields["table_points"]) for fields in found]}
    return Answer("meld", table.rules, {"melds": found}, headline, sections, good == len(found), worth)


@at_the_table
def opening(  # noqa: PLR0913, PLR0917 - what a player may say about an opening
    table: Table,
    melds: MeldsArgument,
    taken: TakenOption = None,
    turn: TurnOption = 2,
    previous: PreviousOption = None,
    previous_pairs: PreviousPairsOption = None,
    hand: HandOption = None,
) -> Answer:
    """May exactly this be laid as a first opening?"""
    from remi_ref.opening.judging import judge_opening
    from remi_ref.opening.moment import Moment

    spellings = table.rules.spellings
    moment = Moment(turn, read_tile(taken, spellings, "--taken"), previous, previous_pairs)
    held = None if hand is None else read_tiles([hand], spellings, "--hand")
    judged = judge_opening(table.deal, read_tiles_argument(melds, spellings), moment, held)
    found = tuple(_formation_fields(table.deal, formation) for formation in judged.formations)
    numbers = {
        "points": judged.points,
        "pairs": judged.pairs,
        "threshold": judged.threshold,
        "short_by": judged.short_by,
    }
    lines = tuple(_formation_title(fields) for fields in found)
    sections = (Section("", (*lines, *open_lines(judged.verdict)), judged.verdict.reasons),)
    what = "pairs" if judged.on_pairs else "points"
    headline = answered(f"cli.opening_{yes_or_no(judged.verdict)}_{what}", judged.verdict, numbers)
    return Answer("opening", table.rules, {**numbers, "melds": found}, headline, sections, judged.verdict.ok)


@at_the_table
def can_open(  # noqa: PLR0913, PLR0917 - what a player may say about an opening
    table: Table,
    rack: RackArgument,
    taken: TakenOption = None,
    turn: TurnOption = 2,
    previous: PreviousOption = None,
    previous_pairs: PreviousPairsOption = None,
    before_draw: BeforeDrawOption = False,  # noqa: FBT002 - a flag of the command line
    one_away: OneAwayOption = False,  # noqa: FBT002 - as above
) -> Result:
    """Can this rack open, and how best?"""
    from remi_ref.opening.moment import Moment
    from remi_ref.opening.searching import can_open as judge

    rules, beside = table.rules, {"turned": table.turned_text, "taken": taken}

    def asking(turned: str | None, taken: str | None) -> Callable[..., Answer]:
        deal = replace(table, turned_text=turned).deal_by(rules)
        moment = Moment(turn, read_tile(taken, rules.spellings, "--taken"), previous, previous_pairs)

        def asked(rack: Sequence[str], line: int | None = None) -> Answer:
            slots, ask_one_away = read_tiles(rack, rules.spellings), one_away or line is None
            judged = judge(deal, slots, moment, before_draw=before_draw, ask_one_away=ask_one_away)
            return _can_open(rules, judged, slots, line, one_away=ask_one_away)

        return asked

    if rack != [STANDARD_INPUT]:
        return asking(**beside)(rack)
    looking, lines = table.looking._replace(more=True), cast("Iterable[str]", sys.stdin)
    if looking.fixes or looking.profile:  # what photos there are must be known before one is read
        lines = list(sys.stdin)
        looking = looking.for_all([*filter(None, beside.values()), *lines])
    typed = None if any(photo_names(word or "") for word in beside.values()) else asking(**beside)

    def of_line(text: str, number: int) -> Answer:
        if typed and "." not in text:  # no photo, as for nearly all of thousands
            return typed([text], number)
        given = {**beside, "rack": [text]}
        answer: Answer = judge_words(
            lambda turned, taken, rack: asking(turned, taken)(rack, number), given, looking, lambda: rules
        )
        return answer

    return _each_line(lines, of_line)


@with_photos_kept
def win(table: Table, board: TilesArgument, last: LastOption = None) -> Answer:
    """Is this a winning board?"""
    rules = table.load("remi-pe-tabla") if table.nothing_chosen else table.rules
    photographed = any(map(photo_names, board))

    def judge(turned: str | None, board: list[str], last: str | None) -> Answer:
        deal = replace(table, turned_text=turned).deal_by(rules)
        arranged = _win(deal, board, last)
        if arranged.ok or not photographed:
            return arranged
        loose = _win(deal, [word.replace("|", " ") for word in board], last)  # gaps need not part formations
        return loose if loose.ok else arranged

    given = {"turned": table.turned_text, "board": board, "last": last}
    answer: Answer = judge_words(judge, given, table.looking, lambda: rules)
    return answer


def _win(deal: Deal, tiles: Sequence[str], last: str | None) -> Answer:
    from remi_ref.opening.win import judge_win

    rules = deal.rules
    last_tile = None if last is None else read_tiles([last], rules.spellings, "--last")[0]
    judged = judge_win(deal, read_tiles_argument(tiles, rules.spellings), last_tile)
    fields = {
        "joker": judged.joker,
        "kind": judged.kind,
        "melds": tuple(str(found) for found in judged.melds),
        "last": judged.last,
        "losses": judged.losses,
    }
    lines: tuple[Said, ...] = (
        Phrase("cli.win_joker", {"joker": judged.joker}),
        *([Laid(judged.melds)] if judged.melds else []),
    )
    headline = Phrase(f"cli.win_{judged.kind or 'no'}", {"losses": judged.losses})
    section, losses = Section("", lines, judged.verdict.reasons), {"losses": judged.losses}
    return Answer("win", rules, fields, headline, (section,), judged.verdict.ok, losses)


def _can_open(rules: Ruleset, judged: "CanOpen", rack: tuple[Slot, ...], line: int | None, *, one_away: bool) -> Answer:
    """What a rack can do; one of many is named by its line."""
    fields: dict[str, object] = {} if line is None else {"line": line}
    fields |= {
        "points": judged.points,
        "threshold": judged.threshold,
        "short_by": judged.short_by,
        "melds": judged.melds,
        "left": judged.left,
        "pairs": judged.pairs,
    }
    if one_away:
        fields["one_away"] = judged.one_away
    fields["reasons"] = judged.verdict.reasons
    lines: list[Said] = [] if line is None else [Phrase("cli.rack_of_line", {"line": line, "tiles": rack})]
    lines += [Laid(judged.melds)] if judged.melds else []
    lines += [Phrase("cli.left", {"tiles": judged.left})] if judged.left else []
    lines += [_one_away(judged)] if judged.one_away else []
    section = Section("", (*lines, *open_lines(judged.verdict)), judged.verdict.reasons)
    headline = answered(f"cli.can_open_{yes_or_no(judged.verdict)}", judged.verdict, fields)
    return Answer("can-open", rules, fields, headline, (section,), judged.verdict.ok)


def _one_away(judged: "CanOpen") -> Phrase:
    if any(
        reason.code == "opening.discard_kept" and reason.outcome is Outcome.FAIL for reason in judged.verdict.reasons
    ):
        return Phrase("cli.one_away_any")  # it would be the one to discard
    return Phrase("cli.one_away", {"tiles": judged.one_away})


def _each_line(lines: Iterable[str], ask: Callable[[str, int], Answer]) -> Iterator[Answer | Unreadable]:
    """An answer for each line that holds something; a faulty one is named by its number, and that there is none."""
    empty = True
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        empty = False
        try:
            yield ask(line, number)
        except Unreadable as error:
            yield error.within(f"stdin:{number}")
    if empty:
        yield Unreadable("tiles.none", where="stdin")


def _formation(deal: Deal, fields: dict[str, object], formation: Formation) -> Section:
    notes: tuple[Reason, ...] = ()
    if fields["points"] is not None and fields["kind"] != "pair":
        jokers = tuple(slot for slot in formation.readings[0].slots if stands_in(slot))
        notes = (*value_notes(deal, formation.readings), *([joker_value(deal, jokers)] if jokers else []))
    return Section(_formation_title(fields), (), (*formation.verdict.reasons, *notes))


def _formation_fields(deal: Deal, formation: Formation) -> dict[str, object]:
    """One formation as scripts read it; the lowest points where its readings differ."""
    readings, rules = formation.readings, deal.rules
    kinds = {reading.kind.value for reading in readings}
    valued = bool(readings) and rules.limit("opening.points") is not None
    counted = bool(readings) and rules.choice("score.method") == "laid-minus-hand"
    return {
        "text": format_tiles(formation.laid),
        "ok": formation.verdict.ok,
        "kind": kinds.pop() if len(kinds) == 1 else None,
        "points": min(opening_points(deal, reading) for reading in readings) if valued else None,
        "table_points": min(table_points(deal, reading) for reading in readings) if counted else None,
        "readings": tuple(str(reading) for reading in readings),
    }


def _formation_title(fields: dict[str, object]) -> Phrase:
    """The formation with its kind and worth, in a line."""
    if not fields["ok"]:
        return Phrase("cli.meld_bad", fields)
    kind = Phrase(f"cli.kind_{fields['kind'] or 'open'}")
    if fields["points"] is None or fields["kind"] == "pair":
        return Phrase("cli.meld_good", fields | {"kind": kind})
    if fields["table_points"] in {None, fields["points"]}:
        return Phrase("cli.meld_worth", fields | {"kind": kind})
    return Phrase("cli.meld_worth_twice", fields | {"kind": kind})


_ASKED = {"layoff.whose": "owner", "close.board_hidden": "hand", "discard.joker_unknown": "hand"}
"""Notes that leave a verdict open, with what the player must say."""


def answered(code: str, verdict: Verdict, values: Mapping[str, object] = MappingProxyType({})) -> Phrase:
    """The answer in one sentence; or what the player must say where the verdict is open."""
    return Phrase(f"cli.depends_{_asked(verdict)}") if verdict.open else Phrase(code, values)


def _asked(verdict: Verdict) -> str:
    """What the player must say: whose a formation is, the hand, a joker's tile, an order."""
    noted = [_ASKED[reason.code] for reason in verdict.reasons if reason.code in _ASKED]
    return noted[0] if noted else "joker" if _declaration(verdict) else "order"


def yes_or_no(verdict: Verdict) -> str:
    """The end of the code of a decided answer."""
    return "yes" if verdict.ok else "no"


def open_lines(verdict: Verdict) -> tuple[Said, ...]:
    """The readings only the player can choose among, and how to say which."""
    asked = _asked(verdict) if verdict.open else ""
    if asked not in {"joker", "order"}:
        return ()
    return (Phrase(f"cli.readings_{asked}", {"example": _declaration(verdict)}), *verdict.open)


def _declaration(verdict: Verdict) -> str:
    """A declared joker by which the last reading differs from the first; empty when only the order differs."""
    first, last = verdict.open[0].split(), verdict.open[-1].split()
    return next((word for word in last if "=" in word and word not in first), "")
