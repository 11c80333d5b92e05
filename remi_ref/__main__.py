"""``python -m remi_ref`` and the installed command."""

from __future__ import annotations

import sys

from remi_ref.cli.program import main

__all__ = ["main"]

if __name__ == "__main__":
    sys.exit(main())
