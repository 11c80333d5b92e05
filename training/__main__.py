"""Makes the models again, from nothing: renders, trains, exports, measures (`python -m training PHOTOS`)."""

from __future__ import annotations

import argparse
import math
from dataclasses import replace
from pathlib import Path

from remi_ref.vision.nets import load_net
from training.cache import render_to
from training.decoys import mark_decoys
from training.export import export
from training.measure import measure, photos_in, rendered
from training.train import NETWORKS, Course, Sources, train_side_by_side

# Each course goes on from the weights of the one before, and knows the decoys that its finder fell for.
SCENES, HEAPS = (40000, 47000), (47000, 48500)
COURSES = (
    Course(45, 2e-3, seed=7, real_share=0.35),
    Course(62, 1.6e-3, seed=11, real_share=0.35),
    Course(82, 1.5e-3, seed=13, real_share=0.3),
    Course(88, 1.5e-3, seed=17, real_share=0.3, blends=True),
    Course(11, 4e-4, seed=23, real_share=0.3, blends=True, networks=("reader",)),
    Course(32, 2e-3, seed=31, real_share=0.0, networks=("inks",)),
    Course(40, 8e-4, seed=41, real_share=0.3, networks=("reader",)),
    Course(26, 5e-4, seed=43, real_share=0.3, networks=("reader",)),
)
HELD_OUT = (900000, 900080)


def render_all(folder: Path, share: float) -> None:
    """Renders a share of the scenes; those that are there already stay."""
    for (first, last), kind in ((SCENES, None), (HEAPS, "pile")):
        render_to(folder, first, first + math.ceil((last - first) * share), kind=kind)


def report(models: Path, photos: Path, share: float) -> None:
    """Prints how well the models read a share of the held-out scenes, and the photos they learned from."""
    from remi_ref.vision.read import Readers

    readers = Readers.load(models)
    first, last = HELD_OUT
    for title, pictures in (
        ("rendered, kept out of training", rendered(first, first + math.ceil((last - first) * share), held_out=True)),
        ("photos, trained on", photos_in(photos)),
    ):
        print(title)
        for name, figures in measure(readers, pictures).items():
            print(figures.line(name))


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    parser.add_argument("photos", type=Path, help="folder of labelled photos: truth.yaml, boxes.json, pictures")
    parser.add_argument("--work", type=Path, default=Path("build/training"), help="for scenes and weights")
    parser.add_argument("--models", type=Path, default=Path("models"), help="where the models go")
    parser.add_argument("--share", type=float, default=1.0, help="of scenes and time; 0.01 for a trial")
    given = parser.parse_args()
    scenes = given.work / "scenes"
    render_all(scenes, given.share)
    weights = {kind: given.work / f"{kind}.pt" for kind in NETWORKS}
    for path in weights.values():
        path.unlink(missing_ok=True)
    for number, course in enumerate(COURSES):
        if number:
            mark_decoys(sorted(scenes.glob("*.json")), load_net("finder", given.models))
        train_side_by_side(
            replace(course, minutes=course.minutes * given.share), Sources(given.photos, scenes), weights
        )
        export({kind: path for kind, path in weights.items() if path.exists()}, given.models)
    report(given.models, given.photos, given.share)


if __name__ == "__main__":
    main()
