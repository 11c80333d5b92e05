"""A player who plays whole rounds at random: every step is one the program says is legal.

What he lays is counted as it is laid, tile by tile, so that the score of the round can be held against it. Now and then
the tiles are dealt so that a rare thing may happen: a hand that is all but complete, a joker turned up.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from remi_ref.melds import all_melds, judge_meld, slot_points, table_points
from remi_ref.play import legal
from remi_ref.play.actions import Add, Announce, Button, Discard, Draw, Lay, Show, Swap, Take, TakeAtu
from remi_ref.play.formable import Formable
from remi_ref.play.goingout import TooManyWays, way_out
from remi_ref.play.layoffs import may_touch
from remi_ref.play.position import as_laid, find
from remi_ref.play.rounds import play_turn
from remi_ref.play.seats import beginning, pieces_of_table, tiles_in_box
from remi_ref.play.turn import judge_step, start
from remi_ref.play.turnfile import PlayedTurn, PlayFile
from remi_ref.rules.deal import Deal, box_of
from remi_ref.score.finished import Opened
from remi_ref.tiles import ALL_TILES, Joker, Slot, Tile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from random import Random

    from remi_ref.play.actions import Action
    from remi_ref.play.progress import Judged, Progress
    from remi_ref.play.rounds import JudgedTurn
    from remi_ref.play.seats import Table
    from remi_ref.rules.ruleset import Ruleset
    from remi_ref.tiles import Piece

NAMES = ("Ana", "Dan", "Eva", "Ion")


@dataclass
class PlayedRound:
    """A round as it was played.

    Attributes:
        play: as it would stand in a file.
        turns: the verdict on each turn, as it was played.
        after: the table at the end.
        stock: tiles never drawn.
        laid: points each player laid, counted when he laid them.
        whole: formations that one player was dealt on purpose, to be laid all at once.
    """

    play: PlayFile
    turns: list[JudgedTurn]
    after: Table
    stock: list[Piece]
    laid: Counter[str] = field(default_factory=Counter)
    whole: tuple[tuple[Slot, ...], ...] = ()


def play_round(rules: Ruleset, random: Random) -> PlayedRound:
    """Deals and plays one round to its end."""
    deal, tiles = _turned(rules, random)
    one_pack = rules.number("set.packs") == 1
    players = NAMES[: 2 if one_pack else random.choice(rules.numbers("players"))]
    size = rules.number("deal.one_pack_hand" if one_pack else "deal.hand")
    extra = rules.number("deal.starter_extra")
    starter = random.choice(players)
    whole = _stacked(deal, tiles, random, size) if random.random() < 0.12 else ()
    hands = tuple((name, tuple(tiles.pop() for _ in range(size + extra * (name == starter)))) for name in players)
    begun = PlayFile(deal, players, (), hands, starter=starter)
    table = beginning(begun)
    verdicts: list[JudgedTurn] = []
    turns: list[PlayedTurn] = []
    round_ = PlayedRound(begun, verdicts, table, tiles, whole=whole)
    while not table.over:
        assert table.next_seat is not None
        turn = PlayedTurn(table.seats[table.next_seat].name, tuple(_turn(table, round_, random)))
        verdict, table = play_turn(table, turn)
        verdicts.append(verdict)
        turns.append(turn)
        assert sum(1 for _ in pieces_of_table(table)) + len(tiles) == tiles_in_box(table)
    round_.play, round_.after = replace(begun, turns=tuple(turns)), table
    return round_


def _turned(rules: Ruleset, random: Random) -> tuple[Deal, list[Piece]]:
    """The shuffled tiles and the one turned up; an indicator must be a numbered tile."""
    tiles = list(box_of(rules).elements())
    random.shuffle(tiles)
    kind = rules.choice("turned_tile")
    if kind == "none":
        return Deal(rules), tiles
    choices = [tile for tile in tiles if isinstance(tile, Tile) or kind != "indicator"]
    jokers = [tile for tile in choices if isinstance(tile, Joker)]
    turned = random.choice(jokers if jokers and random.random() < 0.08 else choices)
    if kind != "made":
        tiles.remove(turned)
    return Deal(rules, turned), tiles


def _stacked(deal: Deal, tiles: list[Piece], random: Random, size: int) -> tuple[tuple[Slot, ...], ...]:
    """Puts formations on top of the tiles, so that whoever is dealt first holds hardly anything else."""
    rules = deal.rules
    melds = [meld.slots for meld in all_melds(deal)]
    if rules.choice("melds.pairs") != "none" and random.random() < 0.4:
        melds = [(Slot(tile, tile), Slot(tile, tile)) for tile in ALL_TILES]
    left, chosen = Counter(tiles), list[tuple[Slot, ...]]()
    for _ in range(6):
        if sum(map(len, chosen)) == size:
            break
        left, chosen = _fitting(Counter(tiles), random.sample(melds, len(melds)), size)
    count = sum(map(len, chosen))
    tiles[:] = list(left.elements())
    random.shuffle(tiles)
    jokers = [index for index, piece in enumerate(tiles) if deal.is_wild(piece)]
    if jokers and random.random() < 0.5:  # for whoever starts, with the extra tile
        tiles[jokers[0]], tiles[-1] = tiles[-1], tiles[jokers[0]]
    tiles += [slot.piece for meld in chosen for slot in meld]
    if random.random() < 0.4:  # one tile is away
        other = random.randrange(len(tiles) - count) if count < len(tiles) else 0
        tiles[-1], tiles[other] = tiles[other], tiles[-1]
    return tuple(chosen)


def _fitting(
    left: Counter[Piece], melds: list[tuple[Slot, ...]], size: int
) -> tuple[Counter[Piece], list[tuple[Slot, ...]]]:
    """Formations of that many tiles at most, and what is left of the tiles."""
    chosen, count = list[tuple[Slot, ...]](), 0
    for meld in melds:
        needed = Counter(slot.piece for slot in meld)
        if count + len(meld) <= size and not needed - left:
            left -= needed
            chosen.append(meld)
            count += len(meld)
    return left, chosen


def _turn(table: Table, round_: PlayedRound, random: Random) -> list[Action]:
    """One turn: what was done, in order."""
    assert table.next_seat is not None
    mover = _Mover(start(table.position(table.seats[table.next_seat])), round_, random, table)
    mover.begin()
    while mover.go_on():
        pass
    mover.end()
    return mover.done


@dataclass
class _Mover:
    """A player in his turn."""

    progress: Progress
    round: PlayedRound
    random: Random
    table: Table
    done: list[Action] = field(default_factory=list)
    _last: tuple[Progress, Action, Judged] | None = None

    def begin(self) -> None:
        """Announces what he may, and takes a tile."""
        position, rules = self.progress.position, self.progress.rules
        twin, held = position.deal.turned, position.hand or ()
        early = rules.choice("atu.announce") == "before-first-draw" and twin in held and not isinstance(twin, Joker)
        free = not any(seat.announced for seat in self.table.seats)
        if early and position.turn == 1 and free:
            self._try(Announce("atu"))
        if not position.starts:
            taking = self._taking() if position.row and self.random.random() < 0.25 else ()
            button = rules.flag("joker.button") and not position.button_used and self.random.random() < 0.1
            for action in taking or (Button() if button else Draw(self.round.stock.pop()),):
                self._do(action)
        if rules.choice("atu.announce") == "first-lap" and position.turn == 1 and twin is not None and free:
            self._try(Show(twin))

    def _taking(self) -> tuple[Action, ...]:
        """A tile of the row and what it is used for: one of a few that are tried, the deep ones among them."""
        row, must_use = self.progress.position.row, self.progress.rules.choice("take.must_use")
        for index in self.random.sample(range(len(row)), min(3, len(row))):
            take = Take(row[index], len(row) - index)
            judged = judge_step(self.progress, take)
            if judged.verdict.ok is True:
                if must_use == "none":
                    return (take,)
                use = self._use(judged.progress, row[index])
                if use is not None:
                    return take, use
        return ()

    def _use(self, progress: Progress, piece: Piece) -> Action | None:
        """An action that uses the taken tile as it must be used."""
        after = _Mover(progress, self.round, self.random, self.table)
        if not after._opened():
            ways: Iterable[Action] = legal.openings(progress)
        elif progress.rules.choice("take.must_use") == "formation":
            ways = [*after._lays([piece]), *after._swaps(piece), *after._adds([piece])]
        else:
            ways = after._lays([piece])
        return next((way for way in ways if after._is_legal(way)), None)

    def go_on(self) -> bool:
        """One more action; no when he has enough, or finds none."""
        if self.progress.out or self.random.random() < 0.1 or self._leaves():
            return False
        kinds = [self._openings, self._swaps, self._adds, self._lays]
        self.random.shuffle(kinds)
        tried = (self._everything, *kinds)
        found = next((action for kind in tried for action in kind() if self._is_legal(action)), None)
        if found is not None:
            self._do(found)
        return found is not None

    def end(self) -> None:
        """Puts a tile down; any that the rules allow."""
        if self.progress.out:
            return
        if self.progress.rules.limit("announce_at") is not None and self.random.random() < 0.5:
            self._try(Announce("three"))
        lone_first = sorted(self._hand(), key=self._company) if self.random.random() < 0.9 else self._hand()
        tiles = [Discard(piece) for piece in lone_first]
        self._do(next(action for action in tiles if self._is_legal(action)))

    # what he may try, in no order

    def _hand(self) -> list[Piece]:
        tiles = list(dict.fromkeys(self.progress.position.hand or ()))
        self.random.shuffle(tiles)
        return tiles

    def _company(self, piece: Piece) -> int:
        """How many tiles of the hand might one day stand in a formation with this one; a joker goes with all."""
        hand, deal = set(self.progress.position.hand or ()), self.progress.position.deal
        if deal.is_wild(piece) or not isinstance(piece, Tile):
            return len(hand)
        colour, number = piece
        tiles = [other for other in hand if isinstance(other, Tile)]
        return sum(o.number == number or (o.colour is colour and abs(o.number - number) <= 2) for o in tiles)

    def _opened(self) -> bool:
        return self.progress.position.opened is not Opened.NO

    def _openings(self) -> Iterable[Action]:
        return () if self._opened() or self.random.random() < 0.6 else legal.openings(self.progress)

    def _everything(self) -> Iterable[Action]:
        """All that was dealt on purpose, where it is still together."""
        melds = self.round.whole
        if not melds:
            return ()
        lacking = Counter(slot.piece for meld in melds for slot in meld) - Counter(self.progress.position.hand or ())
        return () if lacking else (Lay(melds),)

    def _swaps(self, piece: Piece | None = None) -> Iterable[Action]:
        swaps = legal.swaps(self.progress) if self._opened() else ()
        return (swap for swap in swaps if piece in {None, swap.tile.piece})

    def _adds(self, pieces: list[Piece] | None = None) -> Iterator[Action]:
        deal = self.progress.position.deal
        for piece in (pieces or self._hand()) if self._opened() else ():
            if deal.is_wild(piece) and self.random.random() < 0.7:
                continue
            for meld in self.progress.position.table:
                for tile in ALL_TILES if deal.is_wild(piece) else (piece,):
                    if isinstance(tile, Tile) and may_touch(meld, tile):
                        yield Add(Slot(piece, tile), as_laid(deal, meld))

    def _lays(self, pieces: list[Piece] | None = None) -> Iterator[Action]:
        """New formations; jokers are spent now and then only, so that some are left to recover and to count."""
        deal = self.progress.position.deal
        jokers = 1 if self.random.random() < 0.1 else 0
        for piece in (pieces or self._hand()) if self._opened() else ():
            if isinstance(piece, Tile) and not deal.is_wild(piece):
                held = Counter(self.progress.position.hand or ())
                yield from (Lay((meld,)) for meld in Formable(deal).with_tile(held, piece, jokers))

    def _is_legal(self, action: Action) -> bool:
        return self._judged(action).verdict.ok is True

    def _judged(self, action: Action) -> Judged:
        """The step judged; the last answer is kept, for what is found legal is then done."""
        if self._last is None or self._last[0] is not self.progress or self._last[1] is not action:
            self._last = self.progress, action, judge_step(self.progress, action)
        return self._last[2]

    def _leaves(self) -> bool:
        """Goes out when a way is found."""
        way = self._way_out(self.progress)
        turned = self.progress.position.deal.turned
        if way is None and turned is not None and self.progress.rules.choice("take.atu") != "never":
            with_atu = judge_step(self.progress, TakeAtu(turned))
            way = self._way_out(with_atu.progress) if with_atu.verdict.ok else None
            way = None if way is None or not with_atu.verdict.ok else (TakeAtu(turned), *way)
            if way is not None and not any(isinstance(a, Lay) and _lays(a, turned) for a in way):
                way = None
        for action in way or ():
            self._do(action)
        return way is not None

    def _way_out(self, progress: Progress) -> tuple[Action, ...] | None:
        if (progress.position.count or 0) > 6 and not self._might_win(progress):
            return None
        if self.random.random() < 0.5:  # a joker or an ace is kept for the end
            hand = tuple(sorted(progress.position.hand or (), key=lambda piece: not self._doubles(piece)))
            progress = replace(progress, position=replace(progress.position, hand=hand))
        try:
            return way_out(progress)
        except TooManyWays:
            return None

    def _doubles(self, piece: Piece) -> bool:
        return self.progress.position.deal.is_wild(piece) or (isinstance(piece, Tile) and piece.number == 1)

    def _might_win(self, progress: Progress) -> bool:
        """Whether at most two tiles beside the jokers are in no formation: a quick look before the long one."""
        if progress.rules.choice("melds.pairs") != "win":
            return False
        deal, hand = progress.position.deal, progress.position.hand or ()
        jokers, held = sum(map(deal.is_wild, hand)), Counter(hand)
        tiles = [piece for piece in hand if isinstance(piece, Tile) and not deal.is_wild(piece)]
        idle = sum(not any(True for _ in Formable(deal).with_tile(held, tile, 0)) for tile in tiles)
        return idle <= 1 + 2 * jokers

    def _try(self, action: Action) -> None:
        if self._judged(action).verdict.ok:
            self._do(action)

    def _do(self, action: Action) -> None:
        judged = self._judged(action)
        assert judged.verdict.ok, (action, [reason.code for reason in judged.verdict.reasons])
        self._count(action, self.progress, judged.progress)
        self.progress = judged.progress
        self.done.append(action)

    def _count(self, action: Action, before: Progress, after: Progress) -> None:
        """The points of what is put down, counted from the table before and after."""
        deal, gains = before.position.deal, before.position.player
        if isinstance(action, Lay):
            for meld in action.melds:
                self.round.laid[gains] += table_points(deal, judge_meld(deal, meld).readings[0])
        if isinstance(action, Add | Swap):
            place = find(before.position, action.to if isinstance(action, Add) else action.into)
            assert place is not None
            if deal.rules.choice("layoff.owner_of_points") == "owner":
                gains = before.position.table[place].owner
            was, now = (p.position.table[place].readings[0] for p in (before, after))
            if isinstance(action, Add):
                self.round.laid[gains] += table_points(deal, now) - table_points(deal, was)
            else:
                pairs = enumerate(zip(was.slots, now.slots, strict=True))
                index = next(index for index, (old, new) in pairs if old != new)
                self.round.laid[gains] += slot_points(deal, now, index)


def _lays(lay: Lay, piece: Piece) -> bool:
    return any(slot.piece == piece for meld in lay.melds for slot in meld)
