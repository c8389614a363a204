"""safetensors files: arrays and a dict of strings. The package safetensors is imported on first use."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any

import numpy as np

from tfmini._src.base.errors import DataLossError
from tfmini._src.base.missing_package import missing_package
from tfmini._src.formats.atomic_write import atomic_write
from tfmini._src.formats.system_errors import translate_errors

_NAMES = {
    *("bool", "bfloat16", "float16", "float32", "float64", "complex64"),
    *(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)),
}
_LARGEST_HEADER = 100_000_000  # the format's limit in bytes


def _library() -> Any:
    try:
        import safetensors.numpy  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise missing_package("Such files", "safetensors", "safetensors", error) from None
    return safetensors


def can_store(dtype: np.dtype) -> bool:
    """Whether the format supports the dtype."""
    return dtype.name in _NAMES


def may_be_safetensors(start: bytes) -> bool:
    """Whether a file that starts with these bytes may be a safetensors file: a header length, then JSON."""
    return start[8:9] == b"{" and struct.unpack_from("<Q", start)[0] <= _LARGEST_HEADER


def write(path: str, arrays: Mapping[str, np.ndarray], metadata: Mapping[str, str]) -> None:
    """Writes a file atomically.

    Raises:
      UnimplementedError: if the package is missing.
      OpError: if the file cannot be written.
    """
    library = _library()
    with atomic_write(path) as file:
        contiguous = {name: np.asarray(array, order="C") for name, array in arrays.items()}
        library.numpy.save_file(contiguous, file.name, metadata=dict(metadata))


def read(path: str) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """Reads a file; returns its arrays and metadata.

    Raises:
      UnimplementedError: if the package is missing.
      DataLossError: if it is damaged.
      OpError: if it cannot be read.
    """
    library = _library()
    try:
        with translate_errors(path), library.safe_open(path, framework="np") as file:
            arrays = {name: file.get_tensor(name) for name in file.keys()}
            return arrays, file.metadata() or {}
    except library.SafetensorError as error:
        raise DataLossError(None, None, f"{path}: {error}") from None
