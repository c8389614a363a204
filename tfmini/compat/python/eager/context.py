"""`tensorflow.python.eager.context`, with the answers of graph mode."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from tfmini._src.functions.eager_mode import enable_eager_execution, executing_eagerly
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.scopes import device
from tfmini._src.session.list_devices import list_local_devices

__all__ = [
    "EAGER_MODE",
    "GRAPH_MODE",
    "_context",
    "context",
    "device",
    "eager_mode",
    "executing_eagerly",
    "graph_mode",
    "in_eager_mode",
    "in_graph_mode",
    "num_gpus",
    "shared_name",
]

GRAPH_MODE = 0
EAGER_MODE = 1

in_eager_mode = executing_eagerly


def in_graph_mode() -> bool:
    """True: operations build graphs."""
    return True


@contextlib.contextmanager
def graph_mode() -> Iterator[None]:
    """A block in which operations build graphs, as they always do."""
    yield


def eager_mode() -> Any:
    """Raises RuntimeError: tfmini runs graphs only."""
    enable_eager_execution()


def num_gpus() -> int:
    """Number of GPUs."""
    return sum(found.device_type == "GPU" for found in list_local_devices())


def shared_name(name: str | None = None) -> str | None:
    """Name under which a resource is shared: the given one."""
    return name


class _Context:
    """Result of `context()`, with the queries that programs make."""

    summary_writer = None
    summary_step = None
    summary_recording = None

    def executing_eagerly(self) -> bool:
        return False

    in_eager_mode = executing_eagerly

    def in_graph_mode(self) -> bool:
        return True

    def num_gpus(self) -> int:
        return num_gpus()

    def devices(self) -> list[str]:
        return [found.name for found in list_local_devices()]

    @property
    def device_name(self) -> str | None:
        return None

    @property
    def scope_name(self) -> str:
        return get_default_graph().get_name_scope()

    def ensure_initialized(self) -> None:
        """Does nothing: sessions initialize the devices."""


_context = _Context()


def context() -> _Context:
    """The only context, which executes nothing eagerly."""
    return _context
