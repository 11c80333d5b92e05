"""Short questions about one tile: may it be laid off there, take the joker's place, be taken from the discards?"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from remi_ref.answers.answer import Answer, Section
from remi_ref.cli.judging import HandOption, TurnOption, answered, open_lines, yes_or_no
from remi_ref.cli.table import Table, at_the_table
from remi_ref.cli.tiles_argument import read_tiles, read_tiles_argument
from remi_ref.errors import Unreadable
from remi_ref.melds import read_meld
from remi_ref.notation import parse_tile
from remi_ref.tiles import Piece, Slot
from remi_ref.verdict import Verdict

if TYPE_CHECKING:
    from remi_ref.score.finished import Opened

TileArgument = Annotated[str, typer.Argument(metavar="TILE")]
MeldArgument = Annotated[str, typer.Argument(metavar="MELD")]
RowOption = Annotated[str, typer.Option("--row", metavar="TILES")]
OpenedOption = Annotated[bool, typer.Option("--opened")]
OnPairsOption = Annotated[bool, typer.Option("--on-pairs")]
NowOption = Annotated[bool, typer.Option("--this-turn")]
OwnOption = Annotated[bool, typer.Option("--own")]


@at_the_table
def add(  # noqa: PLR0913, PLR0917 - what a player says when he asks
    table: Table,
    tile: TileArgument,
    meld: MeldArgument,
    opened: OpenedOption = False,  # noqa: FBT002 - a flag of the command line
    on_pairs: OnPairsOption = False,  # noqa: FBT002 - as above
    this_turn: NowOption = False,  # noqa: FBT002 - as above
    own: OwnOption = False,  # noqa: FBT002 - as above
) -> Answer:
    """May this tile be laid off there?"""
    from remi_ref.play.turn import judge_add

    how = {"opened": _opened(opened or this_turn, on_pairs), "opening_turn": this_turn}
    me = "me"
    return _on_formation(table, "add", judge_add, (tile, meld), {**how, "owner": me if own else "", "player": me})


@at_the_table
def swap(  # noqa: PLR0913, PLR0917 - what a player says when he asks
    table: Table,
    tile: TileArgument,
    meld: MeldArgument,
    opened: OpenedOption = False,  # noqa: FBT002 - a flag of the command line
    on_pairs: OnPairsOption = False,  # noqa: FBT002 - as above
    this_turn: NowOption = False,  # noqa: FBT002 - as above
) -> Answer:
    """May this tile take the joker's place there?"""
    from remi_ref.play.turn import judge_swap

    how = {"opened": _opened(opened or this_turn, on_pairs), "opening_turn": this_turn}
    return _on_formation(table, "swap", judge_swap, (tile, meld), how)


@at_the_table
def take(  # noqa: PLR0913, PLR0917 - what a player says when he asks
    table: Table,
    tile: TileArgument,
    row: RowOption,
    hand: HandOption = None,
    turn: TurnOption = 2,
    opened: OpenedOption = False,  # noqa: FBT002 - a flag of the command line
    on_pairs: OnPairsOption = False,  # noqa: FBT002 - as above
) -> Answer:
    """May this tile be taken from the discards, and what must be done with it?"""
    from remi_ref.play.turn import judge_take

    spellings = table.rules.spellings
    verdict = judge_take(
        table.deal,
        _pieces(table, (parse_tile(tile, spellings),))[0],
        _pieces(table, read_tiles([row], spellings, "--row")),
        hand=None if hand is None else _pieces(table, read_tiles([hand], spellings, "--hand")),
        opened=_opened(opened, on_pairs),
        turn=turn,
    )
    return _answer(table, "take", verdict, (tile, row))


def _pieces(table: Table, slots: tuple[Slot, ...]) -> tuple[Piece, ...]:
    table.deal.check_each(slots)
    return tuple(slot.piece for slot in slots)


def _opened(opened: bool, on_pairs: bool) -> "Opened":  # noqa: FBT001 - flags of the command line
    from remi_ref.score.finished import Opened

    if on_pairs:
        return Opened.PAIRS
    return Opened.MELDS if opened else Opened.NO


def _on_formation(
    table: Table, command: str, judge: Callable[..., Verdict], asked: tuple[str, str], how: dict[str, Any]
) -> Answer:
    """A question about a tile and a formation, asked of its judge."""
    spellings = table.rules.spellings
    groups = read_tiles_argument([asked[1]], spellings)
    if len(groups) > 1 and all(read_meld(table.deal, group) for group in groups):
        raise Unreadable("cli.one_formation", text=asked[1].strip(), count=len(groups))
    slots = tuple(slot for group in groups for slot in group)
    verdict = judge(table.deal, parse_tile(asked[0], spellings), slots, **how)
    return _answer(table, command, verdict, asked)


def _answer(table: Table, command: str, verdict: Verdict, asked: tuple[str, str]) -> Answer:
    headline = answered(
        f"cli.{command}_{yes_or_no(verdict)}", verdict, {"tile": asked[0].strip(), "where": asked[1].strip()}
    )
    sections = (Section("", open_lines(verdict), verdict.reasons),)
    return Answer(command, table.rules, {}, headline, sections, verdict.ok)
