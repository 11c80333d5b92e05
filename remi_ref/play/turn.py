"""Was this turn legal? Each step with all its reasons, then the turn as a whole, then the position after it.

Public interface:
    judge_turn(position, actions) -> TurnVerdict    the whole turn
    judge_step(progress, action, later) -> Judged   one step of it
    start(position) -> Progress                     the turn before its first step
    judge_add(deal, tile, meld, ...) -> Verdict     may this tile be laid off there?
    judge_swap(deal, tile, meld, ...) -> Verdict    may this tile take a joker's place there?
    judge_take(deal, tile, row, ...) -> Verdict     may this tile be taken from the discards?
The values are `position.Position` and the actions of `actions`; `turnfile` reads them from a
file. The rules themselves stand in `takings`, `laying`, `layoffs` and `discarding`, one room for each part of a turn.

A faulty lay, lay-off, swap or announcement is taken back, as the rulings say, and judging goes on without it. A tile
wrongly taken or put down stays where it was put, since the rest of the turn was played with it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from remi_ref.errors import Unreadable
from remi_ref.melds import judge_meld
from remi_ref.play import discarding, laying, layoffs, takings
from remi_ref.play.actions import NAMES, Add, Announce, Button, Discard, Draw, Lay, Show, Swap, Take, TakeAtu, Win
from remi_ref.play.copies import Seen
from remi_ref.play.position import Position, TableMeld
from remi_ref.play.progress import Judged, Progress
from remi_ref.score.finished import Opened
from remi_ref.tiles import Slot, format_tiles
from remi_ref.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from remi_ref.play.actions import Action
    from remi_ref.rules.deal import Deal
    from remi_ref.tiles import Piece


@dataclass(frozen=True, slots=True)
class Step:
    """One action with its verdict; ``name`` is its key in a turn file."""

    action: Action
    verdict: Verdict

    @property
    def name(self) -> str:
        """The action's key in a turn file."""
        return NAMES[type(self.action)]


@dataclass(frozen=True, slots=True)
class TurnVerdict:
    """A judged turn.

    Attributes:
        steps: each action with its reasons.
        whole: what only the whole turn shows: duties of a taken tile, the discard, a reminder.
        progress: the turn at its end; ``progress.position`` is the position after it.
    """

    steps: tuple[Step, ...]
    whole: Verdict
    progress: Progress

    @property
    def verdict(self) -> Verdict:
        """All reasons together."""
        parts = (*(step.verdict for step in self.steps), self.whole)
        ok = all(part.ok is not False for part in parts)
        readings = tuple(reading for part in parts for reading in part.open) if ok else ()
        return Verdict(tuple(reason for part in parts for reason in part.reasons), readings)

    @property
    def first_fault(self) -> int | None:
        """Index of the first illegal step; None when every step is legal, whatever the whole turn lacks."""
        return next((index for index, step in enumerate(self.steps) if step.verdict.ok is False), None)


def start(position: Position) -> Progress:
    """The turn before its first step."""
    return Progress(position, position)


def judge_turn(position: Position, actions: Sequence[Action], elsewhere: Sequence[Piece] = ()) -> TurnVerdict:
    """Judges a whole turn.

    Args:
        position: where it begins.
        actions: what was done.
        elsewhere: pieces that are known to be in other hands.

    Raises:
        Unreadable: the box cannot make up the tiles that are seen, or a false joker has no indicator.
    """
    seen = Seen.of(position, elsewhere)
    progress, steps = start(position), []
    for index, action in enumerate(actions):
        judged = judge_step(progress, action, actions[index + 1 :])
        seen = seen.after(action, progress.position, judged)
        progress = judged.progress
        steps.append(Step(action, judged.verdict))
    whole = Verdict((*takings.duties(progress), *discarding.ending(progress)))
    return TurnVerdict(tuple(steps), whole, progress)


