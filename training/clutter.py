"""Clutter: playing cards, paper, dice, coins, phones and fingers, many with digits that are no tile's."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from training.scenes import Layout
from training.space import Slab
from training.symbols import mark

Image = NDArray[np.uint8]
Picture = NDArray[Any]  # float32


@dataclass(frozen=True)
class Thing:
    """An object on the table with its picture (blue-green-red) and outline."""

    slab: Slab
    picture: Picture
    alpha: NDArray[Any]


def around(layout: Layout, rng: np.random.Generator) -> list[Thing]:
    """Objects around the tiles, never on them."""
    if rng.random() < 0.45:
        return []
    taken = np.array([slab.spot(0.5, 0.5)[:2] for slab in layout.slabs if slab.is_tile])
    low, high = taken.min(axis=0) - 3.5, taken.max(axis=0) + 3.5
    if layout.kind == "rack":
        high[1] = taken[:, 1].max() + 6
    things = []
    for _ in range(int(rng.integers(1, 9))):
        picture, alpha, width, thick = _object(rng)
        spot = rng.uniform(low, high)
        size = np.array([width, width * picture.shape[0] / picture.shape[1]])
        reach = float(np.hypot(*size)) / 2 + 1.0
        behind_rack = layout.kind == "rack" and spot[1] < taken[:, 1].max() + reach
        if behind_rack or np.hypot(*(taken - spot).T).min() < reach:
            continue
        turn = rng.uniform(0, 2 * np.pi)
        right = np.array([np.cos(turn), np.sin(turn), 0.0]) * size[0]
        down = np.array([np.sin(turn), -np.cos(turn), 0.0]) * size[1]
        corner = np.array([*spot, thick]) - right / 2 - down / 2
        things.append(Thing(Slab("thing", corner, right, down, thick, is_tile=False), picture, alpha))
    return things


def _object(rng: np.random.Generator) -> tuple[Picture, NDArray[Any], float, float]:
    """A picture, its outline, its width in tile widths and its thickness."""
    kind = str(rng.choice(("card", "card", "paper", "coin", "phone", "dice", "ruler", "keys", "calendar")))
    if kind == "coin":
        return _coin(rng)
    draw = {
        "card": _card,
        "paper": _paper,
        "phone": _phone,
        "dice": _dice,
        "ruler": _ruler,
        "keys": _keys,
        "calendar": _calendar,
    }[kind]
    picture, width, thick = draw(rng)
    return picture, np.ones(picture.shape[:2], np.float32), width, thick


def _sheet(rng: np.random.Generator, height: int, width: int, low: int, high: int) -> Picture:
    return np.full((height, width, 3), rng.uniform(low, high), np.float32) + rng.normal(0, 6, 3).astype(np.float32)


def _ink(rng: np.random.Generator) -> tuple[float, float, float]:
    inks = ((30.0, 25.0, 200.0), (25.0, 25.0, 25.0), (170.0, 60.0, 20.0))
    return inks[int(rng.integers(3))]


def _write(picture: Picture, text: str, spot: tuple[int, int], scale: float, ink: tuple[float, float, float]) -> None:
    letters = np.zeros(picture.shape[:2], np.uint8)
    cv2.putText(letters, text, spot, cv2.FONT_HERSHEY_DUPLEX, scale, 255, max(1, round(scale * 2)), cv2.LINE_AA)
    picture += (np.array(ink, np.float32) - picture) * (letters.astype(np.float32) / 255)[..., None]


def _card(rng: np.random.Generator) -> tuple[Picture, float, float]:
    picture, ink = _sheet(rng, 168, 120, 225, 252), _ink(rng)
    rank = str(rng.choice([*"A23456789JQK", "10"]))
    _write(picture, rank, (6, 34), 1.0, ink)
    shape = mark(str(rng.choice(("heart", "clover", "spade", "diamond"))), "R")
    side = int(rng.integers(30, 60))
    small = cv2.resize(shape, (side, side), interpolation=cv2.INTER_AREA)[..., None]
    top, left = 84 - side // 2, 60 - side // 2
    part = picture[top : top + side, left : left + side]
    part += (np.array(ink, np.float32) - part) * small
    picture[84:] = picture[83::-1, ::-1]
    return picture, float(rng.uniform(2, 3)), 0.02


def _paper(rng: np.random.Generator) -> tuple[Picture, float, float]:
    picture = _sheet(rng, 220, 170, 200, 250)
    ink = _ink(rng)
    scale = float(rng.uniform(0.5, 1.0))
    for line in range(24, 215, int(36 * scale) + 4):
        text = " ".join(str(int(v)) for v in rng.integers(0, 150, 4)) if rng.random() < 0.6 else "Remi Ana Dan Ion"
        _write(picture, text, (8, line), scale, ink)
    return picture, float(rng.uniform(3, 6)), 0.02


def _coin(rng: np.random.Generator) -> tuple[Picture, NDArray[Any], float, float]:
    picture = np.full((96, 96, 3), (60.0, 130.0, 165.0) if rng.random() < 0.5 else (150.0, 150.0, 155.0), np.float32)
    alpha = np.zeros((96, 96), np.uint8)
    cv2.circle(alpha, (48, 48), 46, 255, -1, cv2.LINE_AA)
    cv2.circle(picture, (48, 48), 42, (40.0, 70.0, 90.0), 2, cv2.LINE_AA)
    _write(picture, str(rng.choice(("1", "5", "10", "50"))), (24, 64), 1.3, (50.0, 80.0, 100.0))
    return picture, alpha.astype(np.float32) / 255, float(rng.uniform(0.6, 1.1)), 0.0


def _phone(rng: np.random.Generator) -> tuple[Picture, float, float]:
    picture = _sheet(rng, 240, 120, 10, 40)
    cv2.rectangle(picture, (6, 12), (113, 228), tuple(float(v) for v in rng.uniform(20, 220, 3)), -1)
    _write(picture, f"{int(rng.integers(24)):02d}:{int(rng.integers(60)):02d}", (16, 70), 0.9, (240.0, 240.0, 240.0))
    return picture, float(rng.uniform(2.2, 3.2)), 0.25


def _dice(rng: np.random.Generator) -> tuple[Picture, float, float]:
    picture = _sheet(rng, 64, 64, 215, 250)
    for x, y in rng.permutation([(16, 16), (48, 48), (16, 48), (48, 16), (32, 32)])[: int(rng.integers(1, 6))]:
        cv2.circle(picture, (int(x), int(y)), 7, (20.0, 20.0, 20.0), -1, cv2.LINE_AA)
    return picture, float(rng.uniform(0.5, 0.8)), 0.6


def _ruler(rng: np.random.Generator) -> tuple[Picture, float, float]:
    picture = np.full((48, 420, 3), (90.0, 200.0, 225.0) if rng.random() < 0.5 else (230.0, 230.0, 230.0), np.float32)
    for step in range(15):
        cv2.line(picture, (14 + step * 28, 0), (14 + step * 28, 14), (20.0, 20.0, 20.0), 1)
        _write(picture, str(step), (8 + step * 28, 38), 0.5, (20.0, 20.0, 20.0))
    return picture, float(rng.uniform(6, 10)), 0.05


def _keys(rng: np.random.Generator) -> tuple[Picture, float, float]:
    """A pocket calculator or the keys of a telephone, dark or light."""
    body, key, ink = ((25, 90), (170, 235), 30.0) if rng.random() < 0.6 else ((150, 240), (30, 110), 240.0)
    picture, keys = _sheet(rng, 200, 140, *body), _sheet(rng, 1, 1, *key)[0, 0]
    cv2.rectangle(picture, (10, 8), (129, 44), (150.0, 180.0, 160.0), -1)
    _write(picture, str(int(rng.integers(10, 99999))), (20, 38), 0.8, (30.0, 40.0, 30.0))
    order, across, down = str(rng.choice(("7894561230.=", "123456789*0#"))), *rng.integers((26, 24), (39, 35))
    for index in range(12):
        left, top = 10 + index % 3 * 42, 52 + index // 3 * 37
        corner = (left + int(across), top + int(down))
        cv2.rectangle(picture, (left, top), corner, tuple(float(v) for v in keys), -1)
        _write(picture, order[index], (left + 8, top + 23), 0.7, (ink, ink, ink))
    return picture, float(rng.uniform(2.5, 4)), 0.2


def _calendar(rng: np.random.Generator) -> tuple[Picture, float, float]:
    """A month on paper, its days in rows of seven, with or without lines between."""
    picture, ink, lines = _sheet(rng, 170, 230, 215, 252), _ink(rng), rng.random() < 0.5
    cv2.rectangle(picture, (0, 0), (229, 26), tuple(float(v) for v in rng.uniform(40, 200, 3)), -1)
    first, scale = int(rng.integers(7)), float(rng.uniform(0.4, 0.6))
    for day in range(1, 31):
        left, top = (first + day - 1) % 7 * 32 + 3, (first + day - 1) // 7 * 28 + 30
        if lines:
            cv2.rectangle(picture, (left, top), (left + 32, top + 28), (120.0, 120.0, 120.0), 1)
        _write(picture, str(day), (left + 4, top + 20), scale, (30.0, 25.0, 200.0) if (first + day) % 7 == 0 else ink)
    return picture, float(rng.uniform(4, 7)), 0.02


def fingers(
    image: Image, owner: NDArray[np.int16], tiles: list[NDArray[Any]], rng: np.random.Generator, hidden: int
) -> None:
    """Now and then a finger or two reach in from the edge towards a tile and cover a part of it."""
    if rng.random() > 0.1:
        return
    height, width = image.shape[:2]
    target = tiles[int(rng.integers(len(tiles)))]
    tip, thick = target[2:].mean(axis=0), max(6, int(np.linalg.norm(target[1] - target[0]) * rng.uniform(0.5, 0.85)))
    skin = np.array([(150, 175, 225), (110, 140, 200), (70, 95, 150), (50, 65, 105)][int(rng.integers(4))], np.float64)
    mask = np.zeros((height, width), np.uint8)
    start = np.array([rng.uniform(0, width), height + thick * 2])
    for finger in range(int(rng.integers(1, 4))):
        offset = np.array([finger * thick * 1.05, abs(finger - 1) * thick * 0.5])
        ends = [
            tuple(int(v) for v in point) for point in (start + offset, (start + tip * 2) / 3 + offset, tip + offset)
        ]
        for first, last in pairwise(ends):
            cv2.line(mask, first, last, 255, thick, cv2.LINE_AA)
    soft = cv2.GaussianBlur(mask, (0, 0), thick * 0.3).astype(np.float32)[..., None] / 255
    alpha = mask.astype(np.float32)[..., None] / 255
    image[:] = np.clip(image * (1 - alpha) + skin * (0.35 + 0.7 * soft) * alpha, 0, 255).astype(np.uint8)
    owner[mask > 127] = hidden
