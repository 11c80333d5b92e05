"""What the search is asked and what it answers: tiles as bits, no pieces, no words."""

from __future__ import annotations

from typing import NamedTuple

PLAIN, DECLARED, FREE = range(3)
"""What fills a place: the tile itself, a joker declared to be it, a joker that was not declared."""

COLOURS, NUMBERS = 4, 13
CELLS = COLOURS * NUMBERS

POINT = 256
"""Worth of a point; each tile laid takes one away, so that of equal points the fewest tiles win."""

LOST = 10**9
"""More than anything is worth."""


def cell_at(number: int, colour: int) -> int:
    """The cell of a tile: the four of a number stand together, from the 1s up."""
    return COLOURS * (number - 1) + colour


def number_at(cell: int) -> int:
    """The number of a cell's tile."""
    return cell // COLOURS + 1


class Heap(NamedTuple):
    """What may be laid.

    Attributes:
        tiles: masks of the cells held at least once, twice, ...
        declared: the same of jokers declared to be a tile.
        free: jokers that may stand anywhere.
    """

    tiles: tuple[int, ...]
    declared: tuple[int, ...]
    free: int

    def held(self, cell: int) -> tuple[int, int]:
        """How many tiles and declared jokers a cell holds."""
        return sum(level >> cell & 1 for level in self.tiles), sum(level >> cell & 1 for level in self.declared)


class Demand(NamedTuple):
    """What must hold of a packing.

    Attributes:
        most: so many tiles may be laid.
        run: a run must be among the formations; with ``aces`` a set of aces will do, with ``sets`` any set.
        owed: a cell and `PLAIN` or `DECLARED`, of which one must be laid.
        joker: a free joker must be laid.
        worth: less is of no use, and need not be found.
    """

    most: int
    run: bool = False
    aces: bool = False
    sets: bool = False
    owed: tuple[int, int] | None = None
    joker: bool = False
    worth: int = -LOST


class Placed(NamedTuple):
    """A formation as cells, from low to high or by colour, and what fills each: `PLAIN`, `DECLARED` or `FREE`."""

    is_run: bool
    cells: tuple[int, ...]
    fill: tuple[int, ...]


class Found(NamedTuple):
    """The worth of a packing, and its formations."""

    worth: int
    placed: tuple[Placed, ...]

    @property
    def tiles(self) -> int:
        """How many tiles are laid."""
        return sum(len(placed.cells) for placed in self.placed)

    @property
    def points(self) -> int:
        """What they count."""
        return (self.worth + self.tiles) // POINT
