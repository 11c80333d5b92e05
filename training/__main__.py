"""Makes the models again, from nothing: renders, trains, exports, measures (`python -m training PHOTOS`)."""

from __future__ import annotations

import argparse
import math
from pathlib import Path

from training.cache import render_to
from training.export import export
from training.measure import measure, photos_in, rendered
from training.train import Course, Sources, train_side_by_side

# As the shipped models were made, without the interruption that README.md tells of. The first course starts from
# nothing, the second from its weights; both networks take the same ones.
SCENES = (40000, 42500)
COURSES = (Course(45, 2e-3, seed=7, real_share=0.35), Course(62, 1.6e-3, seed=11, real_share=0.35))
HELD_OUT = (900000, 900080)


def render_all(folder: Path, share: float) -> None:
    """Renders a share of the scenes; those that are there already stay."""
    first, last = SCENES
    render_to(folder, first, first + math.ceil((last - first) * share))


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
    courses = {"finder": COURSES, "reader": COURSES}
    weights = train_side_by_side(courses, Sources(given.photos, scenes), given.work, given.share)
    export(weights, given.models)
    report(given.models, given.photos, given.share)


if __name__ == "__main__":
    main()
