"""From sightings to numbered tiles: doubts, corrections, plausible readings, the annotated picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from remi_ref.errors import Unreadable
from remi_ref.vision.annotate import DOUBTFUL, SURE, annotate
from remi_ref.vision.doubts import apply_fixes, plausible_readings
from remi_ref.vision.photo import PhotoError
from remi_ref.vision.scan import PhotoScan, scan_photo
from remi_ref.vision.sighting import Sighting

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from remi_ref.vision.box import Box


def sighting(x: float, y: float, odds: str) -> Sighting:
    """An upright tile, its number 20 pixels high; odds as ``R7 0.9 G7 0.1``."""
    words = odds.split()
    pairs = tuple((text, float(chance)) for text, chance in zip(words[::2], words[1::2], strict=True))
    corners = ((x - 22, y - 20), (x + 22, y - 20), (x + 22, y + 42), (x - 22, y + 42))
    return Sighting(corners, (x, y), 20.0, 0.0, pairs, np.zeros(131, np.float32))


@dataclass(frozen=True)
class Eye:
    """Stands for the networks."""

    sightings: tuple[Sighting, ...]

    def sight(self, picture: NDArray[np.uint8]) -> list[Sighting]:
        """The same tiles whatever the picture."""
        assert picture.dtype == np.uint8
        return list(self.sightings)


RACK = (
    sighting(150, 60, "R4 0.97 R1 0.02"),
    sighting(100, 60, "R3 0.99 R8 0.01"),
    sighting(100, 160, "A8 0.7 A6 0.25 X 0.05"),
    sighting(150, 160, "X 0.9 N1 0.1"),
    sighting(260, 160, "J 0.99 F 0.01"),
)


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "rack.png"
    cv2.imwrite(str(path), np.full((240, 320, 3), 128, np.uint8))
    return path


@pytest.fixture
def rack(photo: Path) -> PhotoScan:
    return scan(photo, *RACK)


def scan(photo: Path, *sightings: Sighting, box: Box | None = None) -> PhotoScan:
    return scan_photo(photo, Eye(sightings), box=box)


def test_tiles_come_in_reading_order_and_what_shows_nothing_is_no_tile(rack: PhotoScan, photo: Path) -> None:
    assert rack.file == str(photo)
    assert [tile.text for tile in rack.tiles] == ["R3", "R4", "A8", "J"]
    assert rack.rows == ("R3 R4", "A8 | J")
    assert rack.tiles[0].box == ((78, 40), (122, 40), (122, 102), (78, 102))
    assert rack.ms > 0


def test_a_doubtful_tile_is_marked_with_its_runner_up(rack: PhotoScan) -> None:
    assert rack.doubtful == (3,)
    assert rack.marked_rows == ("R3 R4", "?A8 | J")
    assert (rack.tiles[2].runner_up, rack.tiles[2].confidence) == ("A6", 0.7)


def test_a_copy_too_many_is_doubtful_and_reported(photo: Path) -> None:
    tiles = [sighting(60 + 50 * i, 60, "R7 0.99 G7 0.01") for i in range(2)]
    read = scan(photo, sighting(160, 60, "R7 0.95 G7 0.05"), *tiles)
    assert read.rows == ("R7 R7 G7",)
    assert [(c.tile, c.read, c.taken, c.most) for c in read.conflicts] == [(2, "R7", "G7", 2)]
    assert read.tiles[2].doubtful
    assert read.tiles[2].runner_up == "R7"


def test_a_reduced_photo_gives_places_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "huge.jpg"
    cv2.imwrite(str(path), np.full((4000, 5000, 3), 128, np.uint8))
    assert scan(path, *RACK).tiles[0].box == ((156, 80), (244, 80), (244, 204), (156, 204))


def test_fixes_name_tiles_by_number(rack: PhotoScan) -> None:
    fixed = apply_fixes(rack, ["3=7 roșu".replace(" ", ""), "1=R5"])
    assert fixed.rows == ("R5 R4", "R7 | J")
    assert fixed.doubtful == ()
    assert rack.rows == ("R3 R4", "A8 | J"), "the scan itself does not change"


def test_a_fix_takes_a_tile_away_and_the_rest_keep_their_rows(rack: PhotoScan) -> None:
    assert apply_fixes(rack, ["1=X", "3=x"]).rows == ("R4", "J")
    assert apply_fixes(rack, ["1=X", "2=X"]).rows == ("A8 | J",)


@pytest.mark.parametrize(
    ("fix", "code"),
    [
        ("A7", "photo.fix_form"),
        ("A7=3", "photo.fix_form"),
        ("", "photo.fix_form"),
        ("0=A7", "photo.fix_number"),
        ("5=A7", "photo.fix_number"),
        ("3=Z7", "tiles.unknown"),
        ("3=A14", "tiles.number"),
        ("3=A7=A8", "photo.fix_form"),
        ("rack.png:5=A7", "photo.fix_number"),
    ],
)
def test_fixes_that_cannot_be_read(rack: PhotoScan, fix: str, code: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        apply_fixes(rack, [fix])
    assert refusal.value.code == code


def test_a_fix_that_names_a_photo_is_about_no_other(rack: PhotoScan, photo: Path) -> None:
    for name in ("rack.png", str(photo), f"{photo.parent.name}/rack.png"):
        assert apply_fixes(rack, [f"{name}:1=R5"]).rows[0] == "R5 R4"
    for name in ("other.png", "ack.png", "other/rack.png"):
        assert apply_fixes(rack, [f"{name}:1=R5"]) == rack


def test_a_fix_makes_no_copy_too_many(photo: Path) -> None:
    tiles = [sighting(60 + 50 * i, 60, "R7 0.99 G7 0.001") for i in range(3)]
    read = scan(photo, *tiles, sighting(210, 60, "R8 0.99"))
    assert read.rows == ("R7 R7 R7 R8",), "the photo itself may show one"
    assert apply_fixes(read, ["4=R9"]).rows == ("R7 R7 R7 R9",)
    with pytest.raises(Unreadable) as refusal:
        apply_fixes(read, ["4=R7"])
    assert refusal.value.code == "tiles.too_many_copies"


def test_tiles_keep_their_numbers(rack: PhotoScan) -> None:
    fixed = apply_fixes(rack, ["1=X"])
    assert [tile.number for tile in fixed.tiles] == [2, 3, 4]
    assert fixed.doubtful == (3,)
    assert apply_fixes(rack, ["1=X", "3=A9"]).rows == ("R4", "A9 | J")


def test_where_hardly_anything_is_seen_there_may_be_no_tile(photo: Path) -> None:
    for odds, shown in (
        ("A8 0.65 A6 0.01", {("R2 R3 A8",), ("R2 R3 A6",), ("R2 R3",)}),
        ("A8 0.85", {("R2 R3 A8",)}),
    ):
        read = scan(photo, sighting(50, 60, "R2 0.99"), sighting(100, 60, "R3 0.99"), sighting(150, 60, odds))
        assert read.doubtful == (3,)
        assert {reading.rows for reading in plausible_readings(read)} == shown


def test_plausible_readings_are_the_scan_and_its_doubts(rack: PhotoScan) -> None:
    readings = plausible_readings(rack)
    assert readings[0] == rack
    assert {reading.rows for reading in readings} == {("R3 R4", "A8 | J"), ("R3 R4", "A6 | J"), ("R3 R4", "J")}


def test_a_sure_scan_has_one_reading(photo: Path) -> None:
    read = scan(photo, *RACK[:2])
    assert plausible_readings(read) == (read,)


def test_no_reading_holds_a_copy_too_many(photo: Path) -> None:
    tiles = [sighting(60 + 50 * i, 60, "R7 0.99 G7 0.01") for i in range(2)]
    read = scan(photo, *tiles, sighting(160, 60, "G7 0.6 R7 0.4"))
    assert {reading.rows for reading in plausible_readings(read)} == {("R7 R7 G7",)}


def test_too_much_doubt_gives_no_readings(photo: Path) -> None:
    tiles = [sighting(30 + 44 * i, 60, f"R{i + 1} 0.6 G{i + 1} 0.4") for i in range(7)]
    read = scan(photo, *tiles)
    assert plausible_readings(read) == ()
    assert len(plausible_readings(read, most=128)) == 128


def test_the_annotated_picture_shows_doubts_in_another_colour(rack: PhotoScan, tmp_path: Path) -> None:
    out = tmp_path / "out.png"
    annotate(rack, out)
    picture = cv2.imread(str(out))
    assert picture is not None
    assert picture.shape == (480, 640, 3), "tiles of 44 pixels are too small for words"
    for tile in rack.tiles:
        (left, top), (right, _), *_ = tile.box
        edge = picture[2 * top, 2 * left + 9 : 2 * right - 8].astype(int)
        colour = DOUBTFUL if tile.doubtful else SURE
        assert np.abs(edge - colour).sum(axis=1).max() < 60


def test_an_annotated_picture_that_cannot_be_written(rack: PhotoScan, tmp_path: Path) -> None:
    with pytest.raises(PhotoError) as refusal:
        annotate(rack, tmp_path / "none" / "out.png")
    assert refusal.value.code == "photo.not_written"
