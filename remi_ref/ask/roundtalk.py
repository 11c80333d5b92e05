"""A finished round told in a conversation, written as a round file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from remi_ref.errors import Unreadable
from remi_ref.notation import parse_melds, parse_tiles
from remi_ref.yamltree import plain_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remi_ref.ask.talk import Talk
    from remi_ref.rules.ruleset import Ruleset


def names(talk: Talk, rules: Ruleset) -> list[str]:
    """The players, in table order."""
    allowed = rules.seats

    def check(typed: str) -> object:
        found = _names(typed)
        if len(found) not in allowed or len(set(found)) < len(found):
            raise Unreadable("ask.players_wanted", allowed=", ".join(str(number) for number in allowed))
        return None

    return _names(talk.text("players", check))


def ask_round(talk: Talk, rules: Ruleset, named: str) -> str:
    """A round file's text, as the answers give it; ``named`` is how it names its rules."""
    players = names(talk, rules)
    lines = [f"rules: {_quoted(named)}"]
    turned = talk.tile("turned", rules.spellings, optional=True) if rules.choice("turned_tile") != "none" else ""
    if turned:
        lines.append(f"turned: {_quoted(turned)}")
    closer = talk.choose("closer", [*((name, name) for name in players), ("", talk.say("nobody"))])
    if closer:
        lines += [f"closer: {_quoted(closer)}", *_closing(talk, rules)]
    holder = ""
    if turned and rules.number("atu.bonus"):
        holder = talk.choose("twin", [("", talk.say("nobody")), *((name, name) for name in players)])
    lines.append("players:")
    for name in players:
        fields: dict[str, object] = dict(_side(talk, rules, name, closes=name == closer))
        if name == holder:
            fields["twin"] = "announced"
        entry = ", ".join(f"{key}: {_quoted(value)}" for key, value in fields.items())
        lines.append(f"  {_quoted(name)}: {{{entry}}}")
    return "\n".join(lines) + "\n"


def _closing(talk: Talk, rules: Ruleset) -> Iterator[str]:
    if rules.choice("score.method") == "losses":
        yield f"win: {talk.one_of('board', ('melds', 'pairs'))}"
    if tile := talk.tile("closing_tile", rules.spellings, optional=True):
        yield f"closing-tile: {_quoted(tile)}"
    if rules.choice("close.in_hand") != "none" and talk.yes("in_hand"):
        yield "in-hand: true"


def _side(talk: Talk, rules: Ruleset, name: str, *, closes: bool) -> Iterator[tuple[str, object]]:
    """What the count needs to know of one player."""
    if rules.choice("score.method") == "losses":
        return
    pairs = ("pairs",) if rules.choice("melds.pairs") == "opening" else ()
    options = [(kind, talk.say(f"opened_{kind}")) for kind in (*(() if closes else ("no",)), "melds", *pairs)]
    opened = talk.choose("opened", options, name=name) if len(options) > 1 else options[0][0]
    yield "opened", opened
    if opened != "no" and rules.choice("score.method") == "laid-minus-hand":
        laid = talk.text("laid", lambda typed: _is_number(typed) or parse_melds(typed, rules.spellings), name=name)
        yield "laid" if _is_number(laid) else "melds", laid
        yield from _placed(talk, rules, name)
    if not closes:
        yield (
            "hand",
            talk.text("left", lambda typed: _is_number(typed) or parse_tiles(typed, rules.spellings), name=name),
        )


def _placed(talk: Talk, rules: Ruleset, name: str) -> Iterator[tuple[str, object]]:
    """The tiles he put on formations that already lay there, one after another."""
    bought = ("bought",) if rules.choice("joker.recover") != "none" else ()
    options = [(kind, talk.say(f"placed_{kind}")) for kind in ("none", "added", *bought)]
    found: dict[str, list[dict[str, str]]] = {}
    while (kind := talk.choose("placed", options, name=name)) != "none":
        tile = talk.tile("placed_tile", rules.spellings)
        onto = talk.one_meld("placed_on", rules.spellings)
        found.setdefault(kind, []).append({"tile": tile, {"added": "to", "bought": "in"}[kind]: onto})
    yield from found.items()


def _names(typed: str) -> list[str]:
    return [plain_name(name) for name in typed.split(",") if name.strip()]


def _is_number(typed: str) -> bool:
    return typed.isascii() and typed.isdigit()


def _quoted(text: object) -> str:
    """Text, or a list of such tiles, as YAML reads it, whatever is in it."""
    return json.dumps(text, ensure_ascii=False)
