"""The profile of one's own box: how each of its tiles looks to the networks, kept in the user's configuration folder.

A sighting is compared with the tiles of the box: the features of its symbol say which number or joker it is, its ink
which colour. Where the networks are sure by themselves, that stays; where they waver, the box decides.
"""

from __future__ import annotations

import io
import math
import re
import zipfile
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from remi_ref.errors import Unreadable
from remi_ref.vision.box import NO_TILE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from remi_ref.vision.sighting import Sighting

    Array = NDArray[np.float32]

COLOURS = "RANG"
SYMBOLS = (*(str(number) for number in range(1, 14)), "J", "F")
INK = 3  # the last numbers of a patch

WEIGHT_OF_SYMBOLS = 8.0  # per unit of cosine likeness
WEIGHT_OF_INKS = 0.25
SPREAD_OF_INKS = 0.2  # how far two prints of one ink differ between photos, in log of light
LEAST = 1e-3  # what the networks leave unmentioned may still be

_FORMAT = 1
_LARGEST_FILE = 4_000_000
_NAME = re.compile(r"[\w][\w-]{0,39}")
_TEXT = re.compile(r"[RANG](1[0-3]|[1-9])|J|F")


@dataclass(frozen=True, eq=False)
class Profile:
    """The tiles of a box: n texts in notation, and their patches (n x d, float32; symbol features, then ink)."""

    name: str
    texts: tuple[str, ...]
    patches: Array

    def apply(self, sightings: Sequence[Sighting]) -> list[Sighting]:
        """The sightings with their odds weighed against this box."""
        known = _unit(self.patches[:, :-INK])
        symbols = np.array([SYMBOLS.index(_symbol(text)) for text in self.texts])
        inks = self._inks()
        return [replace(seen, odds=self._odds(seen, known, symbols, inks)) for seen in sightings]

    def _inks(self) -> Array:
        """Mean ink of each colour (4 x 3); that of a colour which was not learned is not a number."""
        rows = []
        for colour in COLOURS:
            own = [patch[-INK:] for text, patch in zip(self.texts, self.patches, strict=True) if text[0] == colour]
            rows.append(np.mean(own, axis=0) if own else np.full(INK, np.nan))
        return np.array(rows, np.float32)

    @staticmethod
    def _odds(seen: Sighting, known: Array, symbols: NDArray[np.int_], inks: Array) -> tuple[tuple[str, float], ...]:
        said = dict(seen.odds)
        like = known @ _unit(seen.patch[None, :-INK])[0]
        distance = ((inks - seen.patch[None, -INK:]) ** 2).sum(axis=1) / (2 * SPREAD_OF_INKS**2)
        by_ink = -WEIGHT_OF_INKS * np.nan_to_num(np.minimum(distance, 12.0), nan=4.0)
        by_ink -= np.logaddexp.reduce(by_ink)
        scores = {}
        for place, symbol in enumerate(SYMBOLS):
            own = like[symbols == place]
            likeness = WEIGHT_OF_SYMBOLS * float(own.max()) if len(own) else 0.0
            if symbol in ("J", "F"):
                scores[symbol] = likeness + math.log(said.get(symbol, 0.0) + LEAST)
                continue
            for colour, chance in zip(COLOURS, by_ink, strict=True):
                text = colour + symbol
                scores[text] = likeness + float(chance) + math.log(said.get(text, 0.0) + LEAST)
        return _normalised(scores, said.get(NO_TILE, 0.0))


def _normalised(scores: dict[str, float], no_tile: float) -> tuple[tuple[str, float], ...]:
    values = np.array(list(scores.values()))
    chances = np.exp(values - values.max())
    chances *= (1 - no_tile) / chances.sum()
    odds = sorted([*zip(scores, chances.tolist(), strict=True), (NO_TILE, no_tile)], key=lambda entry: -entry[1])
    return tuple(odds[:6])


def _unit(rows: Array) -> Array:
    return np.asarray(rows / (np.linalg.norm(rows, axis=1, keepdims=True) + 1e-9), np.float32)


def _symbol(text: str) -> str:
    return text if text in SYMBOLS else text[1:]


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
    np.savez_compressed(stream, format=np.array(_FORMAT), texts=np.array(profile.texts), patches=profile.patches)
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
            fields: dict[str, Any] = {key: stored[key] for key in ("format", "texts", "patches")}
        texts, patches = tuple(str(text) for text in fields["texts"]), fields["patches"]
        sound = (
            fields["format"] == _FORMAT
            and all(_TEXT.fullmatch(text) for text in texts)
            and patches.dtype == np.float32
            and patches.shape[:1] == (len(texts),)
            and patches.ndim == 2
            and patches.shape[1] > INK
            and bool(np.isfinite(patches).all())
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, zipfile.BadZipFile):
        return None
    return Profile(name, texts, patches) if sound else None


def _path(name: str, folder: Path | None) -> Path:
    if not _NAME.fullmatch(name):
        raise Unreadable("profile.name", name=name)
    return (folder or profile_folder()) / f"{name}.npz"
