"""The price of one piece: where runs and sets together want as many of it as are held."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remi_ref.solver.heap import LOST, POINT

if TYPE_CHECKING:
    from collections.abc import Sequence

DEAREST = 100 * POINT
"""No piece has a higher price, however badly it is wanted."""


def settled(price: int, held: int, wanted: list[tuple[int, int]], nets: list[int], counts: Sequence[int]) -> int:
    """The price at which runs and sets want as many pieces as are held; the middle where several are.

    Args:
        price: the one so far, which ``nets`` hold; they are changed to hold the new one.
        held: pieces there are.
        wanted: how many pieces the runs may take, with what that is worth before it is paid.
        nets: of the choices of sets.
        counts: pieces that each choice takes.
    """
    by_runs, by_sets = [-LOST] * (held + 1), [-LOST] * (held + 1)
    for count, worth in wanted or [(0, 0)]:
        if worth > by_runs[count]:  # noqa: PLR1730 - a call of max() would take longer than all the rest
            by_runs[count] = worth
    for net, count in zip(nets, counts, strict=True):
        if net > by_sets[count]:  # noqa: PLR1730 - as above
            by_sets[count] = net
    by_sets = [net + count * price for count, net in enumerate(by_sets)]
    gains = sorted([*_falling(by_runs), *_falling(by_sets), *[0] * (held + 1)], reverse=True)
    new = (min(gains[held - 1], DEAREST) + min(gains[held], DEAREST)) // 2
    change = new - price
    if change:
        nets[:] = [net - count * change for net, count in zip(nets, counts, strict=True)]
    return new


def _falling(worths: list[int]) -> list[int]:
    """What each further piece adds, evened out so that no piece adds more than the one before it."""
    if len(worths) == 2:
        return [worths[1] - worths[0]]
    if len(worths) == 3:
        none, one, two = worths
        return [one - none, two - one] if two - one <= one - none else [(two - none) // 2] * 2
    falling: list[int] = []
    at, top = 0, len(worths) - 1
    while at < top:
        gain, to = max(((worths[to] - worths[at]) // (to - at), to) for to in range(at + 1, top + 1))
        falling += [gain] * (to - at)
        at = to
    return falling
