"""What may the player still do? Every answer is tried on the judge of turns before it is given.

Public interface:
    options(position, actions) -> Options    after the actions of a turn file, which may be none
`Options` holds actions of `play.actions`. Before the draw, what may be laid and added is told as if a tile had been
drawn from the stock that is not known yet.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from remi_ref.melds import stands_in
from remi_ref.play.actions import Add, Announce, Button, Discard, Draw, Lay, Show, Swap, Take, TakeAtu
from remi_ref.play.formable import Formable
from remi_ref.play.goingout import STEPS_FOR_TAKINGS, Budget, TooManyWays, way_out
from remi_ref.play.laying import moment_of
from remi_ref.play.layoffs import may_touch
from remi_ref.play.position import as_laid
from remi_ref.play.progress import has_table
from remi_ref.play.turn import judge_step, judge_turn
from remi_ref.score.finished import Opened
from remi_ref.solver import solver
from remi_ref.tiles import ALL_TILES, Slot, Tile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from remi_ref.play.actions import Action
    from remi_ref.play.position import Position
    from remi_ref.play.progress import Progress
    from remi_ref.tiles import Piece

A = TypeVar("A", bound="Action")


@dataclass(frozen=True, slots=True)
class Taking:
    """A tile that may be taken from the discards, with one use that meets the duty it brings; none where it is free.

    `first` is what makes room for that use, where something must.
    """

    take: Take
    along: tuple[Piece, ...]
    use: Action | None = None
    first: Action | None = None


@dataclass(frozen=True, slots=True)
class Options:
    """What the player may do next.

    Attributes:
        shows: the indicator's twin, where it may be shown.
        announcements: what may be said aloud now.
        draws: drawing from the stock, the joker button, the turned tile.
        takings: tiles of the discards that could also be used as they must be.
        openings: ways to open, the best by points and the best by pairs.
        lays: new formations, once the player has opened; with one joker at most.
        adds: tiles that may be laid off.
        swaps: jokers that may be recovered.
        discards: tiles that may be put down.
        out: one way to go out; None when there is none. It ends with the discard, unless that is a tile not known yet.
        undecided: the search for a way out was given up.
    """

    shows: tuple[Show, ...] = ()
    announcements: tuple[Announce, ...] = ()
    draws: tuple[Action, ...] = ()
    takings: tuple[Taking, ...] = ()
    openings: tuple[Lay, ...] = ()
    lays: tuple[Lay, ...] = ()
    adds: tuple[Add, ...] = ()
    swaps: tuple[Swap, ...] = ()
    discards: tuple[Discard, ...] = ()
    out: tuple[Action, ...] | None = None
    undecided: bool = False


def options(position: Position, actions: Sequence[Action] = ()) -> Options:
    """What the player may do after these actions.

    Raises:
        Unreadable: the box cannot make up the position.
    """
    progress = judge_turn(position, actions).progress
    drawing = not progress.drew and not progress.position.starts
    draws: list[Action] = [Draw()] if drawing else []
    if drawing and progress.rules.flag("joker.button"):
        draws.append(Button())
    if progress.position.deal.turned is not None and progress.rules.choice("take.atu") == "any-turn":
        draws.append(TakeAtu(progress.position.deal.turned))
    found = takings(progress) if drawing else []
    draws = list(_allowed(progress, draws))
    undrawn = progress
    if drawing:
        progress = judge_step(progress, Draw()).progress
    out, undecided = _out(progress, undrawn)
    if out and isinstance(out[0], TakeAtu) and out[0] not in draws:
        draws.append(out[0])  # it may be taken just to go out
    return Options(
        shows=tuple(shows(undrawn)),
        announcements=tuple(announcements(undrawn)),
        draws=tuple(draws),
        takings=tuple(found),
        openings=tuple(openings(progress)),
        lays=tuple(lays(progress)),
        adds=tuple(adds(progress)),
        swaps=tuple(swaps(progress)),
        discards=tuple(discards(progress)),
        out=out,
        undecided=undecided,
    )


def shows(progress: Progress) -> Iterator[Show]:
    """The twin of the indicator, while it may be shown; once is enough."""
    twin = progress.position.deal.turned
    if twin is not None and "atu" not in progress.announced:
        yield from _allowed(progress, [Show(twin)] if _is_shown(progress) else [])


def announcements(progress: Progress) -> Iterator[Announce]:
    """The atu and the last three tiles, where the table asks for a word, it would be true, and was not yet said."""
    rules, hand = progress.rules, progress.position.hand
    words = []
    if rules.choice("atu.announce") != "none" and not _is_shown(progress) and progress.position.deal.turned is not None:
        words.append("atu")
    if rules.limit("announce_at") is not None and hand is not None:
        words.append("three")
    yield from _allowed(progress, [Announce(word) for word in words if word not in progress.announced])


def _is_shown(progress: Progress) -> bool:
    """Whether the twin is laid on the turned tile for all to see, not only announced."""
    rules = progress.rules
    return rules.choice("atu.announce") == "first-lap" and rules.choice("turned_tile") == "indicator"


def openings(progress: Progress) -> Iterator[Lay]:
    """The best way to open by points and the best on pairs, where the player may open now."""
    hand, deal = progress.position.hand, progress.position.deal
    if hand is None or progress.position.opened is not Opened.NO or not has_table(progress):
        return
    keep = 1 if progress.rules.flag("close.must_discard") and not progress.position.unseen else 0
    taken = moment_of(progress).taken if progress.rules.choice("take.must_use") != "none" else None
    rack = [Slot(piece) for piece in hand]
    found: list[solver.Packing | None] = []
    if progress.rules.limit("opening.points") is not None:
        found.append(solver.best_opening(deal, rack, keep=keep, taken=taken))
    if progress.rules.limit("opening.pairs_min") is not None:
        found.append(solver.most_pairs(deal, rack, keep=keep, taken=taken))
    ways = [Lay(tuple(meld.slots for meld in way.melds)) for way in found if way is not None and way.melds]
    yield from _allowed(progress, ways)


def lays(progress: Progress) -> Iterator[Lay]:
    """Single new formations after the opening, none given twice."""
    hand = progress.position.hand
    if hand is None or progress.position.opened is Opened.NO or not has_table(progress):
        return
    formable, held = Formable(progress.position.deal), Counter(hand)
    found: dict[tuple[Slot, ...], None] = {}
    for piece in dict.fromkeys(hand):
        if isinstance(piece, Tile):
            found |= dict.fromkeys(formable.with_tile(held, piece, most_jokers=1))
    yield from _allowed(progress, [Lay((meld,)) for meld in found])


def adds(progress: Progress) -> Iterator[Add]:
    """Single tiles that fit a formation of the table."""
    deal = progress.position.deal
    tried: list[Add] = []
    for meld in progress.position.table:
        for piece in dict.fromkeys(progress.position.hand or ()):
            places = ALL_TILES if deal.is_wild(piece) else (piece,)
            tiles = [tile for tile in places if isinstance(tile, Tile) and may_touch(meld, tile)]
            tried += [Add(Slot(piece, tile), as_laid(deal, meld)) for tile in tiles]
    yield from _allowed(progress, tried)


def swaps(progress: Progress) -> Iterator[Swap]:
    """Tiles of the hand that take a joker's place."""
    deal = progress.position.deal
    with_jokers = [meld for meld in progress.position.table if any(map(stands_in, meld.slots))]
    held = [piece for piece in dict.fromkeys(progress.position.hand or ()) if isinstance(piece, Tile)]
    for meld in with_jokers:
        wanted = {slot.plays_as for reading in meld.readings for slot in reading.slots if stands_in(slot)}
        tried = [Swap(Slot(tile, tile), as_laid(deal, meld)) for tile in held if tile in wanted]
        yield from _allowed(progress, tried)


