"""The GPUs on which a thread works: its current device, streams and allocator."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from tfmini._src.base.errors import UnavailableError
from tfmini._src.devices.gpu.discovery import check_process

if TYPE_CHECKING:
    from tfmini._src.devices.gpu.device import LogicalGpu

here = threading.local()  # .gpu: whose memory this thread allocates


def gpu_in_use() -> LogicalGpu | None:
    """The GPU on which the calling thread computes; None if it runs no step."""
    return getattr(here, "gpu", None)


def launch_held() -> None:
    """Launches what a loop of the calling thread has held back, before other work that may read it."""
    gpu = gpu_in_use()
    if gpu is not None and gpu.held is not None:
        gpu.held.flush()


def _allocate(size: int) -> Any:
    return here.gpu.allocate(size)


def _wait_for(stream: Any, gpu: LogicalGpu) -> None:
    """Makes a stream of the caller's wait for the GPU's submitted work; its card is current."""
    stream.wait_event(gpu.mark(gpu.compute))


def streams_beside(gpus: Iterable[LogicalGpu]) -> dict[str, Any]:
    """By GPU, the stream of its card that is current for the calling thread."""
    return {gpu.name: gpu.xp.cuda.get_current_stream(gpu.ordinal) for gpu in gpus}


@contextmanager
def current_stream(stream: Any, cupy: Any) -> Iterator[None]:
    """A block with another current stream of the current device.

    CuPy's own block would end with the stream of the block around it, whatever the caller has made current by `use`.
    """
    before = cupy.cuda.get_current_stream()
    stream.use()
    try:
        yield
    finally:
        before.use()


class ActiveGpus:
    """The calling thread works on some GPUs: a context that leaves device, streams and allocator as they were.

    Args:
      gpus: one or more.
      streams: by GPU the caller's stream, where arrays come from it or go to it: what the stream does is waited for,
        and it waits.
    """

    def __init__(self, gpus: list[LogicalGpu], streams: Mapping[str, Any] | None = None):
        self._gpus = gpus
        self._streams = streams or {}
        self._stack = ExitStack()

    def __enter__(self) -> None:
        for gpu in self._gpus:
            check_process(gpu.process)
            if gpu.lost:
                raise UnavailableError(None, None, f"{gpu.name} is lost: {gpu.lost}")
        first = self._gpus[0]
        cupy = first.xp
        enter = self._stack.enter_context
        try:
            for gpu in self._gpus:
                enter(gpu.lock)
            enter(cupy.cuda.Device())  # back to the one that is current now
            for gpu in self._gpus:
                enter(gpu._device)
                theirs = self._streams.get(gpu.name)
                if theirs is not None:
                    gpu.compute.wait_event(gpu.mark(theirs))
                    self._stack.callback(_wait_for, theirs, gpu)
                enter(current_stream(gpu.compute, cupy))
                self._stack.callback(gpu._device.use)  # where its stream is given back
            enter(cupy.cuda.using_allocator(_allocate))
            before = getattr(here, "gpu", None)
            self._stack.callback(setattr, here, "gpu", before)
            first.use()
        except BaseException:
            self._stack.close()
            raise
        here.__dict__.setdefault("active", []).append(self._stack)

    def __exit__(self, *error: Any) -> None:
        here.active.pop().close()


def leave() -> None:
    """Ends what the calling thread's innermost `ActiveGpus` does: the rest of its block only waits for copies to the
    host, while other threads use the GPUs.
    """
    here.active[-1].close()
