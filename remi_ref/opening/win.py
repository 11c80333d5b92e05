"""Remi pe tablă: is the board won, in which of the two shapes, and what does each other player lose?"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from remi_ref.errors import Unreadable
from remi_ref.melds import PAIR, Formation, Kind, Meld, false_joker_note, judge_meld
from remi_ref.solver import solver
from remi_ref.verdict import Outcome, Reason, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from remi_ref.rules.deal import Deal
    from remi_ref.tiles import Piece, Slot, Tile

MELDS = "melds"
PAIRS = "pairs"


@dataclass(frozen=True, slots=True)
class Win:
    """The verdict on an announced board.

    Attributes:
        joker: the tile that is the joker in this deal.
        kind: ``melds`` or ``pairs``; None when the board is not won.
        melds: as arranged, or one arrangement that wins.
        last: the tile put on the indicator, when it is known.
        losses: points each other player loses; 0 when the board is not won.
    """

    joker: Tile
    kind: str | None
    melds: tuple[Meld, ...]
    last: Piece | None
    losses: int
    verdict: Verdict


def judge_win(deal: Deal, groups: Sequence[Sequence[Slot]], last: Slot | None = None) -> Win:
    """Whether the tiles win: one group is loose tiles, several groups are the board as arranged.

    Raises:
        Unreadable: the game has no winning board, no indicator was named, or a piece is there too often.
    """
    if deal.rules.choice("melds.pairs") != "win":
        raise Unreadable("win.none", rules=deal.rules.id)
    joker = deal.joker_tile
    if joker is None:
        raise Unreadable("win.turned_wanted")
    groups, last = _last_set_apart(groups, last)
    slots = [slot for group in groups for slot in group]
    arranged = len(groups) > 1
    among = not arranged and len(slots) > deal.rules.number("deal.hand")  # the last tile is one of the fifteen
    deal.check_each([last] if last is not None else ())
    deal.check_box([*slots, last] if last is not None and not among else slots)
    return _judge_arranged(deal, joker, groups, last) if arranged else _judge_loose(deal, joker, groups[0], last)


def loss_of(deal: Deal, kind: str, last: Piece | None) -> tuple[str, int]:
    """The knob that prices a win, and the points each other player loses by it."""
    with_joker = last is not None and deal.is_wild(last)
    if kind == PAIRS:
        knob = "close.seven_pairs_joker" if with_joker else "close.seven_pairs"
    else:
        knob = "close.joker_loss" if with_joker else "close.loss"
    return knob, deal.rules.number(knob)


def _last_set_apart(
    groups: Sequence[Sequence[Slot]], last: Slot | None
) -> tuple[Sequence[Sequence[Slot]], Slot | None]:
    """A single tile set apart from the groups is the last one, unless another was named."""
    single = [group[0] for group in groups if len(group) == 1]
    if len(groups) > 1 and len(single) == 1 and (last is None or last.piece == single[0].piece):
        return [group for group in groups if len(group) > 1], single[0]
    return groups, last


def _judge_arranged(deal: Deal, joker: Tile, groups: Sequence[Sequence[Slot]], last: Slot | None) -> Win:
    formations = tuple(judge_meld(deal, group) for group in groups)
    pairs = sum(len(formation.laid) == PAIR for formation in formations)
    kind = PAIRS if pairs == len(formations) else MELDS
    reasons = [*_count(deal, sum(len(group) for group in groups), last), *_shape(deal, formations, pairs)]
    reasons += [reason for formation in formations for reason in formation.verdict.reasons]
    melds = tuple(formation.readings[0] for formation in formations if formation.readings)
    return _win(deal, joker, kind, melds, last.piece if last else None, reasons)


def _judge_loose(deal: Deal, joker: Tile, tiles: Sequence[Slot], last: Slot | None) -> Win:
    """Looks for an arrangement; a named last tile may stand among the fifteen or beside the fourteen."""
    size = deal.rules.number("deal.hand")
    board = [*tiles, last] if last is not None and len(tiles) == size else list(tiles)
    if last is not None and len(board) == size + 1:
        named = Counter(slot.piece for slot in board)[last.piece]
        if not named:
            raise Unreadable("win.last_not_there", tile=str(last))
    counted = [
        *_count(deal, len(board) - (1 if len(board) > size else 0), last, loose=len(board)),
        *false_joker_note(deal, board),
    ]
    if any(reason.outcome is Outcome.FAIL for reason in counted):
        return _win(deal, joker, MELDS, (), last.piece if last else None, counted)
    found = solver.winning_board(deal, board, last=last.piece if last else None)
    if found is None:
        fail = deal.rules.reason("win.arranged", outcome=False, tiles=tuple(board))
        return _win(deal, joker, MELDS, (), last.piece if last else None, [*counted, fail])
    packing, put_down = found
    kind = PAIRS if packing.melds[0].kind is Kind.PAIR else MELDS
    pairs = len(packing.melds) if kind == PAIRS else 0
    values = {"pairs": pairs, "others": len(packing.melds) - pairs}
    fine = [
        *counted,
        deal.rules.reason("win.one_shape", Outcome.PASS, values=values),
        deal.rules.reason("win.arranged", outcome=True, tiles=tuple(board)),
    ]
    if last is None and put_down is not None:
        fine.append(deal.rules.reason("win.last", Outcome.PASS, tiles=(put_down,)))
    return _win(deal, joker, kind, packing.melds, put_down, fine)


def _count(deal: Deal, arranged: int, last: Slot | None, loose: int | None = None) -> Iterator[Reason]:
    """Fourteen tiles in combinations, and the last one apart."""
    size = deal.rules.number("deal.hand")
    right = arranged == size and (loose is None or size <= loose <= size + 1)
    yield deal.rules.reason("win.count", right, values={"count": arranged, "needed": size})
    if last is not None:
        yield deal.rules.reason("win.last", Outcome.PASS, tiles=(last,))
    elif right and loose in {None, size}:
        yield deal.rules.reason("win.last_unnamed", Outcome.NOTE)


def _shape(deal: Deal, formations: tuple[Formation, ...], pairs: int) -> Iterator[Reason]:
    """All sets and runs, or all pairs; never both."""
    mixed = 0 < pairs < len(formations)
    yield deal.rules.reason("win.one_shape", not mixed, values={"pairs": pairs, "others": len(formations) - pairs})
    wrong = tuple(slot for formation in formations if not formation.readings for slot in formation.laid)
    tiles = wrong or tuple(slot for formation in formations for slot in formation.laid)
    yield deal.rules.reason("win.arranged", not wrong, tiles=tiles)


def _win(  # noqa: PLR0913, PLR0917 - the parts of an answer
    deal: Deal, joker: Tile, kind: str, melds: tuple[Meld, ...], last: Piece | None, reasons: list[Reason]
) -> Win:
    if any(reason.outcome is Outcome.FAIL for reason in reasons):
        return Win(joker, None, melds, last, 0, Verdict(tuple(reasons)))
    knob, loss = loss_of(deal, kind, last)
    code = {"close.loss": "win.loss", "close.joker_loss": "win.loss_joker"}.get(knob, "win.loss_pairs")
    reasons.append(deal.rules.reason(code, Outcome.NOTE, knob=knob, values={"losses": loss}))
    return Win(joker, kind, melds, last, loss, Verdict(tuple(reasons)))