def judge_step(progress: Progress, action: Action, later: Sequence[Action] = ()) -> Judged:
    """Judges one action where the turn stands; ``later`` are those that follow it."""
    if isinstance(action, Lay):
        return laying.lay(progress, action, [step for step in later if isinstance(step, Lay)])
    return _JUDGES[type(action)](progress, action)


_JUDGES: dict[type[Action], Callable[[Progress, Any], Judged]] = {
    Draw: takings.draw,
    Button: takings.button,
    Take: takings.take,
    TakeAtu: takings.take_atu,
    Add: layoffs.add,
    Swap: layoffs.swap,
    Show: discarding.show,
    Announce: discarding.announce,
    Discard: discarding.discard,
    Win: discarding.win,
}


def table_meld(deal: Deal, laid: Sequence[Slot], owner: str = "") -> TableMeld:
    """A formation that lies on the table.

    Raises:
        Unreadable: it is none.
    """
    readings = judge_meld(deal, laid).readings
    if not readings:
        raise Unreadable("turn.no_formation", meld=format_tiles(laid), rules=deal.rules.id)
    return TableMeld(readings, owner)


# --- short questions, answered by the same judge ---------------------------------------------------------------------


def judge_add(  # noqa: PLR0913 - what a player says when he asks
    deal: Deal,
    tile: Slot,
    meld: Sequence[Slot],
    *,
    opened: Opened = Opened.NO,
    opening_turn: bool = False,
    owner: str = "",
    player: str = "",
) -> Verdict:
    """May the tile be laid off on the formation?

    Args:
        deal: rules and turned tile.
        tile: what is added; a joker may be declared.
        meld: the formation on the table.
        opened: how the player has opened.
        opening_turn: he did so in this very turn.
        owner: who laid the formation; empty when that is not said.
        player: who asks; empty when that is not said.

    Raises:
        Unreadable: the formation is none, or there are too many copies of a tile.
    """
    progress = _asked(deal, table_meld(deal, meld, owner), player, opened, opening_turn=opening_turn)
    deal.check_box((*meld, tile))
    return layoffs.add(progress, Add(tile, tuple(meld))).verdict


def judge_swap(
    deal: Deal,
    tile: Slot,
    meld: Sequence[Slot],
    *,
    opened: Opened = Opened.NO,
    opening_turn: bool = False,
) -> Verdict:
    """May the tile take the joker's place in the formation? Arguments and errors as in `judge_add`."""
    progress = _asked(deal, table_meld(deal, meld), "", opened, opening_turn=opening_turn)
    deal.check_box((*meld, tile))
    return layoffs.swap(progress, Swap(tile, tuple(meld))).verdict


def judge_take(  # noqa: PLR0913 - what a player says when he asks
    deal: Deal,
    tile: Piece,
    row: Sequence[Piece],
    *,
    hand: Sequence[Piece] | None = None,
    opened: Opened = Opened.NO,
    from_top: int | None = None,
    turn: int = 2,
) -> Verdict:
    """May the tile be taken from the discards, and what must then be done with it?

    Args:
        deal: rules and turned tile.
        tile: the tile wanted.
        row: the discards, oldest first.
        hand: the player's tiles, when he tells them.
        opened: how he has opened.
        from_top: which of several such tiles, counted from the last discarded; None for the topmost.
        turn: his own turn in this round.
    """
    known = None if hand is None else tuple(hand)
    position = Position(deal, hand=known, row=tuple(row), opened=opened, turn=turn)
    Seen.of(position)
    judged = takings.take(start(position), Take(tile, from_top))
    return Verdict((*judged.verdict.reasons, *takings.duty_ahead(judged.progress)), judged.verdict.open)


def _asked(deal: Deal, meld: TableMeld, player: str, opened: Opened, *, opening_turn: bool) -> Progress:
    """A turn under way in which the formation lies on the table."""
    before = Position(deal, player, table=(meld,), opened=Opened.NO if opening_turn else opened)
    return Progress(replace(before, opened=opened), before, drew=True)
