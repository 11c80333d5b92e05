"""Which formations a tile of the hand can be in, jokers declared: what a player might lay."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from remi_ref.melds import Kind, Meld, all_melds, read_meld
from remi_ref.rules.deal import Deal
from remi_ref.tiles import ALL_TILES, Slot

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from remi_ref.rules.ruleset import Ruleset
    from remi_ref.tiles import Piece

_BITS: dict[Piece, int] = {tile: 1 << index for index, tile in enumerate(ALL_TILES)}


class _Known(NamedTuple):
    """A formation without a joker, and its tiles as bits, so that what a hand lacks of it is seen at once."""

    meld: Meld
    bits: int


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
        lacking, most = ~_bits(hand), len(jokers)
        for meld, bits in _melds_of(self.deal.rules).get(tile, ()):
            if (bits & lacking).bit_count() <= most:
                yield from self._filled(meld, hand, tile, jokers)

    def _filled(self, meld: Meld, hand: Counter[Piece], tile: Piece, jokers: list[Piece]) -> Iterator[tuple[Slot, ...]]:
        """The formation with jokers in the places of some tiles, of all that the hand lacks at least."""
        missing = {index for index, slot in enumerate(meld.slots) if slot.piece not in hand}
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


def _bits(pieces: Iterable[Piece]) -> int:
    """The numbered tiles among the pieces, a bit each."""
    bits = 0
    for piece in pieces:
        bits |= _BITS.get(piece, 0)
    return bits


@lru_cache(maxsize=64)
def _melds_of(rules: Ruleset) -> dict[Piece, list[_Known]]:
    """Every formation without a joker by each tile in it; made once for each ruleset."""
    melds = list(all_melds(Deal(rules)))
    if rules.choice("melds.pairs") == "opening":
        melds += [Meld(Kind.PAIR, (Slot(tile, tile), Slot(tile, tile))) for tile in ALL_TILES]
    found: dict[Piece, list[_Known]] = {}
    for meld in melds:
        pieces = dict.fromkeys(slot.piece for slot in meld.slots)
        for piece in pieces:
            found.setdefault(piece, []).append(_Known(meld, _bits(pieces)))
    return found
