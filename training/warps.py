"""Lower cameras: how an example is squeezed, and what becomes of a symbol's height and direction."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from training.data import Symbol

    Matrix = NDArray[np.float64]  # 2 x 3, from picture to example

LOWEST = 0.45  # a tile seen from low down is this share of its height


def squeezed(matrix: Matrix, side: int, rng: Generator) -> Matrix:
    """The map with a little shear, or with the flattening of a low camera in any direction, about the middle."""
    bend = np.eye(2)
    lot = rng.random()
    if lot < 0.45:
        bend += rng.normal(0, 0.06, (2, 2))
    elif lot < 0.75:
        turn, flat = rng.uniform(0, np.pi), np.exp(rng.uniform(np.log(LOWEST), 0))
        axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        bend = axes.T @ np.diag([flat, 1.0]) @ axes / np.sqrt(flat)
    middle = np.full(2, side / 2)
    return np.column_stack([bend @ matrix[:, :2], bend @ (matrix[:, 2] - middle) + middle])


def up_in(matrix: Matrix, symbol: Symbol) -> Matrix:
    """The way from the bottom of a symbol to its top, in pixels of the example (right, below)."""
    turn = np.radians(symbol.angle)
    return np.asarray(matrix[:, :2] @ (symbol.height * np.array([np.sin(turn), -np.cos(turn)])), np.float64)
