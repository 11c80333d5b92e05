"""Whatever is typed or written, the answer is an exit code and at most one line of complaint, never a traceback."""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from remi_ref.__main__ import main
from remi_ref.cli.app import COMMANDS
from remi_ref.errors import Unreadable
from remi_ref.notation import parse_melds
from remi_ref.rules.knobs import KNOBS
from remi_ref.rules.rulefile import SHIPPED, load_ruleset
from remi_ref.tiles import format_melds
from remi_ref.words import Words
from remi_ref.yamltree import load_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

TILE = st.builds(
    "{}{}".format,
    st.sampled_from(["R", "A", "N", "G", "b", "k", "y", "roșu", "♥", "x", "J=R", "r1", ""]),
    st.integers(0, 15),
) | st.sampled_from(
    ["J", "W", "F", "J=R7", "R7=R8", "R3-6", "7:RAN", "joly", "|", "||", "R6-3", "9:RR", "J=J", "=", "-"]
)
TILES = st.lists(TILE, max_size=24).map(" ".join)
VALUE = st.sampled_from(
    ["true", "false", "none", "free", "replaced", "hand", "any", "51", "-5", "[3, 4]", "[", "", "{a: b}"]
)
HOUSE_RULE = st.builds("{}={}".format, st.sampled_from(sorted(KNOBS)), VALUE | st.text(max_size=8))
FLAGS = st.lists(
    st.one_of(
        st.tuples(st.just("-r"), st.sampled_from([*SHIPPED, "remi", "", "/", "."])),
        st.tuples(st.just("--set"), HOUSE_RULE),
        st.tuples(st.just("--turned"), TILE),
        st.tuples(st.sampled_from(["--taken", "--last", "--hand", "--row"]), TILES),
        st.tuples(st.sampled_from(["--turn", "--previous", "--previous-pairs", "--players"]), st.text(max_size=4)),
        st.tuples(st.just("--lang"), st.sampled_from(["ro", "en", "fr", ""])),
        st.sampled_from(
            [("--json",), ("--opened",), ("--before-draw",), ("--one-away",), ("--nope",), ("-x",), ("--",)]
        ),
    ),
    max_size=5,
).map(lambda flags: [word for flag in flags for word in flag])
# `match` writes files and is fuzzed with its own tests; the others only read.
READING = [name for name in COMMANDS if name not in {"match", "scan", "learn", "ask"}]

QUICK = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def _run(arguments: Sequence[str]) -> None:
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    stdin, sys.stdin = sys.stdin, io.StringIO("R3 R4 R5\nx9\n")
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = main(arguments)
    finally:
        sys.stdin = stdin
    err.seek(0)
    complaint = err.read()
    assert code in {0, 1, 2, 3}
    assert len(complaint.splitlines()) == (1 if code == 2 else 0), complaint
    assert Words("en").say("cli.system", problem="")[:20] not in complaint


def _load(content: str | bytes) -> None:
    """Reads YAML; a refusal has words."""
    refused: Unreadable | None = None
    try:
        load_text(content, "fuzz.yaml")
    except Unreadable as error:
        refused = error
    assert refused is None or Words("en").error(refused)


@QUICK
@given(st.sampled_from(READING), TILES, TILES, FLAGS)
def test_tiles_and_flags(command: str, first: str, second: str, flags: list[str]) -> None:
    _run([command, first, second, *flags])


@QUICK
@given(st.sampled_from(["meld", "opening", "can-open", "win", "count"]), TILES, FLAGS)
def test_one_argument_and_flags(command: str, tiles: str, flags: list[str]) -> None:
    _run([command, tiles, *flags])


@QUICK
@given(st.sampled_from(["meld", "opening", "can-open", "win", "count"]), st.text(max_size=60))
def test_any_text_for_tiles(command: str, text: str) -> None:
    _run([command, "--", text.replace("\0", "")])


@QUICK
@given(st.lists(st.text(max_size=12), max_size=5))
def test_any_command_line(words: list[str]) -> None:
    _run([word.replace("\0", "") for word in words])


@given(TILES)
def test_what_is_printed_reads_back(text: str) -> None:
    try:
        melds = parse_melds(text)
    except Unreadable:
        return
    assert parse_melds(format_melds(melds)) == melds


@QUICK
@given(st.text(alphabet=st.sampled_from(list("ab:-[]{}&*!#|>'\"%@`,? \n\t0~=\\é\x00\x85\ufeff")), max_size=80))
def test_yaml_is_read_or_refused(text: str) -> None:
    _load(text)


@QUICK
@given(st.binary(max_size=120))
def test_bytes_are_read_or_refused(data: bytes) -> None:
    _load(data)


@QUICK
@given(st.dictionaries(st.sampled_from(sorted(KNOBS)), VALUE | st.text(max_size=8), max_size=4), st.text(max_size=20))
def test_house_files(tmp_path: Path, rules: dict[str, str], tail: str) -> None:
    lines = [
        "id: casa",
        "extends: remi-etalat",
        "rules:",
        *(f"  {path}: {value}" for path, value in rules.items()),
        tail,
    ]
    file = tmp_path / "casa.yaml"
    file.write_text("\n".join(lines), encoding="utf-8", errors="replace")
    _run(["rules", "check", str(file)])
    _run(["meld", "R3 R4 J", "-r", str(file)])


@QUICK
@given(st.sampled_from(["turn", "score", "legal"]), st.data())
def test_round_and_turn_files(tmp_path: Path, command: str, data: st.DataObject) -> None:
    keys = [
        "rules",
        "player",
        "players",
        "turn",
        "hand",
        "row",
        "table",
        "turned",
        "actions",
        "closer",
        "opened",
        "starter",
    ]
    value = st.one_of(
        TILES, VALUE, st.sampled_from(["remi-101", "Ana", "{Ana: {hand: R4 J}}", "[draw: stock, discard: A2]"])
    )
    content = data.draw(st.dictionaries(st.sampled_from(keys), value, max_size=8))
    file = tmp_path / "round.yaml"
    file.write_text("\n".join(f"{key}: {text}" for key, text in content.items()), encoding="utf-8")
    _run([command, str(file)])


def test_set_takes_any_text() -> None:
    for text in ("opening.points", "=", "opening.points=*a", "opening.points=!!int 5", "a=b\nc=d"):
        with pytest.raises(Unreadable) as refused:
            load_ruleset("remi-etalat", [text])
        assert Words("en").error(refused.value)
