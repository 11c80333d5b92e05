"""Picture files: every format and orientation read right, every broken file refused by name."""

from __future__ import annotations

import builtins
import io
import json
import os
import struct
import subprocess
import sys
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from remi_ref.errors import Unreadable
from remi_ref.vision import pictureheader
from remi_ref.vision.photo import PhotoError, is_photo, load_photo, opencv

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

RACK = Path(__file__).parent.parent / "samples" / "photos" / "rack.jpg"
RED, GREEN, BLUE, WHITE = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)  # RGB, as Pillow has it


def four_corners(mode: str = "RGB") -> Image.Image:
    """A landscape picture whose upper left is red, upper right green, lower left blue, lower right white."""
    picture = Image.new("RGB", (96, 64))
    for colour, at in ((RED, (0, 0)), (GREEN, (48, 0)), (BLUE, (0, 32)), (WHITE, (48, 32))):
        picture.paste(Image.new("RGB", (48, 32), colour), at)
    return picture.convert(mode)


def encoded(picture: Image.Image, kind: str, **options: Any) -> bytes:  # noqa: ANN401 - what Pillow takes
    stream = io.BytesIO()
    picture.save(stream, kind, **options)
    return stream.getvalue()


def corners_seen(pixels: NDArray[np.uint8]) -> tuple[tuple[int, ...], ...]:
    """RGB of the middle of each quarter, rounded to 0 or 255."""
    height, width = pixels.shape[:2]
    places = ((1, 1), (1, 3), (3, 1), (3, 3))
    found = (pixels[height * y // 4, width * x // 4, ::-1] for y, x in places)
    return tuple(tuple(255 if v > 127 else 0 for v in colour) for colour in found)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "BMP"])
