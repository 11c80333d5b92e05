"""From photos of one's own box, laid out in order, to its profile: its inks, and what its prints look like.

Each tile is cut out many times, a little moved, turned, squeezed, blurred and relit, as other photos will show it; an
ink is the mean of what is seen of it, and the reader's last layer is corrected until it reads the crops right.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from remi_ref.vision.correction import fit_correction
from remi_ref.vision.find import Found, levels_of
from remi_ref.vision.learning import learn
from remi_ref.vision.photo import load_photo
from remi_ref.vision.profile import COLOURS, Profile
from remi_ref.vision.read import CLASSES, CROP, NONE, cut
from remi_ref.vision.views import best_look

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.random import Generator
    from numpy.typing import NDArray

    from remi_ref.vision.learning import Learned
    from remi_ref.vision.read import Picture, Readers
    from remi_ref.vision.sighting import Sighting

    Array = NDArray[np.float32]

LOOKS = 16  # crops of each tile
BESIDE = 20  # about so many places that show no tile
APART = 0.75  # heights from the nearest symbol; nearer than this a crop shows it
LOWEST = 0.5  # seen from low down, a tile is this share of its height
OTHER_PHOTOS = 0.05  # how far an ink lies off, in each channel, in a photo with other light


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
    texts: list[str] = []
    for number, picture in enumerate(pictures):
        levels = levels_of(picture)
        shown = [(text, _found(seen)) for photo, text, seen in learned.tiles if photo == number]
        for text, found in [*shown, *((CLASSES[NONE], one) for one in _beside([found for _, found in shown], rng))]:
            crops += [_relit(cut(levels, _moved(found, rng)), rng) for _ in range(LOOKS)]
            texts += [text] * LOOKS
    classes = np.array([CLASSES.index(text[1:] if text[0] in COLOURS else text) for text in texts])
    colours = np.array([COLOURS.find(text[0]) for text in texts])
    coloured = [crop for crop, colour in zip(crops, colours, strict=True) if colour >= 0]
    inks, spread = inks_of(readers.see_inks(coloured), colours[colours >= 0])
    correction = fit_correction(readers.describe(crops), classes, colours)
    return Profile(name, tuple(text for _, text, _ in learned.tiles), inks, spread, correction)


def _found(seen: Sighting) -> Found:
    return Found(seen.centre, seen.height, seen.angle, 1.0)


def _beside(found: Sequence[Found], rng: Generator) -> Iterator[Found]:
    """Places beside the symbols where there is none, as they would be cut out if the finder fell for them."""
    centres = np.array([one.centre for one in found]).reshape(-1, 2)
    for one in found[:: max(1, len(found) // BESIDE)]:
        turn = rng.uniform(0, 2 * np.pi)
        place = np.asarray(one.centre) + one.height * rng.uniform(0.8, 2.0) * np.array([np.cos(turn), np.sin(turn)])
        if np.hypot(*(centres - place).T).min() > APART * one.height:
            yield Found((float(place[0]), float(place[1])), one.height, float(rng.uniform(0, 360)), 1.0)


def inks_of(seen: Array, colours: NDArray[np.int_]) -> tuple[Array, Array]:
    """The inks of the four colours (4 x 3, not numbers where there is none) and their spread (3 x 3).

    Args:
        seen: inks over their faces (N x 3), several of each colour.
        colours: of each, 0 to 3.
    """
    inks = np.full((len(COLOURS), seen.shape[1]), np.nan, np.float32)
    for colour in np.unique(colours):
        inks[colour] = seen[colours == colour].mean(axis=0)
    off = seen - inks[colours]
    spread = off.T @ off / max(1, len(off)) + OTHER_PHOTOS**2 * np.eye(seen.shape[1])
    return inks, np.asarray(spread, np.float32)


def _moved(found: Found, rng: Generator) -> Found:
    """The same symbol as badly placed as a straightened one may be."""
    x, y = np.asarray(found.centre) + found.height * rng.normal(0, 0.05, 2)
    zoom, turn = float(np.exp(rng.normal(0, 0.06))), float(rng.normal(0, 3))
    return Found((float(x), float(y)), found.height * zoom, found.angle + turn, found.heat)


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
