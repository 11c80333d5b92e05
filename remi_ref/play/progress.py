"""How far a turn has come: the position as it stands, and what the turn still owes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from remi_ref.play.position import Position, spend
from remi_ref.score.finished import Opened
from remi_ref.verdict import Outcome, Reason, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from remi_ref.rules.ruleset import Ruleset
    from remi_ref.score.finished import Placed
    from remi_ref.tiles import Piece, Slot


@dataclass(frozen=True, slots=True)
class Progress:
    """A turn under way.

    Attributes:
        position: as it stands.
        before: as it stood when the turn began.
        drew: a tile was drawn or taken from the discards.
        taken: the tile taken from the discards.
        taken_laid: it was laid in a new formation.
        taken_added: it was laid off, or swapped for a joker.
        atu: the turned tile was taken.
        atu_laid: it was laid in a new formation.
        pending: formations laid towards an opening that is not complete yet.
        laid: all formations laid in this turn.
        placed: tiles laid off or swapped for a joker in this turn.
        announced: what was announced.
        discarded: the tile put down.
        out: the hand is empty, or the board was won: the round is over.
    """

    position: Position
    before: Position
    drew: bool = False
    taken: Piece | None = None
    taken_laid: bool = False
    taken_added: bool = False
    atu: Piece | None = None
    atu_laid: bool = False
    pending: tuple[tuple[Slot, ...], ...] = ()
    laid: tuple[tuple[Slot, ...], ...] = ()
    placed: tuple[Placed, ...] = ()
    announced: tuple[str, ...] = ()
    discarded: Piece | None = None
    out: bool = False

    @property
    def rules(self) -> Ruleset:
        """The table's rules."""
        return self.position.deal.rules

    @property
    def opened_now(self) -> bool:
        """Whether the player's opening was laid in this turn."""
        return self.before.opened is Opened.NO and self.position.opened is not Opened.NO


@dataclass(frozen=True, slots=True)
class Judged:
    """A step with its verdict and the turn after it."""

    verdict: Verdict
    progress: Progress


def is_fine(reasons: Iterable[Reason]) -> bool:
    """Whether no condition fails."""
    return all(reason.outcome is not Outcome.FAIL for reason in reasons)


def in_order(progress: Progress) -> Iterator[Reason]:
    """A tile is taken before anything else is done, and nothing is done after the discard."""
    rules = progress.rules
    if progress.position.starts:
        yield rules.reason("turn.starter", Outcome.PASS)
    else:
        yield rules.reason("turn.draw_first", progress.drew or progress.atu is not None)
    yield from not_over(progress)


def not_over(progress: Progress) -> Iterator[Reason]:
    """Nothing is done after the discard."""
    yield progress.rules.reason("turn.after_discard", progress.discarded is None and not progress.out)


def from_hand(progress: Progress, pieces: Iterable[Piece]) -> tuple[Progress, tuple[Piece, ...], list[Reason]]:
    """Takes pieces out of the hand: the turn after it, the pieces as they lay there, and what was tested."""
    position, spent, lacking = spend(progress.position, pieces)
    if progress.position.hand is None:
        return progress, spent, []
    reasons = [progress.rules.reason("turn.held", not lacking, tiles=lacking or spent)]
    seen = progress.position.unseen - position.unseen
    if seen:
        unknown = tuple(piece for piece in spent if piece not in progress.position.hand)
        reasons.append(progress.rules.reason("turn.drawn_must_be", Outcome.NOTE, tiles=unknown))
    return replace(progress, position=position), spent, reasons


def keeps_one(progress: Progress) -> Iterator[Reason]:
    """After laying or adding a tile must be left to discard."""
    position, rules = progress.position, progress.rules
    if position.hand is not None:
        kept = bool(position.count) or not rules.flag("close.must_discard")
        yield rules.reason("close.keep_one", kept, knob="close.must_discard", tiles=position.hand)


def has_table(progress: Progress) -> bool:
    """Whether formations are laid on the table at all in this game."""
    rules = progress.rules
    return rules.limit("opening.points") is not None or rules.limit("opening.pairs_min") is not None


def no_table(progress: Progress) -> Judged:
    """The answer to laying, adding or swapping where every board stays hidden until it wins."""
    return Judged(Verdict((progress.rules.reason("turn.no_table", outcome=False),)), progress)
