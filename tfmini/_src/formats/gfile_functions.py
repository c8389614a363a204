"""Files and folders by their paths, as `tf.io.gfile` offers them: copied, renamed, listed, removed.

A path is text, bytes or a path object. It may begin with `file://`; TensorFlow's other schemes, such as `gs://`, have
no file system here, and an error says so. What the system refuses is an `OpError` that names the path as it was given.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat as modes
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from tfmini._src.base import errors
from tfmini._src.formats.atomic_write import temporary_ending
from tfmini._src.formats.glob_pattern import matching
from tfmini._src.formats.schemes import local
from tfmini._src.formats.system_errors import of_system, translated

_BLOCK = 1 << 20


class FileStatistics:
    """The status of a path: bytes, nanoseconds from 1970 to the last change, and whether it is a folder."""

    def __init__(self, length: int, mtime_nsec: int, is_directory: bool) -> None:
        self.length = length
        self.mtime_nsec = mtime_nsec
        self.is_directory = is_directory


def text_of(path: Any) -> str:
    """A path of any of the three kinds as text, as it was given; raises TypeError for anything else."""
    name = os.fspath(path) if hasattr(path, "__fspath__") else path
    if isinstance(name, (str, bytes)):
        return os.fsdecode(name)
    raise TypeError(f"Expected binary or unicode string, got {path!r}")


def exists(path):
    """Whether there is a file or a folder at a path.

    Args:
      path: a path.

    Example: `if not tf.io.gfile.exists(folder): tf.io.gfile.makedirs(folder)`.
    """
    return os.access(local(text_of(path)), os.F_OK)


def isdir(path):
    """Whether a path is a folder; False too if there is nothing.

    Args:
      path: a path.
    """
    try:
        return os.path.isdir(local(text_of(path)))
    except errors.UnimplementedError:  # a scheme that is not here
        return False


def stat(path):
    """The status of a path: an object with `length`, `mtime_nsec` and `is_directory`.

    Args:
      path: the path of a file or folder.

    Raises:
      NotFoundError: there is nothing.

    Example: `tf.io.gfile.stat("model.pb").length`.
    """
    name = text_of(path)
    with translated(name):
        found = os.stat(local(name))
    seconds = found.st_mtime_ns // 10**9  # TensorFlow counts whole ones
    return FileStatistics(found.st_size, seconds * 10**9, modes.S_ISDIR(found.st_mode))


def listdir(path):
    """The names of the entries of a folder, in no order.

    Args:
      path: the path of the folder.

    Returns:
      A list of strings, `.` and `..` not among them.

    Raises:
      NotFoundError: there is no such folder.
    """
    if not isdir(path):
        raise errors.NotFoundError(None, None, f"Could not find directory {path}")
    name = text_of(path)
    with translated(name):
        return os.listdir(local(name))


def walk(top, topdown=True, onerror=None):
    """Walks a folder and all folders in it.

    Args:
      top: the path of the folder.
      topdown: a folder comes before those in it, else after them.
      onerror: a function that gets the error of a folder that is not there; by default there is none.

    Yields:
      The path of a folder, the names of the folders in it, the names of its other files.

    Example: `[name for _, _, names in tf.io.gfile.walk("data") for name in names]`.
    """
    here: str = text_of(top)
    try:
        names = listdir(here)
    except errors.NotFoundError as error:
        if onerror:
            onerror(error)
        return
    inside = {name: isdir(os.path.join(here, name)) for name in names}
    folders = [name for name in names if inside[name]]
    entry = here, folders, [name for name in names if not inside[name]]
    if topdown:
        yield entry
    for folder in folders:
        yield from walk(os.path.join(here, folder), topdown, onerror)
    if not topdown:
        yield entry


def glob(pattern):
    """The paths that match a pattern, or any of several.

    Args:
      pattern: a pattern, or an iterable of patterns; `*`, `?` and sets in brackets stand for what is within a name.

    Returns:
      A list of strings, sorted for each pattern.

    Raises:
      NotFoundError: the folder in front of the first wildcard is not there.

    Example: `tf.io.gfile.glob("data/*.csv")`.
    """
    one = isinstance(pattern, str) or hasattr(pattern, "__fspath__")
    patterns = [pattern] if one else pattern
    return [os.fsdecode(p) for each in patterns for p in sorted(matching(_bytes_of(each)))]


def _bytes_of(pattern: Any) -> bytes:
    return os.fsencode(text_of(pattern))


def mkdir(path):
    """Makes a folder whose parent exists; does nothing if a file or folder has this name.

    Args:
      path: the path of the new folder.

    Raises:
      NotFoundError: the folder that it is to be in is not there.
    """
    name = text_of(path)
    if name:
        with translated(name), contextlib.suppress(FileExistsError):
            os.mkdir(local(name), 0o755)


def makedirs(path):
    """Makes a folder and its missing parents.

    Args:
      path: the path of the folder.

    Raises:
      FailedPreconditionError: one of them is a file.
    """
    name = local(text_of(path))
    missing = []
    while name and not exists(name):
        missing.append(name)
        name = os.path.dirname(name)
    for folder in reversed(missing):
        mkdir(folder)


def remove(path):
    """Removes a file.

    Args:
      path: the path of the file.

    Raises:
      NotFoundError: there is no such file.
      FailedPreconditionError: it is a folder.
    """
    name = text_of(path)
    with translated(name):
        os.unlink(local(name))


def rmtree(path):
    """Removes a folder with all that is in it. A link is removed; its target stays.

    What can be removed is, even where something cannot.

    Args:
      path: the path of the folder.

    Raises:
      NotFoundError: there is nothing.
      FailedPreconditionError: it is a file.
      PermissionDeniedError: something could not be removed.
    """
    name = text_of(path)
    root = local(name)
    if not exists(name):
        raise errors.NotFoundError(None, None, f"{name} not found")
    if os.path.islink(root):
        remove(name)
        return
    if not os.path.isdir(root):
        raise of_system(OSError(errno.ENOTDIR, ""), name)
    refused: list[OSError] = []
    for folder, folders, files in os.walk(root, topdown=False, onerror=refused.append):
        for entry in (os.path.join(folder, each) for each in folders):
            _attempt(os.unlink if os.path.islink(entry) else os.rmdir, entry, refused)
        for entry in (os.path.join(folder, each) for each in files):
            _attempt(os.unlink, entry, refused)
    _attempt(os.rmdir, root, refused)
    if refused:
        raise of_system(refused[0], os.fsdecode(refused[0].filename)) from refused[0]


def _attempt(action: Callable[[str], None], path: str, refused: list[OSError]) -> None:
    try:
        action(path)
    except OSError as error:
        refused.append(error)


def rename(src, dst, overwrite=False):
    """Gives a file or folder another path.

    Args:
      src: the path it has.
      dst: the path it gets.
      overwrite: replace what is there.

    Raises:
      AlreadyExistsError: there is something at `dst`, and `overwrite` is False.
      NotFoundError: there is nothing at `src`.
    """
    source, target = text_of(src), text_of(dst)
    _keep(target, overwrite)
    with translated(source):
        os.rename(local(source), local(target))


def copy(src, dst, overwrite=False):
    """Copies a file. Until the copy is complete, `dst` holds what it held before.

    Args:
      src: the path of the file.
      dst: the path of the copy, not of a folder for it.
      overwrite: replace what is there.

    Raises:
      AlreadyExistsError: there is something at `dst`, and `overwrite` is False.
      NotFoundError: there is nothing at `src`, or no folder for `dst`.
      InvalidArgumentError: `src` is a folder.

    Example: `tf.io.gfile.copy("model.pb", "backup/model.pb", overwrite=True)`.
    """
    source, target = text_of(src), text_of(dst)
    _keep(target, overwrite)
    if isdir(source):
        raise of_system(OSError(errno.EINVAL, ""), target)
    with translated(source):
        file = open(local(source), "rb")
    with file, translated(target):
        path = local(target)
        _replace(os.path.realpath(path) if path else path, file)  # a link stays one


def _keep(target: str, overwrite: bool) -> None:
    if not overwrite and exists(target):
        raise errors.AlreadyExistsError(None, None, "file already exists")


def _replace(path: str, source: BinaryIO) -> None:
    """Writes the contents of an open file to a path, whole or not at all."""
    mode = modes.S_IMODE(os.fstat(source.fileno()).st_mode) & 0o777
    there = os.path.exists(path)
    if there and not os.path.isfile(path):  # a device takes what it is given, a folder refuses
        with open(path, "wb") as out:
            out.writelines(_blocks(source))
        return
    if there:
        os.close(os.open(path, os.O_WRONLY))  # may it be written at all?
    temporary = os.path.join(os.path.dirname(path), "copy" + temporary_ending())
    try:
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with open(handle, "wb") as out:
            out.writelines(_blocks(source))
            if there:
                os.chmod(temporary, modes.S_IMODE(os.stat(path).st_mode))
        os.replace(temporary, path)
    finally:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            os.remove(temporary)


def _blocks(file: BinaryIO) -> Iterator[bytes]:
    return iter(lambda: file.read(_BLOCK), b"")
