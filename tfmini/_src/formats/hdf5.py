"""HDF5 files; h5py is imported on first use."""

from __future__ import annotations

import os
from typing import Any

from tfmini._src.base.error_hints import add_hint
from tfmini._src.formats.schemes import local_path

_SIGNATURE = b"\x89HDF\r\n\x1a\n"


def require_h5py(message: str) -> Any:
    """Imports and returns the module h5py; raises ImportError with `message` if it is missing."""
    try:
        import h5py  # type: ignore  # noqa: PLC0415
    except ImportError:
        raise add_hint(
            ImportError(message), "pip install 'tfmini-runtime[keras]' installs h5py."
        ) from None
    return h5py


def is_hdf5(path: str) -> bool:
    """Whether a path is an HDF5 file, possibly with a user block before the signature."""
    path = local_path(path)
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        start = file.read(2056)
    return any(start[offset : offset + 8] == _SIGNATURE for offset in (0, 512, 1024, 2048))


def is_open_file(value: Any) -> bool:
    """Whether `value` is an open HDF5 file."""
    return type(value).__module__.partition(".")[0] == "h5py"


def text(value: Any) -> str:
    """Returns a text attribute as str; old files store it as bytes."""
    return value.decode("utf8") if isinstance(value, bytes) else str(value)
