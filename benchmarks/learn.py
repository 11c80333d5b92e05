"""How much learning one's own box helps, on rendered boxes unlike those of training.

usage: python benchmarks/learn.py [--styles N] [--photos M] [--first SEED] [--usual]

The boxes have inks of other hues, slanted typefaces and jokers that no trained box has; with --usual only what is kept
out of training otherwise. For each one a photo of the whole box in order is learned, then M other photos of the same
box are read with and without the profile. An error is a tile that is not read as what it is, and one that is read where
there is none such.

    pip install -e ".[training]"
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # training/ is no installed package

from remi_ref.errors import Unreadable
from remi_ref.vision.fitting import fit
from remi_ref.vision.learning import learn
from remi_ref.vision.scan import load_readers
from remi_ref.vision.views import best_look
from training.measure import Figures, labelled, measure
from training.render import render_box, render_scene, sample_style
from training.styles import unlike_any

if TYPE_CHECKING:
    from remi_ref.vision.read import Readers
    from training.measure import Labelled
    from training.styles import Style

KINDS = ("rack", "melds", "pile")


def photos_of(style: Style, seed: int, count: int) -> list[Labelled]:
    """Photos of a box with the tiles that can be seen in them."""
    photos: list[Labelled] = []
    for number in range(count):
        kind = KINDS[number % len(KINDS)]
        photos.append(labelled(render_scene(1000 * seed + number, held_out=True, kind=kind, style=style)))
    return photos


def taught(readers: Readers, style: Style, seed: int) -> Readers | None:
    """The networks after they learned a photo of the whole box; nothing where it was refused."""
    box = render_box(style, seed, width=1600)
    try:
        learned = learn([best_look(readers, box.image)])
    except Unreadable:
        return None
    return replace(readers, profile=fit("box", [box.image], learned, readers))


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--styles", type=int, default=20)
    parser.add_argument("--photos", type=int, default=6, help="of each style")
    parser.add_argument("--first", type=int, default=500, help="seed of the first style")
    parser.add_argument("--usual", action="store_true", help="boxes of the looks kept out of training, no others")
    given = parser.parse_args()
    readers, before, after, refused = load_readers(), Figures(), Figures(), 0
    for seed in range(given.first, given.first + given.styles):
        style = sample_style(seed, held_out=True) if given.usual else unlike_any(seed)
        photos = photos_of(style, seed, given.photos)
        knowing = taught(readers, style, seed)
        refused += knowing is None
        before.join(measure(readers, photos)["all"])
        after.join(measure(knowing or readers, photos)["all"])
    print(f"{given.styles} styles, {before.tiles} tiles, {refused} boxes refused by learn")
    for title, figures in (("without a profile", before), ("with a profile", after)):
        print(f"{figures.errors} errors; {figures.line(title)}")


if __name__ == "__main__":
    main()
