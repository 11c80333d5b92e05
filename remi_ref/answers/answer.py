"""What a command answers: fields for scripts, and what people see, still as codes and values."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from remi_ref.verdict import Reason

if TYPE_CHECKING:
    from collections.abc import Mapping

    from remi_ref.melds import Meld
    from remi_ref.rules.ruleset import Ruleset
    from remi_ref.verdict import Citation, ScoreLine


class Phrase(NamedTuple):
    """A sentence still to be said.

    Attributes:
        code: where it stands in the language files.
        values: what it names; phrases and `Bilingual` texts are said first, pieces in a tuple written in notation.
        part: which part of an entry that has several, such as ``rule``.
    """

    code: str
    values: Mapping[str, object] = MappingProxyType({})
    part: str = ""


class Bilingual(NamedTuple):
    """A text that a ruleset or the sources hold in every language."""

    by_language: Mapping[str, str]


class Laid(NamedTuple):
    """Formations, written in notation when they are shown."""

    melds: tuple[Meld, ...]


Said = Phrase | Bilingual | Laid | str


class Ground(NamedTuple):
    """Something that rests on a citation: a rule with its value, or a ruleset where a code stands."""

    name: str
    citation: Citation
    value: str = ""
    means: Said = ""


class Section(NamedTuple):
    """One part of what people see: a title, lines, then the evidence.

    Attributes:
        title: what the part is about; may be left out.
        lines: sentences, or text that is the same in every language.
        evidence: reasons, score lines and grounds with what they rest on.
        verbatim: lines are printed as they are, not wrapped.
    """

    title: Said = ""
    lines: tuple[Said, ...] = ()
    evidence: tuple[Reason | ScoreLine | Ground, ...] = ()
    verbatim: bool = False


class Answer(NamedTuple):
    """The answer of one command.

    Attributes:
        command: its name, as in the JSON envelope.
        rules: the ruleset it was judged by; None where no single one was asked.
        fields: what scripts read beside the envelope: numbers, text, tiles, reasons, score lines, in tuples and dicts.
        headline: the answer in one sentence.
        sections: what follows for people.
        ok: yes, no, or None when only the player can say.
        upshot: what else was asked for that a player acts on, such as scores; two answers agree when `ok` and this do.
    """

    command: str
    rules: Ruleset | None
    fields: Mapping[str, object]
    headline: Said = ""
    sections: tuple[Section, ...] = ()
    ok: bool | None = True
    upshot: Mapping[str, object] = MappingProxyType({})

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Every reason of every section."""
        return tuple([item for section in self.sections for item in section.evidence if isinstance(item, Reason)])

    @property
    def exit_code(self) -> int:
        """0 yes, 1 no, 3 when the player must say."""
        return 3 if self.ok is None else 0 if self.ok else 1
