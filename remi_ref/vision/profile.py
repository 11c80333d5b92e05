"""The profile of one's own box: what the networks must be told about it, kept in the configuration folder.

It holds the inks of the four colours as the network that sees inks saw them, found by `fitting` on the player's own
tiles. Everything else about reading stays as it is.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from remi_ref.errors import Unreadable

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    Array = NDArray[np.float32]

COLOURS = "RANG"

_FORMAT = 1
_LARGEST_FILE = 100_000
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
    box = {
        "texts": profile.texts,
        "inks": [[None if np.isnan(light) else float(light) for light in ink] for ink in profile.inks],
        "spread": profile.spread.tolist(),
    }
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_suffix(".new")
        new.write_text(json.dumps({"format": _FORMAT, "sha256": _sum(box), "box": box}), encoding="utf-8")
        new.replace(path)
    except OSError as error:
        raise Unreadable("profile.not_written", file=str(path), reason=error.strerror or str(error)) from error
    return path


def load_profile(name: str, folder: Path | None = None) -> Profile:
    """Reads a profile back.

    Raises:
        Unreadable: no such profile (names those there are), or its file is damaged or of another version.
    """
    path = _path(name, folder)
    try:
        with path.open("rb") as stream:
            data = stream.read(_LARGEST_FILE)
    except FileNotFoundError as error:
        known = sorted(file.stem for file in path.parent.glob("*.json")) if path.parent.is_dir() else []
        raise Unreadable("profile.missing", name=name, known=", ".join(known) or "-") from error
    except OSError as error:
        raise Unreadable("profile.closed", file=str(path), reason=error.strerror or str(error)) from error
    try:
        stored: dict[str, Any] = json.loads(data)
        if stored["format"] != _FORMAT:
            raise Unreadable("profile.other_version", name=name, file=str(path))
        return _decoded(name, stored)
    except (ValueError, LookupError, TypeError, OverflowError, RecursionError) as error:
        raise Unreadable("profile.damaged", name=name, file=str(path)) from error


def _sum(box: object) -> str:
    return hashlib.sha256(json.dumps(box).encode()).hexdigest()


def _decoded(name: str, stored: Mapping[str, Any]) -> Profile:
    """What stands in a file that may hold anything.

    Raises:
        ValueError, LookupError, TypeError, OverflowError: it is no profile.
    """
    box = stored["box"]
    profile = Profile(name, tuple(box["texts"]), np.array(box["inks"], np.float32), np.array(box["spread"], np.float32))
    if stored["sha256"] != _sum(box) or not _sound(profile):
        raise ValueError(name)
    return profile


def _sound(profile: Profile) -> bool:
    return (
        all(map(_TEXT.fullmatch, profile.texts))
        and (profile.inks.shape, profile.spread.shape) == ((4, 3), (3, 3))
        and bool(np.isfinite(profile.spread).all())
        and not np.isinf(profile.inks).any()
        and bool((np.linalg.eigvalsh(profile.spread) > 0).all())
    )


def _path(name: str, folder: Path | None) -> Path:
    if not _NAME.fullmatch(name):
        raise Unreadable("profile.name", name=name)
    return (folder or profile_folder()) / f"{name}.json"
