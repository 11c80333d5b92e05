"""Help and usage faults in the player's language, for every command alike.

A command's help stands in ``lang/*/commands.yaml`` under its name, an option's in ``options.yaml`` under its
parameter's name, what is written for a value in ``placeholders.yaml``, the examples in ``examples/commands.yaml``; so
the commands themselves hold no sentence.
"""

from __future__ import annotations

import re
import textwrap
from importlib import import_module
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand, TyperGroup

from remi_ref.errors import Unreadable, nearest
from remi_ref.yamltree import load_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from remi_ref.words import Words

PROGRAM = "remi-ref"
MAX_WIDTH = 80


class _PlainValues:
    """Reads an option's value without Typer's own readers, which load a validation library larger than this program.

    Words stay words; a whole number is read here, so that its fault is told as all others are.
    """

    @staticmethod
    def coerce(value: Any, param: Any, ctx: Any) -> Any:  # noqa: ANN401 - as Typer calls it
        """The value of one option or argument."""
        several = param.multiple or param.nargs == -1
        if value is None:
            return () if several else None
        if param.type_descriptor.annotation is not int or isinstance(value, int):
            return value
        if not re.fullmatch(r"-?[0-9]{1,6}", value) or not param.min <= int(value) <= param.max:
            raise Unreadable(
                "cli.number", where=_spelling(param, ctx.obj), given=value[:40], low=param.min, high=param.max
            )
        return int(value)


def _read_plainly(params: Iterable[Any]) -> None:
    for param in params:
        param.get_runtime_param = _PlainValues


