"""From a picture file to upright pixels, or one clear refusal.

The header is read before a pixel is decoded: it tells the kind, the size (a decompression bomb stops here), the EXIF
orientation and whether the file is whole. OpenCV decodes; it is told to leave the orientation alone, because its
versions differ in what they do with it.
"""

from __future__ import annotations

import os
import re
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from remi_ref.errors import Unreadable, missing_file
from remi_ref.vision import pictureheader
from remi_ref.vision.pictureheader import Header, Kind, Truncated

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    import numpy as np
    from numpy.typing import NDArray

SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".heic", ".heif", ".gif", ".tif", ".tiff", ".avif"})
"""Names that are taken for photos where tiles may be typed, of formats that are not read as well."""

MEGAPIXELS_WHOLE = 16  # larger JPEGs are decoded at a half, a quarter or an eighth
MEGAPIXELS_MOST = {Kind.JPEG: 220}  # phones of today make 200
MEGAPIXELS_MOST_OTHERS = 50  # the other formats can only be decoded whole

# What the decoder says of a JPEG when it makes pixels up. A few bytes left over before the end (marker d9) are padding
# that some cameras write.
_MADE_UP = re.compile(
    rb"premature end|corrupt jpeg data(?!: \d{1,2} extraneous bytes before marker 0xd9)|inconsistent progression",
    re.IGNORECASE,
)

_MISSING_LIBRARY = re.compile(r"(lib[\w.+-]+\.so[.\d]*): (cannot open shared object|no such file)", re.IGNORECASE)
_DEBIAN_PACKAGES = {
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libSM.so.6": "libsm6",
    "libICE.so.6": "libice6",
    "libX11.so.6": "libx11-6",
    "libXext.so.6": "libxext6",
    "libXrender.so.1": "libxrender1",
    "libxcb.so.1": "libxcb1",
    "libstdc++.so.6": "libstdc++6",
}


class PhotoError(Unreadable):
    """A photo that cannot be read; ``values`` always holds ``file``, except where the fault is not the file's."""


@dataclass(frozen=True)
class Photo:
    """An upright picture.

    Attributes:
        file: the name as it was given.
        pixels: height x width x 3, uint8, BGR.
        scale: pixels of the file for one pixel here; 1 unless a huge file was reduced while decoding.
    """

    file: str
    pixels: NDArray[np.uint8]
    scale: int


def opencv() -> ModuleType:
    """The module ``cv2``, loaded when the first photo is.

    Raises:
        PhotoError: it cannot load; names the system package that is missing, where that is the reason.
    """
    try:
        import cv2
    except (ImportError, AttributeError) as error:  # the second where it was built for another NumPy
        raise _cannot_load(str(error) or type(error).__name__) from error
    return cv2


def _cannot_load(reason: str) -> PhotoError:
    missing = _MISSING_LIBRARY.search(reason)
    if missing is None:
        return PhotoError("photo.opencv", reason=reason.splitlines()[0])
    library = missing.group(1)
    if library in _DEBIAN_PACKAGES:
        return PhotoError("photo.opencv_library", library=library, package=_DEBIAN_PACKAGES[library])
    return PhotoError("photo.opencv_other_library", library=library)


def is_photo(text: str) -> bool:
    """Whether what stands where tiles may be typed is the name of a picture file.

    Raises:
        Unreadable: it is the name of a picture, but there is no such file; names one that is like it.
    """
    path = Path(text.strip())
    if len(text) > 1024 or path.suffix.lower() not in SUFFIXES:
        return False
    try:
        there = path.exists()
    except (OSError, ValueError):
        return False
    if not there:
        raise missing_file(path)
    return True


def load_photo(path: str | Path) -> Photo:
    """Reads a picture file: upright, 8 bits, three channels, transparent parts on white.

    Raises:
        PhotoError: no such file, no picture, cut off, damaged, too large, or a format that needs an extra.
    """
    data = _bytes_of(Path(path))
    file = str(path)
    try:
        header = pictureheader.read(data)
    except Truncated as error:
        raise PhotoError("photo.truncated", file=file) from error
    if header is None:
        raise PhotoError("photo.format", file=file)
    if header.kind is Kind.HEIC:
        return Photo(file, _decode_heic(data, file), 1)
    if header.animated:  # some versions of OpenCV read its first picture, others nothing
        raise PhotoError("photo.animated", file=file)
    _check_size(header, file)
    reduction = _reduction(header)
    pixels = _decode(data, header, reduction)
    if pixels is None:
        raise PhotoError("photo.damaged", file=file)
    return Photo(file, _upright(_three_channels(pixels), header.orientation), reduction)


def _bytes_of(path: Path) -> bytes:
    file = str(path)
    try:
        if path.is_dir():
            raise PhotoError("photo.folder", file=file)
        if not path.exists():
            raise missing_file(path)
        if not path.is_file():
            raise PhotoError("photo.special", file=file)
        with path.open("rb") as stream:
            start = stream.read(pictureheader.SIGNATURE_LENGTH)
            if not start:
                raise PhotoError("photo.empty", file=file)
            if pictureheader.kind_of(start) is None:  # a film of many gigabytes is not read to its end
                raise _not_read(start, file)
            return start + stream.read()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise PhotoError("photo.closed", file=file, reason=reason) from error


