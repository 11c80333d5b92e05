"""What light and a phone do to a picture: gradients, shadows, glare, white balance, blur, noise, sharpening, JPEG."""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Field = NDArray[Any]  # float32
_SOFTEST = 1280  # a picture with more pixels than this has them because it is sharper


def photograph(picture: Image, rng: np.random.Generator) -> tuple[Image, float]:
    """Light a rendered picture and take the photo; nothing moves, so the truth stays true.

    The answer is the photo and how far it is blurred: the standard deviation of the blur, pixels.

    Args:
        picture: height x width x 3, blue-green-red.
        rng: draws the light and the phone.
    """
    height, width = picture.shape[:2]
    small = (max(8, width // 8), max(8, height // 8))
    lit = cv2.resize(_light(small, rng), (width, height), interpolation=cv2.INTER_LINEAR)
    image = cv2.multiply(picture, lit, dtype=cv2.CV_32F)
    if rng.random() < 0.3:
        glare = cv2.resize(_glare(small, rng), (width, height), interpolation=cv2.INTER_LINEAR)
        image = cv2.add(image, cv2.merge([glare, glare, glare * np.float32(0.95)]))
    image, softness = _blurred(image, rng)
    return _developed(image, rng), softness


def _light(size: tuple[int, int], rng: np.random.Generator) -> Field:
    """A factor for each pixel and channel: exposure, colour of the lamp, gradient, soft shadows, vignette."""
    width, height = size
    x, y = np.meshgrid(np.linspace(-1, 1, width, dtype=np.float32), np.linspace(-1, 1, height, dtype=np.float32))
    turn = rng.uniform(0, 2 * np.pi)
    slope = 1 + rng.choice((0.05, 0.15, rng.uniform(0.1, 0.45))) * (x * np.cos(turn) + y * np.sin(turn))
    slope *= 1 - rng.uniform(0, 0.25) * (x**2 + y**2) / 2
    if rng.random() < 0.4:
        slope *= _shadow(size, rng)
    warm = rng.normal(0.0, 0.13) + (0.16 if rng.random() < 0.3 else 0)
    tone = np.array([1 - warm, 1 + rng.normal(0, 0.03), 1 + warm * 0.8], np.float32)
    exposure = rng.choice(
        (rng.uniform(0.85, 1.1), rng.uniform(0.85, 1.1), rng.uniform(0.4, 0.85), rng.uniform(1.05, 1.3))
    )
    factors = slope[..., None] * tone * np.float32(exposure)
    if rng.random() < 0.15:  # a second lamp of another colour
        side = np.clip(0.5 + (x * np.cos(turn + 1) + y * np.sin(turn + 1)), 0, 1)[..., None]
        factors *= 1 + side * rng.normal(0, 0.12, 3).astype(np.float32)
    return np.clip(factors, 0.05, 2).astype(np.float32)


def _shadow(size: tuple[int, int], rng: np.random.Generator) -> Field:
    """The shadow of a phone, an arm or a window frame over a part of the picture."""
    width, height = size
    mask: Field = np.zeros((height, width), np.float32)
    middle = rng.uniform(0, 1, 2) * size
    points = middle + rng.normal(0, 0.4, (int(rng.integers(3, 6)), 2)) * size
    cv2.fillConvexPoly(mask, cv2.convexHull(points.astype(np.float32)).astype(np.int32), 1.0)
    mask = cv2.GaussianBlur(mask, (0, 0), max(1.0, float(rng.choice((0.01, 0.03, 0.08))) * width))
    return 1 - np.float32(rng.uniform(0.15, 0.55)) * mask


def _glare(size: tuple[int, int], rng: np.random.Generator) -> Field:
    width, height = size
    mask: Field = np.zeros((height, width), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        spot = tuple(int(v) for v in rng.uniform(0, 1, 2) * size)
        axes = tuple(max(2, int(v)) for v in rng.uniform(0.02, 0.2, 2) * width)
        cv2.ellipse(mask, spot, axes, float(rng.uniform(0, 180)), 0, 360, 1.0, -1)
    soft = cv2.GaussianBlur(mask, (0, 0), max(1.0, float(rng.uniform(0.02, 0.08)) * width))
    return soft * np.float32(rng.uniform(40, 130))


def _blurred(image: Field, rng: np.random.Generator) -> tuple[Field, float]:
    """Out of focus or shaken, by lot; a third stays sharp. The radius goes with the picture's width in pixels."""
    scale = min(image.shape[1], _SOFTEST) / 1000
    lot = rng.random()
    if lot < 0.6:
        low, high, least = (0.3, 1.1, 0.35) if lot < 0.5 else (1.0, 2.0, 0.4)
        radius = max(least, float(rng.uniform(low, high)) * scale)
        return cv2.GaussianBlur(image, (0, 0), radius), radius
    if lot < 0.72:
        length = max(2, round(float(rng.uniform(2, 7)) * scale))
        kernel = np.zeros((length, length), np.float32)
        cv2.line(kernel, (0, int(rng.integers(length))), (length - 1, int(rng.integers(length))), 1.0)
        if rng.random() < 0.5:
            kernel = np.ascontiguousarray(kernel.T)
        return cv2.filter2D(image, -1, kernel / kernel.sum()), length / 12**0.5
    return image, 0.0


def _developed(image: Field, rng: np.random.Generator) -> Image:
    """Sensor noise, tone curve, saturation, sharpening, and the JPEG that messengers make."""
    height, width = image.shape[:2]
    noise = float(rng.choice((1.0, 2.5, rng.uniform(2, 9))))
    # One strip of noise rolled over the picture costs a tenth of fresh noise everywhere.
    strip = rng.normal(0, noise, (96, width + 97, 3)).astype(np.float32)
    for top in range(0, height, 96):
        part = image[top : top + 96]
        left = int(rng.integers(97))
        part += strip[: part.shape[0], left : left + width]
    saturation = np.float32(rng.uniform(0.7, 1.35))
    grey = cv2.transform(image, np.full((1, 3), 1 / 3, np.float32))[..., None]
    image = cv2.addWeighted(image, float(saturation), cv2.merge([grey] * 3), float(1 - saturation), 0)
    if rng.random() < 0.45:
        soft = cv2.GaussianBlur(image, (0, 0), 1.2)
        amount = float(rng.uniform(0.3, 1.3))
        image = cv2.addWeighted(image, 1 + amount, soft, -amount, 0)
    contrast = float(rng.uniform(0.85, 1.15))
    result = cv2.convertScaleAbs(np.maximum(image * contrast + 128 * (1 - contrast), 0))
    gamma = float(rng.uniform(0.8, 1.25))
    table = (np.linspace(0, 1, 256) ** gamma * 255).astype(np.uint8)
    result = cv2.LUT(result, table)
    quality = int(rng.choice([92, int(rng.integers(70, 95)), int(rng.integers(35, 75))]))
    _, data = cv2.imencode(".jpg", result, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
