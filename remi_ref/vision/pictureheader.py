"""What a picture file says of itself before it is decoded: kind, size, orientation, and whether it is whole.

Decoders fill what a cut-off file lacks with grey and say nothing, so the end of the file is looked for here.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

SIGNATURE_LENGTH = 16


class Kind(Enum):
    """The formats that are told apart."""

    JPEG = "JPEG"
    PNG = "PNG"
    WEBP = "WebP"
    BMP = "BMP"
    HEIC = "HEIC"


@dataclass(frozen=True, slots=True)
class Header:
    """Size in pixels as stored, the EXIF orientation (1 to 8; 1 is upright), whether it moves."""

    kind: Kind
    width: int
    height: int
    orientation: int = 1
    animated: bool = False


class Truncated(Exception):  # noqa: N818 - says what the file is
    """The file ends before the picture does."""


def kind_of(start: bytes) -> Kind | None:
    """The kind by the first `SIGNATURE_LENGTH` bytes; the file's name says nothing."""
    if start.startswith(b"\xff\xd8\xff"):
        return Kind.JPEG
    if start.startswith(b"\x89PNG\r\n\x1a\n"):
        return Kind.PNG
    if start[:4] == b"RIFF" and start[8:12] == b"WEBP":
        return Kind.WEBP
    if start[4:8] == b"ftyp" and start[8:12] in (b"heic", b"heix", b"heim", b"heis", b"hevc", b"mif1", b"msf1"):
        return Kind.HEIC
    if start.startswith(b"BM") and start[6:10] == b"\0\0\0\0":
        return Kind.BMP
    return None


def foreign(start: bytes) -> str | None:
    """The name of a format that is known but not read, by the first bytes."""
    if start.startswith(b"GIF8"):
        return "GIF"
    if start.startswith((b"II*\0", b"MM\0*")):
        return "TIFF"
    if start[4:12] in (b"ftypavif", b"ftypavis"):
        return "AVIF"
    return None


def read(data: bytes) -> Header | None:
    """The header of a whole file; None when it is none of the known kinds.

    Raises:
        Truncated: the file is cut off.
    """
    kind = kind_of(data[:SIGNATURE_LENGTH])
    if kind is None:
        return None
    if kind is Kind.HEIC:  # its library reads the rest
        return Header(kind, 0, 0)
    reader = {Kind.JPEG: _jpeg, Kind.PNG: _png, Kind.WEBP: _webp, Kind.BMP: _bmp}[kind]
    try:
        return reader(data)
    except (struct.error, IndexError) as error:
        raise Truncated from error


# a marker that is neither padding, nor a stuffed zero, nor a restart inside the compressed pixels
_JPEG_MARKER = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]")
_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_JPEG_APP1, _JPEG_SCAN, _JPEG_END = 0xE1, 0xDA, 0xD9


def _jpeg(data: bytes) -> Header:
    width = height = 0
    orientation, place, scanned = 1, 2, False
    while True:
        match = _JPEG_MARKER.search(data, place)
        if match is None:
            raise Truncated
        marker, place = data[match.start() + 1], match.end()
        if marker == _JPEG_END:
            break
        (length,) = struct.unpack_from(">H", data, place)
        if marker in _JPEG_FRAMES:
            height, width = struct.unpack_from(">HH", data, place + 3)
        elif marker == _JPEG_APP1 and data[place + 2 : place + 8] == b"Exif\0\0":
            orientation = exif_orientation(data[place + 2 : place + length])
        scanned = scanned or marker == _JPEG_SCAN
        place += length
    if not scanned:
        raise Truncated
    return Header(Kind.JPEG, width, height, orientation)


def _png(data: bytes) -> Header:
    width, height = struct.unpack_from(">II", data, 16)
    orientation, place = 1, 8
    while True:
        length, name = struct.unpack_from(">I4s", data, place)
        if place + 12 + length > len(data):
            raise Truncated
        if name == b"eXIf":
            orientation = exif_orientation(data[place + 8 : place + 8 + length])
        if name == b"IEND":
            return Header(Kind.PNG, width, height, orientation)
        place += 12 + length


_WEBP_ANIMATED = 0x02


def _webp(data: bytes) -> Header:
    (length,) = struct.unpack_from("<I", data, 4)
    if 8 + length > len(data):
        raise Truncated
    width = height = 0
    orientation, animated = 1, False
    for name, body in _riff_chunks(data):
        if name == b"VP8X":
            animated = bool(body[0] & _WEBP_ANIMATED)
            width, height = (1 + int.from_bytes(body[at : at + 3], "little") for at in (4, 7))
        elif name == b"VP8 " and not width:
            width, height = (side & 0x3FFF for side in struct.unpack_from("<HH", body, 6))
        elif name == b"VP8L" and not width:
            (bits,) = struct.unpack_from("<I", body, 1)
            width, height = 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
        elif name == b"EXIF":
            orientation = exif_orientation(body)
    return Header(Kind.WEBP, width, height, orientation, animated)


def _riff_chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    place = 12
    while place + 8 <= len(data):
        name, length = struct.unpack_from("<4sI", data, place)
        yield name, data[place + 8 : place + 8 + length]
        place += 8 + length + length % 2


def _bmp(data: bytes) -> Header:
    (size,) = struct.unpack_from("<I", data, 2)
    if len(data) < size:
        raise Truncated
    width, height = struct.unpack_from("<ii", data, 18)
    return Header(Kind.BMP, abs(width), abs(height))


def heic_turns(data: bytes) -> bool:
    """Whether a HEIC file says among its properties how to turn the picture; its library then does that."""
    start = data.find(b"ipco")
    size = int.from_bytes(data[max(0, start - 4) : max(0, start)])
    properties = data[start : start + size]
    return b"irot" in properties or b"imir" in properties


def exif_orientation(exif: bytes) -> int:
    """Tag 0x0112 of the first directory; whatever is wrong with it means upright."""
    exif = exif.removeprefix(b"Exif\0\0")
    order = {b"II": "<", b"MM": ">"}.get(exif[:2])
    if order is None:
        return 1
    try:
        (directory,) = struct.unpack_from(f"{order}I", exif, 4)
        (count,) = struct.unpack_from(f"{order}H", exif, directory)
        for entry in range(directory + 2, directory + 2 + 12 * count, 12):
            tag, kind = struct.unpack_from(f"{order}HH", exif, entry)
            if tag == 0x0112:
                (value,) = struct.unpack_from(f"{order}{'H' if kind == 3 else 'I'}", exif, entry + 8)
                return int(value) if 1 <= value <= 8 else 1
    except struct.error:
        pass
    return 1
