"""One round being counted: its rules, every formation as it was first laid, and how a line is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from remi_ref.score.finished import Opened
from remi_ref.tiles import Tile
from remi_ref.verdict import Basis, ScoreLine

if TYPE_CHECKING:
    from collections.abc import Iterable

    from remi_ref.rules.deal import Deal
    from remi_ref.score.asfirstlaid import FirstLaid
    from remi_ref.score.finished import Round, Side
    from remi_ref.tiles import Piece, Slot


@dataclass(frozen=True, slots=True)
class Count:
    """What every part of the count needs to know.

    Attributes:
        deal: rules and turned tile.
        first: the round, told from its first formations on.
    """

    deal: Deal
    first: FirstLaid

    @property
    def finished(self) -> Round:
        """The round with every formation as it was first laid."""
        return self.first.round

    @property
    def method(self) -> str:
        """How this game counts a round."""
        return self.deal.rules.choice("score.method")

    def closes(self, side: Side) -> bool:
        """Whether this player closed."""
        return side.name == self.finished.closer

    def unopened(self, side: Side) -> bool:
        """Whether this player never opened; who closed has."""
        return side.opened is Opened.NO and not self.closes(side)

    def set_apart(self, knob: str) -> bool:
        """Whether what a tile counts is not the text's word, so that it needs a line and a citation of its own."""
        return self.deal.rules.cite("", knob).basis in {Basis.DEFAULT, Basis.HOUSE}

    def line(
        self,
        code: str,
        points: int,
        knob: str,
        values: dict[str, int | str] | None = None,
        tiles: Iterable[Slot | Piece] = (),
    ) -> ScoreLine:
        """One line, with the citation of its code under these rules."""
        return ScoreLine(code, points, self.deal.rules.cite(code, knob), values or {}, tuple(tiles))


def is_ace(piece: Piece) -> bool:
    """Whether a tile is a natural ace."""
    return isinstance(piece, Tile) and piece.number == 1
