"""Do these tiles make a full box: which are missing, which are too many?"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from remi_ref.rules.deal import box_of
from remi_ref.score.finished import plain
from remi_ref.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remi_ref.rules.ruleset import Ruleset
    from remi_ref.tiles import Piece, Slot


@dataclass(frozen=True, slots=True)
class BoxCount:
    """How a heap of tiles compares with the game's box.

    Attributes:
        missing: pieces the box should have besides, each as often as it lacks.
        extra: pieces there are too many of, likewise.
        total: how many tiles were given.
    """

    missing: tuple[Piece, ...]
    extra: tuple[Piece, ...]
    total: int
    verdict: Verdict


def count_box(rules: Ruleset, slots: Sequence[Slot]) -> BoxCount:
    """Compares tiles with the box of the game; a white joker is a joker."""
    box = box_of(rules)
    given = Counter(plain(slot.piece) for slot in slots)
    missing = tuple((box - given).elements())
    surplus = given - box
    strangers = sorted(set(surplus) - set(box), key=str)
    extra = tuple(piece for piece in (*box, *strangers) for _ in range(surplus[piece]))
    values = {"count": len(missing), "total": len(slots), "full": box.total()}
    reasons = (
        rules.reason("count.missing", not missing, knob="set.packs", values=values, tiles=missing),
        rules.reason("count.extra", not extra, knob="set.packs", values={**values, "count": len(extra)}, tiles=extra),
    )
    return BoxCount(missing, extra, len(slots), Verdict(reasons))
