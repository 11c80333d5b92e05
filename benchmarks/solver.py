"""The solver beside OR-Tools CP-SAT on the same racks: time a rack, and end to end through ``can-open -``.

Run it as ``python benchmarks/solver.py [RACKS]``; RACKS (default 1000) is how many racks of 15 tiles are timed. CP-SAT
solves fewer of them, as it takes so much longer, and its answers are checked against the solver's.
"""

from __future__ import annotations

import gc
import random
import subprocess
import sys
import time
from itertools import product
from typing import TYPE_CHECKING

from ortools.sat.python import cp_model

from remi_ref.melds import opening_points, read_meld
from remi_ref.rules.deal import Deal
from remi_ref.rules.rulefile import load_ruleset
from remi_ref.solver import solver
from remi_ref.tiles import ALL_TILES, Colour, Joker, Slot, Tile, format_tiles

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Rack = tuple[Slot, ...]
RULES = ("remi-101", "remi-etalat", "remi-clasic")
BOX = tuple(Slot(tile, tile) for tile in ALL_TILES for _ in range(2))
JOKERS = (Slot(Joker()), Slot(Joker()))
Formation = tuple[tuple[int, ...], int, int, bool]
"""Cells of the plain tiles, jokers, points and whether it is a run."""


def random_racks(count: int, size: int, seed: int) -> list[Rack]:
    """Racks drawn from the whole box."""
    rng = random.Random(seed)
    return [tuple(rng.sample(BOX + JOKERS, size)) for _ in range(count)]


def plain_racks(count: int, size: int, seed: int) -> list[Rack]:
    """Racks without jokers."""
    rng = random.Random(seed)
    return [tuple(rng.sample(BOX, size)) for _ in range(count)]


def dense_racks(count: int, size: int, seed: int) -> list[Rack]:
    """Racks with both jokers out of a corner of the box, where nearly every tile fits with every other."""
    rng = random.Random(seed)
    racks: list[Rack] = []
    while len(racks) < count:
        low, width = rng.randint(1, 13), rng.randint(4, 7)
        numbers = {(low + i - 1) % 13 + 1 for i in range(width)}
        colours = rng.sample(list(Colour), rng.randint(2, 4))
        pool = [slot for slot in BOX if _in(slot, numbers, colours)]
        if len(pool) >= size:
            racks.append((*rng.sample(pool, size - 2), *JOKERS))
    return racks


def _in(slot: Slot, numbers: set[int], colours: list[Colour]) -> bool:
    return isinstance(slot.piece, Tile) and slot.piece.number in numbers and slot.piece.colour in colours


def formations(deal: Deal) -> list[Formation]:
    """Every formation with up to two jokers, as the judge of formations reads it, for the model of CP-SAT."""
    found: dict[tuple[tuple[int, ...], int, bool], int] = {}
    for tiles in _shapes():
        for fill in product((False, True), repeat=len(tiles)):
            if sum(fill) <= len(JOKERS):
                slots = [Slot(Joker() if joker else tile, tile) for tile, joker in zip(tiles, fill, strict=True)]
                plain = tuple(ALL_TILES.index(t) for t, joker in zip(tiles, fill, strict=True) if not joker)
                for meld in read_meld(deal, slots):
                    key = (plain, sum(fill), meld.kind.value == "run")
                    found[key] = max(found.get(key, 0), opening_points(deal, meld))
    return [(plain, jokers, points, is_run) for (plain, jokers, is_run), points in found.items()]


def _shapes() -> Iterator[list[Tile]]:
    """Runs of 3 to 8 and all sets: longer runs can be cut, even where two jokers want four tiles."""
    for colour, low, length in product(Colour, range(1, 13), range(3, 9)):
        if low + length - 1 <= 14:
            yield [Tile(colour, (n - 1) % 13 + 1) for n in range(low, low + length)]
    for number in range(1, 14):
        for left_out in (None, *Colour):
            yield [Tile(colour, number) for colour in Colour if colour is not left_out]


