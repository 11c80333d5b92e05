"""Learning one's own box: the order of the rows corrects what was misread; profiles come back whole or not at all."""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
import yaml

from remi_ref.errors import Unreadable
from remi_ref.vision.correction import COLOURS, FEATURES, LOGITS, SHAPE, corrected, fit_correction
from remi_ref.vision.fitting import inks_of, teach
from remi_ref.vision.inks import by_box
from remi_ref.vision.learning import learn
from remi_ref.vision.modelindex import trained
from remi_ref.vision.profile import Profile, load_profile, profile_folder, save_profile
from remi_ref.vision.read import ROW
from remi_ref.vision.scan import load_readers, scan_photo
from remi_ref.vision.sighting import Sighting

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

SAMPLES = Path(__file__).parent.parent / "samples" / "photos"
INKS = {"R": (0.2, 0.2, 0.8), "A": (0.8, 0.4, 0.2), "N": (0.1, 0.1, 0.1), "G": (0.2, 0.7, 0.95)}
ORDER = tuple(" ".join(f"{colour}{number}" for number in range(1, 14)) for colour in "RANG")
WHOLE_BOX = (*ORDER, "J J")
MELDS = (  # of a game, on the table
    "R3 R4 R5 A8 N8 G8 N10 N11 N12 N13",
    "G1 R1 N1 A5 A6 A7 A8 R9 G9 N9",
    "N2 N3 N4 N5 G11 A11 R11 R6 R7 R8",
    "A12 G12 N12 G3 G4 G5 G6 A1 A2 A3",
    "R13 N13 A13 G13 N7 R7 G7 J R12 R13",
    "A9 A10 A11 G2 R2 N2 A2 R10 G10 N10",
)
PROFILE = Profile(
    "ourset",
    ("R1",),
    np.array([[0.2, 0.2, 0.8], [0.8, 0.4, 0.2], [0.1, 0.1, 0.1], [np.nan] * 3], np.float32),
    0.01 * np.eye(3, dtype=np.float32),
    np.linspace(-1, 1, math.prod(SHAPE), dtype=np.float32).reshape(SHAPE),
)


def ink_of(text: str, chance: np.random.Generator) -> NDArray[np.float32]:
    """How this box's print looks: much the same each time."""
    ink = np.array(INKS.get(text[0], (0.5, 0.5, 0.5)))
    return np.asarray(ink + chance.normal(0, 0.03, 3), np.float32)


def box_photo(
    rows: tuple[str, ...], misread: Mapping[str, str] | None = None, seed: int = 0, sure: float = 0.85
) -> list[Sighting]:
    """Sightings of tiles laid out in rows; `misread` says what the networks take a tile for; else they are so sure."""
    chance = np.random.default_rng(seed)
    sightings = []
    for y, row in enumerate(rows):
        for x, text in enumerate(row.split()):
            read = (misread or {}).get(text, text)
            odds = ((text, sure), ("A7" if text != "A7" else "R7", (1 - sure) / 2))
            if read != text:
                odds = ((read, 0.5), (text, 0.35))
            corner = (60.0 + 50 * x, 80.0 + 80 * y)
            corners = tuple((corner[0] + a, corner[1] + b) for a, b in ((-22, -20), (22, -20), (22, 45), (-22, 45)))
            assert len(corners) == 4
            sightings.append(Sighting(corners, corner, 20.0, 0.0, odds, ink_of(text, chance)))
    order = chance.permutation(len(sightings))
    return [sightings[i] for i in order]


def test_a_whole_box_is_learned() -> None:
    learned = learn([box_photo(WHOLE_BOX)])
    assert sorted([text for _, text, _ in learned.tiles]) == sorted(" ".join(WHOLE_BOX).split())
    assert learned.missing == ()
    assert learned.doubtful == ()


def test_both_copies_and_several_photos() -> None:
    eight_rows = learn([box_photo((*ORDER, *ORDER, "J J"))])
    two_photos = learn([box_photo(ORDER[:2]), box_photo((*ORDER[2:], "J"))])
    assert len(eight_rows.tiles) == 106
    assert (eight_rows.missing, two_photos.missing) == ((), ())


