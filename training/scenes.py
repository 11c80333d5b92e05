"""Scenes: which tiles lie where. A layout is slabs in painting order, the rows in notation, and what is around."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from training.space import Points, Slab
from training.styles import Style

COLOURS = "RANG"
KINDS = ("rack", "melds", "pile", "single", "box")
_WOODS = ((150, 96, 50), (190, 140, 85), (110, 66, 36), (214, 172, 118), (84, 50, 30))
_PLASTICS = ((30, 30, 32), (20, 90, 55), (150, 25, 30), (225, 220, 205), (40, 70, 140), (120, 120, 118))
Rows = tuple[tuple[tuple[str, ...], ...], ...]  # rows of groups of tiles


@dataclass(frozen=True)
class Layout:
    """What the camera is pointed at; `stacked` when tiles may lie on one another."""

    kind: str
    slabs: tuple[Slab, ...]
    rows: Rows
    stacked: bool = False


def parse_rows(rows: Sequence[str]) -> Rows:
    """Rows as the command line prints them (`R3 R4 R5 | A8 N8`) to groups of tiles."""
    return tuple(tuple(tuple(group.split()) for group in row.split("|")) for row in rows)


def format_row(groups: tuple[tuple[str, ...], ...]) -> str:
    """The inverse of `parse_rows` for one row."""
    return " | ".join(" ".join(group) for group in groups)


class Box:
    """A box of tiles to deal from: two copies of each, jokers, now and then a false joker or a blank.

    One scene in twelve is dealt from an endless box, so that no reader learns to count instead of to look.
    """

    def __init__(self, rng: np.random.Generator, *, backs: float = 0.0) -> None:
        self._rng = rng
        self._endless = rng.random() < 1 / 12
        tiles = [f"{colour}{number}" for colour in COLOURS for number in range(1, 14)] * 2
        tiles += ["J"] * int(rng.integers(2, 9))
        tiles += ["F"] * int(rng.choice((0, 0, 2, 4)))
        self._stock = [str(tile) for tile in rng.permutation(tiles)]
        self._backs = backs

    def draw(self) -> str:
        """One tile."""
        if self._rng.random() < self._backs:
            return "X"
        tile = self._stock.pop()
        if self._endless or not self._stock:
            self._stock.insert(int(self._rng.integers(len(self._stock) + 1)), tile)
        return tile

    def take(self, wanted: Sequence[str]) -> tuple[str, ...]:
        """Certain tiles, a joker or another tile where the box has none left."""
        got = []
        for tile in wanted:
            if tile in self._stock and self._rng.random() > 0.06:
                self._stock.remove(tile)
                got.append(tile)
            else:
                got.append("J" if "J" in self._stock else self.draw())
                if got[-1] == "J" and "J" in self._stock:
                    self._stock.remove("J")
        return tuple(got)

    def meld(self) -> tuple[str, ...]:
        """A run or a set, mostly."""
        if self._rng.random() < 0.55:
            length = int(self._rng.integers(3, 8))
            first = int(self._rng.integers(1, 15 - length))
            colour = COLOURS[int(self._rng.integers(4))]
            return self.take([f"{colour}{number}" for number in range(first, first + length)])
        colours = self._rng.permutation(list(COLOURS))[: int(self._rng.integers(3, 5))]
        number = int(self._rng.integers(1, 14))
        return self.take([f"{colour}{number}" for colour in colours])


def lay_out(kind: str, style: Style, rng: np.random.Generator, rows: Rows | None, *, held_out: bool) -> Layout:
    """Lay tiles out; `rows` fixes which."""
    if kind == "rack":
        return _rack(style, rng, rows, held_out=held_out)
    if kind == "melds":
        return _melds(style, rng, rows)
    if kind == "box":
        return _grid(style, rng, rows or whole_box(rng))
    return _loose(kind, style, rng, rows)


def whole_box(rng: np.random.Generator) -> Rows:
    """A box in order: 1 to 13 in four colours, then two to four jokers."""
    order = [str(colour) for colour in rng.permutation(list(COLOURS))]
    ordered = tuple((tuple(f"{colour}{number}" for number in range(1, 14)),) for colour in order)
    return (*ordered, (("J",) * int(rng.integers(2, 5)),))


def flat(tile: str, style: Style, centre: tuple[float, float], angle: float, lift: float = 0.0) -> Slab:
    """A tile lying on the table, its middle at `centre`, turned clockwise by `angle` degrees."""
    turn = np.radians(-angle)
    right = np.array([np.cos(turn), np.sin(turn), 0.0])
    down = np.array([np.sin(turn), -np.cos(turn), 0.0]) * style.aspect
    corner = np.array([*centre, style.thickness + lift]) - right / 2 - down / 2
    return Slab(tile, corner, right, down, style.thickness)


def _row_places(groups: tuple[tuple[str, ...], ...], rng: np.random.Generator) -> list[tuple[str, float]]:
    """Tiles of a row with the middle of each along the row: close in a group, apart between groups."""
    places, at = [], 0.0
    loose = rng.choice((0.0, rng.uniform(0, 0.1)))
    for group in groups:
        for tile in group:
            places.append((tile, at))
            at += 1.01 + loose * rng.random()
        at += rng.uniform(0.55, 1.6)
    return places


def _deal_rack(rng: np.random.Generator, shelves: int) -> Rows:
    box = Box(rng, backs=0.01)
    count = int(rng.choice([14, 15, int(rng.integers(4, 23))]))
    per_shelf = np.array_split(np.arange(count), shelves)
    rows = []
    for shelf in per_shelf:
        left, groups = len(shelf), []
        while left > 0:
            group = (
                box.meld()[:left]
                if rng.random() < 0.4
                else tuple(box.draw() for _ in range(min(left, int(rng.integers(1, 9)))))
            )
            groups.append(group)
            left -= len(group)
        rows.append(tuple(groups))
    return tuple(row for row in rows if row)


def _rack(style: Style, rng: np.random.Generator, rows: Rows | None, *, held_out: bool) -> Layout:
    steep = rng.random() < (0.5 if held_out else 0.2)
    shelves = 3 if steep else int(rng.choice((1, 2, 2, 2)))
    rows = rows or _deal_rack(rng, shelves)
    tilt = np.radians(rng.uniform(66, 82) if steep else rng.uniform(42, 74))
    up = np.array([0.0, np.cos(tilt), np.sin(tilt)])
    normal = np.array([0.0, -np.sin(tilt), np.cos(tilt)])
    right = np.array([1.0, 0.0, 0.0])
    depth, rise = (
        style.aspect * np.cos(tilt) + style.thickness + rng.uniform(0.15, 0.5),
        style.aspect * np.sin(tilt) * rng.uniform(0.62, 0.95),
    )
    placed = [_row_places(groups, rng) for groups in rows]
    length = max(places[-1][1] for places in placed) + 1 + rng.uniform(0.2, 2.5)
    tint = _pick(rng, _WOODS if rng.random() < 0.55 else _PLASTICS)
    lip = rng.uniform(0.05, 0.22) * min(1.0, style.number_y)
    slabs: list[Slab] = []
    for index, places in enumerate(placed):  # from the top shelf, the farthest, to the nearest
        level = len(placed) - 1 - index
        foot = np.array([0.0, level * depth, level * rise + rng.uniform(0.15, 0.3)])
        slabs.append(
            _board(
                foot - normal * style.thickness + up * style.aspect * rng.uniform(0.6, 1.08),
                length,
                -up * style.aspect,
                tint,
            )
        )
        start = (length - places[-1][1] - 1) * rng.random() + 0.5
        slabs.extend(_standing(style, rng, places, foot, (right, up), start))
        front = foot + normal * 0.03 + up * lip
        slabs.append(_board(front, length, np.array([0.0, -0.06, -(foot[2] + lip + level * 0.0)]), tint))
    return Layout("rack", tuple(slabs), rows)


def _standing(  # noqa: PLR0913, PLR0917 - all of it places one row
    style: Style,
    rng: np.random.Generator,
    places: list[tuple[str, float]],
    foot: Points,
    axes: tuple[Points, Points],
    start: float,
) -> list[Slab]:
    right, up = axes
    slabs = []
    for tile, along in places:
        lean = np.radians(rng.normal(0, 0.6))
        tilted_right = right * np.cos(lean) + up * np.sin(lean)
        down = (right * np.sin(lean) - up * np.cos(lean)) * style.aspect
        top_left = foot + right * (start + along - 0.5) + up * style.aspect
        slab = Slab(tile, top_left, tilted_right, down, style.thickness)
        turned = rng.random() < 0.04
        slabs.append(Slab(tile, slab.spot(1, 1), -slab.right, -slab.down, style.thickness) if turned else slab)
    return slabs


def _board(corner: Points, length: float, down: Points, tint: tuple[int, int, int]) -> Slab:
    return Slab("board", corner, np.array([length, 0.0, 0.0]), down, 0.05, tint, is_tile=False)


def _melds(style: Style, rng: np.random.Generator, rows: Rows | None) -> Layout:
    box = Box(rng)
    melds = [group for row in rows for group in row] if rows else [box.meld() for _ in range(int(rng.integers(2, 9)))]
    free = rng.random() < 0.25
    longest = max(len(meld) for meld in melds) + 0.8
    cell = (longest, longest if free else style.aspect + rng.uniform(0.3, 1.2))
    columns = 1 + int(rng.integers(0, 3)) if len(melds) > 1 else 1
    common = rng.uniform(0, 360) if rng.random() < 0.15 else rng.normal(0, 7)
    slabs: list[Slab] = []
    for index, meld in enumerate(melds):
        middle = np.array([index % columns * cell[0], -(index // columns) * cell[1]]) + rng.uniform(-0.12, 0.12, 2)
        angle = rng.uniform(0, 360) if free else common + rng.normal(0, 4)
        turn = np.radians(-angle) if free else np.radians(rng.normal(0, 3))
        if not free:
            slabs.extend(_meld(meld, style, rng, middle, (turn, np.degrees(-turn))))
        else:
            slabs.extend(_meld(meld, style, rng, middle, (turn, angle)))
    return Layout("melds", tuple(slabs), tuple((meld,) for meld in melds))


def _meld(
    meld: tuple[str, ...], style: Style, rng: np.random.Generator, middle: Points, turn: tuple[float, float]
) -> list[Slab]:
    along = np.array([np.cos(turn[0]), np.sin(turn[0])])
    gap = 1.01 + rng.choice((0, rng.uniform(0, 0.12)))
    slabs = []
    for place, tile in enumerate(meld):
        spot = middle + along * (place - (len(meld) - 1) / 2) * gap
        across = np.array([-along[1], along[0]]) * rng.normal(0, 0.025)
        slabs.append(flat(tile, style, tuple(spot + across), turn[1] + rng.normal(0, 1.2) * (gap > 1.02)))
    return slabs


def _grid(style: Style, rng: np.random.Generator, rows: Rows) -> Layout:
    step = (1.02 + rng.uniform(0, 0.2), style.aspect + rng.uniform(0.05, 0.4))
    slabs = []
    for line, groups in enumerate(rows):
        tiles = [tile for group in groups for tile in group]
        for place, tile in enumerate(tiles):
            spot = (place * step[0] + rng.normal(0, 0.01), -line * step[1] + rng.normal(0, 0.02))
            slabs.append(flat(tile, style, spot, rng.normal(0, 1)))
    return Layout("box", tuple(slabs), rows)


def _loose(kind: str, style: Style, rng: np.random.Generator, rows: Rows | None) -> Layout:
    """A single tile, or a heap in which tiles may lie on one another."""
    box = Box(rng, backs=0.12)
    given = [tile for row in rows for group in row for tile in group] if rows else []
    count = 1 if kind == "single" else int(rng.integers(4, 36))
    tiles = given or [box.draw() for _ in range(count)]
    radius = len(tiles) ** 0.5 * rng.uniform(0.6, 1.4) if len(tiles) > 1 else 0
    spots: list[tuple[float, float]] = []
    slabs = []
    for tile in tiles:
        spot = tuple(float(v) for v in rng.uniform(-radius, radius, 2))
        under = sum(np.hypot(spot[0] - x, spot[1] - y) < 1.05 for x, y in spots)
        spots.append((spot[0], spot[1]))
        angle = rng.normal(0, 15) if kind == "single" and rng.random() < 0.5 else rng.uniform(0, 360)
        slabs.append(flat(tile, style, (spot[0], spot[1]), angle, style.thickness * under * 0.7))
    return Layout(kind, tuple(slabs), ((tuple(tiles),),) if kind == "single" else (), stacked=True)


def _pick(rng: np.random.Generator, tints: tuple[tuple[int, int, int], ...]) -> tuple[int, int, int]:
    red, green, blue = np.clip(np.add(tints[int(rng.integers(len(tints)))], rng.normal(0, 10, 3)), 5, 250).astype(int)
    return int(red), int(green), int(blue)
