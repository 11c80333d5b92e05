"""The shipped models: whole or refused, of the promised shapes, and reading what they were measured to read."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
import yaml

from remi_ref.__main__ import main
from remi_ref.errors import Unreadable
from remi_ref.places import data_folder
from remi_ref.vision.find import GRAIN, STRIDE, Found, find
from remi_ref.vision.inks import sharpen_colours
from remi_ref.vision.nets import load_net
from remi_ref.vision.read import COLOURS, CROP, ROW, Readers
from remi_ref.vision.sighting import thin_out

if TYPE_CHECKING:
    from numpy.typing import NDArray

MODELS = data_folder("models")
SAMPLES = Path(__file__).parent.parent / "samples" / "photos"
TRUTH = yaml.safe_load((SAMPLES / "truth.yaml").read_text(encoding="utf-8"))
LARGEST = 6_000_000  # bytes of all models together: they travel with the program


@pytest.fixture(scope="module")
def readers() -> Readers:
    return Readers.load()


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    return Path(shutil.copytree(MODELS, tmp_path / "models"))


def test_the_models_are_small_and_each_has_its_card() -> None:
    index = json.loads((MODELS / "index.json").read_text(encoding="utf-8"))
    assert set(index) == {"finder", "reader", "inks"}
    assert sum((MODELS / entry["file"]).stat().st_size for entry in index.values()) < LARGEST
    for name in index:
        card = (MODELS / name / "card.md").read_text(encoding="utf-8")
        for heading in ("Data", "Training", "Measured", "Limits"):
            assert f"## {heading}" in card, f"{name} says nothing of {heading}"


@pytest.mark.parametrize("name", ["finder", "reader", "inks"])
def test_a_changed_model_is_refused(name: str, copied: Path) -> None:
    file = copied / name / f"{name}.onnx"
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    with pytest.raises(Unreadable) as refused:
        Readers.load(copied)
    assert refused.value.code == "photo.model_changed"
    assert refused.value.values == {"name": name, "file": str(file)}


@pytest.mark.parametrize("gone", ["index.json", "finder/finder.onnx", "reader/reader.onnx", "inks/inks.onnx"])
def test_a_missing_file_is_named(gone: str, copied: Path) -> None:
    (copied / gone).unlink()
    with pytest.raises(Unreadable) as refused:
        Readers.load(copied)
    assert refused.value.code == "photo.model_missing"
    assert refused.value.values["folder"] == str(copied)


@pytest.mark.parametrize(
    "index",
    [
        "",
        "[]",
        "{}",
        '{"finder": []}',
        '{"finder": {"file": "finder/finder.onnx"}}',
        '{"finder": 1}',
        pytest.param("[" * 100_000, id="nested"),
    ],
)
def test_a_damaged_index_is_a_missing_model(index: str, copied: Path) -> None:
    (copied / "index.json").write_text(index, encoding="utf-8")
    with pytest.raises(Unreadable) as refused:
        load_net("finder", copied)
    assert refused.value.code == "photo.model_missing"


@pytest.mark.parametrize(("height", "width"), [(GRAIN, GRAIN), (96, 160), (160, 96)])
def test_the_finder_gives_six_maps_of_any_size(height: int, width: int) -> None:
    maps = load_net("finder").run(np.zeros((1, height, width, 3), np.uint8))
    assert maps.shape == (1, 6, height // STRIDE, width // STRIDE)
    assert np.isfinite(maps).all()


@pytest.mark.parametrize("count", [1, 3, 64])
def test_the_reader_gives_a_row_for_each_crop(count: int) -> None:
    crops = np.random.default_rng(0).integers(0, 256, (count, CROP, CROP, 3), dtype=np.uint8)
    net = load_net("reader")
    rows = net.run(crops)
    assert rows.shape == (count, ROW)
    assert np.allclose(rows[-1], net.run(crops[-1:])[0], atol=1e-3), "a crop is read alike alone and in company"


@pytest.mark.parametrize("grey", [0, 128, 255])
@pytest.mark.parametrize("shape", [(1, 1), (40, 600), (480, 640)])
def test_an_empty_picture_shows_nothing(grey: int, shape: tuple[int, int], readers: Readers) -> None:
    assert readers.sight(np.full((*shape, 3), grey, np.uint8)) == []


# What the present models do on the samples: least share read right, most share invented.
MEASURED = {"rack.jpg": (1.0, 0.0), "table.jpg": (1.0, 0.0), "pile.jpg": (1.0, 0.0), "box.jpg": (1.0, 0.0)}


@pytest.mark.parametrize("entry", TRUTH, ids=lambda entry: entry["file"])
def test_the_sample_photos_are_read(entry: dict[str, list[str] | str], readers: Readers) -> None:
    picture = cv2.imread(str(SAMPLES / str(entry["file"])))
    assert picture is not None
    want = Counter(" ".join(entry["rows"]).replace("|", " ").split())
    seen = readers.sight(picture)
    have = Counter(one.odds[0][0] for one in seen)
    least, most = MEASURED[str(entry["file"])]
    assert (want & have).total() >= least * want.total(), f"missed {want - have}, invented {have - want}"
    assert (have - want).total() <= most * want.total(), f"missed {want - have}, invented {have - want}"
    for one in seen:
        chances = [chance for _, chance in one.odds]
        assert chances == sorted(chances, reverse=True)
        assert 0 < sum(chances) <= 1.001
        assert one.ink.shape == (3,)


def test_a_turned_photo_shows_the_same_tiles(readers: Readers) -> None:
    picture = cv2.imread(str(SAMPLES / "table.jpg"))
    assert picture is not None
    upright, turned = (
        Counter(one.odds[0][0] for one in readers.sight(view))
        for view in (picture, np.ascontiguousarray(picture[::-1, ::-1]))
    )
    assert (upright & turned).total() >= 0.9 * upright.total()


def test_of_two_on_one_place_the_hotter_stays() -> None:
    hot, cold, apart = Found((10, 10), 20, 0, 0.9), Found((12, 11), 22, 0, 0.4), Found((60, 10), 20, 0, 0.3)
    assert thin_out([cold, apart, hot], lambda one: one.heat) == [hot, apart]


def test_what_two_coarse_looks_agree_on_does_not_outweigh_a_clear_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Melds far off on patterned cloth: small numbers are seen in one look only, blotches in two."""
    numbers = [Found((40.0 + 30 * place, 500.0), 14.0, 0.0, 0.9) for place in range(30)]
    blotches = [Found((200.0 + 200 * place, 300.0), 120.0, 0.0, 0.45) for place in range(4)]

    def look(_net: object, levels: list[NDArray[np.uint8]], scale: float) -> list[Found]:
        return numbers if scale * max(levels[0].shape) > 500 else blotches

    monkeypatch.setattr("remi_ref.vision.find._look", look)
    found = find(load_net("finder"), [np.zeros((768, 1024, 3), np.uint8)])
    assert sorted(one.centre for one in found) == sorted(one.centre for one in numbers)


