"""Every rule a ruleset may set: its dotted path and what values it takes.

This table is the one source of loading, checking, the errors' suggestions, ``rules show`` and the JSON Schema. What a
knob means stands, in both languages, under ``knobs`` in the language files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from remi_ref.yamltree import Raw

Value = bool | int | str | tuple[int, ...] | tuple[str, ...] | None

_YES = frozenset({"true", "yes", "on", "da"})
_NO = frozenset({"false", "no", "off", "nu"})
_NONE = frozenset({"none", "null", "~", "niciuna", "fara"})

# The same in JSON Schema, where an editor has already told true, false and null from text.
_NONE_SCHEMA: dict[str, object] = {"enum": [None, *sorted(_NONE)]}
_NO_OR_NONE_SCHEMA: dict[str, object] = {"enum": [False, None, *sorted(_NO | _NONE)]}


class BadValue(ValueError):  # noqa: N818 - named for what it is
    """A value of the wrong kind; its text says what is allowed, the same in every language."""


class Number(NamedTuple):
    """A whole number in a range; with ``optional`` also ``none``, with ``words`` also those words."""

    low: int
    high: int
    optional: bool = False
    words: tuple[str, ...] = ()

    @property
    def allowed(self) -> str:
        """What may be written."""
        return " | ".join([f"{self.low}..{self.high}", *self.words, *(["none"] if self.optional else [])])

    def read(self, raw: Raw) -> Value:
        """The value, or `BadValue`."""
        if isinstance(raw, str):
            if self.optional and raw.lower() in _NONE:
                return None
            if raw in self.words:
                return raw
            sign, digits = ("-", raw[1:]) if raw.startswith("-") else ("", raw)
            plain = digits.isascii() and digits.isdigit() and len(digits) <= 6 and str(int(digits)) == digits
            if plain and self.low <= int(sign + digits) <= self.high:
                return int(sign + digits)
        raise BadValue(self.allowed)

    def schema(self) -> dict[str, object]:
        """JSON Schema of the value."""
        number: dict[str, object] = {"type": "integer", "minimum": self.low, "maximum": self.high}
        words: list[dict[str, object]] = [{"enum": list(self.words)}] if self.words else []
        others = [*words, *([_NONE_SCHEMA] if self.optional else [])]
        return {"anyOf": [number, *others]} if others else number


class Switch:
    """Yes or no."""

    @property
    def allowed(self) -> str:
        """What may be written."""
        return "true | false"

    def read(self, raw: Raw) -> Value:
        """The value, or `BadValue`."""
        if isinstance(raw, str) and raw.lower() in _YES | _NO:
            return raw.lower() in _YES
        raise BadValue(self.allowed)

    def schema(self) -> dict[str, object]:
        """JSON Schema of the value."""
        return {"enum": [True, False, *sorted(_YES | _NO)]}


class Choice(NamedTuple):
    """One of a few words."""

    words: tuple[str, ...]

    @property
    def allowed(self) -> str:
        """What may be written."""
        return " | ".join(self.words)

    def read(self, raw: Raw) -> Value:
        """The value, or `BadValue`."""
        if raw in self.words:
            return raw if isinstance(raw, str) else None
        if "none" in self.words and isinstance(raw, str) and raw.lower() in _NO | _NONE:
            return "none"
        raise BadValue(self.allowed)

    def schema(self) -> dict[str, object]:
        """JSON Schema of the value."""
        words: dict[str, object] = {"enum": list(self.words)}
        return {"anyOf": [words, _NO_OR_NONE_SCHEMA]} if "none" in self.words else words


class Numbers(NamedTuple):
    """A list of whole numbers in a range, without repeats; kept from the lowest up."""

    low: int
    high: int

    @property
    def allowed(self) -> str:
        """What may be written."""
        return f"[{self.low}..{self.high}, ...]"

    def read(self, raw: Raw) -> Value:
        """The value, or `BadValue`."""
        items = (raw,) if isinstance(raw, str) else raw
        if not isinstance(items, tuple) or not items:
            raise BadValue(self.allowed)
        one = Number(self.low, self.high)
        try:
            numbers = tuple(int(str(one.read(item))) for item in items)
        except BadValue as error:
            raise BadValue(self.allowed) from error
        if len(set(numbers)) < len(numbers):
            raise BadValue(f"[{', '.join(map(str, sorted(set(numbers))))}]")
        return tuple(sorted(numbers))

    def schema(self) -> dict[str, object]:
        """JSON Schema of the value."""
        item = {"type": "integer", "minimum": self.low, "maximum": self.high}
        return {"anyOf": [{"type": "array", "items": item, "minItems": 1, "uniqueItems": True}, item]}


class Words(NamedTuple):
    """A list of words; from a closed list when ``known`` names one. May be empty when ``known`` does."""

    known: tuple[str, ...] = ()

    @property
    def allowed(self) -> str:
        """What may be written."""
        return f"[{', '.join(self.known)}] | none" if self.known else "[word, ...]"

    def read(self, raw: Raw) -> Value:
        """The value, or `BadValue`."""
        if self.known and isinstance(raw, str) and raw.lower() in _NO | _NONE:
            return ()
        items = (raw,) if isinstance(raw, str) else raw
        if not isinstance(items, tuple) or (not items and not self.known):
            raise BadValue(self.allowed)
        words = tuple(item for item in items if isinstance(item, str) and item and len(item) <= 30)
        if len(words) != len(items) or (self.known and not set(words) <= set(self.known)):
            raise BadValue(self.allowed)
        return words

    def schema(self) -> dict[str, object]:
        """JSON Schema of the value."""
        if self.known:
            known: dict[str, object] = {"enum": list(self.known)}
            return {"anyOf": [{"type": "array", "items": known}, known, _NO_OR_NONE_SCHEMA]}
        word: dict[str, object] = {"type": "string", "minLength": 1, "maxLength": 30}
        return {"anyOf": [{"type": "array", "items": word, "minItems": 1}, word]}


Kind = Number | Switch | Choice | Numbers | Words

POINTS = 10_000  # no table counts higher in one round; keeps totals and inputs sane

KNOBS: dict[str, Kind] = {
    "players": Numbers(2, 6),
    "players_one_pack": Numbers(2, 6),
    "set.packs": Number(1, 2),
    "set.jokers": Number(0, 6),
    "set.jokers_one_pack": Number(0, 6),
    "set.false_jokers": Number(0, 4),
    "colours.R": Words(),
    "colours.A": Words(),
    "colours.N": Words(),
    "colours.G": Words(),
    "deal.hand": Number(5, 25),
    "deal.one_pack_hand": Number(5, 25),
    "deal.starter_extra": Number(0, 2),
    "deal.piles": Switch(),
    "turned_tile": Choice(("none", "indicator", "atu", "made")),
    "melds.run_min": Number(3, 5),
    "melds.run_max": Number(3, 14),
    "melds.set_sizes": Numbers(3, 4),
    "melds.ace_low": Switch(),
    "melds.ace_high": Switch(),
    "melds.both_aces_in_run": Switch(),
    "melds.wrap": Switch(),
    "melds.pairs": Choice(("none", "opening", "win")),
    "joker.max_per_meld": Number(0, 6, optional=True),
    "joker.min_naturals": Number(0, 13),
    "joker.naturals_per_joker": Number(0, 6),
    "joker.in_pair": Choice(("none", "one", "any")),
    "joker.layoff": Choice(("none", "own", "any")),
    "joker.recover": Choice(("none", "once", "unlimited")),
    "joker.recover_opening_turn": Switch(),
    "joker.discard": Choice(("free", "last-resort")),
    "joker.threshold_value": Number(0, 500, words=("replaced",)),
    "joker.table_value": Number(0, 500, words=("replaced",)),
    "joker.hand_value": Number(0, 500),
    "joker.button": Switch(),
    "tile_values.low": Number(0, 100, words=("face",)),
    "tile_values.high": Number(0, 100, words=("face",)),
    "ace_value.set": Number(0, 100),
    "ace_value.low": Number(0, 100),
    "ace_value.high": Number(0, 100),
    "ace_value.hand": Number(0, 100),
    "opening.points": Number(0, POINTS, optional=True),
    "opening.rising": Switch(),
    "opening.need_run": Switch(),
    "opening.set_of_aces_exception": Switch(),
    "opening.pairs_min": Number(1, 10, optional=True),
    "opening.first_turn_allowed": Switch(),
    "opening.single_turn": Switch(),
    "opening.starter_may_lay": Switch(),
    "layoff.opening_turn": Switch(),
    "layoff.owner_of_points": Choice(("adder", "owner")),
    "layoff.pairs_opener": Choice(("none", "others", "any")),
    "take.source": Choice(("previous", "row")),
    "take.deep": Choice(("none", "opened")),
    "take.deep_min_hand": Number(0, 20),
    "take.must_use": Choice(("none", "formation", "new-formation")),
    "take.first_discard_dead": Switch(),
    "take.first_round": Switch(),
    "take.atu": Choice(("never", "closing", "any-turn")),
    "close.must_discard": Switch(),
    "close.bonus": Number(0, POINTS),
    "close.joker": Choice(("none", "closer", "everyone")),
    "close.ace_doubles": Switch(),
    "close.in_hand": Choice(("none", "doubles")),
    "close.loss": Number(0, 100),
    "close.joker_loss": Number(0, 100),
    "close.seven_pairs": Number(0, 100),
    "close.seven_pairs_joker": Number(0, 100),
    "score.method": Choice(("penalties", "laid-minus-hand", "losses")),
    "double_game": Words(("ace", "joker")),
    "atu.bonus": Number(0, POINTS),
    "atu.announce": Choice(("none", "before-first-draw", "first-lap")),
    "atu.dealt_only": Switch(),
    "atu.joker_twin": Switch(),
    "atu.paid_by": Choice(("bank", "opponents", "losses-only")),
    "not_opened": Number(-POINTS, 0, words=("hand",)),
    "pairs_opener_multiplier": Number(1, 10),
    "loss_cap": Number(-POINTS, 0, optional=True),
    "stock_out": Choice(("count", "void")),
    "announce_at": Number(1, 20, optional=True),
    "wrong_open_penalty": Number(0, POINTS),
    "wrong_close_penalty": Number(0, POINTS),
    "score_direction": Choice(("higher", "pot")),
    "match.pot": Numbers(1, POINTS),
    "match.end_at": Number(1, 1_000_000),
    "match.winners": Number(1, 4),
    "match_end": Choice(("none", "zero", "points", "rounds")),
    "ties": Choice(("report",)),
}