def test_each_format_is_read_by_what_it_holds(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "photo.jpg"  # the name does not matter
    path.write_bytes(encoded(four_corners(), kind))
    photo = load_photo(path)
    assert photo.pixels.shape == (64, 96, 3)
    assert photo.pixels.dtype == np.uint8
    assert photo.scale == 1
    assert corners_seen(photo.pixels) == (RED, GREEN, BLUE, WHITE)


UPRIGHT = {  # orientation: how an upright picture is turned before it is stored
    1: None,
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("orientation", UPRIGHT)
def test_exif_orientation_is_applied_once(kind: str, orientation: int, tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    way = UPRIGHT[orientation]
    stored = four_corners() if way is None else four_corners().transpose(way)
    path = tmp_path / "photo"
    path.write_bytes(encoded(stored, kind, exif=exif))
    photo = load_photo(path)
    assert photo.pixels.shape == (64, 96, 3)
    assert corners_seen(photo.pixels) == (RED, GREEN, BLUE, WHITE)


def test_an_orientation_that_does_not_exist_means_upright(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 99
    path = tmp_path / "photo.jpg"
    path.write_bytes(encoded(four_corners(), "JPEG", exif=exif))
    assert corners_seen(load_photo(path).pixels) == (RED, GREEN, BLUE, WHITE)


@pytest.mark.parametrize(
    ("mode", "kind"),
    [("L", "JPEG"), ("L", "PNG"), ("1", "PNG"), ("LA", "PNG"), ("P", "PNG"), ("RGBA", "PNG"), ("RGBA", "WEBP")],
)
def test_grey_palette_and_alpha_become_three_channels(mode: str, kind: str, tmp_path: Path) -> None:
    path = tmp_path / "photo"
    path.write_bytes(encoded(four_corners(mode), kind))
    pixels = load_photo(path).pixels
    assert pixels.shape == (64, 96, 3)
    assert corners_seen(pixels)[3] == WHITE


def test_transparent_parts_lie_on_white_and_half_transparent_ones_are_mixed(tmp_path: Path) -> None:
    picture = four_corners("RGBA")
    picture.paste((255, 0, 0, 0), (0, 0, 48, 32))
    picture.paste((0, 0, 0, 128), (48, 0, 96, 32))
    path = tmp_path / "photo.png"
    path.write_bytes(encoded(picture, "PNG"))
    pixels = load_photo(path).pixels
    assert tuple(pixels[16, 24]) == WHITE
    assert tuple(pixels[16, 72]) == (127, 127, 127)


def test_sixteen_bits_become_eight(tmp_path: Path) -> None:
    path = tmp_path / "photo.png"
    wide = np.full((20, 30, 3), (65535, 32768, 300), np.uint16)
    path.write_bytes(cv2.imencode(".png", wide)[1].tobytes())
    assert tuple(load_photo(path).pixels[5, 5]) == (255, 128, 1)


def test_a_huge_jpeg_is_decoded_smaller_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "photo.jpg"
    path.write_bytes(encoded(Image.new("RGB", (6000, 4000), RED), "JPEG"))
    photo = load_photo(path)
    assert photo.scale == 2
    assert photo.pixels.shape == (2000, 3000, 3)


JPEG, PNG, WEBP, BMP = (encoded(four_corners(), kind) for kind in ("JPEG", "PNG", "WEBP", "BMP"))
THUMBNAILED = encoded(four_corners(), "JPEG", exif=b"Exif\0\0II*\0\x08\0\0\0\0\0\0\0\0\0" + JPEG)


def png_claiming(width: int, height: int) -> bytes:
    """A few bytes that claim to be a large picture."""
    body = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunk = struct.pack(">I", 13) + body + struct.pack(">I", zlib.crc32(body))
    return PNG[:8] + chunk + PNG[33:]


def jpeg_claiming(width: int, height: int) -> bytes:
    frame = JPEG.index(b"\xff\xc0")
    return JPEG[: frame + 5] + struct.pack(">HH", height, width) + JPEG[frame + 9 :]


NOISE = encoded(Image.fromarray(np.random.default_rng(0).integers(0, 256, (64, 96, 3), np.uint8)), "JPEG")


def overwritten(data: bytes, start: float, share: float) -> bytes:
    """A file with a share of its bytes replaced by others, which are no markers."""
    at, length = int(len(data) * start), int(len(data) * share)
    other = np.random.default_rng(1).integers(0, 255, length, np.uint8).tobytes()
    return data[:at] + other + data[at + length :]


BROKEN = {
    "nothing in it": (b"", "photo.empty"),
    "text with a picture's name": (b"R3 R4 R5 | A8 N8 G8", "photo.format"),
    "a web page saved as a picture": (b"<!DOCTYPE html><html></html>", "photo.format"),
    "a GIF": (encoded(four_corners(), "GIF"), "photo.foreign"),
    "a TIFF": (encoded(four_corners(), "TIFF"), "photo.foreign"),
    "an AVIF": (b"\0\0\0\x20ftypavif\0\0\0\0avifmif1miaf", "photo.foreign"),
    "an animation": (
        encoded(four_corners(), "WEBP", save_all=True, append_images=[Image.new("RGB", (96, 64))]),
        "photo.animated",
    ),
    "a JPEG overwritten in its second half": (overwritten(NOISE, 0.5, 0.45), "photo.damaged"),
    "a JPEG with a part overwritten": (overwritten(NOISE, 0.3, 0.2), "photo.damaged"),
    "half a JPEG with an end": (NOISE[: len(NOISE) // 2] + b"\xff\xd9", "photo.damaged"),
    "a JPEG cut in its pixels": (JPEG[: len(JPEG) * 3 // 4], "photo.truncated"),
    "a JPEG cut in its header": (JPEG[:40], "photo.truncated"),
    "a JPEG of its first bytes": (JPEG[:3], "photo.truncated"),
    "a cut JPEG with a whole thumbnail": (THUMBNAILED[:-60], "photo.truncated"),
    "a PNG cut in its pixels": (PNG[: len(PNG) // 2], "photo.truncated"),
    "a PNG without its end": (PNG[:-12], "photo.truncated"),
    "a WebP cut in its pixels": (WEBP[: len(WEBP) // 2], "photo.truncated"),
    "a BMP cut in its pixels": (BMP[: len(BMP) // 2], "photo.truncated"),
    "a PNG with noise for pixels": (
        PNG[:33] + struct.pack(">I", 8) + b"IDAT" + b"notpixel" + b"\0\0\0\0" + PNG[-12:],
        "photo.damaged",
    ),
    "a PNG that claims ten billion pixels": (png_claiming(100_000, 100_000), "photo.huge"),
    "a JPEG that claims four billion pixels": (jpeg_claiming(65_000, 65_000), "photo.huge"),
    "a JPEG without width": (jpeg_claiming(0, 64), "photo.damaged"),
}


@pytest.mark.parametrize(("data", "code"), BROKEN.values(), ids=BROKEN)
def test_broken_files_are_refused_by_name(data: bytes, code: str, tmp_path: Path) -> None:
    path = tmp_path / "rack.jpg"
    path.write_bytes(data)
    with pytest.raises(PhotoError) as refusal:
        load_photo(path)
    assert refusal.value.code == code
    assert refusal.value.values["file"] == str(path)


def test_decoders_add_no_remarks_of_their_own(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "rack.png"
    path.write_bytes(BROKEN["a PNG with noise for pixels"][0])
    with pytest.raises(PhotoError):
        load_photo(path)
    assert capfd.readouterr().err == ""


def test_a_whole_jpeg_with_a_thumbnail_or_padding_or_something_after_its_end_is_read(tmp_path: Path) -> None:
    path = tmp_path / "rack.jpg"
    for data in (THUMBNAILED, JPEG + b"\0\0motion photo" * 30, JPEG[:-2] + b"\0" * 61 + JPEG[-2:]):
        path.write_bytes(data)
        assert corners_seen(load_photo(path).pixels) == (RED, GREEN, BLUE, WHITE)


def test_what_is_no_file(tmp_path: Path) -> None:
    for path, code in (
        (tmp_path / "none.jpg", "file.none"),
        (tmp_path, "photo.folder"),
        (Path("/dev/null"), "photo.special"),
    ):
        with pytest.raises(Unreadable) as refusal:
            load_photo(path)
        assert refusal.value.code == code


@settings(max_examples=150, deadline=None)
@given(
    base=st.sampled_from([JPEG, THUMBNAILED, PNG, WEBP, BMP]),
    cut=st.integers(0, 3000),
    change=st.integers(0, 3000),
    value=st.integers(0, 255),
)
def test_headers_of_damaged_files_never_surprise(base: bytes, cut: int, change: int, value: int) -> None:
    data = bytearray(base[: len(base) - cut % len(base)])
    data[change % len(data)] = value
    try:
        header = pictureheader.read(bytes(data))
    except pictureheader.Truncated:
        return
    assert header is None or header.orientation in range(1, 9)


def heic_bytes() -> bytes:
    return b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic" + b"\0" * 40


def test_heic_without_its_extra_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "rack.heic"
    path.write_bytes(heic_bytes())
    monkeypatch.setattr(builtins, "__import__", failing_import("pillow_heif", "No module named 'pillow_heif'"))
    with pytest.raises(PhotoError) as refusal:
        load_photo(path)
    assert refusal.value.code == "photo.heic"


def test_heic_with_its_extra(tmp_path: Path) -> None:
    pillow_heif = pytest.importorskip("pillow_heif")
    path = tmp_path / "rack.heic"
    pillow_heif.register_heif_opener()
    for orientation in (1, 5, 6):
        exif = Image.Exif()
        exif[0x0112] = orientation
        way = UPRIGHT[orientation]
        stored = four_corners() if way is None else four_corners().transpose(way)
        pillow_heif.from_pillow(stored).save(path, exif=exif.tobytes(), quality=90)  # as the file's own property, too
        assert corners_seen(load_photo(path).pixels) == (RED, GREEN, BLUE, WHITE)
        stored.save(path, exif=exif)  # in EXIF alone
        assert corners_seen(load_photo(path).pixels) == (RED, GREEN, BLUE, WHITE)
    path.write_bytes(heic_bytes())
    with pytest.raises(PhotoError) as refusal:
        load_photo(path)
    assert refusal.value.code == "photo.damaged"


def failing_import(module: str, message: str) -> Callable[..., Any]:
    real = builtins.__import__

    def fake(name: str, *rest: Any, **options: Any) -> Any:  # noqa: ANN401 - as the real one
        if name == module:
            raise ImportError(message)
        return real(name, *rest, **options)

    return fake


@pytest.mark.parametrize(
    ("message", "code", "named"),
    [
        ("libGL.so.1: cannot open shared object file", "photo.opencv_library", "libgl1"),
        ("libgthread-2.0.so.0: cannot open shared object file", "photo.opencv_library", "libglib2.0-0"),
        ("libfoo-bar.so.9: cannot open shared object file", "photo.opencv_other_library", "libfoo-bar.so.9"),
        ("numpy.core.multiarray failed to import", "photo.opencv", "numpy.core.multiarray failed to import"),
        (
            "/lib/libm.so.6: version `GLIBC_2.99' not found",
            "photo.opencv",
            "/lib/libm.so.6: version `GLIBC_2.99' not found",
        ),
        ("", "photo.opencv", "ImportError"),
    ],
)
def test_opencv_that_cannot_load_names_what_is_missing(
    message: str, code: str, named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(builtins, "__import__", failing_import("cv2", message))
    with pytest.raises(PhotoError) as refusal:
        opencv()
    assert refusal.value.code == code
    assert named in refusal.value.values.values()


def test_opencv_of_another_numpy_is_no_surprise(tmp_path: Path) -> None:
    """The whole program, as `learn` once loaded OpenCV by another door."""
    (tmp_path / "cv2.py").write_text("raise AttributeError('_ARRAY_API not found')", encoding="utf-8")
    path = os.pathsep.join((str(tmp_path), str(Path(__file__).parent.parent)))
    for command in (["scan", str(RACK)], ["learn", str(RACK), "--name", "ours"], ["can-open", str(RACK)]):
        done = subprocess.run(
            [sys.executable, "-m", "remi_ref", *command],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": path},
        )
        assert (done.returncode, done.stdout) == (2, "")
        assert len(done.stderr.splitlines()) == 1
        assert "_ARRAY_API" in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="streams are closed otherwise there")
def test_a_photo_is_read_with_all_streams_but_one_closed() -> None:
    program = f'exec "{sys.executable}" -m remi_ref scan "{RACK}" --json 2>&- <&-'
    done = subprocess.run(["/bin/sh", "-c", program], capture_output=True, check=False)
    assert (done.returncode, json.loads(done.stdout)["photos"][0]["doubtful"]) == (0, [])


def test_a_picture_file_is_told_from_tiles(tmp_path: Path) -> None:
    path = tmp_path / "Raft.JPG"
    (tmp_path / "Raft2.JPG").write_bytes(JPEG)
    with pytest.raises(Unreadable) as refusal:
        is_photo(str(path))
    assert refusal.value.values == {"nearest": "Raft2.JPG"}
    path.write_bytes(JPEG)
    assert is_photo(str(path))
    assert not is_photo("R3 R4 R5")
    assert not is_photo("R3 " * 3000)
    with pytest.raises(Unreadable):
        is_photo("a\0b.jpg")


def test_opencv_is_not_loaded_before_a_photo_is() -> None:
    code = (
        "import sys, remi_ref.vision.photo, remi_ref.vision.layout, remi_ref.vision.box, remi_ref.vision.annotate, "
        "remi_ref.vision.profile, remi_ref.vision.scan; sys.exit('cv2' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
