"""A logical GPU: its streams and memory, and transfers of arrays to and from it.

Kernels run on one stream, copies to and from the GPU on one stream each, ordered by events. All memory is allocated
while the compute stream is current, because a pool keeps freed blocks per stream. CuPy does not track readers on other
streams, so the source of a copy is held until the copy completes.
"""

from __future__ import annotations

import functools
import os
import weakref
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from tfmini._src.base import logs
from tfmini._src.base.locks import make_rlock
from tfmini._src.base.names.load_module import load_module
from tfmini._src.devices.arrays import ArrayModule
from tfmini._src.devices.capture import Capture
from tfmini._src.devices.cuda import collectives, errors, gpu_kernels, host_copies, optimizers
from tfmini._src.devices.cuda.active_gpus import (
    ActiveGpus,
    current_stream,
    gpu_in_use,
    leave,
    thread_state,
)
from tfmini._src.devices.cuda.cudnn.algorithm_choice import Choices
from tfmini._src.devices.cuda.cudnn.library import Cudnn, CudnnError, open_cudnn
from tfmini._src.devices.cuda.discovery import PhysicalGpu
from tfmini._src.devices.cuda.elementwise import gpu_formula
from tfmini._src.devices.cuda.growth_pool import GrowingPool
from tfmini._src.devices.cuda.libraries import cuda_major
from tfmini._src.devices.cuda.nvml import other_processes
from tfmini._src.devices.cuda.pinned import PinnedRing, pieces, pinned_bytes
from tfmini._src.devices.cuda.products import Products
from tfmini._src.devices.device import Device, DeviceKernel, Devices
from tfmini._src.devices.host.parallel_copy import copy_bytes

# Limit in bytes on pending copies to the GPU; otherwise a host that fetches nothing could pin unlimited memory.
_MAX_STAGED = 64 << 20
# Limit in bytes on cached kernel constants that are derived from shapes.
_MAX_FIXED = 16 << 20
_MAX_SEEN = 4096
_ENABLED_ALREADY = 704  # cudaErrorPeerAccessAlreadyEnabled
# Allocation granularity of a pool.
_UNIT = 512


