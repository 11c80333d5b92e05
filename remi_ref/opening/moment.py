"""When an opening is laid, and what it takes at that moment."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from remi_ref.tiles import Joker, Slot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remi_ref.rules.deal import Deal
    from remi_ref.tiles import Piece


class Moment(NamedTuple):
    """When and on top of what an opening is laid.

    Attributes:
        turn: the player's own turn in this round; 1 is the first.
        taken: the tile picked from the discards this turn.
        previous: points of the last opening at the table, for a rising threshold.
        previous_pairs: pairs of the last pairs opening, likewise.
        starter: the player was dealt the extra tile.
        already: points of own formations on the table, where a house lets an opening be paid in parts.
        already_run: a run is among them.
        already_aces: a set of aces is.
        already_pairs: own pairs on the table, likewise.
    """

    turn: int = 2
    taken: Piece | None = None
    previous: int | None = None
    previous_pairs: int | None = None
    starter: bool = False
    already: int = 0
    already_run: bool = False
    already_aces: bool = False
    already_pairs: int = 0


def points_needed(deal: Deal, moment: Moment) -> int:
    """The threshold in points; with a rising one, one more than the last opening."""
    base = deal.rules.limit("opening.points") or 0
    if deal.rules.flag("opening.rising") and moment.previous is not None:
        return max(base, moment.previous + 1)
    return base


def pairs_needed(deal: Deal, moment: Moment) -> int:
    """The threshold in pairs, counted apart from the points."""
    base = deal.rules.limit("opening.pairs_min") or 0
    if deal.rules.flag("opening.rising") and moment.previous_pairs is not None:
        return max(base, moment.previous_pairs + 1)
    return base


def turn_allows(deal: Deal, moment: Moment) -> bool:
    """Whether the player may open in that turn at all."""
    if moment.turn > 1:
        return True
    knob = "opening.starter_may_lay" if moment.starter else "opening.first_turn_allowed"
    return deal.rules.flag(knob)


def plain(piece: Piece) -> Piece:
    """The piece; a white joker is a joker."""
    return Joker() if isinstance(piece, Joker) else piece


def with_taken(hand: Sequence[Slot], taken: Piece | None) -> Sequence[Slot]:
    """The hand with the taken tile in it, once."""
    if taken is None or any(plain(slot.piece) == plain(taken) for slot in hand):
        return hand
    return (*hand, Slot(taken))
