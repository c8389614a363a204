"""`tensorflow.python.lib.io.file_io`: reads and writes whole files."""

from __future__ import annotations

import binascii
import uuid

from tfmini._src.formats.gfile import FileIO
from tfmini._src.formats.gfile_v1_functions import Remove, Rename

__all__ = [
    "atomic_write_string_to_file",
    "file_crc32",
    "filecmp",
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


def filecmp(filename_a: str, filename_b: str) -> bool:
    """Whether two files have the same size and checksum; raises errors.OpError if one cannot be read."""
    return FileIO(filename_a, "rb").size() == FileIO(filename_b, "rb").size() and file_crc32(
        filename_a
    ) == file_crc32(filename_b)


def file_crc32(filename: str, block_size: int = 1 << 20) -> str:
    """Returns the CRC-32 checksum of a file in hexadecimal digits, such as "0x3610a686".

    Args:
      filename: the file's path.
      block_size: number of bytes to read at once, or -1 to read the whole file at once.

    Raises:
      errors.OpError: if the file cannot be read.
    """
    checksum = 0
    with FileIO(filename, mode="rb") as file:
        while block := file.read(block_size):
            checksum = binascii.crc32(block, checksum)
    return hex(checksum)
