"""Start-up code of a child process: a finder that imports tfmini when `tensorflow` is asked for.

`site/sitecustomize.py` runs this file alone, without tfmini: a process that never imports `tensorflow` pays nothing.
Only the standard library is imported here, and of that what every Python has loaded already.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Any

ROOTS = ("tensorflow", "tensorflow_core", "tensorflow_estimator")
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "site")

# Where the package tfmini lies: this file is tfmini/_src/programs/hook/child_processes.py.
_HOME = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(FOLDER)))))

METADATA = """\
Metadata-Version: 2.1
Name: tensorflow
Version: 1.15.5
Summary: Programs that import tensorflow run by tfmini here.
"""


class Waiting:
    """A finder on `sys.meta_path` that tfmini's own replaces at the first import of `tensorflow`."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name.partition(".")[0] not in ROOTS:
            return None
        try:
            import tfmini  # noqa: F401, PLC0415
        except ModuleNotFoundError as error:
            if error.name != "tfmini":
                raise
            sys.path.append(_HOME)  # the parent process found it in its working folder
        from tfmini._src.programs.hook import (  # noqa: PLC0415
            extra_names,
            import_finder,
            removed_names,
        )

        if not extra_names.is_strict():
            removed_names.install()
        return import_finder.install().find_spec(name, path, target)

    def find_distributions(self, context: Any = None) -> Iterator[Any]:
        return distributions(context)


def distributions(context: Any) -> Iterator[Any]:
    """The distribution `tensorflow` 1.15.5, for `importlib.metadata`."""
    if context is None or context.name in (None, "tensorflow"):
        from importlib import metadata  # noqa: PLC0415

        class TensorFlow(metadata.Distribution):
            def read_text(self, filename: str) -> str | None:
                return METADATA if filename == "METADATA" else None

            def locate_file(self, path: Any) -> Any:
                return os.path.join(os.path.dirname(FOLDER), path)

        yield TensorFlow()


def start() -> None:
    """Makes `tensorflow` mean tfmini from its first import on."""
    sys.meta_path.insert(0, Waiting())