def discards(progress: Progress) -> Iterator[Discard]:
    """Tiles that may be put down now, whatever the turn still owes."""
    yield from _allowed(progress, [Discard(piece) for piece in dict.fromkeys(progress.position.hand or ())])


def _allowed(progress: Progress, tried: Iterable[A]) -> Iterator[A]:
    """Those of the actions that the judge lets pass."""
    return (action for action in tried if judge_step(progress, action).verdict.ok is not False)


def takings(progress: Progress) -> list[Taking]:
    """Every tile of the row that may be taken and then used."""
    row = progress.position.row
    found: list[Taking] = []
    for index, piece in enumerate(row):
        take = Take(piece, len(row) - index)
        judged = judge_step(progress, take)
        if judged.verdict.ok is False:
            continue
        along = row[index + 1 :]
        if progress.rules.choice("take.must_use") == "none" or progress.position.hand is None:
            found.append(Taking(take, along))
        elif use := next(_uses(judged.progress, piece), None):
            found.append(Taking(take, along, use))
        elif prepared := next(_prepared_uses(judged.progress, piece), None):
            found.append(Taking(take, along, *prepared))
    return found


def _uses(progress: Progress, piece: Piece) -> Iterator[Action]:
    """Actions that use the taken tile as it must be used."""
    if progress.position.opened is Opened.NO:
        yield from openings(progress)
        return
    yield from (lay for lay in lays(progress) if any(slot.piece == piece for slot in lay.melds[0]))
    if progress.rules.choice("take.must_use") == "formation":
        yield from (add for add in adds(progress) if add.tile.piece == piece)
        yield from (swap for swap in swaps(progress) if swap.tile.piece == piece)


def _prepared_uses(progress: Progress, piece: Piece) -> Iterator[tuple[Action, Action]]:
    """Uses that another action must make room for, each with that action."""
    if progress.position.opened is Opened.NO:
        return
    tried: list[Action] = [*adds(progress), *swaps(progress), *lays(progress)]
    for first in tried:
        for use in _uses(judge_step(progress, first).progress, piece):
            yield use, first


def _out(progress: Progress, undrawn: Progress) -> tuple[tuple[Action, ...] | None, bool]:
    """One way to go out, with a tile of the row or the turned tile where that helps; or a search given up."""
    starts: list[tuple[Progress, tuple[Action, ...], Budget]] = [(progress, (), Budget())]
    if undrawn is not progress:
        together = Budget(STEPS_FOR_TAKINGS)
        row = undrawn.position.row
        takes = [Take(piece, len(row) - index) for index, piece in enumerate(row)][::-1]
        tried = [(judge_step(undrawn, take), take) for take in takes]
        starts += [(judged.progress, (take,), together) for judged, take in tried if judged.verdict.ok is not False]
    turned = progress.position.deal.turned
    if turned is not None and progress.rules.choice("take.atu") != "never":
        atu = TakeAtu(turned)
        taken = [judge_step(start, atu) for start in (progress, undrawn)]
        starts += [(judged.progress, (atu,), Budget()) for judged in taken if judged.verdict.ok]
    undecided = False
    for start, before, budget in starts:
        try:
            found = way_out(start, budget)
        except TooManyWays:
            undecided = True
            continue
        if found is not None:
            return (*before, *found), False
    return None, undecided
