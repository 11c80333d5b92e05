"""The profile of one's own box: what the networks must be told about it, kept in the configuration folder.

It holds the inks of the four colours as the network that sees inks saw them, and what the reader's last layer is to be
told of its prints, both found by `fitting` on the player's own tiles. It means something to these very networks only.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from remi_ref.errors import Unreadable
from remi_ref.vision.correction import SHAPE
from remi_ref.vision.modelindex import trained

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    Array = NDArray[np.float32]

COLOURS = "RANG"

_FORMAT = 2
_DIGITS = 5  # behind the point, of a correction
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
        correction: of the reader's last layer (129 x 21), as `correction` takes it.
    """

    name: str
    texts: tuple[str, ...]
    inks: Array
    spread: Array
    correction: Array


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
        "correction": np.round(profile.correction.astype(np.float64), _DIGITS).tolist(),
        "networks": _networks(),
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
        if stored["format"] != _FORMAT or stored["box"]["networks"] != _networks():
            raise Unreadable("profile.other_version", name=name, file=str(path))
        return _decoded(name, stored)
    except (ValueError, LookupError, TypeError, OverflowError, RecursionError) as error:
        raise Unreadable("profile.damaged", name=name, file=str(path)) from error


def _networks() -> list[str]:
    """The networks that a profile speaks of."""
    return [trained(name).sha256 for name in ("reader", "inks")]


def _sum(box: object) -> str:
    return hashlib.sha256(json.dumps(box).encode()).hexdigest()


def _decoded(name: str, stored: Mapping[str, Any]) -> Profile:
    """What stands in a file that may hold anything.

    Raises:
        ValueError, LookupError, TypeError, OverflowError: it is no profile.
    """
    box = stored["box"]
    arrays = (np.array(box[part], np.float32) for part in ("inks", "spread", "correction"))
    profile = Profile(name, tuple(box["texts"]), *arrays)
    if stored["sha256"] != _sum(box) or not _sound(profile):
        raise ValueError(name)
    return profile


def _sound(profile: Profile) -> bool:
    return (
        all(map(_TEXT.fullmatch, profile.texts))
        and (profile.inks.shape, profile.spread.shape, profile.correction.shape) == ((4, 3), (3, 3), SHAPE)
        and bool(np.isfinite(profile.spread).all() and np.isfinite(profile.correction).all())
        and not np.isinf(profile.inks).any()
        and bool((np.linalg.eigvalsh(profile.spread) > 0).all())
    )


def _path(name: str, folder: Path | None) -> Path:
    if not _NAME.fullmatch(name):
        raise Unreadable("profile.name", name=name)
    return (folder or profile_folder()) / f"{name}.json"
