"""Lazy loading of tfmini's own modules."""

from __future__ import annotations

import contextlib
import errno
import importlib
import importlib.util
import os
from collections.abc import Iterator
from types import ModuleType

from tfmini._src.base.errors import ResourceExhaustedError

_EXHAUSTION_ERRNOS = (errno.EMFILE, errno.ENFILE, errno.ENOMEM)


def load_module(name: str) -> ModuleType:
    """Imports a module, as `importlib.import_module(name)` does.

    Raises:
      ResourceExhaustedError: if the process or system is out of file descriptors or memory.
    """
    with _loading(name):
        return importlib.import_module(name)


def is_module(name: str) -> bool:
    """Whether a module of this name exists; raises like `load_module`."""
    with _loading(name):
        return importlib.util.find_spec(name) is not None


@contextlib.contextmanager
def _loading(name: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno not in _EXHAUSTION_ERRNOS:
            raise
        text = f"{name} cannot be loaded; {os.strerror(error.errno)}"
        raise ResourceExhaustedError(None, None, text) from error
