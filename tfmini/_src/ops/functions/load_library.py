"""Libraries of ops in C++: refused, with the way out."""

from __future__ import annotations

import os
from typing import Any, NoReturn

from tfmini._src.base.errors import NotFoundError
from tfmini._src.base.names.deprecation import deprecated


def load_op_library(library_filename: str) -> Any:
    """Refused: tfmini runs no ops compiled from C++. `tf.py_func` calls a Python function in a graph.

    Args:
      library_filename: the library.

    Raises:
      NotFoundError: if there is no such file.
      NotImplementedError: if there is one.
    """
    _check_file(library_filename)
    _refuse("tf.load_op_library", library_filename)


@deprecated(None, "Use `tf.load_library` instead.")
def load_file_system_library(library_filename: str) -> None:
    """Refused: files are read by Python, from the file systems that are mounted.

    Args:
      library_filename: the library.

    Raises:
      NotFoundError: if there is no such file.
      NotImplementedError: if there is one.
    """
    _check_file(library_filename)
    raise NotImplementedError(
        f"tf.load_file_system_library({library_filename!r}): tfmini reads the file systems that are mounted. Mount "
        "it, or copy the files."
    )


def load_library(library_location: str) -> None:
    """Refused: tfmini runs no ops compiled from C++. `tf.py_func` calls a Python function in a graph.

    Args:
      library_location: a library, or a folder of libraries.

    Raises:
      OSError: if it is not there.
      NotImplementedError: if it is.
    """
    if not os.path.exists(library_location):
        text = "The file or folder to load kernel libraries from does not exist."
        raise FileNotFoundError(2, text, library_location)
    _refuse("tf.load_library", library_location)


def _check_file(path: str) -> None:
    if not os.path.exists(path):
        text = f"{path}: cannot open shared object file: No such file or directory"
        raise NotFoundError(None, None, text)


def _refuse(name: str, path: str) -> NoReturn:
    raise NotImplementedError(
        f"{name}({path!r}): tfmini runs no ops compiled from C++. Write the op as a Python function and call it by "
        "tf.py_func, with a gradient by tf.custom_gradient or gradient_override_map."
    )
