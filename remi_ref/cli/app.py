"""The commands by name. Each is about ten lines: it reads its input, asks the core, and returns an `Answer`."""

from typing import Annotated

import typer

from remi_ref import __version__
from remi_ref.cli import judging, rules
from remi_ref.cli.table import LangOption
from remi_ref.cli.usage import PROGRAM, Command, Group

app = typer.Typer(name=PROGRAM, cls=Group, rich_markup_mode=None, pretty_exceptions_enable=False)


def _print_version(value: bool) -> None:  # noqa: FBT001 - Typer hands a flag over so
    if value:
        typer.echo(f"{PROGRAM} {__version__}")
        raise typer.Exit


@app.callback()
def _top(
    lang: LangOption = None,
    version: Annotated[bool, typer.Option("--version", callback=_print_version, is_eager=True)] = False,  # noqa: FBT002 - as above
) -> None:
    del lang, version  # spoken and printed already


for _name, _function in {
    "meld": judging.meld,
    "explain": rules.explain,
}.items():
    app.command(_name, cls=Command)(_function)

_rules = typer.Typer(cls=Group, rich_markup_mode=None)
for _name, _function in {
    "list": rules.list_rules,
    "show": rules.show_rules,
    "check": rules.check_rules,
    "diff": rules.diff_rules,
    "schema": rules.print_schema,
}.items():
    _rules.command(_name, cls=Command)(_function)
app.add_typer(_rules, name="rules")
