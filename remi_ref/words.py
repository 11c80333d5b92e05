"""Codes and values to sentences, in Romanian and English.

The first part of a code is the file its words stand in: ``opening.points`` is ``points`` in ``lang/ro/opening.yaml``.
A reason has a sentence for each outcome (``pass``, ``fail``, ``note``) and ``rule``, the rule in words; an error or a
heading is one sentence. ``{points:point}`` writes a number with its noun in the right plural; the nouns stand in
``nouns.yaml``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING

from remi_ref.errors import Unreadable
from remi_ref.tiles import format_tiles
from remi_ref.yamltree import load_file

if TYPE_CHECKING:
    from collections.abc import Mapping

    from remi_ref.verdict import Reason
    from remi_ref.yamltree import Raw

LANGUAGES = ("ro", "en")
LONGEST_VALUE = 300  # of what an error names
LANGUAGE_FOLDER = Path(__file__).resolve().parent / "lang"


def plural_form(language: str, number: int) -> int:
    """Which form of a noun a number takes: in Romanian 1 punct, 2 puncte, 20 de puncte, 101 puncte."""
    if abs(number) == 1:
        return 0
    if language == "en":
        return 1
    rest = abs(number) % 100
    return 1 if number == 0 or 1 <= rest <= 19 else 2


@dataclass(frozen=True, eq=False)
class Words:
    """The sentences of one language; files are read when first needed."""

    language: str

    @cached_property
    def _files(self) -> dict[str, Mapping[str, Raw]]:
        return {}

    def _file(self, name: str) -> Mapping[str, Raw]:
        if name not in self._files:
            raw = load_file(LANGUAGE_FOLDER / self.language / f"{name}.yaml").raw
            assert isinstance(raw, dict)  # noqa: S101 - our own files; a test reads them all
            self._files[name] = raw
        return self._files[name]

    def entry(self, code: str) -> Raw:
        """What the language file says under a code.

        Raises:
            KeyError: the code has no words; a test looks for such codes.
        """
        name, _, key = code.partition(".")
        return self._file(name)[key]

    def say(self, code: str, /, **values: object) -> str:
        """The sentence of a code that has just one, with its values."""
        text = self.entry(code)
        assert isinstance(text, str)  # noqa: S101 - as above
        return self.fill(text, values)

    def reason(self, reason: Reason) -> str:
        """The sentence of a reason with its outcome."""
        entry = self.entry(reason.code)
        assert isinstance(entry, dict)  # noqa: S101 - as above
        text = entry[reason.outcome.value]
        assert isinstance(text, str)  # noqa: S101 - as above
        return self.fill(text, {"tiles": format_tiles(reason.tiles), **reason.values})

    def text(self, code: str, part: str) -> str:
        """One part of an entry that has several, as it stands."""
        entry = self.entry(code)
        assert isinstance(entry, dict)  # noqa: S101 - as above
        return str(entry[part])

    def rule(self, code: str) -> str:
        """The rule behind a reason code, in words."""
        return self.text(code, "rule")

    def error(self, error: Unreadable) -> str:
        """One line: where, what, what is allowed, the nearest right spelling."""
        text = self.entry(error.code)
        assert isinstance(text, str)  # noqa: S101 - as above
        sentence = self.fill(text, {key: self._given(value, key, text) for key, value in error.values.items()})
        return f"{error.where}: {sentence}" if error.where else sentence

    def _given(self, value: object, key: str, text: str) -> object:
        """What an error names, as far as one can read it in a line; in quotes where there is nothing to be seen."""
        if isinstance(value, Unreadable):
            return self.error(value)
        if not isinstance(value, str):
            return value
        if not value and f"“{{{key}}}" not in text and f"„{{{key}}}" not in text:
            return "“”"
        return value if len(value) <= LONGEST_VALUE else f"{value[: LONGEST_VALUE - 1]}…"

    def count(self, number: int, noun: str) -> str:
        """A number with its noun: ``21 de puncte``."""
        forms = self._file("nouns")[noun]
        assert isinstance(forms, tuple)  # noqa: S101 - as above
        return f"{number} {forms[plural_form(self.language, number)]}"

    def fill(self, text: str, values: Mapping[str, object]) -> str:
        """A sentence with its values; a value with a noun after the colon is counted."""
        return "".join(
            literal if name is None else literal + self._value(values[name], noun)
            for literal, name, noun in _parts(text)
        )

    def _value(self, value: object, noun: str | None) -> str:
        if type(value) is tuple:  # of pieces; one piece is a named tuple
            return format_tiles(value)
        return self.count(value, noun) if noun and isinstance(value, int) else visible(str(value))


def visible(text: str) -> str:
    """Text as it may stand in one line; what cannot be seen, or would move the cursor, is spelt out."""
    return text if text.isprintable() else "".join(map(_visible, text))


def _visible(letter: str) -> str:
    if letter.isprintable():
        return letter
    if letter in "\n\r\t":
        return " "
    byte = ord(letter) - 0xDC00  # how Python keeps a byte that is no text
    return f"\\x{byte:02x}" if 0x80 <= byte <= 0xFF else letter.encode("unicode_escape").decode()


@lru_cache(maxsize=1024)
def _parts(text: str) -> tuple[tuple[str, str | None, str | None], ...]:
    """A sentence as literal text, each piece with the name and the noun of the value that follows it."""
    return tuple((literal, name, noun) for literal, name, noun, _ in Formatter().parse(text))
