"""Which networks were trained: the index beside their files, by name, with the SHA-256 of each."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from remi_ref.errors import Unreadable
from remi_ref.places import data_folder

if TYPE_CHECKING:
    from pathlib import Path

INDEX = "index.json"


class Trained(NamedTuple):
    """A network's file and its SHA-256 in hexadecimal digits."""

    file: Path
    sha256: str


def trained(name: str, folder: Path | None = None) -> Trained:
    """The network of that name under ``models/``.

    Raises:
        Unreadable: the index does not name it.
    """
    folder = folder or data_folder("models")
    try:
        entry = json.loads((folder / INDEX).read_text(encoding="utf-8"))[name]
        return Trained(folder / entry["file"], entry["sha256"])
    except (OSError, ValueError, LookupError, TypeError, RecursionError) as error:
        raise Unreadable("photo.model_missing", name=name, folder=str(folder)) from error
