"""An enumerator so plain that it is easy to believe: every way to fill every shape, every way to lay shapes together.

It shares no code with the program's judge of formations or its solver; the tests hold those two against it. It reads
the rules and the notation with the program, and takes seconds where the solver takes microseconds.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, NamedTuple

from remi_ref.tiles import Colour, FalseJoker, Joker, Tile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from remi_ref.rules.deal import Deal
    from remi_ref.tiles import Piece, Slot


class Shape(NamedTuple):
    """A run or a set as tiles, with the points of each place."""

    is_run: bool
    tiles: tuple[Tile, ...]
    points: tuple[int, ...]


class Filled(NamedTuple):
    """A shape with the tokens that fill it (indices into the kinds of token on the rack) and its worth."""

    shape: Shape
    tokens: tuple[int, ...]
    points: int


Kind = tuple["Piece", "Tile | None"]
"""A kind of token on a rack: the piece, and what it was declared to be."""


def shapes(deal: Deal) -> Iterator[Shape]:
    """Every run and set of the game."""
    for numbers in _rows(deal):
        places = ["high" if i and numbers[i - 1] == 13 else "low" for i in range(len(numbers))]
        for colour in Colour:
            worth = tuple(_worth(deal, number, place) for number, place in zip(numbers, places, strict=True))
            yield Shape(is_run=True, tiles=tuple(Tile(colour, number) for number in numbers), points=worth)
    for number in range(1, 14):
        for size in deal.rules.numbers("melds.set_sizes"):
            for colours in combinations(Colour, size):
                worth = (_worth(deal, number, "set"),) * size
                yield Shape(is_run=False, tiles=tuple(Tile(colour, number) for colour in colours), points=worth)


def best(
    deal: Deal, rack: Sequence[Slot], *, keep: int = 1, taken: Piece | None = None, need_run: bool | None = None
) -> tuple[int, int] | None:
    """The most points in disjoint runs and sets, and the fewest tiles that make them; None when that is no tile."""
    run = deal.rules.flag("opening.need_run") if need_run is None else need_run
    aces_will_do = deal.rules.flag("opening.set_of_aces_exception")
    kinds = Counter(_kind(deal, slot) for slot in rack)
    tokens = list(kinds)
    found = []
    for (laid, has_run, has_aces), points in _layings(deal, kinds).items():
        count = sum(laid)
        if not count or count > len(rack) - keep:
            continue
        if run and not has_run and not (has_aces and aces_will_do):
            continue
        if taken is not None and not any(n and _alike(tokens[i][0], taken) for i, n in enumerate(laid)):
            continue
        found.append((points, -count))
    points, minus = max(found, default=(0, 0))
    return (points, -minus) if minus else None


def wins_with_melds(deal: Deal, board: Sequence[Slot]) -> bool:
    """Whether all tiles of a board go into runs and sets."""
    kinds = Counter(_kind(deal, slot) for slot in board)
    return any(sum(laid) == len(board) for laid, _, _ in _layings(deal, kinds))


def most_pairs(deal: Deal, rack: Sequence[Slot], *, keep: int = 1, taken: Piece | None = None) -> int:
    """The most pairs, by trying every partner of every token; 0 when none, or none with the taken piece."""
    kinds = [_kind(deal, slot) for slot in rack]
    best_with, best_any = 0, 0
    for matching in _matchings(deal, kinds, tuple(range(len(kinds)))):
        best_any = max(best_any, len(matching))
        if any(_alike(kinds[i][0], taken) for pair in matching for i in pair):
            best_with = max(best_with, len(matching))
    return min(best_any if taken is None else best_with, (len(rack) - keep) // 2)


def fillings(deal: Deal, kinds: Counter[Kind]) -> Iterator[Filled]:
    """Every legal way to fill a shape with tokens of these kinds."""
    tokens = list(kinds)
    for shape in shapes(deal):
        for chosen in _choices(deal, shape.tiles, tokens, list(kinds.values())):
            jokers = [_at_work(tokens[i], tile) for i, tile in zip(chosen, shape.tiles, strict=True)]
            if _jokers_allowed(deal, sum(jokers), len(jokers) - sum(jokers)):
                fixed = deal.rules.number_or_word("joker.threshold_value")
                points = (
                    fixed if joker and isinstance(fixed, int) else plain
                    for joker, plain in zip(jokers, shape.points, strict=True)
                )
                yield Filled(shape, chosen, sum(points))


def _rows(deal: Deal) -> Iterator[list[int]]:
    rules = deal.rules
    for first in range(1, 14):
        for size in range(rules.number("melds.run_min"), rules.number("melds.run_max") + 1):
            row = [(first + i - 1) % 13 + 1 for i in range(size)]
            corner = any(a == 1 and b == 2 for a, b in pairwise(row[1:]))
            starts_low, ends_high = row[0] == 1, row[-1] == 1
            if rules.flag("melds.wrap"):
                if size <= 13 or starts_low:
                    yield row
            elif (
                not corner
                and (not starts_low or rules.flag("melds.ace_low"))
                and (not ends_high or rules.flag("melds.ace_high"))
                and (not (starts_low and ends_high) or rules.flag("melds.both_aces_in_run"))
            ):
                yield row


def _worth(deal: Deal, number: int, place: str) -> int:
    if number == 1:
        return deal.rules.number(f"ace_value.{place}")
    written = deal.rules.number_or_word("tile_values.low" if number <= 9 else "tile_values.high")
    return number if written == "face" else int(written)


def _kind(deal: Deal, slot: Slot) -> Kind:
    """A token's kind; for the clover, the tile it certainly is."""
    if isinstance(slot.piece, FalseJoker):
        return slot.piece, deal.joker_tile
    if isinstance(slot.piece, Joker) or slot.piece == deal.joker_tile:
        return slot.piece, None if slot.plays_as == slot.piece else slot.plays_as
    return slot.piece, slot.piece


