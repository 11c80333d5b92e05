"""A rack sorted for the search: what each cell holds, what may stand anywhere; and the way back to pieces."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from remi_ref.melds import Kind, Meld
from remi_ref.solver.heap import CELLS, COLOURS, DECLARED, FREE, PLAIN, Heap, number_at
from remi_ref.tiles import Colour, Joker, Slot, Tile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from remi_ref.rules.deal import Deal
    from remi_ref.solver.heap import Placed
    from remi_ref.tiles import Piece

_COLUMNS = {colour: column for column, colour in enumerate(Colour)}
TILES = tuple(Tile(tuple(Colour)[cell % COLOURS], number_at(cell)) for cell in range(CELLS))
"""The tile of every cell."""


class Rack:
    """Pieces by cell.

    Attributes:
        pieces: all of them, as given.
        tiles: those that certainly are a tile, by its cell.
        declared: jokers declared to be a tile, by its cell.
        free: jokers not declared.
    """

    def __init__(self, deal: Deal, rack: Sequence[Slot]) -> None:
        self.pieces = [slot.piece for slot in rack]
        self.tiles: defaultdict[int, list[Piece]] = defaultdict(list)
        self.declared: defaultdict[int, list[Piece]] = defaultdict(list)
        self.free: list[Piece] = []
        self._joker_tile = deal.joker_tile
        for slot in rack:
            piece = slot.piece
            if piece is slot.plays_as and piece != self._joker_tile:
                assert isinstance(piece, Tile)  # noqa: S101 - nothing else plays as itself
                self.tiles[cell_of(piece)].append(piece)
                continue
            tile = deal.stands_for(slot)
            if tile is None:
                self.free.append(slot.piece)
            elif deal.is_wild(slot.piece):
                self.declared[cell_of(tile)].append(slot.piece)
            else:
                self.tiles[cell_of(tile)].append(slot.piece)

    def as_themselves(self) -> Iterator[Rack]:
        """This rack, and with one, two, ... of its joker tiles lying as the plain tiles they show."""
        yield self
        rack = self
        while rack._joker_tile in rack.free:
            rack = rack._with_plain_joker_tile(rack._joker_tile)
            yield rack

    def _with_plain_joker_tile(self, tile: Tile) -> Rack:
        other = object.__new__(Rack)
        other.pieces, other.declared, other._joker_tile = self.pieces, self.declared, tile
        other.free = list(self.free)
        plain = other.free.pop(other.free.index(tile))
        other.tiles = self.tiles.copy()
        other.tiles[cell_of(tile)] = [plain, *self.tiles[cell_of(tile)]]
        return other

    def heap(self) -> Heap:
        """What may be laid, as the search takes it."""
        return Heap(_levels(self.tiles), _levels(self.declared), len(self.free))

    def holding(self, taken: Piece) -> Iterator[tuple[int, int] | None]:
        """Where the taken piece is: a cell and how it lies there, or None among the free jokers."""
        for how, cells in ((PLAIN, self.tiles), (DECLARED, self.declared)):
            for cell, pieces in cells.items():
                if any(same(piece, taken) for piece in pieces):
                    yield cell, how
        if any(same(piece, taken) for piece in self.free):
            yield None

    def melds(self, placed: Iterable[Placed]) -> list[Meld]:
        """Formations of cells, with this rack's pieces in them."""
        tiles = {cell: iter(pieces) for cell, pieces in self.tiles.items()}
        declared = {cell: iter(pieces) for cell, pieces in self.declared.items()}
        free = iter(self.free)

        def slot(cell: int, how: int) -> Slot:
            source = free if how == FREE else declared[cell] if how == DECLARED else tiles[cell]
            return Slot(next(source), TILES[cell])

        return [Meld(Kind.RUN if one.is_run else Kind.SET, tuple(map(slot, one.cells, one.fill))) for one in placed]

    def without(self, melds: Iterable[Meld]) -> tuple[Piece, ...]:
        """The pieces that the formations leave, in the rack's order."""
        laid = [id(slot.piece) for meld in melds for slot in meld.slots]  # this rack's own pieces, so the quickest
        left = []
        for piece in self.pieces:
            if id(piece) in laid:
                laid.remove(id(piece))
            else:
                left.append(piece)
        return tuple(left)


def cell_of(tile: Tile) -> int:
    """The cell of a tile."""
    return COLOURS * (tile.number - 1) + _COLUMNS[tile.colour]


def same(piece: Piece, taken: Piece | None) -> bool:
    """Whether the piece may be the taken one; a white joker is a joker."""
    return piece == taken or (isinstance(piece, Joker) and isinstance(taken, Joker))


def _levels(cells: dict[int, list[Piece]]) -> tuple[int, ...]:
    levels: list[int] = []
    for cell, pieces in cells.items():
        for copy in range(len(pieces)):
            if copy == len(levels):
                levels.append(0)
            levels[copy] |= 1 << cell
    return tuple(levels)
