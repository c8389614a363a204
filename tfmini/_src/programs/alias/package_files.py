"""The files of an alias: the package `tensorflow` with stubs, its distribution, the start-up file."""

from __future__ import annotations

import os
from collections.abc import Iterator

from tfmini._src.base.package import PACKAGE_DIRECTORY
from tfmini._src.programs.hook import child_processes

PACKAGE = "tensorflow"
MARK = "made_by_tfmini_alias"  # a file in the package
DISTRIBUTION = "tensorflow-1.15.5.dist-info"
START = "_tfmini_alias.py"
START_LINE = "tfmini_alias.pth"

# Entries of the site-packages directory, in installation order. The last makes the alias take effect in processes that
# import something else first; without it, `import tensorflow` already works.
ENTRIES = (PACKAGE, DISTRIBUTION, START, START_LINE)

# Internal modules resolve most of their names at run time.
_ANY_NAME = """\
from typing import Any

def __getattr__(name: str) -> Any: ...
"""

_INIT = '''\
"""tfmini in place of TensorFlow: installed by `tfmini alias on`, removed by `tfmini alias off`."""

import importlib
import sys

sys.modules.pop(__name__)  # tfmini's own modules replace this one
import tfmini.as_tensorflow

importlib.import_module(__name__)
'''

_START = '''\
"""Makes `import tensorflow` import tfmini in each process of this environment: see `tfmini alias --help`."""

import importlib.util

try:
    _spec = importlib.util.spec_from_file_location("tfmini_waiting", {place!r})
    _waiting = importlib.util.module_from_spec(_spec)
    _spec.loader.exec_module(_waiting)
except FileNotFoundError:  # tfmini is gone
    pass
else:
    _waiting.start_alias()
'''


def files() -> dict[str, str]:
    """Returns the file contents by path in the site-packages directory, with `/` as the separator."""
    contents = {f"{PACKAGE}/{path}/__init__.pyi": text for path, text in _stubs()}
    contents[f"{PACKAGE}/__init__.pyi"] = (
        _star("tfmini") + "from tfmini import VERSION as __version__\n"
    )
    contents |= {
        f"{PACKAGE}/__init__.py": _INIT,
        f"{PACKAGE}/py.typed": "",
        f"{PACKAGE}/{MARK}": "",
    }
    contents[START] = _START.format(place=os.path.abspath(child_processes.__file__))
    contents[START_LINE] = f"import {START.removesuffix('.py')}\n"
    contents[f"{DISTRIBUTION}/METADATA"] = child_processes.METADATA
    contents[f"{DISTRIBUTION}/INSTALLER"] = "tfmini\n"
    contents[f"{DISTRIBUTION}/top_level.txt"] = f"{PACKAGE}\n"
    record = f"{DISTRIBUTION}/RECORD"
    contents[record] = "".join(f"{path},,\n" for path in [*contents, record])
    return contents


def _stubs() -> Iterator[tuple[str, str]]:
    """Yields the stub of each namespace below `tensorflow`: re-exports from tfmini's module at the same path."""
    internal_directory = os.path.join(PACKAGE_DIRECTORY, "compat", "python")
    for directory, names, files in os.walk(PACKAGE_DIRECTORY):
        names[:] = sorted(n for n in names if n not in ("_src", "__pycache__", "as_tensorflow"))
        path = os.path.relpath(directory, PACKAGE_DIRECTORY).replace(os.sep, "/")
        module = "tfmini." + path.replace("/", ".")
        if directory == internal_directory or directory.startswith(internal_directory + os.sep):
            relative_path = path.removeprefix("compat/")
            yield relative_path, _star(module) + _ANY_NAME
            for name in sorted(files):
                if name.endswith(".py") and name != "__init__.py":
                    yield f"{relative_path}/{name[:-3]}", _star(f"{module}.{name[:-3]}") + _ANY_NAME
        elif path != "." and "__init__.pyi" in files:
            yield path, _star(module)


def _star(module: str) -> str:
    return f"from {module} import *\n"
