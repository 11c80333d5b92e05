"""The program as a whole: from arguments to an exit code, and never a traceback."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import typer

from remi_ref.answers.answer import Answer
from remi_ref.answers.show import show
from remi_ref.cli.app import build
from remi_ref.cli.language import check_language, choose_language
from remi_ref.cli.table import Shown
from remi_ref.cli.usage import PROGRAM, speak, usage_fault
from remi_ref.errors import Unreadable
from remi_ref.words import Words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remi_ref.cli.table import Result

UNREADABLE = 2
INTERRUPTED = 130


def main(args: Sequence[str] | None = None) -> int:
    """Runs one command; prints its answer, or one line on standard error.

    Args:
        args: what stands after the program's name; None for the command line's own.

    Returns:
        0 yes, 1 no, 2 unreadable input, 3 undecided; 130 when interrupted.
    """
    args = sys.argv[1:] if args is None else args
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr] # an old terminal gets a question mark
    sys.stderr.reconfigure(errors="replace")  # type: ignore[union-attr]
    words = Words(choose_language(args, os.environ))
    try:
        check_language(args, os.environ)
        code = _answer(args, words)
        sys.stdout.flush()
    except Unreadable as error:
        return _complain(words.error(error))
    except typer.TyperException as error:
        return _complain(words.error(usage_fault(error)))
    except BrokenPipeError:
        # Whoever read has seen enough; without this the interpreter would complain while it shuts down.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except (OSError, RecursionError, MemoryError) as error:
        return _complain(words.say("cli.system", problem=getattr(error, "strerror", None) or type(error).__name__))
    return code


def _complain(line: str) -> int:
    sys.stderr.write("".join(letter if letter.isprintable() else " " for letter in line) + "\n")
    return UNREADABLE


def _answer(args: Sequence[str], words: Words) -> int:
    command = build()
    if f"_{PROGRAM.upper().replace('-', '_')}_COMPLETE" in os.environ:
        speak(command, words)
    result = command.main(args=list(args), prog_name=PROGRAM, standalone_mode=False, obj=words)
    if not isinstance(result, Shown):
        return int(result or 0)
    return _show_all(result.result, words, as_json=result.as_json)


def _show_all(result: Result, words: Words, *, as_json: bool) -> int:
    """Prints one answer, or one for each line of the input; a faulty line does not stop the others."""
    if isinstance(result, Answer):
        show(result, words, as_object=as_json)
        return result.exit_code
    code = 0
    for item in result:
        if isinstance(item, Unreadable):
            code = _complain(words.error(item))
        else:
            show(item, words, as_object=as_json)
    return code
