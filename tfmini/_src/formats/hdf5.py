"""HDF5 files; h5py is imported on first use."""

from __future__ import annotations

from typing import Any


def require_h5py(message: str) -> Any:
    """The module h5py."""
    try:
        import h5py  # type: ignore  # noqa: PLC0415
    except ImportError:
        raise ImportError(message) from None
    return h5py


def is_open_file(value: Any) -> bool:
    """Whether `value` is an open HDF5 file."""
    return type(value).__module__.partition(".")[0] == "h5py"


def text(value: Any) -> str:
    """An attribute that is text, which old files have as bytes."""
    return value.decode("utf8") if isinstance(value, bytes) else str(value)
