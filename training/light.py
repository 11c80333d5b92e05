"""Another lamp, another lens, another phone: how an example is made to look like many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    Picture = NDArray[Any]  # uint8, which OpenCV does not promise


def relight(crop: Picture, rng: Generator) -> Picture:
    """Another lamp, another lens, another phone: gains, contrast, blur, fewer pixels, noise, JPEG."""
    image: Picture = crop.astype(np.float32)
    brighter = min(rng.normal(-0.03, 0.16), 0.18)  # more would leave nothing of the lighter inks
    gains = np.exp(rng.normal(0, 0.07, 3) + brighter)
    image = image * gains
    if rng.random() < 0.4:
        image = 255 * (np.clip(image, 0, 255) / 255) ** np.exp(rng.normal(0, 0.25))
    if rng.random() < 0.3:
        image = image * rng.uniform(0.6, 1.0) + rng.uniform(0, 60)
    if rng.random() < 0.15:
        grey = image.mean(axis=2, keepdims=True)
        image = grey + (image - grey) * rng.uniform(0.55, 1.0)
    image = np.clip(image, 0, 255)
    side = crop.shape[0]
    if rng.random() < 0.3:
        small = int(side * rng.uniform(0.4, 0.9))
        image = cv2.resize(cv2.resize(image, (small, small), interpolation=cv2.INTER_AREA), (side, side))
    if rng.random() < 0.3:
        image = cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.4, 1.8)))
    if rng.random() < 0.1:
        kernel = np.zeros((5, 5), np.float32)
        kernel[2] = 0.2
        image = cv2.filter2D(image, -1, kernel if rng.random() < 0.5 else kernel.T)
    if rng.random() < 0.4:
        image = image + rng.normal(0, rng.uniform(1, 12), image.shape)
    result: Picture = np.clip(image, 0, 255).astype(np.uint8)
    if rng.random() < 0.4:
        _, data = cv2.imencode(".jpg", result, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 95))])
        result = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR))
    return result