def _not_read(start: bytes, file: str) -> PhotoError:
    known = pictureheader.foreign(start)
    return PhotoError("photo.foreign", file=file, format=known) if known else PhotoError("photo.format", file=file)


def _check_size(header: Header, file: str) -> None:
    most = MEGAPIXELS_MOST.get(header.kind, MEGAPIXELS_MOST_OTHERS)
    if header.width * header.height > most * 1_000_000:
        raise PhotoError("photo.huge", file=file, width=header.width, height=header.height, most=most)
    if not header.width or not header.height:
        raise PhotoError("photo.damaged", file=file)


def _reduction(header: Header) -> int:
    """1, 2, 4 or 8: only JPEG can be decoded smaller without first being decoded whole."""
    if header.kind is not Kind.JPEG:
        return 1
    fitting = (r for r in (1, 2, 4) if header.width * header.height <= r * r * MEGAPIXELS_WHOLE * 1_000_000)
    return next(fitting, 8)


def _decode(data: bytes, header: Header, reduction: int) -> NDArray[Any] | None:
    import numpy as np

    cv2 = opencv()
    flags = {
        1: cv2.IMREAD_COLOR,
        2: cv2.IMREAD_REDUCED_COLOR_2,
        4: cv2.IMREAD_REDUCED_COLOR_4,
        8: cv2.IMREAD_REDUCED_COLOR_8,
    }
    flag = flags[reduction] | cv2.IMREAD_IGNORE_ORIENTATION if header.kind is Kind.JPEG else cv2.IMREAD_UNCHANGED
    try:
        with _remarks() as remarks:
            pixels: NDArray[Any] | None = cv2.imdecode(np.frombuffer(data, np.uint8), flag)
            remarks.seek(0)
            made_up = _MADE_UP.search(remarks.read())
    except cv2.error:
        return None
    return None if made_up else pixels


@contextmanager
def _remarks() -> Iterator[IO[bytes]]:
    """A file for what the C libraries below write to standard error, where our message is the only one wanted."""
    kept = os.dup(2)
    try:
        with tempfile.TemporaryFile() as remarks:
            os.dup2(remarks.fileno(), 2)
            yield remarks
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _decode_heic(data: bytes, file: str) -> NDArray[np.uint8]:
    """What iPhones save. The library turns the picture where the file itself says how; else EXIF counts."""
    try:
        import pillow_heif
    except ImportError as error:
        raise PhotoError("photo.heic", file=file) from error
    import numpy as np

    try:
        picture = pillow_heif.open_heif(data, convert_hdr_to_8bit=True)
        width, height = picture.size
        _check_size(Header(Kind.HEIC, width, height), file)
        rgb = np.asarray(picture)
    except (ValueError, RuntimeError, OSError, EOFError, LookupError, SyntaxError) as error:  # as the library has it
        raise PhotoError("photo.damaged", file=file) from error
    rgb = rgb if rgb.ndim == 3 else rgb[:, :, None]
    order = (2, 1, 0, 3)[: rgb.shape[2]] if rgb.shape[2] > 2 else range(rgb.shape[2])
    exif = b"" if pictureheader.heic_turns(data) else picture.info.get("exif") or b""
    return _upright(_three_channels(rgb[:, :, list(order)]), pictureheader.exif_orientation(exif))


def _three_channels(pixels: NDArray[Any]) -> NDArray[np.uint8]:
    """Grey, grey with alpha, BGR or BGR with alpha, 8 or 16 bits or 0..1, to BGR of 8 bits on white."""
    import numpy as np

    if pixels.dtype == np.uint16:
        pixels = (pixels >> 8).astype(np.uint8)
    pixels = pixels if pixels.ndim == 3 else pixels[:, :, None]
    colour, alpha = pixels, None
    if pixels.shape[2] in (2, 4):
        colour, alpha = pixels[:, :, :-1], pixels[:, :, -1:]
    if alpha is not None and alpha.min() < 255:
        over = colour.astype(np.uint16) * alpha + (255 - alpha.astype(np.uint16)) * 255
        colour = ((over + 127) // 255).astype(np.uint8)
    if colour.shape[2] == 1:
        colour = np.repeat(colour, 3, axis=2)
    return np.ascontiguousarray(colour, dtype=np.uint8)


def _upright(pixels: NDArray[np.uint8], orientation: int) -> NDArray[np.uint8]:
    """Applies an EXIF orientation (1 to 8), once."""
    import numpy as np

    if orientation in (5, 6, 7, 8):  # lying: rows become columns
        pixels = pixels.transpose(1, 0, 2)
    if orientation in (2, 3, 6, 7):
        pixels = pixels[:, ::-1]
    if orientation in (3, 4, 7, 8):
        pixels = pixels[::-1]
    return np.ascontiguousarray(pixels)
