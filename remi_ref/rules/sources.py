"""The clauses of the rule texts and the rulings on their gaps, looked up in ``rulesets/sources.yaml``.

The file is long and an answer needs two or three entries of it, so an entry is cut out by its indentation and only that
piece is parsed; a test holds that this finds the same as parsing the whole.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from remi_ref.places import data_folder
from remi_ref.yamltree import Node, load_text

_FILE = "sources.yaml"


class Text(NamedTuple):
    """One of the rule texts.

    Attributes:
        prefix: what its clauses' ids begin with.
        file: name of the file it was read from.
        names: by language.
    """

    prefix: str
    file: str
    names: dict[str, str]


class Entry(NamedTuple):
    """A clause of a text, or a ruling.

    Attributes:
        id: ``ET-30`` or ``G3-10``.
        section: heading or line where a clause stands; empty for a ruling.
        says: by language.
        basis: of a ruling, ``derived`` or ``default``; empty for a clause.
        clauses: the clauses a ruling is about.
    """

    id: str
    section: str
    says: dict[str, str]
    basis: str = ""
    clauses: tuple[str, ...] = ()


def is_ruling(ref: str) -> bool:
    """Whether an id names a ruling rather than a clause."""
    return re.fullmatch(r"G[0-9]-[0-9]+", ref) is not None


def text_of(clause: str) -> Text | None:
    """The text a clause belongs to; None when there is no such text."""
    return _texts().get(clause.rpartition("-")[0])


@lru_cache(maxsize=512)
def find(ref: str) -> Entry | None:
    """The clause or ruling by id; None when there is none."""
    begin = _content().find(f"\n  {ref}:") + 1
    if not begin or not ref:
        return None
    end = re.compile(r"^(?! {4}|$)", re.MULTILINE).search(_content(), _content().index("\n", begin) + 1)
    block = _content()[begin : end.start() if end else None]
    parts = load_text(block, _FILE).mapping[ref].mapping
    clauses = _refs(parts.get("clauses"))
    section = parts["section"].text if "section" in parts else ""
    basis = parts["basis"].text if "basis" in parts else ""
    return Entry(ref, section, {language: parts[language].text for language in ("ro", "en")}, basis, clauses)


def all_ids() -> tuple[str, ...]:
    """The ids of all clauses and rulings, in file order."""
    return tuple(re.findall(r"^  ([A-Z]+[0-9]*-[0-9]+):", _content(), re.MULTILINE))


def _refs(node: Node | None) -> tuple[str, ...]:
    if node is None:
        return ()
    return (node.text,) if isinstance(node.value, str) else tuple(item.text for item in node.items)


@lru_cache(maxsize=1)
def _content() -> str:
    return (data_folder("rulesets") / _FILE).read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def _texts() -> dict[str, Text]:
    head = _content().partition("\nclauses:")[0]
    found = {}
    for prefix, node in load_text(head, _FILE).mapping["texts"].mapping.items():
        names = {language: name.text for language, name in node.mapping["name"].mapping.items()}
        found[prefix] = Text(prefix, node.mapping["file"].text, names)
    return found
