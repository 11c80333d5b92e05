"""Commands that judge tiles: formations, openings, winning boards."""

from typing import Annotated

import typer

from remi_ref.answer import Answer, Phrase, Section
from remi_ref.cli.table import Table, at_the_table
from remi_ref.cli.tiles_argument import read_tiles_argument
from remi_ref.deal import Deal
from remi_ref.melds import Formation, judge_meld, opening_points, table_points
from remi_ref.tiles import format_tiles

MeldsArgument = Annotated[list[str], typer.Argument(metavar="MELDS")]


@at_the_table
def meld(table: Table, melds: MeldsArgument) -> Answer:
    """Is each a valid formation, and what is it worth?"""
    groups = read_tiles_argument(melds, table.rules.spellings)
    table.deal.check_box([slot for group in groups for slot in group])
    formations = [judge_meld(table.deal, group) for group in groups]
    found = tuple(_formation_fields(table.deal, formation) for formation in formations)
    good = sum(formation.verdict.ok is True for formation in formations)
    ok = good == len(formations)
    sections = tuple(
        Section(_formation_title(fields), (), formation.verdict.reasons)
        for fields, formation in zip(found, formations, strict=True)
    )
    code = ("cli.meld_yes" if ok else "cli.meld_no") + ("_all" if len(formations) > 1 else "")
    headline = Phrase(code, {"good": good, "count": len(formations), "bad": len(formations) - good})
    return Answer("meld", table.rules, {"melds": found}, headline, sections, ok)


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
    if fields["points"] is None:
        return Phrase("cli.meld_good", fields | {"kind": kind})
    if fields["table_points"] in {None, fields["points"]}:
        return Phrase("cli.meld_worth", fields | {"kind": kind})
    return Phrase("cli.meld_worth_twice", fields | {"kind": kind})
