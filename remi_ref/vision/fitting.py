"""From photos of one's own box, laid out in order, to its profile: the reader's last layer fitted to these tiles.

Each tile is cut out many times, a little moved, turned, squeezed, blurred and relit, as other photos will show it; what
lies beside the tiles is shown as what is none. Weights that add to what the network says are then found by gradient
descent, kept small so that what it knew stays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from remi_ref.vision.find import Found, levels_of
from remi_ref.vision.learning import learn
from remi_ref.vision.photo import load_photo
from remi_ref.vision.profile import COLOURS, FEATURES, Profile
from remi_ref.vision.read import CLASSES, CROP, NONE, cut
from remi_ref.vision.views import best_look

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.random import Generator
    from numpy.typing import NDArray

    from remi_ref.vision.learning import Learned
    from remi_ref.vision.read import Picture, Readers

    Array = NDArray[np.float32]

LOOKS = 20  # crops of each tile
BESIDE = 4  # crops beside each tile
LOWEST = 0.5  # seen from low down, a tile is this share of its height
KEEP = 0.1  # how strongly the weights are kept small
STEPS = 300
RATE = 0.5
APART = 0.85  # what is this many heights away from every symbol is none
_BATCH = 64


def teach(name: str, photos: Sequence[str | Path], readers: Readers) -> tuple[Profile, Learned]:
    """Learns the box that lies in order in one or more photos.

    Raises:
        Unreadable: a photo cannot be read, shows too few tiles, or not in order.
    """
    pictures = [load_photo(photo).pixels for photo in photos]
    learned = learn([best_look(readers, picture) for picture in pictures])
    return fit(name, pictures, learned, readers), learned


def fit(name: str, pictures: Sequence[Picture], learned: Learned, readers: Readers) -> Profile:
    """The profile of the tiles that were placed in pictures (H, W, 3, BGR) which the networks read untaught."""
    rng = np.random.default_rng(1)
    crops: list[Picture] = []
    classes: list[int] = []
    colours: list[int] = []
    for number, picture in enumerate(pictures):
        levels = levels_of(picture)
        tiles = [
            (text, Found(seen.centre, seen.height, seen.angle, 1.0)) for n, text, seen in learned.tiles if n == number
        ]
        places = [found for _, found in tiles]
        for text, found in tiles:
            none = [other for _ in range(BESIDE) if (other := _beside(found, places, rng)) is not None]
            looks = [_moved(found, rng) for _ in range(LOOKS)]
            crops += [_relit(cut(levels, look), rng) for look in (*looks, *none)]
            classes += [CLASSES.index(text if text in CLASSES else text[1:])] * LOOKS + [NONE] * len(none)
            colours += [COLOURS.find(text[0])] * LOOKS + [-1] * len(none)
    rows = np.concatenate([readers.describe(np.stack(crops[at : at + _BATCH])) for at in range(0, len(crops), _BATCH)])
    weights = fitted_weights(rows, np.array(classes), np.array(colours))
    return Profile(name, tuple(text for _, text, _ in learned.tiles), weights)


def _moved(found: Found, rng: Generator) -> Found:
    """The same symbol as badly placed as a straightened one may be."""
    x, y = np.asarray(found.centre) + found.height * rng.normal(0, 0.05, 2)
    zoom, turn = float(np.exp(rng.normal(0, 0.06))), float(rng.normal(0, 3))
    return Found((float(x), float(y)), found.height * zoom, found.angle + turn, found.heat)


def _beside(found: Found, places: Sequence[Found], rng: Generator) -> Found | None:
    """A place near a symbol where there is none, if the lot finds one."""
    turn, away = rng.uniform(0, 2 * np.pi), found.height * rng.uniform(0.9, 1.8)
    place = np.asarray(found.centre) + away * np.array([np.cos(turn), np.sin(turn)])
    gaps = [np.hypot(*(np.asarray(other.centre) - place)) / other.height for other in places]
    if min(gaps) < APART:
        return None
    return Found((float(place[0]), float(place[1])), found.height, found.angle + float(rng.normal(0, 20)), found.heat)


def _relit(crop: Picture, rng: Generator) -> Picture:
    """A lower camera, fewer pixels, another lamp."""
    turn, flat = rng.uniform(0, np.pi), float(np.exp(rng.uniform(np.log(LOWEST), 0)))
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    squeeze = axes.T @ np.diag([flat, 1.0]) @ axes / np.sqrt(flat)
    middle = np.full(2, CROP / 2)
    matrix = np.column_stack([squeeze, middle - squeeze @ middle])
    crop = cv2.warpAffine(crop, matrix, (CROP, CROP), borderMode=cv2.BORDER_REPLICATE)
    if rng.random() < 0.6:
        small = round(CROP * rng.uniform(0.22, 0.9))
        crop = cv2.resize(cv2.resize(crop, (small, small), interpolation=cv2.INTER_AREA), (CROP, CROP))
    gains = np.exp(rng.normal(0, 0.08, 3) + rng.normal(-0.1, 0.3))
    fade = rng.uniform(0, 60) if rng.random() < 0.3 else 0.0
    image = crop * gains * (1 - fade / 150) + fade + rng.normal(0, rng.uniform(1, 10), crop.shape)
    return np.clip(image, 0, 255).astype(np.uint8)


def fitted_weights(rows: Array, classes: NDArray[np.int_], colours: NDArray[np.int_]) -> Array:
    """Weights (129 x 21) from rows of the reader, the class of each and its colour (-1 where it has none)."""
    features = rows[:, -FEATURES:]
    scale = float(np.sqrt((features**2).sum(axis=1).mean())) + 1e-9
    inputs = np.column_stack([features / scale, np.ones(len(rows), np.float32)])
    coloured = colours >= 0
    by_class = _descend(inputs, rows[:, : len(CLASSES)], classes)
    said = rows[coloured, len(CLASSES) : len(CLASSES) + len(COLOURS)]
    by_colour = _descend(inputs[coloured], said, colours[coloured])
    weights = np.column_stack([by_class, by_colour])
    weights[:-1] /= scale
    return np.asarray(weights, np.float32)


def _descend(inputs: Array, said: Array, wanted: NDArray[np.int_]) -> Array:
    """What to add to logits (N x K), linear in the inputs (N x D), so that the wanted classes are said: D x K."""
    truth = np.eye(said.shape[1], dtype=np.float32)[wanted]
    weights = np.zeros((inputs.shape[1], said.shape[1]), np.float32)
    speed = np.zeros_like(weights)
    for _ in range(STEPS):
        logits = said + inputs @ weights
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        slope = inputs.T @ (chances - truth) / len(inputs) + KEEP * weights / len(said[0])
        speed = 0.9 * speed - RATE * slope
        weights += speed
    return weights
