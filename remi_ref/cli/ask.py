"""The guided conversation, for those who will not learn flags."""

import shlex
import sys

import typer

from remi_ref.cli.table import LangOption
from remi_ref.cli.usage import PROGRAM
from remi_ref.errors import Unreadable


def ask(context: typer.Context, lang: LangOption = None) -> int:
    """Asks what is to be settled, and answers."""
    from remi_ref.ask.questions import converse
    from remi_ref.ask.talk import Talk
    from remi_ref.cli.program import main

    del lang  # already spoken
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Unreadable("ask.no_terminal")
    talk = Talk(context.obj)
    try:
        for command in converse(talk):
            sys.stdout.write(f"\n{talk.say('same', command=shlex.join([PROGRAM, *command]))}\n\n")
            main([*command, "--lang", talk.words.language])
            sys.stdout.write("\n")
    except EOFError:
        sys.stdout.write("\n")
    return 0
