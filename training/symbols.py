"""Symbols drawn with a few strokes: jokers, false jokers, and the small marks below a number.

A drawing is a list of layers `(mask, ink number)`; masks are float32 in 0..1 on a square of `SIDE` pixels.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from training.styles import Style
from training.typefaces import Mask, glyphs, pictogram

SIDE = 192
Layer = tuple[Mask, int]
Canvas = NDArray[np.uint8]
_AA = cv2.LINE_AA
_SHIFT = 4
_SUITS = {"R": "heart", "A": "diamond", "N": "spade", "G": "clover"}


def _blank() -> Canvas:
    return np.zeros((SIDE, SIDE), np.uint8)


def _mask(canvas: Canvas) -> Mask:
    return canvas.astype(np.float32) / 255


def _at(x: float, y: float) -> tuple[int, int]:
    return round(x * SIDE * 2**_SHIFT), round(y * SIDE * 2**_SHIFT)


def _disc(  # noqa: PLR0913 - what a circle is made of
    canvas: Canvas, x: float, y: float, radius: float, *, line: float = 0, value: int = 255
) -> None:
    thick = max(1, round(line * SIDE)) if line else -1
    cv2.circle(canvas, _at(x, y), round(radius * SIDE * 2**_SHIFT), value, thick, _AA, _SHIFT)


def _shape(canvas: Canvas, points: list[tuple[float, float]], value: int = 255) -> None:
    cv2.fillPoly(canvas, [np.array([_at(*point) for point in points], np.int32)], value, _AA, _SHIFT)


def _arc(  # noqa: PLR0913, PLR0917 - what an arc is made of
    canvas: Canvas, x: float, y: float, axes: tuple[float, float], span: tuple[float, float], line: float
) -> None:
    size = (round(axes[0] * SIDE * 2**_SHIFT), round(axes[1] * SIDE * 2**_SHIFT))
    cv2.ellipse(canvas, _at(x, y), size, 0, span[0], span[1], 255, max(1, round(line * SIDE)), _AA, _SHIFT)


def _star_points(points: int, inner: float, outer: float) -> list[tuple[float, float]]:
    turns = np.arange(points * 2) * np.pi / points - np.pi / 2
    radii = np.where(np.arange(points * 2) % 2, inner, outer)
    return [(0.5 + r * np.cos(a), 0.5 + r * np.sin(a)) for r, a in zip(radii, turns, strict=True)]


def mark(kind: str, colour: str) -> Mask:
    """A small mark for below the number; `suit` stands for the suit of the colour letter."""
    canvas = _blank()
    kind = _SUITS[colour] if kind == "suit" else kind
    if kind == "heart":
        _disc(canvas, 0.3, 0.33, 0.21)
        _disc(canvas, 0.7, 0.33, 0.21)
        _shape(canvas, [(0.11, 0.43), (0.5, 0.95), (0.89, 0.43), (0.5, 0.3)])
    elif kind == "clover":
        for x, y in ((0.5, 0.26), (0.27, 0.58), (0.73, 0.58)):
            _disc(canvas, x, y, 0.2)
        _shape(canvas, [(0.46, 0.45), (0.54, 0.45), (0.64, 0.95), (0.36, 0.95)])
    elif kind == "spade":
        _disc(canvas, 0.3, 0.58, 0.2)
        _disc(canvas, 0.7, 0.58, 0.2)
        _shape(canvas, [(0.11, 0.5), (0.5, 0.03), (0.89, 0.5), (0.5, 0.7)])
        _shape(canvas, [(0.46, 0.55), (0.54, 0.55), (0.64, 0.96), (0.36, 0.96)])
    elif kind == "diamond":
        _shape(canvas, [(0.5, 0.04), (0.82, 0.5), (0.5, 0.96), (0.18, 0.5)])
    elif kind == "circle":
        _disc(canvas, 0.5, 0.5, 0.42, line=0.09)
    else:
        _disc(canvas, 0.5, 0.5, 0.42)
    return _mask(canvas)


def false_joker(kind: str) -> list[Layer]:
    """The false joker's ornament: leaves or petals around a middle."""
    petals = {"clover3": 3, "clover4": 4, "flower": 5, "rosette": 8}[kind]
    canvas, radius = _blank(), {3: 0.2, 4: 0.19, 5: 0.16, 8: 0.11}[petals]
    line = 0.05 if kind == "rosette" else 0
    for turn in np.arange(petals) * 2 * np.pi / petals - np.pi / 2:
        _disc(canvas, 0.5 + 0.27 * np.cos(turn), 0.47 + 0.27 * np.sin(turn), radius, line=line)
    if kind.startswith("clover"):
        _disc(canvas, 0.5, 0.47, 0.12)
        _shape(canvas, [(0.47, 0.5), (0.53, 0.5), (0.62, 0.98), (0.5, 0.98)])
        return [(_mask(canvas), 0)]
    middle = _blank()
    _disc(middle, 0.5, 0.47, 0.12)
    return [(_mask(canvas), 0), (_mask(middle), 1)]


