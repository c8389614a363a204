"""The functions of `tf.gfile`: those of `tf.io.gfile` with their older names and arguments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from os import PathLike

from tfmini._src.formats import gfile_functions


def Copy(
    oldpath: str | bytes | PathLike[str],
    newpath: str | bytes | PathLike[str],
    overwrite: bool = False,
) -> None:
    """Copies a file; `newpath` is replaced atomically once the copy is complete.

    Args:
      oldpath: path of the file.
      newpath: path of the copy, not of its folder.
      overwrite: whether to replace an existing file.

    Raises:
      AlreadyExistsError: if `newpath` exists and `overwrite` is False.
      NotFoundError: if `oldpath` or the folder of `newpath` does not exist.
    """
    gfile_functions.copy(oldpath, newpath, overwrite)


def DeleteRecursively(dirname: str | bytes | PathLike[str]) -> None:
    """Removes a folder and its contents; a link is removed without its target.

    Args:
      dirname: path of the folder.

    Raises:
      NotFoundError: if it does not exist.
      FailedPreconditionError: if it is a file.
    """
    gfile_functions.rmtree(dirname)


def Exists(filename: str | bytes | PathLike[str]) -> bool:
    """Whether a file or folder exists at a path.

    Args:
      filename: the path.
    """
    return gfile_functions.exists(filename)


def Glob(filename: str | PathLike[str] | Iterable[str | bytes | PathLike[str]]) -> list[str]:
    """Returns the paths that match a pattern, or any of several.

    Args:
      filename: a pattern, or an iterable of patterns; `*`, `?` and bracket sets match within a path component.

    Returns:
      A list of strings.

    Raises:
      NotFoundError: if the folder before the first wildcard does not exist.

    Example: `tf.gfile.Glob("data/*.csv")`.
    """
    return gfile_functions.glob(filename)


def IsDirectory(dirname: str | bytes | PathLike[str]) -> bool:
    """Whether a path is a folder; False if it does not exist.

    Args:
      dirname: the path.
    """
    return gfile_functions.isdir(dirname)


def ListDirectory(dirname: str | bytes | PathLike[str]) -> list[str]:
    """Lists the entries of a folder, in arbitrary order.

    Args:
      dirname: path of the folder.

    Raises:
      NotFoundError: if the folder does not exist.
    """
    return gfile_functions.listdir(dirname)


def MakeDirs(dirname: str | bytes | PathLike[str]) -> None:
    """Creates a folder and its missing parents.

    Args:
      dirname: path of the folder.

    Raises:
      FailedPreconditionError: if one of them is a file.
    """
    gfile_functions.makedirs(dirname)


def MkDir(dirname: str | bytes | PathLike[str]) -> None:
    """Creates a folder in an existing parent; does nothing if the path already exists.

    Args:
      dirname: path of the new folder.

    Raises:
      NotFoundError: if the parent folder does not exist.
    """
    gfile_functions.mkdir(dirname)


def Remove(filename: str | bytes | PathLike[str]) -> None:
    """Removes a file.

    Args:
      filename: path of the file.

    Raises:
      NotFoundError: if the file does not exist.
      FailedPreconditionError: if it is a folder.
    """
    gfile_functions.remove(filename)


def Rename(
    oldname: str | bytes | PathLike[str],
    newname: str | bytes | PathLike[str],
    overwrite: bool = False,
) -> None:
    """Renames a file or folder.

    Args:
      oldname: current path.
      newname: new path.
      overwrite: whether to replace an existing file.

    Raises:
      AlreadyExistsError: if `newname` exists and `overwrite` is False.
      NotFoundError: if `oldname` does not exist.
    """
    gfile_functions.rename(oldname, newname, overwrite)


def Stat(filename: str | bytes | PathLike[str]) -> gfile_functions.FileStatistics:
    """Returns the status of a path: an object with `length`, `mtime_nsec` and `is_directory`.

    Args:
      filename: path of a file or folder.

    Raises:
      NotFoundError: if it does not exist.
    """
    return gfile_functions.stat(filename)


def Walk(
    top: str | bytes | PathLike[str], in_order: bool = True
) -> Iterator[tuple[str, list[str], list[str]]]:
    """Walks a folder recursively.

    Args:
      top: path of the folder.
      in_order: whether a folder comes before its subfolders rather than after.

    Returns:
      An iterator of tuples: a folder path, the names of its subfolders, and the names of its files.
    """
    return gfile_functions.walk(top, in_order)
