"""`tf.io.gfile`: files and folders, with the errors of TensorFlow."""

from tfmini.formats.file_objects import GFile
from tfmini.formats.file_system import (
    copy,
    exists,
    glob,
    isdir,
    listdir,
    makedirs,
    mkdir,
    remove,
    rename,
    rmtree,
    stat,
    walk,
)
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "GFile",
    "copy",
    "exists",
    "glob",
    "isdir",
    "listdir",
    "makedirs",
    "mkdir",
    "remove",
    "rename",
    "rmtree",
    "stat",
    "walk",
]

_namespace(globals())
