"""A position: a player's hand, the table with the owners of its formations, the row of discards, who has opened."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from remi_ref.melds import Kind, read_meld
from remi_ref.score.finished import Opened, plain
from remi_ref.tiles import Joker, Slot, Tile, format_tiles

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from remi_ref.melds import Meld
    from remi_ref.rules.deal import Deal
    from remi_ref.rules.ruleset import Ruleset
    from remi_ref.tiles import Piece


@dataclass(frozen=True, slots=True)
class TableMeld:
    """A formation on the table.

    Attributes:
        readings: every way it may still be read; jokers keep their place in each.
        owner: who laid it; empty when that is not known.
    """

    readings: tuple[Meld, ...]
    owner: str = ""

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The pieces as they lie, in the first reading."""
        return self.readings[0].slots

    @property
    def kind(self) -> Kind:
        """Run, set or pair."""
        return self.readings[0].kind


@dataclass(frozen=True, slots=True)
class Position:
    """What lies where when a player is to move.

    Attributes:
        deal: rules and turned tile.
        player: whose turn it is.
        hand: his tiles; None when they are not known, then possession is not checked.
        unseen: tiles in his hand that only he has seen (drawn from the stock).
        table: all formations.
        row: the discards, oldest first.
        opened: whether and how he has opened.
        others: the same of the other players.
        turn: his own turn in this round; 1 is the first.
        starter: he was dealt the extra tile.
        atu_there: the turned tile still lies beside the stock.
        button_used: his joker button is spent.
        previous: points of the last opening at the table, for a rising threshold.
        previous_pairs: pairs of the last opening on pairs, likewise.
    """

    deal: Deal
    player: str = ""
    hand: tuple[Piece, ...] | None = None
    unseen: int = 0
    table: tuple[TableMeld, ...] = ()
    row: tuple[Piece, ...] = ()
    opened: Opened = Opened.NO
    others: tuple[tuple[str, Opened], ...] = ()
    turn: int = 2
    starter: bool = False
    atu_there: bool = True
    button_used: bool = False
    previous: int | None = None
    previous_pairs: int | None = None

    @property
    def count(self) -> int | None:
        """Tiles in the hand; None when the hand is not known."""
        return None if self.hand is None else len(self.hand) + self.unseen

    @property
    def starts(self) -> bool:
        """Whether this is the starter's first turn, in which he does not draw."""
        return self.starter and self.turn == 1


def shown_opening(table: Sequence[TableMeld], player: str, rules: Ruleset) -> Opened:
    """How a player has opened, by his formations on the table; no where he has none or may lay them in parts."""
    own = [meld for meld in table if player and meld.owner == player]
    if not own or not rules.flag("opening.single_turn"):
        return Opened.NO
    return Opened.PAIRS if all(meld.kind is Kind.PAIR for meld in own) else Opened.MELDS


def with_tiles(position: Position, pieces: Iterable[Piece]) -> Position:
    """The position with more tiles in the hand."""
    return position if position.hand is None else replace(position, hand=(*position.hand, *pieces))


def spend(position: Position, pieces: Iterable[Piece]) -> tuple[Position, tuple[Piece, ...], tuple[Piece, ...]]:
    """Takes pieces out of the hand.

    A joker may be written ``J`` for a white one. A tile that is not among the known ones is taken to be one of those
    that only the player has seen, as long as there are any.

    Returns:
        The position after; the pieces as they lay in the hand; those that were not there.
    """
    if position.hand is None:
        return position, tuple(pieces), ()
    hand, unseen = list(position.hand), position.unseen
    spent: list[Piece] = []
    lacking: list[Piece] = []
    for piece in pieces:
        found = next((held for held in _as_held(piece) if held in hand), None)
        if found is not None:
            hand.remove(found)
        elif unseen:
            unseen -= 1
        else:
            lacking.append(piece)
            continue
        spent.append(found or piece)
    return replace(position, hand=tuple(hand), unseen=unseen), tuple(spent), tuple(lacking)


def _as_held(piece: Piece) -> tuple[Piece, ...]:
    return (piece, Joker(white=not piece.white)) if isinstance(piece, Joker) else (piece,)


def find(position: Position, slots: Sequence[Slot]) -> int | None:
    """Where on the table the named formation lies; the player's own one when two are alike; None when it does not."""
    fits = [index for index, meld in enumerate(position.table) if _is_named(position.deal, meld, slots)]
    return min(fits, key=lambda index: position.table[index].owner != position.player) if fits else None


def declared_otherwise(position: Position, slots: Sequence[Slot]) -> TableMeld | None:
    """The formation of the same pieces that lies there with a joker declared as another tile than it is named."""
    same = (meld for meld in position.table if _pieces_of(slots) == _pieces_of(meld.slots))
    return next((meld for meld in same if not _is_named(position.deal, meld, slots)), None)


def as_named(deal: Deal, meld: TableMeld, slots: Sequence[Slot]) -> TableMeld:
    """The formation with the readings in which its jokers stand as the name declares them."""
    declared = _declared(deal, slots)
    fits = tuple(reading for reading in meld.readings if declared <= {slot.plays_as for slot in reading.slots})
    return replace(meld, readings=fits)


def _is_named(deal: Deal, meld: TableMeld, slots: Sequence[Slot]) -> bool:
    """Whether the name holds the same pieces, in any order, and no joker declared otherwise than it lies."""
    same = len(slots) == len(meld.slots) and _pieces_of(slots) == _pieces_of(meld.slots)
    return same and bool(as_named(deal, meld, slots).readings)


def _pieces_of(slots: Sequence[Slot]) -> Counter[Piece]:
    """What a formation consists of, whatever its order and whatever its jokers stand for."""
    return Counter(plain(slot.piece) for slot in slots)


def _declared(deal: Deal, slots: Sequence[Slot]) -> set[Tile | None]:
    return {slot.plays_as for slot in slots if deal.is_wild(slot.piece) and slot.plays_as is not None}


def replaced(position: Position, index: int, meld: TableMeld) -> Position:
    """The position with one formation of the table changed."""
    return replace(position, table=(*position.table[:index], meld, *position.table[index + 1 :]))


def as_laid(deal: Deal, meld: TableMeld) -> tuple[Slot, ...]:
    """The formation as it is written: jokers bare where their place says enough, declared where it does not."""
    bare = tuple(Slot(slot.piece, slot.piece if isinstance(slot.piece, Tile) else None) for slot in meld.slots)
    if deal.joker_tile is None and set(read_meld(deal, bare)) == set(meld.readings):
        return bare
    return meld.slots if len(meld.readings) == 1 else bare


def meld_text(deal: Deal, meld: TableMeld) -> str:
    """`as_laid` in notation."""
    return format_tiles(as_laid(deal, meld))
