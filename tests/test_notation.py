"""A round is kept in two forms, and both say the same; what its turns tell of the table agrees or is refused.

``REMI_REF_NOTATION=300 pytest tests/test_notation.py`` plays that many rounds under each ruleset.
"""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from random_player import play_round

from remi_ref.errors import Unreadable
from remi_ref.play.played import PlayFile, Told
from remi_ref.play.rounds import judge_play, play_turn
from remi_ref.play.roundtext import is_round_text, read_text
from remi_ref.play.roundwriting import write_round, write_yaml
from remi_ref.play.seats import beginning
from remi_ref.play.turnfile import read_round, read_turns
from remi_ref.rules.rulefile import SHIPPED, load_ruleset
from remi_ref.score.finished import Opened
from remi_ref.words import Words
from remi_ref.yamltree import load_text

if TYPE_CHECKING:
    from random_player import PlayedRound

    from remi_ref.play.played import PlayedTurn
    from remi_ref.play.seats import Table

ROUNDS = int(os.environ.get("REMI_REF_NOTATION", "3"))
HOUSES = {"remi-101": ["joker.button=true"], "remi-etalat": ["double_game=[ace]", "opening.points=51"]}
RANDOM_ROUNDS = [
    pytest.param(rules, seed, id=f"{rules}-{seed}") for rules in SHIPPED for seed in range(9000, 9000 + ROUNDS)
]


@cache
def _played(name: str, seed: int) -> tuple[PlayedRound, list[Table]]:
    """A round with the table before each turn; every other one by house rules."""
    played = play_round(load_ruleset(name, HOUSES.get(name, ()) if seed % 2 else ()), Random(seed))
    tables = [beginning(played.play)]
    for turn in played.play.turns:
        tables.append(play_turn(tables[-1], turn)[1])
    return played, tables[:-1]


def _from_yaml(text: str) -> PlayFile:
    play = read_turns(load_text(text, "round.yaml"), Path())
    assert isinstance(play, PlayFile)
    return play


def _all_told(table: Table, turn: PlayedTurn) -> PlayedTurn:
    """The turn with all that can be told of the table before it."""
    seat = table.seats[table.index(turn.player)]
    told = Told(
        turn=seat.turns + 1,
        starter=seat.name == table.starter,
        opened=seat.opened,
        others=tuple((other.name, other.opened) for other in table.seats if other is not seat),
        button_used=seat.button_used,
        previous=table.previous,
        previous_pairs=table.previous_pairs,
        table=table.melds,
        row=table.row,
        places=dict.fromkeys(("turn", "starter", "opened", "others", "button-used", "table", "row"), "here"),
    )
    return replace(turn, hand=seat.hand, told=told)


def _some_told(turn: PlayedTurn, random: Random) -> PlayedTurn:
    """The same with some of it only."""
    silent = {name: getattr(Told(), name) for name in Told.__slots__ if name != "places" and random.random() < 0.5}
    return replace(turn, hand=random.choice([turn.hand, None]), told=replace(turn.told, **silent))


@pytest.mark.parametrize(("name", "seed"), RANDOM_ROUNDS)
def test_both_forms_read_back_and_say_the_same(name: str, seed: int) -> None:
    random, (played, tables) = Random(seed), _played(name, seed)
    play = played.play
    pairs = zip(tables, play.turns, strict=True)
    told = replace(play, turns=tuple(_some_told(_all_told(*pair), random) for pair in pairs))
    for round_ in (play, told):
        text, yaml = write_round(round_), write_yaml(round_)
        assert is_round_text(text.encode())
        assert not is_round_text(yaml.encode())
        assert read_round(text, "round.remi") == _from_yaml(yaml) == round_
        assert write_round(_from_yaml(yaml)) == text
        assert write_yaml(read_round(text, "round.remi")) == yaml


@pytest.mark.parametrize(("name", "seed"), RANDOM_ROUNDS)
def test_what_agrees_changes_nothing(name: str, seed: int) -> None:
    random, (played, tables) = Random(seed), _played(name, seed)
    play = played.play
    told = tuple(_some_told(_all_told(*pair), random) for pair in zip(tables, play.turns, strict=True))
    again = judge_play(replace(play, turns=told))
    assert again.verdict.ok
    assert again.after == played.after


