"""`tensorflow.python.platform.gfile`: what `tf.gfile` offers."""

from tfmini.formats.file_objects import FastGFile, GFile
from tfmini.formats.older_file_names import (
    Copy,
    DeleteRecursively,
    Exists,
    Glob,
    IsDirectory,
    ListDirectory,
    MakeDirs,
    MkDir,
    Remove,
    Rename,
    Stat,
    Walk,
)

Open = GFile

__all__ = [
    "Copy",
    "DeleteRecursively",
    "Exists",
    "FastGFile",
    "GFile",
    "Glob",
    "IsDirectory",
    "ListDirectory",
    "MakeDirs",
    "MkDir",
    "Open",
    "Remove",
    "Rename",
    "Stat",
    "Walk",
]
