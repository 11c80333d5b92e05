"""How well the models read: tiles right, precision, photos without an error, and how the errors were marked."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import cv2
import yaml

from remi_ref.vision.scan import DOUBTFUL_BELOW
from remi_ref.vision.views import best_look
from training.legible import legible
from training.render import render_scene

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from remi_ref.vision.read import Readers
    from training.render import Scene

    # group, picture (H, W, 3, BGR), tiles that must be read, tiles that may be (too much of them is hidden)
    Labelled = tuple[str, NDArray[Any], Counter[str], Counter[str]]


@dataclass
class Figures:
    """Sums over photos; the doubts are kept so that a limit can be chosen."""

    photos: int = 0
    perfect: int = 0
    tiles: int = 0
    right: int = 0
    read: int = 0
    wrong_sure: list[float] = field(default_factory=list)
    right_sure: list[float] = field(default_factory=list)

    def add(self, want: Counter[str], may: Counter[str], got: list[tuple[str, float]]) -> None:
        """Counts one photo; a reading of a tile that only may be read counts neither way."""
        left, spare = want.copy(), may.copy()
        right = skipped = 0
        for tile, sure in sorted(got, key=lambda entry: -entry[1]):
            hit = left[tile] > 0
            left[tile] -= hit
            if not hit and spare[tile] > 0:
                spare[tile] -= 1
                skipped += 1
                continue
            right += hit
            (self.right_sure if hit else self.wrong_sure).append(sure)
        perfect = right == want.total() == len(got) - skipped
        self.photos += 1
        self.perfect += perfect
        self.tiles += want.total()
        self.right += right
        self.read += len(got) - skipped

    def join(self, other: Figures) -> None:
        """Adds the sums of other photos."""
        self.photos += other.photos
        self.perfect += other.perfect
        self.tiles += other.tiles
        self.right += other.right
        self.read += other.read
        self.wrong_sure += other.wrong_sure
        self.right_sure += other.right_sure

    @property
    def errors(self) -> int:
        """Tiles that were not read, and readings of tiles that are not there."""
        return self.tiles - self.right + self.read - self.right

    def line(self, name: str) -> str:
        """The figures in one line."""
        marked = sum(sure < DOUBTFUL_BELOW for sure in self.wrong_sure)
        doubted = sum(sure < DOUBTFUL_BELOW for sure in self.right_sure)
        return (
            f"{name:14} photos {self.photos:3}, without an error {self.perfect:3}; tiles {self.tiles:5},"
            f" right {self.right / max(1, self.tiles):7.2%}, precision {self.right / max(1, self.read):7.2%};"
            f" wrong and marked {marked}/{len(self.wrong_sure)},"
            f" right but marked {doubted / max(1, len(self.right_sure)):6.2%}"
        )


def measure(readers: Readers, pictures: Iterable[Labelled]) -> dict[str, Figures]:
    """Reads every picture and sums by group and over all."""
    sums: dict[str, Figures] = {}
    for group, picture, want, may in pictures:
        got = [s.odds[0] for s in best_look(readers, picture) if s.odds[0][0] != "X"]
        for name in ("all", group):
            sums.setdefault(name, Figures()).add(want, may, got)
    return sums


def photos_in(folder: Path) -> Iterator[Labelled]:
    """Real photos with their truth."""
    for entry in yaml.safe_load((folder / "truth.yaml").read_text(encoding="utf-8")):
        tokens = [t for row in entry["rows"] for t in row.replace("|", " ").replace("/", " ").split()]
        want = Counter("J" if t.startswith("J") else t for t in tokens if t != "X")
        picture = cv2.imread(str(folder / entry["file"]))
        if picture is not None:
            yield entry["setting"], picture, want, Counter()


def rendered(first: int, last: int, *, held_out: bool) -> Iterator[Labelled]:
    """Rendered scenes; what no person could tell is not asked for (`training.legible`)."""
    for seed in range(first, last):
        yield labelled(render_scene(seed, held_out=held_out))


def labelled(scene: Scene) -> Labelled:
    """A rendered scene with its truth."""
    must = Counter(tile.tile for tile in scene.tiles if legible(scene, tile))
    may = Counter(tile.tile for tile in scene.tiles) - must
    del must["X"]
    return scene.kind, scene.image, must, may
