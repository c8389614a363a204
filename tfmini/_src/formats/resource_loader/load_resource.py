"""Directories of a program's data files."""

from __future__ import annotations

import sys
from pathlib import Path

from tfmini._src.base.package import PACKAGE_DIRECTORY

_PACKAGE = Path(PACKAGE_DIRECTORY).resolve()


def load_resource(path: str) -> bytes:
    """Reads a file below the directory of the package tfmini.

    Raises:
      OSError: if it cannot be read.
    """
    return (_PACKAGE / path).read_bytes()


def get_data_files_path() -> str:
    """Returns the directory of the calling source file.

    Example:

      path = os.path.join(tf.resource_loader.get_data_files_path(), "vocabulary.txt")
    """
    return _caller_directory()


def get_path_to_datafile(path: str) -> str:
    """Returns the path of a file next to the calling source file; it need not exist."""
    return str(Path(_caller_directory()) / path)


def get_root_dir_with_all_resources() -> str:
    """Returns the directory of the package tfmini; in a Bazel runfiles tree, the top-level directory above it."""
    below = _PACKAGE
    for parent in _PACKAGE.parents:
        if ".runfiles" in parent.name:
            return str(below)
        below = parent
    return str(_PACKAGE)


def readahead_file_path(path: str, readahead: str = "128M") -> str:
    """Returns the path unchanged."""
    return path


def _caller_directory() -> str:
    """Returns the directory of the source file two frames up."""
    return str(Path(sys._getframe(2).f_code.co_filename).parent)
