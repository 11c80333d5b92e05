"""Pairs out of a rack, as many as there can be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remi_ref.melds import PAIR, Kind, Meld
from remi_ref.rack import TILES, same
from remi_ref.tiles import Joker, Slot

if TYPE_CHECKING:
    from remi_ref.deal import Deal
    from remi_ref.rack import Rack
    from remi_ref.tiles import Piece


def most_pairs_of(deal: Deal, rack: Rack, taken: Piece | None) -> list[Meld]:
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
    if free and plain and not any(same(piece, taken) for pair in pairs for piece in pair[1:]):
        pairs[pairs.index(plain[-1])] = (*plain[-1][:PAIR], free.pop(0))
    melds = [_pair(deal, *pair) for pair in pairs]
    return sorted(melds, key=lambda pair: taken is not None and not holds(pair, taken))


def _pair(deal: Deal, cell: int | None, first: Piece, second: Piece) -> Meld:
    tile = deal.joker_tile if cell is None else TILES[cell]
    return Meld(Kind.PAIR, (Slot(first, tile), Slot(second, tile)))


def holds(pair: Meld, taken: Piece) -> bool:
    return any(same(slot.piece, taken) for slot in pair.slots)