def _alike(piece: Piece, taken: Piece | None) -> bool:
    return piece == taken or (isinstance(piece, Joker) and isinstance(taken, Joker))


def _at_work(kind: Kind, tile: Tile) -> bool:
    """Whether the token plays as a joker there: not as the tile that it shows."""
    return not isinstance(kind[0], FalseJoker) and kind[0] != tile


def _jokers_allowed(deal: Deal, jokers: int, naturals: int) -> bool:
    rules = deal.rules
    limit = rules.limit("joker.max_per_meld")
    return jokers == 0 or (
        (limit is None or jokers <= limit)
        and naturals >= rules.number("joker.min_naturals")
        and naturals >= jokers * rules.number("joker.naturals_per_joker")
    )


def _choices(deal: Deal, tiles: Sequence[Tile], tokens: list[Kind], stock: list[int]) -> Iterator[tuple[int, ...]]:
    """Every choice of a token for each tile, no kind taken more often than it is there."""
    if not tiles:
        yield ()
        return
    for index, (_, plays_as) in enumerate(tokens):
        if stock[index] and plays_as in {None, tiles[0]}:
            stock[index] -= 1
            for rest in _choices(deal, tiles[1:], tokens, stock):
                yield (index, *rest)
            stock[index] += 1


Laying = tuple[tuple[int, ...], bool, bool]
"""How many tokens of each kind are laid, whether a run is among them, whether a set of aces is."""


def _layings(deal: Deal, kinds: Counter[Kind]) -> dict[Laying, int]:
    """Everything that can be laid at once, with the most points it can count."""
    stock = tuple(kinds.values())
    worth: dict[Laying, int] = {}
    for filled in fillings(deal, kinds):
        aces = not filled.shape.is_run and filled.shape.tiles[0].number == 1
        laying = (tuple(filled.tokens.count(i) for i in range(len(stock))), filled.shape.is_run, aces)
        worth[laying] = max(filled.points, worth.get(laying, 0))
    states: dict[Laying, int] = {((0,) * len(stock), False, False): 0}
    for (used, is_run, aces), points in worth.items():
        fresh = states
        while fresh:
            fresh = dict(_with_one_more(fresh, (used, is_run, aces), points, stock))
            fresh = {state: total for state, total in fresh.items() if total > states.get(state, -1)}
            states |= fresh
    return states


def _with_one_more(
    states: dict[Laying, int], one: Laying, points: int, stock: tuple[int, ...]
) -> Iterable[tuple[Laying, int]]:
    for (laid, has_run, has_aces), total in states.items():
        more = tuple(a + b for a, b in zip(laid, one[0], strict=True))
        if all(n <= most for n, most in zip(more, stock, strict=True)):
            yield (more, has_run or one[1], has_aces or one[2]), total + points


def _matchings(deal: Deal, kinds: list[Kind], free: tuple[int, ...]) -> Iterator[list[tuple[int, int]]]:
    if not free:
        yield []
        return
    first, rest = free[0], free[1:]
    yield from _matchings(deal, kinds, rest)
    for other in rest:
        if _is_pair(deal, kinds[first], kinds[other]):
            for matching in _matchings(deal, kinds, tuple(i for i in rest if i != other)):
                yield [(first, other), *matching]


def _is_pair(deal: Deal, one: Kind, two: Kind) -> bool:
    """Whether two tokens can be the same tile, with no more jokers at work than the game allows in a pair."""
    most = {"none": 0, "one": 1, "any": 2}[deal.rules.choice("joker.in_pair")]
    for tile in (Tile(colour, number) for colour in Colour for number in range(1, 14)):
        fits = one[1] in {None, tile} and two[1] in {None, tile}
        if fits and _at_work(one, tile) + _at_work(two, tile) <= most:
            return True
    return False
