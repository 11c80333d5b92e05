"""The trained networks, run by OpenCV: found, checked against their SHA-256, loaded once."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from remi_ref.errors import Unreadable
from remi_ref.vision.modelindex import trained

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray


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
    file, sha256 = trained(name, folder)
    try:
        data = file.read_bytes()
    except OSError as error:
        raise Unreadable("photo.model_missing", name=name, folder=str(file.parent.parent)) from error
    if hashlib.sha256(data).hexdigest() != sha256:
        raise Unreadable("photo.model_changed", name=name, file=str(file))
    return Net(cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8)))
