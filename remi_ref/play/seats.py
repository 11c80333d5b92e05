"""The table during a whole round: every player's seat, the formations, the row and the stock."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from remi_ref.errors import Unreadable
from remi_ref.play.heeding import everything_unsure
from remi_ref.play.played import Told
from remi_ref.play.position import Position, shown_opening
from remi_ref.rules.deal import box_of
from remi_ref.score.finished import Opened, Placed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remi_ref.play.played import PlayFile
    from remi_ref.play.position import TableMeld
    from remi_ref.rules.deal import Deal
    from remi_ref.tiles import Piece, Slot


@dataclass(frozen=True, slots=True)
class Seat:
    """One player during the round.

    Attributes:
        name: the player.
        hand: his tiles; None when they are not known.
        dealt: the tiles he began with; None when they are not known.
        unseen: tiles in the hand that only he has seen.
        opened: whether and how.
        turns: turns he has had.
        button_used: his joker button is spent.
        laid: formations as he laid them.
        placed: tiles he laid off or swapped for a joker.
        announced: he announced or showed the twin of the turned tile.
        drew_twin: the twin came to him after the deal.
        wrong_opens: openings that were taken back.
        wrong_closes: announcements of a win that were taken back.
    """

    name: str
    hand: tuple[Piece, ...] | None = None
    dealt: tuple[Piece, ...] | None = None
    unseen: int = 0
    opened: Opened = Opened.NO
    turns: int = 0
    button_used: bool = False
    laid: tuple[tuple[Slot, ...], ...] = ()
    placed: tuple[Placed, ...] = ()
    announced: bool = False
    drew_twin: bool = False
    wrong_opens: int = 0
    wrong_closes: int = 0


@dataclass(frozen=True, slots=True)
class Table:
    """Everything between two turns of a round.

    Attributes:
        deal: rules and turned tile.
        seats: in the order of play.
        starter: who was dealt the extra tile; empty when the round is told from later on.
        from_deal: the round is told from the deal, so that first turns are known.
        next_seat: whose turn it is; None before the first turn when nobody is known to start.
        melds: the formations.
        row: the discards, oldest first.
        stock: tiles left in it; None when that is not known.
        atu_there: the turned tile still lies beside the stock.
        previous: points of the last opening.
        previous_pairs: pairs of the last opening on pairs.
        closer: who went out.
        closing_tile: with what.
        in_hand: he closed from the hand.
        unsure: what nobody has told and play has not shown, by key of the file and player.
        faulty: a turn was not legal.
    """

    deal: Deal
    seats: tuple[Seat, ...]
    starter: str = ""
    from_deal: bool = True
    next_seat: int | None = None
    melds: tuple[TableMeld, ...] = ()
    row: tuple[Piece, ...] = ()
    stock: int | None = None
    atu_there: bool = True
    previous: int | None = None
    previous_pairs: int | None = None
    closer: str | None = None
    closing_tile: Piece | None = None
    in_hand: bool = False
    unsure: frozenset[tuple[str, str]] = frozenset()
    faulty: bool = False

    @property
    def over(self) -> bool:
        """Whether somebody went out or the stock is used up."""
        return self.closer is not None or self.stock == 0

    def index(self, name: str) -> int:
        """Where a player sits."""
        return next(index for index, seat in enumerate(self.seats) if seat.name == name)

    def held_by_others(self, seat: Seat) -> Iterator[Piece]:
        """What the other players are known to hold."""
        for other in self.seats:
            if other.name != seat.name:
                yield from other.hand or ()

    def position(self, seat: Seat) -> Position:
        """What lies where when that player is to move."""
        return Position(
            self.deal,
            player=seat.name,
            hand=seat.hand,
            unseen=seat.unseen,
            table=self.melds,
            row=self.row,
            opened=seat.opened,
            others=tuple((other.name, other.opened) for other in self.seats if other.name != seat.name),
            turn=seat.turns + 1,
            starter=seat.name == self.starter,
            atu_there=self.atu_there,
            button_used=seat.button_used,
            previous=self.previous,
            previous_pairs=self.previous_pairs,
        )


def beginning(play: PlayFile) -> Table:
    """The table before the first turn.

    Raises:
        Unreadable: the box cannot make it up, or the stock cannot be what the file says.
    """
    hands, opened = _first_hands(play), dict(play.opened)
    first = play.turns[0].told if play.turns else Told()
    from_deal = not (play.table or play.row or play.opened or _later_than_the_deal(first))
    melds, row = play.table or first.table or (), play.row or first.row or ()
    seats = tuple(
        Seat(
            name,
            hand=hands.get(name),
            dealt=hands.get(name) if from_deal else None,
            opened=opened.get(name, shown_opening(melds, name, play.deal.rules)),
            turns=0 if from_deal else 1,
            laid=tuple(meld.slots for meld in melds if meld.owner == name),
        )
        for name in play.players
    )
    starter = play.starter or (_dealt_more(seats) or play.turns[0].player if from_deal else "")
    table = Table(play.deal, seats, starter, from_deal, melds=melds, row=row)
    if not from_deal:
        table = replace(table, unsure=everything_unsure(play.players) - _told(play))
    if starter and from_deal:
        table = replace(table, next_seat=table.index(starter))
    table = replace(table, stock=_stock(table, play.stock))
    check_all(table)
    return table


def _first_hands(play: PlayFile) -> dict[str, tuple[Piece, ...]]:
    """The hands at the beginning: as told at the head, or by a player's first turn."""
    hands = dict(play.hands)
    seen: set[str] = set()
    for turn in play.turns:
        if turn.hand is not None and turn.player not in {*hands, *seen}:
            hands[turn.player] = turn.hand
        seen.add(turn.player)
    return hands


