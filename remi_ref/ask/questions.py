"""The guided conversation: what is to be settled, by which rules, with which tiles.

A conversation decides nothing. It gathers what a command is to be told and yields that command, as it could have been
typed; whoever runs it shows the answer. So `remi-ref ask` can never answer otherwise than the commands do.

Public interface:
    converse(talk) -> Iterator[list[str]]     arguments of one command after another
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from remi_ref.ask.roundtalk import ask_round, names
from remi_ref.errors import Unreadable
from remi_ref.match.disk import put_file
from remi_ref.rules.rulefile import SHIPPED, load_ruleset

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from remi_ref.ask.talk import Talk
    from remi_ref.rules.ruleset import Ruleset

_HOUSE = "house"


def converse(talk: Talk) -> Iterator[list[str]]:
    """Asks until the person has had enough."""
    while True:
        subject = talk.one_of("subject", (*SUBJECTS, "end"))
        if subject == "end":
            return
        yield from SUBJECTS[subject](talk)


# --- what can be settled ---------------------------------------------------------------------------------------------


def _meld(talk: Talk) -> Iterator[list[str]]:
    rules, chosen = _rules(talk, lambda _: True)
    turned = _turned(talk, rules)
    yield ["meld", talk.melds("melds", rules.spellings), *chosen, *turned]


def _opening(talk: Talk) -> Iterator[list[str]]:
    rules, chosen = _rules(talk, _opens)
    melds = talk.melds("opening_melds", rules.spellings)
    yield ["opening", melds, *_moment(talk, rules), *chosen]


def _can_open(talk: Talk) -> Iterator[list[str]]:
    rules, chosen = _rules(talk, _opens)
    rack = talk.tiles("rack", rules.spellings)
    yield ["can-open", rack, *_moment(talk, rules), *chosen]


def _win(talk: Talk) -> Iterator[list[str]]:
    rules, chosen = _rules(talk, lambda rules: not _lays(rules))
    turned = talk.tile("indicator", rules.spellings)
    board = talk.melds("board_tiles", rules.spellings)
    last = talk.tile("last", rules.spellings, optional=True)
    yield ["win", board, *(["--last", last] if last else []), "--turned", turned, *chosen]


def _add(talk: Talk) -> Iterator[list[str]]:
    rules, chosen = _rules(talk, _lays)
    tile, meld = talk.tile("added_tile", rules.spellings), talk.one_meld("added_to", rules.spellings)
    yield ["add", tile, meld, *_opened(talk), *chosen]


def _swap(talk: Talk) -> Iterator[list[str]]:
    rules, chosen = _rules(talk, _lays)
    tile, meld = talk.tile("swap_tile", rules.spellings), talk.one_meld("swap_in", rules.spellings)
    yield ["swap", tile, meld, *_opened(talk), *chosen]


def _take(talk: Talk) -> Iterator[list[str]]:
    rules, chosen = _rules(talk, _lays)
    tile = talk.tile("taken_tile", rules.spellings)
    row = talk.tiles("row", rules.spellings)
    hand = talk.tiles("hand", rules.spellings)
    yield ["take", tile, "--row", row, "--hand", hand, *_opened(talk), *chosen]


def _setup(talk: Talk) -> Iterator[list[str]]:
    rules, chosen = _rules(talk, lambda _: True)
    count = talk.choose("how_many", [(str(number), str(number)) for number in rules.seats])
    yield ["setup", "--players", count, *chosen]


def _score(talk: Talk) -> Iterator[list[str]]:
    rules, chosen = _rules(talk, lambda _: True)
    text = ask_round(talk, rules, chosen[1])
    path = _kept(talk, text)
    yield ["score", path, *chosen]
    if talk.yes("into_match"):
        yield ["match", "add", talk.file("match_file"), path]


def _kept(talk: Talk, text: str) -> str:
    """The file a round is kept in; another is asked for until one can be written."""
    while True:
        path = talk.file("keep_round", new=True, default=talk.say("round_name"))
        try:
            put_file(Path(path), text.encode())
        except Unreadable as error:
            talk.tell(error)
        else:
            return path


def _match(talk: Talk) -> Iterator[list[str]]:
    wanted = talk.one_of("match", ("show", "new", "add", "undo"))
    if wanted == "new":
        rules, chosen = _rules(talk, lambda _: True)
        players = ",".join(names(talk, rules))
        points = ["--points", _pot(talk, rules)] if rules.choice("score_direction") == "pot" else []
        path = talk.file("new_match", new=True, default=talk.say("match_name"))
        yield ["match", "new", path, "--players", players, *points, *chosen]
        return
    path = talk.file("match_file")
    yield ["match", wanted, path, *([talk.file("round_file")] if wanted == "add" else [])]


SUBJECTS: dict[str, Callable[[Talk], Iterator[list[str]]]] = {
    "meld": _meld,
    "opening": _opening,
    "can_open": _can_open,
    "add": _add,
    "swap": _swap,
    "take": _take,
    "win": _win,
    "score": _score,
    "match": _match,
    "setup": _setup,
}


# --- what several of them need to know -------------------------------------------------------------------------------


def _lays(rules: Ruleset) -> bool:
    """Whether formations are laid on the table at all."""
    return rules.choice("score.method") != "losses"


def _opens(rules: Ruleset) -> bool:
    return rules.limit("opening.points") is not None or rules.limit("opening.pairs_min") is not None


def _rules(talk: Talk, fits: Callable[[Ruleset], bool]) -> tuple[Ruleset, list[str]]:
    """The ruleset, among the games in which the question can arise, and how a command is told of it."""
    games = [rules for rules in map(load_ruleset, SHIPPED) if fits(rules)]
    options = [(rules.id, rules.name[talk.words.language]) for rules in games]
    chosen = talk.choose("rules", [*options, (_HOUSE, talk.say("house"))])
    if chosen == _HOUSE:

        def check(typed: str) -> object:
            if not typed or not fits(load_ruleset(typed)):
                raise Unreadable("ask.other_game")
            return None

        chosen = talk.text("house_file", check)
    return load_ruleset(chosen), ["-r", chosen]


def _turned(talk: Talk, rules: Ruleset) -> list[str]:
    """The turned tile, where it decides what is a joker."""
    if rules.choice("turned_tile") != "indicator":
        return []
    tile = talk.tile("turned", rules.spellings, optional=True)
    return ["--turned", tile] if tile else []


def _moment(talk: Talk, rules: Ruleset) -> list[str]:
    """What an opening may hang on beside its tiles: the first turn, a rising threshold."""
    said: list[str] = []
    if not rules.flag("opening.first_turn_allowed") and talk.yes("first_turn"):
        said += ["--turn", "1"]
    if rules.flag("opening.rising") and (points := talk.text("previous", _points_or_nothing)):
        said += ["--previous", points]
    return said


def _points_or_nothing(typed: str) -> object:
    if typed and not (typed.isascii() and typed.isdigit() and len(typed) <= 4):
        raise Unreadable("ask.number_wanted")
    return None


def _pot(talk: Talk, rules: Ruleset) -> str:
    low, high = rules.numbers("match.pot")[0], rules.numbers("match.pot")[-1]

    def check(typed: str) -> object:
        if not (typed.isascii() and typed.isdigit()) or not low <= int(typed[:6]) <= high:
            raise Unreadable("ask.pot_wanted", low=low, high=high)
        return None

    return talk.text("pot", check, low=low, high=high)


def _opened(talk: Talk) -> list[str]:
    return ["--opened"] if talk.yes("have_opened") else []
