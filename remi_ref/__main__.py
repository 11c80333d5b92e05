"""``python -m remi_ref`` and the installed command."""

from __future__ import annotations

import gc
import sys

TYPE_CHECKING = False  # without the module `typing`: until `main` is entered, whoever interrupts sees a traceback
if TYPE_CHECKING:
    from collections.abc import Sequence

INTERRUPTED = 130


def main(args: Sequence[str] | None = None) -> int:
    """Runs one command, as `program.main`; one that is interrupted, even while it is being loaded, just ends."""
    try:
        gc.disable()  # nothing that is loaded is ever garbage, and looking for some would take a tenth of the start
        from remi_ref.cli.program import main as run

        gc.freeze()
        gc.enable()
        return run(args)
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
