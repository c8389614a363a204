"""Opening and reading of files by user-supplied paths, which may begin with `file://`."""

from __future__ import annotations

import os
import stat
from typing import Any

from tfmini._src.formats.schemes import local_path
from tfmini._src.formats.system_errors import translate_errors


def open_file(path: Any, mode: str, buffering: int = -1, **text: Any) -> Any:
    """Opens a file like Python's `open`.

    Args:
      path: a path, as str, bytes or a path object.
      mode: a mode of Python's `open`.
      buffering: buffer size in bytes; 0 for none.
      **text: encoding and line endings for text files.

    Raises:
      OpError: TensorFlow's class for the system error, with the path as passed.
    """
    with translate_errors(os.fsdecode(path)):
        return open(local_path(path), mode, buffering, **text)


def read_bytes(path: Any) -> bytes:
    """Reads a file's contents; raises the same errors as `open_file`, also while reading.

    Devices, pipes and sockets have size 0 and are read as empty, as in TensorFlow: some never end.
    """
    with translate_errors(os.fsdecode(path)):
        if is_special(os.stat(local_path(path)).st_mode):
            return b""
        with open_file(path, "rb") as file:
            return file.read()


def is_special(mode: int) -> bool:
    """Whether a mode denotes a device, pipe or socket."""
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
