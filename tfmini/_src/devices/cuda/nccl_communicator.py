"""All-reduce, all-gather and broadcast across processes by NCCL, with one GPU per process.

All processes must make the same calls in the same order. Each call is enqueued on the GPU's stream after the kernels
that compute its arrays, without blocking.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.devices.cuda.collectives import dtype_code, nccl_library
from tfmini._src.devices.cuda.device import LogicalGpu


def new_unique_id() -> bytes:
    """Returns the id of a communicator, created by one of its processes and sent to the others."""
    return bytes(nccl_library().get_unique_id())


class RankCommunicator:
    """The communicator of this process; all methods except `abort` require its GPU to be active.

    Args:
      gpu: the GPU of this process, which no other process may use.
      size: number of processes.
      unique_id: a result of `new_unique_id`.
      rank: the rank of this process.

    Raises:
      NcclError: if NCCL rejects two processes on one GPU.
    """

    def __init__(self, gpu: LogicalGpu, size: int, unique_id: bytes, rank: int):
        self._gpu = gpu
        self._rank = rank
        self._nccl = nccl_library()
        self._comm = self._nccl.NcclCommunicator(size, unique_id, rank)

    def sum(self, arrays: Sequence[Any]) -> None:
        """Replaces each array by the sum over all processes."""
        nccl, stream = self._nccl, self._gpu.compute.ptr
        nccl.groupStart()
        try:
            for array in arrays:
                code, address = dtype_code(nccl, array.dtype), array.data.ptr
                if array.size:
                    self._comm.allReduce(address, address, array.size, code, nccl.NCCL_SUM, stream)
        finally:
            nccl.groupEnd()

    def gather(self, array: Any, lengths: Sequence[int]) -> Any:
        """Concatenates the arrays of all processes, which have these row counts."""
        gpu, nccl = self._gpu, self._nccl
        array = gpu.xp.ascontiguousarray(array)
        result = gpu.xp.empty((sum(lengths), *array.shape[1:]), array.dtype)
        if not result.size:
            return result
        row = result.nbytes // len(result)
        target, stream = result.data.ptr, gpu.compute.ptr
        if len(set(lengths)) == 1:
            self._comm.allGather(array.data.ptr, target, array.nbytes, nccl.NCCL_UINT8, stream)
            return result
        nccl.groupStart()
        try:
            for rank, length in enumerate(lengths):
                source = array.data.ptr if rank == self._rank else target
                if length:
                    size = length * row
                    self._comm.broadcast(source, target, size, nccl.NCCL_UINT8, rank, stream)
                target += length * row
        finally:
            nccl.groupEnd()
        return result

    def broadcast(self, array: Any, root: int) -> Any:
        """Broadcasts the array of the process `root`, which has the same shape and dtype everywhere."""
        gpu, nccl = self._gpu, self._nccl
        array = gpu.xp.ascontiguousarray(array)
        result = gpu.xp.empty(array.shape, array.dtype)
        if array.size:
            source, target = array.data.ptr, result.data.ptr
            if self._rank != root:
                source = target
            self._comm.broadcast(
                source, target, array.nbytes, nccl.NCCL_UINT8, root, gpu.compute.ptr
            )
        return result

    def check(self) -> None:
        """Raises NcclError if a collective cannot complete because another process or the network has failed."""
        self._comm.check_async_error()

    def close(self) -> None:
        """Closes the communicator after all operations in progress."""
        self._comm.destroy()

    def abort(self) -> None:
        """Aborts the communicator and its pending operations."""
        self._comm.abort()
