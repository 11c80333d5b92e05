"""The running totals of a match as a picture, and as a plain chart for the terminal."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from remi_ref.errors import Unreadable
from remi_ref.match.disk import put_file

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

KINDS = (".png", ".svg")
_HEIGHT = 11
_MARKS = "ox+*#@"
_SHARED = "&"  # where several players stand alike


def plot(running: Sequence[Mapping[str, int]], path: Path, axes: tuple[str, str]) -> None:
    """Draws the totals into a picture file.

    Args:
        running: every player's total before the first round and after each.
        path: the picture, ``.png`` or ``.svg``.
        axes: what stands at the axes: the rounds, the totals.

    Raises:
        Unreadable: another kind of picture, Matplotlib is not installed, or the file cannot be written.
    """
    if path.suffix.lower() not in KINDS:
        raise Unreadable("match.plot_kind", name=path.name)
    try:
        from matplotlib.figure import Figure
        from matplotlib.ticker import MaxNLocator
    except ImportError as error:
        raise Unreadable("match.plot_missing") from error
    figure = Figure(figsize=(8, 5), layout="constrained")
    axis = figure.subplots()
    # Equal totals lie on each other: later lines are thinner, so that the ones below still show.
    for index, player in enumerate(running[0]):
        line = [totals[player] for totals in running]
        size = 2 * (len(running[0]) - index)
        axis.plot(range(len(running)), line, marker="o", markersize=2 + size, linewidth=1 + 0.7 * size, label=player)
    axis.axhline(0, color="0.7", linewidth=0.8, zorder=0)
    axis.set_xlabel(axes[0])
    axis.set_ylabel(axes[1])
    axis.xaxis.set_major_locator(MaxNLocator(integer=True))
    axis.yaxis.set_major_locator(MaxNLocator(integer=True))
    axis.grid(visible=True, alpha=0.3)
    figure.legend(loc="outside right upper")
    picture = io.BytesIO()
    figure.savefig(picture, dpi=120, format=path.suffix[1:].lower())
    put_file(path, picture.getvalue())


def text_chart(running: Sequence[Mapping[str, int]], width: int) -> tuple[str, ...]:
    """The same in lines of text: totals upwards, rounds to the right, a sign for each player.

    Args:
        running: every player's total before the first round and after each.
        width: columns it may take; where they are too few for all rounds, the latest are shown.
    """
    every = [total for totals in running for total in totals.values()]
    low, high = min(every), max(every)
    margin = max(len(str(low)), len(str(high)))
    step = 3
    shown = running[-max((width - margin - 3) // step, 1) :]
    first = len(running) - len(shown)
    grid = [[" "] * (step * len(shown)) for _ in range(_HEIGHT)]
    marks = dict(zip(running[0], _MARKS, strict=False))
    for column, totals in enumerate(shown):
        for player, total in totals.items():
            row = _row(total, low, high)
            taken = grid[row][column * step + 1]
            grid[row][column * step + 1] = marks[player] if taken == " " else _SHARED
    labels = {_row(value, low, high): str(value) for value in (0, low, high) if low <= value <= high}
    lines = [f"{labels.get(row, ''):>{margin}} |{''.join(cells)}".rstrip() for row, cells in enumerate(grid)]
    numbers = "".join(f"{number:^{step}}" for number in range(first, len(running)))
    legend = "  ".join(f"{mark} {player}" for player, mark in marks.items())
    return (*lines, f"{'':>{margin}} +{'-' * step * len(shown)}", f"{'':>{margin}}  {numbers}".rstrip(), legend)


def _row(total: int, low: int, high: int) -> int:
    """The line of a total, from the top."""
    return (high - total) * (_HEIGHT - 1) // ((high - low) or 1)
