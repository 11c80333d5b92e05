"""What a rack can do: its best opening, its pairs, a winning board, the tiles that would help. Exact for all rules."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from remi_ref.melds import PAIR, Kind, Meld
from remi_ref.packing import CELLS, Demand, Heap, pack
from remi_ref.runs import DECLARED, FREE, PLAIN
from remi_ref.shapes import Shapes
from remi_ref.tiles import ALL_TILES, TOP_NUMBER, Colour, Joker, Slot, Tile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from remi_ref.deal import Deal
    from remi_ref.packing import Placed
    from remi_ref.ruleset import Ruleset
    from remi_ref.tiles import Piece

_COLOURS = "".join(Colour)


@dataclass(frozen=True, slots=True)
class Packing:
    """Disjoint formations out of one rack.

    Attributes:
        melds: jokers declared, runs from low to high.
        points: towards the opening; 0 for pairs and for winning boards.
        left: the pieces that stay on the rack, in its order.
    """

    melds: tuple[Meld, ...]
    points: int
    left: tuple[Piece, ...]


def best_opening(
    deal: Deal, rack: Sequence[Slot], *, keep: int = 1, taken: Piece | None = None, need_run: bool | None = None
) -> Packing | None:
    """The most points in runs and sets; of equals one that lays fewest tiles. None when nothing can be laid so.

    Args:
        deal: rules and turned tile.
        rack: what may be laid; a declared joker plays as declared or stays.
        keep: how many tiles must stay.
        taken: a piece that must be among those laid.
        need_run: whether a run must be among them; None for what the rules say.

    Raises:
        Unreadable: a false joker without a turned tile, or a plain tile declared to be another.
    """
    run = deal.rules.flag("opening.need_run") if need_run is None else need_run
    aces = run and deal.rules.flag("opening.set_of_aces_exception")
    return _best(Shapes.of(deal.rules), _Rack(deal, rack), Demand(len(rack) - keep, run, aces), taken)


def most_pairs(deal: Deal, rack: Sequence[Slot], *, keep: int = 1, taken: Piece | None = None) -> Packing | None:
    """The most pairs, with as few jokers as that takes. None when there is none, or none with the taken piece.

    Raises:
        Unreadable: as `best_opening`.
    """
    if deal.rules.choice("melds.pairs") == "none":
        return None
    sorted_rack = _Rack(deal, rack)
    pairs = max((_pairs_of(deal, way, taken) for way in sorted_rack.as_themselves()), key=len)
    pairs = pairs[: (len(rack) - keep) // PAIR]
    if not pairs or (taken is not None and not _holds(pairs[0], taken)):
        return None
    return _packing(sorted_rack.pieces, pairs, 0)


def winning_board(
    deal: Deal, tiles: Sequence[Slot], *, last: Piece | None = None
) -> tuple[Packing, Piece | None] | None:
    """An arrangement that wins (remi pe tablă) and the tile put down last; the one that costs the others most.

    Args:
        deal: rules and turned tile.
        tiles: the fourteen, or those and the last one.
        last: the piece put down last, when it is known.

    Raises:
        Unreadable: as `best_opening`.
    """
    size = deal.rules.number("deal.hand")
    if len(tiles) == size:
        boards = [(tuple(tiles), last)]
    else:
        lasts = dict.fromkeys(slot.piece for slot in tiles) if last is None else [last]
        boards = [(_without(tiles, piece), piece) for piece in lasts]
    found = []
    for board, piece in boards:
        for packing in (_all_in_pairs(deal, board), _all_in_melds(deal, board)):
            if packing is not None:
                found.append((packing, piece))
    return max(found, key=lambda win: _loss(deal, *win), default=None)


def one_away(
    deal: Deal, rack: Sequence[Slot], *, keep: int, taken: Piece | None, points: int | None, pairs: int | None
) -> tuple[Piece, ...]:
    """The pieces any one of which, added to the rack, would make that many points or that many pairs.

    Args:
        deal: rules and turned tile.
        rack: what is held now.
        keep: how many tiles must stay.
        taken: a piece that must be among those laid.
        points: the threshold in points; None where points do not open.
        pairs: the threshold in pairs; None where pairs do not open.
    """
    found: list[Piece] = []
    for piece in _pieces_left(deal, rack):
        more = (*rack, Slot(piece))
        opening = None if points is None else best_opening(deal, more, keep=keep, taken=taken)
        if opening is not None and points is not None and opening.points >= points:
            found.append(piece)
            continue
        doubles = None if pairs is None else most_pairs(deal, more, keep=keep, taken=taken)
        if doubles is not None and pairs is not None and len(doubles.melds) >= pairs:
            found.append(piece)
    return tuple(found)


# --- runs and sets ---------------------------------------------------------------------------------------------------


class _Rack:
    """A rack sorted for the search: what each cell holds, and what may stand anywhere."""

    def __init__(self, deal: Deal, rack: Sequence[Slot]) -> None:
        self.pieces = [slot.piece for slot in rack]
        self.tiles: defaultdict[int, list[Piece]] = defaultdict(list)
        self.declared: defaultdict[int, list[Piece]] = defaultdict(list)
        self.free: list[Piece] = []
        self.joker_tile = deal.joker_tile
        for slot in rack:
            tile = deal.stands_for(slot)
            if tile is None:
                self.free.append(slot.piece)
            elif deal.is_wild(slot.piece):
                self.declared[_cell(tile)].append(slot.piece)
            else:
                self.tiles[_cell(tile)].append(slot.piece)

    def as_themselves(self) -> Iterator[_Rack]:
        """This rack, and with one, two, ... of its joker tiles lying as the plain tiles they show."""
        yield self
        rack = self
        while rack.joker_tile in rack.free:
            rack = rack._with_plain_joker_tile()
            yield rack

    def _with_plain_joker_tile(self) -> _Rack:
        assert self.joker_tile is not None  # noqa: S101 - one of them is on the rack
        other = object.__new__(_Rack)
        other.pieces, other.declared, other.joker_tile = self.pieces, self.declared, self.joker_tile
        other.free = list(self.free)
        other.free.remove(self.joker_tile)
        cell = _cell(self.joker_tile)
        other.tiles = self.tiles | {cell: [self.joker_tile, *self.tiles.get(cell, [])]}
        return other

    @property
    def heap(self) -> Heap:
        return Heap(
            tuple(len(self.tiles.get(cell, ())) for cell in range(CELLS)),
            tuple(len(self.declared.get(cell, ())) for cell in range(CELLS)),
            len(self.free),
        )

    def melds(self, placed: Iterable[Placed]) -> list[Meld]:
        """The formations found, with this rack's pieces in them."""
        tiles = {cell: iter(pieces) for cell, pieces in self.tiles.items()}
        declared = {cell: iter(pieces) for cell, pieces in self.declared.items()}
        free = iter(self.free)

        def piece(cell: int, how: int) -> Piece:
            return next(free if how == FREE else declared[cell] if how == DECLARED else tiles[cell])

        return [
            Meld(
                Kind.RUN if formation.is_run else Kind.SET,
                tuple(Slot(piece(cell, how), ALL_TILES[cell]) for cell, how in zip(*formation[1:], strict=True)),
            )
            for formation in placed
        ]