def cp_sat(deal: Deal, known: Sequence[Formation], rack: Rack, workers: int | None = None) -> int | None:
    """The most points by CP-SAT, one tile kept for the discard; only formations that the rack can make are modelled.

    ``workers`` is how many threads it may use; None leaves that to itself, as whoever just calls it does.
    """
    held = [0] * len(ALL_TILES)
    jokers = 0
    for slot in rack:
        if isinstance(slot.piece, Tile):
            held[ALL_TILES.index(slot.piece)] += 1
        else:
            jokers += 1
    usable = [one for one in known if one[1] <= jokers and all(held[cell] for cell in one[0])]
    model = cp_model.CpModel()
    used = [model.new_int_var(0, 2, "") for _ in usable]
    for cell, count in enumerate(held):
        if count:
            model.add(sum(x for x, one in zip(used, usable, strict=True) if cell in one[0]) <= count)
    model.add(sum(one[1] * x for x, one in zip(used, usable, strict=True)) <= jokers)
    model.add(sum((len(one[0]) + one[1]) * x for x, one in zip(used, usable, strict=True)) <= len(rack) - 1)
    if deal.rules.flag("opening.need_run"):
        model.add(sum(x for x, one in zip(used, usable, strict=True) if one[3]) >= 1)
    model.maximize(sum(one[2] * x for x, one in zip(used, usable, strict=True)))
    engine = cp_model.CpSolver()
    if workers is not None:
        engine.parameters.num_workers = workers
    status = engine.solve(model)
    return round(engine.objective_value) if status == cp_model.OPTIMAL else None


def timed(run: Callable[[Rack], object], racks: Sequence[Rack]) -> list[float]:
    """Milliseconds a rack, sorted."""
    gc.collect()
    gc.freeze()  # as the command does once it is loaded
    times = []
    for rack in racks:
        start = time.perf_counter()
        run(rack)
        times.append((time.perf_counter() - start) * 1000)
    return sorted(times)


def line(name: str, times: Sequence[float]) -> str:
    """One line of the report."""
    count = len(times)
    shown = {"median": times[count // 2], "p99": times[min(count - 1, count * 99 // 100)], "worst": times[-1]}
    return f"  {name:34} {count:5} racks  " + "  ".join(f"{key} {value:9.3f} ms" for key, value in shown.items())


def compare(deal: Deal, count: int) -> None:
    """Both on racks of 15 tiles, with the ratio of the medians; their answers must agree."""
    racks = random_racks(count, 15, seed=1)
    known = formations(deal)
    few = racks[: max(20, count // 10)]
    ours = timed(lambda rack: solver.best_opening(deal, rack), racks)
    print(line("15 tiles", ours))
    for workers, title in ((None, "as it comes"), (1, "on one thread")):
        theirs = timed(lambda rack: cp_sat(deal, known, rack, workers), few)  # noqa: B023 - used at once
        ratio = theirs[len(theirs) // 2] / ours[len(ours) // 2]
        print(line(f"15 tiles, CP-SAT {title}", theirs), f" ratio of the medians {ratio:.0f}")
    for rack in few:
        best = solver.best_opening(deal, rack)
        points = cp_sat(deal, known, rack) or 0
        if (best.points if best else 0) != points:
            sys.exit(f"{deal.rules.id}: {format_tiles(rack)}: {best and best.points} here, {points} by CP-SAT")


def end_to_end(rules: str, count: int) -> None:
    """All racks through one process of ``can-open -``, start included."""
    deal = Deal(load_ruleset(rules))
    racks = random_racks(count, 15, seed=2)
    text = "\n".join(format_tiles(rack) for rack in racks)
    command = [sys.executable, "-m", "remi_ref", "can-open", "-", "-r", rules, "--json"]
    start = time.perf_counter()
    subprocess.run(command, input=text, text=True, capture_output=True, check=False)
    ours = (time.perf_counter() - start) * 1000 / count
    few = racks[: max(20, count // 10)]
    known = formations(deal)
    theirs = timed(lambda rack: cp_sat(deal, known, rack), few)
    mean = sum(theirs) / len(theirs)
    print(f"  can-open - {ours:.3f} ms a rack, CP-SAT alone {mean:.3f} ms, ratio {mean / ours:.1f}")


def main() -> None:
    """Prints the report."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    for rules in RULES:
        deal = Deal(load_ruleset(rules))
        print(rules)
        compare(deal, count)
        for name, racks in (
            ("22 tiles, two jokers, dense", dense_racks(2 * count, 22, seed=3)),
            ("60 tiles", random_racks(max(10, count // 50), 60, seed=4)),
            ("60 tiles, two jokers", [(*rack, *JOKERS) for rack in plain_racks(max(10, count // 50), 58, seed=5)]),
        ):
            print(line(name, timed(lambda rack: solver.best_opening(deal, rack), racks)))  # noqa: B023 - used at once
        end_to_end(rules, 5 * count)


if __name__ == "__main__":
    main()
