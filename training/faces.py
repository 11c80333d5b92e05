"""The face of one tile, seen straight on: material, number or symbol, ink, grooves, wear."""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from training import symbols
from training.styles import Ink, Style
from training.typefaces import Mask, glyphs

Picture = NDArray[Any]  # float32
COLOURS = "RANG"


@dataclass(frozen=True)
class Face:
    """A painted tile face.

    `picture` is height x width x 3, blue-green-red in 0..255; `alpha` its rounded outline; `symbol` the printed number
    or drawing as (left, top, right, bottom) in shares of width and height.
    """

    picture: Picture
    alpha: Mask
    symbol: tuple[float, float, float, float]


def paint(tile: str, style: Style, rng: np.random.Generator, height: int) -> Face:
    """Paint a tile.

    Args:
        tile: in notation; `X` is a blank or the back.
        style: the box it belongs to.
        rng: draws what differs from tile to tile: grain, wear, the light in the grooves.
        height: of the picture in pixels.
    """
    width = max(8, round(height / style.aspect))
    picture = _material(style, rng, (height, width))
    relief = np.zeros((height, width), np.float32)
    layers, symbol = _print(tile, style, rng, (height, width))
    light = rng.uniform(0, 2 * np.pi)
    for mask, ink in layers:
        if ink is None:
            np.maximum(relief, mask, out=relief)
            continue
        worn = mask * _wear(style, rng, mask.shape)
        picture += (np.array(ink[::-1], np.float32) - picture) * (worn * 0.96)[..., None]
        if style.engraved:
            np.maximum(relief, mask, out=relief)
    if layers:
        picture *= _grooves(relief, max(style.engraved, 0.35), light)[..., None]
    alpha = _outline((height, width), style.corner * width)
    if style.bevel:
        inner = _outline((height, width), style.corner * width, inset=style.bevel * width)
        picture *= (1 + (1 - inner) * rng.uniform(-0.14, 0.1))[..., None].astype(np.float32)
    return Face(picture, alpha, symbol)


