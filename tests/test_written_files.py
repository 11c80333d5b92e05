"""Files that a command writes are written whole or not at all, and it says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from remi_ref.__main__ import main
from remi_ref.match.disk import put_file

ROOT = Path(__file__).parent.parent
ROUND = str(ROOT / "samples" / "turns" / "whole-round.yaml")


def _match(folder: Path) -> str:
    file = folder / "match"
    assert main(["match", "new", str(file), "-r", "remi-101", "--players", "Ana,Dan"]) == 0
    played = folder / "round.yaml"
    played.write_text("rules: remi-101\ncloser: Ana\nplayers: {Ana: {}, Dan: {hand: R5}}\n", encoding="utf-8")
    assert main(["match", "add", str(file), str(played)]) == 0
    return str(file)


@pytest.mark.parametrize("kind", ["chart.png", "chart.svg", "sheet.csv", "sheet.json", "round.yaml", "round.remi"])
def test_a_file_is_written_whole_and_named(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if kind.startswith("chart"):
        pytest.importorskip("matplotlib")
    target = tmp_path / kind
    commands = {"chart": ["match", "show", "{}", "--plot"], "sheet": ["match", "export", "{}", "--to"]}
    command = commands.get(target.stem, ["turn", ROUND, "--write"])
    command = [_match(tmp_path) if word == "{}" else word for word in command]
    capsys.readouterr()
    assert main([*command, str(target), "--lang", "en"]) in {0, 1}
    assert str(target) in capsys.readouterr().out.replace("\n    ", " ").replace("\n  ", " ")
    before = target.read_bytes()
    assert before
    link = tmp_path / f"link{target.suffix}"
    link.symlink_to(target)
    main([*command, str(link)])
    assert link.is_symlink()
    assert not any(entry.name.endswith(".new") for entry in tmp_path.iterdir())
    capsys.readouterr()
    nowhere = tmp_path / "no" / kind
    assert main([*command, str(nowhere), "--lang", "en"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_nothing_takes_the_place_of_a_device() -> None:
    put_file(Path("/dev/null"), b"nothing")
    assert Path("/dev/null").is_char_device()


def test_nothing_is_written_over_what_was_read_or_over_a_match(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = Path(_match(tmp_path))
    named_as_sheet = tmp_path / "match.json"
    named_as_sheet.write_bytes(match.read_bytes())
    picture = tmp_path / "rack.png"
    picture.write_bytes((ROOT / "samples" / "photos" / "rack.jpg").read_bytes())  # the name does not matter
    whole = tmp_path / "whole.yaml"
    whole.write_bytes(Path(ROUND).read_bytes())
    capsys.readouterr()
    for arguments, word in (
        (["turn", ROUND, "--write", str(match)], "match"),
        (["turn", str(whole), "--write", str(whole)], "was read"),
        (["match", "export", str(match), "--to", str(named_as_sheet)], "match"),
        (["match", "export", str(named_as_sheet), "--to", str(named_as_sheet)], "was read"),
        (["scan", str(picture), "--annotate", str(picture)], "was read"),
        (["scan", str(picture), "--annotate", str(whole)], ".png"),
    ):
        before = {path: path.read_bytes() for path in tmp_path.glob("[!.]*")}
        assert main([*arguments, "--lang", "en"]) == 2
        assert word in capsys.readouterr().err
        assert {path: path.read_bytes() for path in tmp_path.glob("[!.]*")} == before
