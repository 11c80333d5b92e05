"""Scores as chances that add up to one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray


def softmax(scores: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
    """Chances from scores, along their last axis."""
    odds = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=-1, keepdims=True), np.float32)
