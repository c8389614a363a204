"""Matrix products with epilogues, computed by cublasLt: a bias, ReLU or row sums of a factor in the same launch.

As in `cublas`, the library's column-major matrices are the transposes of the arrays, and its factors are swapped:
the rows of its result are our columns, along which it adds a bias.
"""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple

import numpy as np

from tfmini._src.devices.cuda import tf32
from tfmini._src.devices.cuda.cublas import CublasError
from tfmini._src.devices.launch_hooks import notify_launch, watchers

# cublasLtEpilogue_t. The last two also sum the second or first operand over the contracted axis.
RELU, BIAS, SUMS_OF_SECOND, SUMS_OF_FIRST = 2, 4, 256, 512

# cublasOperation_t
_KEEP, _TRANSPOSE = 0, 1
# By dtype: cudaDataType, cublasComputeType_t, and the type of the factors 1 and 0.
_TYPES = {"e": (2, 68, "f"), "f": (0, 68, "f"), "d": (1, 70, "d")}
_SCALARS = {"f": 0, "d": 1}
_TF32 = 77  # CUBLAS_COMPUTE_32F_FAST_TF32
# cublasLtMatmulDescAttributes_t
_TRANSPOSE_FIRST, _TRANSPOSE_SECOND, _EPILOGUE, _VECTOR = 3, 4, 7, 8
# cublasLtMatmulPreferenceAttributes_t; the alignments of A, B, C and D are consecutive.
_WORKSPACE, _REDUCTIONS, _ALIGNMENTS = 1, 3, 5
# cublasLtReductionScheme_t: partial sums in place or in the compute type, not in the output type.
_FULL_SUMS = 1 | 2
# Statuses for unsupported problems: invalid value, architecture mismatch, not supported.
_REFUSALS = (7, 8, 15)
_MAX_PLANS = 1024


class _Algorithm(ctypes.Structure):
    """The structure cublasLtMatmulHeuristicResult_t."""

    _fields_ = [
        ("algorithm", ctypes.c_uint64 * 8),
        ("workspace", ctypes.c_size_t),
        ("status", ctypes.c_int),
        ("waves", ctypes.c_float),
        ("reserved", ctypes.c_int * 4),
    ]


class _Plan(NamedTuple):
    """The descriptors and algorithm of products with fixed shapes."""

    description: _Descriptor
    layouts: list[_Descriptor]
    algorithm: _Algorithm


