"""Which language to speak: the flag, else the environment, else the locale, else Romanian."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from remi_ref.errors import Unreadable, nearest
from remi_ref.words import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FLAG = "--lang"
VARIABLE = "REMI_REF_LANG"


def choose_language(args: Sequence[str], environ: Mapping[str, str]) -> str:
    """The language to speak, even when what was asked for is misspelt: the complaint needs one, too.

    It is looked for among the raw arguments because help and faults of the command line itself are translated.
    """
    asked = [*_flagged(args), environ.get(VARIABLE, "")]
    locale = environ.get("LC_ALL") or environ.get("LC_MESSAGES") or environ.get("LANG") or ""
    for word in (*asked, locale[:2]):
        if word in LANGUAGES:
            return word
    return LANGUAGES[0]


def check_language(args: Sequence[str], environ: Mapping[str, str]) -> None:
    """Refuses a language that is not spoken here.

    Raises:
        Unreadable: names what was asked for and the nearest there is.
    """
    for where, word in ((FLAG, _flagged(args)[:1]), (VARIABLE, [environ.get(VARIABLE, "")])):
        if word and word[0] and word[0] not in LANGUAGES:
            known = ", ".join(LANGUAGES)
            raise Unreadable(
                "cli.language", where=where, given=word[0], known=known, nearest=nearest(word[0], LANGUAGES)
            )


def _flagged(args: Sequence[str]) -> list[str]:
    """What was given with the flag, the last first."""
    found = [after for flag, after in pairwise(args) if flag == FLAG]
    found += [arg.partition("=")[2] for arg in args if arg.startswith(f"{FLAG}=")]
    return found[::-1]
