"""The one place where an answer becomes text: a JSON object for scripts, or lines for people."""

from __future__ import annotations

import os
import re
import sys
import textwrap
from functools import lru_cache
from shutil import get_terminal_size
from typing import TYPE_CHECKING, NamedTuple, TextIO

from remi_ref.answers.answer import Bilingual, Ground, Laid, Phrase
from remi_ref.answers.citing import citation_fields, citation_words, footnotes
from remi_ref.melds import Meld
from remi_ref.rules.ruleset import Leaf
from remi_ref.tiles import ALL_TILES, FalseJoker, Joker, Slot, Tile, format_melds, format_tiles
from remi_ref.verdict import Basis, Citation, Outcome, Reason, ScoreLine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

    from remi_ref.answers.answer import Answer, Said, Section
    from remi_ref.rules.ruleset import Ruleset
    from remi_ref.words import Words

FORMAT = 1  # of the JSON envelope
MAX_WIDTH = 80
NARROW = 40  # a phone's terminal

_CONSTANTS = {True: "true", False: "false", None: "null"}
_QUOTED = {tile: f'"{tile}"' for tile in ALL_TILES}
_MARKS = {Outcome.PASS: "✓", Outcome.FAIL: "✗", Outcome.NOTE: "•"}
_MARK_COLOURS = {"✓": "32", "✗": "31;1", "•": "36"}
_HEADLINE_COLOURS = {True: "32;1", False: "31;1", None: "33;1"}
_TILE = r"(?<![\w=-])(?:[JW](?:=[RANG](?:1[0-3]|[1-9]))?|F|[RANG](?:1[0-3]|[1-9])(?:=[RANG]\d+)?)(?![\w-])"
# Inks on an ivory face, as on the real tiles, so that they read on dark and on light terminals alike.
_INKS = {"R": "38;5;160", "A": "38;5;26", "N": "38;5;16", "G": "38;5;130"}
_JOKER_INK, _FACE = "38;5;90", "1;48;5;230"


# --- for scripts -----------------------------------------------------------------------------------------------------


def as_json(answer: Answer, words: Words, *, whole: bool = True) -> str:
    """The answer as one JSON object on one line; letters beyond ASCII as they are, or as escapes unless ``whole``."""
    envelope = {
        "remi_ref": FORMAT,
        "command": answer.command,
        "rules": answer.rules.id if answer.rules else None,
        "ok": answer.ok,
        **answer.fields,
    }
    if "reasons" not in envelope:
        envelope["reasons"] = answer.reasons
    text = _writer(answer.rules, words)(envelope)
    return text if whole else _in_ascii(text)


@lru_cache(maxsize=32)
def _writer(rules: Ruleset | None, words: Words) -> Callable[[Mapping[str, object]], str]:
    """Writes fields as JSON; a reason that is met again, as most are in thousands of racks, is not written again."""
    from json.encoder import JSONEncoder, encode_basestring  # only scripts pay for it

    plain = JSONEncoder(ensure_ascii=False).encode

    def array(items: Iterable[object]) -> str:
        return f"[{', '.join([ways.get(type(item), plain)(item) for item in items])}]"

    def table(fields: Mapping[str, object]) -> str:
        written = [f"{encode_basestring(key)}: {ways.get(type(item), plain)(item)}" for key, item in fields.items()]
        return f"{{{', '.join(written)}}}"

    ways: dict[type, Callable[[Any], str]] = {
        str: encode_basestring,
        int: str,
        bool: _CONSTANTS.__getitem__,
        type(None): _CONSTANTS.__getitem__,
        tuple: array,
        list: array,
        dict: table,
        Tile: _QUOTED.__getitem__,
        **dict.fromkeys((Joker, FalseJoker, Slot, Meld), '"{}"'.format),
        **dict.fromkeys((Phrase, Bilingual), lambda said: encode_basestring(_said(said, words))),
        Reason: lru_cache(maxsize=4096)(lambda reason: plain(_reason_fields(reason, rules, words))),
        ScoreLine: lambda line: plain(_line_fields(line, rules, words)),
        Citation: lambda citation: plain({"basis": citation.basis, **citation_fields(citation, rules)}),
        Leaf: lambda leaf: plain(_leaf_fields(leaf, rules)),
    }
    return table


def _in_ascii(text: str) -> str:
    from json import dumps, loads

    return dumps(loads(text))


def _reason_fields(reason: Reason, rules: Ruleset | None, words: Words) -> dict[str, object]:
    return {
        "code": reason.code,
        "outcome": reason.outcome,
        "basis": reason.citation.basis,
        "citation": citation_fields(reason.citation, rules),
        "message": words.reason(reason),
        "values": dict(reason.values),
        "tiles": [str(tile) for tile in reason.tiles],
    }


def _leaf_fields(leaf: Leaf, rules: Ruleset | None) -> dict[str, object]:
    citation = leaf.citation
    return {"value": leaf.value, "basis": citation.basis, "citation": citation_fields(citation, rules)}


def _line_fields(line: ScoreLine, rules: Ruleset | None, words: Words) -> dict[str, object]:
    return {
        "code": line.code,
        "points": line.points,
        "message": line_words(line, words),
        "basis": line.citation.basis,
        "citation": citation_fields(line.citation, rules),
        "values": dict(line.values),
        "tiles": [str(tile) for tile in line.tiles],
    }


