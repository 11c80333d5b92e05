"""The match file under bad luck: killed writers, full disks, several writers at once, damaged files.

``REMI_REF_KILLS=1000 pytest tests/test_ledger.py -k kill -s`` kills a thousand writers instead of a few dozen and
prints what came of it.
"""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from remi_ref.__main__ import main
from remi_ref.errors import Unreadable
from remi_ref.match import match as matches
from remi_ref.match.jsonfields import Fields
from remi_ref.match.standings import standings
from remi_ref.match.storedrules import restore_rules, store_rules
from remi_ref.rules.rulefile import SHIPPED, digest, load_ruleset
from remi_ref.words import LANGUAGES, Words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from remi_ref.match.match import Opened

KILLS = int(os.environ.get("REMI_REF_KILLS", "40"))
FAULTS: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "cases" / "match_faults.yaml").read_text(encoding="utf-8")
)
posix_only = pytest.mark.skipif(os.name != "posix", reason="kills and limits as POSIX has them")


def begin(folder: Path, *house: str) -> Path:
    """A match of Ana and Dan under remi etalat."""
    path = folder / "match.jsonl"
    assert matches.begin(path, load_ruleset("remi-etalat", house), ("Ana", "Dan"), None).verdict.ok
    return path


def write_round(folder: Path, points: int, name: str = "round") -> Path:
    """A round file that gives Ana so many points and Dan none."""
    path = folder / f"{name}.yaml"
    path.write_text(
        f"players: {{Ana: {{laid: {points}, hand: 0, opened: melds}}, Dan: {{laid: 0, hand: 0, opened: melds}}}}\n"
    )
    return path


def points_of(opened: Opened) -> list[int]:
    """Ana's points in each round that counts."""
    return [played.scores[0].total for played in opened.match.rounds]


def forked(work: Callable[[], None]) -> int:
    """Does the work in a process of its own; its id."""
    child = os.fork()
    if child == 0:
        try:
            work()
        finally:
            os._exit(0)
    return child


# --- killed while writing --------------------------------------------------------------------------------------------


def add_for_ever(path: Path, folder: Path, first: int, acknowledge: int) -> None:
    """Adds round after round and tells each one through the pipe once it is acknowledged."""
    number = first
    while True:
        matches.add(path, write_round(folder, number, "killed"))
        os.write(acknowledge, f"{number}\n".encode())
        number += 1


def acknowledged_before_kill(path: Path, folder: Path, first: int, delay: float) -> list[int]:
    """What a writer acknowledged until it was killed; the clock starts with its first acknowledgement."""
    reader, writer = os.pipe()
    child = forked(lambda: add_for_ever(path, folder, first, writer))
    os.close(writer)
    told = os.read(reader, 4096)
    time.sleep(delay)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while more := os.read(reader, 65536):
        told += more
    os.close(reader)
    return [int(number) for number in told.split()]


@posix_only
def test_kills_at_random_moments_lose_nothing(tmp_path: Path) -> None:
    chance, torn, unacknowledged, rounds = random.Random(4), 0, 0, 0
    path, expected = begin(tmp_path), list[int]()
    for kill in range(KILLS):
        if len(expected) > 60:  # a fresh match, so that reading it does not take most of the time
            path.unlink()
            path, expected = begin(tmp_path), []
        told = acknowledged_before_kill(path, tmp_path, len(expected) + 1, chance.uniform(0, 0.02))
        expected += told
        opened = matches.read(path)
        torn += opened.torn is not None
        found = points_of(opened)
        assert found[: len(expected)] == expected, f"kill {kill}"
        assert len(found) <= len(expected) + 1  # one may be on the disk and not yet told
        unacknowledged += len(found) - len(expected)
        rounds += len(told)
        expected = found
    sys.stdout.write(
        f"\n{KILLS} kills: {rounds} acknowledged rounds all there, {unacknowledged} written but not yet acknowledged, "
        f"{torn} torn lines put aside\n"
    )


