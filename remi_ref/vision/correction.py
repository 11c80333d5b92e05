"""What one box teaches the reader's last layer: its figures, its jokers and its inks.

A correction is added to the chances that the network gives, from the features that it sees in a crop. It is fitted to
crops of the box and held near nothing, so that it turns only what the box shows again and again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from remi_ref.vision.chances import softmax

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    Array = NDArray[np.float32]
    Numbers = NDArray[np.floating[Any]]
    Labels = NDArray[np.int_]

CLASSES, COLOURS = slice(0, 17), slice(17, 21)
LOGITS, FEATURES = 21, 128  # of the rows that the reader answers with, the first and the last columns
SHAPE = (FEATURES + 1, LOGITS)
HELD = 0.2  # how firmly a correction is held near nothing
STEPS, RATE = 150, 0.01  # of the descent, and how wide each is
_MEMORY = (0.9, 0.999)  # of the slope and of its square, as is usual (Kingma and Ba, arXiv 1412.6980)


def corrected(rows: Array, correction: Array) -> Array:
    """The reader's rows (N, 154) with their logits corrected (129 x 21: features and a constant)."""
    rows = rows.copy()
    rows[:, :LOGITS] += rows[:, -FEATURES:] @ correction[:-1] + correction[-1]
    return rows


def fit_correction(rows: Array, classes: Labels, colours: Labels) -> Array:
    """The correction (129 x 21) for a box.

    Args:
        rows: what the reader says of crops of the box (N, 154).
        classes: what each shows, as a place among the classes.
        colours: of each, 0 to 3; -1 where it bears no number.
    """
    features = rows[:, -FEATURES:].astype(np.float64)
    usual = np.sqrt((features**2).mean(axis=0)) + 1e-3
    inputs = np.hstack([features / usual, np.ones((len(rows), 1))])
    weights = slope = square = np.zeros(SHAPE)
    for step in range(1, STEPS + 1):
        off = _off(rows[:, :LOGITS] + inputs @ weights, classes, colours)
        now = inputs.T @ off / len(rows) + HELD * weights
        slope = _MEMORY[0] * slope + (1 - _MEMORY[0]) * now
        square = _MEMORY[1] * square + (1 - _MEMORY[1]) * now**2
        pace = np.sqrt(square / (1 - _MEMORY[1] ** step)) + 1e-8
        weights = weights - RATE * slope / (1 - _MEMORY[0] ** step) / pace
    weights[:-1] /= usual[:, None]
    return weights.astype(np.float32)


def _off(logits: Numbers, classes: Labels, colours: Labels) -> Numbers:
    """How far the chances are from what the crops show."""
    off = np.hstack([softmax(logits[:, CLASSES]), softmax(logits[:, COLOURS])])
    off[np.arange(len(off)), classes] -= 1
    coloured = colours >= 0
    off[coloured, COLOURS.start + colours[coloured]] -= 1
    off[~coloured, COLOURS] = 0
    return off
