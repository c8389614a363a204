"""`tf.gfile`: files and folders, with the errors of TensorFlow; `tf.io.gfile` has newer names for the same."""

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
from tfmini.names.namespaces import namespace as _namespace

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

_namespace(globals())
