"""Classification of CUDA errors: device lost, out of memory, underlying fault."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from tfmini._src.devices.arrays import ArrayModule

# Sticky cudaError_t values: afterwards every call of the process fails, because the GPU is gone or its context
# corrupt. Other codes in this range (701, a kernel with too many registers; 704 and 705, peer access; 712 and
# 713, pinned memory; 720) fail one call and leave the context intact.
_LOST_GPU_STATUSES = {
    46: "DevicesUnavailable",
    100: "NoDevice",
    201: "DeviceUninitialized",
    214: "ECCUncorrectable",
    220: "NvlinkUncorrectable",
    226: "Contained",
    700: "IllegalAddress",
    702: "LaunchTimeout",
    709: "ContextIsDestroyed",
    710: "Assert",
    714: "HardwareStackError",
    715: "IllegalInstruction",
    716: "MisalignedAddress",
    717: "InvalidAddressSpace",
    718: "InvalidPc",
    719: "LaunchFailure",
    721: "TensorMemoryLeak",
    802: "SystemNotReady",
    810: "MpsClientTerminated",
    999: "Unknown",
}
# Errors raised by tfmini's calls, and by CuPy's.
_LIBRARY_ERRORS = (
    *("CublasError", "CudnnError"),
    *("CUBLASError", "CUSOLVERError", "CURANDError", "CuSparseError", "CuFFTError", "NcclError"),
)
_OUT_OF_MEMORY = 2
_CUBLAS_ALLOCATION_FAILED = 3


def is_lost(error: BaseException) -> bool:
    """Whether a CUDARuntimeError or CUDADriverError means that the GPU is no longer usable."""
    return _is_cuda(error) and getattr(error, "status", None) in _LOST_GPU_STATUSES


def fault_behind(error: BaseException, gpus: Iterable[Any]) -> BaseException:
    """Returns the CUDA error that broke a GPU if a CUDA library raised `error` because of it, else `error`.

    The first call after a kernel fault is often a library call, whose status does not tell the cause; the streams of
    the GPUs do.
    """
    if type(error).__name__ not in _LIBRARY_ERRORS:
        return error
    for gpu in gpus:
        runtime = gpu.xp.cuda.runtime
        status = runtime.streamQuery(gpu.compute.ptr)
        if status in _LOST_GPU_STATUSES:
            fault: BaseException = runtime.CUDARuntimeError(status)
            fault.__cause__ = error
            return fault.with_traceback(error.__traceback__)
    return error


def is_out_of_memory(error: BaseException) -> bool:
    """Whether a CUDA call outside the memory pools, such as a library call, ran out of memory."""
    if type(error).__name__ == "CublasError":
        return getattr(error, "status", None) == _CUBLAS_ALLOCATION_FAILED
    return _is_cuda(error) and getattr(error, "status", None) == _OUT_OF_MEMORY


def solver_errors(xp: ArrayModule) -> AbstractContextManager[Any]:
    """Context manager in which `xp.linalg` raises LinAlgError for singular or non-factorizable matrices, as NumPy does.

    CuPy by default returns arbitrary numbers instead, because the check synchronizes with the GPU.
    """
    if xp is np:
        return nullcontext()
    import cupyx  # noqa: PLC0415  imported only if CuPy is installed

    return cupyx.errstate(linalg="raise")


def _is_cuda(error: BaseException) -> bool:
    return type(error).__name__ in ("CUDARuntimeError", "CUDADriverError")
