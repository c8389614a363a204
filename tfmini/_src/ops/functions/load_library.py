"""C++ op libraries, which are unsupported; the errors suggest alternatives."""

from __future__ import annotations

import os
from typing import Any, NoReturn

from tfmini._src.base.errors import NotFoundError
from tfmini._src.base.names.deprecation import deprecated


def load_op_library(library_filename: str) -> Any:
    """Unsupported, because tfmini cannot run compiled C++ ops. `tf.py_func` calls a Python function in a graph.

    Args:
      library_filename: the path of the library.

    Raises:
      NotFoundError: if the file does not exist.
      NotImplementedError: if the file exists.
    """
    _check_file(library_filename)
    _raise_no_custom_ops_error("tf.load_op_library", library_filename)


@deprecated(None, "Use `tf.load_library` instead.")
def load_file_system_library(library_filename: str) -> None:
    """Unsupported, because Python reads all files, from mounted file systems.

    Args:
      library_filename: the path of the library.

    Raises:
      NotFoundError: if the file does not exist.
      NotImplementedError: if the file exists.
    """
    _check_file(library_filename)
    raise NotImplementedError(
        f"tf.load_file_system_library({library_filename!r}): tfmini can only read mounted file systems. Mount it, or "
        "copy the files."
    )


def load_library(library_location: str) -> None:
    """Unsupported, because tfmini cannot run compiled C++ ops. `tf.py_func` calls a Python function in a graph.

    Args:
      library_location: the path of a library, or of a directory of libraries.

    Raises:
      OSError: if the path does not exist.
      NotImplementedError: if the path exists.
    """
    if not os.path.exists(library_location):
        text = "The file or folder to load kernel libraries from does not exist."
        raise FileNotFoundError(2, text, library_location)
    _raise_no_custom_ops_error("tf.load_library", library_location)


def _check_file(path: str) -> None:
    if not os.path.exists(path):
        text = f"{path}: cannot open shared object file: No such file or directory"
        raise NotFoundError(None, None, text)


def _raise_no_custom_ops_error(name: str, path: str) -> NoReturn:
    raise NotImplementedError(
        f"{name}({path!r}): tfmini cannot run ops compiled from C++. Write the op as a Python function and call it "
        "with tf.py_func, with a gradient from tf.custom_gradient or gradient_override_map."
    )
