"""Photos in place of typed tiles: the same verdict for every plausible reading, or a question."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from remi_ref.cli import looking
from remi_ref.cli.photos import with_texts
from remi_ref.cli.program import main
from remi_ref.vision import views
from remi_ref.vision.sighting import Sighting

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

# Rows part at a semicolon, groups at a bar. A1/A11 is the one or the other, A1~A11 hardly
# the other, A1? perhaps nothing; N8* has any colour, N8*3 perhaps another number.
SHOWN = {
    "rack.png": "R9 R10 R11 A7 N7 G7 J A2 A5 N3 N13 G4 G12 R1",
    "opens.png": "R9/A1 R10 R11 A10 N10 G10 A2 A5 N3 N13 G4 G12 R1",
    "hangs.png": "R10 R11 R12/R2 N5 A5 G5 A9",
    "perhaps.png": "R1? R2 R3 A10 N10 G10 A2",
    "hand.png": "A11/A1 N2",
    "third.png": "R9~R2 R10 R11 A9 A10 A11; R9 R9 N2",
    "thirds.png": "R9~N9 R10 R11 N9 N9 A9; R9 R9 N2",
    "board.png": "R9 R10 R11 A9 A10 A11 N9; N10 N11 G9 G10 G11 A6 A7 A8",
    "grey.png": "R5* R6* R7*",
    "greys.png": "R5* R6*9 R7*",
    "dim.png": "R5/A5 R6/A6 R7/A7 R8/A8 R9/A9 R10/A10 R11/A11",
    "false.png": "F F R3",
    "jokers.png": "J J J R3 R4",
    "falsely.png": "J/F R3 R4",
    "turned.png": "A5/A1",
    "gives.png": "R9/R2 R9 R9",
    "run.png": "R3 R4 R5",
    "table.png": "R3 R4 R5 | N7/A7 N8 N9",
    "tile.png": "R4",
    "my tile.png": "R4",
    "none.png": "",
    "it's 8.png": "N8",
    "ș8.png": "N8",
}


class Eye:
    """Stands for the networks: knows each picture by how grey it is."""

    def sight(self, picture: NDArray[np.uint8]) -> list[Sighting]:
        """What the picture of this grey shows."""
        shown = list(SHOWN.values())[picture[0, 0, 0]]
        return [
            _sighting(60 + 50 * column, 60 + 100 * y, word)
            for y, row in enumerate(shown.split(";"))
            for column, word in enumerate(row.split())
            if word != "|"
        ]


def _sighting(x: float, y: float, word: str) -> Sighting:
    text, _, other = word.rstrip("?").partition("*")
    odds: tuple[tuple[str, float], ...] = ((text, 0.99),)
    if "/" in word or "~" in word:
        first, second = word.replace("~", "/").split("/")
        odds = ((first, 0.6), (second, 0.38)) if "/" in word else ((first, 0.98), (second, 0.001))
    elif word.endswith("?"):
        odds = ((text, 0.45),)
    elif "*" in word:
        chances = ((text[1:], 0.2), (other, 0.05)) if other else ((text[1:], 0.25),)
        odds = tuple((f"{colour}{number}", chance) for number, chance in chances for colour in "RANG")
    corners = ((x - 22, y - 20), (x + 22, y - 20), (x + 22, y + 42), (x - 22, y + 42))
    return Sighting(corners, (x, y), 20.0, 0.0, odds, np.zeros(3, np.float32))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for grey, name in enumerate(SHOWN):
        cv2.imwrite(str(tmp_path / name), np.full((300, 900, 3), grey, np.uint8))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(looking, "readers", lambda *_: Eye())
    monkeypatch.setattr(views, "CONTENT", 0.0)  # one look is enough
    for name in ("REMI_REF_LANG", "REMI_REF_RULES"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def ask(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """Exit code, and what was printed, without line breaks."""
    code = main([*arguments, "--lang", "en"])
    printed = capsys.readouterr()
    return code, " ".join((printed.out + printed.err).split())


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    main([*arguments, "--json"])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


ROUND = """rules: remi-etalat
turned: G5
closer: Ana
closing-tile: N2
players:
  Ana: {melds: "R10 R11 R12 | N5 A5 R5", hand: ""}
  Dan: {melds: "G10 G11 G12 | N9 R9 G9", hand: HAND}
