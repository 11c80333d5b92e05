"""From sightings to numbered tiles: doubts, corrections, plausible readings, the annotated picture."""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from remi_ref.errors import Unreadable
from remi_ref.vision.annotate import DOUBTFUL, GROUP, SURE, annotated, draw
from remi_ref.vision.box import Box
from remi_ref.vision.doubts import apply_fixes, plausible_readings
from remi_ref.vision.photo import Photo
from remi_ref.vision.scan import PhotoScan, SeenTile, scan_photo
from remi_ref.vision.sighting import Sighting

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray


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
    out.write_bytes(annotated(rack))
    picture = cv2.imread(str(out))
    assert picture is not None
    assert picture.shape == (480, 640, 3), "tiles of 44 pixels are too small for words"
    for tile in rack.tiles:
        (left, top), (right, _), *_ = tile.box
        edge = picture[2 * top, 2 * left + 9 : 2 * right - 8].astype(int)
        colour = DOUBTFUL if tile.doubtful else SURE
        assert np.abs(edge - colour).sum(axis=1).max() < 60


def fives(*centres: tuple[float, float], angle: float = 0.0, height: float = 20.0) -> PhotoScan:
    """Tiles whose symbols stand there, read without a doubt, in one group."""
    turn = cmath.exp(1j * math.radians(angle))
    tiles = []
    for x, y in centres:
        corners = [complex(x, y) + turn * height * corner for corner in (-1 - 1j, 1 - 1j, 1 + 2j, -1 + 2j)]
        box = tuple((round(corner.real), round(corner.imag)) for corner in corners)
        tiles.append(SeenTile(1, "R5", 1.0, box, None, doubtful=False, odds=(("R5", 1.0),)))
    return PhotoScan("five.png", tuple(tiles), ((tuple(range(len(tiles))),),), (), Box(), 0.0)


@pytest.mark.parametrize("angle", [0, 45, 90, 135, 180, 270])
def test_labels_hide_no_symbol(angle: float) -> None:
    """Tiles side by side, each with its symbol in the upper half."""
    along = cmath.exp(1j * math.radians(angle))
    centres = [(300 + (60 * along * i).real, 300 + (60 * along * i).imag) for i in range(4)]
    scan = fives(*centres, angle=angle, height=30)
    blank = Photo("five.png", np.full((600, 600, 3), 90, np.uint8), 1)
    drawn = draw(blank, scan)
    zoom = drawn.shape[0] / 600
    for x, y in centres:
        around = (slice(int((at - 12) * zoom), int((at + 12) * zoom)) for at in (y, x))
        assert (drawn[tuple(around)] == 90).all()


def test_a_frame_holds_a_group_together() -> None:
    blank = Photo("five.png", np.full((400, 600, 3), 90, np.uint8), 1)
    framed, alone = (draw(blank, fives(*centres, height=50)) for centres in (((200, 200), (350, 200)), ((200, 200),)))
    assert (framed[:, 275] == GROUP).all(axis=1).any(), "between two tiles that do not touch"
    assert not (alone == GROUP).all(axis=2).any()


def test_a_large_picture_is_not_made_larger_still() -> None:
    large = Photo("five.png", np.zeros((4000, 4000, 3), np.uint8), 1)
    assert draw(large, fives((100, 100))).shape == large.pixels.shape


def test_tiles_are_no_wider_than_they_stand_apart(photo: Path) -> None:
    large_numbers = [sighting(60 + 33 * i, 60, f"R{i + 1} 0.99") for i in range(4)]
    alone = sighting(260, 60, "N9 0.99")
    for tile in scan(photo, *large_numbers, alone).tiles:
        (left, top), (right, _), (_, bottom), _ = tile.box
        assert right - left == pytest.approx(33, abs=1)
        assert bottom - top == pytest.approx(62 * 33 / 44, abs=1)


def test_a_joker_is_as_large_as_the_tiles_beside_it(photo: Path) -> None:
    joker = sighting(150, 60, "J 0.99")
    corners = tuple((150 + 1.6 * (x - 150), 60 + 1.6 * (y - 60)) for x, y in joker.corners)
    assert len(corners) == 4
    read = scan(photo, *RACK[:1], replace(joker, height=32.0, corners=corners), sighting(200, 60, "R5 0.99"))
    sizes = {(tile.box[1][0] - tile.box[0][0], tile.box[2][1] - tile.box[1][1]) for tile in read.tiles}
    assert sizes == {(44, 62)}
