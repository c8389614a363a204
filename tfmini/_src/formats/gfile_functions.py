"""File system functions of `tf.io.gfile`: copy, rename, list, remove and so on.

A path is str, bytes or a path object. It may begin with `file://`; TensorFlow's other schemes, such as `gs://`, are
not supported and raise an error. System errors become an `OpError` that contains the path as passed.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat as modes
from collections.abc import Callable, Iterable, Iterator
from os import PathLike
from typing import Any, BinaryIO

from tfmini._src.base import errors
from tfmini._src.formats.atomic_write import is_device, temporary_ending
from tfmini._src.formats.glob_pattern import match_paths
from tfmini._src.formats.schemes import strip_scheme
from tfmini._src.formats.system_errors import system_error, translate_errors

_BLOCK = 1 << 20


class FileStatistics:
    """Status of a path: size in bytes, modification time in nanoseconds since 1970, and whether it is a directory."""

    def __init__(self, length: int, mtime_nsec: int, is_directory: bool) -> None:
        self.length = length
        self.mtime_nsec = mtime_nsec
        self.is_directory = is_directory


def path_to_text(path: Any) -> str:
    """Converts a path (str, bytes or path object) to str; raises TypeError for anything else."""
    name = os.fspath(path) if hasattr(path, "__fspath__") else path
    if isinstance(name, (str, bytes)):
        return os.fsdecode(name)
    raise TypeError(f"Expected binary or unicode string, got {path!r}")


def exists(path: str | bytes | PathLike[str]) -> bool:
    """Whether a file or directory exists at a path.

    Example: `if not tf.io.gfile.exists(directory): tf.io.gfile.makedirs(directory)`.
    """
    return os.access(strip_scheme(path_to_text(path)), os.F_OK)


def isdir(path: str | bytes | PathLike[str]) -> bool:
    """Whether a path is a directory; False if it does not exist."""
    try:
        return os.path.isdir(strip_scheme(path_to_text(path)))
    except errors.UnimplementedError:  # unsupported scheme
        return False


def stat(path: str | bytes | PathLike[str]) -> FileStatistics:
    """Returns the status of a path: an object with `length`, `mtime_nsec` and `is_directory`.

    Args:
      path: path of a file or directory.

    Raises:
      NotFoundError: if it does not exist.

    Example: `tf.io.gfile.stat("model.pb").length`.
    """
    name = path_to_text(path)
    with translate_errors(name):
        status = os.stat(strip_scheme(name))
    seconds = status.st_mtime_ns // 10**9  # TensorFlow rounds down to seconds
    return FileStatistics(status.st_size, seconds * 10**9, modes.S_ISDIR(status.st_mode))


def listdir(path: str | bytes | PathLike[str]) -> list[str]:
    """Lists the entries of a directory, in arbitrary order.

    Returns:
      A list of names, without `.` and `..`.

    Raises:
      NotFoundError: if the directory does not exist.
    """
    if not isdir(path):
        raise errors.NotFoundError(None, None, "Could not find directory " + str(path))
    name = path_to_text(path)
    with translate_errors(name):
        return os.listdir(strip_scheme(name))


def walk(
    top: str | bytes | PathLike[str],
    topdown: bool = True,
    onerror: Callable[[errors.NotFoundError], object] | None = None,
) -> Iterator[tuple[str, list[str], list[str]]]:
    """Walks a directory recursively.

    Args:
      top: path of the directory.
      topdown: whether a directory comes before its subdirectories rather than after.
      onerror: called with the error for a missing directory; by default it is ignored.

    Yields:
      A directory path, the names of its subdirectories, and the names of its files.

    Example: `[name for _, _, names in tf.io.gfile.walk("data") for name in names]`.
    """
    here: str = path_to_text(top)
    try:
        names = listdir(here)
    except errors.NotFoundError as error:
        if onerror:
            onerror(error)
        return
    is_directory = {name: isdir(os.path.join(here, name)) for name in names}
    directories = [name for name in names if is_directory[name]]
    entry = here, directories, [name for name in names if not is_directory[name]]
    if topdown:
        yield entry
    for directory in directories:
        yield from walk(os.path.join(here, directory), topdown, onerror)
    if not topdown:
        yield entry


def glob(pattern: str | PathLike[str] | Iterable[str | bytes | PathLike[str]]) -> list[str]:
    """Returns the paths that match a pattern, or any of several.

    Args:
      pattern: a pattern, or an iterable of patterns; `*`, `?` and bracket sets match within a path component.

    Returns:
      A list of strings, sorted per pattern.

    Raises:
      NotFoundError: if the directory before the first wildcard does not exist.

    Example: `tf.io.gfile.glob("data/*.csv")`.
    """
    is_single = isinstance(pattern, str) or hasattr(pattern, "__fspath__")
    patterns: Any = [pattern] if is_single else pattern
    return [os.fsdecode(p) for item in patterns for p in sorted(match_paths(_to_bytes(item)))]


def _to_bytes(pattern: Any) -> bytes:
    return os.fsencode(path_to_text(pattern))


def mkdir(path: str | bytes | PathLike[str]) -> None:
    """Creates a directory in an existing parent; does nothing if the path already exists.

    Raises:
      NotFoundError: if the parent directory does not exist.
    """
    name = path_to_text(path)
    if name:
        with translate_errors(name), contextlib.suppress(FileExistsError):
            os.mkdir(strip_scheme(name), 0o755)


def makedirs(path: str | bytes | PathLike[str]) -> None:
    """Creates a directory and its missing parents; raises FailedPreconditionError if a parent is a file."""
    name = strip_scheme(path_to_text(path))
    missing = []
    while name and not exists(name):
        missing.append(name)
        name = os.path.dirname(name)
    for directory in reversed(missing):
        mkdir(directory)


def remove(path: str | bytes | PathLike[str]) -> None:
    """Removes a file.

    Raises:
      NotFoundError: if the file does not exist.
      FailedPreconditionError: if it is a directory.
    """
    name = path_to_text(path)
    with translate_errors(name):
        os.unlink(strip_scheme(name))


def rmtree(path: str | bytes | PathLike[str]) -> None:
    """Removes a directory and its contents; a link is removed without its target.

    Continues past errors, removing everything possible.

    Raises:
      NotFoundError: if it does not exist.
      FailedPreconditionError: if it is a file.
      PermissionDeniedError: if an entry could not be removed.
    """
    name = path_to_text(path)
    root = strip_scheme(name)
    if not exists(name):
        raise errors.NotFoundError(None, None, f"{name} not found")
    if os.path.islink(root):
        remove(name)
        return
    if not os.path.isdir(root):
        raise system_error(OSError(errno.ENOTDIR, ""), name)
    failures: list[OSError] = []
    for directory, directories, files in os.walk(root, topdown=False, onerror=failures.append):
        for entry in (os.path.join(directory, name) for name in directories):
            _collect_failure(os.unlink if os.path.islink(entry) else os.rmdir, entry, failures)
        for entry in (os.path.join(directory, name) for name in files):
            _collect_failure(os.unlink, entry, failures)
    _collect_failure(os.rmdir, root, failures)
    if failures:
        raise system_error(failures[0], os.fsdecode(failures[0].filename)) from failures[0]


def _collect_failure(action: Callable[[str], None], path: str, failures: list[OSError]) -> None:
    try:
        action(path)
    except OSError as error:
        failures.append(error)


def rename(
    src: str | bytes | PathLike[str], dst: str | bytes | PathLike[str], overwrite: bool = False
) -> None:
    """Renames a file or directory.

    Args:
      src: current path.
      dst: new path.
      overwrite: whether to replace an existing file.

    Raises:
      AlreadyExistsError: if `dst` exists and `overwrite` is False.
      NotFoundError: if `src` does not exist.
    """
    source, target = path_to_text(src), path_to_text(dst)
    _check_overwrite(target, overwrite)
    with translate_errors(source):
        os.rename(strip_scheme(source), strip_scheme(target))


def copy(
    src: str | bytes | PathLike[str], dst: str | bytes | PathLike[str], overwrite: bool = False
) -> None:
    """Copies a file; `dst` is replaced atomically once the copy is complete.

    Args:
      src: path of the file.
      dst: path of the copy, not of its directory.
      overwrite: whether to replace an existing file.

    Raises:
      AlreadyExistsError: if `dst` exists and `overwrite` is False.
      NotFoundError: if `src` or the directory of `dst` does not exist.
      InvalidArgumentError: if `src` is a directory.

    Example: `tf.io.gfile.copy("model.pb", "backup/model.pb", overwrite=True)`.
    """
    source, target = path_to_text(src), path_to_text(dst)
    _check_overwrite(target, overwrite)
    if isdir(source):
        raise system_error(OSError(errno.EINVAL, ""), target)
    with translate_errors(source):
        file = open(strip_scheme(source), "rb")
    with file, translate_errors(target):
        path = strip_scheme(target)
        _replace_file(os.path.realpath(path) if path else path, file)  # keeps links


def _check_overwrite(target: str, overwrite: bool) -> None:
    if not overwrite and exists(target):
        raise errors.AlreadyExistsError(None, None, "file already exists")


def _replace_file(path: str, source: BinaryIO) -> None:
    """Writes the contents of an open file to a path atomically."""
    mode = modes.S_IMODE(os.fstat(source.fileno()).st_mode) & 0o777
    target_exists = os.path.exists(path)
    if is_device(path):
        with open(path, "wb") as out:
            out.writelines(_blocks(source))
        return
    if target_exists:
        os.close(os.open(path, os.O_WRONLY))  # checks write permission
    temporary = os.path.join(os.path.dirname(path), "copy" + temporary_ending())
    try:
        with open(temporary, "xb", opener=lambda path, flags: os.open(path, flags, mode)) as out:
            out.writelines(_blocks(source))
            if target_exists:
                os.chmod(temporary, modes.S_IMODE(os.stat(path).st_mode))
        os.replace(temporary, path)
    finally:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            os.remove(temporary)


def _blocks(file: BinaryIO) -> Iterator[bytes]:
    return iter(lambda: file.read(_BLOCK), b"")
