"""The photo with what was read on it: outline, number and reading of each tile, the doubtful ones in another colour."""

from __future__ import annotations

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
    """A copy of the pixels (height x width x 3, BGR) with the readings on it."""
    picture = photo.pixels.copy()
    for number, tile in enumerate(scan.tiles, start=1):
        _draw_tile(picture, tile, number, photo.scale)
    return picture


def _draw_tile(picture: NDArray[np.uint8], tile: SeenTile, number: int, scale: int) -> None:
    import numpy as np

    cv2 = opencv()
    colour = DOUBTFUL if tile.doubtful else SURE
    corners = np.array(tile.box, np.int32) // scale
    width = float(np.linalg.norm(corners[1] - corners[0]))
    line = max(1, round(width / 30))
    cv2.polylines(picture, [corners], isClosed=True, color=colour, thickness=line, lineType=cv2.LINE_AA)

    text = f"{number} ?{tile.text}" if tile.doubtful else f"{number} {tile.text}"
    font, size = cv2.FONT_HERSHEY_SIMPLEX, max(0.35, width / 90)
    (wide, high), below = cv2.getTextSize(text, font, size, line)
    x = int(np.clip(corners[:, 0].mean() - wide / 2, 0, max(0, picture.shape[1] - wide)))
    y = int(np.clip(corners[:, 1].max() - line * 2, high + below, picture.shape[0] - below))
    cv2.rectangle(picture, (x - line, y - high - below), (x + wide + line, y + below), _PAPER, cv2.FILLED)
    cv2.putText(picture, text, (x, y), font, size, colour, line, cv2.LINE_AA)
