"""Runs at Python start-up if this directory is on PYTHONPATH, as in children of programs under the runner.

Maps `tensorflow` to tfmini, removes the directory from the path, and runs the sitecustomize it shadows.
"""

import importlib.util
import os
import sys


def _start():
    directory = os.path.dirname(os.path.abspath(__file__))
    path = os.path.join(os.path.dirname(directory), "child_processes.py")
    spec = importlib.util.spec_from_file_location("tfmini_waiting", path)
    assert spec and spec.loader
    waiting = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(waiting)
    waiting.start()
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != directory]


_start()
_ours = sys.modules.pop("sitecustomize")
try:
    import sitecustomize  # type: ignore[import-not-found]  # noqa: F401
except ModuleNotFoundError as _error:
    if _error.name != "sitecustomize":
        raise
finally:
    sys.modules.setdefault("sitecustomize", _ours)
