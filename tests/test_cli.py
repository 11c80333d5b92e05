"""The command line: envelope and exit codes, languages, faults in one line, screens of every kind, a quick start."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from remi_ref.__main__ import main
from remi_ref.answers.show import Screen
from remi_ref.cli.app import COMMANDS

if TYPE_CHECKING:
    from pathlib import Path

HAND = "R10 R11 J N5 A5 G5 R2 A9 N13 G1 A3 N7 G8 R6"
LEAVES = [
    f"{name} {sub}" if sub else name
    for name, known in COMMANDS.items()
    for sub in (known if isinstance(known, dict) else [""])
]


@pytest.fixture(autouse=True)
def no_wishes(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("REMI_REF_LANG", "REMI_REF_RULES", "LC_ALL", "LC_MESSAGES", "LANG", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)


def _json(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    main([*arguments, "--json"])
    answer: dict[str, object] = json.loads(capsys.readouterr().out)
    return answer


@pytest.mark.parametrize(
    ("arguments", "code", "ok"),
    [
        (["meld", "R3 R4 R5"], 0, True),
        (["meld", "R3 R5 R6"], 1, False),
        (
            ["opening", "A12 J A11 | R10 N10 G10 | R11 N11 G11", "-r", "remi-101", "--set", "opening.points=98"],
            3,
            None,
        ),
    ],
)
def test_the_exit_code_is_the_answer(
    arguments: list[str], code: int, ok: object, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*arguments, "--json"]) == code
    answer = json.loads(capsys.readouterr().out)
    assert answer["ok"] is ok
    assert answer["remi_ref"] == 1


def test_a_reason_has_all_that_the_contract_promises(capsys: pytest.CaptureFixture[str]) -> None:
    answer = _json(["meld", "R8 A8 J", "-r", "remi-101", "--lang", "en"], capsys)
    assert answer["command"] == "meld"
    assert answer["rules"] == "remi-101"
    reasons = answer["reasons"]
    assert isinstance(reasons, list)
    for reason in reasons:
        assert set(reason) == {"code", "outcome", "basis", "citation", "message", "values", "tiles"}
        assert {"source", "section", "layer"} <= set(reason["citation"])
    first = reasons[0]["citation"]
    assert first["source"] == "000_4f891647da3bd9a1.txt"
    assert first["clause"] == "R101-31"
    silent = next(reason for reason in reasons if reason["code"] == "joker.no_limit")
    assert silent["basis"] == "default"
    assert silent["citation"]["ruling"] == "G1-01"


def test_tiles_need_no_quotes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["meld", "R3", "R4", "R5"]) == 0
    assert "R3 R4 R5" in capsys.readouterr().out


# --- which rules, which language -------------------------------------------------------------------------------------


def test_rules_by_flag_by_environment_by_default(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _json(["meld", "R3 R4 R5"], capsys)["rules"] == "remi-etalat"
    assert _json(["win", "R3 R3", "--turned", "R4"], capsys)["rules"] == "remi-pe-tabla"
    monkeypatch.setenv("REMI_REF_RULES", "remi-101")
    assert _json(["meld", "R3 R4 R5"], capsys)["rules"] == "remi-101"
    assert _json(["meld", "R3 R4 R5", "-r", "remi-clasic"], capsys)["rules"] == "remi-clasic"
    assert main(["win", "R3 R3", "--turned", "R4"]) == 2


def test_the_rules_of_a_file_outweigh_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "round.yaml"
    file.write_text("rules: remi-clasic\nplayers:\n  Ana: {hand: R4}\n  Dan: {hand: R5}\n", encoding="utf-8")
    monkeypatch.setenv("REMI_REF_RULES", "remi-101")
    assert _json(["score", str(file)], capsys)["rules"] == "remi-clasic"
    file.write_text("players:\n  Ana: {hand: R4}\n  Dan: {hand: R5}\n", encoding="utf-8")
    assert _json(["score", str(file)], capsys)["rules"] == "remi-101"


@pytest.mark.parametrize(
    ("environment", "flags", "said"),
    [
        ({}, [], "DA"),
        ({"LANG": "C.UTF-8"}, [], "DA"),
        ({"LANG": "en_GB.UTF-8"}, [], "YES"),
        ({"LANG": "en_GB.UTF-8", "LC_ALL": "ro_RO.UTF-8"}, [], "DA"),
        ({"LANG": "ro_RO.UTF-8", "REMI_REF_LANG": "en"}, [], "YES"),
        ({"REMI_REF_LANG": "en"}, ["--lang", "ro"], "DA"),
        ({}, ["--lang=en"], "YES"),
    ],
)
def test_language(
    environment: dict[str, str],
    flags: list[str],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    main(["meld", "R3 R4 R5", *flags])
    assert capsys.readouterr().out.startswith(said)


@pytest.mark.parametrize(
    ("arguments", "asked"),
    [
        (["opening", "R2 R3 R4 R5"], ""),
        (["opening", "A12 J A11 | R11 N11 G11 | R10 R11 R12", "-r", "remi-101"], "which tile the joker"),
        (["opening", "R5 R1 R2 R3 R4 R6 R7 R8 R9 R10 R11 R12 R13", "--set", "opening.points=90"], "in which order"),
        (["add", "J", "R7 A7 N7", "--opened", "-r", "remi-clasic"], "whose formation it is"),
    ],
)
def test_an_open_question_says_what_is_wanted(
    arguments: list[str], asked: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main([*arguments, "--lang", "en"])
    headline = capsys.readouterr().out.splitlines()[0]
    assert (code == 3) == bool(asked) == headline.startswith("IT DEPENDS")
    assert asked in headline


# --- faults ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["mled", "R3 R4 R5"], ["mled", "meld?"]),
        (["rules", "shwo"], ["shwo", "show?"]),
        (["meld"], ["MELDS", "--help"]),
        (["meld", "R3 R4 R5", "--ruls", "x"], ["--ruls", "--rules?"]),
        (["meld", "R3 R4 R5", "--rules"], ["--rules"]),
        (["meld", "R3 R4 R5", "-r", "remi-etalt"], ["remi-etalt", "remi-etalat?"]),
        (["meld", "R3 R4 R5", "--set", "opening.pointz=51"], ["opening.pointz", "opening.points?"]),
        (["meld", "R3 R4 R5", "--set", "opening.points"], ["opening.points=51"]),
        (["meld", "R3 R4 R5", "--lang", "rom"], ["rom", "ro?", "ro, en"]),
        (["opening", "R3 R4 R5", "--turn", "0"], ["--turn", "0", "1-99"]),
        (["opening", "R3 R4 R5", "--turn", "two"], ["--turn", "two", "1-99"]),
        (["meld", "R3 R4 R15"], ["R15", "1-13"]),
        (["meld", "R3 R4 Q5"], ["Q5", "tile 3"]),
        (["meld", "R3 R4 |"], ["|"]),
        (["meld", ""], ["R3 R4 R5"]),
        (["take", "R12", "--row", ""], ["R3 R4 R5"]),
        (["setup", "--players", "3", "4"], ["4"]),
        (["score", "no-such-file.yaml"], ["no-such-file.yaml"]),
        (["explain", "opening.pionts"], ["opening.points"]),
        (["rules", "show", "remi-pe-tabla", "-r", "remi-101"], ["remi-pe-tabla", "-r remi-101"]),
        (["add", "R6", "R3 R4 R5 | A3 A4 A5", "--opened"], ["2", "R3 R4 R5 | A3 A4 A5"]),
        (["opening", "R3 R4 R5", "--set", "opening.points=none"], ["remi-etalat"]),
        (["can-open", "R3 R4", "--fix", "3=A7"], ["--fix", "photo"]),
        (["meld", "R3 R4 R5", "--tiles", "ours"], ["--tiles", "photo"]),
        (["score", "samples/rounds/ordinary.yaml", "--tiles", "ours"], ["--tiles", "photo"]),
        (["scan", "/dev/null"], ["/dev/null", "ordinary"]),
    ],
)
def test_a_fault_is_one_line_with_the_right_spelling(
    arguments: list[str], words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    for language in ("ro", "en"):
        assert main(["--lang", language, *arguments] if "--lang" not in arguments else arguments) == 2
        printed = capsys.readouterr()
        assert not printed.out
        assert len(printed.err.splitlines()) == 1
    for word in words:
        assert word in printed.err, printed.err


# --- racks from standard input ---------------------------------------------------------------------------------------


def test_one_rack_a_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{HAND}\n\nR3 x9 R5\nR1 R2\n"))
    assert main(["can-open", "-", "--json", "--lang", "en"]) == 2
    printed = capsys.readouterr()
    answers = [json.loads(line) for line in printed.out.splitlines()]
    assert [(answer["line"], answer["ok"]) for answer in answers] == [(1, True), (4, False)]
    assert all("one_away" not in answer for answer in answers)
    assert printed.err.startswith("stdin:3: ")
    assert len(printed.err.splitlines()) == 1


def test_a_rack_of_many_is_shown_with_its_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("r1 r2\n\nr10-12 5:nag a2\n"))
    assert main(["can-open", "-", "--lang", "en"]) == 0
    printed = capsys.readouterr().out
    assert "line 1: R1 R2\n" in printed
    assert "line 3: R10 R11 R12 N5 A5 G5 A2\n" in printed


def test_one_away_of_racks_only_when_asked(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("R10 R11 N5 A5 G5 R2\n"))
    assert main(["can-open", "-", "--json", "--one-away"]) == 0
    assert set(json.loads(capsys.readouterr().out)["one_away"]) >= {"R12", "J"}


# --- screens ---------------------------------------------------------------------------------------------------------


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("terminal", "environment", "colour"),
    [
        (_Terminal(), {}, True),
        (_Terminal(), {"NO_COLOR": "1"}, False),
        (_Terminal(), {"TERM": "dumb"}, False),
        (io.StringIO(), {}, False),
    ],
)
def test_colours_only_for_a_terminal_that_wants_them(
    terminal: io.StringIO, environment: dict[str, str], colour: object
) -> None:
    screen = Screen.of(terminal, environment)
    assert screen.colour is colour
    assert ("\x1b[" in screen.painted("R3 A4 J=N5")) is colour


def test_tiles_are_painted_and_ids_are_not() -> None:
    painted = Screen(80, colour=True).painted("  ✗ R13 J=A7 [G3-10, R101-30]")
    plain = re.sub(r"\x1b\[[0-9;]*m", "", painted)
    assert plain == "  ✗ R13 J=A7 [G3-10, R101-30]"
    assert painted.count("\x1b[0m") == 3


@pytest.mark.parametrize("command", [["can-open", HAND], ["rules", "show"], ["--help"], ["meld", "--help"]])
@pytest.mark.parametrize("language", ["ro", "en"])
def test_fits_the_terminal_of_a_phone(
    command: list[str], language: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    assert main([*command, "--lang", language]) == 0
    words_too_long = re.compile(r"^\s*\S{30,}.*$|^  remi-ref ")  # nothing breaks a path or an example that one copies
    for line in capsys.readouterr().out.splitlines():
        assert len(line) <= 40 or words_too_long.match(line), line


@pytest.mark.parametrize("command", LEAVES)
@pytest.mark.parametrize("language", ["ro", "en"])
def test_every_command_has_help_with_examples(command: str, language: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command.split(), "--help", "--lang", language]) == 0
    page = capsys.readouterr().out
    assert f"remi-ref {command}" in page
    assert {"ro": "Exemple:", "en": "Examples:"}[language] in page


@pytest.mark.parametrize("command", LEAVES)
def test_what_stands_for_a_value_is_in_the_players_language(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    pages = {}
    for language in ("ro", "en"):
        assert main([*command.split(), "--help", "--lang", language]) == 0
        pages[language] = set(re.findall(r"\b[A-ZĂÂÎȘȚ]{3,}\b", capsys.readouterr().out))
    assert pages["ro"] & pages["en"] <= {"CSV", "JSON", "YAML"}


def test_rules_alone_need_neither_tiles_nor_photos(capsys: pytest.CaptureFixture[str]) -> None:
    for command in (["explain"], ["rules", "show"]):
        assert main([*command, "--help", "--lang", "en"]) == 0
        page = capsys.readouterr().out
        assert "--rules" in page
        assert not [option for option in ("--turned", "--fix", "--tiles") if option in page]


def test_completion_knows_commands_rules_and_house_rules() -> None:
    for line, expected in (
        ("remi-ref can-", "can-open"),
        ("remi-ref meld R3 -r remi-cl", "remi-clasic"),
        ("remi-ref meld R3 --set opening.po", "opening.points="),
        ("remi-ref meld R3 --set opening.need_run=t", "opening.need_run=true"),
        ("remi-ref meld R3 --set joker.discard=l", "joker.discard=last-resort"),
        ("remi-ref meld R3 --set double_game=a", "double_game=ace"),
        ("remi-ref meld R3 --lang r", "ro"),
        ("remi-ref explain et-3", "et-30"),
        ("remi-ref rules sh", "show"),
    ):
        words = line.split(" ")
        environment = {
            **os.environ,
            "_REMI_REF_COMPLETE": "complete_bash",
            "COMP_WORDS": line,
            "COMP_CWORD": str(len(words) - 1),
        }
        done = subprocess.run(
            [sys.executable, "-m", "remi_ref"], env=environment, capture_output=True, text=True, check=False
        )
        assert expected in done.stdout, done.stderr


# --- the process -----------------------------------------------------------------------------------------------------


def test_a_reader_that_has_seen_enough_is_no_fault() -> None:
    script = f"{sys.executable} -m remi_ref rules show | head -n 1"
    done = subprocess.run(["/bin/sh", "-c", script], capture_output=True, text=True, check=False)
    assert done.stdout
    assert not done.stderr


@pytest.mark.parametrize(("melds", "code"), [("R3 R4 R5", 0), ("R3 R5 R6", 1)])
def test_the_answer_is_the_same_when_nobody_reads_it(melds: str, code: int) -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "remi_ref", "meld", melds], stdout=write, stderr=subprocess.PIPE, check=False
    )
    os.close(write)
    assert done.returncode == code
    assert not done.stderr


def test_an_old_terminal_gets_question_marks() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "remi_ref", "meld", "R3 R4 R5"],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0
    assert not done.stderr


def test_a_meld_loads_no_heavy_module() -> None:
    code = "import sys; from remi_ref.__main__ import main; main(['meld', 'R3 R4 R5']); print(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.splitlines()[-1].split())
    assert not loaded & {"cv2", "numpy", "rich", "json", "pydantic", "questionary", "matplotlib", "remi_ref.vision"}


def _process(*arguments: str, shell: str = "", **environment: str) -> subprocess.CompletedProcess[bytes]:
    command = f'"$0" -m remi_ref "$@" {shell}'
    environ = {**os.environ, "REMI_REF_LANG": "en", **environment}
    script = ["/bin/sh", "-c", command, sys.executable, *arguments]
    return subprocess.run(script, env=environ, capture_output=True, check=False)


@pytest.mark.parametrize(
    ("arguments", "shell", "code"),
    [
        (["meld", "R3 R4 R5"], ">&-", 0),
        (["meld", "R3 R4 R15"], "2>&-", 2),
        (["can-open", "-"], "<&-", 2),
        (["ask"], "<&-", 2),
        (["meld", "R3 R4 R5"], ">/dev/full", 2),
        (["--help"], ">/dev/full", 2),
        (["meld", "R3 R4 R15"], "2>/dev/full", 2),
    ],
)
def test_a_stream_that_is_closed_or_full_is_no_traceback(arguments: list[str], shell: str, code: int) -> None:
    done = _process(*arguments, shell=shell)
    assert done.returncode == code
    assert len(done.stderr.splitlines()) <= 1


def test_streams_in_memory_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    assert main(["meld", "R3 R4 R5", "--lang", "en"]) == 0
    assert out.getvalue().startswith("YES")


def test_an_object_keeps_every_letter_on_an_old_terminal(tmp_path: Path) -> None:
    file = tmp_path / "round.yaml"
    file.write_text("rules: remi-101\nplayers:\n  Șerban: {hand: R4}\n  Éva: {hand: R5}\n", encoding="utf-8")
    done = _process("score", str(file), "--json", PYTHONIOENCODING="ascii")
    assert set(json.loads(done.stdout)["scores"]) == {"Șerban", "Éva"}


def test_bytes_that_are_no_text_are_named() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "remi_ref", "can-open", "-", "--lang", "en"],
        input=b"\xef\xbb\xbfR3 R4 R5\nR3 \xe9\nR3\x00\n",
        env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout.startswith(b"NO")
    first, second = done.stderr.decode().splitlines()
    assert r"\xe9" in first
    assert r"R3\x00" in second


@pytest.mark.parametrize("waits", [["can-open", "-"], ["score", "/dev/stdin"]])
def test_whoever_interrupts_sees_no_traceback(waits: list[str]) -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # where tests run behind, a child would be deaf
    program = subprocess.Popen(
        [sys.executable, "-v", "-m", "remi_ref", *waits],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )
    signal.signal(signal.SIGINT, before)
    assert program.stderr
    said = ""
    for line in program.stderr:  # with -v Python tells what it loads
        said = line
        if "remi_ref.cli.program" in line:
            break
    program.send_signal(signal.SIGINT)
    said += program.communicate(timeout=60)[1]
    assert "Traceback" not in said
    assert program.returncode == 130


@pytest.mark.parametrize(
    ("arguments", "words", "not_there"),
    [
        (["meld", "R" * 7000], "…", "R" * 400),
        (["explain", "x" * 7000], "…", "x" * 400),
        (["meld", "R3 R4 R5", "-r", ""], "“”", "““"),
        (["meld", "R3 R4 R5", "--set", "=1"], "“=1”", "““"),
        (["meld", "R3 R4 R5", "--turned", ""], "“”", "““"),
        (["meld", "R3 \x1b[31m"], r"\x1b[31m", "\x1b"),
        (["meld", "\u202eR3", "verde7"], "verde7", "\u202e"),
        (["score", "zzzzzz.yaml"], "zzzzzz.yaml: there is no such file", "nearest"),
        (["match", "correct", "m", "0", "r.yaml"], "N: “0”", "number:"),
    ],
)
def test_what_was_given_is_shown_as_far_as_it_can_be_read(
    arguments: list[str], words: str, not_there: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*arguments, "--lang", "en"]) == 2
    said = capsys.readouterr().err
    assert words in said
    assert not_there not in said
    assert len(said.splitlines()) == 1


def test_marks_that_nobody_sees_are_no_part_of_a_tile(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["meld", "\ufeff\u200fR3\u200b R\u2060 4".replace(" 4", "4"), "R5"]) == 0
    assert "R3 R4 R5" in capsys.readouterr().out


@pytest.mark.parametrize("typed", [{}, {"COMP_WORDS": "remi-ref me", "COMP_CWORD": "x"}])
def test_a_shell_that_does_not_say_what_was_typed_gets_no_traceback(
    typed: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"_REMI_REF_COMPLETE": "complete_bash", **typed}.items():
        monkeypatch.setenv(name, value)
    done = subprocess.run([sys.executable, "-m", "remi_ref"], capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", b"")


def test_a_circle_of_links_and_a_path_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    circle = tmp_path / "circle.yaml"
    circle.symlink_to(circle)
    turn = tmp_path / "turn.yaml"
    turn.write_text('rules: "a\\0.yaml"\nactions: []\n', encoding="utf-8")
    for arguments in (["meld", "R3 R4 R5", "-r", str(circle)], ["score", str(circle)], ["turn", str(turn)]):
        assert main(arguments) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1
