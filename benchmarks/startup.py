"""What an answer costs from nothing: a whole process beside a bare ``import typer``, in processor time.

The two run in turn, so that a machine that slows down slows both; the medians and their ratio are printed.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys

RUNS = 20
BARE = [sys.executable, "-c", "import typer"]
WHOLE = [sys.executable, "-m", "remi_ref", "meld", "R3 R4 R5"]


def _seconds(command: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Prints both medians in milliseconds and the ratio."""
    for command in (BARE, WHOLE):
        _seconds(command)  # compiles what is not compiled yet
    pairs = [(_seconds(BARE), _seconds(WHOLE)) for _ in range(RUNS)]
    bare, whole = (statistics.median(column) * 1000 for column in zip(*pairs, strict=True))
    ratio = statistics.median(b / a for a, b in pairs)
    print(f"import typer {bare:.0f} ms, remi-ref meld {whole:.0f} ms, ratio {ratio:.2f}")


if __name__ == "__main__":
    main()
