"""Are there enough copies in the box? Every tile is counted that a turn shows, wherever it came from.

A tile that only moves (from the hand to the table, say) is counted once. A hand that is not known, or a tile that only
its owner saw, may hold anything, so a tile played out of it is one more that is known to exist.

Public interface:
    Seen.of(position)                   what is known to exist when the turn begins
    seen.after(action, before, judged)  the same after a step
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from remi_ref.errors import Unreadable
from remi_ref.play.actions import Add, Button, Discard, Draw, Lay, Show, Swap, TakeAtu, Win
from remi_ref.score.finished import plain
from remi_ref.tiles import Joker, Slot

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from remi_ref.play.actions import Action
    from remi_ref.play.position import Position
    from remi_ref.play.progress import Judged
    from remi_ref.rules.deal import Deal
    from remi_ref.tiles import Piece


@dataclass(frozen=True, slots=True)
class Seen:
    """The tiles that are known to exist.

    Attributes:
        deal: rules and turned tile; without the tile once it was taken, since it is among the others then.
        pieces: all of them, the turned tile left aside.
        held: those that the player is known to hold.
        hidden: how many of his tiles are not known; None when his hand is not.
        extra_jokers: what joker buttons may have added to the box.
    """

    deal: Deal
    pieces: tuple[Piece, ...]
    held: Counter[Piece]
    hidden: int | None
    extra_jokers: int

    @classmethod
    def of(cls, position: Position, elsewhere: Sequence[Piece] = ()) -> Seen:
        """What is known when the turn begins; ``elsewhere`` are pieces in other hands.

        Raises:
            Unreadable: the box cannot make it up; names the piece of which there are too many.
        """
        deal = position.deal if position.atu_there else replace(position.deal, turned=None)
        hand = position.hand or ()
        on_table = (slot.piece for meld in position.table for slot in meld.slots)
        others = len(position.others) if deal.rules.flag("joker.button") else 0  # each may have used his button
        seen = cls(
            deal,
            (*hand, *position.row, *on_table, *elsewhere),
            Counter(_in_box(deal, hand)),
            None if position.hand is None else position.unseen,
            others + position.button_used,
        )
        seen.check()
        return seen

    def after(self, action: Action, before: Position, judged: Judged) -> Seen:
        """What is known after a step.

        Raises:
            Unreadable: as in `of`, at the action.
        """
        seen = self._gaining(action, before, judged.progress.position)
        if isinstance(action, Lay | Add | Swap | Show | Discard | Win):
            stays = judged.verdict.ok is not False and not isinstance(action, Show)
            seen = seen.playing(_in_box(self.deal, _played(action)), stays=stays)
        if len(seen.pieces) == len(self.pieces):
            return seen  # nothing was shown that was not counted before
        try:
            seen.check()
        except Unreadable as error:
            raise error.at(action.where) from error
        return seen

    def check(self) -> None:
        """Refuses what the box cannot make up.

        Raises:
            Unreadable: names the piece of which there are too many.
        """
        self.deal.check_pieces(self.pieces, extra_jokers=self.extra_jokers)

    def _gaining(self, action: Action, before: Position, after: Position) -> Seen:
        """Tiles that come into the hand."""
        if isinstance(action, Draw):
            if action.tile is not None:
                return replace(self._holding([action.tile]), pieces=(*self.pieces, action.tile))
            return self if self.hidden is None else replace(self, hidden=self.hidden + 1)
        if isinstance(action, Button):
            jokers = self.extra_jokers + self.deal.rules.flag("joker.button")
            return replace(self._holding([Joker()]), pieces=(*self.pieces, Joker()), extra_jokers=jokers)
        gained = list(before.row[len(after.row) :])
        if before.table is not after.table:  # a joker taken back
            gained += (_on_table(before) - _on_table(after)).elements()
        if isinstance(action, TakeAtu) and before.atu_there and not after.atu_there:
            gained.append(action.tile)
        return self._holding(gained) if gained else self

    def _holding(self, pieces: Iterable[Piece]) -> Seen:
        return replace(self, held=self.held + Counter(_in_box(self.deal, pieces)))

    def playing(self, played: Counter[Piece], *, stays: bool) -> Seen:
        """Tiles shown out of the hand: those not known to be held were hidden there, as far as tiles were."""
        fresh = tuple((played - self.held).elements())[: self.hidden]
        hidden = None if self.hidden is None else self.hidden - len(fresh)
        held = self.held + Counter(fresh)
        return replace(self, pieces=(*self.pieces, *fresh), hidden=hidden, held=held - played if stays else held)


def _played(action: Lay | Add | Swap | Show | Discard | Win) -> tuple[Piece, ...]:
    if isinstance(action, Lay):
        return tuple(slot.piece for meld in action.melds for slot in meld)
    return (action.tile.piece if isinstance(action.tile, Slot) else action.tile,)


def _on_table(position: Position) -> Counter[Piece]:
    return Counter(slot.piece for meld in position.table for slot in meld.slots)


def _in_box(deal: Deal, pieces: Iterable[Piece]) -> Counter[Piece]:
    """The pieces as they lie in the box."""
    return Counter(plain(deal.as_in_box(piece)) for piece in pieces)
