"""The search behind going out: every way to put all tiles of a hand into new formations or onto those of the table.

Depth first; the tile with the fewest ways to go is placed first, so that a hopeless one ends the branch, and what was
tried in vain is remembered: a rest of the hand, a table, and all that a later judgement of the plan may hang on.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import combinations, islice
from typing import TYPE_CHECKING

from remi_ref.melds import HIGH_ACE, PAIR, Kind, opening_points, read_meld
from remi_ref.play.formable import Formable
from remi_ref.play.layoffs import grown_with, may_touch
from remi_ref.play.progress import is_fine
from remi_ref.tiles import ALL_TILES, TOP_NUMBER, Slot, Tile

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

    from remi_ref.play.position import TableMeld
    from remi_ref.play.progress import Progress
    from remi_ref.tiles import Piece

MOST_STEPS = 8_000
STEPS_FOR_TAKINGS = 500
"""For all tiles of the row together; a deep taking brings many tiles, and seldom a way to lay them all."""


class TooManyWays(Exception):  # noqa: N818 - it says what there is
    """The search was given up: neither a way out nor the lack of one is proved."""


@dataclass(slots=True)
class Budget:
    """Steps that one or more searches may still take together."""

    left: int = field(default_factory=lambda: MOST_STEPS)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is laid, added and swapped so far, and the table as added tiles and bought jokers leave it.

    Attributes:
        table: the formations that lay there before, as they are now.
        melds: new formations.
        adds: tiles laid off, each with the place of its formation on the table.
        swaps: tiles put in a joker's place, likewise.
    """

    table: tuple[TableMeld, ...]
    melds: tuple[tuple[Slot, ...], ...] = ()
    adds: tuple[tuple[Slot, int], ...] = ()
    swaps: tuple[tuple[Slot, int], ...] = ()