@posix_only
def test_kills_of_the_command_lose_nothing(tmp_path: Path) -> None:
    chance, path, source = random.Random(5), begin(tmp_path), write_round(tmp_path, 7)
    command = [sys.executable, "-m", "remi_ref", "match", "add", str(path), str(source), "--json"]
    started = time.monotonic()
    subprocess.run(command, check=True, capture_output=True)
    whole, expected, answered, unanswered, kills = time.monotonic() - started, 1, 0, 0, max(KILLS // 5, 4)
    for _ in range(kills):
        if expected > 12:
            path.unlink()
            path, expected = begin(tmp_path), 0
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        time.sleep(chance.uniform(0.6, 1.5) * whole)
        process.kill()
        said, _ = process.communicate()
        assert process.returncode in {0, -signal.SIGKILL}
        if said.endswith(b"\n"):
            assert len(json.loads(said)["rounds"]) == expected + 1
            expected, answered = expected + 1, answered + 1
        found = len(matches.read(path).match.rounds)
        assert expected <= found <= expected + 1
        unanswered += found - expected
        expected = found
    sys.stdout.write(
        f"\n{kills} kills of the command: {answered} had answered, their rounds all there; "
        f"{unanswered} rounds written but not yet answered\n"
    )


def test_a_line_cut_anywhere_is_put_aside(tmp_path: Path) -> None:
    path = begin(tmp_path)
    matches.add(path, write_round(tmp_path, 1))
    whole = path.read_bytes()
    matches.add(path, write_round(tmp_path, 2))
    last = path.read_bytes()[len(whole) :]
    for length in (*range(1, 12), *range(12, len(last) - 2, 17), len(last) - 2):
        path.write_bytes(whole + last[:length])
        opened = matches.read(path)
        assert points_of(opened) == [1]
        assert opened.torn is not None
        kept = tmp_path / opened.torn.kept
        assert kept.read_bytes() == last[:length]
        assert path.read_bytes() == whole
        kept.unlink()


@pytest.mark.parametrize("data", [b"Ana: {hand: R5}\nDan: {hand: R6}", b"\xff\xd8\xff\n\0\0end", b"a\n{", b""])
@pytest.mark.parametrize("command", ["show", "undo", "export", "add"])
def test_a_file_that_is_no_match_stays_as_it_is(command: str, data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "other"
    path.write_bytes(data)
    assert main(["match", command, str(path), *(["round.yaml"] if command == "add" else [])]) == 2
    assert path.read_bytes() == data
    assert not list(tmp_path.glob("*torn*"))


def test_a_missing_last_newline_is_no_torn_line(tmp_path: Path) -> None:
    path = begin(tmp_path)
    matches.add(path, write_round(tmp_path, 1))
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    assert matches.read(path).torn is None
    assert points_of(matches.add(path, write_round(tmp_path, 2)).opened) == [1, 2]
    assert points_of(matches.read(path)) == [1, 2]


def test_zero_bytes_after_a_power_cut_are_put_aside(tmp_path: Path) -> None:
    path = begin(tmp_path)
    matches.add(path, write_round(tmp_path, 1))
    whole = path.read_bytes()
    for tail in (b"\0" * 512, b'{"line": 3, ' + b"\0" * 50 + b"}\n"):
        path.write_bytes(whole + tail)
        opened = matches.read(path)
        assert points_of(opened) == [1]
        assert opened.torn is not None
        assert (tmp_path / opened.torn.kept).read_bytes() == tail


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_torn_line_is_reported(language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = begin(tmp_path)
    for number in (1, 2):
        path.write_bytes(path.read_bytes() + b'{"line": 2, "ev')
        assert main(["match", "show", str(path), "--lang", language]) == 0
        assert f"match.jsonl.torn-{number}" in capsys.readouterr().out
    assert main(["match", "show", str(path), "--lang", language]) == 0
    assert "torn" not in capsys.readouterr().out


# --- a disk that fills -----------------------------------------------------------------------------------------------


@posix_only
@pytest.mark.parametrize("room", [0, 1, 40, 200])
def test_a_full_disk_leaves_the_file_as_it_was(room: int, tmp_path: Path) -> None:
    path, source = begin(tmp_path), write_round(tmp_path, 1)
    matches.add(path, source)
    whole = path.read_bytes()
    reader, writer = os.pipe()

    def work() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(whole) + room, resource.RLIM_INFINITY))
        try:
            matches.add(path, source)
        except Unreadable as error:
            os.write(writer, error.code.encode())

    os.waitpid(forked(work), 0)
    os.close(writer)
    assert os.read(reader, 100) == b"match.cannot_write"
    os.close(reader)
    assert path.read_bytes() == whole
    assert points_of(matches.add(path, source).opened) == [1, 1]


@posix_only
def test_a_match_that_cannot_be_written_leaves_no_file(tmp_path: Path) -> None:
    def work() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))
        begin(tmp_path)

    os.waitpid(forked(work), 0)
    assert not (tmp_path / "match.jsonl").exists()
    begin(tmp_path)


