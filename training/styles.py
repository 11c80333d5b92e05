"""Styles: how one box of tiles looks, drawn by lot from what makers sell.

A `Style` is a frozen value, so the same box can be rendered in many scenes. What the split keeps out of training is
named here once: the largest engraved numerals, two blue inks, the jokers of `JOKERS_KEPT_OUT`, a quarter of the
pictograms and a fifth of the typefaces.
"""

from dataclasses import dataclass, replace
from typing import TypeVar

import cv2
import numpy as np

from training.typefaces import pictograms, slanted_typefaces, typefaces

Ink = tuple[int, int, int]
_T = TypeVar("_T")

# Inks are red, green, blue as printed under white light.
_RED = ((205, 30, 40), (190, 20, 25), (225, 45, 45), (150, 20, 30), (220, 40, 75), (215, 60, 40), (235, 70, 90))
_BLUE = (
    (25, 60, 170),
    (20, 40, 120),
    (40, 90, 200),
    (10, 70, 190),
    (55, 80, 160),
    (30, 115, 205),
    (90, 180, 235),
    (20, 150, 165),
)
_BLUE_KEPT_OUT = ((60, 160, 215), (0, 130, 150))
_BLACK = ((20, 20, 22), (35, 32, 30), (45, 35, 28), (15, 15, 20), (55, 50, 48))
_FOURTH = (
    (240, 190, 20),
    (250, 150, 20),
    (245, 125, 20),
    (225, 165, 30),
    (235, 205, 60),
    (250, 170, 70),
    (205, 140, 20),
)
_FOURTH_GREEN = ((30, 130, 60), (20, 105, 50), (70, 150, 50))

# What may stand for red, blue, black and yellow in a box unlike any: pinks, violets, browns, greys, limes.
_OTHER_INKS = (
    ((235, 110, 160), (190, 30, 120), (130, 50, 30), (250, 140, 120), (160, 20, 70)),
    ((110, 60, 160), (0, 175, 200), (90, 110, 130), (70, 40, 110), (130, 150, 230)),
    ((95, 60, 35), (110, 110, 110), (20, 60, 40), (60, 20, 60), (75, 75, 40)),
    ((140, 190, 40), (150, 110, 30), (175, 175, 165), (230, 150, 200), (120, 90, 10)),
)

_FACES = {  # material: colours of the face
    "white": ((246, 245, 240), (236, 236, 232), (250, 248, 244)),
    "ivory": ((240, 230, 205), (235, 224, 190), (245, 238, 218)),
    "bakelite": ((232, 208, 150), (222, 190, 128), (238, 216, 172)),
    "wood": ((222, 188, 138), (205, 165, 112), (232, 205, 160), (190, 146, 96)),
}
_SIDES = ((60, 40, 30), (30, 110, 60), (40, 60, 140), (140, 30, 35), (225, 200, 150))
_DRAWN = ("face", "smiley", "jester", "star", "sun", "letter", "letter", "word", "joly", "mirrored")
JOKERS = (*_DRAWN, *("pictogram",) * 6)
JOKERS_KEPT_OUT = ("clown", "crown", "pictogram", "pictogram")
_WORDS = {"word": ("JOKER", "Joker", "JOLLY"), "joly": ("joly", "JOLY", "Joly"), "letter": ("J", "JR")}
_MARKS = ("none", "none", "none", "ring", "dish", "dot", "heart", "clover", "suit", "circle", "line")

INKS_APART = 30.0  # nearer ones, such as dark brown and black, are hard to tell


