"""Which formations a tile of the hand can be in, jokers declared: what a player might lay."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from remi_ref.melds import Kind, Meld, all_melds, read_meld
from remi_ref.tiles import ALL_TILES, Slot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remi_ref.rules.deal import Deal
    from remi_ref.rules.knobs import Value
    from remi_ref.tiles import Piece


@dataclass(frozen=True, slots=True)
class Formable:
    """The formations of one deal, looked up by the tiles in them."""

    deal: Deal

    def with_tile(
        self, hand: Counter[Piece], tile: Piece, most_jokers: int | None = None
    ) -> Iterator[tuple[Slot, ...]]:
        """Every formation that this tile can be in with others of the hand, each joker declared.

        Args:
            hand: the tiles there are, the tile itself among them.
            tile: a numbered tile that plays as itself.
            most_jokers: how many jokers may be used; None for all that the hand holds.
        """
        jokers = [piece for piece in hand.elements() if self.deal.is_wild(piece) and piece != tile][:most_jokers]
        for meld in _melds_of(self.deal).get(tile, ()):
            missing = _missing(meld, hand, len(jokers))
            if missing is not None:
                yield from self._filled(meld, hand, tile, missing, jokers)

    def _filled(
        self, meld: Meld, hand: Counter[Piece], tile: Piece, missing: set[int], jokers: list[Piece]
    ) -> Iterator[tuple[Slot, ...]]:
        """The formation with jokers in the places of some tiles, of all that the hand lacks at least."""
        own = next(index for index, slot in enumerate(meld.slots) if slot.piece == tile)
        others = [index for index in range(len(meld.slots)) if index != own]
        for count in range(len(missing), len(jokers) + 1):
            for places in combinations(others, count):
                if missing <= set(places):
                    fill = iter(jokers)
                    slots = tuple(
                        Slot(next(fill), slot.plays_as) if index in places else slot
                        for index, slot in enumerate(meld.slots)
                    )
                    if not Counter(slot.piece for slot in slots) - hand and read_meld(self.deal, slots):
                        yield slots


def _missing(meld: Meld, hand: Counter[Piece], most: int) -> set[int] | None:
    """The places whose tile the hand lacks; None as soon as they are too many."""
    places: set[int] = set()
    for index, slot in enumerate(meld.slots):
        if slot.piece not in hand:
            places.add(index)
            if len(places) > most:
                return None
    return places


_known: dict[tuple[Value, ...], dict[Piece, list[Meld]]] = {}


def _melds_of(deal: Deal) -> dict[Piece, list[Meld]]:
    """Every formation without a joker by each tile in it; made once for each way to shape formations."""
    shape = tuple(leaf.value for path, leaf in deal.rules.leaves.items() if path.startswith("melds."))
    if shape not in _known:
        melds = list(all_melds(deal))
        if deal.rules.choice("melds.pairs") == "opening":
            melds += [Meld(Kind.PAIR, (Slot(tile, tile), Slot(tile, tile))) for tile in ALL_TILES]
        found: dict[Piece, list[Meld]] = {}
        for meld in melds:
            for piece in dict.fromkeys(slot.piece for slot in meld.slots):
                found.setdefault(piece, []).append(meld)
        _known[shape] = found
    return _known[shape]
