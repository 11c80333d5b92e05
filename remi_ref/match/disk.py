"""Files that are written whole or not at all, and are on the disk when the call returns."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from remi_ref.errors import Unreadable

if TYPE_CHECKING:
    from io import FileIO
    from pathlib import Path


_MATCH = b'{"line": 1, "event": "new"'
"""How every match begins."""


def refuse_to_replace(out: Path, *read: Path) -> None:
    """Refuses to write an answer over what it was read from, and over a match, which only grows.

    Raises:
        Unreadable: so it is.
    """
    if not out.is_file():
        return
    if any(path.exists() and out.samefile(path) for path in read):
        raise Unreadable("file.write_onto_itself", where=str(out))
    with suppress(OSError), out.open("rb") as file:
        if file.read(len(_MATCH)) == _MATCH:
            raise Unreadable("file.write_over_match", where=str(out))


def put_file(path: Path, data: bytes) -> None:
    """Makes the file with this content, in place of the one that may be there; a link stays and leads to it.

    Raises:
        Unreadable: it cannot be written; what was there is then as it was.
    """
    try:
        target = path.resolve()
        if target.exists() and not target.is_file():
            target.write_bytes(data)  # a device or a pipe, which nothing may take the place of
            return
        fresh = target.with_name(f".{target.name}.new")
        write_new(fresh, data)
        fresh.replace(target)
        sync_folder(target)
    except OSError as error:
        raise cannot_write(path, error) from error


def write_new(path: Path, data: bytes) -> None:
    """Makes a file with this content, on the disk; or no file."""
    try:
        with path.open("wb", buffering=0) as file:
            write_all(file, data)
    except OSError:
        path.unlink(missing_ok=True)
        raise


def write_all(file: FileIO, data: bytes) -> None:
    """Writes all of it, on the disk."""
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]
    os.fsync(file.fileno())


def sync_folder(path: Path) -> None:
    """Makes the file's name as lasting as its content, where the system can."""
    if os.name == "posix":
        folder = os.open(path.resolve().parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def cannot_write(path: Path, error: OSError) -> Unreadable:
    """What to say of it."""
    return Unreadable("match.cannot_write", where=str(path), problem=error.strerror or type(error).__name__)
