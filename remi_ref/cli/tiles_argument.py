"""Tiles typed on the command line. The one place where they are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remi_ref.tiles import parse_melds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remi_ref.tiles import Slot, Spellings


def read_tiles_argument(words: Sequence[str], spellings: Spellings) -> tuple[tuple[Slot, ...], ...]:
    """The tiles in groups, one where no bar parts them; words need not be quoted together.

    Raises:
        Unreadable: a word is no tile, or a group is empty.
    """
    return parse_melds(" ".join(words), spellings)
