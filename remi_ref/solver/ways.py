"""How one colour can go on at a number, beside the sets that were chosen there, and what each way loses."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from remi_ref.solver.heap import COLOURS
from remi_ref.tiles import TOP_NUMBER

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from remi_ref.solver.prices import Prices
    from remi_ref.solver.runs import Move
    from remi_ref.solver.sets import Choice

_LOSS = itemgetter(0)


class Way(NamedTuple):
    """How one colour goes on at a place.

    Attributes:
        loss: what it makes less than could be made, with the price of the tiles that stay over that of the cheapest.
        to: the config after it.
        free: jokers it uses.
        lays: whether a run takes anything.
        left: tiles that neither it nor the sets take.
        move: how the runs go on; None where there are none.
    """

    loss: int
    to: int
    free: int
    lays: bool
    left: int
    move: Move | None


class Ways:
    """The ways of one heap at the present prices; each is worked out once."""

    def __init__(
        self, prices: Prices, tiles: Sequence[int], declared: Sequence[int], owed: tuple[int, int] | None
    ) -> None:
        self._prices, self._tiles, self._declared, self._owed = prices, tiles, declared, owed
        self._known: dict[tuple[int, int, int, int, int], list[Way]] = {}

    def forget(self) -> None:
        """The prices have changed."""
        self._known.clear()

    def beside(self, choice: Choice, place: int, colour: int, config: int) -> list[Way]:
        """How a colour can go on from a config beside these sets, the least loss first."""
        key = (place, colour, config, choice.tiles[colour], choice.declared[colour])
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = sorted(self._all(choice, place, colour, config), key=_LOSS)
        return found

    def _all(self, choice: Choice, place: int, colour: int, config: int) -> Iterator[Way]:
        prices = self._prices
        tiles = declared = plain_price = declared_price = 0
        if place < TOP_NUMBER:
            cell = COLOURS * place + colour
            tiles, declared = self._tiles[cell] - choice.tiles[colour], self._declared[cell] - choice.declared[colour]
            plain_price, declared_price = prices.plain[cell] - prices.least, prices.declared[cell] - prices.least
        owed = self._kind_owed(choice, place, colour)
        every = prices.edges[colour]
        edges = every[place] if place < len(every) else None
        if edges is None:
            if owed is None:
                lost = tiles * plain_price + declared * declared_price
                yield Way(lost, config, 0, lays=False, left=tiles + declared, move=None)
            return
        ahead = prices.ahead[colour]
        can, after = ahead[place][config], ahead[place + 1]
        for edge in edges[config]:
            to, _, plain, bound, jokers, move = edge
            if plain > tiles or bound > declared or (owed is not None and not (plain, bound)[owed]):
                continue
            lost = can - prices.net(edge, place, colour) - after[to]
            lost += (tiles - plain) * plain_price + (declared - bound) * declared_price
            left = tiles + declared - plain - bound
            yield Way(lost, to, jokers, lays=bool(move.plan), left=left, move=move)

    def _kind_owed(self, choice: Choice, place: int, colour: int) -> int | None:
        """The kind of piece (`PLAIN` or `DECLARED`) that the runs of a colour must lay here."""
        if self._owed is None or self._owed[0] != COLOURS * place + colour:
            return None
        kind = self._owed[1]
        return None if (choice.tiles, choice.declared)[kind][colour] else kind