@posix_only
def test_a_torn_line_that_cannot_be_put_aside_does_not_count(tmp_path: Path) -> None:
    path = begin(tmp_path)
    matches.add(path, write_round(tmp_path, 1))
    damaged = path.read_bytes() + b'{"line": 3, "event": "rou'
    path.write_bytes(damaged)
    reader, writer = os.pipe()

    def work() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
        opened = matches.read(path)
        os.write(writer, repr((points_of(opened), opened.torn and opened.torn.kept)).encode())

    os.waitpid(forked(work), 0)
    os.close(writer)
    assert os.read(reader, 100) == b"([1], '')"
    os.close(reader)
    assert path.read_bytes() == damaged
    assert not list(tmp_path.glob("*.torn-*"))


# --- several writers -------------------------------------------------------------------------------------------------


@posix_only
def test_eight_writers_at_once_lose_nothing(tmp_path: Path) -> None:
    path, each = begin(tmp_path), 12

    def writer(number: int) -> Callable[[], None]:
        def work() -> None:
            for count in range(each):
                matches.add(path, write_round(tmp_path, 100 * number + count, f"writer-{number}"))

        return work

    for child in [forked(writer(number)) for number in range(1, 9)]:
        os.waitpid(child, 0)
    found = points_of(matches.read(path))
    assert sorted(found) == [100 * number + count for number in range(1, 9) for count in range(each)]
    for number in range(1, 9):
        assert [points for points in found if points // 100 == number] == [100 * number + c for c in range(each)]


def test_two_beginners_make_one_match(tmp_path: Path) -> None:
    begin(tmp_path)
    with pytest.raises(Unreadable) as error:
        begin(tmp_path)
    assert error.value.code == "match.exists"


# --- what is in the file ---------------------------------------------------------------------------------------------

changes = st.lists(st.one_of(st.integers(0, 300), st.just("undo"), st.tuples(st.integers(1, 5), st.integers(0, 300))))


@settings(deadline=None, max_examples=40)
@given(changes)
def test_any_changes_leave_what_a_player_would_expect(
    tmp_path_factory: pytest.TempPathFactory, wanted: Sequence[int | str | tuple[int, int]]
) -> None:
    folder = tmp_path_factory.mktemp("changes")
    path, history, before = begin(folder), [list[int]()], b""
    for change in wanted:
        latest = history[-1]
        if isinstance(change, int):
            matches.add(path, write_round(folder, change))
            history.append([*latest, change])
        elif isinstance(change, tuple) and change[0] <= len(latest):
            matches.correct(path, change[0], write_round(folder, change[1]))
            history.append([*latest[: change[0] - 1], change[1], *latest[change[0] :]])
        elif change == "undo" and len(history) > 1:
            matches.undo(path)
            history.pop()
        now = path.read_bytes()
        assert now.startswith(before)  # nothing written is ever changed
        before = now
        opened = matches.read(path)
        assert points_of(opened) == history[-1]
        assert standings(opened.match).totals["Ana"] == sum(history[-1])


@pytest.mark.parametrize("name", SHIPPED)
def test_stored_rules_come_back_whole(name: str) -> None:
    rules = load_ruleset(name, ("opening.points=51", "joker.hand_value=30"))
    line = json.dumps(store_rules(rules), ensure_ascii=False)
    assert restore_rules(Fields.of_line(line, "match.jsonl:1")) == rules


def test_a_match_is_counted_by_the_rules_it_began_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = begin(tmp_path, "close.bonus=150")
    source = tmp_path / "round.yaml"
    source.write_text("{closer: Ana, players: {Ana: {laid: 60}, Dan: {laid: 50, hand: 20}}}")
    assert main(["match", "add", str(path), str(source), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["standings"] == {"Ana": 210, "Dan": 30}
    closing = next(line for line in answer["rounds"][0]["players"]["Ana"]["lines"] if line["code"] == "score.closing")
    assert (closing["points"], closing["basis"]) == (150, "house")


def test_a_value_the_game_has_since_changed_still_counts(tmp_path: Path) -> None:
    path = begin(tmp_path)
    start = json.loads(path.read_text())
    rules = load_ruleset("remi-etalat", ("close.bonus=77",))  # as if the game itself had said so then
    start["rules"] |= {"values": store_rules(rules)["values"], "digest": digest(rules)}
    path.write_text(json.dumps(start) + "\n")
    source = tmp_path / "round.yaml"
    source.write_text("{closer: Ana, players: {Ana: {laid: 60}, Dan: {laid: 50, hand: 20}}}")
    assert matches.add(path, source).opened.match.running[-1] == {"Ana": 137, "Dan": 30}


def test_the_round_as_entered_is_kept_and_counts_alike_again(tmp_path: Path) -> None:
    sample = Path(__file__).parent.parent / "samples" / "rounds" / "ordinary.yaml"
    path = tmp_path / "match.jsonl"
    matches.begin(path, load_ruleset("remi-etalat"), ("Ana", "Dan", "Ion"), None)
    first = matches.add(path, sample).opened.match.rounds[0].entries[0]
    again = tmp_path / "again.yaml"
    again.write_text("\n".join(first.entered), encoding="utf-8")
    second = matches.add(path, again).opened.match.rounds[1].entries[0]
    assert second.scores == first.scores
    assert second.entered == first.entered


def edited(text: str, fault: dict[str, Any]) -> str:
    """The file with the fault of the table in it."""
    lines = text.splitlines()
    index = fault["line"] - 1
    if "from" in fault:
        assert fault["from"] in lines[index]
        lines[index] = lines[index].replace(fault["from"], fault["to"], 1)
    elif "drop" in fault:
        del lines[index]
    else:
        lines[index] = fault["to"]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("fault", [pytest.param(fault, id=fault["id"]) for fault in FAULTS])
def test_a_fault_is_named_with_its_line(
    fault: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = begin(tmp_path)
    matches.add(path, write_round(tmp_path, 10))
    matches.correct(path, 1, write_round(tmp_path, 20))
    matches.undo(path)
    path.write_text(edited(path.read_text(encoding="utf-8"), fault), encoding="utf-8")
    before = path.read_bytes()
    for language in LANGUAGES:
        assert main(["match", "add", str(path), str(tmp_path / "round.yaml"), "--lang", language]) == 2
        said = capsys.readouterr()
        assert said.err.startswith(f"{path}:{fault.get('where', fault['line'])}: ")
        assert len(said.err.splitlines()) == 1
        assert not said.out
    assert fault["says"] in said.err
    assert path.read_bytes() == before


def test_a_value_taken_out_by_hand_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, source = begin(tmp_path), tmp_path / "capped.yaml"
    source.write_text("players: {Ana: {laid: 45, hand: 175}, Dan: {}}", encoding="utf-8")
    matches.add(path, source)
    text = path.read_text(encoding="utf-8")
    assert '"values": {"cap": -100, ' in text
    path.write_text(text.replace('"values": {"cap": -100, ', '"values": {', 1), encoding="utf-8")
    for command in (["show"], ["show", "--json"], ["show", "--round", "1"], ["export"]):
        assert main(["match", command[0], str(path), *command[1:], "--lang", "en"]) == 2
        assert f"{path}:2: " in (said := capsys.readouterr().err)
        assert "values.cap" in said


def test_words_for_every_fault(tmp_path: Path) -> None:
    for language in LANGUAGES:
        words = Words(language)
        for code in ("match.busy", "match.cannot_write", "match.no_folder"):
            assert words.entry(code)
    with pytest.raises(Unreadable) as error:
        matches.begin(tmp_path / "none" / "match.jsonl", load_ruleset("remi-101"), ("Ana", "Dan"), None)
    assert error.value.code == "match.no_folder"


# --- charts and exports ----------------------------------------------------------------------------------------------


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    path = begin(tmp_path)
    for points in (10, 250, 40):
        matches.add(path, write_round(tmp_path, points))
    return path


class Picture(NamedTuple):
    """How a picture file begins."""

    name: str
    head: bytes


@pytest.mark.parametrize("picture", [Picture("totals.png", b"\x89PNG"), Picture("totals.svg", b"<?xml")])
def test_a_chart_is_drawn(picture: Picture, evening: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    drawn = evening.parent / picture.name
    assert main(["match", "show", str(evening), "--plot", str(drawn)]) == 0
    assert drawn.read_bytes().startswith(picture.head)
    assert str(drawn) in capsys.readouterr().out.replace("\n    ", "")


def test_without_matplotlib_it_is_said_what_to_install(
    evening: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert main(["match", "show", str(evening), "--plot", "totals.png"]) == 2
    assert "remi-ref[plot]" in capsys.readouterr().err


def test_another_kind_of_picture_is_refused(evening: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "show", str(evening), "--plot", "totals.gif", "--lang", "en"]) == 2
    assert "totals.gif" in capsys.readouterr().err


def test_the_plain_chart_shows_every_round(evening: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "show", str(evening), "--lang", "en"]) == 0
    lines = capsys.readouterr().out.splitlines()
    top = next(line for line in lines if line.strip().startswith("300 |"))
    assert top.rstrip().endswith("o")
    assert any(line.split() == ["0", "1", "2", "3"] for line in lines)


def test_csv_and_json_hold_the_same(evening: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "export", str(evening), "--lang", "en"]) == 0
    sheet = capsys.readouterr().out
    assert sheet.splitlines()[0] == "round,Ana,Dan,Ana (total),Dan (total)"
    assert sheet.splitlines()[-1] == "3,40,0,300,0"
    for name in ("out.csv", "out.json"):
        assert main(["match", "export", str(evening), "--to", str(evening.parent / name), "--lang", "en"]) == 0
    assert (evening.parent / "out.csv").read_text(encoding="utf-8") == sheet
    exported = json.loads((evening.parent / "out.json").read_text(encoding="utf-8"))
    assert exported["standings"] == {"Ana": 300, "Dan": 0}
    assert [played["scores"]["Ana"] for played in exported["rounds"]] == [10, 250, 40]


def test_an_export_that_fails_leaves_the_old_one(
    evening: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = evening.parent / "out.csv"
    out.write_text("old", encoding="utf-8")

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("remi_ref.match.disk.os.fsync", full)
    assert main(["match", "export", str(evening), "--to", str(out), "--lang", "en"]) == 2
    assert "No space left" in capsys.readouterr().err
    assert out.read_text(encoding="utf-8") == "old"
    assert not list(evening.parent.glob(".out.csv*"))


def test_a_round_is_shown_with_what_it_replaced(evening: Path, capsys: pytest.CaptureFixture[str]) -> None:
    matches.correct(evening, 2, write_round(evening.parent, 25))
    assert main(["match", "show", str(evening), "--round", "2", "--lang", "en"]) == 0
    said = capsys.readouterr().out
    assert "Ana +250" in said
    assert "Ana: 25 points" in said
