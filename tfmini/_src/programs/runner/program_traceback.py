"""Tracebacks of exceptions that end a program, without the runner's frames."""

from __future__ import annotations

import contextlib
import linecache
import os
import sys
import traceback
from collections.abc import Iterator
from types import CodeType, TracebackType
from typing import Any

from tfmini._src.base.names import python2

_PACKAGE_DIRECTORY = os.path.dirname(os.path.abspath(__file__)) + os.sep


@contextlib.contextmanager
def report_as_python(codes: list[CodeType]) -> Iterator[None]:
    """Context manager for running code: Python reports its exceptions and determines the exit status.

    Python calls `sys.excepthook` last, so our hook calls the program's own, if any.
    """
    try:
        yield
    except SystemExit:
        raise
    except BaseException as error:
        if isinstance(error, SyntaxError) and python2.is_python2(error):
            error.msg = f"{error.msg} (this is Python 2: {python2.NEEDS})"
        elif _is_of_python2(error):
            error.add_note(f"This is Python 2: {python2.NEEDS}")
        frames = own_frames(error.__traceback__, codes)
        hook = sys.excepthook

        def report(error_class: Any, value: BaseException, ignored: Any) -> None:
            value.__traceback__ = frames
            if hook is sys.__excepthook__ and any(c.co_filename in linecache.cache for c in codes):
                traceback.print_exception(value)  # Python itself would look for a file
            else:
                hook(error_class, value, frames)

        sys.excepthook = report
        raise


def _is_of_python2(error: BaseException) -> bool:
    """Whether a Python 2 name or module is missing."""
    if isinstance(error, ModuleNotFoundError):
        return error.name in python2.MODULES
    return isinstance(error, NameError) and error.name in python2.BUILTINS


def own_frames(traceback: TracebackType | None, codes: list[CodeType]) -> TracebackType | None:
    """Returns the traceback from the first frame of one of these codes on, without the runner's frames.

    None if the program has no frame, e.g. if a file does not parse.
    """
    while traceback is not None and traceback.tb_frame.f_code not in codes:
        traceback = traceback.tb_next
    frames = []
    while traceback is not None:
        if not traceback.tb_frame.f_code.co_filename.startswith(_PACKAGE_DIRECTORY):
            frames.append(traceback)
        traceback = traceback.tb_next
    filtered = None
    for entry in reversed(frames):
        filtered = TracebackType(filtered, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return filtered
