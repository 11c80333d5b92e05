"""The photo with what was read on it: outline, number and reading of each tile, the doubtful ones in another colour."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from remi_ref.vision.photo import PhotoError, load_photo, opencv

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from remi_ref.vision.photo import Photo
    from remi_ref.vision.scan import PhotoScan, SeenTile

SURE = (60, 150, 0)  # BGR: a green
DOUBTFUL = (200, 0, 220)  # a magenta that no tile, cloth or wood has
_PAPER = (255, 255, 255)
_LEGIBLE = 70  # width of a tile, pixels, in which number and reading can be read
_LARGEST_ZOOM = 3


def annotate(scan: PhotoScan, out: str | Path) -> None:
    """Writes the photo of a scan, annotated, as PNG.

    Raises:
        PhotoError: the photo is gone, or the picture cannot be written.
    """
    _, encoded = opencv().imencode(".png", draw(load_photo(scan.file), scan))
    try:
        Path(out).write_bytes(encoded.tobytes())
    except OSError as error:
        raise PhotoError("photo.not_written", file=str(out), reason=error.strerror or str(error)) from error


def draw(photo: Photo, scan: PhotoScan) -> NDArray[np.uint8]:
    """The picture (height x width x 3, BGR) with the readings on it; enlarged where tiles are too small for words."""
    import numpy as np

    cv2 = opencv()
    outlines = [np.array(tile.box, np.float32) / photo.scale for tile in scan.tiles]
    zoom = _zoom([float(np.linalg.norm(outline[1] - outline[0])) for outline in outlines])
    size = (photo.pixels.shape[1] * zoom, photo.pixels.shape[0] * zoom)
    picture = np.asarray(cv2.resize(photo.pixels, size, interpolation=cv2.INTER_LINEAR), np.uint8)
    for tile, outline in zip(scan.tiles, outlines, strict=True):
        _draw_tile(picture, tile, (outline * zoom).astype(np.int32))
    return picture


def _zoom(widths: list[float]) -> int:
    from statistics import median

    return min(_LARGEST_ZOOM, max(1, math.ceil(_LEGIBLE / max(median(widths), 1.0)))) if widths else 1


def _draw_tile(picture: NDArray[np.uint8], tile: SeenTile, outline: NDArray[np.int32]) -> None:
    import numpy as np

    cv2 = opencv()
    colour = DOUBTFUL if tile.doubtful else SURE
    width = float(np.linalg.norm(outline[1] - outline[0]))
    line = max(1, round(width / 50))
    cv2.polylines(picture, [outline], isClosed=True, color=colour, thickness=line, lineType=cv2.LINE_AA)

    text = f"{tile.number} {'?' if tile.doubtful else ''}{tile.text}"
    font = cv2.FONT_HERSHEY_SIMPLEX
    (wide, _), _ = cv2.getTextSize(text, font, 1.0, 1)
    size = 0.9 * width / max(wide, 70)  # short words are not made larger than long ones
    (wide, high), below = cv2.getTextSize(text, font, size, line)
    x = int(np.clip(outline[:, 0].mean() - wide / 2, 0, max(0, picture.shape[1] - wide)))
    y = int(np.clip(outline[2:, 1].mean() - below, high, picture.shape[0] - below))
    cv2.rectangle(picture, (x, y - high - line), (x + wide, y + below // 2), _PAPER, cv2.FILLED)
    cv2.putText(picture, text, (x, y), font, size, colour, line, cv2.LINE_AA)
