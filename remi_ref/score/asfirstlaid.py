"""The formations of a finished round as they were first laid, and whose each was that a tile was put on.

A table is written down either as every formation was first laid or as it lies at the end. Both are brought to the first
form, so that an added tile counts once and a joker that was bought back still counts for its first owner. Formations
that hold the same tiles are told apart by their owner, where he is named. A formation is the one that was named only
where its jokers stand for the same tiles; a run may be named in any order, then its jokers stand as they lie.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from remi_ref.errors import Unreadable
from remi_ref.melds import read_meld, runs_in_any_order
from remi_ref.score.finished import Laid, Placed, Round, plain
from remi_ref.score.laid import placed_readings
from remi_ref.tiles import Piece, Slot, format_tiles

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remi_ref.melds import Meld
    from remi_ref.rules.deal import Deal
    from remi_ref.score.finished import Side

_Reading = frozenset[tuple[Slot, int]]
_Lying = frozenset[_Reading]
_Place = tuple[int, int]
_Rows = list[list[Laid]]


class _Move(NamedTuple):
    """A tile put on a formation: whose it was and which of his, and what it makes of each reading of the formation.

    A formation named out of order has a move for each order it may lie in; only one of them is played.
    """

    place: _Place
    placed: Placed
    made: tuple[tuple[_Reading, _Reading], ...]

    def after(self, lying: _Lying) -> _Lying:
        """The readings of a formation with the tile on it; none when it cannot be put there."""
        return frozenset(grown for before, grown in self.made if before in lying)

    def ends_in(self, lying: _Lying) -> bool:
        """Whether a formation may be what the tile made."""
        return any(grown in lying for _, grown in self.made)


class _Put(NamedTuple):
    """A tile as it was put on a formation that lay there, and whose that may be."""

    placed: Placed
    names: list[str]


@dataclass(frozen=True)
class FirstLaid:
    """A round as it was played.

    Attributes:
        deal: rules and turned tile.
        written: as it was told.
    """

    deal: Deal
    written: Round

    @cached_property
    def round(self) -> Round:
        """The same round with every formation as its owner first laid it, and named as it then lay."""
        sides = (
            self._side(row, side, melds)
            for row, (side, melds) in enumerate(zip(self.written.sides, self._first_rows, strict=True))
        )
        return replace(self.written, sides=tuple(sides))

    def _side(self, row: int, side: Side, melds: list[Laid]) -> Side:
        placed = [
            self._put[row, index].placed if (row, index) in self._put else placed
            for index, placed in enumerate(side.placed)
        ]
        added = len(side.added)
        return replace(side, melds=tuple(melds), added=tuple(placed[:added]), bought=tuple(placed[added:]))

    @cached_property
    def _first_rows(self) -> _Rows:
        rows = [list(side.melds) for side in self.written.sides]
        while grown := self._grown(rows):
            (row, column), placed = grown
            rows[row][column] = placed.target
        return rows

    @cached_property
    def _put(self) -> dict[_Place, _Put]:
        return self._replayed(self._first_rows)

    @cached_property
    def owners(self) -> dict[_Place, str]:
        """Whose formation each tile was put on, by the side and the place among its `placed`, as far as it is known.

        Raises:
            Unreadable: formations of several players hold the same tiles, and it is not said which is meant.
        """
        for place, (placed, names) in self._put.items():
            if len(names) > 1:
                raise self._wanted(place, placed, names)
        return {place: names[0] for place, (_, names) in self._put.items()}

    @cached_property
    def fitting(self) -> frozenset[_Place]:
        """Which tiles were put on a formation that is known to lie there, by the side and the place among `placed`."""
        return frozenset(self._put)

    def tiles_seen(self) -> Iterator[tuple[str, Slot]]:
        """Every tile the round mentions and who put or held it, each once; a bought joker is seen at both its places.

        A formation named only as the target of an added tile lies on the table, too; nobody is named for its tiles.
        """
        for side in self.round.sides:
            yield from ((side.name, slot) for meld in side.melds for slot in meld)
            yield from ((side.name, slot) for slot in side.loose)
            yield from ((side.name, move.tile) for move in side.placed)
        strange = [
            placed
            for row, side in enumerate(self.written.sides)
            for index, placed in enumerate(side.placed)
            if (row, index) not in self._put
        ]
        elsewhere: Counter[Piece] = Counter()
        for placed in strange:
            elsewhere |= Counter(plain(slot.piece) for slot in placed.target)
        elsewhere -= Counter(plain(placed.tile.piece) for placed in strange)
        yield from (("", Slot(piece)) for piece in elsewhere.elements())
        if self.written.closing_tile is not None:
            yield self.written.closer or "", Slot(self.written.closing_tile)

    @cached_property
    def _moves(self) -> tuple[_Move, ...]:
        """Every tile put on a formation; first as named and then in other orders, of each those that name its owner."""
        moves = [
            (order, _Move((row, index), way, self._made(way)))
            for row, side in enumerate(self.written.sides)
            for index, placed in enumerate(side.placed)
            for order, way in enumerate((placed, *self._in_other_orders(placed)))
        ]
        return tuple(move for _, move in sorted(moves, key=lambda way: (way[0] > 0, way[1].placed.owner is None)))

    def _in_other_orders(self, placed: Placed) -> Iterator[Placed]:
        as_named = set(read_meld(self.deal, placed.target))
        others = (run for run in runs_in_any_order(self.deal, placed.target) if run not in as_named)
        yield from (replace(placed, target=run.slots) for run in others)

    @cached_property
    def _names(self) -> list[str]:
        return [side.name for side in self.written.sides]

    def _made(self, placed: Placed) -> tuple[tuple[_Reading, _Reading], ...]:
        return tuple((_reading(before), _reading(grown)) for before, grown in placed_readings(self.deal, placed))

    def _replayed(self, rows: _Rows) -> dict[_Place, _Put]:
        """Plays the tiles onto the formations, in whatever order they fit.

        Formations only grow and every tile is put down once, so it does not matter which of those that fit goes first.
        """
        tables = [[self._lying(meld) for meld in row] for row in rows]
        found: dict[_Place, _Put] = {}
        before = -1
        while before != len(found):
            before = len(found)
            for move in (move for move in self._moves if move.place not in found):
                fits = self._fits(move, tables)
                if fits:
                    row = move.place[0] if move.place[0] in fits else next(iter(fits))
                    tables[row][fits[row]] = move.after(tables[row][fits[row]])
                    found[move.place] = _Put(move.placed, [self._names[row] for row in fits])
        return found

    def _grown(self, rows: _Rows) -> tuple[_Place, Placed] | None:
        """A formation written as it lies at the end, and the last tile put on it.

        Raises:
            Unreadable: as `owners`; the tile may as well lie on a formation that was only counted.
        """
        fitting = self._replayed(rows)
        for move in self._moves:
            if move.place in fitting:
                continue
            own = move.place[0]
            for row in sorted(range(len(rows)), key=lambda row: row != own):
                tables = [move.ends_in(self._lying(meld)) for meld in rows[row]]
                if self._may_own(move, row) and any(tables):
                    self._refuse_counted(move, row)
                    return (row, tables.index(True)), move.placed
        return None

    def _fits(self, move: _Move, tables: list[list[_Lying]]) -> dict[int, int]:
        """Whose formations can take the tile, and which of each player's."""
        return {
            row: column
            for row, melds in enumerate(tables)
            if self._may_own(move, row)
            for column, lying in enumerate(melds)
            if move.after(lying)
        }

    def _lying(self, meld: Laid) -> _Lying:
        return frozenset(_reading(found) for found in read_meld(self.deal, meld))

    def _may_own(self, move: _Move, row: int) -> bool:
        return move.placed.owner in {None, self._names[row]}

    def _refuse_counted(self, move: _Move, row: int) -> None:
        """Another player's formations may have been written as laid, where those of a third were only counted."""
        counted = [side.name for side in self.written.sides if side.laid is not None]
        if counted and move.placed.owner is None and row != move.place[0]:
            raise self._wanted(move.place, move.placed, [self._names[row], *counted])

    def _wanted(self, place: _Place, placed: Placed, names: list[str]) -> Unreadable:
        player, meld = self._names[place[0]], format_tiles(placed.target)
        return Unreadable("round.owner_wanted", player=player, tile=str(placed.tile), meld=meld, names=", ".join(names))


def _reading(meld: Meld) -> _Reading:
    """What a formation consists of and stands for, whatever its order."""
    return frozenset(Counter(Slot(plain(slot.piece), slot.plays_as) for slot in meld.slots).items())
