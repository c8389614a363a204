"""The GPU state of a thread: current device, streams and allocator."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from tfmini._src.base.errors import UnavailableError
from tfmini._src.devices.arrays import ArrayModule
from tfmini._src.devices.cuda.discovery import check_process

if TYPE_CHECKING:
    from tfmini._src.devices.cuda.device import LogicalGpu

thread_state = threading.local()  # .gpu: the GPU for this thread's allocations
UndoSteps: TypeAlias = list[Callable[[], object]]


def gpu_in_use() -> LogicalGpu | None:
    """Returns the GPU in use by the calling thread; None outside of steps."""
    return getattr(thread_state, "gpu", None)


def launch_deferred_iterations() -> None:
    """Launches the loop iterations deferred by the calling thread, before any work that may read their results."""
    gpu = gpu_in_use()
    if gpu is not None and gpu.held_iterations is not None:
        gpu.held_iterations.flush()


def _allocate(size: int) -> Any:
    return thread_state.gpu.allocate(size)


def _wait_for(stream: Any, gpu: LogicalGpu) -> None:
    """Makes a caller's stream wait for the work submitted to the GPU, whose physical GPU must be current."""
    stream.wait_event(gpu.mark(gpu.compute))


@contextmanager
def current_stream(stream: Any, cupy: ArrayModule) -> Iterator[None]:
    """Context manager that changes the current stream of the current device.

    CuPy's own context manager would restore the stream of the enclosing block, ignoring a call of `use` by the caller.
    """
    previous = cupy.cuda.get_current_stream()
    stream.use()
    try:
        yield
    finally:
        previous.use()


class ActiveGpus:
    """Context manager for the calling thread's work on GPUs; restores device, streams and allocator.

    Args:
      gpus: one or more.
      streams: by GPU, the caller's stream for arrays received from or passed to the caller; both
        directions are synchronized.
    """

    def __init__(self, gpus: Sequence[LogicalGpu], streams: Mapping[str, Any] | None = None):
        self._gpus = gpus
        self._streams = streams or {}

    def __enter__(self) -> None:
        for gpu in self._gpus:
            check_process(gpu.process)
            if gpu.lost:
                raise UnavailableError(None, None, f"{gpu.name} is lost: {gpu.lost}")
        steps: UndoSteps = []
        try:
            self._enter(steps)
        except BaseException:
            _undo(steps)
            raise
        thread_state.__dict__.setdefault("active", []).append(steps)

    def _enter(self, steps: UndoSteps) -> None:
        """Activates the GPUs and appends the undo actions to `steps`; nested context managers would double the cost."""
        first = self._gpus[0]
        cuda = first.xp.cuda
        for gpu in self._gpus:
            gpu.lock.acquire()
            steps.append(gpu.lock.release)
        steps.append(cuda.Device().use)  # the current device
        for gpu in self._gpus:
            gpu._device.use()
            outer_stream = self._streams.get(gpu.name)
            if outer_stream is not None:
                gpu.compute.wait_event(gpu.mark(outer_stream))
                steps.append(partial(_wait_for, outer_stream, gpu))
            steps.append(cuda.get_current_stream().use)
            gpu.compute.use()
            steps.append(gpu._device.use)  # restored before its stream
        allocator = cuda.using_allocator(_allocate if len(self._gpus) > 1 else first.allocate)
        allocator.__enter__()
        steps.append(partial(allocator.__exit__, None, None, None))
        steps.append(partial(setattr, thread_state, "gpu", getattr(thread_state, "gpu", None)))
        if len(self._gpus) > 1:
            first.use()
        else:
            thread_state.gpu = first

    def __exit__(self, exc_type: type[BaseException] | None, *error: Any) -> None:
        steps = thread_state.active.pop()
        # After `leave`, another thread may have deferred loop iterations.
        if exc_type is not None and steps:
            for gpu in self._gpus:
                gpu.held_iterations = None
        _undo(steps)


def _undo(steps: UndoSteps) -> None:
    """Runs all undo steps in reverse; if any fail, raises the first error."""
    error = None
    while steps:
        try:
            steps.pop()()
        except BaseException as undo_error:
            error = error or undo_error
    if error is not None:
        raise error


def leave() -> None:
    """Leaves the calling thread's innermost `ActiveGpus` early: the rest of its block only waits for copies to the
    host, so other threads may use the GPUs.
    """
    _undo(thread_state.active[-1])
