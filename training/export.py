"""Trained weights to ONNX files that OpenCV 4.10 and 5.0 both load, with their SHA-256."""

from __future__ import annotations

import hashlib
import json
import logging
from typing import TYPE_CHECKING

import torch

from training.constants import CROP
from training.train import NETWORKS

if TYPE_CHECKING:
    from pathlib import Path

OPSET = 13  # the newest that OpenCV 4.10 reads in full


def export(weights: dict[str, Path], models: Path) -> None:
    """Writes ``models/NAME/NAME.onnx`` for each network and ``models/index.json``."""
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    index = {}
    for name, path in weights.items():
        network = NETWORKS[name]().eval()
        network.load_state_dict(torch.load(path))
        example = torch.zeros(1, 3, 256, 320) if name == "finder" else torch.zeros(1, 3, CROP, CROP)
        free = {0: "batch", 2: "height", 3: "width"} if name == "finder" else {0: "batch"}
        out = models / name / f"{name}.onnx"
        out.parent.mkdir(parents=True, exist_ok=True)
        torch.onnx.export(
            network,
            (example,),
            str(out),
            input_names=["picture"],
            output_names=["found"],
            dynamic_axes={"picture": free, "found": free},
            opset_version=OPSET,
            dynamo=False,
        )
        digest = hashlib.sha256(out.read_bytes()).hexdigest()
        index[name] = {"file": f"{name}/{name}.onnx", "sha256": digest}
    (models / "index.json").write_text(json.dumps(index, indent=2) + "\n", encoding="utf-8")
