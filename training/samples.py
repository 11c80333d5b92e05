"""Make `samples/photos`: a few small rendered photos with their truth (`python -m training.samples [FOLDER]`)."""

import sys
from dataclasses import dataclass
from pathlib import Path

import cv2
import yaml

from training.render import render_scene


@dataclass(frozen=True)
class Sample:
    """One photo to render; `compare`: are its rows judged in order, as melds in any order, or as loose tiles."""

    file: str
    scene: str
    compare: str
    kind: str
    seed: int
    tiles: tuple[str, ...]


SAMPLES = (
    Sample("rack.jpg", "rack", "rows", "rack", 13, ("R9 R10 R11 R12 | A7 N7 G7 | J", "A2 A5 | N3 N13 | G4 G12 R1")),
    Sample("table.jpg", "table-melds", "melds", "melds", 26, ("R3 R4 R5 R6", "A8 N8 G8", "N10 N11 N12", "G1 R1 A1 N1")),
    Sample("pile.jpg", "pile", "multiset", "pile", 7, ("R6 A9 N13 G2 J A11 R8 N4",)),
    Sample("box.jpg", "box", "rows", "box", 5, ()),
)


def write_samples(folder: Path) -> None:
    """Render all samples into a folder, with `truth.yaml` beside them."""
    folder.mkdir(parents=True, exist_ok=True)
    truth = []
    for sample in SAMPLES:
        scene = render_scene(sample.seed, kind=sample.kind, tiles=sample.tiles or None, width=1000)
        cv2.imwrite(str(folder / sample.file), scene.image, [cv2.IMWRITE_JPEG_QUALITY, 85])
        rows = list(scene.rows) or [" ".join(tile.tile for tile in scene.tiles if tile.visible > 0.3)]
        count = sum(len(row.replace("|", " ").split()) for row in rows)
        truth.append(
            {
                "file": sample.file,
                "scene": sample.scene,
                "compare": sample.compare,
                "rows": rows,
                "tiles": count,
                "source": f"rendered: training.samples, seed {sample.seed}",
            }
        )
    (folder / "truth.yaml").write_text(yaml.safe_dump(truth, sort_keys=False, allow_unicode=True), encoding="utf-8")


if __name__ == "__main__":
    write_samples(Path(sys.argv[1] if len(sys.argv) > 1 else "samples/photos"))
