"""What a finished round may not claim: every contradiction is refused by name, and nothing is scored then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remi_ref.errors import Unreadable, nearest
from remi_ref.melds import PAIR, opening_points, read_meld
from remi_ref.notation import MAX_TILES
from remi_ref.score.asfirstlaid import FirstLaid
from remi_ref.score.finished import Opened, plain
from remi_ref.score.laid import placed_readings
from remi_ref.tiles import Joker, Slot, format_tiles

if TYPE_CHECKING:
    from remi_ref.rules.deal import Deal
    from remi_ref.rules.ruleset import Ruleset
    from remi_ref.score.finished import Placed, Round, Side


def check_round(deal: Deal, finished: Round) -> None:
    """Refuses a round that cannot have happened.

    Raises:
        Unreadable: names the contradiction; its value ``player`` says whose entry it stands in, where it is one's.
    """
    _check_size(finished)
    _check_players(deal, finished)
    _check_closer(deal, finished)
    _check_in_hand(deal, finished)
    for side in finished.sides:
        _check_declared(deal, side)
        _check_opened(deal, side)
        _check_pairs_enough(deal, finished, side)
        _check_twin(deal, side)
    _check_twins(deal, finished)
    if deal.rules.choice("score.method") == "losses":
        _check_board(deal, finished)
    else:
        _check_table(deal, finished)
    _check_box(deal, finished)


def has_opening(deal: Deal) -> bool:
    """Whether one opens at all in this game."""
    rules = deal.rules
    return rules.limit("opening.points") is not None or rules.limit("opening.pairs_min") is not None


def _check_size(finished: Round) -> None:
    """No table has so many formations; a hostile file stops here."""
    count = sum(len(side.melds) + len(side.placed) for side in finished.sides)
    if count > MAX_TILES:
        raise Unreadable("tiles.too_many", count=count, most=MAX_TILES)


def _check_players(deal: Deal, finished: Round) -> None:
    """As many as the game is played by; one alone may ask what his own hand counts, where the others do not matter."""
    count, allowed = len(finished.sides), deal.rules.seats
    alone = count == 1 and deal.rules.choice("score.method") != "losses"
    if count not in allowed and not alone:
        raise Unreadable("round.players", count=count, allowed=", ".join(str(number) for number in allowed))


def _check_closer(deal: Deal, finished: Round) -> None:
    if finished.closer is None:
        claims = {"closing-tile": finished.closing_tile, "in-hand": finished.in_hand, "win": finished.win}
        for field, claim in claims.items():
            if claim:
                raise Unreadable("round.no_closer", field=field)
        return
    names = [side.name for side in finished.sides]
    if finished.closer not in names:
        raise Unreadable("round.unknown_closer", name=finished.closer, nearest=nearest(finished.closer, names))
    closer = finished.side(finished.closer)
    if closer.loose:
        raise Unreadable("round.closer_has_tiles", player=closer.name, tiles=format_tiles(closer.loose))
    if isinstance(closer.hand, int) and closer.hand:
        raise Unreadable("round.closer_has_points", player=closer.name, points=closer.hand)
    if has_opening(deal) and closer.opened is Opened.NO:
        raise Unreadable("round.closer_unopened", player=closer.name)


def _check_in_hand(deal: Deal, finished: Round) -> None:
    if not finished.in_hand:
        return
    if deal.rules.choice("close.in_hand") == "none":
        raise Unreadable("round.no_in_hand", rules=deal.rules.id)
    for side in finished.sides:
        if side.name != finished.closer and side.opened is not Opened.NO:
            raise Unreadable("round.in_hand_opened", closer=finished.closer, player=side.name)
        if side.name == finished.closer and side.opened is Opened.PAIRS and not _pairs_use_up(deal.rules):
            raise Unreadable("round.in_hand_pairs", player=side.name)


def _pairs_use_up(rules: Ruleset) -> bool:
    """Whether what is laid in a close from the hand can be an even number of tiles."""
    return any(count % 2 == 0 for count in _laid_from_hand(rules))


def _laid_from_hand(rules: Ruleset) -> set[int]:
    """How many tiles a close from the hand lays: all that are held in the turn, less the one put down."""
    drawn = rules.number("deal.one_pack_hand" if rules.number("set.packs") == 1 else "deal.hand") + 1
    held = {drawn, drawn + rules.number("deal.starter_extra") - 1}
    return {count - 1 for count in held} | (set() if rules.flag("close.must_discard") else held)


def _check_declared(deal: Deal, side: Side) -> None:
    """Only a joker is declared to be another tile."""
    placed = [slot for move in side.placed for slot in (move.tile, *move.target)]
    try:
        deal.check_each((*(slot for meld in side.melds for slot in meld), *placed, *side.loose))
    except Unreadable as error:
        raise Unreadable(error.code, where=error.where, player=side.name, **error.values) from error


def _check_opened(deal: Deal, side: Side) -> None:
    """What a player laid must fit with how he opened."""
    if not has_opening(deal):
        return
    in_parts = not deal.rules.flag("opening.single_turn")  # then he may have laid less than an opening
    if side.opened is Opened.NO and (side.placed or ((side.melds or side.laid) and not in_parts)):
        raise Unreadable("round.unopened_laid", player=side.name)
    if side.laid is not None and side.melds:
        raise Unreadable("round.laid_twice", player=side.name)
    pairs = sum(len(meld) == 2 for meld in side.melds)
    if side.melds and (
        (side.opened is Opened.PAIRS and pairs < len(side.melds))
        or (side.opened is Opened.MELDS and pairs == len(side.melds))
    ):
        raise Unreadable("round.opened_differs", player=side.name, opened=side.opened.value)


def _check_pairs_enough(deal: Deal, finished: Round, side: Side) -> None:
    """The pairs the closer opened on must have been enough, where he laid nothing else."""
    pairs, fewest = sum(len(meld) == PAIR for meld in side.melds), deal.rules.limit("opening.pairs_min")
    alone = side.name == finished.closer and 0 < pairs == len(side.melds)
    if alone and fewest is not None and pairs < fewest:
        raise Unreadable("round.pairs_below", player=side.name, pairs=pairs, needed=fewest)


def _check_laid_from_hand(deal: Deal, side: Side) -> None:
    """A close from the hand lays every tile but the one put down, and is an opening, too."""
    allowed, count = _laid_from_hand(deal.rules), sum(len(meld) for meld in side.melds) + len(side.added)
    if count not in allowed:
        needed = "/".join(str(number) for number in sorted(allowed))
        raise Unreadable("round.in_hand_count", player=side.name, count=count, needed=needed)
    pairs = sum(len(meld) == PAIR for meld in side.melds)
    if 0 < pairs < len(side.melds) and deal.rules.limit("opening.pairs_min") is not None:
        raise Unreadable("round.in_hand_mixed", player=side.name)
    threshold = deal.rules.limit("opening.points")
    if threshold is None or pairs == len(side.melds):
        return
    points = sum(max(opening_points(deal, found) for found in read_meld(deal, meld)) for meld in side.melds)
    if points < threshold:
        raise Unreadable("round.in_hand_below", player=side.name, points=points, needed=threshold)


def _check_twin(deal: Deal, side: Side) -> None:
    if side.twin is not None and deal.rules.choice("turned_tile") == "none":
        raise Unreadable("round.no_twin", player=side.name, rules=deal.rules.id)


def _check_twins(deal: Deal, finished: Round) -> None:
    """Nobody can hold a twin that the box does not have."""
    holders = [side.name for side in finished.sides if side.twin is not None]
    copies = deal.rules.jokers if isinstance(deal.turned, Joker) else deal.rules.number("set.packs")
    if len(holders) > copies - 1:
        tile = str(deal.turned or "?")
        raise Unreadable("round.twins", players=", ".join(holders), tile=tile, most=copies - 1, player=holders[-1])


def _check_table(deal: Deal, finished: Round) -> None:
    """Every formation must be one, before and after each tile that was put on it."""
    first = FirstLaid(deal, finished)
    for side in first.round.sides:
        for meld in side.melds:
            readings = read_meld(deal, meld)
            if not readings:
                raise Unreadable("round.no_formation", player=side.name, meld=format_tiles(meld))
        for placed in side.placed:
            _check_placed(deal, side, placed)
        if finished.in_hand and side.name == finished.closer and side.melds:
            _check_laid_from_hand(deal, side)
    _check_targets(deal, finished, first)


def _check_targets(deal: Deal, finished: Round, first: FirstLaid) -> None:
    """What a tile was put on must lie there, where all formations are told or its owner gets the points."""
    all_told = all(side.laid is None and bool(side.melds) is (side.opened is not Opened.NO) for side in finished.sides)
    owners_count = deal.rules.choice("layoff.owner_of_points") == "owner"
    for row, side in enumerate(finished.sides):
        for index, placed in enumerate(side.placed):
            values = {"player": side.name, "tile": str(placed.tile), "meld": format_tiles(placed.target)}
            if all_told and (row, index) not in first.fitting:
                raise Unreadable("round.not_there", **values)
            if owners_count and (row, index) not in first.owners:
                raise Unreadable("round.owner_unknown", **values)


def _check_placed(deal: Deal, side: Side, placed: Placed) -> None:
    values = {"player": side.name, "tile": str(placed.tile), "meld": format_tiles(placed.target)}
    if not read_meld(deal, placed.target):
        raise Unreadable("round.no_formation", player=side.name, meld=values["meld"])
    if placed.for_joker and deal.rules.choice("joker.recover") == "none":
        raise Unreadable("round.no_buying", rules=deal.rules.id, **values)
    jokers = [slot.piece for slot in placed.target if isinstance(slot.piece, Joker)]
    if placed.for_joker and jokers and all(joker.white for joker in jokers):
        raise Unreadable("round.white_joker", **values)
    if not placed.for_joker and isinstance(placed.tile.piece, Joker) and deal.rules.choice("joker.layoff") == "none":
        raise Unreadable("round.joker_added", rules=deal.rules.id, **values)
    if not placed_readings(deal, placed):
        raise Unreadable("round.joker_not_there" if placed.for_joker else "round.does_not_fit", **values)


def _check_board(deal: Deal, finished: Round) -> None:
    """Nothing is laid in this game; the winner's board, where its tiles are given, must win."""
    from remi_ref.opening.win import judge_win

    for side in finished.sides:
        if side.placed or side.laid is not None or (side.melds and side.name != finished.closer):
            raise Unreadable("round.no_table", player=side.name, rules=deal.rules.id)
    if finished.closer is None:
        return
    winner = finished.side(finished.closer)
    if not winner.melds:
        return
    if deal.joker_tile is None:
        raise Unreadable("round.indicator_wanted", player=winner.name)
    last = None if finished.closing_tile is None else Slot(finished.closing_tile)
    win = judge_win(deal, winner.melds, last)
    if win.kind is None:
        raise Unreadable("round.board_not_won", player=winner.name)
    if finished.win not in {None, win.kind}:
        raise Unreadable("round.win_differs", player=winner.name, win=finished.win, found=win.kind)


