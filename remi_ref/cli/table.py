"""What every judging command is told: the rules, the house rules, the turned tile; and how the answer is shown."""

import inspect
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from remi_ref.answers.answer import Answer
from remi_ref.cli.looking import Looking, photo_names, refuse_picture
from remi_ref.cli.photos import judge_words, photos_of
from remi_ref.cli.tiles_argument import read_tile
from remi_ref.errors import Unreadable
from remi_ref.rules import rulefile
from remi_ref.rules.deal import Deal
from remi_ref.rules.ruleset import Ruleset
from remi_ref.words import LANGUAGES

if TYPE_CHECKING:
    from remi_ref.yamltree import Node

RULES_VARIABLE = "REMI_REF_RULES"

STANDARD_INPUT = "-"
TILES = ("melds", "rack", "tiles", "tile", "meld", "row", "hand", "taken", "last")  # arguments that tiles are typed in

Result = Answer | Iterable[Answer | Unreadable]
"""One answer; or one for each line of the input, faults among them."""


@dataclass(frozen=True)
class Table:
    """What was said about the table on the command line, before it is known what the input says.

    Attributes:
        chosen: ruleset named with the flag.
        house_rules: ``PATH=VALUE`` each.
        turned_text: the turned tile as typed.
        looking: how photos are read.
    """

    chosen: str | None = None
    house_rules: tuple[str, ...] = ()
    turned_text: str | None = None
    looking: Looking = field(default_factory=Looking)

    def load(self, default: str | None = None) -> Ruleset:
        """The ruleset: by the flag, else what the input asks for, else the environment, else the usual one.

        Raises:
            Unreadable: no such ruleset, or a house rule that is none.
        """
        chosen = default or self.usual if self.chosen is None else self.chosen
        return rulefile.load_ruleset(chosen, self.house_rules)

    @cached_property
    def rules(self) -> Ruleset:
        """The ruleset where the input names none."""
        return self.load()

    @property
    def usual(self) -> str:
        """The ruleset where neither the flag nor the input names one."""
        return os.environ.get(RULES_VARIABLE) or rulefile.DEFAULT

    @property
    def nothing_chosen(self) -> bool:
        """Whether no ruleset was named by flag or environment."""
        return self.chosen is None and not os.environ.get(RULES_VARIABLE)

    @property
    def nothing_said(self) -> bool:
        """Whether nothing at all was said about the table."""
        return self.nothing_chosen and not self.house_rules and self.turned_text is None

    def rules_of(self, root: "Node", path: Path) -> Ruleset:
        """The ruleset for a file: by the flag, else its own, else the usual one.

        Raises:
            Unreadable: as `load`.
        """
        from remi_ref.rules.dealfile import read_rules

        return read_rules(root, path, rules=self.chosen, house_rules=self.house_rules, default=self.usual)

    @cached_property
    def deal(self) -> Deal:
        """The rules with the turned tile."""
        return self.deal_by(self.rules)

    def deal_by(self, rules: Ruleset) -> Deal:
        """The turned tile under given rules."""
        turned = read_tile(self.turned_text, rules.spellings, "--turned")
        return Deal(rules, turned)


class Shown(NamedTuple):
    """A result with how it is to be shown."""

    result: Result
    as_json: bool


def complete_rules(incomplete: str) -> list[str]:
    """Shipped rulesets for the shell."""
    return [name for name in rulefile.SHIPPED if name.startswith(incomplete)]


def complete_knobs(incomplete: str) -> list[str]:
    """House rules for the shell, and the words one may be set to."""
    from remi_ref.rules.knobs import KNOBS, Words

    path, equals, begun = incomplete.partition("=")
    if equals and path in KNOBS:
        kind = KNOBS[path]
        listed = kind.known if isinstance(kind, Words) else ()
        words = [*listed, *(word for word in kind.allowed.split(" | ") if word[0].isalpha())]
        return [f"{path}={word}" for word in words if word.startswith(begun)]
    return [f"{path}=" for path in KNOBS if path.startswith(incomplete)]


def complete_language(incomplete: str) -> list[str]:
    """Languages for the shell."""
    return [language for language in LANGUAGES if language.startswith(incomplete)]


RulesOption = Annotated[str | None, typer.Option("--rules", "-r", metavar="ID|FILE", autocompletion=complete_rules)]
SetOption = Annotated[list[str] | None, typer.Option("--set", metavar="PATH=VALUE", autocompletion=complete_knobs)]
TurnedOption = Annotated[str | None, typer.Option("--turned", metavar="TILE")]
LangOption = Annotated[str | None, typer.Option("--lang", metavar="ro|en", autocompletion=complete_language)]
FixOption = Annotated[list[str] | None, typer.Option("--fix", metavar="N=TILE")]
ProfileOption = Annotated[str | None, typer.Option("--tiles", metavar="NAME")]
JsonOption = Annotated[bool, typer.Option("--json")]


