"""A rack sorted for the search: what each cell holds, what may stand anywhere; and the way back to pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remi_ref.melds import Kind, Meld
from remi_ref.solver.heap import DECLARED, FREE, PLAIN, Heap
from remi_ref.tiles import ALL_TILES, Joker, Slot

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from remi_ref.rules.deal import Deal
    from remi_ref.solver.heap import Placed
    from remi_ref.tiles import Piece, Tile

TILES = tuple(sorted(ALL_TILES, key=lambda tile: tile.number))
"""The tile of every cell."""

CELL_OF = {tile: cell for cell, tile in enumerate(TILES)}

_NATURAL = tuple(Slot(tile, tile) for tile in TILES)
"""The tile of every cell, lying as itself."""


class Rack:
    """Pieces by cell.

    Attributes:
        tiles: cells of the plain tiles.
        guests: other pieces that certainly play as a tile (false jokers), each with its cell.
        declared: jokers declared to be a tile, each with its cell.
        free: jokers not declared.
    """

    def __init__(self, deal: Deal, rack: Sequence[Slot]) -> None:
        self.tiles: list[int] = []
        self.guests: list[tuple[int, Piece]] = []
        self.declared: list[tuple[int, Piece]] = []
        self.free: list[Piece] = []
        self._joker_tile = joker_tile = deal.joker_tile
        tiles = self.tiles
        for slot in rack:
            piece, plays_as = slot
            if piece is plays_as and (joker_tile is None or piece != joker_tile):
                tiles.append(CELL_OF[plays_as])
            else:
                self._sort_in(deal, slot)

    def _sort_in(self, deal: Deal, slot: Slot) -> None:
        """Puts a piece that is not simply a tile where it belongs."""
        tile = deal.stands_for(slot)
        if tile is None:
            self.free.append(slot.piece)
        elif deal.is_wild(slot.piece):
            self.declared.append((CELL_OF[tile], slot.piece))
        elif slot.piece == tile:
            self.tiles.append(CELL_OF[tile])
        else:
            self.guests.append((CELL_OF[tile], slot.piece))

    def as_themselves(self) -> Iterator[Rack]:
        """This rack, and with one, two, ... of its joker tiles lying as the plain tiles they show."""
        yield self
        rack = self
        while rack._joker_tile in rack.free:
            rack = rack._with_plain_joker_tile(rack._joker_tile)
            yield rack

    def _with_plain_joker_tile(self, tile: Tile) -> Rack:
        other = object.__new__(Rack)
        other.guests, other.declared, other._joker_tile = self.guests, self.declared, tile
        other.free = list(self.free)
        other.free.remove(tile)
        other.tiles = [CELL_OF[tile], *self.tiles]
        return other

    def heap(self) -> Heap:
        """What may be laid, as the search takes it."""
        tiles = self.tiles + [cell for cell, _ in self.guests] if self.guests else self.tiles
        return Heap(_levels(tiles), _levels([cell for cell, _ in self.declared]), len(self.free))

    def as_tiles(self) -> dict[int, list[Piece]]:
        """What is, or certainly plays as, the tile of a cell, for each cell; the plain tiles first."""
        return by_cell([*[(cell, TILES[cell]) for cell in self.tiles], *self.guests])

    def holding(self, taken: Piece) -> Iterator[tuple[int, int] | None]:
        """Where the taken piece is: a cell and how it lies there, or None among the free jokers."""
        for how, held in ((PLAIN, self.as_tiles()), (DECLARED, by_cell(self.declared))):
            for cell, pieces in held.items():
                if any(same(piece, taken) for piece in pieces):
                    yield cell, how
        if any(same(piece, taken) for piece in self.free):
            yield None

    def melds(self, placed: Iterable[Placed]) -> tuple[Meld, ...]:
        """Formations of cells, with this rack's pieces in them."""
        declared, free = by_cell(self.declared), self.free.copy()
        as_tiles = self.as_tiles() if self.guests else {}

        def slot(cell: int, how: int) -> Slot:
            if how == FREE:
                return Slot(free.pop(0), TILES[cell])
            if how == DECLARED:
                return Slot(declared[cell].pop(0), TILES[cell])
            return Slot(as_tiles[cell].pop(0), TILES[cell]) if as_tiles else _NATURAL[cell]

        return tuple(
            Meld(Kind.RUN if is_run else Kind.SET, tuple(map(slot, cells, fill))) for is_run, cells, fill in placed
        )


def by_cell(held: Iterable[tuple[int, Piece]]) -> dict[int, list[Piece]]:
    """The pieces of each cell, in the rack's order."""
    cells: dict[int, list[Piece]] = {}
    for cell, piece in held:
        if cell in cells:
            cells[cell].append(piece)
        else:
            cells[cell] = [piece]
    return cells


def same(piece: Piece, taken: Piece | None) -> bool:
    """Whether the piece may be the taken one; a white joker is a joker."""
    return piece == taken or (isinstance(piece, Joker) and isinstance(taken, Joker))


def _levels(cells: Sequence[int]) -> tuple[int, ...]:
    """Masks of the cells that are there at least once, twice, ..."""
    once = twice = 0
    more = []
    for cell in cells:
        bit = 1 << cell
        if not once & bit:
            once |= bit
        elif not twice & bit:
            twice |= bit
        else:
            more.append(cell)
    if not twice:
        return (once,) if once else ()
    return (once, twice, *_levels(more))
