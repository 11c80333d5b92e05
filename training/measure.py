"""How well the models read: tiles right, precision, photos without an error, and how the errors were marked."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import cv2
import yaml

from training.render import render_scene

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from remi_ref.vision.read import Readers

DOUBT = 0.80  # readings less sure than this are shown as doubtful


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

    def add(self, want: Counter[str], got: list[tuple[str, float]]) -> bool:
        """Counts one photo; True when it was read without an error."""
        left = want.copy()
        right = 0
        for tile, sure in sorted(got, key=lambda entry: -entry[1]):
            hit = left[tile] > 0
            left[tile] -= hit
            right += hit
            (self.right_sure if hit else self.wrong_sure).append(sure)
        perfect = right == want.total() == len(got)
        self.photos += 1
        self.perfect += perfect
        self.tiles += want.total()
        self.right += right
        self.read += len(got)
        return perfect

    def line(self, name: str) -> str:
        """The figures in one line."""
        marked = sum(sure < DOUBT for sure in self.wrong_sure)
        doubted = sum(sure < DOUBT for sure in self.right_sure)
        return (
            f"{name:14} photos {self.photos:3} perfect {self.perfect:3}  tiles {self.tiles:5} right {self.right / max(1, self.tiles):7.2%}"
            f" precision {self.right / max(1, self.read):7.2%}  wrong and marked {marked}/{len(self.wrong_sure)}"
            f"  right but marked {doubted / max(1, len(self.right_sure)):6.2%}"
        )


def measure(readers: Readers, pictures: Iterable[tuple[str, NDArray, Counter[str]]], *, show: bool = False) -> dict[str, Figures]:
    """Reads every (group, picture, truth) and sums by group and over all."""
    sums: dict[str, Figures] = {"all": Figures()}
    for group, picture, want in pictures:
        got = [(s.odds[0][0], s.odds[0][1]) for s in readers.sight(picture) if s.odds[0][0] != "X"]
        perfect = sums["all"].add(want, got)
        sums.setdefault(group, Figures()).add(want, got)
        if show and not perfect:
            have = Counter(tile for tile, _ in got)
            print(group, "missed", dict(want - have), "invented", dict(have - want))
    return sums


def photos_in(folder: Path, settings: tuple[str, ...] = ()) -> Iterator[tuple[str, NDArray, Counter[str]]]:
    """Real photos with their truth, of some settings or all."""
    for entry in yaml.safe_load((folder / "truth.yaml").read_text(encoding="utf-8")):
        if settings and entry["setting"] not in settings:
            continue
        tokens = [t for row in entry["rows"] for t in row.replace("|", " ").replace("/", " ").split()]
        want = Counter("J" if t.startswith("J") else t for t in tokens if t != "X")
        yield entry["setting"], cv2.imread(str(folder / entry["file"])), want


def rendered(first: int, last: int, *, held_out: bool) -> Iterator[tuple[str, NDArray, Counter[str]]]:
    """Rendered scenes; symbols that are mostly hidden are not asked for."""
    for seed in range(first, last):
        scene = render_scene(seed, held_out=held_out)
        yield scene.kind, scene.image, Counter(t.tile for t in scene.tiles if t.visible > 0.6 and t.tile != "X")
