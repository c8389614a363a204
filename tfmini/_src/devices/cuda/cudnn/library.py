"""libcudnn: locating it, a handle for one stream, and errors of failed calls."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

from tfmini._src.base.names.lazy_imports import pathlib
from tfmini._src.base.read_only import read_only
from tfmini._src.devices.cuda.cublas import open_cublas
from tfmini._src.devices.launch_hooks import notify_launch, watchers

if TYPE_CHECKING:
    from pathlib import Path

# The RNN functions used here were introduced in version 8. `cudnnGetVersion` changed its encoding in version 9,
# but still increases.
_FIRST_VERSION = 8100

# Sublibraries by version, in dependency order.
_SUBLIBRARIES = {
    "8": (
        *("cudnn_ops_infer", "cudnn_ops_train", "cudnn_cnn_infer", "cudnn_cnn_train"),
        *("cudnn_adv_infer", "cudnn_adv_train"),  # recurrent nets
    ),
    "9": ("cudnn_graph", "cudnn_ops", "cudnn_cnn", "cudnn_adv"),
}
_NOT_LOADED = 1008

# Name prefixes of compute functions.
_COMPUTE_FUNCTIONS = ("cudnnConvolution", "cudnnRNNForward", "cudnnRNNBackward")

_STATUS = {
    1001: "not initialized",
    1002: "its parts have different versions",
    1008: "a part of it could not be loaded",
    2000: "bad parameter",
    2001: "invalid value",
    2002: "bad parameter: null pointer",
    2003: "bad parameter: misaligned pointer",
    2005: "bad parameter: out of bounds",
    2006: "bad parameter: size insufficient",
    2008: "bad parameter: shapes do not fit",
    3000: "not supported",
    3002: "shape not supported",
    3003: "data type not supported",
    3004: "layout not supported",
    3007: "not supported by this GPU",
    4000: "internal error",
    4003: "host memory ran out",
    4004: "device memory ran out",
    5000: "execution failed",
    5001: "execution failed in the driver",
    5002: "execution failed in cuBLAS",
}
# Version 8 uses different numbers.
_OLD_STATUS = {
    1: "not initialized",
    2: "allocation failed",
    3: "bad parameter",
    4: "internal error",
    5: "invalid value",
    6: "architecture mismatch",
    7: "mapping error",
    8: "execution failed",
    9: "not supported",
    11: "runtime prerequisite missing",
    13: "version mismatch",
}


def open_cudnn(major: int) -> ctypes.CDLL | None:
    """Loads libcudnn for a CUDA major version, from an installation or NVIDIA's wheels; None if not installed.

    libcudnn only forwards calls to sublibraries, which it loads on demand, and aborts the process if one cannot be
    loaded. The sublibraries are therefore loaded here.
    """
    try:
        from cuda import pathfinder  # noqa: PLC0415  comes with CuPy
    except ImportError:
        return None
    try:
        path = pathfinder.load_nvidia_dynamic_lib("cudnn").abs_path
        library = ctypes.CDLL(path)
    except (RuntimeError, OSError):  # raised if it is missing
        return None
    if open_cublas(major) is None:  # its sublibraries load cuBLAS by name
        raise CudnnError("cuDNN requires cuBLAS, which was not found", _NOT_LOADED)
    for part in _sublibraries(pathlib.Path(path)):
        try:
            ctypes.CDLL(part)
        except OSError as error:
            raise CudnnError(f"cuDNN: {error}", _NOT_LOADED) from error
    return library


def _sublibraries(library: Path) -> list[str]:
    """Lists the sublibraries required by convolutions and recurrent networks, in versions that have sublibraries."""
    major = library.name.partition(".so.")[2].partition(".")[0]  # of libcudnn.so.9
    return [
        str(library.with_name(f"lib{name}.so.{major}")) for name in _SUBLIBRARIES.get(major, ())
    ]


def installed_cudnn_version(major: int) -> str | None:
    """Returns the version of libcudnn for a CUDA major version, or None; raises CudnnError like `open_cudnn`."""
    library = open_cudnn(major)
    if library is None:
        return None
    library.cudnnGetVersion.restype = ctypes.c_size_t
    return version_text(int(library.cudnnGetVersion()))


def version_text(version: int) -> str:
    """Returns the version as text, given the result of `cudnnGetVersion`: 90501 is 9.5.1, 8907 is 8.9.7."""
    major, remainder = divmod(version, 10000 if version >= 90000 else 1000)
    return f"{major}.{remainder // 100}.{remainder % 100}"


class CudnnError(RuntimeError):
    """Raised when a cuDNN call fails.

    status: the cudnnStatus_t that it returned.
    """

    def __init__(self, name: str, status: int):
        statuses = _STATUS if status > 1000 else _OLD_STATUS
        super().__init__(f"{name}: {statuses.get(status, 'unknown status')} ({status})")
        self.status = status


class Cudnn:
    """A handle of libcudnn for one fixed stream, whose GPU must be current, so that its calls can be captured.

    Raises:
      CudnnError: if no handle can be created.
    """

    handle: ctypes.c_void_p = read_only(
        "The cudnnHandle_t, for functions in which it is not the first argument."
    )

    def __init__(self, library: ctypes.CDLL, stream: int):
        self.library = library
        library.cudnnGetVersion.restype = ctypes.c_size_t
        self.version = int(library.cudnnGetVersion())
        self.objects: dict[Any, Any] = {}  # objects created once per handle, by purpose
        self._handle = ctypes.c_void_p()
        if self.version < _FIRST_VERSION:
            raise CudnnError(
                f"cuDNN {version_text(self.version)} is older than 8.1, the minimum version", 3000
            )
        self.call_without_handle("cudnnCreate", ctypes.byref(self._handle))
        self.call("cudnnSetStream", ctypes.c_void_p(stream))

    def call_without_handle(self, name: str, *arguments: Any) -> None:
        """Calls a function without a handle argument; raises CudnnError if the call fails."""
        status = getattr(self.library, name)(*arguments)
        if status:
            raise CudnnError(name, status)

    def call(self, name: str, *arguments: Any) -> None:
        """Calls a function whose first argument is the handle; raises CudnnError if the call fails."""
        if watchers and name.startswith(_COMPUTE_FUNCTIONS):
            notify_launch("cuDNN", name)
        self.call_without_handle(name, self._handle, *arguments)