def _best(shapes: Shapes, rack: _Rack, demand: Demand, taken: Piece | None) -> Packing | None:
    best = None
    for way in rack.as_themselves():
        for asked in _with_taken(demand, way, taken):
            found = pack(shapes, way.heap, asked)
            if found is not None and (best is None or found[0] > best[0]):
                best = (*found, way)
    if best is None:
        return None
    points, placed, way = best
    return _packing(rack.pieces, way.melds(placed), points)


def _with_taken(demand: Demand, rack: _Rack, taken: Piece | None) -> Iterator[Demand]:
    """The demand with the taken piece in it: one of its cell, or a joker."""
    if taken is None:
        yield demand
        return
    for how, cells in ((PLAIN, rack.tiles), (DECLARED, rack.declared)):
        for cell, pieces in cells.items():
            if any(_same(piece, taken) for piece in pieces):
                yield demand._replace(owed=(cell, how))
    if any(_same(piece, taken) for piece in rack.free):
        yield demand._replace(joker=True)


def _all_in_melds(deal: Deal, board: Sequence[Slot]) -> Packing | None:
    size = len(board)
    shapes = Shapes.of(deal.rules).counting_tiles()
    packing = _best(shapes, _Rack(deal, board), Demand(size), None)
    return None if packing is None or packing.left else Packing(packing.melds, 0, ())


def _cell(tile: Tile) -> int:
    return _COLOURS.index(tile.colour) * TOP_NUMBER + tile.number - 1


