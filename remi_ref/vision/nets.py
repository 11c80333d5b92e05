"""The trained networks, run by OpenCV: found, checked against their SHA-256, loaded once."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from remi_ref.errors import Unreadable
from remi_ref.places import data_folder

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

INDEX = "index.json"


@dataclass(frozen=True, eq=False)
class Net:
    """One network."""

    net: cv2.dnn.Net

    def run(self, pictures: NDArray[Any]) -> NDArray[np.float32]:
        """Runs pictures (N, H, W, 3) of 0..255 and returns the network's one output."""
        blob = np.ascontiguousarray(pictures.transpose(0, 3, 1, 2).astype(np.float32) / 255)
        self.net.setInput(blob)
        return np.asarray(self.net.forward(), np.float32)


def load_net(name: str, folder: Path | None = None) -> Net:
    """The network of that name under ``models/``.

    Raises:
        Unreadable: its file is missing or is not the one that was trained.
    """
    folder = folder or data_folder("models")
    try:
        entry = json.loads((folder / INDEX).read_text(encoding="utf-8"))[name]
        file, trained = folder / entry["file"], entry["sha256"]
        data = file.read_bytes()
    except (OSError, ValueError, LookupError, TypeError, RecursionError) as error:
        raise Unreadable("photo.model_missing", name=name, folder=str(folder)) from error
    if hashlib.sha256(data).hexdigest() != trained:
        raise Unreadable("photo.model_changed", name=name, file=str(file))
    return Net(cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8)))
