"""How to deal: how many tiles each player gets, what stays in the stock, and the steps, ritual of the piles included.

Public interface:
    plan_setup(deal, players) -> Setup
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from remi_ref.rules.deal import box_of
from remi_ref.score.extras import double_game
from remi_ref.tiles import Tile
from remi_ref.verdict import Outcome, Reason, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remi_ref.rules.deal import Deal
    from remi_ref.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Setup:
    """How to deal.

    Attributes:
        hand_first: tiles of the starter; 0 when the game cannot be dealt so, as are all that follow.
        hand_other: tiles of each other player.
        stock: tiles left to draw.
        joker: the numbered tile that is the joker, where an indicator makes it.
        steps: what to do, in order.
        verdict: whether it can be dealt so.
    """

    hand_first: int
    hand_other: int
    stock: int
    joker: Tile | None
    steps: tuple[Reason, ...]
    verdict: Verdict


def plan_setup(deal: Deal, players: int) -> Setup:
    """How to deal for so many players; with the turned tile known, also what it makes of the deal."""
    rules = deal.rules
    one_pack = rules.number("set.packs") == 1
    hand = rules.number("deal.one_pack_hand" if one_pack else "deal.hand")
    first = hand + rules.number("deal.starter_extra")
    beside = rules.choice("turned_tile") in {"atu", "indicator"}
    stock = box_of(rules).total() - first - hand * (players - 1) - beside
    verdict = Verdict(tuple(_conditions(rules, players, stock, hand)))
    if not verdict.ok:
        return Setup(0, 0, 0, deal.joker_tile, (), verdict)
    return Setup(first, hand, stock, deal.joker_tile, tuple(_steps(deal, players, hand, stock)), verdict)


def _conditions(rules: Ruleset, players: int, stock: int, hand: int) -> Iterator[Reason]:
    allowed = rules.seats
    values: dict[str, int | str] = {"players": players, "allowed": ", ".join(str(number) for number in allowed)}
    one_pack = rules.number("set.packs") == 1
    code, knob = ("setup.one_pack", "players_one_pack") if one_pack else ("setup.players", "players")
    yield rules.reason(code, players in allowed, knob=knob, values=values)
    if players in allowed:
        yield rules.reason("setup.enough", stock >= 0, knob="deal.hand", values={"stock": stock})
    if rules.flag("deal.piles"):
        piles, size = _piles(rules, hand)
        total = box_of(rules).total()
        values = {"piles": piles, "size": size, "total": total}
        fits = piles * size + 1 == total and size * 2 == hand
        yield rules.reason("setup.piles_fit", fits, knob="deal.piles", values=values)


def _piles(rules: Ruleset, hand: int) -> tuple[int, int]:
    """How many piles, and of how many tiles: two of them make a hand."""
    size = hand // 2
    return (box_of(rules).total() - 1) // size, size


def _steps(deal: Deal, players: int, hand: int, stock: int) -> Iterator[Reason]:
    rules, box = deal.rules, box_of(deal.rules)
    numbered = sum(count for piece, count in box.items() if isinstance(piece, Tile))
    values = {"total": box.total(), "numbered": numbered, "others": box.total() - numbered}
    yield _step(rules, "setup.false_jokers" if deal.false_jokers else "setup.box", "set.packs", **values)
    if rules.number("set.packs") > 1 and players == 2 and "deal.one_pack_hand" in _chosen(rules):
        yield _step(rules, "setup.one_pack_choice", "deal.one_pack_hand", hand=rules.number("deal.one_pack_hand"))
    if rules.flag("deal.piles"):
        yield from _ritual(deal, hand)
    else:
        one_pack = rules.number("set.packs") == 1
        yield _step(rules, "setup.others", "deal.one_pack_hand" if one_pack else "deal.hand", hand=hand)
        first = "setup.first_one_pack" if one_pack else "setup.first"
        yield _step(rules, first, "deal.starter_extra", hand=hand + rules.number("deal.starter_extra"))
        yield from _turned(deal)
    if double_game(deal):
        yield _step(rules, "setup.double", "double_game", tile=str(deal.turned))
    yield _step(rules, "setup.stock", "deal.hand", stock=stock)
    yield _step(rules, "setup.begins", "")
    if rules.cite("setup.direction").refs:
        yield _step(rules, "setup.direction", "")


def _chosen(rules: Ruleset) -> set[str]:
    """The rules that a text or a house speaks of; what only the base sets is nobody's choice."""
    return {path for path, leaf in rules.leaves.items() if leaf.below is not None}


def _turned(deal: Deal) -> Iterator[Reason]:
    kind = deal.rules.choice("turned_tile")
    if kind == "none":
        return
    yield _step(deal.rules, f"setup.turned_{kind}", "turned_tile")
    if deal.joker_tile is not None:
        code = "setup.joker_after_13" if deal.joker_tile.number == 1 else "setup.joker"
        yield _step(deal.rules, code, "turned_tile", turned=str(deal.turned), joker=str(deal.joker_tile))


def _ritual(deal: Deal, hand: int) -> Iterator[Reason]:
    """The piles: the tile left over says how many are counted, and changes places with the last tile of that pile."""
    rules = deal.rules
    piles, size = _piles(rules, hand)
    yield _step(rules, "setup.piles", "deal.piles", piles=piles, size=size)
    if isinstance(deal.turned, Tile):
        number, tile = deal.turned.number, str(deal.turned)
        yield _step(rules, "setup.count_piles", "deal.piles", tile=tile, number=number)
        yield _step(rules, "setup.made_in", "deal.piles", tile=tile, number=number)
        yield _step(rules, "setup.lifted_on", "deal.piles", number=number % piles + 1, size=size + 1)
    else:
        if deal.turned is not None:
            yield _step(rules, "setup.turn_another", "deal.piles", tile=str(deal.turned))
        yield _step(rules, "setup.count_any", "deal.piles")
    yield _step(rules, "setup.two_piles", "deal.hand", hand=hand, size=size)
    extra = rules.number("deal.starter_extra")
    yield _step(rules, "setup.first_piles", "deal.starter_extra", hand=hand + extra, big=size + extra, size=size)


def _step(rules: Ruleset, code: str, knob: str, **values: int | str) -> Reason:
    return rules.reason(code, Outcome.NOTE, knob=knob, values=values)
