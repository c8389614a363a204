"""cuDNN's algorithms for a convolution, suggested by its heuristics or measured.

Convolutions use the functions `cudnnConvolution...` of cuDNN's legacy interface, deprecated since version 9 but present
in every version since 8. They need one ctypes call each; the graph interface needs a dozen descriptors and an engine.
"""

from __future__ import annotations

import ctypes
import os
from typing import Any

import numpy as np

from tfmini._src.base.records import dataclass
from tfmini._src.devices.cuda import tf32
from tfmini._src.devices.cuda.cudnn import descriptors
from tfmini._src.devices.cuda.cudnn.convolution import Convolution
from tfmini._src.devices.cuda.cudnn.library import Cudnn

_DEFAULT_MATH, _TENSOR_OPS, _FMA = 0, 1, 3  # cudnnMathType_t
_DETERMINISTIC = 1  # cudnnDeterminism_t
_MEGABYTE = 1 << 20
_MAX_WORKSPACE = 4096  # limit in megabytes
_MAX_SECONDS = 30.0
_SCALARS = {kind: np.array([1, 0], kind) for kind in ("f", "d")}  # alpha, beta


class _Performance(ctypes.Structure):
    """The structure cudnnConvolution...AlgoPerf_t."""

    _fields_ = [
        ("algorithm", ctypes.c_int),
        ("status", ctypes.c_int),
        ("milliseconds", ctypes.c_float),
        ("memory", ctypes.c_size_t),
        ("determinism", ctypes.c_int),
        ("math", ctypes.c_int),
        ("reserved", ctypes.c_int * 3),
    ]


@dataclass(frozen=True)
class Settings:
    """Settings from the environment, read when a handle is first used for a convolution.

    measures: whether to time algorithms; False if TF_CUDNN_USE_AUTOTUNE is 0 or results must be deterministic, because
      the fastest algorithm may differ between processes.
    deterministic: whether to use only algorithms with a fixed summation order: TF_CUDNN_DETERMINISTIC or
      TF_DETERMINISTIC_OPS.
    tf32: whether float32 products may use TF32: TFMINI_TF32.
    max_workspace: maximum workspace in bytes: TF_CUDNN_WORKSPACE_LIMIT_IN_MB megabytes.
    max_seconds: timing limit per GPU and process, for all convolutions together: TFMINI_CUDNN_SEARCH_SECONDS.
    """

    measures: bool
    deterministic: bool
    tf32: bool
    max_workspace: int
    max_seconds: float = _MAX_SECONDS


@dataclass(frozen=True)
class Algorithm:
    """One of cuDNN's algorithms, for images in one layout.

    channels_first: whether its images have channels first.
    enum_value: its value in the direction's enum.
    math: a cudnnMathType_t.
    workspace: required bytes.
    milliseconds: measured time; 0 if not measured.
    """

    channels_first: bool
    enum_value: int
    math: int
    workspace: int
    milliseconds: float = 0.0


def environment_settings() -> Settings:
    """Returns the current settings from the environment."""
    deterministic = _flag("TF_CUDNN_DETERMINISTIC", False) or _flag("TF_DETERMINISTIC_OPS", False)
    limit = os.environ.get("TF_CUDNN_WORKSPACE_LIMIT_IN_MB", "")
    seconds = os.environ.get("TFMINI_CUDNN_SEARCH_SECONDS", "")
    return Settings(
        measures=_flag("TF_CUDNN_USE_AUTOTUNE", True) and not deterministic,
        deterministic=deterministic,
        tf32=tf32.is_on(),
        max_workspace=(int(limit) if limit.isdecimal() else _MAX_WORKSPACE) * _MEGABYTE,
        max_seconds=float(seconds) if seconds.isdecimal() else _MAX_SECONDS,
    )


def _flag(name: str, default: bool) -> bool:
    """Returns the boolean value of a TensorFlow environment variable: "0", "1", "false" or "true"."""
    return {"0": False, "false": False, "1": True, "true": True}.get(
        os.environ.get(name, "").lower(), default
    )


