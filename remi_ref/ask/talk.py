"""Questions put to a person in the terminal; what cannot be used is said at once, and asked again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import questionary

from remi_ref.errors import Unreadable
from remi_ref.notation import parse_melds, parse_tile, parse_tiles
from remi_ref.vision.photo import SUFFIXES, is_photo

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from remi_ref.notation import Spellings
    from remi_ref.words import Words


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation in one language. Every question has a code, ``ask.CODE`` in the language files.

    All of these raise KeyboardInterrupt or EOFError when the person leaves.
    """

    words: Words

    def say(self, code: str, **values: object) -> str:
        """A sentence of the conversation."""
        return self.words.say(f"ask.{code}", **values)

    def tell(self, error: Unreadable) -> None:
        """What could not be done."""
        questionary.print(self.words.error(error))

    def choose(self, code: str, options: Sequence[tuple[str, str]], **values: object) -> str:
        """One of several; ``options`` are pairs of what is returned and its title."""
        choices = [questionary.Choice(title, value) for value, title in options]
        question = questionary.select(self.say(code, **values), choices, instruction=self.say("arrows"))
        return str(question.unsafe_ask())

    def one_of(self, code: str, names: Sequence[str]) -> str:
        """One of several that have words of their own: ``CODE_NAME``."""
        return self.choose(code, [(name, self.say(f"{code}_{name}")) for name in names])

    def yes(self, code: str, **values: object) -> bool:
        """Yes or no; no stands first."""
        options = [(name, self.say(name)) for name in ("no", "yes")]
        return self.choose(code, options, **values) == "yes"

    def text(self, code: str, check: Callable[[str], object], default: str = "", **values: object) -> str:
        """A line that passes the check."""

        def fault(typed: str) -> bool | str:
            try:
                check(typed.strip())
            except Unreadable as error:
                return self.words.error(error)
            return True

        return str(questionary.text(self.say(code, **values), default, validate=fault).unsafe_ask()).strip()

    def tile(self, code: str, spellings: Spellings, *, optional: bool = False) -> str:
        """A single tile; empty where it may be left out and was."""
        return self.text(code, lambda typed: (optional and not typed) or parse_tile(typed, spellings))

    def tiles(self, code: str, spellings: Spellings) -> str:
        """Loose tiles, typed or photographed."""

        def check(typed: str) -> object:
            if not parse_tiles(typed, spellings):
                raise Unreadable("ask.tiles_wanted")
            return None

        return self.photo() if self._photographed() else self.text(code, check)

    def melds(self, code: str, spellings: Spellings) -> str:
        """Formations, typed or photographed."""
        return self.photo() if self._photographed() else self.text(code, lambda typed: parse_melds(typed, spellings))

    def one_meld(self, code: str, spellings: Spellings) -> str:
        """A single formation."""

        def check(typed: str) -> object:
            if len(parse_melds(typed, spellings)) > 1:
                raise Unreadable("ask.one_meld_wanted")
            return None

        return self.text(code, check)

    def photo(self) -> str:
        """The name of a picture file."""

        def check(typed: str) -> object:
            if not is_photo(typed):
                raise Unreadable("ask.no_picture", name=typed, kinds=" ".join(sorted(SUFFIXES)))
            return None

        return self.text("photo", check)

    def file(self, code: str, *, new: bool = False, default: str = "") -> str:
        """The name of a file that is there, or of one that is not there yet."""

        def check(typed: str) -> object:
            if not typed or Path(typed).is_dir() or Path(typed).exists() is new:
                raise Unreadable("ask.new_file_wanted" if new else "ask.no_file", name=typed)
            return None

        return self.text(code, check, default)

    def _photographed(self) -> bool:
        return self.one_of("how", ("typed", "photo")) == "photo"
