"""The renderer: the same seed gives the same photo, and its truth lies where the picture shows it."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("PIL", reason="the renderer needs the training extra")

from remi_ref.notation import parse_tiles
from training import render, scenes, styles
from training.legible import legible
from training.typefaces import pictograms, typefaces

SEEDS = range(6)


@pytest.mark.parametrize("kind", scenes.KINDS)
def test_same_seed_same_photo(kind: str) -> None:
    first, second = (render.render_scene(3, kind=kind, width=480) for _ in range(2))
    assert np.array_equal(first.image, second.image)
    assert first.rows == second.rows
    assert not np.array_equal(first.image, render.render_scene(4, kind=kind, width=480).image)


@pytest.mark.parametrize("held_out", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_visible_numbers_lie_in_the_picture(seed: int, held_out: bool) -> None:  # noqa: FBT001
    scene = render.render_scene(seed, held_out=held_out, width=560)
    height, width = scene.image.shape[:2]
    assert scene.tiles
    for tile in scene.tiles:
        assert tile.corners.shape == (4, 2)
        assert 0 < tile.visible <= 1
        if tile.visible > 0.72:
            assert 0 <= tile.number_centre[0] < width
            assert 0 <= tile.number_centre[1] < height
        ahead = (tile.corners[:2].mean(axis=0) - tile.corners[2:].mean(axis=0)) @ (
            np.sin(np.radians(tile.angle)),
            -np.cos(np.radians(tile.angle)),
        )
        assert ahead > tile.number_height * 0.9, "the number points where the tile points, and fits on it"


def test_ink_is_where_the_truth_says() -> None:
    """Black numbers on a laid-out box are darker than the face around them."""
    style = next(s for s in map(styles.sample_style, range(50)) if s.material == "white" and s.number > 0.35)
    scene = render.render_box(style, 1, width=1600)
    darker = 0
    black = [tile for tile in scene.tiles if tile.tile[0] == "N"]
    for tile in black:
        centre, half = np.array(tile.number_centre), max(2, int(tile.number_height / 2))
        x, y = centre.astype(int)
        inside = scene.image[y - half : y + half, x - half : x + half].min(axis=(0, 1)).mean()
        corner = (tile.corners[2] * 0.85 + tile.corners[0] * 0.15).astype(int)
        darker += inside < scene.image[corner[1], corner[0]].mean() - 30
    assert len(black) == 13
    assert darker >= 12


@pytest.mark.parametrize("kind", ["rack", "melds", "box"])
def test_rows_are_notation_and_count_the_tiles(kind: str) -> None:
    for seed in SEEDS:
        scene = render.render_scene(seed, kind=kind, width=480)
        readable = Counter(tile.tile for tile in scene.tiles if tile.visible >= 0.3)
        assert Counter(" ".join(scene.rows).replace("|", " ").split()) == readable
        for row in scene.rows:
            parse_tiles(row.replace("|", " ").replace("X", " "))


def test_given_rows_are_kept() -> None:
    rows = ("R3 R4 R5 | A8 N8", "J G13")
    scene = next(s for seed in range(9) if (s := render.render_scene(seed, kind="rack", tiles=rows, width=480)).rows)
    assert scene.rows == rows


def test_box_rarely_has_a_third_copy() -> None:
    broken = 0
    for seed in range(30):
        box = scenes.Box(np.random.default_rng(seed))
        drawn = Counter(box.draw() for _ in range(60))
        broken += any(count > 2 for tile, count in drawn.items() if tile not in ("J", "F"))
    assert broken < 10


def test_what_is_kept_out_is_never_trained_on() -> None:
    assert not set(typefaces(held_out=True)) & set(typefaces(held_out=False))
    assert not set(pictograms(held_out=True)) & set(pictograms(held_out=False)) - {"★"}
    trained = [styles.sample_style(seed) for seed in range(200)]
    assert not {style.joker for style in trained} & {"clown", "crown"}
    assert not any(style.number > 0.56 and style.engraved for style in trained)
    kept = [styles.sample_style(seed, held_out=True) for seed in range(60)]
    assert {style.joker for style in kept} == set(styles.JOKERS_KEPT_OUT)
    assert any(style.number > 0.56 and style.engraved for style in kept)
    assert max(_nearest(style.inks[1], trained) for style in kept) > 20, "a blue that no trained box has"


def _nearest(ink: styles.Ink, boxes: list[styles.Style]) -> float:
    return min(float(np.linalg.norm(np.subtract(ink, box.inks[1]))) for box in boxes)


def test_a_style_can_be_rendered_again() -> None:
    style = styles.sample_style(5)
    assert style == styles.sample_style(5)
    assert {render.render_scene(seed, style=style, width=480).style for seed in (1, 2)} == {style.name}


def test_unknown_kind_is_named() -> None:
    with pytest.raises(ValueError, match="heap"):
        render.render_scene(1, kind="heap")


def test_what_is_blurred_or_pale_is_not_asked_for() -> None:
    scene = render.render_scene(40001, kind="rack", tiles=["R3 R4 R5"], width=1000)
    sharp = replace(scene, softness=0.0)
    assert all(legible(sharp, tile) for tile in scene.tiles)
    assert not any(legible(replace(scene, softness=30.0), tile) for tile in scene.tiles)
    pale = replace(sharp, image=np.full_like(scene.image, 200))
    assert not any(legible(pale, tile) for tile in scene.tiles)