def test_a_box_that_is_partly_covered_is_learned() -> None:
    rows = (*(row.replace(f" {row[0]}{number}", "") for row, number in zip(ORDER, (4, 7, 9, 10), strict=True)), "J")
    rows = tuple(row.removeprefix(f"{row[0]}1 ") for row in rows)
    assert len(learn([box_photo(rows)]).missing) == 8


def test_a_joker_stands_at_an_end() -> None:
    learned = learn([box_photo((ORDER[0], f"J {ORDER[1]}", f"{ORDER[2]} J", ORDER[3]), {"R6": "J", "N2": "X"})])
    assert learned.missing == ()
    assert sorted(learned.doubtful) == [("R6", "J")]


@pytest.mark.parametrize("covered", [("N6", "N7", "N8", "N9", "N10"), ("N4", "N9", "N10", "N11"), ("N2", "N3")])
def test_tiles_beyond_those_that_a_hand_covers_are_no_jokers(covered: tuple[str, ...]) -> None:
    row = " ".join(text for text in ORDER[2].split() if text not in covered)
    learned = learn([box_photo((*ORDER[:2], row, ORDER[3], "J J"))])
    assert sorted(learned.missing) == sorted(covered)
    assert learned.doubtful == ()


def test_what_is_missing_is_named() -> None:
    rows = ("R1 R2 R3 R4 R6 R7 R8 R9 R10 R11 R12 R13", *ORDER[1:])
    learned = learn([box_photo(rows)])
    assert learned.missing == ("R5", "J")
    assert "R5" not in [text for _, text, _ in learned.tiles]


def test_the_order_corrects_what_is_misread_and_says_so() -> None:
    learned = learn([box_photo(WHOLE_BOX, {"R6": "R9", "A1": "A7", "J": "N8"})])
    assert sorted([text for _, text, _ in learned.tiles]) == sorted(" ".join(WHOLE_BOX).split())
    assert sorted(learned.doubtful) == [("A1", "A7"), ("J", "N8"), ("J", "N8"), ("R6", "R9")]


def test_an_ink_taken_for_another_gets_its_own_name() -> None:
    green_as_blue = {f"G{number}": f"A{number}" for number in range(1, 14)}
    learned = learn([box_photo(WHOLE_BOX, green_as_blue)])
    assert learned.missing == ()
    assert len(learned.doubtful) == 13


def test_inks_that_look_like_each_other_have_the_names_of_the_usual_order() -> None:
    exchanged = {f"{a}{number}": f"{b}{number}" for a, b in ("AN", "NA") for number in range(1, 14)}
    learned = learn([box_photo(WHOLE_BOX, exchanged)])
    assert sorted(looks[0] + right[0] for right, looks in learned.doubtful) == ["AN"] * 13 + ["NA"] * 13


@pytest.mark.parametrize("looks", ["RGNR", "RRNG", "AANG", "RANR", "NNNN"])
def test_looks_that_do_not_name_each_colour_give_way_to_the_usual_order(looks: str) -> None:
    misread = {f"{a}{number}": f"{b}{number}" for a, b in zip("RANG", looks, strict=True) for number in range(1, 14)}
    learned = learn([box_photo(WHOLE_BOX, misread)])
    other = {(right, seen) for right, seen in zip("RANG", looks, strict=True) if right != seen}
    assert {(right[0], seen[0]) for right, seen in learned.doubtful} == other


def test_what_lies_beside_the_rows_is_no_row() -> None:
    exchanged = {f"{a}{number}": f"{b}{number}" for a, b in ("AN", "NA") for number in range(1, 14)}
    learned = learn([box_photo(("A4", "R8 N2", *WHOLE_BOX, "G4"), exchanged)])
    assert Counter(text for _, text, _ in learned.tiles) == Counter(" ".join(WHOLE_BOX).split())
    assert len(learned.doubtful) == 26


