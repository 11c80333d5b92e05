"""Decoys: places of rendered scenes that a finder takes for printed symbols and that are none.

Letters, checks of a cloth and figures of a rug are told from tiles only by those who have met them. After each course
the scenes are searched with its finder, and the next course learns from what was found in vain.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from remi_ref.vision.find import find
from training.data import load_scene

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from remi_ref.vision.find import Found
    from remi_ref.vision.nets import Net
    from training.data import Sample

MOST = 12  # of one scene, the hottest
APART = 0.9  # symbol heights from the nearest symbol


def mark_decoys(scenes: Iterable[Path], finder: Net) -> None:
    """Writes what the finder finds in vain beside the truth of each scene (JSON): place, height, angle."""
    for path in scenes:
        sample = load_scene(path)
        vain = [one for one in find(finder, sample.levels) if _far(one, sample)]
        hottest = sorted(vain, key=lambda one: -one.heat)[:MOST]
        entry = json.loads(path.read_text())
        entry["decoys"] = [(one.centre, one.height, one.angle) for one in hottest]
        path.write_text(json.dumps(entry))


def _far(found: Found, sample: Sample) -> bool:
    gaps = [
        np.hypot(found.centre[0] - symbol.centre[0], found.centre[1] - symbol.centre[1])
        / max(symbol.height, found.height)
        for symbol in sample.symbols
    ]
    return min(gaps, default=APART + 1) > APART