def _option(name: str, annotation: Any, default: Any) -> inspect.Parameter:  # noqa: ANN401 - as inspect has it
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default)


_SHOWING = [_option("lang", LangOption, None), _option("json", JsonOption, default=False)]
_RULES = [_option("rules", RulesOption, None), _option("set", SetOption, None)]
_PHOTOS = [_option("fix", FixOption, None), _option("profile", ProfileOption, None)]
_TABLE = [
    *_RULES,
    _option("turned", TurnedOption, None),
    *_PHOTOS,
]


def at_the_table(command: Callable[..., Result]) -> Callable[..., Shown]:
    """Gives a command the options of every judging command; it gets them as its first argument, a `Table`.

    A photo among its other arguments reaches it as the tiles it shows.
    """
    return _with_table(command, photos_kept=False)


def with_photos_kept(command: Callable[..., Result]) -> Callable[..., Shown]:
    """The same for a command that asks for the photos themselves."""
    return _with_table(command, photos_kept=True)


def _with_table(command: Callable[..., Result], *, photos_kept: bool) -> Callable[..., Shown]:
    def run(given: dict[str, Any]) -> Result:
        looking = _looking(given)
        table = Table(given.pop("rules"), tuple(given.pop("set") or ()), given.pop("turned"), looking)
        if photos_kept or given.get("rack") == [STANDARD_INPUT]:  # as the command itself sees to its photos
            return command(table, **given)
        return judged(command, table, given)

    return _shown(run, command, _parameters(command)[1:] + _TABLE)


def under_rules(command: Callable[..., Result]) -> Callable[..., Shown]:
    """Gives a command that looks at rules alone the options that name them; it gets them as a `Table`, too."""

    def run(given: dict[str, Any]) -> Result:
        table = Table(given.pop("rules"), tuple(given.pop("set") or ()))
        _refuse_pictures(given)
        return command(table, **given)

    return _shown(run, command, _parameters(command)[1:] + _RULES)


def shown_with_photos(command: Callable[..., Result]) -> Callable[..., Shown]:
    """As `shown`, for a command that names a file with photos; it gets how to read them as its first argument."""

    def run(given: dict[str, Any]) -> Result:
        looking = _looking(given)
        _refuse_pictures(given)
        return command(looking, **given)

    return _shown(run, command, _parameters(command)[1:] + _PHOTOS)


def shown(command: Callable[..., Result]) -> Callable[..., Shown]:
    """Gives a command that judges nothing the options for showing its answer."""
    return _shown(lambda given: command(**given), command, _parameters(command))


def _looking(given: dict[str, Any]) -> Looking:
    return Looking(tuple(given.pop("fix") or ()), given.pop("profile"))


def _refuse_pictures(given: dict[str, Any]) -> None:
    for value in given.values():
        refuse_picture(value)


def judged(command: Callable[..., Result], table: Table, given: dict[str, Any]) -> Result:
    """Runs a command with the tiles that the photos among its arguments show, once for each plausible reading."""
    tiles = {name: given.pop(name) for name in TILES if name in given}
    for name, value in given.items():
        refuse_picture(value, made=name == "match_file")  # which `match new` makes

    looking = table.looking
    if "file" in given:  # whose photos the command itself sees to
        beside = photo_names(table.turned_text or "")
        if not beside:
            return command(table, **given)
        looking = looking._replace(photos=(*beside, *photos_of(Path(given["file"]))))

    def judge(turned: str | None, **typed: Any) -> Result:  # noqa: ANN401 - whatever the command takes
        return command(replace(table, turned_text=turned, looking=looking), **typed, **given)

    result: Result = judge_words(judge, {"turned": table.turned_text, **tiles}, looking, lambda: table.rules)
    return result


def _parameters(command: Callable[..., Result]) -> list[inspect.Parameter]:
    return list(inspect.signature(command).parameters.values())


def _shown(
    judge: Callable[[dict[str, Any]], Result], command: Callable[..., Result], parameters: list[inspect.Parameter]
) -> Callable[..., Shown]:
    """What Typer calls with a command's options, and reads them from; those for showing an answer are added."""

    def run(**given: Any) -> Shown:  # noqa: ANN401 - whatever the command takes
        as_json = given.pop("json")
        given.pop("lang")  # already spoken
        return Shown(judge(given), as_json)

    run.__name__ = command.__name__
    by_keyword = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in [*parameters, *_SHOWING]]
    run.__signature__ = inspect.Signature(by_keyword)  # type: ignore[attr-defined]
    run.__annotations__ = {}
    return run