def test_inks_are_told_apart_by_warm_and_dim_light(readers: Readers) -> None:
    inks = np.array(
        [(40, 40, 200), (150, 60, 30), (30, 30, 30), (20, 160, 235), (160, 60, 110)]
    )  # BGR, the last violet
    for light in ((1.0, 1.0, 1.0), (0.6, 0.75, 0.9), (0.5, 0.5, 0.5)):
        crops = []
        for ink in inks:
            crop = np.full((CROP, CROP, 3), 240, np.uint8)
            cv2.putText(crop, "8", (22, 44), cv2.FONT_HERSHEY_SIMPLEX, 1.0, ink.tolist(), 4)
            crops.append((crop * light).astype(np.uint8))
        apart = np.linalg.norm(readers.see_inks(crops)[:, None] - inks[None] / 240, axis=2)
        assert (apart.argmin(axis=1) == np.arange(len(inks))).all(), light


def test_tiles_of_one_ink_settle_the_doubtful_one() -> None:
    sure = [0.96, 0.02, 0.01, 0.01]
    other = [0.01, 0.02, 0.96, 0.01]
    doubtful = [0.45, 0.02, 0.50, 0.03]
    red, black = [0.2, 0.2, 0.8], [0.1, 0.1, 0.1]
    colours = np.array([sure, sure, other, other, doubtful], np.float32)
    inks = np.array([red, red, black, black, red], np.float32)
    settled = sharpen_colours(colours, inks, np.ones(5, np.float32))
    assert COLOURS[int(settled[4].argmax())] == "R"
    assert np.allclose(settled.sum(axis=1), 1, atol=1e-4)


def test_opencv_waits_until_a_photo_is_read() -> None:
    program = "import sys, remi_ref.vision, remi_ref.vision.scan; sys.exit('cv2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_a_photo_stands_for_the_tiles_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("rack.jpg", "table.jpg"):
        shutil.copy(SAMPLES / name, tmp_path)
    turn, played = tmp_path / "turn.yaml", tmp_path / "round.yaml"
    turn.write_text(
        "rules: remi-101\nopened: melds\nhand: rack.jpg\ntable: table.jpg\nrow: G2\n"
        "actions: [draw: {stock: N9}, discard: A2]\n",
        encoding="utf-8",
    )
    assert main(["turn", str(turn), "--json"]) == 0
    after = json.loads(capsys.readouterr().out)["after"]
    assert (len(after["hand"].split()), len(after["table"])) == (15, 4)
    played.write_text(
        "rules: remi-etalat\ncloser: Dan\nclosing-tile: R6\n"
        "players: {Ana: {melds: table.jpg, hand: rack.jpg}, Dan: {laid: 50}}\n",
        encoding="utf-8",
    )
    assert main(["score", str(played), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["scores"]["Ana"] == 0


def test_a_photo_without_tiles_is_no_empty_hand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cv2.imwrite(str(tmp_path / "white.png"), np.full((300, 400, 3), 255, np.uint8))
    played = tmp_path / "round.yaml"
    played.write_text(
        "rules: remi-etalat\ncloser: Ana\nplayers: {Ana: {laid: 50}, Dan: {laid: 50, hand: white.png}}\n",
        encoding="utf-8",
    )
    assert main(["score", str(played)]) == 2
    assert "white.png" in capsys.readouterr().err


def test_a_photo_without_colour_leaves_the_colours_open(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    grey = cv2.imread(str(SAMPLES / "rack.jpg"), cv2.IMREAD_GRAYSCALE)
    assert grey is not None
    cv2.imwrite(str(tmp_path / "grey.png"), grey)
    assert main(["can-open", str(tmp_path / "grey.png"), "--json"]) == 3
    photo = json.loads(capsys.readouterr().out)["photos"][0]
    numbered = [number for number, tile in enumerate(photo["tiles"], start=1) if tile["tile"][0] in COLOURS]
    assert numbered
    assert set(numbered) <= set(photo["doubtful"])
