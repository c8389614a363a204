"""Golden programs, each in a process that has loaded only what the program asks for.

Modules are loaded with their first use, and all tests together use all of them: what one of them does to others while
it is imported is missed only where it is not. `python -m tests.support.programs.alone [NAME ...]`
prints what differs from the record.
"""

import logging
import os
import signal
import sys
import warnings

import tfmini as tf  # noqa: F401  before the forks, so that each begins with it
from tests.support.programs import compare, recording

_LONGEST = 300  # seconds


def differences(name):
    """The lines that say how a program's record differs in a forked process, or how that process ended."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        _compare(name, writer)
    os.close(writer)
    with os.fdopen(reader, encoding="utf-8", errors="replace") as pipe:
        lines = pipe.read().splitlines()
    status = os.waitpid(child, 0)[1]
    return lines or ([f"the process ended with status {status}"] if status else [])


def _compare(name, writer):
    signal.alarm(_LONGEST)
    with os.fdopen(writer, "w", encoding="utf-8") as pipe:
        try:
            lines = compare.differences(name)
        except Exception as error:  # of any class: the parent prints it
            lines = [f"{type(error).__name__}: {error}"]
        print(*lines, sep="\n", end="\n" if lines else "", file=pipe)
    os._exit(0)


def main(names):
    warnings.simplefilter("ignore")
    logging.getLogger("tensorflow").setLevel(logging.ERROR)
    failed = 0
    for name in names or recording.names_in("conformance/recorded_programs"):
        lines = differences(name)
        if lines:
            failed += 1
            print(name, *lines[:5], sep="\n    ", flush=True)
    print(f"{failed} programs differ")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
