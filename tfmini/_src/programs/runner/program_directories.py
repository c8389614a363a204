"""The directories that hold a program's modules."""

from __future__ import annotations

import os


def import_directories(path0: str) -> list[str]:
    """Lists a program's directory, and the working directory if it is a parent: `tests/run.py` imports from both."""
    working = os.getcwd()
    working_prefix = os.path.join(os.path.realpath(working), "")
    is_root = os.path.dirname(working) == working
    if not path0 or is_root or not os.path.realpath(path0).startswith(working_prefix):
        return [path0 or working]
    return [path0, working]