class LogicalGpu(Device):
    """A logical GPU of a session; several may share a physical GPU.

    Args:
      cupy: the CuPy module.
      physical: the physical GPU.
      name: type and number, such as "GPU:0".
      limit_bytes: the memory limit for arrays.
      may_grow: whether to allocate memory on demand instead of all at once.
    """

    kind = "GPU"
    leave = staticmethod(leave)
    is_lost = staticmethod(errors.is_lost)
    is_out_of_memory = staticmethod(errors.is_out_of_memory)

    def __init__(
        self, cupy: ArrayModule, physical: PhysicalGpu, name: str, limit_bytes: int, may_grow: bool
    ):
        self.xp = cupy
        self.physical = physical
        self.ordinal = physical.ordinal
        self.name = name
        self.limit_bytes = limit_bytes
        self.lock = make_rlock()
        self.process = os.getpid()
        self.report: Any = None  # `GpuReport` of the current run, if requested
        self.lost = ""  # CUDA's error once the GPU is lost
        self._device = cupy.cuda.Device(physical.ordinal)
        self._held_arrays: deque[tuple[Any, Any, int]] = deque()
        self._staged_bytes = 0
        self._fixed_arrays: dict[tuple[object, ...], Any] = {}
        self._fixed_bytes = 0
        self._seen_hashes: set[int] = set()  # hashes of values seen, which may recur
        self._accessible_gpus: set[int] = {physical.ordinal}
        self._readers: dict[Any, Any] = {}  # by stream: its last copy from this memory
        # Owners of CUDA graphs; each has a `drop` method.
        self.recorded: weakref.WeakSet[Any] = weakref.WeakSet()
        self.held_iterations: Any = None  # deferred loop iterations, launched by `flush()`
        with self._device:
            self.compute = cupy.cuda.Stream(non_blocking=True)
            self.h2d = cupy.cuda.Stream(non_blocking=True)
            self.d2h = cupy.cuda.Stream(non_blocking=True)
            growing_pool = GrowingPool(cupy, limit_bytes) if may_grow else None
            self.pool = growing_pool.pool if growing_pool else cupy.cuda.MemoryPool()
            self._malloc = (growing_pool or self.pool).malloc
            self.pool.set_limit(size=max(1, limit_bytes))  # 0 means unlimited
            self.products = Products(cupy, physical, name, self.pool, self.compute)
            self._pinned = cupy.cuda.PinnedMemoryPool()
            self._ring = PinnedRing(self._pinned, lambda: self.mark(self.compute))
            if not may_grow:
                self._reserve(limit_bytes)

    def _reserve(self, size: int) -> None:
        """Reserves `size` bytes of the physical GPU; retries with 10% less on failure."""
        size -= size % _UNIT
        with current_stream(self.compute, self.xp):
            while size:
                try:
                    self.pool.malloc(size)  # freed immediately: the pool keeps it
                    return
                except (
                    self.xp.cuda.memory.OutOfMemoryError,
                    self.xp.cuda.runtime.CUDARuntimeError,
                ):
                    size -= -(-size // 10)

    def kernel(self, opdef: Any) -> DeviceKernel:
        """Returns the op's `on_gpu` kernel, which receives the GPU; None without such a kernel."""
        if opdef.gpu_kernel is None:
            return super().kernel(opdef)
        return DeviceKernel(opdef.gpu_kernel, opdef.gpu_kernel_attrs, self)

    def host_arguments(self, node: Any) -> frozenset[str]:
        return gpu_kernels.host_arguments(node) or frozenset()

    def formula(self, node: Any) -> Any:
        return gpu_formula(node)

    def grouped_update(self, name: str) -> Callable[..., None] | None:
        return optimizers.update if name in optimizers.KINDS else None

    def all_reduce(self, devices: Sequence[Any], reduction: str) -> Callable[..., Any]:
        return collectives.AllReduce(tuple(devices), reduction)

    @classmethod
    def passes(cls) -> Sequence[Any]:
        """Returns the passes in `passes/`, a layer above the compiler, which the first plan with a GPU loads."""
        return load_module("tfmini._src.devices.cuda.passes.pipeline").PASSES

    @classmethod
    def prepare(cls, program: Any, captures: bool) -> None:
        """Compiles the kernels of a program in parallel."""
        load_module("tfmini._src.devices.cuda.capture.load_ahead").load_ahead(program, captures)

    @classmethod
    def capture(cls, program: Any) -> Capture:
        capture: Capture = load_module("tfmini._src.devices.cuda.capture.plan_capture").PlanCapture(
            program
        )
        return capture

    @classmethod
    def working_on(
        cls, devices: Sequence[Any], streams: Mapping[str, Any] | None = None
    ) -> AbstractContextManager[None]:
        return ActiveGpus(devices, streams)

    def callers_stream(self) -> Any:
        """Returns the calling thread's current stream on the physical GPU."""
        return self.xp.cuda.get_current_stream(self.ordinal)

    def host_copy(self, array: Any) -> np.ndarray:
        """Copies an array to the host after all work submitted to its physical GPU."""
        return host_copies.host_copy(array)

    def other_processes(self) -> Sequence[tuple[int, int]]:
        """Returns the other processes on the physical GPU, as reported by NVML."""
        return other_processes(self.physical.uuid, self.physical.bus_id)

    def fault_behind(self, error: BaseException) -> BaseException:
        return errors.fault_behind(error, [self])

    def use(self) -> None:
        """Makes this the thread's current GPU."""
        self._device.use()
        self.compute.use()
        thread_state.gpu = self

    def mark(self, stream: Any) -> Any:
        """Returns an event that marks the end of the work submitted so far to a stream of the current physical GPU."""
        event = self.xp.cuda.Event(disable_timing=True)  # timing has a cost on the GPU
        stream.record(event)
        return event

    def timed_mark(self, stream: Any = None) -> Any:
        """Same as `mark` for a stream of this GPU, by default the compute stream, with a time for CuPy's
        `get_elapsed_time`."""
        with self._device:
            event = self.xp.cuda.Event()
            (stream or self.compute).record(event)
        return event

    def since(self, begin: Any) -> int:
        """Returns the nanoseconds from a timed mark to the end of the work submitted so far to the compute stream."""
        end = self.timed_mark()
        end.synchronize()
        return round(1e6 * self.xp.cuda.get_elapsed_time(begin, end))

    def _copying(self, direction: str, size: int, stream: Any) -> AbstractContextManager[Any]:
        """Context manager for a copy of `size` bytes "to the GPU", "to the host" or "between GPUs"."""
        return (
            nullcontext()
            if self.report is None
            else self.report.copying(self, direction, size, stream)
        )

    def array_view(self, value: Any) -> Any:
        """Returns a CuPy array that shares the memory of another library's array, on any physical GPU.

        Uses DLPack if supported, which orders the streams of the two libraries; the CUDA array interface waits on the
        host or, before its version 3, does not synchronize.
        """
        if isinstance(value, self.xp.ndarray):
            return value
        if hasattr(value, "__dlpack__"):
            return self.xp.from_dlpack(value)
        address = value.__cuda_array_interface__["data"][0]
        if not address:  # empty array
            return self.xp.asarray(value)
        cuda = self.xp.cuda
        with cuda.Device(cuda.runtime.pointerGetAttributes(address).device):
            return self.xp.asarray(value)  # copies arrays of other GPUs

    def upload(self, value: Any) -> Any:
        """Returns a copy of an array in host memory; this GPU must be in use."""
        value = np.asarray(value)
        result = self.xp.empty(value.shape, value.dtype)
        if not value.nbytes:
            return result
        if value.nbytes <= PinnedRing.MAX_COPY_BYTES:
            stored = self._ring.stage(value)
            with self._copying("to the GPU", value.nbytes, self.compute):
                result.data.copy_from_host_async(stored.ctypes.data, value.nbytes, self.compute)
            self._ring.turn()
            return result
        source = np.ascontiguousarray(value).reshape(-1).view(np.uint8)
        # The block may just have been freed by compute.
        self.h2d.wait_event(self.mark(self.compute))
        with self._copying("to the GPU", value.nbytes, self.h2d):
            for begin, size in pieces(value.nbytes):
                self._upload_piece(result.data + begin, source[begin : begin + size])
        self.compute.wait_event(self.mark(self.h2d))
        return result

    def _upload_piece(self, target: Any, source: np.ndarray) -> None:
        """Starts a copy through pinned memory, filling one piece while the physical GPU copies another."""
        self.release_finished()
        while self._staged_bytes + source.nbytes > _MAX_STAGED and self._staged_bytes:
            self._held_arrays[0][0].synchronize()
            self.release_finished()
        staged = pinned_bytes(self._pinned, source.nbytes)
        copy_bytes(staged, source)
        target.copy_from_host_async(staged.ctypes.data, staged.nbytes, self.h2d)
        self._keep_alive(self.mark(self.h2d), staged, staged.nbytes)

    def fixed(self, value: np.ndarray) -> Any:
        """Returns a read-only copy of a small array that depends only on shapes, cached for all later steps.

        A captured step thus finds its host values at fixed addresses.
        """
        key = (value.dtype.str, value.shape, value.tobytes())
        array = self._fixed_arrays.get(key)
        if array is None:
            with self.xp.cuda.using_allocator(self.allocate):
                array = self.upload(value)
            if self._fixed_bytes + value.nbytes <= _MAX_FIXED:
                self._fixed_arrays[key] = array
                self._fixed_bytes += value.nbytes
        return array

    def fix_on_repeat(self, value: np.ndarray) -> Any:
        """Same as `fixed`, but the first copy of a value is not cached."""
        key = (value.dtype.str, value.shape, value.tobytes())
        if key in self._fixed_arrays:
            return self._fixed_arrays[key]
        digest = hash(key)
        if digest in self._seen_hashes:
            return self.fixed(value)
        if len(self._seen_hashes) >= _MAX_SEEN:
            self._seen_hashes.clear()
        self._seen_hashes.add(digest)
        return self.upload(value)

    def send(self, array: Any) -> tuple[Any, Any]:
        """Starts a copy of an array of this GPU, which must be in use, to host memory; `receive` completes it."""
        array = self._row_major(array)
        self.release_finished()
        targets = [
            (begin, pinned_bytes(self._pinned, size)) for begin, size in pieces(array.nbytes)
        ]
        received_pieces = []
        if targets:
            self.d2h.wait_event(self.mark(self.compute))
            with self._copying("to the host", array.nbytes, self.d2h):
                for begin, target in targets:
                    source = array.data + begin
                    source.copy_to_host_async(target.ctypes.data, target.nbytes, self.d2h)
                    received_pieces.append((self.mark(self.d2h), begin, target))
            done_event = received_pieces[-1][0]
            self._readers["d2h"] = done_event
            # Retained even if the step fails before `receive`.
            self._keep_alive(done_event, (targets, array))
        return received_pieces, (array.shape, array.dtype)

    def receive(self, ticket: tuple[Any, Any]) -> Any:
        """Returns the host array of a `send`, reading one piece while the physical GPU copies the next."""
        received_pieces, (shape, dtype) = ticket
        report = self.report if self.report is not None and gpu_in_use() is not None else None
        result = np.empty(shape, dtype)
        target = result.reshape(-1).view(np.uint8)
        for done_event, begin, piece in received_pieces:
            if report is None:
                done_event.synchronize()
            else:
                report.wait(done_event)
            copy_bytes(target[begin : begin + piece.nbytes], piece)
        return result if shape else result[()]

    def copy_from(self, other: LogicalGpu, array: Any) -> Any:
        """Returns a copy of an array on another GPU; this GPU is in use before and after the call."""
        other.use()
        array = self._row_major(array)
        ready = self.mark(other.compute)
        self.use()
        result = self.xp.empty(array.shape, array.dtype)
        if not array.nbytes:
            return result
        self._enable_peer_access(other)
        self.h2d.wait_event(ready)
        self.h2d.wait_event(self.mark(self.compute))
        with self._copying("between GPUs", array.nbytes, self.h2d):
            self.xp.cuda.runtime.memcpyPeerAsync(
                result.data.ptr,
                self.ordinal,
                array.data.ptr,
                other.ordinal,
                array.nbytes,
                self.h2d.ptr,
            )
        done_event = self.mark(self.h2d)
        self.compute.wait_event(done_event)
        other._readers[self.name] = done_event
        self._keep_alive(done_event, array)
        return result

    def _enable_peer_access(self, other: LogicalGpu) -> None:
        """Enables peer access from this GPU, which must be current, to another; without it, the host relays copies."""
        if other.ordinal in self._accessible_gpus:
            return
        self._accessible_gpus.add(other.ordinal)
        runtime = self.xp.cuda.runtime
        if not runtime.deviceCanAccessPeer(self.ordinal, other.ordinal):
            return
        try:
            runtime.deviceEnablePeerAccess(other.ordinal)
        except runtime.CUDARuntimeError as error:
            # Already enabled by another logical GPU on the physical GPU, or by the program.
            if error.status != _ENABLED_ALREADY:
                raise

    def wait_for_readers(self) -> None:
        """Makes later kernels wait for copies that still read memory that is to be overwritten."""
        for done_event in self._readers.values():
            self.compute.wait_event(done_event)
        self._readers.clear()

    def launch(self, graph: Any, *results: Any) -> None:
        """Launches recorded work; keeps it and its memory alive until it completes."""
        with nullcontext() if self.report is None else self.report.replaying(self):
            graph.launch(self.compute)
        self._keep_alive(self.mark(self.compute), (graph, *results))

    def allocate(self, size: int) -> Any:
        """Allocates from the GPU's pool; if the pool is exhausted, frees the memory of recorded work."""
        try:
            return self._malloc(size)
        except MemoryError:
            if not self.drop_recorded():
                raise
        return self._malloc(size)

    def own_memory(self) -> dict[str, int]:
        """Returns the bytes of the GPU's pool that do not belong to a node, by holder."""
        graphs = [segment.graph_bytes() for segment in self.recorded]
        sizes = {
            "cuBLAS's workspace": self.products.workspace_bytes,
            "recorded graphs": sum(graphs),
            "constants that follow from shapes": self._fixed_bytes,
        }
        return {purpose: size for purpose, size in sizes.items() if size}

    def drop_recorded(self) -> bool:
        """Frees the memory of all recorded work; returns whether there was any."""
        if self.compute.is_capturing():
            return False
        dropped = [segment.drop() for segment in self.recorded]
        if not any(dropped):
            return False
        self.compute.synchronize()
        self.release_finished()
        return True

    @functools.cached_property
    def cudnn(self) -> Cudnn | None:
        """The GPU's cuDNN handle; None if cuDNN is not installed. Raises CudnnError if it cannot create a handle."""
        library = open_cudnn(cuda_major(self.xp))
        return None if library is None else Cudnn(library, self.compute.ptr)

    @functools.cached_property
    def has_cudnn(self) -> bool:
        """Whether convolutions may use cuDNN: it is installed, and TFMINI_CUDNN is not 0."""
        if os.environ.get("TFMINI_CUDNN") == "0":
            return False
        try:
            return open_cudnn(cuda_major(self.xp)) is not None
        except CudnnError:
            return False

    @functools.cached_property
    def convolutions(self) -> Choices | None:
        """Convolutions computed by cuDNN; None if cuDNN is not found, cannot create a handle, or TFMINI_CUDNN is 0."""
        if os.environ.get("TFMINI_CUDNN") == "0":
            return None
        try:
            cudnn = self.cudnn
        except CudnnError as error:
            logs.warning("%s: convolutions run without cuDNN: %s", self.name, error)
            return None
        return None if cudnn is None else Choices(self, cudnn)

    def _row_major(self, array: Any) -> Any:
        return array if array.flags.c_contiguous else self.xp.ascontiguousarray(array)

    def _keep_alive(self, done_event: Any, arrays: Any, staged: int = 0) -> None:
        """Keeps `arrays` alive until the event `done_event`; releases arrays of completed work.

        staged: the number of bytes of `arrays` in pinned memory that an upload reads.
        """
        self._held_arrays.append((done_event, arrays, staged))
        self._staged_bytes += staged
        self.release_finished()

    def release_finished(self) -> None:
        """Releases the arrays held for finished work."""
        while self._held_arrays and self._held_arrays[0][0].done:
            self._staged_bytes -= self._held_arrays.popleft()[2]


def select_gpus(devices: Devices) -> dict[str, LogicalGpu]:
    """Returns the GPUs among a program's or session's devices."""
    return {name: device for name, device in devices.items() if isinstance(device, LogicalGpu)}