@pytest.mark.parametrize(("name", "seed"), RANDOM_ROUNDS)
def test_a_round_may_begin_anywhere(name: str, seed: int) -> None:
    """From the middle on, told by the first turn of each player, the same turns are legal."""
    random, (played, tables) = Random(seed), _played(name, seed)
    play = played.play
    start = random.randrange(len(play.turns))
    told = [_all_told(*pair) for pair in zip(tables, play.turns, strict=True)]
    lap = start + len(play.players)
    piece = PlayFile(play.deal, play.players, (*told[start:lap], *play.turns[lap:]))
    assert judge_play(_from_yaml(write_yaml(piece))).verdict.ok


@pytest.mark.parametrize(("name", "seed"), RANDOM_ROUNDS[::ROUNDS])
def test_what_contradicts_is_refused_by_its_key(name: str, seed: int) -> None:
    random, (played, tables) = Random(seed), _played(name, seed)
    play = played.play
    place = random.randrange(1, len(play.turns))
    turn = _all_told(tables[place], play.turns[place])
    other = next(who for who in play.players if who != turn.player)
    wrong = {
        "turn": Told(turn=(turn.told.turn or 0) + 1),
        "starter": Told(starter=not turn.told.starter),
        "opened": Told(opened=next(how for how in Opened if how is not turn.told.opened)),
        f"others: {other}": Told(others=((other, _another(dict(turn.told.others)[other])),)),
        "button-used": Told(button_used=not turn.told.button_used),
        "row": Told(row=(turn.told.row or ())[:-1]),
        "previous": Told(previous=(turn.told.previous or 0) + 1),
    }
    for key, told in wrong.items():
        spoilt = replace(turn, hand=None, told=told)
        text = write_round(replace(play, turns=(*play.turns[:place], spoilt, *play.turns[place + 1 :])))
        line = text.splitlines().index("") + 2 + place
        with pytest.raises(Unreadable) as found:
            judge_play(read_round(text, "round.remi"))
        sentence = Words("en").error(found.value)
        assert sentence.startswith(f"round.remi:{line}: “{key}: "), sentence


def _another(opened: Opened) -> Opened:
    return next(how for how in Opened if how is not opened)


@pytest.mark.parametrize("name", ["Ana: 2", "Ana; Dan", "{Ana}", "[Ana]", "A#"])
def test_a_name_that_would_part_the_text_is_refused(name: str) -> None:
    play = read_round("rules: remi-101\nplayers: Ana, Dan\nrow: A3\n\nAna: ? -A2\n", "text")
    with pytest.raises(Unreadable):
        write_round(replace(play, players=(name,)))


@pytest.mark.parametrize("name", ["Ana Maria", "O'Brien", "no", "Ion: Dan", "#1", "Ștefan", "1", "true", "- a", "Ana "])
def test_any_name_stands_in_yaml(name: str) -> None:
    text = "rules: remi-101\nplayers: [X, Dan]\nopened: {X: melds}\nturns: [{player: X, actions: [discard: A2]}]\n"
    play = _from_yaml(text)
    named = replace(
        play,
        players=(name.strip(), "Dan"),
        opened=((name.strip(), Opened.MELDS),),
        turns=(replace(play.turns[0], player=name.strip()),),
    )
    assert _from_yaml(write_yaml(named)) == named


def test_the_text_is_the_tree_of_the_yaml() -> None:
    tree = read_text("players: Ana, Dan\nset joker.button: true\n\nAna: {turn: 3; table:} ?button -A2\n", "text").raw
    assert tree == {
        "players": ("Ana", "Dan"),
        "set": {"joker.button": "true"},
        "turns": (
            {
                "turn": "3",
                "table": (),
                "player": "Ana",
                "actions": ({"draw": "joker-button"}, {"discard": "A2"}),
            },
        ),
    }
