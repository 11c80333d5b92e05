"""Commands about a file with a turn or a round in it: what was played, and what may still be played."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from remi_ref.answers.answer import Answer, Phrase, Section
from remi_ref.cli.looking import refuse_picture
from remi_ref.cli.photoanswers import hangs_on_photos
from remi_ref.cli.photos import judge_file
from remi_ref.cli.table import Table, at_the_table, judged, with_photos_kept
from remi_ref.errors import Unreadable

if TYPE_CHECKING:
    from remi_ref.play.actions import Action
    from remi_ref.play.played import PlayFile, TurnFile
    from remi_ref.play.position import Position
    from remi_ref.yamltree import Node

TurnFileArgument = Annotated[str, typer.Argument(metavar="FILE")]
WriteOption = Annotated[str | None, typer.Option("--write", metavar="FILE")]


@with_photos_kept
def turn(table: Table, file: TurnFileArgument, write: WriteOption = None) -> Answer:
    """Was this turn legal?"""
    read: list[TurnFile | PlayFile] = []

    def judge(loaded: "TurnFile | PlayFile") -> Answer:
        answer = _judged(loaded)
        read.append(loaded)
        return answer

    refuse_picture(write, made=True)
    answer = judged(partial(_judge_file, judge=judge), table, {"file": file})
    assert isinstance(answer, Answer)  # noqa: S101 - as judged
    if write is not None:
        guessed = hangs_on_photos(answer)
        if not guessed:
            _write(read[0], Path(file), Path(write))
        told = Phrase("cli.round_not_written" if guessed else "cli.round_written", {"file": write})
        answer = answer._replace(sections=(*answer.sections, Section("", (told,))))
    return answer


@at_the_table
def legal(table: Table, file: TurnFileArgument) -> Answer:
    """What may the player still do?"""
    return _judge_file(table, file, lambda loaded: _legal(loaded, file), begun=False)


def _judge_file(
    table: Table, file: str, judge: Callable[["TurnFile | PlayFile"], Answer], *, begun: bool = True
) -> Answer:
    """Judges what a file holds; one that says nothing of actions is a turn that has not ``begun``."""
    from remi_ref.play.roundtext import load_tree
    from remi_ref.yamltree import Node

    path = Path(file)
    root = load_tree(path)
    if not begun and not {"actions", "turns"} & set(root.mapping):
        root = Node({**root.mapping, "actions": Node((), root.where)}, root.where)
    rules = partial(table.rules_of, root, path)
    return judge_file(lambda tree: judge(read_turns(table, path, tree)), root, path.parent, table.looking, rules)


def read_turns(table: Table, path: Path, root: "Node") -> "TurnFile | PlayFile":
    """A turn file's tree, or a whole round's, by the rules of the flag, else its own, else the usual ones.

    Raises:
        Unreadable: with file and line.
    """
    from remi_ref.play.turnfile import read_turns as read

    return read(root, path.parent, table.chosen, table.house_rules, table.turned_text, default=table.usual)


def _judged(loaded: "TurnFile | PlayFile") -> Answer:
    from remi_ref.cli.turnanswers import round_answer, turn_answer
    from remi_ref.play.played import TurnFile
    from remi_ref.play.rounds import judge_play
    from remi_ref.play.turn import judge_turn

    if isinstance(loaded, TurnFile):
        return turn_answer(loaded.position.deal.rules, judge_turn(loaded.position, loaded.actions))
    return round_answer(loaded.deal.rules, judge_play(loaded))


def _write(loaded: "TurnFile | PlayFile", read: Path, path: Path) -> None:
    """Writes the round: as YAML where the name says so, else as the short text."""
    from remi_ref.match.disk import put_file, refuse_to_replace
    from remi_ref.play.played import PlayFile
    from remi_ref.play.roundwriting import write_round, write_yaml

    if not isinstance(loaded, PlayFile):
        raise Unreadable("cli.round_wanted", where=str(read))
    refuse_to_replace(path, read)
    text = (write_yaml if path.suffix in {".yaml", ".yml"} else write_round)(loaded)
    put_file(path, text.encode())


def _legal(loaded: "TurnFile | PlayFile", file: str) -> Answer:
    from remi_ref.cli.turnwords import action_fields, action_said, options_section, taking_fields, taking_said
    from remi_ref.play.legal import options

    position, actions = _where_it_stands(loaded, file)
    found = options(position, actions)
    groups: dict[str, tuple[Action, ...]] = {
        "shows": found.shows,
        "announcements": found.announcements,
        "draws": found.draws,
        "openings": found.openings,
        "lays": found.lays,
        "adds": found.adds,
        "swaps": found.swaps,
        "discards": found.discards,
    }
    fields: dict[str, object] = {name: tuple(map(action_fields, actions)) for name, actions in groups.items()}
    fields["takings"] = tuple(map(taking_fields, found.takings))
    fields["out"] = None if found.out is None else tuple(map(action_fields, found.out))
    fields["undecided"] = found.undecided
    said = {name: tuple(map(action_said, actions)) for name, actions in groups.items()}
    said["takings"] = tuple(map(taking_said, found.takings))
    said["out"] = tuple(map(action_said, found.out or ()))
    sections = tuple(options_section(name, said[name]) for name in _SECTIONS if said[name])
    headline = "cli.legal_undecided" if found.undecided else "cli.legal_out" if found.out else "cli.legal_no_out"
    told = Phrase(headline if sections else "cli.legal_nothing")
    return Answer("legal", position.deal.rules, fields, told, sections, upshot=fields)


_SECTIONS = (
    "announcements",
    "shows",
    "draws",
    "takings",
    "openings",
    "lays",
    "adds",
    "swaps",
    "discards",
    "out",
)


def _where_it_stands(loaded: "TurnFile | PlayFile", file: str) -> tuple["Position", tuple["Action", ...]]:
    """The turn that is to go on: the file's own, or the last of a round, or the next player's."""
    from remi_ref.play.played import TurnFile
    from remi_ref.play.rounds import turn_to_go_on

    if isinstance(loaded, TurnFile):
        return loaded.position, loaded.actions
    going = turn_to_go_on(loaded)
    if going is None:
        raise Unreadable("cli.round_over", where=file)
    return going
