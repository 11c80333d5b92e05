"""Grounds: what tiles lie on, as square textures that are warped onto the table.

A texture is `SIDE` x `SIDE` x 3, uint8 blue-green-red; `held_out` grounds (zigzag cloth) are never trained on.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

SIDE = 640
Texture = NDArray[np.uint8]
Field = NDArray[Any]  # float32
_POOL = 60  # textures are kept, so a kind has this many and no more


def _noise(rng: np.random.Generator, across: int, down: int) -> Field:
    rough = rng.normal(0, 1, (max(2, down), max(2, across))).astype(np.float32)
    return cv2.resize(rough, (SIDE, SIDE), interpolation=cv2.INTER_CUBIC)


def _tint(rng: np.random.Generator, low: int = 20, high: int = 235, colour: float = 1.0) -> Field:
    grey = rng.uniform(low, high)
    if rng.random() < 0.4:
        colour *= 0.3
    return np.clip(grey + rng.normal(0, 30 * colour, 3), 5, 250).astype(np.float32)


def _plain(rng: np.random.Generator) -> Field:
    return (
        np.tile(_tint(rng), (SIDE, SIDE, 1)) * (1 + 0.03 * _noise(rng, 9, 9) + 0.02 * _noise(rng, 200, 200))[..., None]
    )


def _wood(rng: np.random.Generator) -> Field:
    base = np.array(
        _pick(rng, ((40, 70, 120), (90, 140, 190), (30, 45, 75), (130, 175, 215), (60, 90, 140))), np.float32
    )
    grain = 0.12 * _noise(rng, 8, 70) + 0.09 * _noise(rng, 5, 300) + 0.08 * _noise(rng, 4, 12)
    picture = base * (1 + grain)[..., None]
    planks = int(rng.choice((0, 0, 3, 5, 7)))
    for index in range(planks):
        top, bottom = index * SIDE // planks, (index + 1) * SIDE // planks
        picture[top:bottom] *= rng.uniform(0.8, 1.15)
        picture[top : top + 3] *= 0.45
    return picture


def _cloth(rng: np.random.Generator) -> Field:
    x = np.arange(SIDE, dtype=np.float32)
    pitch = rng.uniform(4, 14)
    weave = np.sin(2 * np.pi * x / pitch)[None, :] * np.sin(2 * np.pi * x / (pitch * rng.uniform(0.7, 1.5)))[:, None]
    rough = 0.08 * _noise(rng, 160, 160) + 0.07 * _noise(rng, 90, 8) + 0.05 * _noise(rng, 7, 7)
    return _tint(rng) * (1 + rng.uniform(0.03, 0.22) * weave + rough)[..., None]


def _checkered(rng: np.random.Generator) -> Field:
    cells = int(rng.choice((6, 8, 10, 16)))
    on = (np.arange(SIDE) * cells // SIDE) % 2
    both = (on[None, :] + on[:, None]).astype(np.float32) / 2
    if rng.random() < 0.4:
        both = (on[None, :] ^ on[:, None]).astype(np.float32)
    return (
        _cloth(rng) * (1 - both[..., None])
        + _tint(rng) * both[..., None] * (1 + 0.05 * _noise(rng, 150, 150))[..., None]
    )


def _plaid(rng: np.random.Generator) -> Field:
    picture = _cloth(rng)
    for _ in range(int(rng.integers(2, 6))):
        pitch, wide, ink = int(rng.integers(24, 220)), rng.uniform(0.08, 0.5), _tint(rng)
        strength = rng.uniform(0.25, 0.8)
        band = ((np.arange(SIDE) % pitch) < wide * pitch).astype(np.float32) * np.float32(strength)
        for cover in (band[None, :, None], band[:, None, None]):
            picture = picture * (1 - cover) + ink * cover
    return picture


def _motifs(rng: np.random.Generator) -> Field:
    """Printed or woven with one small figure again and again: rings, stars, petals, crosses."""
    side = int(rng.choice((20, 32, 40, 64, 80)))
    stamp = np.zeros((side, side), np.uint8)
    for _ in range(int(rng.integers(1, 4))):
        middle = tuple(int(v) for v in rng.uniform(0.35, 0.65, 2) * side)
        axes = tuple(max(2, int(v)) for v in rng.uniform(0.08, 0.38, 2) * side)
        line = int(rng.choice((-1, -1, max(1, side // 16), max(1, side // 9))))
        spread = int(rng.choice((360, 360, int(rng.integers(90, 300)))))
        for turn in range(0, 360, int(rng.choice((60, 72, 90, 120, 360)))):
            cv2.ellipse(stamp, middle, axes, turn + float(rng.uniform(0, 20)), 0, spread, 255, line, cv2.LINE_AA)
    row = np.tile(stamp, (1, SIDE // side + 1))[:, :SIDE]
    other = np.roll(row, side // 2 if rng.random() < 0.5 else 0, axis=1)
    cover = np.tile(np.vstack([row, other]), (SIDE // side // 2 + 1, 1))[:SIDE].astype(np.float32)[..., None] / 255
    return _cloth(rng) * (1 - cover) + _tint(rng) * cover * (1 + 0.06 * _noise(rng, 120, 120))[..., None]


def _zigzag(rng: np.random.Generator) -> Field:
    across, down = np.meshgrid(np.arange(SIDE, dtype=np.float32), np.arange(SIDE, dtype=np.float32))
    step = float(rng.choice((16, 20, 32, 40)))
    on = (((down + np.abs(across % (2 * step) - step)) // (step / rng.uniform(1, 2))) % 2)[..., None]
    return _cloth(rng) * (1 - on) + _tint(rng) * on * (1 + 0.05 * _noise(rng, 150, 150))[..., None]


def _striped(rng: np.random.Generator) -> Field:
    picture, at = _cloth(rng), 0
    while at < SIDE:
        wide = int(rng.integers(5, 60))
        if rng.random() < 0.5:
            picture[:, at : at + wide] = picture[:, at : at + wide] * 0.25 + _tint(rng) * 0.75
        at += wide
    return picture


def _rug(rng: np.random.Generator) -> Field:
    picture = _cloth(rng)
    for _ in range(int(rng.integers(8, 40))):
        ink = tuple(float(v) for v in _tint(rng))
        x, y = (int(v) for v in rng.integers(0, SIDE, 2))
        size = int(rng.integers(10, 90))
        if rng.random() < 0.5:
            points = np.array([(x, y - size), (x + size, y), (x, y + size), (x - size, y)], np.int32)
            cv2.polylines(picture, [points], True, ink, int(rng.integers(3, 14)))  # noqa: FBT003
        else:
            cv2.ellipse(
                picture, (x, y), (size, size // 2), float(rng.uniform(0, 180)), 0, 360, ink, int(rng.integers(3, 14))
            )
    return picture * (1 + 0.12 * _noise(rng, 250, 250))[..., None]


def _flecked(rng: np.random.Generator) -> Field:
    """Thick woven wool in light and dark strands."""
    strands = _noise(rng, 120, 60) + _noise(rng, 30, 6)
    dark = np.clip(strands * rng.uniform(0.5, 1.5) + rng.uniform(-1, 0.5), 0, 1)[..., None]
    return _cloth(rng) * (1 - dark) + _tint(rng, 20, 120, 0.4) * dark


def _marble(rng: np.random.Generator) -> Field:
    veins = np.abs(_noise(rng, 5, 5) + 0.5 * _noise(rng, 14, 14) + 0.2 * _noise(rng, 50, 50))
    line = np.exp(-veins * rng.uniform(4, 14))
    return _tint(rng, 120, 245, 0.3) * (1 - 0.5 * line + 0.02 * _noise(rng, 100, 100))[..., None]


def _granite(rng: np.random.Generator) -> Field:
    specks = np.clip(_noise(rng, 220, 220) - 1, 0, 1)[..., None]
    return _plain(rng) * (1 - specks) + _tint(rng) * specks


def _metal(rng: np.random.Generator) -> Field:
    shine = np.exp(-(((np.linspace(-1, 1, SIDE, dtype=np.float32) - rng.uniform(-0.6, 0.6)) / 0.3) ** 2))
    return _tint(rng, 90, 190, 0.2) * (1 + 0.05 * _noise(rng, 4, 400) + 0.5 * shine[None, :])[..., None]


def _printed(rng: np.random.Generator) -> Field:
    """A newspaper or oilcloth with letters and digits: what a reader must not take for tiles."""
    picture = _plain(rng) * 0.3 + _tint(rng, 170, 250, 0.3) * 0.7
    letters = np.zeros((SIDE, SIDE), np.uint8)
    size = rng.uniform(0.5, 2.2)
    for line in range(int(30 * size), SIDE, int(38 * size)):
        text = "".join(
            chr(int(c)) for c in rng.choice(np.frombuffer(b"abcdeimnorstuvl 0123456789  AEIRT.", np.uint8), 60)
        )
        cv2.putText(letters, text, (4, line), int(rng.integers(0, 5)), size, 255, max(1, int(size * 1.6)), cv2.LINE_AA)
    dark = (letters.astype(np.float32) / 255)[..., None]
    return picture * (1 - dark) + _tint(rng, 10, 120) * dark


def _pick(rng: np.random.Generator, items: tuple[tuple[int, int, int], ...]) -> tuple[int, int, int]:
    return items[int(rng.integers(len(items)))]


_KINDS: dict[str, Callable[[np.random.Generator], Field]] = {
    "wood": _wood,
    "cloth": _cloth,
    "plain": _plain,
    "striped": _striped,
    "rug": _rug,
    "flecked": _flecked,
    "marble": _marble,
    "granite": _granite,
    "metal": _metal,
    "printed": _printed,
    "checkered": _checkered,
    "plaid": _plaid,
    "motifs": _motifs,
}
_SHARES = np.array([5, 4, 3, 2, 2, 3, 1, 1, 1, 2, 2, 1.5, 2.5], np.float64)


@lru_cache(maxsize=400)
def _texture(kind: str, seed: int) -> Texture:
    rng = np.random.default_rng((seed, 31))
    picture = _zigzag(rng) if kind == "zigzag" else _KINDS[kind](rng)
    return np.clip(picture, 0, 255).astype(np.uint8)


def ground(rng: np.random.Generator, *, held_out: bool) -> Texture:
    """A texture by lot."""
    kind = "zigzag" if held_out and rng.random() < 0.5 else str(rng.choice(list(_KINDS), p=_SHARES / _SHARES.sum()))
    return _texture(kind, int(rng.integers(_POOL)))
