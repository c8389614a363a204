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
from tfmini.hints import no_attributes as _no_attributes

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

__getattr__ = _no_attributes(__name__, globals())
