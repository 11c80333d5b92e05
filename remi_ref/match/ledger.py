"""A file of lines that only grows: what was acknowledged is never lost, and nothing written is ever changed.

A line is acknowledged when `Ledger.append` returns; by then it is on the disk. A process that is killed while writing,
or a disk that fills, leaves at worst an unfinished last line. The next that opens the file puts it into
``FILE.torn-N`` beside the file and cuts the file back to its last whole line. Whoever opens the file holds a lock, so
that two writers follow each other.
"""

from __future__ import annotations

import json
import os
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from remi_ref.errors import Unreadable
from remi_ref.match.disk import cannot_write, put_file, sync_folder, write_all, write_new
from remi_ref.yamltree import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import FileIO
    from pathlib import Path

PATIENCE = 60  # seconds to wait for another writer; one line takes a few milliseconds
MAX_BYTES = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Torn:
    """An unfinished last line that was found.

    Attributes:
        line: its number.
        kept: name of the file that holds it now; empty where the folder cannot be written to.
    """

    line: int
    kept: str


@dataclass(frozen=True, slots=True)
class Ledger:
    """An open file of lines; see `open_ledger`.

    Attributes:
        path: the file, as it was named.
        lines: its whole lines, oldest first.
        torn: the unfinished last line, where there was one.
        ended: whether the last line has its newline; an editor may have left it out.
    """

    path: Path
    lines: tuple[str, ...]
    torn: Torn | None
    ended: bool

    def append(self, line: str) -> None:
        """Writes one line; when this returns, it is on the disk.

        Raises:
            Unreadable: it could not be written; the file is then as it was.
        """
        data = (b"" if self.ended else b"\n") + line.encode() + b"\n"
        try:
            if self.path.stat().st_size + len(data) > MAX_BYTES:
                raise Unreadable("file.too_big", where=str(self.path), most=MAX_BYTES // 1024)
            with self.path.open("ab", buffering=0) as file:
                _append(file, data)
        except OSError as error:
            raise cannot_write(self.path, error) from error


def create_ledger(path: Path, line: str) -> None:
    """Makes the file with its first line: the whole of it, or no file.

    Raises:
        Unreadable: there is such a file already, its folder is missing, or it cannot be written.
    """
    if not path.parent.is_dir():
        raise Unreadable("match.no_folder", where=str(path), folder=str(path.parent))
    with _held(path, writing=True):
        if path.exists():
            raise Unreadable("match.exists", where=str(path))
        put_file(path, f"{line}\n".encode())


@contextmanager
def open_ledger(path: Path, *, writing: bool) -> Iterator[Ledger]:
    """The file, held for this process alone as long as the block runs; an unfinished last line is put aside first.

    Args:
        path: the file.
        writing: whether something is to be appended. One who only reads may do so in a folder that is read-only.

    Raises:
        Unreadable: no such file, not to be opened, too big, not UTF-8, or another writer keeps it too long.
    """
    read_bytes(path, MAX_BYTES)  # a file that is not there needs no lock beside it
    with _held(path, writing=writing) as held:
        data = read_bytes(path, MAX_BYTES)
        whole = _whole(data)
        torn = None
        if whole < len(data):
            kept = _put_aside(path, data, whole, writing=writing) if held else ""
            torn = Torn(data[:whole].count(b"\n") + 1, kept)
        yield Ledger(path, _decoded(data[:whole], path), torn, data[:whole].endswith(b"\n"))


@contextmanager
def _held(path: Path, *, writing: bool) -> Iterator[bool]:
    """Holds the lock beside the file; False where a reader must do without."""
    real = path.resolve()  # two names of one file share its lock
    lock = FileLock(real.with_name(f".{real.name}.lock"))
    try:
        lock.acquire(timeout=PATIENCE)
    except Timeout as error:
        raise Unreadable("match.busy", where=str(path), seconds=PATIENCE) from error
    except OSError as error:
        if writing:
            raise cannot_write(path, error) from error
        yield False
        return
    try:
        yield True
    finally:
        lock.release()


def _whole(data: bytes) -> int:
    """How many bytes are whole lines.

    A last line without newline is whole when it reads as a JSON object: its brace closes it, and only a newline is
    missing, as after some editors. Zero bytes are what a power cut leaves where data had not yet reached the disk. The
    first line comes with the file, so it is never put aside; where it is no JSON object, the file is no ledger
    and stays as it is.
    """
    if not _is_object(data.partition(b"\n")[0]):
        return len(data)
    start = data.rfind(b"\n", 0, len(data) - 1) + 1
    last = data[start:]
    if last.endswith(b"\n") and b"\0" not in last:
        return len(data)
    return len(data) if start == 0 or _is_object(last) else start


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _put_aside(path: Path, data: bytes, whole: int, *, writing: bool) -> str:
    """Keeps what follows the whole lines in a file of its own, then cuts it off; the name of that file."""
    number = 1
    while (kept := path.with_name(f"{path.name}.torn-{number}")).exists():
        number += 1
    try:
        with path.open("r+b") as file:
            write_new(kept, data[whole:])
            sync_folder(path)
            file.truncate(whole)
            os.fsync(file.fileno())
    except OSError as error:
        if writing:
            raise cannot_write(path, error) from error
        return ""
    return kept.name


def _append(file: FileIO, data: bytes) -> None:
    """All of it, on the disk, or nothing."""
    size = file.seek(0, os.SEEK_END)
    try:
        write_all(file, data)
    except OSError:
        with suppress(OSError):  # what cannot be cut off now is put aside by the next that opens the file
            file.truncate(size)
            os.fsync(file.fileno())
        raise


def _decoded(data: bytes, path: Path) -> tuple[str, ...]:
    try:
        return tuple(data.decode("utf-8-sig").removesuffix("\n").split("\n"))
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise Unreadable("file.not_utf8", where=f"{path}:{line}") from error
