"""Atomic file writes: files are written under a temporary name and renamed when complete.

The temporary name identifies the writing process and machine: leftovers of a killed process are removed by the next
one that writes to the same directory.
"""

from __future__ import annotations

import contextlib
import os
import platform
import re
import sys
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from tfmini._src.formats.schemes import local_path
from tfmini._src.formats.system_errors import translate_errors

TEMPORARY_MARK = ".tempstate"
_ENDING_PATTERN = re.compile(
    rf"{re.escape(TEMPORARY_MARK)}([1-9][0-9]{{0,9}})-([0-9a-f]{{8}})-([0-9a-f]{{8}})-[0-9a-f]+"
)
# Process ids can be reused, as in a restarted container.
_PROCESS_ID = os.urandom(4).hex()


def temporary_ending() -> str:
    """Returns the unpredictable suffix for the name of an incomplete file."""
    return f"{TEMPORARY_MARK}{os.getpid()}-{_machine()}-{_PROCESS_ID}-{os.urandom(8).hex()}"


def _machine() -> str:
    return f"{zlib.crc32(platform.node().encode()):08x}"


def create_file(path: str, buffering: int = -1) -> BinaryIO:
    """Creates a file for binary writing; fails if the name exists, even as a link."""
    return open(local_path(path), "xb", buffering)


def _writer(name: str) -> re.Match[str] | None:
    """Returns the writer's process, machine and start identifier, parsed from the suffix of a file name."""
    position = name.rfind(TEMPORARY_MARK)
    return None if position < 0 else _ENDING_PATTERN.fullmatch(name, position)


def is_temporary(name: str) -> bool:
    """Whether a file name has the suffix of an incomplete file."""
    return _writer(name) is not None


def is_abandoned(name: str) -> bool:
    """Whether the writer of a temporary file was a process on this machine that no longer exists."""
    writer = _writer(name)
    if writer is None or writer[2] != _machine():
        return False
    if sys.platform == "win32":  # os.kill would terminate the process on this system
        return False
    process = int(writer[1])
    if process == os.getpid():
        return writer[3] != _PROCESS_ID
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):  # the process belongs to another user, or the id is invalid
        return False
    return False


def list_names(directory: str) -> list[str]:
    """Returns the names in a directory; empty if it cannot be read."""
    try:
        return os.listdir(local_path(directory) or ".")
    except OSError:
        return []


def make_directory(directory: str) -> None:
    """Creates a directory, but not its parents, as TensorFlow does."""
    if directory:
        with translate_errors(directory), contextlib.suppress(FileExistsError):
            os.mkdir(local_path(directory))


def sync(file: BinaryIO) -> None:
    """Flushes a file to disk (fsync)."""
    file.flush()
    os.fsync(file.fileno())


def sync_directory(directory: str) -> None:
    """Flushes a directory's entries to disk (fsync) if the system supports it."""
    if sys.platform == "win32":
        return
    descriptor = os.open(local_path(directory) or ".", os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def is_device(path: str) -> bool:
    """Whether a path names a device or pipe."""
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)


@contextlib.contextmanager
def atomic_write(path: str, syncs: bool = False) -> Iterator[BinaryIO]:
    """Context manager that yields a file for binary writing and renames it to `path` at the end, except on error.

    A device or pipe is written to, not replaced.
    """
    if is_device(local_path(path)):
        with translate_errors(path), open(local_path(path), "wb") as device:
            yield device
        return
    temporary = path + temporary_ending()
    try:
        with translate_errors(temporary), create_file(temporary) as file:
            yield file
            if syncs:
                sync(file)
        with translate_errors(path):
            os.replace(local_path(temporary), local_path(path))
    finally:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            os.remove(local_path(temporary))


def remove_abandoned(directory: str) -> None:
    """Removes leftovers of dead processes from a directory."""
    for name in list_names(directory):
        if TEMPORARY_MARK in name and is_abandoned(name):
            with contextlib.suppress(OSError):
                os.remove(os.path.join(local_path(directory), name))
