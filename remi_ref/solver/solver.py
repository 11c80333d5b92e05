"""What a rack can do: its best opening, its pairs, a winning board, the tiles that would help. Exact for all rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from remi_ref.errors import Unreadable
from remi_ref.melds import PAIR, Kind, Meld
from remi_ref.solver.heap import POINT, Demand
from remi_ref.solver.packing import pack
from remi_ref.solver.pairs import holds, most_pairs_of
from remi_ref.solver.rack import Rack
from remi_ref.solver.shapes import Shapes
from remi_ref.tiles import ALL_TILES, Joker, Slot

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from remi_ref.rules.deal import Deal
    from remi_ref.solver.heap import Found
    from remi_ref.tiles import Piece


class Packing(NamedTuple):
    """Disjoint formations out of one rack.

    Attributes:
        melds: jokers declared, runs from low to high.
        points: towards the opening; 0 for pairs and for winning boards.
        rack: all that was held.
    """

    melds: tuple[Meld, ...]
    points: int
    rack: tuple[Slot, ...]

    @property
    def lays_all(self) -> bool:
        """Whether nothing stays on the rack."""
        return sum([len(meld.slots) for meld in self.melds]) == len(self.rack)

    @property
    def left(self) -> tuple[Piece, ...]:
        """The pieces that stay on the rack, in its order."""
        left = [slot.piece for slot in self.rack]
        for meld in self.melds:
            for slot in meld.slots:
                left.remove(slot.piece)
        return tuple(left)


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
    return _best(deal, rack, _demand(deal, len(rack) - keep, need_run=need_run), taken)


def most_pairs(deal: Deal, rack: Sequence[Slot], *, keep: int = 1, taken: Piece | None = None) -> Packing | None:
    """The most pairs, with as few jokers as that takes. None when there is none, or none with the taken piece.

    Raises:
        Unreadable: as `best_opening`.
    """
    if deal.rules.choice("melds.pairs") == "none":
        return None
    ways = [most_pairs_of(deal, way, taken) for way in Rack(deal, rack).as_themselves()]
    pairs = max((way for way in ways if way and (taken is None or holds(way[0], taken))), key=len, default=[])
    pairs = pairs[: (len(rack) - keep) // PAIR]
    return Packing(tuple(pairs), 0, tuple(rack)) if pairs else None


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
    ways = (
        (packing, piece)
        for board, piece in boards
        for packing in (_all_in_pairs(deal, board), _all_in_melds(deal, board))
    )
    found = [(packing, piece) for packing, piece in ways if packing is not None]
    return max(found, key=lambda win: _loss(deal, *win), default=None)


def one_away(  # noqa: PLR0913 - what is asked
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
    return tuple(
        piece
        for piece in _pieces_left(deal, rack)
        if (points is not None and _reaches_points(deal, (*rack, Slot(piece)), keep, taken, points))
        or (pairs is not None and _reaches_pairs(deal, (*rack, Slot(piece)), keep, taken, pairs))
    )


def _reaches_points(deal: Deal, rack: Sequence[Slot], keep: int, taken: Piece | None, points: int) -> bool:
    worth = points * POINT - len(rack)
    best = _best(deal, rack, _demand(deal, len(rack) - keep)._replace(worth=worth), taken)
    return best is not None and best.points >= points


def _reaches_pairs(deal: Deal, rack: Sequence[Slot], keep: int, taken: Piece | None, pairs: int) -> bool:
    best = most_pairs(deal, rack, keep=keep, taken=taken)
    return best is not None and len(best.melds) >= pairs


# --- the search ------------------------------------------------------------------------------------------------------


def _best(
    deal: Deal, rack: Sequence[Slot], demand: Demand, taken: Piece | None, shapes: Shapes | None = None
) -> Packing | None:
    shapes = shapes or Shapes.of(deal.rules)
    held = Rack(deal, rack)
    best = _best_way(shapes, held, demand, taken)
    nothing = best is None or not best[0].placed
    if nothing and not demand.run and shapes.some_worthless:
        best = _best_way(shapes, held, demand._replace(run=True, sets=True), taken)
    if best is None or not best[0].placed:
        return None
    found, way = best
    return Packing(way.melds(found.placed), found.points, tuple(rack))


def _best_way(shapes: Shapes, rack: Rack, demand: Demand, taken: Piece | None) -> tuple[Found, Rack] | None:
    best = None
    for way in rack.as_themselves():
        for asked in _with_taken(demand, way, taken):
            found = pack(shapes, way.heap(), asked)
            if found is not None and (best is None or found.worth > best[0].worth):
                best = found, way
    return best


def _demand(deal: Deal, most: int, *, need_run: bool | None = None) -> Demand:
    """What the rules want of an opening."""
    run = deal.rules.flag("opening.need_run") if need_run is None else need_run
    return Demand(most, run, run and deal.rules.flag("opening.set_of_aces_exception"))


def _with_taken(demand: Demand, rack: Rack, taken: Piece | None) -> Iterator[Demand]:
    """The demand with the taken piece in it: one of its cell, or a joker."""
    if taken is None:
        yield demand
        return
    for place in rack.holding(taken):
        yield demand._replace(joker=True) if place is None else demand._replace(owed=place)


# --- the winning board -----------------------------------------------------------------------------------------------


def _all_in_pairs(deal: Deal, board: Sequence[Slot]) -> Packing | None:
    packing = most_pairs(deal, board, keep=0)
    return None if packing is None or packing.left else packing


def _all_in_melds(deal: Deal, board: Sequence[Slot]) -> Packing | None:
    """The board with every tile in a run or a set."""
    all_of_it = Demand(len(board), worth=len(board) * (POINT - 1))
    packing = _best(deal, board, all_of_it, None, Shapes.of(deal.rules).counting_tiles())
    return None if packing is None or packing.left else packing._replace(points=0)


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
    pieces: tuple[Piece, ...] = (*ALL_TILES, Joker())
    for piece in pieces:
        try:
            deal.check_box((*rack, Slot(piece)))
        except Unreadable:
            continue
        yield piece