class CublasLt:
    """A handle of libcublasLt for one stream, with a workspace of `size` bytes that only this stream uses."""

    def __init__(self, library: ctypes.CDLL, stream: int, workspace: int, size: int):
        self._library = library
        self._stream, self._workspace = ctypes.c_void_p(stream), ctypes.c_void_p(workspace)
        self._size = size
        self._handle = ctypes.c_void_p()
        self._plans: dict[tuple[object, ...], _Plan | None] = {}
        self._scalars = {dtype: (np.ones((), dtype), np.zeros((), dtype)) for dtype in _SCALARS}
        _call_checked(library, "cublasLtCreate", ctypes.byref(self._handle))

    @staticmethod
    def supports(dtype: Any) -> bool:
        """Whether cublasLt may support this dtype."""
        return dtype.char in _TYPES

    def product(
        self,
        a: Any,
        b: Any,
        transpose_a: bool,
        transpose_b: bool,
        result: Any,
        epilogue: int,
        vector: Any = None,
    ) -> bool:
        """Writes op(a) op(b) with an epilogue to `result`, for row-major matrices of one dtype; returns whether it can.

        vector: the bias, or the output for the sums; contiguous and of this dtype.
        """
        arrays = (b, a, result)
        positions = [array.data.ptr for array in arrays]
        address = 0 if vector is None else vector.data.ptr
        key = (
            result.dtype.char,
            *(a.shape, b.shape, transpose_a, transpose_b, epilogue),
            *(_alignment(position) for position in (*positions, address)),
        )
        if key not in self._plans:
            if len(self._plans) >= _MAX_PLANS:
                del self._plans[next(iter(self._plans))]
            self._plans[key] = self._create_plan(
                [array.shape for array in arrays], (transpose_b, transpose_a), key, address
            )
        plan = self._plans[key]
        if plan is None:
            return False
        if address:
            plan.description.set(_VECTOR, ctypes.c_void_p(address))
        one, zero = (
            ctypes.c_void_p(scalar.ctypes.data)
            for scalar in self._scalars[_TYPES[result.dtype.char][2]]
        )
        first, second, target = map(ctypes.c_void_p, positions)
        layouts = [layout.address for layout in plan.layouts]
        if watchers:
            notify_launch("cuBLAS", "cublasLtMatmul")
        is_done = _call_if_supported(
            self._library,
            "cublasLtMatmul",
            *(self._handle, plan.description.address, one),
            *(first, layouts[0], second, layouts[1]),
            *(zero, target, layouts[2], target, layouts[2]),
            *(
                ctypes.byref(plan.algorithm),
                self._workspace,
                ctypes.c_size_t(plan.algorithm.workspace),
            ),
            self._stream,
        )
        if not is_done:
            self._plans[key] = None
        return is_done

    def _create_plan(
        self,
        shapes: list[tuple[int, int]],
        transposes: tuple[bool, bool],
        key: tuple[Any, ...],
        address: int,
    ) -> _Plan | None:
        """Returns the plan of a product of cublasLt's A and B; None if it is unsupported."""
        data_type, compute, scalar = _TYPES[key[0]]
        if key[0] == "f" and tf32.is_on():
            compute = _TF32
        types = ctypes.c_int(compute), ctypes.c_int(_SCALARS[scalar])
        description = _Descriptor(self._library, "MatmulDesc", *types)
        for attribute, transpose in zip((_TRANSPOSE_FIRST, _TRANSPOSE_SECOND), transposes):
            description.set(attribute, ctypes.c_int32(_TRANSPOSE if transpose else _KEEP))
        description.set(_EPILOGUE, ctypes.c_uint32(key[5]))
        if address:  # alignment matters for the algorithm
            description.set(_VECTOR, ctypes.c_void_p(address))
        layouts = [
            _Descriptor(
                self._library,
                "MatrixLayout",
                ctypes.c_int(data_type),
                ctypes.c_uint64(columns),
                ctypes.c_uint64(rows),
                ctypes.c_int64(columns),
            )
            for rows, columns in shapes
        ]
        preference = _Descriptor(self._library, "MatmulPreference")
        preference.set(_WORKSPACE, ctypes.c_uint64(self._size))
        preference.set(_REDUCTIONS, ctypes.c_uint32(_FULL_SUMS))
        first, second, target = key[6:9]
        for index, alignment in enumerate((first, second, target, target)):
            preference.set(_ALIGNMENTS + index, ctypes.c_uint32(alignment))
        algorithm, count = _Algorithm(), ctypes.c_int()
        is_supported = _call_if_supported(
            self._library,
            "cublasLtMatmulAlgoGetHeuristic",
            *(self._handle, description.address),
            *(layouts[index].address for index in (0, 1, 2, 2)),
            *(preference.address, ctypes.c_int(1), ctypes.byref(algorithm), ctypes.byref(count)),
        )
        if not is_supported or not count.value or algorithm.status:
            return None
        return _Plan(description, layouts, algorithm)


class _Descriptor:
    """A "MatmulDesc", "MatrixLayout" or "MatmulPreference" in host memory, destroyed with this object.

    address: its handle in cublasLt.
    """

    def __init__(self, library: ctypes.CDLL, kind: str, *arguments: Any):
        self._library, self._kind = library, kind
        # Modules may be gone at interpreter exit.
        self._destroy = getattr(library, f"cublasLt{kind}Destroy")
        self.address = ctypes.c_void_p()
        _call_checked(library, f"cublasLt{kind}Create", ctypes.byref(self.address), *arguments)

    def set(self, attribute: int, value: Any) -> None:
        """Sets an attribute to a ctypes number."""
        size = ctypes.c_size_t(ctypes.sizeof(value))
        name = f"cublasLt{self._kind}SetAttribute"
        arguments = self.address, ctypes.c_int(attribute), ctypes.byref(value), size
        _call_checked(self._library, name, *arguments)

    def __del__(self) -> None:
        if self.address:
            self._destroy(self.address)


def _alignment(address: int) -> int:
    """Returns the largest power of two that divides an address, up to 256."""
    return min(address & -address, 256)


def _call_if_supported(library: ctypes.CDLL, name: str, *arguments: Any) -> bool:
    """Calls a function; returns False if cublasLt has no kernel for the arguments."""
    try:
        _call_checked(library, name, *arguments)
    except CublasError as error:
        if error.status not in _REFUSALS:
            raise
        return False
    return True


def _call_checked(library: ctypes.CDLL, name: str, *arguments: Any) -> None:
    status = getattr(library, name)(*arguments)
    if status:
        raise CublasError(name, status)