def _material(style: Style, rng: np.random.Generator, shape: tuple[int, int]) -> Picture:
    height, width = shape
    picture = np.empty((height, width, 3), np.float32)
    picture[:] = style.face[::-1]
    if style.grain:
        long = style.material == "wood"
        rough = rng.normal(0, 1, (5 if long else 9, max(6, width // 2) if long else 7)).astype(np.float32)
        grain = cv2.resize(rough, (width, height), interpolation=cv2.INTER_CUBIC)
        picture *= (1 + grain * 0.06 * style.grain)[..., None]
    slope = np.linspace(-1, 1, height, dtype=np.float32) * rng.uniform(-0.04, 0.04) + 1 + rng.normal(0, 0.015)
    picture *= slope[:, None, None]
    return picture


def _print(
    tile: str, style: Style, rng: np.random.Generator, shape: tuple[int, int]
) -> tuple[list[tuple[Mask, Ink | None]], tuple[float, float, float, float]]:
    """All that is printed or pressed into the face: masks with their ink (None is only pressed in)."""
    if tile == "X":
        return _back(style, shape), (0.25, 0.3, 0.75, 0.7)
    if tile in ("J", "F"):
        return _drawing(tile, style, rng, shape)
    colour = tile[0]
    ink = style.inks[COLOURS.index(colour)]
    mask, box = _number(tile[1:], style, shape)
    layers: list[tuple[Mask, Ink | None]] = [(mask, ink)]
    if style.underline and tile[1:] in ("6", "9"):
        layers.append((_line(box, shape), ink))
    layers.extend(_mark(style, colour, ink, box, shape))
    height, width = shape
    return layers, (box[0] / width, box[1] / height, box[2] / width, box[3] / height)


def _number(text: str, style: Style, shape: tuple[int, int]) -> tuple[Mask, tuple[int, int, int, int]]:
    height, width = shape
    glyph = _drawn_anew(glyphs(style.typeface, text), style)
    if style.weight:
        size = max(1, round(style.weight * glyph.shape[0])) * 2 + 1
        glyph = np.pad(glyph, size // 2)
        glyph = cv2.dilate(glyph, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)))
    tall = style.number * height
    wide = glyph.shape[1] / glyph.shape[0] * tall * style.squeeze
    narrow = min(1.0, 0.84 * width / wide)
    if narrow < 0.7:
        tall *= narrow / 0.7
    size = (max(2, round(wide * narrow)), max(3, round(tall)))
    small = cv2.resize(glyph, size, interpolation=cv2.INTER_AREA)
    left = (width - size[0]) // 2
    top = int(np.clip(round(style.number_y * height - size[1] / 2), 1, height - size[1] - 1))
    mask = np.zeros(shape, np.float32)
    mask[top : top + size[1], left : left + size[0]] = small
    return mask, (left, top, left + size[0], top + size[1])


def _drawn_anew(glyph: Mask, style: Style) -> Mask:
    """A glyph as another hand might draw it: leaning, with its waist elsewhere, rounder."""
    height, width = glyph.shape
    if style.slant or style.waist:
        lean = abs(style.slant) * height
        y, x = np.mgrid[0:height, 0 : width + round(lean)].astype(np.float32)
        from_top = y / height
        x += -lean * (1 - from_top) if style.slant > 0 else -lean * from_top
        y = height * from_top ** np.float32(2**style.waist)
        glyph = cv2.remap(glyph, x, y, cv2.INTER_LINEAR)
    if style.rounding:
        soft = cv2.GaussianBlur(np.pad(glyph, 4), (0, 0), style.rounding * height)
        glyph = np.clip((soft[4:-4, 4:-4] - 0.5) * 6 + 0.5, 0, 1)
    return glyph


def _line(box: tuple[int, int, int, int], shape: tuple[int, int]) -> Mask:
    mask = np.zeros(shape, np.float32)
    tall = box[3] - box[1]
    top = min(box[3] + round(tall * 0.12), shape[0] - 3)
    mask[top : top + max(1, round(tall * 0.1)), box[0] : box[2]] = 1
    return mask


def _mark(
    style: Style, colour: str, ink: Ink, box: tuple[int, int, int, int], shape: tuple[int, int]
) -> list[tuple[Mask, Ink | None]]:
    height, width = shape
    tint = ink if style.mark_ink == "number" else None
    if style.mark in ("none", "line"):
        return []
    if style.mark in ("ring", "dish"):
        centre = (width // 2, (box[1] + box[3]) // 2)
        canvas = np.zeros(shape, np.uint8)
        line = -1 if style.mark == "dish" else max(1, round(0.025 * width))
        radius = min(round(0.43 * width), centre[1] - 2)
        cv2.circle(canvas, centre, max(3, radius), 255, line, cv2.LINE_AA)
        return [(canvas.astype(np.float32) / (255 if line > 0 else 700), tint if line > 0 else None)]
    below = box[3] + 0.03 * height + (0.2 * (box[3] - box[1]) if style.underline else 0)
    side = round(min((0.95 * height - below), (0.16 if style.mark == "dot" else 0.34) * width))
    if side < 0.08 * width:
        return []
    small = cv2.resize(symbols.mark(style.mark, colour), (side, side), interpolation=cv2.INTER_AREA)
    mask = np.zeros(shape, np.float32)
    top, left = round((below + 0.95 * height - side) / 2), (width - side) // 2
    mask[top : top + side, left : left + side] = small
    return [(mask, tint)]


def _drawing(
    tile: str, style: Style, rng: np.random.Generator, shape: tuple[int, int]
) -> tuple[list[tuple[Mask, Ink | None]], tuple[float, float, float, float]]:
    height, width = shape
    drawn = symbols.joker(style, rng) if tile == "J" else symbols.false_joker(style.false_joker)
    tall = round(min(max(style.number, 0.38) * 1.25, 0.8) * height)
    wide = min(round(0.82 * width), tall)
    tall = min(tall, round(wide * 1.6)) if style.joker == "mirrored" and tile == "J" else wide
    centre = min(max(style.number_y, tall / height / 2 + 0.05), 0.5)
    top, left = round(centre * height - tall / 2), (width - wide) // 2
    inks = style.joker_inks if tile == "J" else (style.inks[int(rng.integers(4))], style.joker_inks[0])
    if tile == "J" and len(inks) > 1 and rng.random() < 0.3:
        inks = (inks[int(rng.integers(len(inks)))],)
    layers: list[tuple[Mask, Ink | None]] = []
    for layer, number in drawn:
        mask = np.zeros(shape, np.float32)
        mask[top : top + tall, left : left + wide] = cv2.resize(layer, (wide, tall), interpolation=cv2.INTER_AREA)
        layers.append((mask, inks[number % len(inks)]))
    return layers, (left / width, top / height, (left + wide) / width, (top + tall) / height)


def _back(style: Style, shape: tuple[int, int]) -> list[tuple[Mask, Ink | None]]:
    if style.back == "plain":
        return []
    if style.back == "other":
        return [(np.full(shape, 0.9, np.float32), style.side)]
    text = glyphs(style.typeface, "remi")
    wide = round(0.6 * shape[1])
    small = cv2.resize(text, (wide, max(2, round(wide * text.shape[0] / text.shape[1]))), interpolation=cv2.INTER_AREA)
    mask = np.zeros(shape, np.float32)
    top, left = (shape[0] - small.shape[0]) // 2, (shape[1] - wide) // 2
    mask[top : top + small.shape[0], left : left + wide] = small
    return [(mask, None)]


def _wear(style: Style, rng: np.random.Generator, shape: tuple[int, ...]) -> Mask:
    if not style.wear:
        return np.ones(shape, np.float32)
    rough = cv2.resize(rng.random((shape[0] // 4 + 2, shape[1] // 4 + 2)).astype(np.float32), (shape[1], shape[0]))
    return np.clip((rough - style.wear) * 6 + 0.5, 0.25, 1)


def _grooves(relief: Mask, depth: float, light: float) -> Mask:
    soft = cv2.GaussianBlur(relief, (0, 0), max(0.6, relief.shape[0] * 0.008))
    slope_x = cv2.Sobel(soft, cv2.CV_32F, 1, 0)
    slope_y = cv2.Sobel(soft, cv2.CV_32F, 0, 1)
    shade = (slope_x * np.cos(light) + slope_y * np.sin(light)) * 0.22 * depth
    return np.clip(1 + shade - 0.12 * depth * soft, 0.35, 1.5)


def _outline(shape: tuple[int, int], radius: float, inset: float = 0) -> Mask:
    height, width = shape
    y = np.maximum(np.abs(np.arange(height, dtype=np.float32) - (height - 1) / 2) - (height / 2 - radius - inset), 0)
    x = np.maximum(np.abs(np.arange(width, dtype=np.float32) - (width - 1) / 2) - (width / 2 - radius - inset), 0)
    return np.clip(radius + 0.5 - np.sqrt(x[None, :] ** 2 + y[:, None] ** 2), 0, 1).astype(np.float32)
