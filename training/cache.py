"""Rendered scenes kept on disk as JPEG and JSON, so that training need not wait for the renderer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import cv2

from training.render import render_scene

if TYPE_CHECKING:
    from pathlib import Path


def render_to(folder: Path, first: int, last: int, *, kind: str | None = None) -> None:
    """Renders the scenes of the seeds first to last - 1 that are not there yet, of one kind if it is given."""
    folder.mkdir(parents=True, exist_ok=True)
    for seed in range(first, last):
        path = folder / f"{seed:06d}.json"
        if path.exists():
            continue
        scene = render_scene(seed, kind=kind)
        tiles = [
            (t.tile, [float(v) for v in t.number_centre], float(t.number_height), float(t.angle), float(t.visible))
            for t in scene.tiles
        ]
        entry = {"style": scene.style, "kind": scene.kind, "rows": scene.rows, "tiles": tiles}
        cv2.imwrite(str(path.with_suffix(".jpg")), scene.image, [cv2.IMWRITE_JPEG_QUALITY, 92])
        path.write_text(json.dumps(entry))