"""
TURN = """rules: remi-etalat
player: Ana
turn: 3
opened: melds
hand: HAND
table:
  - {owner: Dan, meld: A12 A13 A1}
"""


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["can-open", "rack.png"], 0, "YES"),
        (["can-open", "opens.png"], 3, "the answer changes with the doubtful tiles"),
        (["can-open", "opens.png", "--fix", "1=R9"], 0, "YES"),
        (["can-open", "hangs.png"], 3, "tile 3: R12 or R2; if it is the other, --fix 3=R2"),
        (["can-open", "perhaps.png"], 3, "tile 1: perhaps there is no tile; if so, --fix 1=X"),
        (["can-open", "perhaps.png", "--fix", "1=X"], 1, "NO"),
        (["can-open", " rack.png "], 0, "YES"),
        (["can-open", "rack.png", "--fix", "rack.png:1=R9"], 0, "YES"),
        (["opening", "R10 R11 R12 | run.png"], 0, "YES"),
        (["meld", "run.png", "|", "table.png"], 3, "--fix table.png:4=A7"),
        (["meld", "run.png", "|", "table.png", "--fix", "table.png:4=N7"], 0, "YES"),
        (["meld", "table.png", "--fix", "4=N7"], 0, "YES"),
        (["meld", "table.png", "--fix", "1=N7"], 3, "tile 4: N7 or A7"),
        (["meld", "grey.png"], 3, "the photo is in black and white"),
        (["meld", "greys.png"], 3, "tile 2: 6 or 9, whatever its colour; say it with --fix 2=…"),
        (["meld", "grey.png", "--fix", "1=R5"], 3, "the photo is in black and white"),
        (["meld", "grey.png", "--fix", "1=R5", "--fix", "2=R6", "--fix", "3=R7"], 0, "YES"),
        (["meld", "dim.png"], 3, "too many tiles of the photo are doubtful"),
        (["add", "my tile.png", "R5 R6 R7", "--opened"], 0, "YES"),
        (["setup", "--players", "4", "--turned", "tile.png", "-r", "remi-pe-tabla"], 0, "R5"),
    ],
)
def test_a_photo_is_judged_or_asked_about(
    arguments: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found, printed = ask(capsys, *arguments)
    assert (found, said in printed) == (code, True), printed


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["can-open", "rak.png"], ["rak.png", "nearest: rack.png"]),
        (["meld", "R3 R4 R5 | tabel.png"], ["tabel.png", "nearest: table.png"]),
        (["can-open", "none.png"], ["none.png", "no tile is to be seen"]),
        (["can-open", "rack.png", "--fix", "run.png:1=R9"], ["run.png:1=R9", "rack.png"]),
        (["can-open", "rack.png", "--fix", "1=R9=R10"], ["1=R9=R10", "NUMBER=TILE"]),
        (["can-open", "rack.png", "--fix", ""], ["--fix “”"]),
        (["can-open", "rack.png", "--fix", "40=R9"], ["rack.png", "14 tiles", "40"]),
        (["meld", "run.png", "|", "table.png", "--fix", "4=N7"], ["several photos", "run.png:4=N7"]),
        (["scan", "run.png", "table.png", "--fix", "4=N7"], ["several photos", "run.png:4=N7"]),
        (["scan", "run.png", "--fix", "1=J", "--fix", "2=J", "--fix", "3=J"], ["J: 3 here, the box has 2"]),
        (["scan", "run.png", "--set", "foo.bar=1"], ["foo.bar"]),
        (["scan", "run.png", "--turned", "zz"], ["--turned", "zz"]),
        (["scan", "run.png", "--turned", "tile.png"], ["tile.png", "picture"]),
        (["can-open", "rack.png", "--taken", "run.png"], ["--taken", "one tile is wanted", "not 3", "R3 R4 R5"]),
        (["can-open", "thirds.png"], ["here, the box has 2", "thirds.png: 1 (R9)", "--fix NUMBER=TILE"]),
        (["meld", "thirds.png", "|", "run.png"], ["thirds.png: 1 (R9)", "--fix PHOTO:NUMBER=TILE"]),
        (["score", "rack.png"], ["rack.png", "picture"]),
        (["legal", "rack.png"], ["rack.png", "picture"]),
        (["explain", "rack.png"], ["rack.png", "picture"]),
        (["match", "new", "m.png", "--players", "Ana,Dan"], ["m.png", "picture"]),
        (["turn", "whole.yaml", "--write", "rack.png"], ["rack.png", "picture"]),
        (["turn", "whole.yaml", "--write", "new.png"], ["new.png", "picture"]),
        (["rules", "show", "rack.png"], ["rack.png", "picture"]),
    ],
)
def test_what_cannot_be_read_is_named(
    arguments: list[str], named: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code, printed = ask(capsys, *arguments)
    assert code == 2, printed
    assert [word for word in named if word not in printed] == [], printed


def test_a_copy_too_many_is_shown_and_asked_about(capsys: pytest.CaptureFixture[str]) -> None:
    code, printed = ask(capsys, "can-open", "third.png")
    assert code == 3
    assert "IT DEPENDS: what the photo seems to show cannot be right" in printed
    assert "R9: 3 here, the box has 2" in printed
    assert "From the photo, third.png:" in printed
    assert "--fix 1=" in printed


@pytest.mark.parametrize(
    "arguments",
    [["can-open", "hangs.png", "-r", "remi-pe-tabla"], ["score", "round.yaml"], ["meld", "hangs.png", "zz"]],
)
def test_a_fault_that_every_reading_has_is_blamed_on_no_doubtful_tile(
    arguments: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "round.yaml").write_text(ROUND.replace("HAND", "hand.png").replace("closer: Ana", "closer: Zoe"))
    code, printed = ask(capsys, *arguments)
    assert (code, "doubtful" in printed) == (2, False), printed


@pytest.mark.parametrize("command", ["score", "legal"])
def test_a_doubtful_tile_that_changes_scores_or_options_is_asked_about(
    command: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = folder / "file.yaml"
    file.write_text({"score": ROUND, "legal": TURN}[command].replace("HAND", "hand.png"))
    code, printed = ask(capsys, command, str(file))
    assert code == 3
    assert "--fix 1=A1" in printed
    for fix in ("1=A1", "1=A11"):
        assert ask(capsys, command, str(file), "--fix", fix)[0] == 0


def test_several_photos_of_a_file_are_corrected_by_name(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = folder / "round.yaml"
    text = ROUND.replace("HAND", "hand.png").replace('"G10 G11 G12 | N9 R9 G9"', '"run.png | N9 R9 G9"')
    file.write_text(text)
    code, printed = ask(capsys, "score", str(file))
    assert code == 3
    assert "hand.png:1=A1" in printed
    assert ask(capsys, "score", str(file), "--fix", "hand.png:1=A1")[0] == 0


def test_a_photo_of_the_turned_tile_lies_beside_those_of_the_file(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "round.yaml").write_text(ROUND.replace("HAND", "hand.png"))
    asked = ["score", "round.yaml", "--turned", "tile.png"]
    assert [photo["file"] for photo in answer(capsys, *asked)["photos"]] == ["hand.png", "tile.png"]
    assert "hand.png:1=A1" in ask(capsys, *asked)[1]
    assert ask(capsys, *asked, "--fix", "hand.png:1=A1")[0] == 0
    assert ask(capsys, *asked, "--fix", "hand.png:1=A1", "--fix", "tile.png:1=R5")[0] == 0


def test_a_match_keeps_what_the_photos_of_a_round_show(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ask(capsys, "match", "new", "m.match", "--players", "Ana,Dan")[0] == 0
    (folder / "rounds").mkdir()
    for name in ("hand.png", "tile.png"):
        (folder / name).rename(folder / "rounds" / name)
    (folder / "rounds" / "one.yaml").write_text(ROUND.replace("HAND", "hand.png"))
    (folder / "rounds" / "two.yaml").write_text(ROUND.replace("HAND", "'tile.png'"))
    before = (folder / "m.match").read_bytes()
    code, printed = ask(capsys, "match", "add", "m.match", "rounds/one.yaml")
    assert (code, "Nothing was entered" in printed, "--fix 1=A1" in printed) == (3, True, True), printed
    assert (folder / "m.match").read_bytes() == before
    assert ask(capsys, "match", "add", "m.match", "rounds/two.yaml", "--fix", "1=zz")[0] == 2

    added = answer(capsys, "match", "add", "m.match", "rounds/one.yaml", "--fix", "1=A1")
    assert (added["ok"], added["standings"]["Dan"]) == (True, 15)
    corrected = answer(capsys, "match", "correct", "m.match", "1", "rounds/two.yaml")
    assert (corrected["ok"], corrected["photos"][0]["rows"]) == (True, ["R4"])
    (kept,) = answer(capsys, "match", "export", "m.match")["rounds"]
    assert kept["entered"][-1].endswith('hand: "R4"}')
    assert ask(capsys, "match", "add", "m.match", "rounds/plain.png")[0] == 2


KEPT = """# tile.png, șah
rules: remi-etalat
turned: G5
closer: Ana
closing-tile: N2
players:
  Ana: {melds: "R10 R11 R12 | N5 A5 R5", hand: ""}
  Dan:
    melds: G10 G11 G12 | N9 R9 G9
    hand: HAND
  # tile.png
