"""A ruleset inside a match file: every value as it was when the match began, so that it is counted by its own rules.

Values are stored, citations are not, save those of house rules: where a stored value is still the game's, the game's
citation holds for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from remi_ref.errors import Unreadable, nearest
from remi_ref.rules.knobs import KNOBS, BadValue
from remi_ref.rules.rulefile import SHIPPED, digest, load_ruleset
from remi_ref.rules.ruleset import Leaf, Ruleset
from remi_ref.verdict import Basis, Citation

if TYPE_CHECKING:
    from remi_ref.match.jsonfields import Fields
    from remi_ref.rules.knobs import Value
    from remi_ref.yamltree import Raw

_KEYS = ("id", "game", "name", "digest", "values", "house")


def store_rules(rules: Ruleset) -> dict[str, object]:
    """The ruleset as plain values for JSON: ids, names, digest, every value, and where house rules come from."""
    said = {path: leaf.citation for path, leaf in rules.leaves.items() if leaf.citation.basis is Basis.HOUSE}
    house = {path: {"layer": by.layer, "where": by.where, "why": by.why} for path, by in said.items()}
    return {
        "id": rules.id,
        "game": rules.game,
        "name": dict(rules.name),
        "digest": digest(rules),
        "values": {path: leaf.value for path, leaf in rules.leaves.items()},
        "house": house,
    }


def restore_rules(fields: Fields) -> Ruleset:
    """The ruleset as it was stored. A rule that did not exist then has the value the game gives it today.

    Raises:
        Unreadable: an unknown game or rule, a value that does not fit, or values that are not those of the digest.
    """
    fields.only(_KEYS)
    game = fields.text("game")
    if game not in SHIPPED:
        known = ", ".join(SHIPPED)
        raise Unreadable("rules.unknown", where=fields.where, name=game, nearest=nearest(game, SHIPPED), known=known)
    today = load_ruleset(game)
    leaves = {path: _leaf(path, fields, today.leaves.get(path)) for path in fields.inside("values").values}
    names = fields.inside("name")
    name = {language: names.text(language) for language in names.values}
    stored = Ruleset(fields.text("id"), name, game, leaves, today.citations)
    if digest(stored) != fields.text("digest"):
        raise Unreadable("match.digest", where=fields.where, digest=fields.text("digest"), found=digest(stored))
    return Ruleset(stored.id, name, game, {**today.leaves, **leaves}, today.citations)


def _leaf(path: str, fields: Fields, today: Leaf | None) -> Leaf:
    if today is None:
        raise Unreadable("rules.unknown_rule", where=fields.where, key=path, nearest=nearest(path, list(KNOBS)))
    value = _value(path, fields)
    if path in fields.inside("house").values:
        house = fields.inside("house").inside(path)
        said = Citation((), Basis.HOUSE, house.text("layer"), path, house.text("where"), house.text("why"))
        return Leaf(value, said, today)
    if value == today.value:
        return today
    return Leaf(value, Citation((), Basis.HOUSE, fields.text("id"), path, fields.where), today)


def _value(path: str, fields: Fields) -> Value:
    value = fields.inside("values").values[path]
    try:
        return KNOBS[path].read(_raw(value))
    except BadValue as error:
        given, allowed = str(value)[:60], str(error)
        raise Unreadable("rules.bad_value", where=fields.where, key=path, given=given, allowed=allowed) from error


def _raw(value: object) -> Raw:
    """A JSON value as a ruleset file writes it."""
    if isinstance(value, list):
        return tuple(str(item) for item in value)
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)