def test_clear_colours_may_lie_in_any_order() -> None:
    learned = learn([box_photo(("J J", *reversed(ORDER)), sure=0.99)])
    assert learned.doubtful == ()


def test_inks_that_are_surely_taken_for_each_other_have_the_names_of_the_usual_order() -> None:
    """Of an ink that no network knows it is never quite sure, whatever it takes it for."""
    exchanged = {f"{a}{number}": f"{b}{number}" for a, b in ("NG", "GN") for number in range(1, 14)}
    taken_for = [(seen, exchanged.get(seen.odds[0][0], seen.odds[0][0])) for seen in box_photo(WHOLE_BOX)]
    photo = [replace(seen, odds=((text, 0.96),)) for seen, text in taken_for]
    learned = learn([photo])
    assert {(right[0], looks[0]) for right, looks in learned.doubtful} == {("N", "G"), ("G", "N")}


def test_jokers_nobody_has_seen_before_are_learned_from_their_place() -> None:
    learned = learn([box_photo((*ORDER[:3], f"{ORDER[3]} J J"), {"J": "X"})])
    assert [text for _, text, _ in learned.tiles].count("J") == 2


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        (ORDER[:1], "profile.too_few"),
        ((), "profile.too_few"),
        (ORDER[:2], "profile.too_few"),
        (MELDS, "profile.out_of_order"),
        (tuple(row.partition(" ")[0] for row in MELDS), "profile.too_few"),
        (tuple(" ".join(reversed(row.split())) for row in ORDER), "profile.out_of_order"),
    ],
)
def test_what_cannot_be_learned(rows: tuple[str, ...], code: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        learn([box_photo(rows)])
    assert refusal.value.code == code


def test_a_rack_among_the_photos_of_a_box_is_refused() -> None:
    with pytest.raises(Unreadable) as refusal:
        learn([box_photo(ORDER), box_photo(("R9 R4 A13 N2 G7 R1 A5 N11 G3 A8 N6",))])
    assert refusal.value.code == "profile.out_of_order"
    assert refusal.value.values["of"] == 11


def test_a_box_that_looks_nothing_like_its_order_is_refused() -> None:
    wrong = {f"{colour}{n}": f"{colour}{n % 13 + 1}" for colour in "RANG" for n in range(2, 13, 2)}
    with pytest.raises(Unreadable) as refusal:
        learn([box_photo(ORDER, wrong)])
    assert refusal.value.code == "profile.out_of_order"


def test_inks_that_no_network_knows_are_told_by_those_of_the_box() -> None:
    chance = np.random.default_rng(3)
    printed = np.array([[0.9, 0.5, 0.9], [0.6, 0.3, 0.5], [0.4, 0.4, 0.4], [0.3, 0.8, 0.6]])  # pink, violet, grey, lime
    colours = np.tile(np.arange(4), 30)
    seen = (printed[colours] + chance.normal(0, 0.03, (120, 3))).astype(np.float32)
    inks, spread = inks_of(seen, colours)
    assert np.abs(inks - printed).max() < 0.03
    taken_for_red = np.tile(np.array([0.97, 0.01, 0.01, 0.01], np.float32), (120, 1))
    assert (by_box(taken_for_red, seen, inks, spread, np.ones(120, np.float32)).argmax(axis=1) == colours).all()


def test_a_colour_that_the_photo_of_the_box_did_not_show_can_still_be_read() -> None:
    seen = np.array([[0.2, 0.2, 0.9], [0.9, 0.3, 0.2]] * 5, np.float32)
    inks, spread = inks_of(seen, np.array([0, 1] * 5))
    assert np.isnan(inks[2:]).all()
    yellow = np.array([[0.01, 0.01, 0.01, 0.97]], np.float32)
    lime = np.array([[0.2, 0.8, 0.9]], np.float32)
    assert by_box(yellow, lime, inks, spread, np.ones(1, np.float32)).argmax() == 3


@pytest.mark.parametrize("light", [(1.2, 1.2, 1.2), (0.84, 0.84, 0.84), (0.8, 1.0, 1.15)])
def test_other_light_makes_all_inks_of_a_photo_stronger_alike(light: tuple[float, float, float]) -> None:
    inks = np.array([[0.8, 0.4, 0.8], [0.6, 0.4, 0.6], [0.45, 0.4, 0.45], [0.3, 0.8, 0.5]], np.float32)
    spread = np.eye(3, dtype=np.float32) * 0.08**2
    colours = np.tile(np.arange(4), 4)
    unsure = np.full((16, 4), 0.25, np.float32)
    seen = (inks[colours] * light).astype(np.float32)
    assert (by_box(unsure, seen, inks, spread, np.ones(16, np.float32)).argmax(axis=1) == colours).all()


THREE, EIGHT, JOKER = 2, 7, 13
"""Places among the classes."""


def rows_of(classes: NDArray[np.int_], colours: NDArray[np.int_], features: NDArray[np.float32]) -> NDArray[np.float32]:
    """What a network says that is fairly sure of these classes and colours."""
    rows = np.zeros((len(classes), ROW), np.float32)
    rows[np.arange(len(rows)), classes] = 3
    rows[np.arange(len(rows)), COLOURS.start + colours] = 3
    rows[:, -FEATURES:] = features
    return rows


def test_figures_and_jokers_that_are_always_misread_are_read_right_once_learned() -> None:
    chance = np.random.default_rng(4)
    looks = np.maximum(chance.normal(0, 1, (3, FEATURES)), 0).astype(np.float32)
    kinds = np.tile(np.arange(3), 40)
    features = np.maximum(looks[kinds] + chance.normal(0, 0.2, (120, FEATURES)), 0).astype(np.float32)
    truth, colours = np.array([THREE, EIGHT, JOKER])[kinds], np.array([3, 0, -1])[kinds]
    rows = rows_of(np.full(120, EIGHT), np.zeros(120, np.int_), features)  # all are taken for a red 8
    taught = corrected(rows, fit_correction(rows, truth, colours))
    assert (taught[:, :17].argmax(axis=1) == truth).all()
    assert (taught[colours >= 0, COLOURS].argmax(axis=1) == colours[colours >= 0]).all()
    assert (taught[:, LOGITS:] == rows[:, LOGITS:]).all(), "how a crop lies is not learned"


def test_what_is_read_right_already_is_hardly_corrected() -> None:
    chance = np.random.default_rng(5)
    classes, colours = np.tile(np.arange(13), 8), np.repeat(np.arange(4), 26)
    features = np.maximum(chance.normal(0, 1, (104, FEATURES)), 0).astype(np.float32)
    rows = rows_of(classes, colours, features)
    rows[:, :LOGITS] *= 3
    assert np.abs(corrected(rows, fit_correction(rows, classes, colours)) - rows).max() < 0.1


def test_a_photo_of_the_box_teaches_the_networks(tmp_path: Path) -> None:
    profile, learned = teach("ourset", [SAMPLES / "box.jpg"], load_readers())
    assert len(learned.tiles) >= 40
    save_profile(profile, tmp_path)
    truth = yaml.safe_load((SAMPLES / "truth.yaml").read_text(encoding="utf-8"))
    want = next(
        Counter(" ".join(entry["rows"]).replace("|", " ").split()) for entry in truth if entry["file"] == "box.jpg"
    )
    right = []
    for readers in (load_readers(), load_readers(load_profile("ourset", tmp_path))):
        scan = scan_photo(SAMPLES / "box.jpg", readers)
        right.append((want & Counter(tile.text for tile in scan.tiles)).total())
    assert right[1] >= right[0]


def test_a_profile_comes_back_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    profile = replace(PROFILE, name="trusa-noastră", texts=("R1", "J"))
    path = save_profile(profile)
    assert path.is_relative_to(profile_folder())
    back = load_profile("trusa-noastră")
    assert (back.name, back.texts) == (profile.name, profile.texts)
    assert np.array_equal(back.inks, profile.inks, equal_nan=True)
    assert (back.spread == profile.spread).all()
    assert np.abs(back.correction - profile.correction).max() < 1e-4
    assert [file.name for file in path.parent.iterdir()] == [path.name], "nothing half-written stays"


GOOD = {
    "texts": ["R1", "J"],
    "inks": [[0.2, 0.2, 0.8]] * 3 + [[None] * 3],
    "spread": PROFILE.spread.tolist(),
    "correction": np.zeros(SHAPE).tolist(),
    "networks": [trained(name).sha256 for name in ("reader", "inks")],
}


def stored(version: int = 2, **changes: object) -> bytes:
    """A profile's file; a change to nothing leaves the part out."""
    box = {key: value for key, value in {**GOOD, **changes}.items() if value is not None}
    checked = hashlib.sha256(json.dumps(box).encode()).hexdigest()
    return json.dumps({"format": version, "sha256": checked, "box": box}).encode()


BROKEN = {
    "nothing": b"",
    "not a profile": b"name: ourset\n",
    "no text": b"\xff\xfe\xff",
    "a list": b"[]",
    "lists without end": b"[" * 15_000,
    "cut off": stored()[:-40],
    "an ink changed": stored().replace(b"0.8", b"0.9", 1),
    "no such tile": stored(texts=["R1", "Z9"]),
    "numbers for tiles": stored(texts=[1, 2]),
    "no list of tiles": stored(texts=5),
    "numbers that are none": stored(spread=[[math.nan] * 3] * 3),
    "text for numbers": stored(spread="wide"),
    "three inks": stored(inks=[[0.5] * 3] * 3),
    "uneven inks": stored(inks=[[0.5] * 3, [0.5], [0.5], [0.5]]),
    "an ink beyond all light": stored(inks=[[math.inf] * 3] * 4),
    "an ink of four hundred digits": stored(inks=[[10**400] * 3] * 4),
    "no spread": stored(spread=[[0.0] * 3] * 3),
    "without inks": stored(inks=None),
    "a correction of another size": stored(correction=np.zeros((SHAPE[0], SHAPE[1] - 1)).tolist()),
    "a correction beyond all numbers": stored(correction=np.full(SHAPE, math.inf).tolist()),
    "of no networks": stored(networks=None),
    "huge": b" " * 110_000,
}


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN)
def test_damaged_profiles_are_refused_by_name(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "ourset.json").write_bytes(data)
    with pytest.raises(Unreadable) as refusal:
        load_profile("ourset", tmp_path)
    assert refusal.value.code == "profile.damaged"
    assert refusal.value.values["name"] == "ourset"


