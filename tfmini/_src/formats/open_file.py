"""Files opened and read by the paths that programs give, which may begin with `file://`."""

from __future__ import annotations

import os
import stat
from typing import Any

from tfmini._src.formats.schemes import local_path
from tfmini._src.formats.system_errors import translated


def open_file(path: Any, mode: str, buffering: int = -1, **text: Any) -> Any:
    """A file, opened as by Python's `open`.

    Args:
      path: a path, as text, bytes or a path object.
      mode: a mode of Python's `open`.
      buffering: the bytes of the buffer; 0 for none.
      **text: the encoding and the ends of lines of a file of text.

    Raises:
      OpError: of TensorFlow's class for what the system refuses, with the path as it was given.
    """
    with translated(os.fsdecode(path)):
        return open(local_path(path), mode, buffering, **text)


def read_bytes(path: Any) -> bytes:
    """The contents of a file; raises the same errors, when it is read too.

    Devices, pipes and sockets have a size of 0, and so no contents, as in TensorFlow: some never end.
    """
    with translated(os.fsdecode(path)):
        if is_special(os.stat(local_path(path)).st_mode):
            return b""
        with open_file(path, "rb") as file:
            return file.read()


def is_special(mode: int) -> bool:
    """Whether a mode is that of a device, a pipe or a socket."""
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