def _packing(pieces: Iterable[Piece], melds: Sequence[Meld], points: int) -> Packing:
    """The formations in a fixed order and what they leave."""
    laid = Counter(slot.piece for meld in melds for slot in meld.slots)
    left = []
    for piece in pieces:
        if laid[piece]:
            laid[piece] -= 1
        else:
            left.append(piece)
    return Packing(tuple(melds), points, tuple(left))


# --- pairs -----------------------------------------------------------------------------------------------------------


def _pairs_of(deal: Deal, rack: _Rack, taken: Piece | None) -> list[Meld]:
    """As many pairs as there can be, one with the taken piece first: plain ones, then with a joker, then of jokers."""
    most_jokers = {"none": 0, "one": 1, "any": PAIR}[deal.rules.choice("joker.in_pair")]
    pairs: list[tuple[int | None, Piece, Piece]] = []
    singles: list[tuple[int, Piece]] = []
    for cell in sorted(rack.tiles.keys() | rack.declared.keys()):
        tiles, declared = list(rack.tiles.get(cell, ())), list(rack.declared.get(cell, ()))
        if most_jokers == 1:
            pairs += [(cell, tiles.pop(0), declared.pop()) for _ in range(min(len(tiles), len(declared)))]
        elif most_jokers == PAIR:
            tiles = declared + tiles if isinstance(taken, Joker) else tiles + declared
        pairs += [(cell, tiles.pop(0), tiles.pop(0)) for _ in range(len(tiles) // PAIR)]
        singles += [(cell, piece) for piece in tiles]
    free = list(rack.free) if most_jokers else []
    singles.sort(key=lambda single: single[1] != taken)
    pairs += [(cell, piece, free.pop(0)) for cell, piece in singles[: len(free)]]
    if most_jokers == PAIR:
        pairs += [(None, free.pop(0), free.pop(0)) for _ in range(len(free) // PAIR)]
    plain = [pair for pair in pairs if not isinstance(pair[2], Joker)]
    while len(free) >= PAIR and plain:
        cell, first, second = plain.pop()
        pairs.remove((cell, first, second))
        pairs += [(cell, first, free.pop(0)), (cell, second, free.pop(0))]
    if free and plain and not any(_same(piece, taken) for pair in pairs for piece in pair[1:]):
        pairs[pairs.index(plain[-1])] = (*plain[-1][:PAIR], free.pop(0))
    melds = [_pair(deal, *pair) for pair in pairs]
    return sorted(melds, key=lambda pair: taken is not None and not _holds(pair, taken))


def _pair(deal: Deal, cell: int | None, first: Piece, second: Piece) -> Meld:
    tile = deal.joker_tile if cell is None else ALL_TILES[cell]
    return Meld(Kind.PAIR, (Slot(first, tile), Slot(second, tile)))


def _holds(pair: Meld, taken: Piece) -> bool:
    return any(_same(slot.piece, taken) for slot in pair.slots)


def _same(piece: Piece, taken: Piece | None) -> bool:
    return piece == taken or (isinstance(piece, Joker) and isinstance(taken, Joker))


def _all_in_pairs(deal: Deal, board: Sequence[Slot]) -> Packing | None:
    packing = most_pairs(deal, board, keep=0)
    return None if packing is None or packing.left else packing


# --- the winning board -----------------------------------------------------------------------------------------------


def _without(tiles: Sequence[Slot], piece: Piece) -> tuple[Slot, ...]:
    index = next(i for i, slot in enumerate(tiles) if slot.piece == piece)
    return (*tiles[:index], *tiles[index + 1 :])


def _loss(deal: Deal, packing: Packing, last: Piece | None) -> int:
    pairs = packing.melds[0].kind is Kind.PAIR
    joker = last is not None and deal.is_wild(last)
    knob = {
        (True, True): "close.seven_pairs_joker",
        (True, False): "close.seven_pairs",
        (False, True): "close.joker_loss",
        (False, False): "close.loss",
    }[pairs, joker]
    return deal.rules.number(knob)


def _pieces_left(deal: Deal, rack: Sequence[Slot]) -> Iterator[Piece]:
    """Every kind of piece of which the box has one more than the rack."""
    from remi_ref.errors import Unreadable

    for piece in (*ALL_TILES, Joker()):
        try:
            deal.check_box((*rack, Slot(piece)))
        except Unreadable:
            continue
        yield piece