@dataclass(frozen=True)
class Style:
    """One box of tiles.

    Lengths are shares of the tile's width unless said otherwise; colours are (red, green, blue) in 0..255.
    """

    name: str
    held_out: bool
    material: str
    face: Ink
    side: Ink
    grain: float  # strength of the wood or stone pattern, 0..1
    aspect: float  # height of the tile over its width
    thickness: float
    corner: float  # radius of the corners
    bevel: float  # width of the lighter edge
    gloss: float  # strength of reflections, 0..1
    typeface: str
    weight: float  # how much strokes are fattened, share of the number's height
    squeeze: float  # width of the digits over their natural width
    slant: float  # how far the digits lean, width over height
    waist: float  # where their middle lies: 0 as drawn, above 0 higher, below 0 lower
    rounding: float  # how much corners are rounded, share of the number's height
    number: float  # height of the number over the height of the tile
    number_y: float  # centre of the number, 0 at the top edge and 1 at the bottom
    engraved: float  # depth of the grooves, 0 is printed flat
    inks: tuple[Ink, Ink, Ink, Ink]  # R, A, N, G
    mark: str  # what stands below the number
    mark_ink: str  # number | face: in the number's ink or only pressed into the face
    underline: bool  # 6 and 9 carry a line below
    joker: str
    joker_word: str
    joker_inks: tuple[Ink, ...]
    false_joker: str
    back: str  # what a face-down tile shows: plain | logo | other
    wear: float  # share of the ink that is worn off, 0..1


def sample_style(seed: int, held_out: bool = False) -> Style:  # noqa: FBT001, FBT002 - the flag reads well by name
    """Draw the look of one box.

    Args:
        seed: the same seed gives the same box.
        held_out: draw from the looks kept out of training.
    """
    rng = np.random.default_rng((seed, 7, int(held_out)))
    material = str(rng.choice(list(_FACES), p=[0.3, 0.32, 0.13, 0.25]))
    face = _near(rng, _pick(rng, _FACES[material]), 6)
    number, engraved = _numerals(rng, held_out=held_out)
    mark = str(rng.choice(_MARKS)) if number < 0.46 else str(rng.choice(("none", "line", "none", "dot")))
    number_y, underline = _place(rng, number, mark)
    inks = _inks(rng, held_out=held_out)
    joker, joker_word = _joker(rng, held_out=held_out)
    return Style(
        name=f"{'kept-out' if held_out else 'box'}-{seed}",
        held_out=held_out,
        material=material,
        face=face,
        side=_near(rng, _pick(rng, _SIDES), 15) if rng.random() < 0.15 else _darker(face, rng.uniform(0.72, 0.95)),
        grain=float(rng.uniform(0.35, 1) if material == "wood" else rng.choice((0, 0, rng.uniform(0.05, 0.3)))),
        aspect=float(rng.uniform(1.22, 1.62)),
        thickness=float(rng.uniform(0.14, 0.5)),
        corner=float(rng.choice((rng.uniform(0.02, 0.07), rng.uniform(0.07, 0.17)))),
        bevel=float(rng.choice((0, rng.uniform(0.015, 0.06)))),
        gloss=float(rng.uniform(0, 0.3) if material == "wood" else rng.uniform(0.05, 1)),
        typeface=_pick(rng, typefaces(held_out=held_out)),
        weight=float(rng.choice((0, 0, rng.uniform(0, 0.03), rng.uniform(0.02, 0.06)))),
        squeeze=float(rng.uniform(0.75, 1.25)),
        slant=float(rng.choice((0, 0, rng.uniform(-0.05, 0.16)))),
        waist=float(rng.choice((0, rng.uniform(-0.22, 0.22)))),
        rounding=float(rng.choice((0, 0, rng.uniform(0.01, 0.05)))),
        number=number,
        number_y=number_y,
        engraved=engraved,
        inks=inks,
        mark=mark,
        mark_ink=str(rng.choice(("number", "face"))),
        underline=underline,
        joker=joker,
        joker_word=joker_word,
        joker_inks=_joker_inks(rng, inks),
        false_joker=str(rng.choice(("clover3", "clover4", "flower", "rosette"))),
        back=str(rng.choice(("plain", "plain", "logo", "other"))),
        wear=float(rng.choice((0, 0, rng.uniform(0, 0.25)))),
    )


def unlike_any(seed: int) -> Style:
    """A box that is kept out, in inks of other hues and slanted figures that no trained box has."""
    style, rng = sample_style(seed, held_out=True), np.random.default_rng((seed, 11))
    red, blue, black, fourth = _other_inks(rng)
    while not _told_apart(red, blue, black, fourth):
        red, blue, black, fourth = _other_inks(rng)
    return replace(
        style,
        name=f"unlike-{seed}",
        inks=(red, blue, black, fourth),
        joker_inks=(_pick(rng, (red, blue, black, fourth)),),
        typeface=_pick(rng, slanted_typefaces()),
    )