def _later_than_the_deal(first: Told) -> bool:
    """Whether the first turn that is told cannot be the first that was played."""
    openings = (first.opened, *(opened for _, opened in first.others))
    return bool(
        (first.turn or 1) > 1
        or first.starter is False
        or any(opened not in {None, Opened.NO} for opened in openings)
        or first.table
        or first.row
        or first.button_used
        or first.previous is not None
        or first.previous_pairs is not None
    )


def _told(play: PlayFile) -> frozenset[tuple[str, str]]:
    """What the head of a round told from a position settles."""
    of_the_table = {(key, "") for key in ("table", "row") if getattr(play, key)}
    starters = {("starter", name) for name in play.players if play.starter}
    return frozenset(of_the_table | starters | {("opened", name) for name, _ in play.opened})


def check_all(table: Table, drawn: tuple[Piece, ...] = ()) -> None:
    """Refuses a table that the box cannot make up.

    Raises:
        Unreadable: names the piece of which there are too many.
    """
    deal = table.deal if table.atu_there else replace(table.deal, turned=None)
    buttons = sum(seat.button_used for seat in table.seats)
    deal.check_pieces((*pieces_of_table(table), *drawn), extra_jokers=buttons)


def pieces_of_table(table: Table) -> Iterator[Piece]:
    """Every piece that is known to lie somewhere, the turned tile beside the stock left aside."""
    for seat in table.seats:
        yield from seat.hand or ()
    yield from table.row
    for meld in table.melds:
        yield from (slot.piece for slot in meld.slots)
    if table.closing_tile is not None and table.deal.rules.choice("melds.pairs") == "win":
        yield table.closing_tile  # it lies on the indicator


def tiles_in_box(table: Table) -> int:
    """How many tiles play: the whole box, less the turned tile where it lies beside the stock, and button jokers."""
    beside = table.atu_there and table.deal.turned is not None and table.deal.rules.choice("turned_tile") != "made"
    return box_of(table.deal.rules).total() - beside + sum(seat.button_used for seat in table.seats)


def _dealt_more(seats: tuple[Seat, ...]) -> str:
    """The one who holds more tiles than the others, when all hands are known."""
    counts = [len(seat.hand) for seat in seats if seat.hand is not None]
    most = [seat.name for seat in seats if seat.hand is not None and len(seat.hand) == max(counts)]
    return most[0] if len(counts) == len(seats) > 1 and len(most) == 1 else ""


def _stock(table: Table, said: int | None) -> int | None:
    """Tiles in the stock, reckoned from all hands where they are known."""
    if any(seat.hand is None for seat in table.seats):
        return said
    left = tiles_in_box(table) - sum(1 for _ in pieces_of_table(table))
    if said is not None and said != left:
        raise Unreadable("play.stock_differs", said=said, left=left)
    return left
