"""Commands about the rules themselves."""

from typing import TYPE_CHECKING, Annotated

import typer

from remi_ref.answers.answer import Answer, Bilingual, Ground, Phrase, Said, Section
from remi_ref.cli.looking import refuse_picture
from remi_ref.cli.table import Table, complete_rules, shown, under_rules
from remi_ref.errors import Unreadable
from remi_ref.rules.knobs import KNOBS
from remi_ref.rules.rulefile import SHIPPED, digest, json_schema, load_ruleset, write_value
from remi_ref.rules.ruleset import Ruleset
from remi_ref.rules.sources import text_of
from remi_ref.verdict import Basis

if TYPE_CHECKING:
    from remi_ref.answers.explain import Rule, Source

RulesArgument = Annotated[str | None, typer.Argument(metavar="ID|FILE", autocompletion=complete_rules)]
FirstArgument = Annotated[str, typer.Argument(metavar="ID|FILE", autocompletion=complete_rules)]
SecondArgument = Annotated[str, typer.Argument(metavar="ID|FILE", autocompletion=complete_rules)]


def complete_asked(incomplete: str) -> list[str]:
    """Codes, rules, clauses and rulings for the shell, in the letters one began with."""
    from remi_ref.answers.explain import all_codes
    from remi_ref.rules.sources import all_ids

    known = dict.fromkeys((*all_codes(), *KNOBS, *all_ids()))
    found = (name for name in known if name.lower().startswith(incomplete.lower()))
    return [incomplete + name[len(incomplete) :] for name in found]


@shown
def list_rules() -> Answer:
    """The shipped rulesets."""
    games = [load_ruleset(name) for name in SHIPPED]
    fields = {"rulesets": tuple({"id": rules.id, "name": dict(rules.name)} for rules in games)}
    lines = tuple(Phrase("cli.rules_line", {"id": rules.id, "name": _name(rules)}) for rules in games)
    return Answer("rules list", None, fields, Phrase("cli.rules_list"), (Section("", lines),))


@under_rules
def show_rules(table: Table, ruleset: RulesArgument = None) -> Answer:
    """Every value of a ruleset with where it comes from."""
    if ruleset is not None and table.chosen not in {None, ruleset}:
        raise Unreadable("cli.rules_twice", first=ruleset, second=table.chosen)
    rules = table.load(ruleset)
    fields = {"name": dict(rules.name), "digest": digest(rules), "values": dict(rules.leaves)}
    headline = Phrase("cli.rules_show", {"id": rules.id, "name": _name(rules)})
    return Answer("rules show", rules, fields, headline, (_leaves(rules, tuple(rules.leaves)),))


@shown
def check_rules(file: Annotated[str, typer.Argument(metavar="FILE")]) -> Answer:
    """Is this file a ruleset, and what does it change?"""
    refuse_picture(file)
    rules = load_ruleset(file)
    changed = {path: leaf for path, leaf in rules.leaves.items() if leaf.citation.basis is Basis.HOUSE}
    fields = {"game": rules.game, "changed": changed}
    headline = Phrase("cli.rules_check", {"id": rules.id, "game": rules.game, "count": len(changed)})
    return Answer("rules check", rules, fields, headline, (_leaves(rules, tuple(changed)),))


@shown
def diff_rules(first: FirstArgument, second: SecondArgument) -> Answer:
    """Where two rulesets differ."""
    for file in (first, second):
        refuse_picture(file)
    one, other = load_ruleset(first), load_ruleset(second)
    paths = [path for path in one.leaves if one.leaves[path].value != other.leaves[path].value]
    fields = {"differences": {path: {one.id: one.leaves[path], other.id: other.leaves[path]} for path in paths}}
    sections = tuple(
        Section(Phrase(f"knobs.{path}"), (f"{path}: {_value(one, path)} → {_value(other, path)}",)) for path in paths
    )
    headline = Phrase("cli.rules_diff", {"first": one.id, "second": other.id, "count": len(paths)})
    return Answer("rules diff", None, fields, headline, sections)


@shown
def print_schema(context: typer.Context) -> Answer:
    """The JSON Schema of a house file."""
    import json

    schema = json_schema({path: context.obj.say(f"knobs.{path}") for path in KNOBS})
    text = json.dumps(schema, ensure_ascii=False, indent=2)
    return Answer("rules schema", None, {"schema": schema}, "", (Section("", (text,), verbatim=True),))


@under_rules
def explain(
    table: Table, asked: Annotated[str, typer.Argument(metavar="CODE|CLAUSE|RULING", autocompletion=complete_asked)]
) -> Answer:
    """One rule in words with its examples, or one clause with what rests on it."""
    from remi_ref.answers import explain as explaining

    found = explaining.explain(asked, () if table.nothing_said else (table.rules,))
    rules = None if table.nothing_said else table.rules
    return _rule(found, rules) if isinstance(found, explaining.Rule) else _source(found, rules)


def _rule(rule: "Rule", rules: Ruleset | None) -> Answer:
    from remi_ref.answers.explain import all_codes

    says = Phrase(rule.code, part="rule") if rule.code in all_codes() else Phrase(f"knobs.{rule.code}")
    fields = {
        "code": rule.code,
        "rule": says,
        "examples": {name: {"run": example.arguments, "file": example.file} for name, example in rule.examples.items()},
        "knob": rule.knob or None,
        "grounds": rule.grounds,
    }
    examples = tuple(
        Section(Phrase(f"explain.{name}"), (f"remi-ref {example.arguments}", *example.file.splitlines()), verbatim=True)
        for name, example in rule.examples.items()
    )
    grounds = tuple(Ground(name, citation, rule.values.get(name, "")) for name, citation in rule.grounds.items())
    stands = Section(
        Phrase("explain.stands", {"knob": rule.knob}) if rule.knob else Phrase("explain.rests"), (), grounds
    )
    headline = Phrase("explain.rule", {"name": rule.code, "says": says})
    return Answer("explain", rules, fields, headline, (*examples, stands))


def _source(source: "Source", rules: Ruleset | None) -> Answer:
    entry = source.entry
    text = text_of(entry.id)
    fields = {
        "clause" if text else "ruling": entry.id,
        "source": text.file if text else None,
        "section": entry.section or None,
        "says": entry.says,
        "basis": entry.basis or None,
        "clauses": entry.clauses,
        "codes": source.codes,
        "knobs": source.knobs,
    }
    stands: Said = ", ".join(entry.clauses)
    if text:
        stands = Phrase("explain.section", {"text": Bilingual(text.names), "section": entry.section, "file": text.file})
    headline = Phrase("explain.rule", {"name": entry.id, "says": Bilingual(entry.says)})
    resting = (", ".join(source.codes) or "—", ", ".join(source.knobs) or "—")
    lines = tuple(
        Phrase(f"explain.{what}", {"names": names}) for what, names in zip(("codes", "knobs"), resting, strict=True)
    )
    return Answer("explain", rules, fields, headline, (Section("", (stands, *lines)),))


def _leaves(rules: Ruleset, paths: tuple[str, ...]) -> Section:
    """Values with where they come from and what they mean."""
    return Section(
        evidence=tuple(
            Ground(path, rules.leaves[path].citation, _value(rules, path), Phrase(f"knobs.{path}")) for path in paths
        )
    )


def _name(rules: Ruleset) -> Bilingual:
    return Bilingual(rules.name)


def _value(rules: Ruleset, path: str) -> str:
    return write_value(rules.leaves[path].value)
