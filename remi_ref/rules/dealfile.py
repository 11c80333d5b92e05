"""What a turn file and a round file say alike: by which rules, and which tile was turned up."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from remi_ref.errors import Unreadable
from remi_ref.notation import parse_piece
from remi_ref.rules.deal import Deal
from remi_ref.rules.rulefile import DEFAULT, load_ruleset

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from remi_ref.rules.ruleset import Ruleset
    from remi_ref.yamltree import Node

T = TypeVar("T")


def read_deal(  # noqa: PLR0913 - the file, and what may be said outside it
    root: Node,
    path: Path,
    *,
    rules: Ruleset | str | None = None,
    house_rules: Sequence[str] = (),
    turned: str | None = None,
    default: str = DEFAULT,
) -> Deal:
    """The deal of a file.

    Args:
        root: the file's tree; its keys ``rules`` and ``turned`` are read.
        path: the file, or its folder; a house file it names is looked for there first.
        rules: ruleset chosen outside the file, or loaded already; it outweighs the file's.
        house_rules: ``PATH=VALUE`` on top.
        turned: turned tile given outside the file; it outweighs the file's.
        default: ruleset when nobody names one.

    Raises:
        Unreadable: no such rules, or a tile that cannot be the turned one; with its place.
    """
    ruleset = read_rules(root, path, rules=rules, house_rules=house_rules, default=default)
    node = root.mapping.get("turned")
    if turned is not None:
        return Deal(ruleset, parse_piece(turned, ruleset.spellings))
    if node is None or node.empty:
        return Deal(ruleset)
    return at(node, lambda text: Deal(ruleset, parse_piece(text, ruleset.spellings)))


def read_rules(
    root: Node,
    path: Path,
    *,
    rules: Ruleset | str | None = None,
    house_rules: Sequence[str] = (),
    default: str = DEFAULT,
) -> Ruleset:
    """The ruleset of a file; arguments and errors as in `read_deal`."""
    named = root.mapping.get("rules")
    if rules is not None and not isinstance(rules, str):
        return rules
    if rules is not None or named is None or named.empty:
        return load_ruleset(rules or default, house_rules)
    return at(named, lambda text: load_ruleset(_beside(path, text), house_rules))


def at(node: Node, read: Callable[[str], T]) -> T:
    """Reads a node's text; a fault gets the node's place."""
    try:
        return read(node.text)
    except Unreadable as error:
        raise error.at(node.where) from error


def _beside(path: Path, chosen: str) -> str:
    """A house file is named relative to the file that names it."""
    beside = (path if path.is_dir() else path.parent) / chosen
    return str(beside) if beside.suffix in {".yaml", ".yml"} and beside.is_file() else chosen
