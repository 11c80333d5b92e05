"""Tiles typed on the command line. The one place where they are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remi_ref.errors import Unreadable
from remi_ref.notation import parse_loose, parse_melds, parse_piece

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remi_ref.notation import Spellings
    from remi_ref.tiles import Piece, Slot


def read_tiles_argument(words: Sequence[str], spellings: Spellings) -> tuple[tuple[Slot, ...], ...]:
    """The tiles in groups, one where no bar parts them; words need not be quoted together.

    Raises:
        Unreadable: a word is no tile, or a group is empty.
    """
    return parse_melds(" ".join(words), spellings)


def read_tiles(words: Sequence[str], spellings: Spellings, option: str = "") -> tuple[Slot, ...]:
    """Loose tiles, bars between them overlooked.

    Raises:
        Unreadable: a word is no tile, or there is none; names the option they stand behind.
    """
    try:
        slots = parse_loose(" ".join(words), spellings)
    except Unreadable as error:
        raise error.at(option) from error
    if not slots:
        raise Unreadable("tiles.none").at(option)
    return slots


def read_tile(word: str | None, spellings: Spellings, option: str) -> Piece | None:
    """A single tile, where one was given.

    Raises:
        Unreadable: the word is not exactly one tile; names the option it stands behind.
    """
    try:
        return None if word is None else parse_piece(word, spellings)
    except Unreadable as error:
        raise error.at(option) from error
