"""What a tile is, how it is printed, and how many of each the box holds.

The canonical notation is the only form ever printed: colour letter and number (``R7``), ``J`` joker, ``W`` white
joker, ``F`` false joker, ``J=R7`` a joker that stands for a tile, spaces between tiles and `` | `` between melds. How
it is read stands in `notation`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from remi_ref.errors import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable

TOP_NUMBER = 13


class Colour(StrEnum):
    """The four colours, by their canonical letter."""

    __hash__ = str.__hash__  # an enumeration's own is written in Python, and tiles are looked up everywhere

    R = "R"
    A = "A"
    N = "N"
    G = "G"


class Tile(NamedTuple):
    """A numbered tile. Equal tiles are equal: the two copies in the box are not told apart.

    A named tuple, as a slot is: they are counted and looked up everywhere, and a tuple is hashed and compared at once.
    """

    colour: Colour
    number: int

    def __str__(self) -> str:
        return _WRITTEN[self]  # they are written everywhere, and fifty-two are soon written for good


class Joker(NamedTuple):
    """A joker; white when it was bought back once (remi etalat)."""

    white: bool = False

    def __str__(self) -> str:
        return "W" if self.white else "J"


@dataclass(frozen=True, slots=True)
class FalseJoker:
    """The tile with the clover in remi pe tablă: it always plays as the joker tile."""

    def __str__(self) -> str:
        return "F"


Piece = Tile | Joker | FalseJoker


class Slot(NamedTuple):
    """A piece in a place, and the tile it plays as; ``None`` when a joker was not declared."""

    piece: Piece
    plays_as: Tile | None = None

    def __str__(self) -> str:
        piece, plays_as = self
        if plays_as is None or plays_as == piece or isinstance(piece, FalseJoker):
            return str(piece)
        return f"{piece}={plays_as}"


ALL_TILES = tuple(Tile(colour, number) for colour in Colour for number in range(1, TOP_NUMBER + 1))

_WHITE = Joker(white=True)

_WRITTEN = {tile: f"{tile.colour}{tile.number}" for tile in ALL_TILES}


def format_tiles(slots: Iterable[Slot | Piece]) -> str:
    """Writes tiles in canonical form; the inverse of `notation.parse_tiles`."""
    return " ".join(map(str, slots))


def format_melds(melds: Iterable[Iterable[Slot | Piece]]) -> str:
    """Writes melds in canonical form; the inverse of `notation.parse_melds`."""
    return " | ".join(map(format_tiles, melds))


def check_box(pieces: Iterable[Piece], *, packs: int, jokers: int, false_jokers: int) -> None:
    """Refuses more copies of a piece than the box holds. What a joker stands for is no copy.

    Raises:
        Unreadable: names the piece, how many were given and how many there are.
    """
    counts = Counter(pieces)
    if white := counts.pop(_WHITE, 0):
        counts[Joker()] += white
    for piece, count in counts.items():
        most = packs if isinstance(piece, Tile) else jokers if isinstance(piece, Joker) else false_jokers
        if count > most:
            raise Unreadable("tiles.too_many_copies", tile=str(piece), count=count, most=most)
