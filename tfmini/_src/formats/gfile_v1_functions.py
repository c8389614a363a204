"""The functions of `tf.gfile`: `tf.io.gfile` under older names, with older arguments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from os import PathLike

from tfmini._src.formats import gfile_functions


def Copy(
    oldpath: str | bytes | PathLike[str],
    newpath: str | bytes | PathLike[str],
    overwrite: bool = False,
) -> None:
    """Copies the file `oldpath` to the path `newpath`; see `tf.io.gfile.copy`."""
    gfile_functions.copy(oldpath, newpath, overwrite)


def DeleteRecursively(dirname: str | bytes | PathLike[str]) -> None:
    """Removes the directory `dirname` and its contents; see `tf.io.gfile.rmtree`."""
    gfile_functions.rmtree(dirname)


def Exists(filename: str | bytes | PathLike[str]) -> bool:
    """Whether a file or directory exists at a path; see `tf.io.gfile.exists`."""
    return gfile_functions.exists(filename)


def Glob(filename: str | PathLike[str] | Iterable[str | bytes | PathLike[str]]) -> list[str]:
    """Returns the paths that match a pattern, or any of several; see `tf.io.gfile.glob`.

    Example: `tf.gfile.Glob("data/*.csv")`.
    """
    return gfile_functions.glob(filename)


def IsDirectory(dirname: str | bytes | PathLike[str]) -> bool:
    """Whether a path is a directory; False if it does not exist. See `tf.io.gfile.isdir`."""
    return gfile_functions.isdir(dirname)


def ListDirectory(dirname: str | bytes | PathLike[str]) -> list[str]:
    """Lists the entries of the directory `dirname`, in arbitrary order; see `tf.io.gfile.listdir`."""
    return gfile_functions.listdir(dirname)


def MakeDirs(dirname: str | bytes | PathLike[str]) -> None:
    """Creates the directory `dirname` and its missing parents; see `tf.io.gfile.makedirs`."""
    gfile_functions.makedirs(dirname)


def MkDir(dirname: str | bytes | PathLike[str]) -> None:
    """Creates the directory `dirname` in an existing parent; see `tf.io.gfile.mkdir`."""
    gfile_functions.mkdir(dirname)


def Remove(filename: str | bytes | PathLike[str]) -> None:
    """Removes the file `filename`; see `tf.io.gfile.remove`."""
    gfile_functions.remove(filename)


def Rename(
    oldname: str | bytes | PathLike[str],
    newname: str | bytes | PathLike[str],
    overwrite: bool = False,
) -> None:
    """Renames a file or directory from `oldname` to `newname`; see `tf.io.gfile.rename`."""
    gfile_functions.rename(oldname, newname, overwrite)


def Stat(filename: str | bytes | PathLike[str]) -> gfile_functions.FileStatistics:
    """Returns the status of a path, with `length`, `mtime_nsec` and `is_directory`; see `tf.io.gfile.stat`."""
    return gfile_functions.stat(filename)


def Walk(
    top: str | bytes | PathLike[str], in_order: bool = True
) -> Iterator[tuple[str, list[str], list[str]]]:
    """Same as `tf.io.gfile.walk`; `in_order` selects whether a directory precedes its subdirectories."""
    return gfile_functions.walk(top, in_order)
