"""What the box allows: the surer reading stays, the less sure one gives way, and it is said."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remi_ref.vision.box import Box, Conflict, Odds, settle

BOX = Box(packs=2, jokers=2, false_jokers=2)


def odds_of(text: str) -> Odds:
    """``R7 0.9 G7 0.1`` as odds."""
    words = text.split()
    return tuple((tile, float(chance)) for tile, chance in zip(words[::2], words[1::2], strict=True))


CASES = {
    "two copies may stand": (("R7 0.9 G7 0.1", "R7 0.6 G7 0.4"), "R7 R7", ()),
    "the third copy gives way to its next reading": (
        ("R7 0.6 G7 0.3", "R7 0.9 G7 0.1", "R7 0.8 G7 0.1"),
        "G7 R7 R7",
        (Conflict(0, "R7", "G7", 2),),
    ),
    "the order of the tiles does not matter": (
        ("R7 0.9 G7 0.1", "R7 0.8 G7 0.1", "R7 0.6 G7 0.3"),
        "R7 R7 G7",
        (Conflict(2, "R7", "G7", 2),),
    ),
    "a next reading that is used up is passed over": (
        ("R7 0.9", "R7 0.9", "G7 0.9", "G7 0.9", "R7 0.5 G7 0.3 A7 0.2"),
        "R7 R7 G7 G7 A7",
        (Conflict(4, "R7", "A7", 2),),
    ),
    "a third joker gives way": (
        ("J 0.9", "J 0.9", "J 0.7 N8 0.3"),
        "J J N8",
        (Conflict(2, "J", "N8", 2),),
    ),
    "where nothing else is likely the reading stays and is reported": (
        ("R7 0.99", "R7 0.98", "R7 0.97 G7 0.001"),
        "R7 R7 R7",
        (Conflict(2, "R7", "R7", 2),),
    ),
    "no tile is no way out": (("R7 0.99", "R7 0.98", "R7 0.7 X 0.3"), "R7 R7 R7", (Conflict(2, "R7", "R7", 2),)),
    "an illegal meld is no concern of the box": (("R7 0.9 A7 0.1", "R7 0.9 N7 0.1", "G12 0.5 R8 0.5"), "R7 R7 G12", ()),
}


@pytest.mark.parametrize(("said", "taken", "conflicts"), CASES.values(), ids=CASES)
def test_the_box(said: tuple[str, ...], taken: str, conflicts: tuple[Conflict, ...]) -> None:
    readings, found = settle([odds_of(text) for text in said], BOX)
    assert " ".join(reading.text for reading in readings) == taken
    assert found == conflicts
    assert [i for i, reading in enumerate(readings) if reading.gave_way] == [c.tile for c in conflicts]


def test_the_chance_of_what_is_left_is_counted_without_what_is_excluded() -> None:
    readings, _ = settle([odds_of("R7 0.9"), odds_of("R7 0.9"), odds_of("R7 0.6 G7 0.3 A7 0.1")], BOX)
    assert (readings[2].text, readings[2].gave_way) == ("G7", True)
    assert readings[2].confidence == pytest.approx(0.75)


def test_a_house_with_four_jokers_keeps_them() -> None:
    readings, conflicts = settle([odds_of("J 0.9 N8 0.1")] * 4, Box(jokers=4))
    assert [reading.text for reading in readings] == ["J"] * 4
    assert conflicts == ()


TEXTS = st.sampled_from(["R7", "G7", "A7", "J", "F", "N1"])


@st.composite
def some_odds(draw: st.DrawFn) -> Odds:
    texts = draw(st.lists(TEXTS, min_size=1, max_size=4, unique=True))
    chances = sorted((draw(st.floats(0.01, 1)) for _ in texts), reverse=True)
    return tuple((text, chance / sum(chances)) for text, chance in zip(texts, chances, strict=True))


@given(st.lists(some_odds(), max_size=14))
def test_nothing_is_hidden(odds: list[Odds]) -> None:
    readings, conflicts = settle(odds, BOX)
    assert len(readings) == len(odds)
    changed = {i for i, (reading, said) in enumerate(zip(readings, odds, strict=True)) if reading.text != said[0][0]}
    assert changed <= {conflict.tile for conflict in conflicts}
    too_many = Counter(reading.text for reading in readings) - Counter(
        dict.fromkeys(["R7", "G7", "A7", "N1"], 2) | {"J": 2, "F": 2}
    )
    kept = Counter(conflict.read for conflict in conflicts if conflict.read == conflict.taken)
    assert too_many == kept, "a copy too many stands only where it is reported"
    assert all(0 < reading.confidence <= 1 for reading in readings)
