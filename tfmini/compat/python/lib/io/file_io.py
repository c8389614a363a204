"""`tensorflow.python.lib.io.file_io`: reads and writes whole files."""

from __future__ import annotations

import uuid

from tfmini._src.formats.gfile import FileIO
from tfmini._src.formats.gfile_v1_functions import Remove, Rename

__all__ = [
    "atomic_write_string_to_file",
    "read_file_to_string",
    "write_string_to_file",
]


def read_file_to_string(filename: str, binary_mode: bool = False) -> str | bytes:
    """Returns the contents of a file; raises errors.OpError if it cannot be read."""
    with FileIO(filename, mode="rb" if binary_mode else "r") as file:
        return file.read()


def write_string_to_file(filename: str, file_content: str | bytes) -> None:
    """Writes a file, replacing its contents; raises errors.OpError if it cannot be written."""
    with FileIO(filename, mode="w") as file:
        file.write(file_content)


def atomic_write_string_to_file(
    filename: str, contents: str | bytes, overwrite: bool = True
) -> None:
    """Writes a file under a temporary name, then renames it.

    Raises:
      errors.OpError: if the file exists and must not be overwritten, or cannot be written.
    """
    temporary = f"{filename}.tmp{uuid.uuid4().hex}"
    write_string_to_file(temporary, contents)
    try:
        Rename(temporary, filename, overwrite)
    except Exception:
        Remove(temporary)
        raise
