"""`learn`: which tile lies where in photos of one's own box, laid out in order.

The player says what lies where by laying the box out: each row one colour, 1 to 13, the jokers at an end or in a row
of their own. That order corrects what the networks misread; which row is which colour is found for all rows together.
Where the inks leave it open, rows are taken to lie in the order red, blue, black, yellow (or what stands for it), so
that inks that no network has seen still get their own names.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from remi_ref.errors import Unreadable
from remi_ref.vision.layout import arrange
from remi_ref.vision.profile import COLOURS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from remi_ref.vision.sighting import Sighting

INK = 3  # numbers that describe an ink
COPIES = 2
FEWEST = 39  # different tiles from which a box can be learned: as many may be covered as a colour has
FEWEST_IN_A_ROW = 3  # fewer numbers beside the rows are no row of the box
WRONG_AT_MOST = 1 / 6  # share of tiles that may look like another number than the order says, or fit nowhere
ALL_TILES = frozenset(f"{colour}{number}" for colour in COLOURS for number in range(1, 14))

_JOKER = 14
_UNLIKELY = 0.02  # the networks may be surely wrong about a box they have never seen
_UNLIKELY_JOKER = 0.025  # about jokers hardly less so
_COST_OF_A_GAP = 3.0
_COST_OF_A_WIDER_GAP = 0.75  # for each tile more: a hand or a glare covers several that lie side by side
_COST_OF_A_LATE_START = 0.75
_COST_OF_NO_PLACE = 7.5
_COST_OF_MISSING = 1.0
_COST_OF_A_COPY_TOO_MANY = 10.0
_COST_OF_AN_INK_UNLIKE = 10.0
_WEIGHT_OF_LOOKS = 3.0  # tiles of a row share their ink, so thirteen of them are no thirteen witnesses
_WORTH_OF_THE_USUAL_ORDER = 8.0  # of each row; less than a colour that looks like another surely costs
_WORTH_WHERE_LOOKS_FAIL = 13.0  # the same where no network knows the inks
_CLEAR = 0.98  # mean chance of the likeliest colour of a row whose ink is known; of inks that are not it is less
_SPREAD_OF_INKS = 0.06  # how far the mean inks of two rows of one colour are seen apart


@dataclass(frozen=True)
class Learned:
    """What came of it.

    Attributes:
        tiles: what was seen where: number of the photo, tile in notation, sighting.
        missing: tiles of a whole box that were not, in order; ``J`` when no joker was.
        doubtful: pairs (by the order of the rows, by its looks) where the two disagree.
    """

    tiles: tuple[tuple[int, str, Sighting], ...]
    missing: tuple[str, ...]
    doubtful: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class _Row:
    """The tiles of a row that have a place in it, each with its number (14 is a joker)."""

    photo: int
    tiles: tuple[Sighting, ...]
    numbers: tuple[int, ...]


def learn(photos: Sequence[Sequence[Sighting]]) -> Learned:
    """Says of the sightings of one or more photos which tile each is.

    Raises:
        Unreadable: too many tiles that are not where the order wants them, or too few that are.
    """
    seen = sum(map(len, photos))
    rows = [_in_order(photo, row) for photo, sightings in enumerate(photos) for row in _rows(sightings)]
    rows = [row for row in rows if row.tiles and len(_numbered(row)) not in range(1, FEWEST_IN_A_ROW)]
    tiles = tuple(
        (row.photo, "J" if number == _JOKER else f"{colour}{number}", tile)
        for row, colour in zip(rows, _colours(rows), strict=True)
        for tile, number in zip(row.tiles, row.numbers, strict=True)
    )
    if seen >= FEWEST:
        for photo, sightings in enumerate(photos):
            _check_order(sightings, [tile for tile in tiles if tile[0] == photo])
    missing = _missing(text for _, text, _ in tiles)
    if (different := len(ALL_TILES.difference(missing))) < FEWEST:
        raise Unreadable("profile.too_few", count=different, least=FEWEST)
    return Learned(tiles, missing, tuple(_disagreements(tiles)))


def _check_order(seen: Sequence[Sighting], placed: Sequence[tuple[int, str, Sighting]]) -> None:
    """Refuses a photo whose tiles do not lie as a box is laid out: too many look unlike their place or have none."""
    unlike = sum(right[1:] != looks[1:] for right, looks in _disagreements(placed))
    misplaced = len(seen) - len(placed) + unlike
    if misplaced > WRONG_AT_MOST * len(seen):
        raise Unreadable("profile.out_of_order", count=misplaced, of=len(seen))


def _rows(sightings: Sequence[Sighting]) -> Iterator[list[Sighting]]:
    for row in arrange(sightings):
        yield [sightings[i] for group in row for i in group]


def _missing(texts: Iterable[str]) -> tuple[str, ...]:
    ordered = [f"{colour}{number}" for colour in COLOURS for number in range(1, 14)]
    seen = set(texts)
    return tuple(text for text in [*ordered, "J"] if text not in seen)


def _disagreements(tiles: Iterable[tuple[int, str, Sighting]]) -> Iterator[tuple[str, str]]:
    for _, text, tile in tiles:
        looks = tile.odds[0][0]
        if looks not in (text, "X") and not (text == "J" and looks == "F"):
            yield text, looks


def _number_costs(tile: Sighting) -> list[float]:
    """What it costs to take a tile for each number (1 to 13) or a joker (14); place 0 is not used."""
    chances = [0.0] * (_JOKER + 1)
    for text, chance in tile.odds:
        if text in ("J", "F", "X"):  # a joker nobody has seen before may look like anything
            chances[_JOKER] += chance if text == "J" else chance / 2
        else:
            chances[int(text[1:])] += chance
    least = [_UNLIKELY] * _JOKER + [_UNLIKELY_JOKER]
    return [-math.log(max(chance, floor)) for chance, floor in zip(chances, least, strict=True)]


def _in_order(photo: int, row: Sequence[Sighting]) -> _Row:
    """The cheapest way to give each tile of a row its number, going up; what fits nowhere is left out."""
    costs = [_number_costs(tile) for tile in row]
    # best[n]: cheapest way so far whose last number is n (0: none yet; 14: jokers after numbers), and the numbers given
    # (0: left out)
    best: dict[int, tuple[float, tuple[int, ...]]] = {0: (0.0, ())}
    for cost in costs:
        after: dict[int, tuple[float, tuple[int, ...]]] = {}
        for last, (paid, given) in best.items():
            options = [(last, 0, _COST_OF_NO_PLACE), (_JOKER if last else 0, _JOKER, cost[_JOKER])]
            if last != _JOKER:
                options += [(n, n, cost[n] + _step_cost(last, n)) for n in range(1, _JOKER)]
            for now, number, price in options:
                if now not in after or paid + price < after[now][0]:
                    after[now] = (paid + price, (*given, number))
        best = after
    _, numbers = min(best.values())
    placed = [(tile, number) for tile, number in zip(row, numbers, strict=True) if number]
    return _Row(photo, tuple(tile for tile, _ in placed), tuple(number for _, number in placed))


def _step_cost(last: int, number: int) -> float:
    """Going on by one is free, and so is starting again after 13; both copies may lie side by side."""
    if number in (last + 1, last - 12):
        return 0.0
    if last == 0:
        return _COST_OF_A_LATE_START * (number - 1)
    if number == last:
        return _COST_OF_A_GAP
    return _COST_OF_A_GAP + _COST_OF_A_WIDER_GAP * (number - last - 2) if number > last else 5 * _COST_OF_A_GAP


def _colours(rows: Sequence[_Row]) -> list[str]:
    """A colour for each row: what most looks like it, one ink to a colour, no third copy, all four if there can be."""
    looks = [_looks(row) for row in rows]
    unlike = _inks_unlike(rows)
    chosen = [max(COLOURS, key=scores.__getitem__) for scores in looks]
    worth = _worth_of_the_usual_order(rows, looks)
    total = _total(rows, looks, unlike, chosen, worth)
    improved = True
    while improved:
        improved = False
        for candidate in _changes(chosen):
            if (better := _total(rows, looks, unlike, candidate, worth)) > total + 1e-9:
                chosen, total, improved = candidate, better, True
    return chosen


def _changes(chosen: Sequence[str]) -> Iterator[list[str]]:
    """One row given another colour, or two rows exchanged."""
    for i in range(len(chosen)):
        for colour in COLOURS:
            yield [*chosen[:i], colour, *chosen[i + 1 :]]
    for i in range(len(chosen)):
        for j in range(i):
            changed = list(chosen)
            changed[i], changed[j] = changed[j], changed[i]
            yield changed


def _numbered(row: _Row) -> list[Sighting]:
    return [tile for tile, number in zip(row.tiles, row.numbers, strict=True) if number != _JOKER]


def _looks(row: _Row) -> dict[str, float]:
    """How much a row looks like each colour."""
    scores = dict.fromkeys(COLOURS, 0.0)
    tiles = _numbered(row)
    for tile in tiles:
        for colour in COLOURS:
            chance = sum(p for text, p in tile.odds if text[0] == colour and text not in ("J", "F", "X"))
            scores[colour] += _WEIGHT_OF_LOOKS * math.log(max(chance, _UNLIKELY)) / len(tiles)
    return scores


def _inks_unlike(rows: Sequence[_Row]) -> NDArray[np.float64]:
    """For each two rows, from 0 (the same ink) to 1 (another); rows without numbers are like all."""
    unknown = [np.full(INK, np.nan, np.float32)]
    inks = [np.mean([tile.ink for tile in _numbered(row)] or unknown, axis=0) for row in rows]
    apart = np.array([[((a - b) ** 2).sum() for b in inks] for a in inks]).reshape(len(rows), len(rows))
    return np.asarray(np.nan_to_num(1 - np.exp(-apart / (2 * _SPREAD_OF_INKS**2)), nan=0.5))


def _in_usual_order(rows: Sequence[_Row], chosen: Sequence[str]) -> int:
    """How many rows have the colour that the usual order gives them: the four in turn, or each twice."""
    coloured = [colour for row, colour in zip(rows, chosen, strict=True) if _numbered(row)]
    turns = len(coloured) // len(COLOURS)
    if len(coloured) % len(COLOURS) or not turns:
        return 0
    usual = (COLOURS * turns, "".join(colour * turns for colour in COLOURS))
    return max(sum(a == b for a, b in zip(coloured, order, strict=True)) for order in usual)


def _worth_of_the_usual_order(rows: Sequence[_Row], looks: Sequence[dict[str, float]]) -> float:
    """More where looks fail: they are unclear, or do not name each colour as often."""
    coloured = [scores for row, scores in zip(rows, looks, strict=True) if _numbered(row)]
    named = Counter(max(COLOURS, key=scores.__getitem__) for scores in coloured)
    clear = all(max(scores.values()) > _WEIGHT_OF_LOOKS * math.log(_CLEAR) for scores in coloured)
    alike = len({named[colour] for colour in COLOURS}) == 1
    return _WORTH_OF_THE_USUAL_ORDER if clear and alike else _WORTH_WHERE_LOOKS_FAIL


def _total(
    rows: Sequence[_Row],
    looks: Sequence[dict[str, float]],
    unlike: NDArray[np.float64],
    chosen: Sequence[str],
    worth: float,
) -> float:
    """How well these colours fit the rows."""
    score = sum(scores[colour] for scores, colour in zip(looks, chosen, strict=True))
    for i, colour in enumerate(chosen):
        for j in range(i):
            wrong = unlike[i, j] if colour == chosen[j] else 1 - unlike[i, j]
            score -= _COST_OF_AN_INK_UNLIKE * float(wrong)
    copies: Counter[tuple[int, str]] = Counter()
    for row, colour in zip(rows, chosen, strict=True):
        copies.update((row.photo, f"{colour}{number}") for number in row.numbers if number != _JOKER)
    too_many = sum(count - COPIES for count in copies.values() if count > COPIES)
    missing = len(ALL_TILES - {text for _, text in copies})
    score += worth * _in_usual_order(rows, chosen)
    return score - _COST_OF_MISSING * missing - _COST_OF_A_COPY_TOO_MANY * too_many