def _check_box(deal: Deal, finished: Round) -> None:
    """No tile more often than the box has it; a bought joker is seen where it lay and where it lies now."""
    seen = list(FirstLaid(deal, finished).tiles_seen())
    if deal.turned is not None and _atu_taken(deal, finished):
        seen.remove(next(entry for entry in seen if plain(entry[1].piece) == plain(deal.turned)))
    bought = sum(len(side.bought) for side in finished.sides)
    from_button = len(finished.sides) if deal.rules.flag("joker.button") else 0
    try:
        deal.check_box((slot for _, slot in seen), extra_jokers=bought + from_button)
    except Unreadable as error:
        raise _held_by(deal, seen, error) from error


def _held_by(deal: Deal, seen: list[tuple[str, Slot]], error: Unreadable) -> Unreadable:
    """The fault of too many copies with the players who have them; the last one's entry is where it is one too many."""
    if error.code != "tiles.too_many_copies":
        return error
    tile = error.values["tile"]
    names = [name for name, slot in seen if name and str(deal.as_in_box(plain(slot.piece))) == tile]
    if not names:
        return error
    holders = ", ".join([*dict.fromkeys(names), *(["turned:"] if str(deal.turned) == tile else [])])
    count, most = error.values["count"], error.values["most"]
    return Unreadable("round.copies", tile=tile, count=count, most=most, holders=holders, player=names[-1])


def _atu_taken(deal: Deal, finished: Round) -> bool:
    """Whether the closer may have laid the turned tile itself, so that it is seen twice."""
    if deal.turned is None or finished.closer is None or deal.rules.choice("take.atu") == "never":
        return False
    laid = (slot.piece for meld in finished.side(finished.closer).melds for slot in meld)
    return plain(deal.turned) in map(plain, laid)