def line_words(line: ScoreLine, words: Words) -> str:
    """The sentence of a score line."""
    values = {"tiles": format_tiles(line.tiles), "points": line.points, **line.values}
    return words.fill(words.text(line.code, "line"), values)


# --- for people ------------------------------------------------------------------------------------------------------


class Screen(NamedTuple):
    """Where lines go.

    Attributes:
        width: columns to wrap at.
        colour: whether the terminal takes ANSI colours.
    """

    width: int
    colour: bool

    @classmethod
    def of(cls, stream: TextIO, environ: Mapping[str, str]) -> Screen:
        """The screen behind a stream; ``NO_COLOR`` and ``TERM=dumb`` are respected."""
        colour = stream.isatty() and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"
        return cls(max(NARROW // 2, min(get_terminal_size().columns, MAX_WIDTH)), colour)

    def wrapped(self, text: str, first: str = "", rest: str = "") -> Iterator[str]:
        """The text in lines that fit; tiles keep their place in a line whole."""
        for line in text.splitlines() or [""]:
            yield from textwrap.wrap(
                line,
                self.width,
                initial_indent=first,
                subsequent_indent=rest,
                break_on_hyphens=False,
                break_long_words=False,
            ) or [""]
            first = rest

    def painted(self, line: str) -> str:
        """The line with its tiles, and the mark it begins with, in colours."""
        if not self.colour:
            return line
        mark = line.lstrip()[:1]
        line = re.sub(_TILE, lambda match: _ansi(match.group(), f"{_FACE};{_ink(match.group())}"), line)
        return line.replace(mark, _ansi(mark, _MARK_COLOURS[mark]), 1) if mark in _MARK_COLOURS else line

    def headline(self, text: str, ok: bool | None) -> Iterator[str]:  # noqa: FBT001 - an answer's truth value
        """The answer itself."""
        for line in self.wrapped(text):
            head, colon, rest = line.partition(":")
            yield _ansi(head, _HEADLINE_COLOURS[ok]) + colon + self.painted(rest) if self.colour else line


def _ink(tile: str) -> str:
    return _JOKER_INK if tile[0] in "JWF" else _INKS[tile[0]]


def _ansi(text: str, codes: str) -> str:
    return f"\x1b[{codes}m{text}\x1b[0m"


def as_text(answer: Answer, words: Words, screen: Screen) -> Iterator[str]:
    """The answer first, then what it rests on."""
    if answer.headline:
        yield from screen.headline(_said(answer.headline, words), answer.ok)
    for section in answer.sections:
        yield from _section_text(section, answer, words, screen)
    failed = next((reason for reason in answer.reasons if reason.outcome is Outcome.FAIL), None)
    notes = list(footnotes((item.citation for section in answer.sections for item in section.evidence), words))
    if failed:
        notes.append(words.say("cli.more", code=failed.code))
    if notes and answer.headline:
        yield ""
    for note in notes:
        yield from screen.wrapped(note, rest="  ")


def _section_text(section: Section, answer: Answer, words: Words, screen: Screen) -> Iterator[str]:
    if section.title:
        yield from map(screen.painted, screen.wrapped(_said(section.title, words), rest="  "))
    for line in section.lines:
        said = _said(line, words)
        yield from [said] if section.verbatim else map(screen.painted, screen.wrapped(said, "  ", "    "))
    seen = set()
    for item in section.evidence:
        text = _evidence_text(item, answer.rules, words)
        if text in seen and isinstance(item, Reason):
            continue  # the same condition met by several formations is said once
        seen.add(text)
        yield from map(screen.painted, screen.wrapped(text, "  ", "    "))
        if isinstance(item, Ground) and item.means:
            yield from screen.wrapped(_said(item.means, words), "      ", "      ")


def _evidence_text(item: Reason | ScoreLine | Ground, rules: Ruleset | None, words: Words) -> str:
    ground = citation_words(item.citation, rules, words)
    if isinstance(item, Reason):
        return f"{_MARKS[item.outcome]} {words.reason(item)} [{_valued(item, rules)}{ground}]"
    if isinstance(item, ScoreLine):
        return f"{item.points:+d} {line_words(item, words)} [{_valued(item, rules)}{ground}]"
    return f"{item.name}{f' = {item.value}' if item.value else ''} [{ground}]"


def _valued(item: Reason | ScoreLine, rules: Ruleset | None) -> str:
    """The value of a house rule, before what is said of it."""
    if rules is None or item.citation.basis is not Basis.HOUSE:
        return ""
    from remi_ref.rules.rulefile import write_value

    return f"{write_value(rules.leaves[item.citation.knob].value)}, "


def _said(said: Said, words: Words) -> str:
    if isinstance(said, str):
        return said
    if isinstance(said, Bilingual):
        return said.by_language[words.language]
    if isinstance(said, Laid):
        return format_melds(meld.slots for meld in said.melds)
    values = {k: _said(v, words) if isinstance(v, Phrase | Bilingual) else v for k, v in said.values.items()}
    return words.fill(words.text(said.code, said.part), values) if said.part else words.say(said.code, **values)


def show(answer: Answer, words: Words, *, as_object: bool) -> None:
    """Prints the answer on standard output."""
    if as_object:
        knows_all = (sys.stdout.encoding or "utf-8").lower().startswith("utf")
        sys.stdout.write(as_json(answer, words, whole=knows_all) + "\n")
        return
    screen = Screen.of(sys.stdout, os.environ)
    sys.stdout.writelines(f"{line}\n" for line in as_text(answer, words, screen))
