"""Hooks that watch a thread's launches on devices: tfmini's own kernels, and calls of NVIDIA's libraries.

Launches by CuPy's own functions are not reported, since CuPy has no hook for them.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from threading import get_ident

# By thread; read before each launch, and usually empty.
watchers: dict[int, Callable[[str, str], None]] = {}


def notify_launch(library: str, name: str) -> None:
    """Notifies this thread's watcher, if any.

    library: "" for tfmini's own kernels, else "cuBLAS", "cuDNN" or "NCCL".
    """
    watcher = watchers.get(get_ident())
    if watcher is not None:
        watcher(library, name)


@contextlib.contextmanager
def watch_launches(watcher: Callable[[str, str], None]) -> Iterator[None]:
    """Context manager that calls `watcher(library, name)` for each launch of this thread."""
    thread = get_ident()
    previous = watchers.get(thread)
    watchers[thread] = watcher
    try:
        yield
    finally:
        if previous is None:
            del watchers[thread]
        else:
            watchers[thread] = previous
