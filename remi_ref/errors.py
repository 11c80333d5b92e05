"""The one exception for input that cannot be read: a code and its values, put into words elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


class Unreadable(Exception):  # noqa: N818 - it names what the input is, as "illegal" and "ambiguous" do
    """Input that cannot be read: exit 2, nothing written.

    Attributes:
        code: key of the sentence under ``errors`` in the language files.
        values: what the sentence names (what, where, what is allowed, the nearest right spelling).
        where: ``file:line`` when the input stands in a file, else empty.
    """

    def __init__(self, code: str, *, where: str = "", **values: object) -> None:
        super().__init__(code)
        self.code = code
        self.where = where
        self.values = values

    def at(self, where: str) -> Unreadable:
        """The same fault with its place in a file, unless it already has one."""
        return self if self.where else Unreadable(self.code, where=where, **self.values)

    def within(self, where: str) -> Unreadable:
        """The same fault with the place that led to it before its own."""
        return Unreadable(self.code, where=f"{where}: {self.where}" if self.where else where, **self.values)


def nearest(word: str, known: Sequence[str], at_least: float = 0.0) -> str:
    """The known word most like the given one, small or capital; how an error suggests the right spelling.

    Args:
        word: what was given.
        known: what there is.
        at_least: how much alike they must be, 1 for the same word; without a limit there is always an answer.
    """
    from difflib import get_close_matches

    folded = {name.casefold(): name for name in reversed(known)}
    found = get_close_matches(word.casefold(), folded, n=1, cutoff=at_least)
    return folded[found[0]] if found else ""


def missing_file(path: Path) -> Unreadable:
    """The fault of a file that is not there, with the one in the same folder whose name is like it."""
    try:
        names = sorted(entry.name for entry in path.parent.iterdir() if entry.name != path.name)
    except OSError:
        names = []
    like = nearest(path.name, names, at_least=0.6)
    if like:
        return Unreadable("file.missing", where=str(path), nearest=like)
    return Unreadable("file.none", where=str(path))
