"""Pauses garbage collection while many long-lived objects are created."""

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def pause_collection() -> Iterator[None]:
    """Disables garbage collection while large data is built: repeated scans of it find nothing to free."""
    was_enabled = gc.isenabled()
    if was_enabled:
        gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
