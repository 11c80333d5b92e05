"""YAML layers to one `Ruleset`: base, game, house file, and the evening's ``--set``. The only module that knows them.

Each layer changes leaves that the base already has; none may invent one. A leaf is written ``path: {value: ...}`` with
``cite`` (clauses) or ``ruling`` in the shipped games, with ``why`` in a house file; the bare value will do as well.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from remi_ref.errors import Unreadable, nearest
from remi_ref.notation import means_another
from remi_ref.places import data_folder
from remi_ref.rules.knobs import KNOBS, BadValue
from remi_ref.rules.ruleset import Leaf, Ruleset
from remi_ref.tiles import Colour
from remi_ref.verdict import Basis, Citation
from remi_ref.yamltree import Node, load_file, load_text, resolved

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from remi_ref.rules.knobs import Value
    from remi_ref.yamltree import Raw

SHIPPED = ("remi-101", "remi-101-crescator", "remi-pe-tabla", "remi-etalat", "remi-etalat-51", "remi-clasic")
DEFAULT = "remi-etalat"
_BASE = "base"
_HOUSE_TOP_KEYS = ("id", "name", "extends", "rules")
_TOP_KEYS = (*_HOUSE_TOP_KEYS, "citations")
_HOUSE_KEYS = ("value", "why", "cite")
_SHIPPED_KEYS = ("value", "why", "cite", "ruling", "basis")
_MAX_LAYERS = 10


def load_ruleset(chosen: str, house_rules: Sequence[str] = ()) -> Ruleset:
    """The ruleset by id or file, with ``PATH=VALUE`` house rules on top.

    Raises:
        Unreadable: no such ruleset, a fault in one of its files, or a house rule that is none.
    """
    ruleset = _load(chosen)
    for text in house_rules:
        ruleset = _with_house_rule(ruleset, text)
    _refuse_contradictions(ruleset)
    return ruleset


def _load(chosen: str) -> Ruleset:
    if chosen in SHIPPED:
        return _load_path(data_folder("rulesets") / f"{chosen}.yaml", ())
    path = Path(chosen)
    if path.suffix in {".yaml", ".yml"} or "/" in chosen or path.is_file():
        return _load_path(path, ())
    raise Unreadable("rules.unknown", name=chosen, nearest=nearest(chosen, SHIPPED), known=", ".join(SHIPPED))


@lru_cache(maxsize=32)
def _load_path(path: Path, above: tuple[Path, ...]) -> Ruleset:
    real = resolved(path)
    if real in above:
        raise Unreadable("rules.cycle", where=str(path), chain=" -> ".join(p.name for p in (*above, real)))
    if len(above) >= _MAX_LAYERS:
        raise Unreadable("rules.too_many_layers", where=str(path), most=_MAX_LAYERS)
    root = load_file(path)
    shipped = real.parent == data_folder("rulesets").resolve() and not path.name.startswith("house")
    top = root.keys(_TOP_KEYS if shipped else _HOUSE_TOP_KEYS)
    if shipped and path.stem == _BASE:
        return _base(root)
    for key in ("id", "extends"):
        if key not in top:
            raise Unreadable("rules.key_missing", where=root.where, key=key)
    layer = _identifier(top["id"], shipped=shipped)
    below = _below(top["extends"], path, (*above, real), shipped=shipped)
    leaves = dict(below.leaves)
    for name, node in top.get("rules", Node({}, root.where)).mapping.items():
        if name not in leaves:
            raise Unreadable("rules.unknown_rule", where=node.where, key=name, nearest=nearest(name, list(KNOBS)))
        leaves[name] = _leaf(name, node, layer, leaves[name], shipped=shipped)
    citations = {**below.citations, **_citations(top.get("citations"), layer)}
    names = _names(top.get("name"), layer)
    return Ruleset(layer, names, layer if shipped else below.game, leaves, citations)


def _identifier(node: Node, *, shipped: bool) -> str:
    text = node.text
    fits = 0 < len(text) <= 60 and all(c.isalnum() or c in "-_." for c in text)
    if not fits or (text in SHIPPED and not shipped):
        raise Unreadable("rules.bad_id", where=node.where, id=text[:60])
    return text


def _below(node: Node, path: Path, above: tuple[Path, ...], *, shipped: bool) -> Ruleset:
    """The layer this one extends: a shipped id, or a path relative to this file."""
    text = node.text
    if text in SHIPPED or (shipped and text == _BASE):
        return _load_path(data_folder("rulesets") / f"{text}.yaml", above)
    beside = path.parent / text
    if not beside.is_file():
        raise Unreadable("rules.extends_nothing", where=node.where, name=text, nearest=nearest(text, SHIPPED))
    return _load_path(beside, above)


def _names(node: Node | None, layer: str) -> Mapping[str, str]:
    if node is None:
        return {"ro": layer, "en": layer}
    if isinstance(node.value, str):
        return {"ro": node.text, "en": node.text}
    names = {language: name.text for language, name in node.keys(("ro", "en")).items()}
    any_name = next(iter(names.values()), layer)
    return {"ro": names.get("ro", any_name), "en": names.get("en", any_name)}


def _base(root: Node) -> Ruleset:
    top = root.keys(_TOP_KEYS)
    leaves: dict[str, Leaf] = {}
    for name, node in top["rules"].mapping.items():
        if name not in KNOBS:
            raise Unreadable("rules.unknown_rule", where=node.where, key=name, nearest=nearest(name, list(KNOBS)))
        leaves[name] = _leaf(name, node, _BASE, None, shipped=True)
    if missing := sorted(set(KNOBS) - set(leaves)):
        raise Unreadable("rules.key_missing", where=root.where, key=missing[0])
    return Ruleset(_BASE, {"ro": _BASE, "en": _BASE}, _BASE, leaves, _citations(top.get("citations"), _BASE))


def _leaf(name: str, node: Node, layer: str, below: Leaf | None, *, shipped: bool) -> Leaf:
    parts = {"value": node}
    if isinstance(node.value, dict):
        parts = node.keys(_SHIPPED_KEYS if shipped else _HOUSE_KEYS)
        if "value" not in parts:
            raise Unreadable("rules.value_missing", where=node.where, key=name)
    value = _value(name, parts["value"].raw if not parts["value"].empty else "none", parts["value"].where)
    if shipped:
        return Leaf(value, _shipped_citation(parts, layer, name, node.where), below)
    why = " — ".join(parts[key].text for key in ("why", "cite") if key in parts)
    return Leaf(value, Citation((), Basis.HOUSE, layer, name, node.where, why), below)


def _value(name: str, raw: Raw, where: str) -> Value:
    try:
        return KNOBS[name].read(raw)
    except BadValue as error:
        raise Unreadable(
            "rules.bad_value", where=where, key=name, given=_given(raw)[:60], allowed=str(error)
        ) from error


def _given(raw: Raw) -> str:
    """What stands in the file, in a line."""
    if isinstance(raw, tuple):
        return f"[{', '.join(map(_given, raw))}]"
    return raw if isinstance(raw, str) else "{...}"


def _shipped_citation(parts: Mapping[str, Node], layer: str, knob: str, where: str) -> Citation:
    """Clauses lead; a ruling alone, or nothing, is a default unless the basis says that it follows."""
    cites = _refs(parts.get("cite"))
    rulings = _refs(parts.get("ruling"))
    basis = Basis.TEXT if cites and not rulings else Basis.DEFAULT
    if "basis" in parts:
        basis = Basis(parts["basis"].text)
    return Citation((*rulings, *cites) if rulings else cites, basis, layer, knob, Path(where).name)


def _refs(node: Node | None) -> tuple[str, ...]:
    if node is None:
        return ()
    return (node.text,) if isinstance(node.value, str) else tuple(item.text for item in node.items)


def _citations(node: Node | None, layer: str) -> dict[str, Citation]:
    """``code: CLAUSE`` or ``code: {cite, ruling, basis}``."""
    found: dict[str, Citation] = {}
    for code, entry in (node.mapping if node else {}).items():
        parts = entry.keys(_SHIPPED_KEYS) if isinstance(entry.value, dict) else {"cite": entry}
        found[code] = _shipped_citation(parts, layer, "", entry.where)
    return found


def _with_house_rule(ruleset: Ruleset, text: str) -> Ruleset:
    name, equals, raw = text.partition("=")
    name = name.strip()
    if not equals or not name:
        raise Unreadable("rules.set_form", text=text)
    if name not in KNOBS:
        raise Unreadable("rules.unknown_rule", where="--set", key=name, nearest=nearest(name, list(KNOBS)))
    node = load_text(raw, "--set")
    if node.empty:
        raise Unreadable("rules.value_missing", where="--set", key=name)
    value = _value(name, node.raw, "--set")
    citation = Citation((), Basis.HOUSE, "--set", name, "--set")
    leaves = {**ruleset.leaves, name: Leaf(value, citation, ruleset.leaves[name])}
    return Ruleset(ruleset.id, ruleset.name, ruleset.game, leaves, ruleset.citations)


def _refuse_contradictions(ruleset: Ruleset) -> None:
    """Refuses values that are each allowed but cannot stand together."""
    if ruleset.number("melds.run_min") > ruleset.number("melds.run_max"):
        _refuse_both(ruleset, "melds.run_min", "melds.run_max")
    if ruleset.choice("turned_tile") == "indicator" and ruleset.jokers:
        _refuse_both(ruleset, "turned_tile", "set.jokers" if ruleset.number("set.packs") > 1 else "set.jokers_one_pack")
    for colour in Colour:
        knob = f"colours.{colour}"
        for word in ruleset.words(knob):
            if means_another(word, colour):
                where = _house_place(ruleset, knob)
                raise Unreadable("rules.word_taken", where=where, key=knob, word=word)


def _refuse_both(ruleset: Ruleset, *knobs: str) -> NoReturn:
    first, second = (f"{knob}={write_value(ruleset.leaves[knob].value)}" for knob in knobs)
    raise Unreadable("rules.contradiction", where=_house_place(ruleset, *knobs), first=first, second=second)


def _house_place(ruleset: Ruleset, *knobs: str) -> str:
    """Where the house set the last of these that it did set."""
    citations = [ruleset.leaves[knob].citation for knob in knobs]
    return next((cited.where for cited in reversed(citations) if cited.basis is Basis.HOUSE), "")


def digest(ruleset: Ruleset) -> str:
    """Sixteen hexadecimal digits that name the resolved values, whatever layers they came from."""
    import hashlib

    text = "\n".join(f"{path}={leaf.value!r}" for path, leaf in sorted(ruleset.leaves.items()))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def write_value(value: Value) -> str:
    """A value as a ruleset file writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value in {None, ()}:
        return "none"
    return f"[{', '.join(str(item) for item in value)}]" if isinstance(value, tuple) else str(value)


def json_schema(meanings: Mapping[str, str]) -> dict[str, object]:
    """JSON Schema of a house file, for the completion of editors; with what each rule means, in words."""
    rules: dict[str, object] = {}
    scalar = {"type": ["string", "number", "boolean", "null"]}
    for path, kind in KNOBS.items():
        schema = kind.schema()
        leaf = {
            "type": "object",
            "required": ["value"],
            "additionalProperties": False,
            "properties": {"value": schema, "why": scalar, "cite": scalar},
        }
        rules[path] = {"anyOf": [schema, leaf], "description": meanings[path]}
    text = {"type": ["string", "number", "boolean"]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "remi-ref house rules",
        "type": "object",
        "required": ["id", "extends"],
        "additionalProperties": False,
        "properties": {
            "id": text,
            "name": {"anyOf": [text, {"type": "object", "properties": {"ro": text, "en": text}}]},
            "extends": {"type": "string", "examples": list(SHIPPED)},
            "rules": {"type": "object", "additionalProperties": False, "properties": rules},
        },
    }