def _other_inks(rng: np.random.Generator) -> tuple[Ink, Ink, Ink, Ink]:
    red, blue, black, fourth = (_near(rng, _pick(rng, inks), 10) for inks in _OTHER_INKS)
    return red, blue, black, fourth


def _told_apart(*inks: Ink) -> bool:
    """Whether people can tell the inks of a box apart, as whoever sells it must want: their distances in L*a*b*."""
    lab = cv2.cvtColor(np.array([inks], np.float32) / 255, cv2.COLOR_RGB2LAB)[0]
    apart = np.linalg.norm(lab[:, None] - lab[None], axis=2)
    return float(apart[np.triu_indices(len(inks), 1)].min()) > INKS_APART


def _joker(rng: np.random.Generator, *, held_out: bool) -> tuple[str, str]:
    """Kind of the joker, and its word, letter or pictogram."""
    joker = str(rng.choice(JOKERS_KEPT_OUT if held_out else JOKERS))
    words = pictograms(held_out=held_out) if joker == "pictogram" else _WORDS.get(joker, ("JOKER",))
    return joker, _pick(rng, words)


def _numerals(rng: np.random.Generator, *, held_out: bool) -> tuple[float, float]:
    """Height of the number and depth of its grooves; large and engraved together only where kept out."""
    engraved = float(rng.uniform(0.3, 1)) if rng.random() < 0.4 else 0.0
    if held_out and rng.random() < 0.5:
        return float(rng.uniform(0.56, 0.66)), float(rng.uniform(0.5, 1))
    top = 0.56 if engraved else 0.62
    return float(rng.choice((rng.uniform(0.2, 0.3), rng.uniform(0.28, 0.42), rng.uniform(0.38, top)))), engraved


def _place(rng: np.random.Generator, number: float, mark: str) -> tuple[float, bool]:
    """Where the number stands, and whether 6 and 9 need a line below to be told apart."""
    high = number / 2 + rng.uniform(0.07, 0.14)
    if mark in ("none", "line") and rng.random() < 0.35:
        return float(rng.uniform(0.47, 0.5)), True
    centre = min(high + rng.uniform(0, 0.08), 0.5)
    return float(centre), mark == "line" or centre > 0.44 or bool(rng.random() < 0.15)


def _inks(rng: np.random.Generator, *, held_out: bool) -> tuple[Ink, Ink, Ink, Ink]:
    blues = _BLUE_KEPT_OUT if held_out and rng.random() < 0.6 else _BLUE
    greens = rng.random() < 0.14 and blues is _BLUE
    fourth = _FOURTH_GREEN if greens else _FOURTH
    return (
        _near(rng, _pick(rng, _RED), 10),
        _near(rng, _pick(rng, blues), 10),
        _near(rng, _pick(rng, _BLACK), 8),
        _near(rng, _pick(rng, fourth), 10),
    )


def _joker_inks(rng: np.random.Generator, inks: tuple[Ink, Ink, Ink, Ink]) -> tuple[Ink, ...]:
    """One ink, or two or three, or the red and the black joker of a box (two single inks)."""
    order = [inks[int(i)] for i in rng.permutation(4)]
    return tuple(order[: int(rng.choice((1, 1, 2, 3)))]) if rng.random() < 0.6 else (inks[0],)


def _pick(rng: np.random.Generator, items: tuple[_T, ...]) -> _T:
    return items[int(rng.integers(len(items)))]


def _near(rng: np.random.Generator, ink: Ink, spread: float) -> Ink:
    red, green, blue = np.clip(np.add(ink, rng.normal(0, spread / 2, 3)), 0, 255).astype(int)
    return int(red), int(green), int(blue)


def _darker(ink: Ink, share: float) -> Ink:
    return int(ink[0] * share), int(ink[1] * share), int(ink[2] * share)
