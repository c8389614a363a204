"""Old behavior in a program's child processes, installed by `hook.child_processes` at the first import of NumPy."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

from tfmini._src.programs.runner import programs
from tfmini._src.programs.runner.module_finder import rewrite_modules
from tfmini._src.programs.runner.plain_scalars import show_plain_scalars


def install_shims(directories: Sequence[str]) -> None:
    """Restores old calls in the modules of these directories, and the old scalar display."""
    show_plain_scalars()
    rewrite_modules(directories)


def run_script(path: str, namespace: dict[str, Any]) -> None:
    """Runs a script in the namespace created by `runpy`, with `sys.path` as for a script."""
    program = programs.source_file(path)
    is_main = namespace["__name__"] == "__main__"
    has_directory = is_main and not getattr(sys.flags, "safe_path", False)
    full = os.path.abspath(path)
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != full]
    if has_directory and program.path0:
        sys.path.insert(0, program.path0)
    namespace.update(program.attributes)
    if is_main:
        namespace["__package__"] = None
    programs.execute(program, namespace)
