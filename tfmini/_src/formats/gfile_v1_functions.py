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
    """`tf.io.gfile.copy` of the file `oldpath` to the path `newpath`."""
    gfile_functions.copy(oldpath, newpath, overwrite)


def DeleteRecursively(dirname: str | bytes | PathLike[str]) -> None:
    """`tf.io.gfile.rmtree` of the folder `dirname`."""
    gfile_functions.rmtree(dirname)


def Exists(filename: str | bytes | PathLike[str]) -> bool:
    """`tf.io.gfile.exists`: whether a file or folder exists at a path."""
    return gfile_functions.exists(filename)


def Glob(filename: str | PathLike[str] | Iterable[str | bytes | PathLike[str]]) -> list[str]:
    """`tf.io.gfile.glob`: the paths that match a pattern, or any of several.

    Example: `tf.gfile.Glob("data/*.csv")`.
    """
    return gfile_functions.glob(filename)


def IsDirectory(dirname: str | bytes | PathLike[str]) -> bool:
    """`tf.io.gfile.isdir`: whether a path is a folder; False if it does not exist."""
    return gfile_functions.isdir(dirname)


def ListDirectory(dirname: str | bytes | PathLike[str]) -> list[str]:
    """`tf.io.gfile.listdir`: the entries of the folder `dirname`, in arbitrary order."""
    return gfile_functions.listdir(dirname)


def MakeDirs(dirname: str | bytes | PathLike[str]) -> None:
    """`tf.io.gfile.makedirs` of the folder `dirname` and its missing parents."""
    gfile_functions.makedirs(dirname)


def MkDir(dirname: str | bytes | PathLike[str]) -> None:
    """`tf.io.gfile.mkdir` of the folder `dirname` in an existing parent."""
    gfile_functions.mkdir(dirname)


def Remove(filename: str | bytes | PathLike[str]) -> None:
    """`tf.io.gfile.remove` of the file `filename`."""
    gfile_functions.remove(filename)


def Rename(
    oldname: str | bytes | PathLike[str],
    newname: str | bytes | PathLike[str],
    overwrite: bool = False,
) -> None:
    """`tf.io.gfile.rename` of a file or folder from `oldname` to `newname`."""
    gfile_functions.rename(oldname, newname, overwrite)


def Stat(filename: str | bytes | PathLike[str]) -> gfile_functions.FileStatistics:
    """`tf.io.gfile.stat`: the status of a path, with `length`, `mtime_nsec` and `is_directory`."""
    return gfile_functions.stat(filename)


def Walk(
    top: str | bytes | PathLike[str], in_order: bool = True
) -> Iterator[tuple[str, list[str], list[str]]]:
    """`tf.io.gfile.walk`; `in_order`: whether a folder comes before its subfolders rather than after."""
    return gfile_functions.walk(top, in_order)