@pytest.mark.parametrize("data", [stored(1), stored(networks=["0" * 64, "0" * 64])], ids=["format", "networks"])
def test_profiles_of_other_versions_are_to_be_learned_again(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "ourset.json").write_bytes(data)
    with pytest.raises(Unreadable) as refusal:
        load_profile("ourset", tmp_path)
    assert refusal.value.code == "profile.other_version"


def test_a_sound_profile_is_not_refused(tmp_path: Path) -> None:
    (tmp_path / "ourset.json").write_bytes(stored())
    assert load_profile("ourset", tmp_path).texts == ("R1", "J")


def test_names(tmp_path: Path) -> None:
    profile = replace(PROFILE, name="../elsewhere")
    with pytest.raises(Unreadable, match=r"profile\.name"):
        save_profile(profile, tmp_path)
    with pytest.raises(Unreadable, match=r"profile\.name"):
        load_profile("", tmp_path)
    save_profile(PROFILE, tmp_path)
    with pytest.raises(Unreadable) as refusal:
        load_profile("oursett", tmp_path)
    assert refusal.value.code == "profile.missing"
    assert refusal.value.values["known"] == "ourset"


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    with pytest.raises(Unreadable) as refusal:
        save_profile(PROFILE, tmp_path / "file")
    assert refusal.value.code == "profile.not_written"
