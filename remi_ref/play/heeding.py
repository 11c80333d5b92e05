"""What a turn of a round tells of the table before it: held against the play so far, used where play cannot know it.

Public interface: ``heed(table, seat, told) -> Table``.
A round told from a position leaves much unknown: whose turn it is for the how-manieth time, who has opened, what lies
on the table. `Table.unsure` lists it; a turn that tells it settles it. After a turn that was not legal the players may
have gone on with another table than the referee, so from then on their word counts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from remi_ref.play.fields import differs
from remi_ref.play.position import meld_text
from remi_ref.score.finished import plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from remi_ref.play.played import Told
    from remi_ref.play.position import TableMeld
    from remi_ref.play.seats import Seat, Table
    from remi_ref.rules.deal import Deal
    from remi_ref.score.finished import Opened
    from remi_ref.tiles import Piece, Slot


@dataclass(frozen=True, slots=True)
class _Fact:
    """One thing that may be told.

    Attributes:
        key: its key in the file.
        whose: the player it speaks of; empty where it speaks of the table.
        said: what the file says; None when it says nothing.
        known: what the play so far says.
        put: the table by what the file says.
    """

    key: str
    whose: str
    said: int | str | None
    known: int | str | None
    put: Callable[[Table], Table]


def heed(table: Table, seat: Seat, told: Told) -> Table:
    """The table as the turn tells it.

    Raises:
        Unreadable: it contradicts the play so far; with what play leaves.
    """
    for fact in _facts(table, seat, told):
        if fact.said is None:
            continue
        if fact.said != fact.known:
            if (fact.key, fact.whose) not in table.unsure and not table.faulty:
                of_another = fact.whose not in {"", seat.name}
                key = f"others: {fact.whose}" if of_another else fact.key
                known = _text(fact.known) if fact.known is not None else ""
                raise differs(key, _text(fact.said), known, told.places["others" if of_another else fact.key])
            table = fact.put(table)
        settled = {(fact.key, fact.whose)}
        if told.starter and fact.key == "starter":
            settled = {(key, whose) for key, whose in table.unsure if key == "starter"}  # there is but one
        table = replace(table, unsure=table.unsure - settled)
    return table


def everything_unsure(names: Sequence[str]) -> frozenset[tuple[str, str]]:
    """All that a round told from a position may leave unknown, by key and player."""
    of_players = {(key, name) for key in ("turn", "starter", "opened", "button-used") for name in names}
    return frozenset(of_players | {(key, "") for key in ("previous", "previous-pairs", "table", "row")})


def _facts(table: Table, seat: Seat, told: Told) -> Iterator[_Fact]:
    name, turns = seat.name, None if told.turn is None else told.turn - 1
    starter = name if told.starter else ""
    yield _Fact("turn", name, told.turn, seat.turns + 1, lambda table: _with_seat(table, name, turns=turns))
    starts = seat.name == table.starter
    yield _Fact("starter", name, told.starter, starts, lambda table: replace(table, starter=starter))
    used = told.button_used
    yield _Fact("button-used", name, used, seat.button_used, lambda table: _with_seat(table, name, button_used=used))
    for player, opened in (*([] if told.opened is None else [(name, told.opened)]), *told.others):
        yield _opened(table, player, opened)
    yield _Fact("previous", "", told.previous, table.previous, lambda table: replace(table, previous=told.previous))
    yield _Fact(
        "previous-pairs",
        "",
        told.previous_pairs,
        table.previous_pairs,
        lambda table: replace(table, previous_pairs=told.previous_pairs),
    )
    if told.table is not None:
        yield _melds(table, told.table)
    if told.row is not None:
        yield _row(table, told.row)


def _opened(table: Table, name: str, opened: Opened) -> _Fact:
    known = table.seats[table.index(name)].opened
    return _Fact("opened", name, opened, known, lambda table: _with_seat(table, name, opened=opened))


def _melds(table: Table, melds: tuple[TableMeld, ...]) -> _Fact:
    said, known = _melds_text(table.deal, melds), _melds_text(table.deal, table.melds)
    same = _same_melds(melds, table.melds)
    return _Fact("table", "", said, said if same else known, lambda table: replace(table, melds=melds))


def _row(table: Table, row: tuple[Piece, ...]) -> _Fact:
    said, known = (" ".join(str(plain(piece)) for piece in pieces) for pieces in (row, table.row))
    return _Fact("row", "", said, known, lambda table: replace(table, row=row))


def _with_seat(table: Table, name: str, **told: Any) -> Table:  # noqa: ANN401 - as the seat's attributes are
    """The table with something of one seat changed."""
    seats = (replace(seat, **told) if seat.name == name else seat for seat in table.seats)
    return replace(table, seats=tuple(seats))


def _text(value: int | str) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _melds_text(deal: Deal, melds: Sequence[TableMeld]) -> str:
    return " | ".join(f"{meld.owner} {meld_text(deal, meld)}".strip() for meld in melds)


def _same_melds(told: Sequence[TableMeld], known: Sequence[TableMeld]) -> bool:
    """Whether the same formations lie there, in any order; owners may be left out, jokers be left undeclared."""
    left = list(known)
    for meld in told:
        fits = next((other for other in left if _same_meld(meld, other)), None)
        if fits is None:
            return False
        left.remove(fits)
    return not left


def _same_meld(told: TableMeld, known: TableMeld) -> bool:
    if told.owner and known.owner and told.owner != known.owner:
        return False
    return bool({_plain(m.slots) for m in told.readings} & {_plain(m.slots) for m in known.readings})


def _plain(slots: Sequence[Slot]) -> tuple[tuple[Piece, Piece | None], ...]:
    return tuple((plain(slot.piece), slot.plays_as) for slot in slots)