@dataclass(slots=True)
class Search:
    """One search over all choices of the last tile; what failed for one is not tried again for another.

    Attributes:
        progress: the turn so far.
        pairs: whether pairs may be among the new formations; None for nothing but pairs.
        may_add: whether tiles may be laid off in this turn.
        needed: points that an opening must reach; 0 once the player has opened.
        budget: how long it may take.
    """

    progress: Progress
    pairs: bool | None
    may_add: bool
    needed: int
    budget: Budget
    formable: Formable = field(init=False)
    _failed: set[Hashable] = field(default_factory=set)
    _grown: dict[tuple[TableMeld, Slot], TableMeld | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.formable = Formable(self.progress.position.deal)

    def find(self, rest: Counter[Piece], plan: Plan, accept: Callable[[Plan], bool]) -> Plan | None:
        """A plan for all of the rest that is accepted; None when there is none.

        Raises:
            TooManyWays: the budget is spent without an answer.
        """
        if not rest:
            return plan if accept(plan) else None
        state = self._state(rest, plan)
        if state in self._failed:
            return None
        if not self.budget.left:
            raise TooManyWays
        self.budget.left -= 1
        for next_rest, next_plan in self._fewest(rest, plan):
            found = self.find(next_rest, next_plan, accept)
            if found is not None:
                return found
        self._failed.add(state)
        return None

    def hopeless(self, hand: Counter[Piece], plan: Plan) -> list[Piece]:
        """Tiles that can go nowhere, whatever else is done; a joker goes with some other tile."""
        tiles = [piece for piece in hand if not self.progress.position.deal.is_wild(piece)]
        return [tile for tile in tiles if not any(True for _ in self._ways(hand, plan, tile))]

    def _state(self, rest: Counter[Piece], plan: Plan) -> Hashable:
        progress, deal = self.progress, self.progress.position.deal
        laid = [slot.piece for meld in plan.melds for slot in meld]
        added = {slot.piece for slot, _ in (*plan.adds, *plan.swaps)}
        owed = (progress.taken in laid, progress.taken in added, progress.atu in laid)
        opening: Hashable = None
        if self.needed:
            readings = [reading for meld in plan.melds for reading in read_meld(deal, meld)[:1]]
            points = min(self.needed, sum(opening_points(deal, reading) for reading in readings))
            aces = any(reading.kind is Kind.SET and _number(reading.slots[0]) == 1 for reading in readings)
            runs = any(reading.kind is Kind.RUN for reading in readings)
            early = frozenset(plan.melds) if plan.swaps else None  # which of them open is chosen at the end
            opening = (points, runs, aces, sum(len(meld) == PAIR for meld in plan.melds), early)
        return frozenset(rest.items()), plan.table, plan.swaps, owed, opening

    def _fewest(self, rest: Counter[Piece], plan: Plan) -> list[tuple[Counter[Piece], Plan]]:
        deal = self.progress.position.deal
        plain: list[Piece] = [piece for piece in rest if isinstance(piece, Tile) and not deal.is_wild(piece)]
        best: list[tuple[Counter[Piece], Plan]] | None = None
        for piece in plain or list(rest):
            ways = list(islice(self._ways(rest, plan, piece), None if best is None else len(best)))
            if best is None or len(ways) < len(best):
                best = ways
            if not best:
                break
        return best or []

    def _ways(self, rest: Counter[Piece], plan: Plan, piece: Piece) -> Iterator[tuple[Counter[Piece], Plan]]:
        if isinstance(piece, Tile):
            for slots in self.formable.with_tile(rest, piece):
                if self.pairs is not False if len(slots) == PAIR else self.pairs is not None:
                    yield rest - Counter(slot.piece for slot in slots), replace(plan, melds=(*plan.melds, slots))
        if self.may_add:
            yield from self._additions(rest, plan, piece)

    def _additions(self, rest: Counter[Piece], plan: Plan, piece: Piece) -> Iterator[tuple[Counter[Piece], Plan]]:
        """The piece added to a formation, after the tiles of the hand that lie between where it is a run."""
        for index, meld in enumerate(plan.table):
            for chain in self._chains(rest, meld, piece):
                used = Counter(slot.piece for slot in chain)
                if not used - rest and (grown := self._added(meld, chain)) is not None:
                    table = (*plan.table[:index], grown, *plan.table[index + 1 :])
                    adds = (*plan.adds, *((slot, index) for slot in chain))
                    yield rest - used, replace(plan, table=table, adds=adds)

    def _chains(self, rest: Counter[Piece], meld: TableMeld, piece: Piece) -> Iterator[tuple[Slot, ...]]:
        """The piece alone, or behind the tiles, or jokers in their place, that lead from the run's end to it."""
        deal = self.progress.position.deal
        if not isinstance(piece, Tile) or deal.is_wild(piece):
            yield from ((Slot(piece, tile),) for tile in ALL_TILES if may_touch(meld, tile))
            return
        if may_touch(meld, piece):
            yield (Slot(piece, piece),)
        elif meld.kind is Kind.RUN:
            jokers = [held for held in rest.elements() if deal.is_wild(held)]
            for way in _leading_to(meld, piece):
                yield from _with_jokers(way, jokers)

    def _added(self, meld: TableMeld, chain: tuple[Slot, ...]) -> TableMeld | None:
        for slot in chain:
            grown = self._grown_with(meld, slot)
            if grown is None:
                return None
            meld = grown
        return meld

    def _grown_with(self, meld: TableMeld, slot: Slot) -> TableMeld | None:
        if (meld, slot) not in self._grown:
            grown, reasons, _ = grown_with(self.progress.position.deal, meld, slot)
            self._grown[meld, slot] = grown if is_fine(reasons) else None
        return self._grown[meld, slot]


def _number(slot: Slot) -> int:
    return 0 if slot.plays_as is None else slot.plays_as.number


def _with_jokers(chain: tuple[Slot, ...], jokers: list[Piece]) -> Iterator[tuple[Slot, ...]]:
    """The chain as it is, and with jokers in the place of some tiles before the last."""
    for count in range(min(len(jokers), len(chain) - 1) + 1):
        for places in combinations(range(len(chain) - 1), count):
            fill = iter(jokers)
            yield tuple(
                Slot(next(fill), slot.plays_as) if place in places else slot for place, slot in enumerate(chain)
            )


def _leading_to(meld: TableMeld, tile: Tile) -> Iterator[tuple[Slot, ...]]:
    """The tiles from either end of the run up to this one, nearest first; an ace may end it above or below."""
    numbers = [slot.plays_as.number for slot in meld.slots if slot.plays_as is not None]
    if meld.slots[0].plays_as is None or meld.slots[0].plays_as.colour is not tile.colour:
        return
    top = tile.number if tile.number > 1 else HIGH_ACE
    for way in (range(numbers[-1] + 1, top + 1), range(numbers[0] - 1, tile.number - 1, -1)):
        if len(way) > 1:
            tiles = (Tile(tile.colour, (number - 1) % TOP_NUMBER + 1) for number in way)
            yield tuple(Slot(step, step) for step in tiles)