"""


@pytest.mark.parametrize(
    ("hand", "kept"),
    [
        ("my tile.png", '"R4"'),
        ("'it''s 8.png' # it's 8.png", '"N8" # it\'s 8.png'),
        (r'"\u0219\x38.png, tile.png"  # ș', '"N8, R4"  # ș'),
        ("'R4\n     tile.png'", '"R4 R4"'),
        ("|\n      tile.png\n      N8", r'"R4\nN8\n"'),
    ],
)
def test_a_photo_is_replaced_where_it_is_named_and_nowhere_else(
    hand: str, kept: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "round.yaml").write_text(KEPT.replace("HAND", hand))
    ask(capsys, "match", "new", "m.match", "--players", "Ana,Dan")
    scored = answer(capsys, "score", "round.yaml")
    added = answer(capsys, "match", "add", "m.match", "round.yaml")
    assert added["standings"] == scored["scores"]
    (played,) = answer(capsys, "match", "export", "m.match")["rounds"]
    assert "\n".join(played["entered"]) + "\n" == KEPT.replace("HAND", kept)


def test_names_that_end_alike_are_told_apart(folder: Path) -> None:
    texts = {"tile.png": "R4", "my tile.png": "A7", "run.png": "R3 R4 R5"}
    told = "# tile.png\nhand Ana: my tile.png\n\nAna: [tile.png, N2] ?tile.png (run.png) +tile.png>run.png; -tile.png\n"
    kept = "# tile.png\nhand Ana: A7\n\nAna: [R4, N2] ?R4 (R3 R4 R5) +R4>R3 R4 R5; -R4\n"
    assert with_texts(told.encode(), folder / "round.remi", texts).decode() == kept
    assert with_texts(b"{a: tile.png, b: my tile.png}", folder / "a.yaml", texts) == b'{a: "R4", b: "A7"}'


def test_a_round_is_not_written_while_it_hangs_on_a_doubtful_tile(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head = "rules: remi-etalat\nturned: A5\nplayers: Ana, Dan\nstarter: Ana\n"
    tiles = "R2 R4 R6 R8 R10 R12 N4 N6 N8 N10 N12 G1 G3"
    (folder / "round.remi").write_text(f"{head}hand Ana: hand.png {tiles}\n\nAna: -A11\n")
    asked = ["turn", "round.remi", "--write", "out.remi"]
    code, printed = ask(capsys, *asked)
    assert (code, "the round is not written: out.remi" in printed) == (3, True), printed
    assert not (folder / "out.remi").exists()
    code, printed = ask(capsys, *asked, "--fix", "1=A11")
    assert (code, "the round is written: out.remi" in printed) == (0, True), printed
    assert "hand Ana: A11 N2 R2" in (folder / "out.remi").read_text()


def test_a_round_is_not_written_while_it_hangs_on_a_doubtful_turned_tile(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tiles = "A5 A5 R2 R4 R6 R8 R10 R12 N4 N6 N8 N10 N12 G1 G3"
    (folder / "round.remi").write_text(f"rules: remi-etalat\nplayers: Ana, Dan\nhand Ana: {tiles}\n\nAna: -R2\n")
    asked = ["turn", "round.remi", "--write", "out.remi", "--turned", "turned.png"]
    code, printed = ask(capsys, *asked)
    assert (code, "the round is not written: out.remi" in printed) == (3, True), printed
    assert not (folder / "out.remi").exists()
    assert ask(capsys, *asked, "--fix", "1=A1")[0] == 0
    assert "turned: A1" in (folder / "out.remi").read_text()


def test_a_missing_photo_in_a_file_is_named_with_its_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "round.yaml").write_text(ROUND.replace("HAND", "rak.png"))
    code, printed = ask(capsys, "score", "round.yaml")
    assert code == 2
    assert printed.startswith("round.yaml:7: rak.png: there is no such file; nearest: rack.png")


def test_numbers_stay_when_a_tile_is_taken_away(capsys: pytest.CaptureFixture[str]) -> None:
    printed = ask(capsys, "scan", "table.png", "--fix", "1=X")[1]
    assert "R4 R5 | ?N7 N8 N9" in printed or "R4 R5 ?N7 N8 N9" in printed
    assert "tile 4: N7 or A7; if it is the other, --fix 4=A7" in printed
    (photo,) = answer(capsys, "scan", "table.png", "--fix", "1=X")["photos"]
    assert photo["doubtful"] == [4]
    assert [tile["number"] for tile in photo["tiles"]] == [2, 3, 4, 5, 6]


def test_a_board_in_a_photo_wins_arranged_or_loose(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "win", "board.png", "--turned", "R1")
    assert (found["ok"], found["losses"] > 0, len(found["photos"])) == (True, True, 1)
    bars = "R9 R10 R11 A9 A10 A11 N9 | N10 N11 G9 G10 G11 A6 A7 A8"
    assert answer(capsys, "win", bars, "--turned", "R1")["ok"] is False, "who types bars has arranged the tiles"


def test_a_board_in_a_photo_that_wins_in_no_way_is_judged_as_it_lies(capsys: pytest.CaptureFixture[str]) -> None:
    bars = "R1 R10 R11 A9 A10 A11 N9 | N10 N11 G9 G10 G11 N1 A7 A8"
    typed = answer(capsys, "win", bars, "--turned", "R1")
    photographed = answer(capsys, "win", "board.png", "--turned", "R1", "--fix", "1=R1", "--fix", "13=N1")
    assert photographed["ok"] is False
    assert photographed["reasons"] == typed["reasons"]


@pytest.mark.parametrize(
    ("arguments", "sure"),
    [
        (["scan", "jokers.png"], False),
        (["scan", "jokers.png", "--set", "set.jokers=4"], True),
        (["can-open", "jokers.png", "--set", "set.jokers=4"], True),
        (["scan", "false.png"], True),
        (["scan", "false.png", "-r", "remi-etalat"], False),
        (["scan", "false.png", "-r", "remi-pe-tabla"], True),
    ],
)
def test_the_box_of_the_table_counts(arguments: list[str], sure: bool, capsys: pytest.CaptureFixture[str]) -> None:  # noqa: FBT001 - a case
    (photo,) = answer(capsys, *arguments)["photos"]
    assert (photo["doubtful"] == []) is sure


def test_what_the_box_has_none_of_is_said_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert "the box has none" in ask(capsys, "scan", "false.png", "-r", "remi-etalat")[1]


@pytest.mark.parametrize(
    ("photo", "options", "said", "unsaid"),
    [
        ("jokers.png", [], "tile 3: J, not sure", "3=F"),
        ("falsely.png", ["--set", "set.false_jokers=0"], "tile 1: J, not sure; if it is another, --fix 1=…", "1=F"),
        ("falsely.png", ["--set", "set.false_jokers=2"], "tile 1: J or F", "not sure"),
        ("gives.png", [], "tile 1: R2, not sure", "1=R9"),
        ("grey.png", [], "the photo is in black and white", "tile 2"),
    ],
)
def test_no_correction_is_proposed_that_would_be_refused(
    photo: str, options: list[str], said: str, unsaid: str, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = ask(capsys, "scan", photo, *options)[1]
    assert (said in printed, unsaid in printed) == (True, False), printed


def test_racks_of_lines_may_be_photos(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def piped(text: str, *arguments: str) -> tuple[int, list[dict[str, Any]], str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(text))
        code = main(["can-open", "-", "--json", "--lang", "en", *arguments])
        printed = capsys.readouterr()
        return code, [json.loads(line) for line in printed.out.splitlines()], printed.err

    code, found, _ = piped("rack.png\nR3 R4 R5 J\nhangs.png\n")
    assert (code, [one["ok"] for one in found], [one["line"] for one in found]) == (0, [True, False, None], [1, 2, 3])
    assert piped("hangs.png\nrack.png\n", "--fix", "hangs.png:3=R12")[1][0]["ok"] is True
    assert "stdin:1" in piped("rak.png\n")[2]
    assert piped("hangs.png\nR3\n", "--fix", "3=R12")[1][0]["ok"] is True
    for option in ("--taken", "--turned"):
        assert piped("R3\n", option, "tile.png")[1][0]["photos"][0]["file"] == "tile.png"


@pytest.mark.parametrize(
    ("lines", "options", "named"),
    [
        ("hangs.png\nrack.png\n", ["--fix", "3=R12"], ["several photos", "hangs.png:3=R12"]),
        ("hangs.png\nrack.png\n", ["--fix", "no.png:3=R12"], ["no.png:3=R12", "the photos here: hangs.png, rack.png"]),
        ("R3 R4 R5\n", ["--fix", "no.png:3=R12"], ["--fix", "there is none here"]),
        ("R3 R4 R5\n", ["--tiles", "none"], ["--tiles", "there is none here"]),
        ("R3 R4 R5\nhangs.png\n", ["--taken", "tile.png", "--fix", "1=R4"], ["several photos", "tile.png:1=R4"]),
    ],
)
def test_what_is_said_about_no_photo_of_the_lines_is_refused_at_once(
    lines: str,
    options: list[str],
    named: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
    assert main(["can-open", "-", "--lang", "en", *options]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    error = " ".join(printed.err.split())
    assert [word for word in named if word not in error] == [], error


@pytest.mark.parametrize(
    ("fix", "code", "said"),
    [
        ("1=R5", 0, ""),
        ("tile.png:1=R5", 0, ""),
        ("no.png:1=R5", 2, "no such photo here; the photos here: tile.png"),
    ],
)
def test_a_turned_photo_beside_a_file_without_photos_is_corrected(
    fix: str, code: int, said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "round.yaml").write_text(ROUND.replace("HAND", "N2"))
    found, printed = ask(capsys, "score", "round.yaml", "--turned", "tile.png", "--fix", fix)
    assert (found, said in printed) == (code, True), printed


def test_a_correction_with_the_whole_name_of_a_photo_is_about_it_alone(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "d").mkdir()
    (folder / "d" / "run.png").write_bytes((folder / "run.png").read_bytes())
    for name, rows in (("run.png", ["A1 R4 R5", "R3 R4 R5"]), ("d/run.png", ["R3 R4 R5", "A1 R4 R5"])):
        photos = answer(capsys, "scan", "run.png", "d/run.png", "--fix", f"{name}:1=A1")["photos"]
        assert [row for photo in photos for row in photo["rows"]] == rows
    assert ask(capsys, "scan", "d/run.png", "--fix", "run.png:1=A1")[0] == 0


def test_corrections_are_written_as_the_table_calls_its_colours(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "house.yaml").write_text(
        "id: house\nname: {ro: Casa, en: House}\nextends: remi-etalat\n"
        "rules:\n  colours.A: {value: [V, verde, green], why: ours}\n"
    )
    (photo,) = answer(capsys, "scan", "run.png", "-r", "house.yaml", "--fix", "1=V11")["photos"]
    assert photo["rows"] == ["A11 R4 R5"]
    assert ask(capsys, "meld", "run.png", "-r", "house.yaml", "--fix", "1=R3")[0] == 0
    code, printed = ask(capsys, "scan", "run.png", "--fix", "1=V11")
    assert (code, printed.startswith("--fix: “V11”")) == (2, True), printed


def test_a_file_name_moves_no_cursor(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "a\x1b[31mb.png"
    (folder / name).write_bytes((folder / "run.png").read_bytes())
    main(["scan", name])
    assert "\x1b" not in capsys.readouterr().out
