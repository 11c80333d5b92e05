"""What a reason code, a rule's path, a clause or a ruling means, and what rests on it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from remi_ref.errors import Unreadable, nearest
from remi_ref.rules.knobs import KNOBS
from remi_ref.rules.rulefile import SHIPPED, load_ruleset, write_value
from remi_ref.rules.sources import Entry, all_ids, find
from remi_ref.words import LANGUAGE_FOLDER
from remi_ref.yamltree import Node, load_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from remi_ref.rules.ruleset import Ruleset
    from remi_ref.verdict import Citation

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


@dataclass(frozen=True, slots=True)
class Example:
    """One run of the program that shows a rule.

    Attributes:
        arguments: what stands after ``remi-ref``.
        file: text of the file that ``FILE`` in the arguments stands for; empty when there is none.
    """

    arguments: str
    file: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """A reason code, or a rule's path, explained.

    Attributes:
        code: the code.
        examples: by ``legal`` and ``illegal``; a code that can only pass or only note has one.
        grounds: where it stands, by ruleset id; rulesets that do not know it are left out.
        values: what the rule it hangs on is set to, by ruleset id.
        knob: that rule, empty when there is none.
    """

    code: str
    examples: dict[str, Example]
    grounds: dict[str, Citation]
    values: dict[str, str]
    knob: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """A clause or ruling with the codes and rules that rest on it in the shipped games."""

    entry: Entry
    codes: tuple[str, ...]
    knobs: tuple[str, ...]


def explain(asked: str, rulesets: Sequence[Ruleset] = ()) -> Rule | Source:
    """Looks up a reason code, a rule's path, a clause or a ruling, in small letters or capitals.

    Raises:
        Unreadable: there is none of that name; names the nearest.
    """
    rulesets = rulesets or [load_ruleset(name) for name in SHIPPED]
    code = _as_written(asked)
    if code:
        knob = knob_of(code)
        grounds = {rules.id: found for rules in rulesets if (found := _ground(rules, code, knob)) is not None}
        values = {rules.id: write_value(rules.leaves[knob].value) for rules in rulesets} if knob else {}
        return Rule(code, examples_of(code), grounds, values, knob)
    entry = find(asked.upper())
    if entry is None:
        known = [*all_codes(), *KNOBS, *all_ids()]
        raise Unreadable("explain.unknown", asked=asked, nearest=nearest(asked, known))
    codes = tuple(code for code in all_codes() if _rests(rulesets, code, entry.id))
    knobs = tuple(path for path in KNOBS if any(entry.id in rules.leaves[path].citation.refs for rules in rulesets))
    return Source(entry, codes, knobs)


def _as_written(asked: str) -> str:
    """The code or path that is meant, as it is written; empty when there is none."""
    return next((name for name in (*all_codes(), *KNOBS) if name.lower() == asked.lower()), "")


@lru_cache(maxsize=1)
def all_codes() -> tuple[str, ...]:
    """Every reason and score code, in the order of the language files: those that have a rule in words."""
    return tuple(_codes())


def _codes() -> Iterator[str]:
    for path in sorted((LANGUAGE_FOLDER / "en").glob("*.yaml")):
        for name, node in load_file(path).mapping.items():
            if isinstance(node.value, dict) and "rule" in node.value:
                yield f"{path.stem}.{name}"


def examples_of(code: str) -> dict[str, Example]:
    """The examples of a code, by ``legal`` and ``illegal``."""
    parts = _example_entry(code)
    return {name: _example(node) for name, node in parts.items() if name in {"legal", "illegal"}}


def _example(node: Node) -> Example:
    if isinstance(node.value, str):
        return Example(node.text)
    return Example(node.mapping["run"].text, node.mapping["file"].text)


def _example_entry(code: str) -> dict[str, Node]:
    area, _, name = code.partition(".")
    node = _examples_file(area).get(name)
    return node.mapping if node else {}


@lru_cache(maxsize=64)
def _examples_file(area: str) -> dict[str, Node]:
    path = EXAMPLES / f"{area}.yaml"
    return load_file(path).mapping if path.is_file() else {}


def knob_of(code: str) -> str:
    """The rule a code hangs on: named in its examples, else the one of the same name, if any."""
    entry = _example_entry(code)
    if "knob" in entry:
        return entry["knob"].text
    return code if code in KNOBS else ""


def _ground(rules: Ruleset, code: str, knob: str) -> Citation | None:
    if knob or code in rules.citations:
        return rules.cite(code, knob)
    return None


def _rests(rulesets: Sequence[Ruleset], code: str, ref: str) -> bool:
    knob = knob_of(code)
    grounds = (_ground(rules, code, knob) for rules in rulesets)
    return any(ground is not None and ref in ground.refs for ground in grounds)