def joker(style: Style, rng: np.random.Generator) -> list[Layer]:
    """The joker of a box, its layers in the box's joker inks."""
    if style.joker in ("word", "letter", "joly"):
        return _lettered(style)
    if style.joker == "pictogram" and (mask := pictogram(style.joker_word)) is not None:
        return [(_centred(mask), 0)]
    drawing = {"star": _star, "sun": _sun, "jester": _jester, "clown": _clown, "mirrored": _mirrored, "crown": _crown}
    return drawing.get(style.joker, _face)(style, rng)


def _lettered(style: Style) -> list[Layer]:
    text = glyphs(style.typeface, style.joker_word)
    room = 0.55 if style.joker == "joly" else 1.0
    scale = min(SIDE / text.shape[1], SIDE * room / text.shape[0])
    small = cv2.resize(text, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    canvas = np.zeros((SIDE, SIDE), np.float32)
    left = (SIDE - small.shape[1]) // 2
    top = SIDE - small.shape[0] if style.joker == "joly" else (SIDE - small.shape[0]) // 2
    canvas[top : top + small.shape[0], left : left + small.shape[1]] = small
    if style.joker != "joly":
        return [(canvas, 0)]
    hat = _blank()
    _hat(hat, 0.36)
    _disc(hat, 0.5, 0.42, 0.14, line=0.035)
    return [(canvas, 0), (_mask(hat), 1)]


def _centred(mask: Mask) -> Mask:
    """A mask as large as fits, in the middle of the square."""
    scale = SIDE / max(mask.shape)
    small = cv2.resize(mask, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)[:SIDE, :SIDE]
    canvas = np.zeros((SIDE, SIDE), np.float32)
    top, left = (SIDE - small.shape[0]) // 2, (SIDE - small.shape[1]) // 2
    canvas[top : top + small.shape[0], left : left + small.shape[1]] = small
    return canvas


def _hat(canvas: Canvas, base: float) -> None:
    _shape(canvas, [(0.3, base), (0.12, base - 0.2), (0.4, base - 0.16), (0.5, base - 0.34), (0.6, base - 0.16)])
    _shape(canvas, [(0.3, base), (0.6, base - 0.16), (0.88, base - 0.2), (0.7, base)])
    for x, y in ((0.12, base - 0.2), (0.5, base - 0.32), (0.88, base - 0.2)):
        _disc(canvas, x, y, 0.05)


def _features(canvas: Canvas, middle: float, size: float, *, value: int = 255) -> None:
    for side in (-1, 1):
        _disc(canvas, 0.5 + side * 0.38 * size, middle - 0.22 * size, 0.12 * size, value=value)
    line = max(2, round(0.12 * size * SIDE))
    axes = (round(0.5 * size * SIDE), round(0.42 * size * SIDE))
    cv2.ellipse(canvas, (SIDE // 2, round((middle + 0.05 * size) * SIDE)), axes, 0, 20, 160, value, line, _AA)


def _face(style: Style, rng: np.random.Generator) -> list[Layer]:
    canvas = _blank()
    if style.joker == "smiley" and rng.random() < 0.5:
        _disc(canvas, 0.5, 0.5, 0.48)
        _features(canvas, 0.5, 0.48, value=0)
        return [(_mask(canvas), 0)]
    _disc(canvas, 0.5, 0.5, 0.46, line=0.05)
    _features(canvas, 0.5, 0.46)
    if style.joker == "face":
        extra = _blank()
        for x in (0.32, 0.68):
            _arc(extra, x, 0.36, (0.11, 0.08), (200, 340), 0.035)
        _shape(extra, [(0.5, 0.4), (0.56, 0.6), (0.44, 0.6)])
        _arc(extra, 0.5, 0.62, (0.16, 0.2), (30, 150), 0.03)
        return [(np.maximum(_mask(canvas), _mask(extra)), 0)]
    return [(_mask(canvas), 0)]


def _jester(style: Style, rng: np.random.Generator) -> list[Layer]:  # noqa: ARG001 - every drawing takes the same
    hat, face, collar = _blank(), _blank(), _blank()
    _hat(hat, 0.4)
    _disc(face, 0.5, 0.55, 0.22, line=0.035)
    _features(face, 0.56, 0.22)
    _shape(collar, [(0.2, 0.98), (0.28, 0.8), (0.4, 0.9), (0.5, 0.78), (0.6, 0.9), (0.72, 0.8), (0.8, 0.98)])
    return [(_mask(hat), 0), (_mask(face), 1), (_mask(collar), 2)]


def _clown(style: Style, rng: np.random.Generator) -> list[Layer]:  # noqa: ARG001 - every drawing takes the same
    hair, face, nose = _blank(), _blank(), _blank()
    for side in (-1, 1):
        for y in (0.28, 0.42, 0.56):
            _disc(hair, 0.5 + side * 0.4, y, 0.09)
    _disc(face, 0.5, 0.5, 0.34, line=0.035)
    _features(face, 0.5, 0.34)
    _disc(nose, 0.5, 0.52, 0.08)
    _shape(nose, [(0.34, 0.2), (0.5, 0.01), (0.66, 0.2)])
    return [(_mask(hair), 1), (_mask(face), 0), (_mask(nose), 2)]


def _crown(style: Style, rng: np.random.Generator) -> list[Layer]:  # noqa: ARG001 - every drawing takes the same
    crown, face = _blank(), _blank()
    _shape(crown, [(0.22, 0.4), (0.14, 0.06), (0.36, 0.22), (0.5, 0.02), (0.64, 0.22), (0.86, 0.06), (0.78, 0.4)])
    _disc(face, 0.5, 0.64, 0.26, line=0.04)
    _features(face, 0.66, 0.26)
    return [(_mask(crown), 0), (_mask(face), 1)]


def _mirrored(style: Style, rng: np.random.Generator) -> list[Layer]:
    half = [
        (cv2.resize(layer, (SIDE, SIDE // 2), interpolation=cv2.INTER_AREA), ink) for layer, ink in _jester(style, rng)
    ]
    return [(np.vstack([layer, cv2.rotate(layer, cv2.ROTATE_180)]), ink) for layer, ink in half]


def _star(style: Style, rng: np.random.Generator) -> list[Layer]:  # noqa: ARG001 - every drawing takes the same
    canvas, points = _blank(), int(rng.choice((5, 5, 5, 6, 8)))
    _shape(canvas, _star_points(points, 0.2, 0.49))
    if rng.random() < 0.4:
        _shape(canvas, _star_points(points, 0.13, 0.36), 0)
    return [(_mask(canvas), 0)]


def _sun(style: Style, rng: np.random.Generator) -> list[Layer]:  # noqa: ARG001 - every drawing takes the same
    rays, face = _blank(), _blank()
    _shape(rays, _star_points(int(rng.choice((8, 12, 16))), 0.3, 0.49))
    _disc(rays, 0.5, 0.5, 0.28, value=0)
    _disc(face, 0.5, 0.5, 0.25, line=0.04)
    _features(face, 0.5, 0.25)
    return [(_mask(rays), 0), (_mask(face), 1)]
