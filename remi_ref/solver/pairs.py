"""Pairs out of a rack, as many as there can be."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from remi_ref.melds import PAIR, Kind, Meld
from remi_ref.solver.rack import TILES, by_cell, same
from remi_ref.tiles import Joker, Slot

if TYPE_CHECKING:
    from remi_ref.rules.deal import Deal
    from remi_ref.solver.rack import Rack
    from remi_ref.tiles import Piece

    _Pair = tuple[int | None, Piece, Piece]


class _Pairs(NamedTuple):
    """Pairs while they are sought, each as its cell (none for two jokers) and two pieces; and what is left for more."""

    plain: list[_Pair]
    mixed: list[_Pair]
    singles: list[tuple[int, Piece]]
    free: list[Piece]


def most_pairs_of(deal: Deal, rack: Rack, taken: Piece | None) -> list[Meld]:
    """As many pairs as there can be, one with the taken piece first; jokers only where they make one more."""
    most_jokers = {"none": 0, "one": 1, "any": PAIR}[deal.rules.choice("joker.in_pair")]
    found = _Pairs([], [], [], list(rack.free) if most_jokers else [])
    tiles, declared = rack.as_tiles(), by_cell(rack.declared)
    several = {cell for cell, here in tiles.items() if len(here) > 1}
    for cell in sorted(several | declared.keys()):
        _pair_up_cell(found, cell, tiles.pop(cell, []), declared.get(cell, []), most_jokers, taken)
    if found.free:
        found.singles.extend((cell, piece) for cell, (piece,) in tiles.items())
        _pair_up_free(found, most_jokers, taken)
    melds = [_meld(deal, *pair) for pair in (*found.plain, *found.mixed)]
    return melds if taken is None else sorted(melds, key=lambda pair: not holds(pair, taken))


def _pair_up_cell(  # noqa: PLR0913, PLR0917 - one step of `most_pairs_of`
    found: _Pairs, cell: int, tiles: list[Piece], declared: list[Piece], most_jokers: int, taken: Piece | None
) -> None:
    """Pairs within a cell: tiles with declared jokers where one may be in a pair, so that a tile stays for a joker."""
    if most_jokers == 1:
        found.mixed.extend((cell, tiles.pop(0), declared.pop()) for _ in range(min(len(tiles), len(declared))))
    elif most_jokers == PAIR:
        tiles = declared + tiles if isinstance(taken, Joker) else tiles + declared
    found.plain.extend([(cell, tiles.pop(0), tiles.pop(0)) for _ in range(len(tiles) // PAIR)])
    found.singles.extend([(cell, piece) for piece in tiles])


def _pair_up_free(found: _Pairs, most_jokers: int, taken: Piece | None) -> None:
    """Free jokers: one beside each single tile, then two together or each beside a tile of a plain pair."""
    free = found.free
    found.singles.sort(key=lambda single: (not same(single[1], taken), single[0]))
    found.mixed.extend((cell, piece, free.pop(0)) for cell, piece in found.singles[: len(free)])
    if most_jokers == PAIR:
        found.mixed.extend((None, free.pop(0), free.pop(0)) for _ in range(len(free) // PAIR))
    while len(free) >= PAIR and found.plain:
        cell, first, second = found.plain.pop()
        found.mixed.extend([(cell, first, free.pop(0)), (cell, second, free.pop(0))])
    used = any(same(piece, taken) for pair in (*found.plain, *found.mixed) for piece in pair[1:])
    if free and found.plain and not used:
        cell, first, _ = found.plain.pop()
        found.mixed.append((cell, first, free.pop(0)))


def _meld(deal: Deal, cell: int | None, first: Piece, second: Piece) -> Meld:
    tile = deal.joker_tile if cell is None else TILES[cell]
    return Meld(Kind.PAIR, (Slot(first, tile), Slot(second, tile)))


def holds(pair: Meld, taken: Piece) -> bool:
    """Whether the taken piece may be one of the pair."""
    return any(same(slot.piece, taken) for slot in pair.slots)
