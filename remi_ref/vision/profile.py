"""The profile of one's own box: what the networks must be told about it, kept in the configuration folder.

It holds the inks of the four colours as the network that sees inks saw them, found by `fitting` on the player's own
tiles. Everything else about reading stays as it is.
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

_FORMAT = 3
_LARGEST_FILE = 4_000_000
_SHAPES = {"inks": (4, 3), "spread": (3, 3)}
_NAME = re.compile(r"[\w][\w-]{0,39}")
_TEXT = re.compile(r"[RANG](1[0-3]|[1-9])|J|F")


@dataclass(frozen=True, eq=False)
class Profile:
    """A box that was learned.

    Attributes:
        name: given by the player.
        texts: the tiles that were seen, in notation.
        inks: of red, blue, black, yellow, each over its face (4 x 3, BGR); not numbers where none was seen.
        spread: how one ink differs from look to look: covariance (3 x 3).
    """

    name: str
    texts: tuple[str, ...]
    inks: Array
    spread: Array


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
    np.savez_compressed(
        stream,
        format=np.array(_FORMAT),
        texts=np.array(profile.texts),
        inks=profile.inks,
        spread=profile.spread,
    )
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
            fields: dict[str, Any] = {key: stored[key] for key in ("format", "texts", *_SHAPES)}
        profile = Profile(name, tuple(str(text) for text in fields["texts"]), *(fields[key] for key in _SHAPES))
        sound = fields["format"] == _FORMAT and _sound(profile)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, zipfile.BadZipFile):
        return None
    return profile if sound else None


def _sound(profile: Profile) -> bool:
    numbers = (profile.inks, profile.spread)
    return (
        all(_TEXT.fullmatch(text) for text in profile.texts)
        and all(part.dtype == np.float32 for part in numbers)
        and tuple(part.shape for part in numbers) == tuple(_SHAPES.values())
        and bool(np.isfinite(profile.spread).all())
        and not np.isinf(profile.inks).any()
        and bool((np.linalg.eigvalsh(profile.spread) > 0).all())
    )


def _path(name: str, folder: Path | None) -> Path:
    if not _NAME.fullmatch(name):
        raise Unreadable("profile.name", name=name)
    return (folder or profile_folder()) / f"{name}.npz"
