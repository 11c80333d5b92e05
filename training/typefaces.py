"""Typefaces: which are on this machine, which are kept out of training, and their glyphs as masks.

Only upright faces whose digits a player would take for a tile's numbers are used. Where no font package is installed
the strokes that come with OpenCV serve, so rendering never depends on what a machine has.
"""

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any
from zlib import crc32

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

Mask = NDArray[Any]  # float32

_FOLDERS = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"))
_STROKES = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
)
_HAIRLINES = ("hairline", "thin", "extralight", "ecolier")
# Symbols, hairlines, slanted or handwritten digits: no maker prints those on a tile.
_NO_TILE_FACE = (
    *(
        "symbol",
        "dingbat",
        "emoji",
        "math",
        "music",
        "braille",
        "barcode",
        "d050000l",
        "standardsymbols",
        "signwriting",
    ),
    *_HAIRLINES,
    *("italic", "oblique", "slanted", "initials", "z003", "chancery", "scanlines"),
    *("lmmath", "lmmono", "isabella", "essays", "rufscript", "breip", "bold-it", "linbiolinum_k", "_ri", "mono-i"),
    *("smallcaps", "unslanted", "keyboard", "semiboldit", "boldit", "lightit", "redaction", "dunhill"),
)
_SLANTED = ("italic", "oblique", "slanted", "chancery", "z003", "isabella", "essays", "rufscript")
_RASTER = 160
_THINNEST = 0.035  # half a stroke over the height of the digit; thinner ones nobody prints on a tile
# Faces, figures and beasts that could be a joker; a font draws those it has.
_PICTOGRAMS = (
    "☺☻♔♕♚♛★☆✪✹☀☼♞♘🂿🃏🃟🎭👑🤡😀😁😃😄😆😈😉😊😋😎😛😜😝😺😸"
    "👹👺👻👽💀🐒🐵🙈🙊🐱🐸🐼🐻🎩🎃🎪🤖👦👧👨👩👮👲👳👴👸🐯🐰🐶🐷🐲🐔🐘"
)
_PICTOGRAM_FONTS = ("Symbola_hint.ttf", "Symbola.ttf", "DejaVuSans.ttf")
_KEPT_OUT_OF = 5


def _files() -> list[Path]:
    return [p for folder in _FOLDERS if folder.is_dir() for p in folder.rglob("*") if p.suffix in {".ttf", ".otf"}]


@lru_cache(maxsize=1)
def _installed() -> tuple[str, ...]:
    fit = (str(p) for p in _files() if not any(word in p.name.lower() for word in _NO_TILE_FACE))
    return tuple(sorted(path for path in fit if _family(path) and _draws_digits(path)))


def _family(path: str) -> str:
    """The family a font file belongs to, so that bold and regular are kept out together.

    The many Noto faces share one set of Latin digits; only the plain ones count.
    """
    name = Path(path).stem.lower().replace("_", "-")
    if name.startswith("noto") and not name.startswith(
        ("notosans-", "notoserif-", "notosansmono-", "notosansdisplay-")
    ):
        return ""
    return name.split("-")[0].rstrip("0123456789")


def _draws_digits(path: str) -> bool:
    """Whether a font has ten different digits of lining height (old-style digits dance on the line)."""
    try:
        masks = [_font_mask(path, digit) for digit in "0123456789"]
    except (OSError, ValueError):
        return False
    heights = [mask.shape[0] for mask in masks]
    spread = max(heights) / max(1, min(heights))
    return len({mask.tobytes() for mask in masks}) == 10 and spread < 1.12 and _stroke(masks[7]) > _THINNEST


def _stroke(mask: Mask) -> float:
    """Half the width of the thickest stroke over the height of the glyph."""
    inside = np.pad((mask > 0.5).astype(np.uint8), 1)
    return float(cv2.distanceTransform(inside, cv2.DIST_L2, 5).max()) / mask.shape[0]


@lru_cache(maxsize=2)
def typefaces(*, held_out: bool) -> tuple[str, ...]:
    """The typefaces of one half of the split, as names that `glyphs` understands; never empty.

    A family falls on one side by a checksum of its name, so the split is the same on every machine.
    """
    faces = (*(path for path in _installed()), *(f"stroke:{font}" for font in _STROKES[:3]))
    chosen = tuple(face for face in faces if (crc32(_family(face).encode()) % _KEPT_OUT_OF == 0) == held_out)
    return chosen or (f"stroke:{_STROKES[3]}",)


@lru_cache(maxsize=1)
def slanted_typefaces() -> tuple[str, ...]:
    """Slanted and handwritten faces, none of them trained on; never empty."""
    slanted = (path for path in _files() if any(word in path.name.lower() for word in _SLANTED))
    inked = (str(path) for path in slanted if not any(word in path.name.lower() for word in _HAIRLINES))
    return tuple(sorted(path for path in inked if _family(path) and _draws_digits(path))) or typefaces(held_out=True)


@lru_cache(maxsize=2)
def pictograms(*, held_out: bool) -> tuple[str, ...]:
    """Signs that may stand on a joker, a quarter of them kept out of training; a star where no font has any."""
    signs = drawn(_PICTOGRAMS)
    return tuple(sign for place, sign in enumerate(signs) if (place % 4 == 1) == held_out) if signs else ("★",)


def drawn(signs: Iterable[str]) -> tuple[str, ...]:
    """Those of the signs that the font of pictograms draws; none where there is no such font."""
    face = _pictogram_font()
    if not face:
        return ()
    missing = _font_mask(face, "\U000fffff").tobytes()
    return tuple(sign for sign in signs if _font_mask(face, sign).tobytes() != missing)


def pictogram(sign: str) -> Mask | None:
    """The tight mask of a sign, or None where no font draws it."""
    face = _pictogram_font()
    return glyphs(face, sign) if face else None


@lru_cache(maxsize=1)
def _pictogram_font() -> str:
    files = {path.name: str(path) for folder in _FOLDERS if folder.is_dir() for path in folder.rglob("*.ttf")}
    return next((files[name] for name in _PICTOGRAM_FONTS if name in files), "")


@lru_cache(maxsize=4096)
def glyphs(face: str, text: str) -> Mask:
    """The tight mask of a text, about 160 pixels high, float32 in 0..1."""
    if face.startswith("stroke:"):
        return _stroke_mask(int(face.removeprefix("stroke:")), text)
    return _font_mask(face, text)


def _font_mask(path: str, text: str) -> Mask:
    font = ImageFont.truetype(path, _RASTER + 50)
    box = font.getbbox(text)
    size = (int(box[2] - box[0]) + 8, int(box[3] - box[1]) + 8)
    if min(size) <= 9 or max(size) > 4000:
        raise ValueError(path)
    picture = Image.new("L", size)
    ImageDraw.Draw(picture).text((4 - box[0], 4 - box[1]), text, 255, font=font)
    return _tight(np.asarray(picture, np.float32) / 255)


def _stroke_mask(font: int, text: str) -> Mask:
    (width, height), below = cv2.getTextSize(text, font, 6, 22)
    canvas = np.zeros((height + below + 80, width + 80), np.uint8)
    cv2.putText(canvas, text, (40, height + 40), font, 6, 255, 22, cv2.LINE_AA)
    return _tight(canvas.astype(np.float32) / 255)


def _tight(mask: Mask) -> Mask:
    rows, columns = np.nonzero(mask.max(axis=1) > 0.1)[0], np.nonzero(mask.max(axis=0) > 0.1)[0]
    if rows.size == 0:
        raise ValueError("empty")
    return np.ascontiguousarray(mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])
