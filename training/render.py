"""Rendered photos with their truth: what the models are trained on and measured with.

`render_scene(seed)` gives a photo of a rack, of melds on a table, of a heap, of one tile, or of a whole box laid out in
order; the same seed gives the same pixels on the same machine (typefaces come from what is installed).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from training import clutter, faces, grounds, phone, scenes, space
from training.constants import COLOURS
from training.space import Camera, Slab
from training.styles import Style, sample_style

__all__ = ["Placed", "Scene", "Style", "render_box", "render_scene", "sample_style"]

Image = NDArray[np.uint8]
Corners = NDArray[Any]  # float32
Share4 = tuple[float, float, float, float]
_KIND_SHARES = (0.36, 0.24, 0.24, 0.06, 0.10)
_SMALLEST = (26, 10)  # width of a tile and height of a print in pixels, where the picture's width is free
_READABLE = 0.3  # share of a number that must be seen for the tile to stand in the rows
_HIDDEN = 32767  # what the owner map holds where something else lies over the tiles


@dataclass(frozen=True)
class Placed:
    """One tile in a rendered photo.

    `corners` is 4 x 2 pixels, clockwise from the tile's own top-left; `number_centre` and `number_height` (pixels)
    belong to the printed number or drawing (of a blank: the middle of its face); `angle` is where the tile's up
    points, degrees clockwise from up; `visible` the share of the printed symbol's area that is not covered, times the
    root of the share that is in the picture.
    """

    tile: str
    corners: Corners
    number_centre: tuple[float, float]
    number_height: float
    angle: float
    visible: float

    @property
    def breadth(self) -> float:
        """How broad the tile is seen where it is narrowest, pixels: its area over its longest side."""
        sides = np.linalg.norm(self.corners - np.roll(self.corners, 1, axis=0), axis=1)
        return abs(_signed_area(self.corners)) / 2 / float(sides.max())


@dataclass(frozen=True)
class Scene:
    """A rendered photo (height x width x 3, blue-green-red) with its truth.

    `rows` is empty for a heap; `softness` is the standard deviation of the blur, pixels.
    """

    image: Image
    tiles: tuple[Placed, ...]
    rows: tuple[str, ...]
    style: str
    kind: str
    softness: float


def render_box(style: Style, seed: int, *, width: int | None = None) -> Scene:
    """A photo of the whole box `style` laid out as `learn` asks for it: red, blue, black, yellow, the jokers."""
    rows = [" ".join(f"{colour}{number}" for number in range(1, 14)) for colour in COLOURS]
    return render_scene(seed, held_out=style.held_out, kind="box", style=style, tiles=[*rows, "J J"], width=width)


def render_scene(  # noqa: PLR0913 - each is a choice a caller makes by name
    seed: int,
    *,
    held_out: bool = False,
    kind: str | None = None,
    style: Style | None = None,
    tiles: Sequence[str] | None = None,
    width: int | None = None,
) -> Scene:
    """Render one photo.

    Args:
        seed: the same seed and choices give the same picture.
        held_out: use the looks, grounds and angles kept out of training, and only for measuring.
        kind: one of `scenes.KINDS`; by lot when left out.
        style: the box; a fresh one by lot when left out.
        tiles: rows in notation (`R3 R4 R5 | A8 N8`); by lot when left out.
        width: of the picture in pixels; by lot when left out.

    Raises:
        ValueError: `kind` is none of `scenes.KINDS`.
    """
    rng = np.random.default_rng((seed, 1, int(held_out)))
    kind = kind or str(rng.choice(scenes.KINDS, p=_KIND_SHARES))
    if kind not in scenes.KINDS:
        raise ValueError(f"{kind}: a scene is one of {', '.join(scenes.KINDS)}")
    style = style or sample_style(int(rng.integers(2**31)), held_out)
    layout = scenes.lay_out(kind, style, rng, scenes.parse_rows(tiles) if tiles else None, held_out=held_out)
    camera = _camera(layout, style.number, rng, width)
    image = _ground(camera, rng, held_out=held_out)
    owner = np.zeros(image.shape[:2], np.int16)
    things = clutter.around(layout, rng)
    symbols = _paint(image, owner, camera, things, layout, style, rng)
    clutter.fingers(image, owner, [_outline(slab, camera) for slab in layout.slabs if slab.is_tile], rng, _HIDDEN)
    placed = _truth(layout, camera, owner, symbols)
    photo, softness = phone.photograph(image, rng)
    seen = tuple(tile for tile in placed if tile.visible > 0)
    return Scene(photo, seen, _rows(layout, placed), style.name, kind, softness)


def _camera(layout: scenes.Layout, number: float, rng: np.random.Generator, width: int | None) -> Camera:
    """Where the photo is taken from; `number` is the height of a print over that of its tile."""
    chosen = width or int(rng.choice((480, 560, 640, 750, 800, 1000, 1000, 1280)))
    tall = rng.choice((0.75, 0.75, 4 / 3, 9 / 16, 1.0))
    if layout.kind == "rack":
        tall = rng.choice((0.75, 0.75, 9 / 16, 1.0))
    size = (chosen, round(chosen * tall))
    points = np.concatenate([slab.front() for slab in layout.slabs if slab.is_tile])
    pitch = rng.uniform(25, 68) if layout.kind == "rack" else abs(rng.normal(0, 26)) % 56
    if rng.random() < 0.12:
        pitch = rng.uniform(60, 70)
    fill = rng.uniform(0.55, 0.96)
    if layout.kind == "pile" and rng.random() < 0.4:
        fill = rng.uniform(1.0, 1.4)
    if layout.kind == "single":
        fill = rng.uniform(0.12, 0.6)
    turn = rng.normal(0, 10) if layout.kind in ("rack", "box") else rng.normal(0, 14)
    angles, focal = (float(pitch), float(turn), float(rng.normal(0, 3))), float(rng.uniform(0.75, 1.4))
    camera = space.fitted(points, size, angles, focal, float(fill))
    seen = camera.project(points).reshape(-1, 4, 2)
    wide = float(np.median(np.linalg.norm(seen[:, 1] - seen[:, 0], axis=1)))
    high = float(np.percentile(np.linalg.norm(seen[:, 3] - seen[:, 0], axis=1), 10)) * number
    larger = max(_SMALLEST[0] / wide, _SMALLEST[1] / high)
    if width is None and larger > 1:  # nobody could read these: take the photo with more pixels
        size = (round(size[0] * min(larger, 3)), round(size[1] * min(larger, 3)))
        camera = space.fitted(points, size, angles, focal, max(float(fill), 0.85))
    return camera


def _ground(camera: Camera, rng: np.random.Generator, *, held_out: bool) -> Image:
    texture = grounds.ground(rng, held_out=held_out)
    turn, span = rng.uniform(0, 2 * np.pi), rng.uniform(7, 22)
    to_texture = np.diag([grounds.SIDE / span, -grounds.SIDE / span, 1.0]) @ np.array(
        [[np.cos(turn), -np.sin(turn), 40.0], [np.sin(turn), np.cos(turn), 40.0], [0, 0, 1]]
    )
    width, height = camera.size
    back = np.linalg.inv(camera.table())
    image = cv2.warpPerspective(
        texture,
        to_texture @ back,
        (width, height),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_WRAP,
    )
    # Above the horizon there is no table but a room.
    x, y = np.meshgrid(np.arange(0, width + 8, 8), np.arange(0, height + 8, 8))
    facing = back[2, 0] * x + back[2, 1] * y + back[2, 2]
    middle = back[2, 0] * width / 2 + back[2, 1] * height + back[2, 2]
    above = (facing * np.sign(middle) < abs(middle) * 0.06).astype(np.float32)
    if above.any():
        mask = cv2.resize(above, (width, height), interpolation=cv2.INTER_LINEAR)[..., None]
        room = cv2.resize(
            rng.uniform(20, 230, (3, 4, 3)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC
        )
        image = np.clip(image * (1 - mask) + room * mask, 0, 255).astype(np.uint8)
    return np.ascontiguousarray(image)


def _outline(slab: Slab, camera: Camera) -> Corners:
    return camera.project(slab.front()).astype(np.float32)


def _paint(  # noqa: PLR0913, PLR0917 - the two maps are written, the rest is what is drawn
    image: Image,
    owner: NDArray[np.int16],
    camera: Camera,
    things: list[clutter.Thing],
    layout: scenes.Layout,
    style: Style,
    rng: np.random.Generator,
) -> list[Share4]:
    """Paint things, boards and tiles; the answer is where each slab's print stands on its front."""
    symbols: list[Share4] = []
    light = rng.normal(0, 0.6, 2)
    dark = float(rng.uniform(0.25, 0.65))
    for thing in things:
        _cast(image, thing.slab, camera, light, dark)
        _slab(image, owner, camera, thing.slab, _HIDDEN, faces.Face(thing.picture, thing.alpha, (0, 0, 1, 1)))
    if not layout.stacked:
        for slab in layout.slabs:
            _cast(image, slab, camera, light, dark)
    for index, slab in enumerate(layout.slabs, 1):
        if layout.stacked:
            _cast(image, slab, camera, light, dark)
        if slab.is_tile:
            face = faces.paint(slab.shows, style, rng, _paint_height(slab, camera))
        else:
            face = _board(slab, camera, rng)
        symbols.append(face.symbol)
        side = style.side if slab.is_tile else slab.tint
        _slab(image, owner, camera, slab, index if slab.is_tile else _HIDDEN, face, side)
    return symbols


