"""CUDA's errors, and their meaning for a session."""

from __future__ import annotations

# From driver_types.h. After these a process cannot use the card any more: it has gone, or its context is broken.
_LOST = frozenset(
    {
        46,  # devices unavailable
        100,  # no device
        201,  # invalid context
        214,  # uncorrectable memory error
        219,  # error of the link between cards
        *range(700, 721),  # illegal address, launch failure and the like
        802,  # system not ready
        999,  # unknown
    }
)
_OUT_OF_MEMORY = 2
_CUBLAS_ALLOCATION_FAILED = 3


def is_lost(error: BaseException) -> bool:
    """Whether a CUDARuntimeError or CUDADriverError says that the card is no longer usable."""
    return _is_cuda(error) and getattr(error, "status", None) in _LOST


def is_out_of_memory(error: BaseException) -> bool:
    """Whether a CUDA call outside the memory pools, such as a library's, found no memory."""
    if type(error).__name__ == "CublasError":
        return getattr(error, "status", None) == _CUBLAS_ALLOCATION_FAILED
    return _is_cuda(error) and getattr(error, "status", None) == _OUT_OF_MEMORY


def _is_cuda(error: BaseException) -> bool:
    return type(error).__name__ in ("CUDARuntimeError", "CUDADriverError")
