"""How much learning one's own box helps, on rendered boxes of styles kept out of training.

usage: python benchmarks/learn.py [--styles N] [--photos M] [--first SEED]

For each style one photo of the whole box in order is learned, then M other photos of the same box are read with and
without the profile. An error is a tile, at least two thirds visible, that is not read as what it is.

    pip install -e ".[training]"
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # training/ is no installed package

from remi_ref.errors import Unreadable
from remi_ref.vision.learning import learn
from remi_ref.vision.scan import load_readers
from remi_ref.vision.views import best_look
from training.render import Scene, render_box, render_scene, sample_style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remi_ref.vision.sighting import Sighting
    from remi_ref.vision.views import Eye

KINDS = ("rack", "melds", "pile")
VISIBLE = 2 / 3


@dataclass
class Figures:
    """Sums over tiles."""

    tiles: int = 0
    unseen: int = 0
    wrong_before: int = 0
    wrong_after: int = 0
    refused: int = 0

    @property
    def before(self) -> int:
        """Errors without the profile."""
        return self.unseen + self.wrong_before

    @property
    def after(self) -> int:
        """Errors with it."""
        return self.unseen + self.wrong_after


def best_at(place: tuple[float, float], reach: float, sightings: Sequence[Sighting]) -> int | None:
    """The sighting nearest to a place, if one is near."""
    if not sightings:
        return None
    gaps = np.linalg.norm(np.array([seen.centre for seen in sightings]) - np.array(place), axis=1)
    nearest = int(np.argmin(gaps))
    return nearest if gaps[nearest] < reach else None


def count(scene: Scene, before: Sequence[Sighting], after: Sequence[Sighting], figures: Figures) -> None:
    """Adds one photo; both lists hold the same sightings in the same order."""
    for tile in scene.tiles:
        if tile.visible < VISIBLE or tile.tile == "X":
            continue
        figures.tiles += 1
        at = best_at(tile.number_centre, tile.number_height, before)
        if at is None:
            figures.unseen += 1
            continue
        figures.wrong_before += before[at].odds[0][0] != tile.tile
        figures.wrong_after += after[at].odds[0][0] != tile.tile


def measure(eye: Eye, seed: int, photos: int, figures: Figures) -> None:
    """One style: learn its box, read its photos."""
    style = sample_style(seed, held_out=True)
    box = render_box(style, seed, width=1600)
    try:
        profile = learn("box", [best_look(eye, box.image)]).profile
    except Unreadable:
        figures.refused += 1
        profile = None
    for number in range(photos):
        kind = KINDS[number % len(KINDS)]
        scene = render_scene(1000 * seed + number, held_out=True, kind=kind, style=style)
        before = best_look(eye, scene.image)
        count(scene, before, profile.apply(before) if profile else before, figures)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--styles", type=int, default=20)
    parser.add_argument("--photos", type=int, default=6, help="of each style")
    parser.add_argument("--first", type=int, default=500, help="seed of the first style")
    given = parser.parse_args()
    eye, figures = load_readers(), Figures()
    for seed in range(given.first, given.first + given.styles):
        measure(eye, seed, given.photos, figures)
    print(f"{given.styles} styles, {figures.tiles} tiles, {figures.refused} boxes refused by learn")
    print(f"errors without a profile {figures.before} ({figures.before / figures.tiles:.2%}), {figures.unseen} unseen")
    print(f"errors with a profile    {figures.after} ({figures.after / figures.tiles:.2%})")


if __name__ == "__main__":
    main()
