"""The profile of one's own box: what the reader network must be told about it, kept in the configuration folder.

It is a correction of the network's last layer: numbers that are added to what it says of classes and colours, found
by `fitting` on the player's own tiles. Everything else about reading stays as it is.
"""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from remi_ref.errors import Unreadable

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    Array = NDArray[np.float32]

COLOURS = "RANG"
SAID = 17 + 4  # classes and colours come first in a row of the reader
FEATURES = 128  # its last numbers, of which the network makes what it says

_FORMAT = 2
_LARGEST_FILE = 4_000_000
_NAME = re.compile(r"[\w][\w-]{0,39}")
_TEXT = re.compile(r"[RANG](1[0-3]|[1-9])|J|F")


@dataclass(frozen=True, eq=False)
class Profile:
    """A box that was learned.

    Attributes:
        name: given by the player.
        texts: the tiles that were seen, in notation.
        weights: what a feature (128 of them, then one that is always 1) adds to classes and colours (129 x 21).
    """

    name: str
    texts: tuple[str, ...]
    weights: Array

    def corrected(self, rows: Array) -> Array:
        """Rows of the reader (N x 154) with classes and colours as this box wants them."""
        rows = rows.copy()
        rows[:, :SAID] += rows[:, -FEATURES:] @ self.weights[:-1] + self.weights[-1]
        return rows


def profile_folder() -> Path:
    """Where profiles are kept."""
    from platformdirs import user_config_path

    return user_config_path("remi-ref") / "boxes"


def save_profile(profile: Profile, folder: Path | None = None) -> Path:
    """Writes a profile; one of the same name is replaced.

    Raises:
        Unreadable: the name is not fit for a file, or the folder cannot be written.
    """
    path = _path(profile.name, folder)
    stream = io.BytesIO()
    np.savez_compressed(stream, format=np.array(_FORMAT), texts=np.array(profile.texts), weights=profile.weights)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_suffix(".new")
        new.write_bytes(stream.getvalue())
        new.replace(path)
    except OSError as error:
        raise Unreadable("profile.not_written", file=str(path), reason=error.strerror or str(error)) from error
    return path


def load_profile(name: str, folder: Path | None = None) -> Profile:
    """Reads a profile back.

    Raises:
        Unreadable: no such profile (names those there are), or its file is damaged.
    """
    path = _path(name, folder)
    try:
        with path.open("rb") as stream:
            data = stream.read(_LARGEST_FILE + 1)
    except FileNotFoundError as error:
        known = sorted(file.stem for file in path.parent.glob("*.npz")) if path.parent.is_dir() else []
        raise Unreadable("profile.missing", name=name, known=", ".join(known) or "-") from error
    except OSError as error:
        raise Unreadable("profile.closed", file=str(path), reason=error.strerror or str(error)) from error
    profile = _decoded(name, data) if len(data) <= _LARGEST_FILE else None
    if profile is None:
        raise Unreadable("profile.damaged", name=name, file=str(path))
    return profile


def _decoded(name: str, data: bytes) -> Profile | None:
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as stored:
            fields: dict[str, Any] = {key: stored[key] for key in ("format", "texts", "weights")}
        texts, weights = tuple(str(text) for text in fields["texts"]), fields["weights"]
        sound = (
            fields["format"] == _FORMAT
            and all(_TEXT.fullmatch(text) for text in texts)
            and weights.dtype == np.float32
            and weights.shape == (FEATURES + 1, SAID)
            and bool(np.isfinite(weights).all())
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, zipfile.BadZipFile):
        return None
    return Profile(name, texts, weights) if sound else None


def _path(name: str, folder: Path | None) -> Path:
    if not _NAME.fullmatch(name):
        raise Unreadable("profile.name", name=name)
    return (folder or profile_folder()) / f"{name}.npz"
