"""What the search is asked and what it answers: tiles as bits, no pieces, no words."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

PLAIN, DECLARED, FREE = range(3)
"""What fills a place: the tile itself, a joker declared to be it, a joker that was not declared."""

COLOURS, NUMBERS = 4, 13
CELLS = COLOURS * NUMBERS

POINT = 256
"""Worth of a point; each tile laid takes one away, so that of equal points the fewest tiles win."""

LOST = 10**9
"""More than anything is worth."""

ACES = 0b1111
"""The cells of the 1s; shifted, those of any number."""


def cell_at(number: int, colour: int) -> int:
    """The cell of a tile: the four of a number stand together, from the 1s up."""
    return COLOURS * (number - 1) + colour


def number_at(cell: int) -> int:
    """The number of a cell's tile."""
    return cell // COLOURS + 1


def each_bit(mask: int) -> Iterator[int]:
    """The bits of a mask, from the lowest."""
    while mask:
        low = mask & -mask
        yield low
        mask ^= low


def active_cells(once: int) -> int:
    """The cells that three in a row or three of a number pass through; 0 when there are none. Aces also as high."""
    row = once | (once & ACES) << CELLS
    runs = row & row >> 4 & row >> 8
    pairs = (once & 0x5555555555555) + (once >> 1 & 0x5555555555555)
    counts = (pairs & 0x3333333333333) + (pairs >> 2 & 0x3333333333333)
    sets = counts + 0x5555555555555 & 0x8888888888888  # the top bit of each four where the count is 3 or 4
    if not runs and not sets:
        return 0
    sets |= sets >> 1
    active = runs | runs << 4 | runs << 8 | sets | sets >> 2
    return active | active >> CELLS


class TooManyError(Exception):
    """A search would have to look at more than it is allowed to."""


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

    def met_by(self, placed: Placed) -> bool:
        """Whether a formation is the run that is wanted, or will do for one."""
        return placed.is_run or self.sets or (self.aces and placed.cells[0] < COLOURS)


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
