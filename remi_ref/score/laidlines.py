"""Lines for what lies on the table: formations a player laid, tiles put on the table's."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from remi_ref.score.laid import end_aces, meld_worth, placed_worth
from remi_ref.tiles import Joker, format_tiles

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remi_ref.score.counting import Count
    from remi_ref.score.finished import Placed, Side
    from remi_ref.verdict import ScoreLine


def laid_lines(count: Count, side: Side) -> Iterator[ScoreLine]:
    """The formations a player laid himself; jokers and aces that the text does not price stand apart."""
    if side.laid is not None:
        yield count.line("score.laid_counted", side.laid, "score.method")
    elif not side.melds:
        yield count.line("score.laid_unknown", 0, "score.method")
    for meld in side.melds:
        worth = meld_worth(count.deal, meld)
        jokers = tuple(slot for slot in meld if isinstance(slot.piece, Joker))
        aces = [ace for ace in end_aces(count.deal, meld) if count.set_apart(ace.knob)]
        rest = Counter(slot.piece for slot in meld if not isinstance(slot.piece, Joker))
        rest -= Counter(ace.tile for ace in aces)
        points = worth.tiles - sum(ace.points for ace in aces)
        yield count.line("score.laid", points, "score.method", tiles=rest.elements())
        for ace in aces:
            yield count.line("score.laid_ace", ace.points, ace.knob, {"meld": format_tiles(meld)}, (ace.tile,))
        if jokers:
            white = any(isinstance(slot.piece, Joker) and slot.piece.white for slot in jokers)
            code = "score.laid_white" if white else "score.laid_joker"
            yield count.line(code, worth.jokers, "joker.table_value", tiles=meld)


def gained_lines(count: Count, side: Side) -> Iterator[ScoreLine]:
    """Tiles put on formations of the table: they count for who put them there, or for the formation's owner."""
    to_owner = count.deal.rules.choice("layoff.owner_of_points") == "owner"
    for row, other in enumerate(count.finished.sides):
        for index, placed in enumerate(other.placed):
            gains = count.first.owners[row, index] if to_owner else other.name
            if gains == side.name:
                yield _placed_line(count, placed, other, own=other.name == side.name)


def _placed_line(count: Count, placed: Placed, adder: Side, *, own: bool) -> ScoreLine:
    worth = placed_worth(count.deal, placed)
    code, knob = "score.added", "layoff.owner_of_points"
    if not own:
        code = "score.added_by_other"
    elif placed.for_joker:
        code, knob = "score.bought", "joker.recover"
    values: dict[str, int | str] = {"player": adder.name, "meld": format_tiles(placed.target)}
    return count.line(code, worth.tiles + worth.jokers, knob, values, (placed.tile,))
