"""The commands by name. Each is about ten lines: it reads its input, asks the core, and returns an `Answer`."""

from typing import Annotated

import typer

from remi_ref import __version__
from remi_ref.cli.table import LangOption
from remi_ref.cli.usage import PROGRAM, Commands, Group

COMMANDS: Commands = {
    "meld": "judging:meld",
    "opening": "judging:opening",
    "can-open": "judging:can_open",
    "win": "judging:win",
    "turn": "turns:turn",
    "legal": "turns:legal",
    "add": "moves:add",
    "swap": "moves:swap",
    "take": "moves:take",
    "score": "rounds:score",
    "setup": "rounds:setup",
    "count": "rounds:count",
    "ask": "ask:ask",
    "scan": "scanning:scan",
    "learn": "scanning:learn",
    "explain": "rules:explain",
    "rules": {
        "list": "rules:list_rules",
        "show": "rules:show_rules",
        "check": "rules:check_rules",
        "diff": "rules:diff_rules",
        "schema": "rules:print_schema",
    },
    "match": {
        "new": "match:new",
        "add": "match:add",
        "show": "match:show",
        "undo": "match:undo",
        "correct": "match:correct",
        "export": "match:export",
    },
}
"""Name to ``module:function`` in this package; a group holds its own. A module is imported when its command is run."""


def _print_version(value: bool) -> None:  # noqa: FBT001 - Typer hands a flag over so
    if value:
        typer.echo(f"{PROGRAM} {__version__}")
        raise typer.Exit


VersionOption = Annotated[bool, typer.Option("--version", callback=_print_version, is_eager=True)]


def _top(
    lang: LangOption = None,
    version: VersionOption = False,  # noqa: FBT002 - as above
) -> None:
    del lang, version  # spoken and printed already


def build() -> Group:
    """The program with all its commands."""
    app = typer.Typer(name=PROGRAM, cls=Group, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.callback()(_top)
    group = typer.main.get_command(app)
    assert isinstance(group, Group)  # noqa: S101 - it was asked for
    group.known = COMMANDS
    return group