def _paint_height(slab: Slab, camera: Camera) -> int:
    """Pixels for a face before it is warped: a little more than it will cover."""
    corners = _outline(slab, camera)
    tall = max(float(np.linalg.norm(corners[3] - corners[0])), float(np.linalg.norm(corners[2] - corners[1])))
    wide = float(np.linalg.norm(corners[1] - corners[0]))
    aspect = float(np.linalg.norm(slab.down) / np.linalg.norm(slab.right))
    return int(np.clip(1.2 * max(tall, wide * aspect), 24, 900))


def _board(slab: Slab, camera: Camera, rng: np.random.Generator) -> faces.Face:
    corners = _outline(slab, camera)
    width = int(np.clip(np.linalg.norm(corners[1] - corners[0]), 8, 1200))
    height = int(np.clip(np.linalg.norm(corners[3] - corners[0]), 4, 600))
    grain = cv2.resize(rng.normal(0, 0.06, (14, 5)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    picture = np.array(slab.tint[::-1], np.float32) * (1 + grain + rng.normal(0, 0.06))[..., None]
    return faces.Face(picture.astype(np.float32), np.ones((height, width), np.float32), (0, 0, 1, 1))


def _cast(image: Image, slab: Slab, camera: Camera, light: NDArray[np.float64], dark: float) -> None:
    """The soft shadow a slab throws on what is already painted."""
    drop = np.array([*light, 0.0]) * max(slab.thickness, 0.1)
    shape = camera.project(np.concatenate([slab.back(), slab.back() + drop, slab.front() + drop * 0.2]))
    size = float(np.linalg.norm(shape[1] - shape[0]))
    reach = max(2, int(size * 0.12 * (1 if slab.is_tile else 0.3)))
    area = _area(shape, image.shape, reach * 2)
    if area is None:
        return
    left, top, right, bottom = area
    shrink = max(1, int(reach / 3))
    mask: NDArray[Any] = np.zeros(((bottom - top) // shrink + 1, (right - left) // shrink + 1), np.float32)
    hull = cv2.convexHull(((shape - (left, top)) / shrink).astype(np.float32)).astype(np.int32)
    cv2.fillConvexPoly(mask, hull, dark)
    mask = cv2.GaussianBlur(mask, (0, 0), max(0.8, reach / shrink * 0.5))
    factor = 1 - cv2.resize(mask, (right - left, bottom - top), interpolation=cv2.INTER_LINEAR)
    part = image[top:bottom, left:right]
    part[:] = cv2.multiply(part, cv2.merge([factor] * 3), dtype=cv2.CV_8U)


def _area(shape: NDArray[Any], size: tuple[int, ...], margin: int) -> tuple[int, int, int, int] | None:
    low = np.maximum(np.floor(shape.min(axis=0)).astype(int) - margin, 0)
    high = np.minimum(np.ceil(shape.max(axis=0)).astype(int) + margin + 1, (size[1], size[0]))
    if (high - low).min() < 2:
        return None
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def _slab(  # noqa: PLR0913, PLR0917 - the two maps are written, the rest is what is drawn
    image: Image,
    owner: NDArray[np.int16],
    camera: Camera,
    slab: Slab,
    number: int,
    face: faces.Face,
    side: tuple[int, int, int] = (150, 150, 150),
) -> None:
    front, back = camera.project(slab.front()), camera.project(slab.back())
    hull = cv2.convexHull(np.concatenate([front, back]).astype(np.float32))
    area = _area(hull[:, 0], image.shape, 2)
    if area is None:
        return
    left, top, right, bottom = area
    part, shift = image[top:bottom, left:right], np.array([left, top], np.float64)
    tint = np.array(side[::-1], np.float64)
    ends = list(range(4))
    for start in ends:
        edge = np.array([front[start], front[(start + 1) % 4], back[(start + 1) % 4], back[start]]) - shift
        shade = (0.8, 0.7, 0.55, 0.66)[start]
        if _signed_area(edge) < 0:
            fixed = np.round(edge * 16).astype(np.int32)
            cv2.fillConvexPoly(part, fixed, tuple(float(v) for v in tint * shade), cv2.LINE_AA, 4)
    cv2.fillConvexPoly(owner, np.round(hull).astype(np.int32), number)
    height, width = face.alpha.shape
    source = np.array(
        [(-0.5, -0.5), (width - 0.5, -0.5), (width - 0.5, height - 0.5), (-0.5, height - 0.5)], np.float32
    )
    to_part = cv2.getPerspectiveTransform(source, (front - shift).astype(np.float32))
    squash = np.linalg.norm(front[1] - front[0]) / width / max(np.linalg.norm(front[3] - front[0]) / height, 1e-3)
    picture = cv2.blur(face.picture, (1, round(float(squash)))) if 1.5 < squash < 40 else face.picture
    size = (right - left, bottom - top)
    warped = cv2.warpPerspective(picture, to_part, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    alpha = cv2.warpPerspective(face.alpha, to_part, size, flags=cv2.INTER_LINEAR)[..., None]
    part[:] = np.clip(part + (warped - part) * alpha, 0, 255).astype(np.uint8)


def _signed_area(corners: NDArray[np.float64]) -> float:
    x, y = corners[:, 0], corners[:, 1]
    return float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))


def _truth(layout: scenes.Layout, camera: Camera, owner: NDArray[np.int16], symbols: list[Share4]) -> list[Placed]:
    placed = []
    for index, slab in enumerate(layout.slabs, 1):
        if not slab.is_tile:
            continue
        left, top, right, bottom = symbols[index - 1]
        middle = ((left + right) / 2, (top + bottom) / 2)
        spots = [slab.spot(*spot) for spot in ((left, top), (right, top), (right, bottom), (left, bottom))]
        spots += [slab.spot(*middle), slab.spot(middle[0], top), slab.spot(middle[0], bottom)]
        seen = camera.project(np.array(spots))
        up = seen[5] - seen[6]
        placed.append(
            Placed(
                slab.shows,
                _outline(slab, camera),
                (float(seen[4][0]), float(seen[4][1])),
                float(np.linalg.norm(up)),
                float(np.degrees(np.arctan2(up[0], -up[1]))),
                _visible(seen[:4], owner, index),
            )
        )
    return placed


def _visible(shape: NDArray[np.float64], owner: NDArray[np.int16], number: int) -> float:
    area = _area(shape, owner.shape, 0)
    if area is None:
        return 0.0
    left, top, right, bottom = area
    mask = np.zeros((bottom - top, right - left), np.uint8)
    cv2.fillConvexPoly(mask, np.round(shape - (left, top)).astype(np.int32), 1)
    own = int(((owner[top:bottom, left:right] == number) & (mask > 0)).sum())
    inside = int(mask.sum())
    whole = abs(_signed_area(shape)) / 2
    within = min(1.0, (inside + 1) / max(whole, 1.0))  # what the edge cuts straight through is easier to tell
    return min(1.0, own / max(inside, 1)) * within**0.5


def _rows(layout: scenes.Layout, placed: list[Placed]) -> tuple[str, ...]:
    """Rows from top to bottom without covered tiles; melds on a table are ordered by where their middle is."""
    found = iter(placed)
    rows = []
    for row in layout.rows:
        groups = [[next(found) for _ in group] for group in row]
        middle = float(np.mean([tile.number_centre[1] for group in groups for tile in group]))
        seen = (tuple(tile.tile for tile in group if tile.visible >= _READABLE) for group in groups)
        rows.append((middle, scenes.format_row(tuple(group for group in seen if group))))
    if layout.kind == "melds":
        rows.sort()
    return tuple(text for _, text in rows if text)
