"""Commands about a turn: what was played, what may still be played, and short questions about one tile."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from remi_ref.answers.answer import Answer, Phrase, Said, Section
from remi_ref.cli.judging import HandOption, TurnOption, open_lines
from remi_ref.cli.photos import judge_file
from remi_ref.cli.table import Table, at_the_table
from remi_ref.cli.tiles_argument import read_tiles
from remi_ref.rules.deal import Deal
from remi_ref.tiles import format_tiles, parse_tile
from remi_ref.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remi_ref.play.actions import Action
    from remi_ref.play.legal import Taking
    from remi_ref.play.position import Position, TableMeld
    from remi_ref.play.rounds import PlayVerdict
    from remi_ref.play.turn import Step, TurnVerdict
    from remi_ref.play.turnfile import PlayFile, TurnFile
    from remi_ref.rules.ruleset import Ruleset
    from remi_ref.score.finished import Opened
    from remi_ref.yamltree import Node

TurnFileArgument = Annotated[str, typer.Argument(metavar="FILE")]
TileArgument = Annotated[str, typer.Argument(metavar="TILE")]
MeldArgument = Annotated[str, typer.Argument(metavar="MELD")]
RowOption = Annotated[str, typer.Option("--row", metavar="TILES")]
OpenedOption = Annotated[bool, typer.Option("--opened")]
OnPairsOption = Annotated[bool, typer.Option("--on-pairs")]
NowOption = Annotated[bool, typer.Option("--this-turn")]
OwnOption = Annotated[bool, typer.Option("--own")]


@at_the_table
def turn(table: Table, file: TurnFileArgument) -> Answer:
    """Was this turn legal?"""
    return _judge_file(table, file, _turn)


@at_the_table
def legal(table: Table, file: TurnFileArgument) -> Answer:
    """What may the player still do?"""
    return _judge_file(table, file, _legal)


def _judge_file(table: Table, file: str, judge: Callable[[Table, Path, "Node"], Answer]) -> Answer:
    from remi_ref.yamltree import load_file

    path = Path(file)
    return judge_file(lambda root: judge(table, path, root), load_file(path), path.parent, table.looking)


def _turn(table: Table, path: Path, root: "Node") -> Answer:
    from remi_ref.play.rounds import judge_play
    from remi_ref.play.turn import judge_turn
    from remi_ref.play.turnfile import TurnFile

    loaded = read_turns(table, path, root)
    if isinstance(loaded, TurnFile):
        return _one_turn(loaded.position.deal.rules, judge_turn(loaded.position, loaded.actions))
    return _round(loaded.deal.rules, judge_play(loaded))


def _legal(table: Table, path: Path, root: "Node") -> Answer:
    from remi_ref.errors import Unreadable
    from remi_ref.play.legal import options
    from remi_ref.play.turnfile import TurnFile
    from remi_ref.yamltree import Node

    if not {"actions", "turns"} & set(root.mapping):
        root = Node({**root.mapping, "actions": Node((), root.where)}, root.where)  # nothing was played yet
    loaded = read_turns(table, path, root)
    if not isinstance(loaded, TurnFile):
        raise Unreadable("cli.one_turn", where=str(path))
    found = options(loaded.position, loaded.actions)
    groups = {
        "draws": found.draws,
        "openings": found.openings,
        "lays": found.lays,
        "adds": found.adds,
        "swaps": found.swaps,
        "discards": found.discards,
    }
    fields = {name: tuple(_action_fields(action) for action in actions) for name, actions in groups.items()}
    fields["takings"] = tuple(_taking_fields(taking) for taking in found.takings)
    out = None if found.out is None else tuple(_action_fields(action) for action in found.out)
    sections = [_options(name, tuple(map(_action_said, actions))) for name, actions in groups.items() if actions]
    if found.takings:
        sections.insert(1, _options("takings", tuple(map(_taking_said, found.takings))))
    if found.out is not None:
        sections.append(_options("out", tuple(map(_action_said, found.out))))
    headline = Phrase("cli.legal_undecided" if found.undecided else "cli.legal_out" if out else "cli.legal_no_out")
    every = {**fields, "out": out, "undecided": found.undecided}
    return Answer("legal", loaded.position.deal.rules, every, headline, tuple(sections))


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

    spellings, me = table.rules.spellings, "me"
    verdict = judge_add(
        table.deal,
        parse_tile(tile, spellings),
        read_tiles([meld], spellings),
        opened=_opened(opened=opened or this_turn, on_pairs=on_pairs),
        opening_turn=this_turn,
        owner=me if own else "",
        player=me,
    )
    return _short("add", table.rules, verdict, tile, meld)


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

    spellings = table.rules.spellings
    verdict = judge_swap(
        table.deal,
        parse_tile(tile, spellings),
        read_tiles([meld], spellings),
        opened=_opened(opened=opened or this_turn, on_pairs=on_pairs),
        opening_turn=this_turn,
    )
    return _short("swap", table.rules, verdict, tile, meld)


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
        parse_tile(tile, spellings).piece,
        tuple(slot.piece for slot in read_tiles([row], spellings)),
        hand=None if hand is None else tuple(slot.piece for slot in read_tiles([hand], spellings)),
        opened=_opened(opened=opened, on_pairs=on_pairs),
        turn=turn,
    )
    return _short("take", table.rules, verdict, tile, row)


def read_turns(table: Table, path: Path, root: "Node") -> "TurnFile | PlayFile":
    """A turn file's tree, or a whole round's, by the rules of the flag, else its own, else the usual ones.

    Raises:
        Unreadable: with file and line.
    """
    from remi_ref.play.turnfile import read_turns as read

    rules = table.chosen or (None if "rules" in root.mapping else table.usual)
    return read(root, path.parent, rules, table.house_rules, table.turned_text)


def _opened(*, opened: bool, on_pairs: bool) -> "Opened":
    from remi_ref.score.finished import Opened

    if on_pairs:
        return Opened.PAIRS
    return Opened.MELDS if opened else Opened.NO


def _short(command: str, rules: "Ruleset", verdict: Verdict, tile: str, where: str) -> Answer:
    word = {True: "yes", False: "no", None: "open"}[verdict.ok]
    headline = Phrase(f"cli.{command}_{word}", {"tile": tile.strip(), "where": where.strip()})
    return Answer(command, rules, {}, headline, (Section("", open_lines(verdict), verdict.reasons),), verdict.ok)


# --- a judged turn ---------------------------------------------------------------------------------------------------


def _one_turn(rules: "Ruleset", judged: "TurnVerdict") -> Answer:
    fields = {"steps": _steps_fields(judged), "after": _after(judged.progress.position)}
    ok = judged.verdict.ok
    headline = _headline(ok, judged.first_fault, judged)
    sections = (*_steps_sections(judged), _position(judged.progress.position))
    return Answer("turn", rules, fields, headline, sections, ok)


def _round(rules: "Ruleset", judged: "PlayVerdict") -> Answer:
    """Every turn of a round; the first illegal step is named."""
    turns = tuple(
        {
            "player": turn.player,
            "turn": turn.number,
            "ok": turn.verdict.ok,
            "reasons": turn.table.reasons,
            "steps": _steps_fields(turn.turn),
        }
        for turn in judged.turns
    )
    fault, ok = judged.first_fault, judged.verdict.ok
    at = None if fault is None else {"turn": fault[0] + 1, "step": None if fault[1] is None else fault[1] + 1}
    fields = {
        "turns": turns,
        "steps": tuple(step for turn in judged.turns for step in _steps_fields(turn.turn)),
        "first_fault": at,
        "after": {
            "hands": {
                seat.name: None if seat.hand is None or seat.unseen else format_tiles(seat.hand)
                for seat in judged.after.seats
            },
            "table": tuple(_meld_fields(judged.after.deal, meld) for meld in judged.after.melds),
            "row": format_tiles(judged.after.row),
        },
        "scores": {score.player: score.total for score in judged.scores},
    }
    sections = [
        section
        for number, turn in enumerate(judged.turns, start=1)
        for section in (
            Section(
                Phrase("cli.turn_of", {"number": number, "player": turn.player, "turn": turn.number}),
                (),
                turn.table.reasons,
            ),
            *_steps_sections(turn.turn),
        )
    ]
    sections += [
        Section(Phrase("cli.score_player", {"player": score.player, "points": score.total}), (), score.lines)
        for score in judged.scores
    ]
    if fault is None:
        headline = Phrase({True: "cli.round_yes", None: "cli.turn_open"}[ok], {"count": len(turns)})
    else:
        headline = Phrase("cli.round_no", {"number": fault[0] + 1, "player": judged.turns[fault[0]].player})
    return Answer("turn", rules, fields, headline, tuple(sections), ok)


def _headline(ok: bool | None, fault: int | None, judged: "TurnVerdict") -> Phrase:  # noqa: FBT001 - a verdict's truth
    if ok is None:
        return Phrase("cli.turn_open")
    if ok:
        return Phrase("cli.turn_yes")
    if fault is None:
        return Phrase("cli.turn_no_whole")
    return Phrase("cli.turn_no", {"number": fault + 1, "action": _action_said(judged.steps[fault].action)})


def _steps_fields(judged: "TurnVerdict") -> tuple[dict[str, object], ...]:
    return tuple(
        {**_action_fields(step.action), "ok": step.verdict.ok, "reasons": step.verdict.reasons} for step in judged.steps
    )


def _steps_sections(judged: "TurnVerdict") -> tuple[Section, ...]:
    steps = tuple(_step(number, step) for number, step in enumerate(judged.steps, start=1))
    if not judged.whole.reasons and not judged.whole.open:
        return steps
    return (*steps, Section(Phrase("cli.turn_whole"), open_lines(judged.whole), judged.whole.reasons))


def _step(number: int, step: "Step") -> Section:
    title = Phrase("cli.step", {"number": number, "action": _action_said(step.action)})
    return Section(title, open_lines(step.verdict), step.verdict.reasons)


def _after(position: "Position") -> dict[str, object]:
    return {
        "hand": None if position.hand is None or position.unseen else format_tiles(position.hand),
        "table": tuple(_meld_fields(position.deal, meld) for meld in position.table),
        "row": format_tiles(position.row),
    }


def _meld_fields(deal: Deal, meld: "TableMeld") -> dict[str, str]:
    from remi_ref.play.position import meld_text

    return {"owner": meld.owner, "meld": meld_text(deal, meld)}


def _position(position: "Position") -> Section:
    """What lies where at the end of the turn."""
    after = _after(position)
    melds = [_meld_fields(position.deal, meld) for meld in position.table]
    lines = [Phrase("cli.after_meld", meld) if meld["owner"] else f"{meld['meld']}" for meld in melds]
    ends: list[Said] = []
    if position.hand is not None:
        known = {"tiles": format_tiles(position.hand) or "—", "count": position.unseen}
        ends.append(Phrase("cli.after_hand_unseen" if position.unseen else "cli.after_hand", known))
    return Section(
        Phrase("cli.after"),
        (*ends, *lines, *([Phrase("cli.after_row", {"tiles": after["row"]})] if after["row"] else [])),
    )


# --- actions in words ------------------------------------------------------------------------------------------------


def _action_fields(action: "Action") -> dict[str, object]:
    from remi_ref.play.actions import NAMES
    from remi_ref.play.roundtext import action_text

    return {"action": NAMES[type(action)], "text": action_text(action)}


def _action_said(action: "Action") -> Phrase:  # noqa: PLR0911 - one line for each kind of action
    """An action in words: its own sentence, with what it is done to."""
    from remi_ref.play import actions
    from remi_ref.tiles import format_melds

    match action:
        case actions.Draw(piece):
            return Phrase("action.draw_known", {"tile": piece}) if piece else Phrase("action.draw")
        case actions.Add(tile, meld):
            return Phrase("action.add", {"tile": tile, "meld": format_tiles(meld)})
        case actions.Swap(tile, meld):
            return Phrase("action.swap", {"tile": tile, "meld": format_tiles(meld)})
        case actions.Lay(melds):
            return Phrase("action.lay", {"melds": format_melds(melds)})
        case actions.Announce(what):
            return Phrase(f"action.announce_{what}")
        case actions.Button():
            return Phrase("action.button")
        case _:
            return Phrase(f"action.{actions.NAMES[type(action)].replace('-', '_')}", {"tile": action.tile})


def _taking_fields(taking: "Taking") -> dict[str, object]:
    use = None if taking.use is None else _action_fields(taking.use)
    return {**_action_fields(taking.take), "along": taking.along, "use": use}


def _taking_said(taking: "Taking") -> Phrase:
    said = _action_said(taking.take)
    if taking.along:
        said = Phrase("cli.taking_along", {"take": said, "along": format_tiles(taking.along)})
    if taking.use is not None:
        said = Phrase("cli.taking_use", {"take": said, "use": _action_said(taking.use)})
    return said


def _options(name: str, lines: "Sequence[Said]") -> Section:
    return Section(Phrase(f"cli.legal_{name}"), tuple(lines))
