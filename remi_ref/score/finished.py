"""A finished round as a value: who closed and with what, what each player laid and what each still holds.

A table is written down either as every formation was first laid or as it lies at the end; `as_laid` brings both to the
first form, so that an added tile counts once and a joker that was bought back still counts for its first owner.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from remi_ref.tiles import Joker, Piece, Slot

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Laid = tuple[Slot, ...]


class Opened(StrEnum):
    """Whether a player has opened, and on what."""

    NO = "no"
    MELDS = "melds"
    PAIRS = "pairs"


class Twin(StrEnum):
    """What a player did with the twin of the turned tile: held it from the deal, announced it, or drew it later."""

    HELD = "held"
    ANNOUNCED = "announced"
    DRAWN = "drawn"


@dataclass(frozen=True, slots=True)
class Placed:
    """A tile put on a formation that already lay there.

    Attributes:
        tile: the tile.
        target: the formation as it was just before.
        for_joker: the tile took a joker's place there; otherwise it was added.
    """

    tile: Slot
    target: Laid
    for_joker: bool = False

    @property
    def result(self) -> Laid:
        """The formation with the tile in it."""
        if not self.for_joker:
            return (*self.target, self.tile)
        jokers = [index for index, slot in enumerate(self.target) if isinstance(slot.piece, Joker)]
        declared = [index for index in jokers if self.target[index].plays_as == self.tile.piece]
        index = (declared or jokers)[0]
        return (*self.target[:index], self.tile, *self.target[index + 1 :])


@dataclass(frozen=True, slots=True)
class Side:
    """One player's side of a finished round.

    Attributes:
        name: the player.
        opened: whether and on what he opened.
        melds: the formations he laid; in remi pe tablă the winner's board.
        laid: points of all he laid, counted at the table; None when `melds` speak for themselves.
        added: tiles he added to formations on the table.
        bought: tiles he gave for a joker on the table.
        hand: tiles left, or their points counted at the table; None when it is not known.
        twin: what he did with the twin of the turned tile.
        wrong_opens: how many times he laid a wrong opening.
        wrong_closes: how many times he announced a wrong close.
    """

    name: str
    opened: Opened = Opened.NO
    melds: tuple[Laid, ...] = ()
    laid: int | None = None
    added: tuple[Placed, ...] = ()
    bought: tuple[Placed, ...] = ()
    hand: Laid | int | None = None
    twin: Twin | None = None
    wrong_opens: int = 0
    wrong_closes: int = 0

    @property
    def placed(self) -> tuple[Placed, ...]:
        """All tiles he put on formations that lay on the table."""
        return (*self.added, *self.bought)


@dataclass(frozen=True, slots=True)
class Round:
    """A finished round.

    Attributes:
        sides: the players, in table order.
        closer: who closed; None when the stock ran out.
        closing_tile: the last tile put down, when it is known.
        in_hand: the closer laid everything and closed in one turn while nobody had opened.
        win: ``melds`` or ``pairs``: the winning board's shape where its tiles are not given (remi pe tablă).
    """

    sides: tuple[Side, ...]
    closer: str | None = None
    closing_tile: Piece | None = None
    in_hand: bool = False
    win: str | None = None

    def side(self, name: str) -> Side:
        """The side of a player of this round."""
        return next(side for side in self.sides if side.name == name)


def as_laid(finished: Round) -> Round:
    """The same round with every formation as its owner first laid it."""
    rows = [list(side.melds) for side in finished.sides]
    pending = [placed for side in finished.sides for placed in side.placed]
    while found := _grown(rows, pending):
        placed, row, column = found
        rows[row][column] = placed.target
        pending.remove(placed)
    sides = zip(finished.sides, rows, strict=True)
    return replace(finished, sides=tuple(replace(side, melds=tuple(melds)) for side, melds in sides))


def owners(finished: Round) -> dict[frozenset[tuple[Piece, int]], str]:
    """Who laid each formation of the table, also as it grew; looked up by `pieces_of`."""
    found = {pieces_of(meld): side.name for side in as_laid(finished).sides for meld in side.melds}
    pending = [placed for side in finished.sides for placed in side.placed]
    while ready := [placed for placed in pending if pieces_of(placed.target) in found]:
        for placed in ready:
            found.setdefault(pieces_of(placed.result), found[pieces_of(placed.target)])
            pending.remove(placed)
    return found


def pieces_of(slots: Sequence[Slot]) -> frozenset[tuple[Piece, int]]:
    """What a formation consists of, whatever its order and whatever its jokers stand for."""
    return frozenset(Counter(plain(slot.piece) for slot in slots).items())


def plain(piece: Piece) -> Piece:
    """The piece as it lies in the box: a white joker is a joker."""
    return Joker() if isinstance(piece, Joker) else piece


def pieces_seen(finished: Round) -> Iterator[Slot]:
    """Every tile the round mentions, each once, save that a bought joker is seen at both its places.

    A formation named only as the target of an added tile lies on the table, too.
    """
    laid = as_laid(finished)
    known = owners(finished)
    placed = [placed for side in laid.sides for placed in side.placed]
    for side in laid.sides:
        yield from (slot for meld in side.melds for slot in meld)
        yield from side.hand if isinstance(side.hand, tuple) else ()
    yield from (move.tile for move in placed)
    elsewhere: Counter[Piece] = Counter()
    for move in placed:
        if pieces_of(move.target) not in known:
            elsewhere |= Counter(plain(slot.piece) for slot in move.target)
    elsewhere -= Counter(plain(move.tile.piece) for move in placed)
    yield from (Slot(piece) for piece in elsewhere.elements())
    if laid.closing_tile is not None:
        yield Slot(laid.closing_tile)


def _grown(rows: list[list[Laid]], pending: list[Placed]) -> tuple[Placed, int, int] | None:
    """A tile that already lies in a formation as written, and where; that formation was first laid without it."""
    keys = [[pieces_of(meld) for meld in row] for row in rows]
    for placed in pending:
        if any(pieces_of(placed.target) in row for row in keys):
            continue
        result = pieces_of(placed.result)
        for index, row in enumerate(keys):
            if result in row:
                return placed, index, row.index(result)
    return None
