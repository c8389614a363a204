"""All-reduce: elementwise reduction of the arrays of several GPUs, with the result on each GPU.

NCCL is used if CuPy finds the library and no two logical GPUs share a physical GPU, which NCCL rejects.
Otherwise the arrays are copied to the first GPU, combined there, and copied back.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from tfmini._src.base.errors import invalid
from tfmini._src.devices.launch_hooks import notify_launch

if TYPE_CHECKING:
    from tfmini._src.devices.cuda.device import LogicalGpu

_UFUNCS = {"min": "minimum", "max": "maximum", "prod": "multiply", "sum": "add"}
_DTYPES = {"e": "FLOAT16", "f": "FLOAT32", "d": "FLOAT64", "i": "INT32", "l": "INT64", "q": "INT64"}

# NCCL communicators by connected GPUs: creation takes as long as many steps.
_connected: WeakKeyDictionary[LogicalGpu, dict[tuple[str, ...], list[Any]]] = WeakKeyDictionary()


class AllReduce:
    """The all-reduce of one node: maps `arrays`, one per GPU in order, to one result per GPU.

    The first GPU is current before and after the call. `reduction` is "sum", "prod", "min" or "max".
    """

    def __init__(self, gpus: tuple[LogicalGpu, ...], reduction: str):
        self._gpus = gpus
        self._reduction = reduction
        self._nccl: Any = None
        if len({gpu.ordinal for gpu in gpus}) == len(gpus):
            self._nccl = nccl_library()

    def __call__(self, arrays: tuple[Any, ...]) -> tuple[Any, ...]:
        first = arrays[0]
        for array in arrays[1:]:
            if array.shape != first.shape:
                invalid(
                    f"Shapes of the members of an all-reduce differ: {list(first.shape)} and {list(array.shape)}",
                )
        if not first.size:
            return arrays
        results = self._copy_reduce(arrays) if self._nccl is None else self._nccl_reduce(arrays)
        self._gpus[0].use()
        return results

    def _nccl_reduce(self, arrays: tuple[Any, ...]) -> tuple[Any, ...]:
        nccl = self._nccl
        operation = getattr(nccl, f"NCCL_{self._reduction.upper()}")
        dtype = dtype_code(nccl, arrays[0].dtype)
        members = []
        for gpu, communicator, array in zip(self._gpus, self._communicators(), arrays):
            gpu.use()
            array = gpu.xp.ascontiguousarray(array)
            members.append((gpu, communicator, array, gpu.xp.empty(array.shape, array.dtype)))
        # One thread serves several GPUs: all calls are submitted before any of them is awaited.
        nccl.groupStart()
        try:
            for gpu, communicator, array, result in members:
                gpu.use()
                notify_launch("NCCL", "allReduce")
                communicator.allReduce(
                    array.data.ptr, result.data.ptr, array.size, dtype, operation, gpu.compute.ptr
                )
        finally:
            nccl.groupEnd()
        return tuple(result for *_, result in members)

    def _communicators(self) -> list[Any]:
        gpus = self._gpus
        communicators = _connected.setdefault(gpus[0], {})
        key = tuple(gpu.name for gpu in gpus)
        if key not in communicators:
            ordinals = [gpu.ordinal for gpu in gpus]
            communicators[key] = self._nccl.NcclCommunicator.initAll(ordinals)
        return communicators[key]

    def _copy_reduce(self, arrays: tuple[Any, ...]) -> tuple[Any, ...]:
        first, *peers = self._gpus
        first.use()
        combine = getattr(first.xp, _UFUNCS[self._reduction])
        total = arrays[0]
        for gpu, array in zip(peers, arrays[1:]):
            total = combine(total, first.copy_from(gpu, array))
            gpu.compute.wait_event(first.mark(first.compute))  # before the GPU overwrites the array
        if not peers:
            return (total.copy(),)
        results = [total]
        for gpu in peers:
            gpu.use()
            results.append(gpu.copy_from(first, total))
            first.compute.wait_event(gpu.mark(gpu.compute))
        return tuple(results)


def dtype_code(nccl: Any, dtype: Any) -> int:
    """Returns NCCL's code for a dtype."""
    code: int = getattr(nccl, f"NCCL_{_DTYPES[dtype.char]}")
    return code


def nccl_library() -> Any:
    """Returns CuPy's wrapper of NCCL, or None if CuPy does not find libnccl."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the warning recommends NCCL, which peer copies replace
        from cupy.cuda import nccl  # noqa: PLC0415  loads the library

    return nccl if nccl.available else None