class Candidates:
    """The descriptors of a convolution, with images in one order; raises CudnnError if cuDNN cannot express it."""

    def __init__(
        self, cudnn: Cudnn, settings: Settings, convolution: Convolution, channels_first: bool
    ):
        self._cudnn = cudnn
        self._settings = settings
        self._convolution = convolution
        self._channels_first = channels_first
        self._dtype = np.dtype(convolution.dtype)
        sums = np.dtype("f") if self._dtype.itemsize == 2 else self._dtype
        self._scalars = _SCALARS[sums.char]
        axes = convolution.axes
        self._requested_math = self._math = self._math_of_settings()
        self._descriptor = descriptors.convolution(
            cudnn,
            sums,
            [axis.before for axis in axes],
            [axis.stride for axis in axes],
            [axis.dilation for axis in axes],
            convolution.groups,
            self._math,
        )
        self._arrays = [
            (descriptors.filters if n == convolution.filter_position else descriptors.images)(
                cudnn, self._dtype, shape, channels_first
            )
            for n, shape in enumerate(convolution.shapes)
        ]

    def _math_of_settings(self) -> int:
        if self._dtype.itemsize == 2:
            return _TENSOR_OPS
        return _FMA if self._dtype.itemsize == 4 and not self._settings.tf32 else _DEFAULT_MATH

    def heuristic_algorithms(self) -> list[Algorithm]:
        """Lists the algorithms that cuDNN's heuristics suggest, best first; raises CudnnError if the call fails."""
        max_bytes = self._max_results()
        results, count = (_Performance * max_bytes)(), ctypes.c_int()
        name = f"cudnnGetConvolution{self._convolution.direction}Algorithm_v7"
        input_address, other, result = (array.value for array in self._arrays)
        self._cudnn.call(
            name, input_address, other, self._descriptor.value, result,
            ctypes.c_int(max_bytes), ctypes.byref(count), results,
        )  # fmt: skip
        return [self._algorithm(f, 0.0) for f in results[: count.value] if self._is_valid(f)]

    def measured_algorithms(self, gpu: Any, arrays: tuple[Any, Any, Any]) -> list[Algorithm]:
        """Returns the algorithms timed by cuDNN on these arrays, fastest first; blocks the host.

        Args:
          gpu: the current LogicalGpu.
          arrays: the inputs and outputs of a run, in the order of this convolution.

        Raises:
          CudnnError: if no algorithm could be timed.
        """
        workspace, size = self._allocate_workspace(gpu)
        max_bytes = self._max_results()
        results, count = (_Performance * max_bytes)(), ctypes.c_int()
        first, second, result = (
            (array.value, ctypes.c_void_p(value.data.ptr))
            for array, value in zip(self._arrays, arrays)
        )
        self._cudnn.call(
            f"cudnnFindConvolution{self._convolution.direction}AlgorithmEx",
            *first, *second, self._descriptor.value, *result,
            ctypes.c_int(max_bytes), ctypes.byref(count), results,
            ctypes.c_void_p(workspace.ptr if size else None), ctypes.c_size_t(size),
        )  # fmt: skip
        return [
            self._algorithm(f, f.milliseconds) for f in results[: count.value] if self._is_valid(f)
        ]

    def run(self, gpu: Any, algorithm: Algorithm, arrays: tuple[Any, Any, Any]) -> None:
        """Computes the last array from the other arrays; raises CudnnError if the cuDNN call fails."""
        cudnn = self._cudnn
        workspace = gpu.xp.empty(algorithm.workspace, np.uint8)
        if algorithm.math != self._math:
            self._math = algorithm.math
            cudnn.call_without_handle(
                "cudnnSetConvolutionMathType", self._descriptor.value, ctypes.c_int(self._math)
            )
        first, second, result = (
            (array.value, ctypes.c_void_p(value.data.ptr))
            for array, value in zip(self._arrays, arrays)
        )
        scalars = self._scalars
        one = ctypes.c_void_p(scalars.ctypes.data)
        zero = ctypes.c_void_p(scalars.ctypes.data + scalars.itemsize)
        cudnn.call(
            f"cudnnConvolution{self._convolution.direction}",
            one, *first, *second, self._descriptor.value, ctypes.c_int(algorithm.enum_value),
            ctypes.c_void_p(workspace.data.ptr if algorithm.workspace else None),
            ctypes.c_size_t(algorithm.workspace),
            zero, *result,
        )  # fmt: skip

    def _max_results(self) -> int:
        count = ctypes.c_int()
        name = f"cudnnGetConvolution{self._convolution.direction}AlgorithmMaxCount"
        self._cudnn.call(name, ctypes.byref(count))
        return count.value

    def _allocate_workspace(self, gpu: Any) -> tuple[Any, int]:
        """Returns a workspace for as many algorithms as possible, outside the step's memory so no graph retains it."""
        sizes = {0, *(algorithm.workspace for algorithm in self.heuristic_algorithms())}
        for size in sorted(sizes, reverse=True):
            try:
                return gpu.allocate(size), size
            except MemoryError:
                if not size:
                    raise
        raise AssertionError("a workspace of 0 bytes is always tried")

    def _is_valid(self, result: _Performance) -> bool:
        if result.status or result.memory > self._settings.max_workspace:
            return False
        if self._settings.deterministic and result.determinism != _DETERMINISTIC:
            return False
        return self._requested_math != _FMA or result.math in (_DEFAULT_MATH, _FMA)

    def _algorithm(self, result: _Performance, milliseconds: float) -> Algorithm:
        math = _FMA if self._requested_math == _FMA else result.math
        return Algorithm(
            self._channels_first, result.algorithm, math, result.memory, round(milliseconds, 6)
        )


def describe_algorithm(convolution: Convolution, algorithm: Algorithm) -> str:
    """Returns a readable summary: direction, number, order, workspace and time."""
    order = "first" if algorithm.channels_first else "last"
    timing = f", measured {algorithm.milliseconds:.3f} ms" if algorithm.milliseconds else ""
    return (
        f"cuDNN's algorithm {algorithm.enum_value} of {convolution.direction}, channels {order}, "
        f"workspace {algorithm.workspace / _MEGABYTE:.1f} MiB{timing}"
    )
