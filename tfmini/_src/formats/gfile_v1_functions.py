"""The functions of `tf.gfile`: those of `tf.io.gfile` by their older names and arguments."""

from __future__ import annotations

from tfmini._src.formats import gfile_functions


def Copy(oldpath, newpath, overwrite=False):
    """Copies a file. Until the copy is complete, `newpath` holds what it held before.

    Args:
      oldpath: the path of the file.
      newpath: the path of the copy, not of a folder for it.
      overwrite: replace what is there.

    Raises:
      AlreadyExistsError: there is something at `newpath`, and `overwrite` is False.
      NotFoundError: there is nothing at `oldpath`, or no folder for `newpath`.
    """
    gfile_functions.copy(oldpath, newpath, overwrite)


def DeleteRecursively(dirname):
    """Removes a folder with all that is in it. A link is removed; its target stays.

    Args:
      dirname: the path of the folder.

    Raises:
      NotFoundError: there is nothing.
      FailedPreconditionError: it is a file.
    """
    gfile_functions.rmtree(dirname)


def Exists(filename):
    """Whether there is a file or a folder at a path.

    Args:
      filename: the path.
    """
    return gfile_functions.exists(filename)


def Glob(filename):
    """The paths that match a pattern, or any of several.

    Args:
      filename: a pattern, or an iterable of patterns; `*`, `?` and sets in brackets stand for what is within a name.

    Returns:
      A list of strings.

    Raises:
      NotFoundError: the folder in front of the first wildcard is not there.

    Example: `tf.gfile.Glob("data/*.csv")`.
    """
    return gfile_functions.glob(filename)


def IsDirectory(dirname):
    """Whether a path is a folder; False too if there is nothing.

    Args:
      dirname: the path.
    """
    return gfile_functions.isdir(dirname)


def ListDirectory(dirname):
    """The names of the entries of a folder, in no order.

    Args:
      dirname: the path of the folder.

    Raises:
      NotFoundError: there is no such folder.
    """
    return gfile_functions.listdir(dirname)


def MakeDirs(dirname):
    """Makes a folder and its missing parents.

    Args:
      dirname: the path of the folder.

    Raises:
      FailedPreconditionError: one of them is a file.
    """
    gfile_functions.makedirs(dirname)


def MkDir(dirname):
    """Makes a folder whose parent exists; does nothing if a file or folder has this name.

    Args:
      dirname: the path of the new folder.

    Raises:
      NotFoundError: the folder that it is to be in is not there.
    """
    gfile_functions.mkdir(dirname)


def Remove(filename):
    """Removes a file.

    Args:
      filename: the path of the file.

    Raises:
      NotFoundError: there is no such file.
      FailedPreconditionError: it is a folder.
    """
    gfile_functions.remove(filename)


def Rename(oldname, newname, overwrite=False):
    """Gives a file or folder another path.

    Args:
      oldname: the path it has.
      newname: the path it gets.
      overwrite: replace what is there.

    Raises:
      AlreadyExistsError: there is something at `newname`, and `overwrite` is False.
      NotFoundError: there is nothing at `oldname`.
    """
    gfile_functions.rename(oldname, newname, overwrite)


def Stat(filename):
    """The status of a path: an object with `length`, `mtime_nsec` and `is_directory`.

    Args:
      filename: the path of a file or folder.

    Raises:
      NotFoundError: there is nothing.
    """
    return gfile_functions.stat(filename)


def Walk(top, in_order=True):
    """Walks a folder and all folders in it.

    Args:
      top: the path of the folder.
      in_order: a folder comes before those in it, else after them.

    Returns:
      An iterator of tuples: the path of a folder, the names of the folders in it, those of its other files.
    """
    return gfile_functions.walk(top, in_order)
