"""What a reason rests on, for scripts and for people."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from remi_ref.rules.sources import find, is_ruling, text_of
from remi_ref.verdict import Basis

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from remi_ref.rules.ruleset import Leaf, Ruleset
    from remi_ref.verdict import Citation
    from remi_ref.words import Words


def citation_fields(citation: Citation, rules: Ruleset | None) -> Mapping[str, object]:
    """The citation as scripts read it.

    ``source`` and ``section`` are the text's file and heading, or the house file and the rule's path in it; of a house
    rule ``game`` holds what the game itself says.
    """
    leaf = _game_leaf(citation, rules)
    if leaf is None:
        return _plain_fields(citation)
    game = {"value": leaf.value, "basis": leaf.citation.basis, **_plain_fields(leaf.citation)}
    return {**_plain_fields(citation), "game": game}


@lru_cache(maxsize=512)
def _plain_fields(citation: Citation) -> Mapping[str, object]:
    clause, ruling = _leading(citation)
    text, entry = text_of(clause) if clause else None, find(clause) if clause else None
    fields: dict[str, object] = {
        "source": text.file if text else citation.where.rpartition(":")[0] or citation.where or citation.layer,
        "section": entry.section if entry else citation.knob or ruling,
    }
    optional = {"clause": clause, "ruling": ruling, "rule": citation.knob, "where": citation.where, "why": citation.why}
    fields |= {key: value for key, value in optional.items() if value} | {"layer": citation.layer}
    if len(citation.refs) > 1:
        fields["refs"] = citation.refs
    return fields


def citation_words(citation: Citation, rules: Ruleset | None, words: Words) -> str:
    """The citation as people read it; a house rule with what the game itself says."""
    if citation.basis is Basis.HOUSE:
        return _house_words(citation, rules, words)
    if not citation.refs:
        return words.say("cite.silent")
    return words.say(f"cite.{citation.basis.value}", refs=", ".join(citation.refs))


def footnotes(citations: Iterable[Citation], words: Words) -> Iterator[str]:
    """Where the cited clauses stand, those of one section in one line."""
    sections: dict[str, list[str]] = {}
    clauses = dict.fromkeys(ref for citation in citations for ref in citation.refs if not is_ruling(ref))
    for clause in clauses:
        text, entry = text_of(clause), find(clause)
        if text and entry:
            sections.setdefault(f"{text.names[words.language]}, {entry.section}", []).append(clause)
    for section, found in sections.items():
        yield f"{', '.join(found)}: {section}"


def _leading(citation: Citation) -> tuple[str, str]:
    """The first clause and the first ruling, each empty when there is none."""
    clause = next((ref for ref in citation.refs if not is_ruling(ref)), "")
    ruling = next((ref for ref in citation.refs if is_ruling(ref)), "")
    if ruling and not clause and (entry := find(ruling)) and entry.clauses:
        clause = entry.clauses[0]
    return clause, ruling


def _game_leaf(citation: Citation, rules: Ruleset | None) -> Leaf | None:
    """What the game itself says where a house rule stands."""
    leaf = rules.leaves.get(citation.knob) if rules and citation.basis is Basis.HOUSE else None
    while leaf is not None and leaf.citation.basis is Basis.HOUSE:
        leaf = leaf.below
    return leaf


def _house_words(citation: Citation, rules: Ruleset | None, words: Words) -> str:
    from remi_ref.rules.rulefile import write_value

    where = citation.where if citation.where != "--set" else f"--set {citation.knob}"
    leaf = _game_leaf(citation, rules)
    said = words.say("cite.house", where=where)
    if citation.why:
        said += f" ({citation.why})"
    if leaf is None:
        return said
    ground = citation_words(leaf.citation, None, words)
    return f"{said}; {words.say('cite.game', value=write_value(leaf.value), ground=ground)}"
