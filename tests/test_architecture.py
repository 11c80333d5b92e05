"""Imports point one way: down."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "remi_ref"
ROOMS = {
    "ground": "errors places",
    "tiles": "tiles",
    "notation": "notation",
    "values": "verdict yamltree",
    "rules": "rules",
    "words": "words",
    "melds": "melds",
    "solver": "solver",
    "opening": "opening",
    "score": "score",
    "play": "play",
    "match": "match",
    "answers": "answers",
    "ask": "ask",
    "cli": "cli",
    "vision": "vision",
    "start": "__main__",
}
FLOOR_OF = {room: floor for floor, room in enumerate(ROOMS)}
ROOM_OF = {module: room for room, modules in ROOMS.items() for module in modules.split()}
ONLY_IN = {"yaml": {"yamltree"}, "typer": {"cli", "__main__"}, "cv2": {"vision"}}


def _module(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def _imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            if node.module == "remi_ref":
                found |= {f"remi_ref.{alias.name}" for alias in node.names}
    return found


FILES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_down(path: Path) -> None:
    module = _module(path)
    room = ROOM_OF[module]
    for name in _imports(path):
        top, _, rest = name.partition(".")
        assert module in ONLY_IN.get(top, {module}), name
        target = rest.split(".")[0]
        if top != "remi_ref" or target not in ROOM_OF:
            continue
        if room == "vision":
            assert ROOM_OF[target] == "vision" or FLOOR_OF[ROOM_OF[target]] <= FLOOR_OF["notation"], name
        elif ROOM_OF[target] == "vision":
            assert room in {"ask", "cli"}, name
        else:
            assert FLOOR_OF[ROOM_OF[target]] <= FLOOR_OF[room], name


def test_typed_tiles_cost_no_picture_library() -> None:
    code = "import sys; from remi_ref.__main__ import main; main(['meld', 'R3 R4 R5']); print('cv2' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip().endswith("False")
