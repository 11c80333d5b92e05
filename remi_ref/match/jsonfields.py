"""A JSON object read strictly: closed keys, known types, and every fault with its place."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from remi_ref.errors import Unreadable, nearest
from remi_ref.yamltree import plain_name

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

T = TypeVar("T")

MAX_NUMBER = 10_000_000  # more than any match adds up to


@dataclass(frozen=True, slots=True)
class Fields:
    """An object with the place where it stands (``file:line``)."""

    values: Mapping[str, object]
    where: str

    @classmethod
    def of_line(cls, line: str, where: str) -> Fields:
        """Reads one line.

        Raises:
            Unreadable: not a JSON object, or one with a key twice.
        """
        try:
            values = json.loads(line, object_pairs_hook=_once)
        except _TwiceError as error:
            raise Unreadable("file.duplicate_key", where=where, key=str(error)) from error
        except (ValueError, RecursionError) as error:
            raise Unreadable("match.not_json", where=where) from error
        if not isinstance(values, dict):
            raise Unreadable("match.not_json", where=where)
        return cls(values, where)

    def only(self, known: Collection[str]) -> None:
        """Refuses a key that is none of these."""
        for key in self.values:
            if key not in known:
                raise Unreadable("file.unknown_key", where=self.where, key=key, nearest=nearest(key, sorted(known)))

    def text(self, key: str) -> str:
        """A text."""
        return self._typed(key, str)

    def number(self, key: str) -> int:
        """A whole number of a sane size."""
        value = self._typed(key, int)
        if isinstance(value, bool) or abs(value) > MAX_NUMBER:
            raise Unreadable("match.field", where=self.where, key=key)
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts."""
        items = self._typed(key, list)
        if not all(isinstance(item, str) for item in items):
            raise Unreadable("match.field", where=self.where, key=key)
        return tuple(items)

    def inside(self, key: str) -> Fields:
        """An object within this one."""
        return Fields(self._typed(key, dict), self.where)

    def objects(self, key: str) -> Iterator[Fields]:
        """A list of objects."""
        for item in self._typed(key, list):
            if not isinstance(item, dict):
                raise Unreadable("match.field", where=self.where, key=key)
            yield Fields(item, self.where)

    def _typed(self, key: str, kind: type[T]) -> T:
        if key not in self.values:
            raise Unreadable("rules.key_missing", where=self.where, key=key)
        value = self.values[key]
        if not isinstance(value, kind):
            raise Unreadable("match.field", where=self.where, key=key)
        return value


class _TwiceError(Exception):
    """A key that stands twice in one object."""


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in pairs:
        key = plain_name(name)
        if key in found:
            raise _TwiceError(key)
        found[key] = value
    return found