class Command(TyperCommand):
    """A command whose help is spoken, and which names what it cannot use."""

    def format_help(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - Typer's classes for these are private
        """Writes the help page."""
        formatter.write("\n".join(_help_page(self, ctx)) + "\n")

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - as above
        """Reads the arguments; too many are named."""
        _read_plainly(self.get_params(ctx))
        ctx.allow_extra_args = True
        rest: list[str] = super().parse_args(ctx, args)
        if rest and not ctx.resilient_parsing:
            raise Unreadable("cli.extra_arguments", command=ctx.command_path, extra=" ".join(rest))
        return rest


Commands = dict[str, "str | Commands"]


class Group(TyperGroup):
    """A group of commands that are built when they are called; a misspelt one is answered with the nearest.

    Building all of them would cost more than most answers do.
    """

    known: Commands

    def format_help(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - as above
        """Writes the help page."""
        formatter.write("\n".join(_help_page(self, ctx)) + "\n")

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - as above
        """Reads what stands before the command; where nothing stands at all, help is what is wanted."""
        _read_plainly(self.get_params(ctx))
        rest: list[str] = super().parse_args(ctx, args or ["--help"])
        return rest

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401 - as above
        """The names in the order of the help."""
        del ctx
        return list(self.known)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ANN401 - as above
        """The command of a name, None when there is none."""
        del ctx
        if cmd_name not in self.commands and cmd_name in self.known:
            self.commands[cmd_name] = _build(cmd_name, self.known[cmd_name])
        return self.commands.get(cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # noqa: ANN401 - as above
        """The command that the arguments begin with."""
        known = list(self.known)
        if args[0] not in known and not ctx.resilient_parsing:
            raise Unreadable("cli.no_command", given=args[0], nearest=nearest(args[0], known), known=", ".join(known))
        return super().resolve_command(ctx, args)


def _build(name: str, known: str | Commands) -> Any:  # noqa: ANN401 - as above
    if isinstance(known, dict):
        group = Group(name=name, rich_markup_mode=None)
        group.known = known
        return group
    module, _, function = known.partition(":")
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command(name, cls=Command)(getattr(import_module(f"{__package__}.{module}"), function))
    return typer.main.get_command(app)


def speak(command: Any, words: Words, path: str = "") -> None:  # noqa: ANN401 - as above
    """Gives a command, its options and all its commands their one-line help; the shells' completion shows it."""
    command.short_help = command.help = words.text(f"commands.{path or PROGRAM}", "short")
    for param in command.params:
        param.help = words.say(f"options.{param.name}")
    for name, sub in _subcommands(command).items():
        speak(sub, words, f"{path} {name}".strip())


def _subcommands(command: Any) -> dict[str, Any]:  # noqa: ANN401 - as above
    return {name: command.get_command(None, name) for name in getattr(command, "known", {})}


def usage_fault(error: typer.TyperException, words: Words) -> Unreadable:
    """What Typer found wrong, as one of our own faults."""
    context, param = getattr(error, "ctx", None), getattr(error, "param", None)
    command = context.command_path if context else PROGRAM
    option = getattr(error, "option_name", None)
    if option is not None and hasattr(error, "possibilities"):
        known = [name for known in context.command.params for name in known.opts] if context else []
        return Unreadable("cli.no_option", option=option, nearest=nearest(option, [*known, "--help"]))
    if option is not None:
        return Unreadable("cli.option_value", option=option)
    if param is None:
        return Unreadable("cli.usage", command=command)
    return Unreadable("cli.missing", argument=_spelling(param, words), command=command)


def _spelling(param: Any, words: Words) -> str:  # noqa: ANN401 - as above
    """How the help calls an option or an argument."""
    return str(param.opts[0]) if param.param_type_name == "option" else _metavar(param, words)


def _metavar(param: Any, words: Words) -> str:  # noqa: ANN401 - as above
    """What the help writes for a value, in the player's language."""
    return re.sub("[A-Z]{3,}", lambda word: words.say(f"placeholders.{word[0].lower()}"), param.metavar)


def _help_page(command: Any, ctx: Any) -> Iterator[str]:  # noqa: ANN401 - as above
    """What it is for, how it is called, its arguments and options, examples that can be copied."""
    words: Words = ctx.obj
    speak(command, words, _code(ctx).partition(".")[2].replace(PROGRAM, ""))
    width = min(get_terminal_size().columns, MAX_WIDTH)
    pieces = [
        _metavar(param, words) if param.required else f"[{_metavar(param, words)}]" for param in _arguments(command)
    ]
    subs = _subcommands(command)
    pieces += [words.say("cli.command")] if subs else []
    usage = " ".join([ctx.command_path, *pieces, words.say("cli.options_mark")])
    yield from textwrap.wrap(f"{words.say('cli.usage_heading')}: {usage}", width, subsequent_indent="    ")
    yield ""
    yield from textwrap.wrap(words.text(_code(ctx), "long"), width)
    rows = [(_metavar(param, words), param.help) for param in _arguments(command)]
    yield from _table(words.say("cli.arguments_heading"), rows, width)
    yield from _table(words.say("cli.commands_heading"), [(name, sub.short_help) for name, sub in subs.items()], width)
    rows = [(_option(param, words), param.help) for param in command.params if param.param_type_name == "option"]
    yield from _table(words.say("cli.options_heading"), [*rows, ("--help", words.say("options.help"))], width)
    examples = example_commands().get(_code(ctx).partition(".")[2], ())
    if examples:
        yield from ("", f"{words.say('cli.examples_heading')}:", *(f"  {PROGRAM} {example}" for example in examples))


def example_commands() -> dict[str, tuple[str, ...]]:
    """Examples by command, as arguments of the program."""
    file = Path(__file__).resolve().parent.parent / "examples" / "commands.yaml"
    return {name: tuple(item.text for item in node.items) for name, node in load_file(file).mapping.items()}


def _code(ctx: Any) -> str:  # noqa: ANN401 - as above
    """The command's code in the language files: ``commands.rules show``."""
    return f"commands.{ctx.command_path.partition(' ')[2] or PROGRAM}"


def _arguments(command: Any) -> list[Any]:  # noqa: ANN401 - as above
    return [param for param in command.params if param.param_type_name == "argument"]


def _option(param: Any, words: Words) -> str:  # noqa: ANN401 - as above
    """The option's spellings, with what it takes."""
    return ", ".join(param.opts) + ("" if param.is_flag else f" {_metavar(param, words)}")


def _table(heading: str, rows: Sequence[tuple[str, str]], width: int) -> Iterator[str]:
    """A heading with its rows, in two columns where there is room, else one below the other."""
    if not rows:
        return
    yield from ("", f"{heading}:")
    column = max(len(name) for name, _ in rows) + 4
    for name, text in rows:
        if column > width // 2:
            yield f"  {name}"
            yield from textwrap.wrap(text, width, initial_indent=" " * 6, subsequent_indent=" " * 6)
        else:
            first = f"  {name}".ljust(column)
            yield from textwrap.wrap(text, width, initial_indent=first, subsequent_indent=" " * column)
