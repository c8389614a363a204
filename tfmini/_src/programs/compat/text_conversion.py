"""Bytes, text, paths, and number types."""

from __future__ import annotations

import numbers
import os
from os import PathLike
from typing import Any

import numpy as np

from tfmini._src.graph.tensor import TensorLike

integral_types = (numbers.Integral, np.integer)
real_types = (numbers.Real, np.integer, np.floating)
complex_types = (numbers.Complex, np.number)
bytes_or_text_types = (bytes, str)


def as_bytes(bytes_or_text: str | bytes, encoding: str = "utf-8") -> bytes:
    """Encodes text and returns bytes unchanged; raises TypeError for anything else."""
    if isinstance(bytes_or_text, str):
        return bytes_or_text.encode(encoding)
    if isinstance(bytes_or_text, bytes):
        return bytes_or_text
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


def as_text(bytes_or_text: str | bytes, encoding: str = "utf-8") -> str:
    """Decodes bytes and returns text unchanged; raises TypeError for anything else."""
    if isinstance(bytes_or_text, str):
        return bytes_or_text
    if isinstance(bytes_or_text, bytes):
        return bytes_or_text.decode(encoding)
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


as_str = as_text


def as_str_any(value: TensorLike) -> str:
    """Decodes bytes; converts anything else by `str`."""
    return as_str(value) if isinstance(value, bytes) else str(value)


def path_to_str(path: str | bytes | PathLike[str]) -> Any:
    """Converts a path object to text; returns anything else unchanged."""
    return as_str_any(os.fspath(path)) if hasattr(path, "__fspath__") else path
