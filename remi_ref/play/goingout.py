"""Can the player go out in this turn? A search that puts every tile but one into formations or onto the table's."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from remi_ref.melds import HIGH_ACE, Kind
from remi_ref.play.actions import Add, Discard, Lay, Win
from remi_ref.play.formable import Formable
from remi_ref.play.layoffs import grown_with, may_touch
from remi_ref.play.position import as_laid
from remi_ref.play.progress import is_fine
from remi_ref.play.turn import judge_step
from remi_ref.score.finished import Opened
from remi_ref.solver import solver
from remi_ref.tiles import ALL_TILES, TOP_NUMBER, Slot, Tile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remi_ref.play.actions import Action
    from remi_ref.play.position import TableMeld
    from remi_ref.play.progress import Progress
    from remi_ref.tiles import Piece

MOST_STEPS = 4_000


class TooManyWays(Exception):  # noqa: N818 - it says what there is
    """The search was given up: neither a way out nor the lack of one is proved."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is laid and added so far, and the table as the added tiles leave it."""

    table: tuple[TableMeld, ...]
    melds: tuple[tuple[Slot, ...], ...] = ()
    adds: tuple[Add, ...] = ()

    @property
    def actions(self) -> tuple[Action, ...]:
        return (*((Lay(self.melds),) if self.melds else ()), *self.adds)


def way_out(progress: Progress) -> tuple[Action, ...] | None:
    """Actions that end the round for this player in this turn, the discard last; None when there is none.

    With one tile in the hand that only the player has seen, that tile is the one to discard and is left out.

    Raises:
        TooManyWays: after `MOST_STEPS` steps without an answer.
    """
    hand, unseen = progress.position.hand, progress.position.unseen
    if hand is None or unseen > 1 or progress.discarded is not None:
        return None
    if progress.rules.choice("melds.pairs") == "win":
        return None if unseen else _winning(progress, hand)
    search = _Search(progress, Formable(progress.position.deal))
    if unseen:
        plans = search.plans(Counter(hand), _Plan(progress.position.table))
        return next((plan.actions for plan in plans if _left(progress, plan.actions) == 1), None)
    for last in dict.fromkeys(hand):
        rest = Counter(hand)
        rest[last] -= 1
        for plan in search.plans(+rest, _Plan(progress.position.table)):
            actions = (*plan.actions, Discard(last))
            if _left(progress, actions) == 0:
                return actions
    return None


def _winning(progress: Progress, hand: tuple[Piece, ...]) -> tuple[Action, ...] | None:
    """A board that wins with the tile put on the indicator."""
    if len(hand) != progress.rules.number("deal.hand") + 1 or progress.position.deal.joker_tile is None:
        return None
    found = solver.winning_board(progress.position.deal, [Slot(piece) for piece in hand])
    return None if found is None or found[1] is None else (Win(found[1]),)


def _left(progress: Progress, actions: tuple[Action, ...]) -> int | None:
    """Tiles left in the hand after these actions; None when one of them is illegal."""
    for index, action in enumerate(actions):
        judged = judge_step(progress, action, actions[index + 1 :])
        if judged.verdict.ok is False:
            return None
        progress = judged.progress
    return progress.position.count


class _Search:
    """Depth first; the tile with the fewest ways to go is placed first, so that a hopeless one ends the branch."""

    def __init__(self, progress: Progress, formable: Formable) -> None:
        self.progress, self.formable, self.steps = progress, formable, 0
        rules = progress.rules
        opened = progress.position.opened is not Opened.NO
        self.may_add = opened if not progress.opened_now else rules.flag("layoff.opening_turn")
        self.may_add = self.may_add or (not opened and rules.flag("layoff.opening_turn"))

    def plans(self, rest: Counter[Piece], plan: _Plan) -> Iterator[_Plan]:
        """Every way to place the rest of the hand."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise TooManyWays
        if not rest:
            yield plan
            return
        for next_rest, next_plan in self._fewest(rest, plan):
            yield from self.plans(next_rest, next_plan)

    def _fewest(self, rest: Counter[Piece], plan: _Plan) -> list[tuple[Counter[Piece], _Plan]]:
        deal = self.progress.position.deal
        plain: list[Piece] = [piece for piece in rest if isinstance(piece, Tile) and not deal.is_wild(piece)]
        best: list[tuple[Counter[Piece], _Plan]] | None = None
        for piece in plain or list(rest):
            ways = list(self._ways(rest, plan, piece))
            if best is None or len(ways) < len(best):
                best = ways
            if not best:
                break
        return best or []

    def _ways(self, rest: Counter[Piece], plan: _Plan, piece: Piece) -> Iterator[tuple[Counter[Piece], _Plan]]:
        if isinstance(piece, Tile):
            for slots in self.formable.with_tile(rest, piece):
                yield rest - Counter(slot.piece for slot in slots), replace(plan, melds=(*plan.melds, slots))
        if self.may_add:
            yield from self._additions(rest, plan, piece)

    def _additions(self, rest: Counter[Piece], plan: _Plan, piece: Piece) -> Iterator[tuple[Counter[Piece], _Plan]]:
        """The piece added to a formation, after the tiles of the hand that lie between where it is a run."""
        for index, meld in enumerate(plan.table):
            for chain in self._chains(meld, piece):
                if Counter(slot.piece for slot in chain) - rest:
                    continue
                grown = self._added(plan, index, chain)
                if grown is not None:
                    yield rest - Counter(slot.piece for slot in chain), grown

    def _chains(self, meld: TableMeld, piece: Piece) -> Iterator[tuple[Slot, ...]]:
        """The piece alone, or behind the tiles that lead from the run's end to it."""
        if not isinstance(piece, Tile) or self.progress.position.deal.is_wild(piece):
            yield from ((Slot(piece, tile),) for tile in ALL_TILES if may_touch(meld, tile))
            return
        if may_touch(meld, piece):
            yield (Slot(piece, piece),)
        elif meld.kind is Kind.RUN:
            yield from _leading_to(meld, piece)

    def _added(self, plan: _Plan, index: int, chain: tuple[Slot, ...]) -> _Plan | None:
        deal, meld = self.progress.position.deal, plan.table[index]
        adds = plan.adds
        for slot in chain:
            grown, reasons, _ = grown_with(deal, meld, slot)
            if not is_fine(reasons):
                return None
            adds = (*adds, Add(slot, as_laid(deal, meld)))
            meld = grown
        return replace(plan, table=(*plan.table[:index], meld, *plan.table[index + 1 :]), adds=adds)


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
