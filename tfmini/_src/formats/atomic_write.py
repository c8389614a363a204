"""Files that are there whole or not at all: written under another name and renamed when they are complete.

The other name says which process of which machine writes: what a killed one left is removed by the next that
writes into the same folder.
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
from tfmini._src.formats.system_errors import translated

_MARK = ".tempstate"
_ENDING = re.compile(
    rf"{re.escape(_MARK)}([1-9][0-9]{{0,9}})-([0-9a-f]{{8}})-([0-9a-f]{{8}})-[0-9a-f]+"
)
# Processes of one number can follow each other, as in a container that is started again.
_LIFE = os.urandom(4).hex()


def temporary_ending() -> str:
    """A suffix for the name of a file until it is complete, which nobody can predict."""
    return f"{_MARK}{os.getpid()}-{_machine()}-{_LIFE}-{os.urandom(8).hex()}"


def _machine() -> str:
    return f"{zlib.crc32(platform.node().encode()):08x}"


def created(path: str, buffering: int = -1) -> BinaryIO:
    """A new file open for binary writing; its name must not be taken, not even by a link."""
    return open(local_path(path), "xb", buffering)


def _writer(name: str) -> re.Match[str] | None:
    """The process, machine and life of the writer, from the suffix of a file's name."""
    place = name.rfind(_MARK)
    return None if place < 0 else _ENDING.fullmatch(name, place)


def is_temporary(name: str) -> bool:
    """Whether a file's name has the ending of one that is being written."""
    return _writer(name) is not None


def is_abandoned(name: str) -> bool:
    """Whether the process of this machine that was writing a temporary file is gone."""
    found = _writer(name)
    if found is None or found[2] != _machine():
        return False
    if sys.platform == "win32":  # where os.kill would end the process that is asked about
        return False
    process = int(found[1])
    if process == os.getpid():
        return found[3] != _LIFE
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):  # another user's; a number that no process has
        return False
    return False


def listed(folder: str) -> list[str]:
    """The names in a folder, none if it cannot be read."""
    try:
        return os.listdir(local_path(folder) or ".")
    except OSError:
        return []


def make_folder(folder: str) -> None:
    """Makes a folder, but not its parent, as TensorFlow does."""
    if folder:
        with translated(folder), contextlib.suppress(FileExistsError):
            os.mkdir(local_path(folder))


def sync(file: BinaryIO) -> None:
    """Waits until the disk has what was written."""
    file.flush()
    os.fsync(file.fileno())


def sync_folder(folder: str) -> None:
    """Waits until the disk has the names in a folder, where the system can."""
    if sys.platform == "win32":
        return
    descriptor = os.open(local_path(folder) or ".", os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def written_whole(path: str, syncs: bool = False) -> Iterator[BinaryIO]:
    """A file open for binary writing that gets its name at the end of the block, unless that raises."""
    temporary = path + temporary_ending()
    try:
        with translated(temporary), created(temporary) as file:
            yield file
            if syncs:
                sync(file)
        with translated(path):
            os.replace(local_path(temporary), local_path(path))
    finally:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            os.remove(local_path(temporary))


def remove_abandoned(folder: str) -> None:
    """Removes the leftovers of processes that are gone from a folder."""
    for name in listed(folder):
        if _MARK in name and is_abandoned(name):
            with contextlib.suppress(OSError):
                os.remove(os.path.join(local_path(folder), name))
