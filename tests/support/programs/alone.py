"""Runs each golden program in a process that has loaded only the modules the program needs.

Modules load lazily, and all tests together load all of them, which hides missing import side effects. `python -m
tests.support.programs.alone [NAME ...]` prints the differences from the records.
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
    """Lines describing how a program's record differs in a forked process, or how that process died."""
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
        except Exception as error:  # any class: the parent prints it
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
