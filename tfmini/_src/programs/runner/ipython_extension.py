"""`%load_ext tfmini` in a notebook: maps `tensorflow` to tfmini, and runs cells like `tfmini run`."""

from __future__ import annotations

import ast
import os
import sys
from typing import Any

from tfmini._src.programs.hook import child_processes, removed_names
from tfmini._src.programs.hook.import_finder import install
from tfmini._src.programs.runner.call_shims import rewrite_calls
from tfmini._src.programs.runner.module_finder import rewrite_modules
from tfmini._src.programs.runner.plain_scalars import show_plain_scalars


def load(shell: Any) -> None:
    """Prepares the process, subsequent cells, and child processes.

    Figures are shown on the page, unless a Matplotlib backend has been selected.

    Raises:
      ImportError: if another TensorFlow has been imported.
    """
    install(strict=False)
    removed_names.install()
    show_plain_scalars()
    directory = os.getcwd()
    rewrite_modules([directory])
    child_processes.restore_in_children([directory])
    if not any(isinstance(transformer, _CallRestorer) for transformer in shell.ast_transformers):
        shell.ast_transformers.append(_CallRestorer())
    if "MPLBACKEND" not in os.environ and getattr(shell, "kernel", None) is not None:
        shell.run_line_magic("matplotlib", "inline")


class _CallRestorer:
    """Restores old behavior in the calls of a cell, which may use modules that earlier cells imported."""

    def __init__(self) -> None:
        self._sources = " ".join(
            name for name in ("numpy", "pandas", "h5py") if name in sys.modules
        )

    def visit(self, tree: Any) -> Any:
        self._sources += f"\n{ast.unparse(tree)}"
        return rewrite_calls(tree, self._sources.encode("utf-8", "replace"))
