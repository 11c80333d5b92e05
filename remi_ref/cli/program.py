"""The program as a whole: from arguments to an exit code, and never a traceback."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, TextIO

import typer

from remi_ref.answers.answer import Answer
from remi_ref.answers.show import show
from remi_ref.cli.app import build
from remi_ref.cli.language import check_language, choose_language
from remi_ref.cli.table import Shown
from remi_ref.cli.usage import PROGRAM, speak, usage_fault
from remi_ref.errors import Unreadable
from remi_ref.words import Words, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remi_ref.cli.table import Result
    from remi_ref.cli.usage import Group

UNREADABLE = 2


def main(args: Sequence[str] | None = None) -> int:
    """Runs one command; prints its answer, or one line on standard error.

    Args:
        args: what stands after the program's name; None for the command line's own.

    Returns:
        0 yes, 1 no, 2 unreadable input, 3 undecided.

    Raises:
        KeyboardInterrupt: interrupted.
    """
    args = sys.argv[1:] if args is None else args
    _open_streams()
    words = Words(choose_language(args, os.environ))
    try:
        check_language(args, os.environ)
        code = _answer(args, words)
        sys.stdout.flush()
    except Unreadable as error:
        return _complain(words.error(error))
    except typer.TyperException as error:
        return _complain(words.error(usage_fault(error, words)))
    except BrokenPipeError:
        _write_no_more(sys.stdout)
        return 0  # whoever read has seen enough
    except typer.Abort as error:
        raise KeyboardInterrupt from error
    except (OSError, RecursionError, MemoryError) as error:
        _write_no_more(sys.stdout)
        return _complain(words.say("cli.system", problem=getattr(error, "strerror", None) or type(error).__name__))
    return code


def _open_streams() -> None:
    """Makes the standard streams fit for what is to come.

    A closed one is as good as an empty one. Bytes that are no text are kept, to be named by whoever reads them, and
    letters that an old terminal does not know become question marks.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:  # or the next file to be opened would have its number, and be written to as a stream
            os.open(os.devnull, os.O_RDWR)
    sys.stdin = sys.stdin or io.StringIO()
    sys.stdout = sys.stdout or io.StringIO()
    sys.stderr = sys.stderr or io.StringIO()
    for stream, errors in ((sys.stdin, "surrogateescape"), (sys.stdout, "replace"), (sys.stderr, "replace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def _write_no_more(stream: TextIO) -> None:
    """Sends what is still in the stream nowhere, or the interpreter would complain of it while it shuts down."""
    with suppress(OSError):  # a stream in memory has no number
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _complain(line: str) -> int:
    try:
        sys.stderr.write(visible(line) + "\n")
        sys.stderr.flush()
    except OSError:
        _write_no_more(sys.stderr)
    return UNREADABLE


def _answer(args: Sequence[str], words: Words) -> int:
    command = build()
    if f"_{PROGRAM.upper().replace('-', '_')}_COMPLETE" in os.environ:
        speak(command, words)
        with suppress(KeyError, ValueError):  # the shell does not say what was typed so far
            return _run(command, args, words)
        return UNREADABLE
    return _run(command, args, words)


def _run(command: Group, args: Sequence[str], words: Words) -> int:
    result = command.main(args=list(args), prog_name=PROGRAM, standalone_mode=False, obj=words)
    if not isinstance(result, Shown):
        return int(result or 0)
    return _show_all(result.result, words, as_json=result.as_json)


def _show_all(result: Result, words: Words, *, as_json: bool) -> int:
    """Prints one answer, or one for each line of the input; a faulty line does not stop the others."""
    if isinstance(result, Answer):
        try:
            show(result, words, as_object=as_json)
            sys.stdout.flush()
        except BrokenPipeError:
            _write_no_more(sys.stdout)  # whoever read has seen enough; the answer is the same
        return result.exit_code
    code = 0
    for item in result:
        if isinstance(item, Unreadable):
            code = _complain(words.error(item))
        else:
            show(item, words, as_object=as_json)
    return code
