"""`tensorflow.python.eager.context`: the current mode, and the context of eager execution."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager

from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.eager.operation_seeds import seeds
from tfmini._src.graph.scopes import device
from tfmini._src.session.default_config import get_log_device_placement, set_log_device_placement
from tfmini._src.session.eager.context import Context, context
from tfmini._src.session.eager.device_policies import (
    DEVICE_PLACEMENT_EXPLICIT,
    DEVICE_PLACEMENT_SILENT,
    DEVICE_PLACEMENT_SILENT_FOR_INT32,
    DEVICE_PLACEMENT_WARN,
)
from tfmini._src.session.eager.enable import ASYNC, SYNC, eager_mode, graph_mode
from tfmini._src.session.eager.executor import Executor
from tfmini._src.session.list_devices import list_local_devices

__all__ = [
    "ASYNC",
    "DEVICE_PLACEMENT_EXPLICIT",
    "DEVICE_PLACEMENT_SILENT",
    "DEVICE_PLACEMENT_SILENT_FOR_INT32",
    "DEVICE_PLACEMENT_WARN",
    "EAGER_MODE",
    "GRAPH_MODE",
    "SYNC",
    "Context",
    "async_clear_error",
    "async_wait",
    "context",
    "device",
    "eager_mode",
    "ensure_initialized",
    "executing_eagerly",
    "execution_mode",
    "executor_scope",
    "get_log_device_placement",
    "global_seed",
    "graph_mode",
    "in_eager_mode",
    "in_graph_mode",
    "internal_operation_seed",
    "is_async",
    "num_gpus",
    "set_execution_mode",
    "set_global_seed",
    "set_log_device_placement",
    "shared_name",
]

GRAPH_MODE = 0
EAGER_MODE = 1

in_eager_mode = executing_eagerly


def in_graph_mode() -> bool:
    """Whether operations build graphs."""
    return not executing_eagerly()


def num_gpus() -> int:
    """Returns the number of GPUs."""
    return sum(listed.device_type == "GPU" for listed in list_local_devices())


def shared_name(name: str | None = None) -> str | None:
    """Returns the shared name of a resource: `name` in graph mode, otherwise a unique name."""
    return str(uuid.uuid4()) if executing_eagerly() and not name else name


def internal_operation_seed() -> int:
    """Returns the seed of the next random op after a global seed has been set."""
    return seeds.next()


def global_seed() -> int | None:
    """Returns the global seed of eager mode."""
    return seeds.seed


def set_global_seed(seed: int | None) -> None:
    """Sets the global seed of eager mode."""
    seeds.set(seed)


def ensure_initialized() -> None:
    """Initializes the devices."""
    context().ensure_initialized()


def is_async() -> bool:
    """Always False, since each op finishes before the next is called."""
    return False


def set_execution_mode(mode: int | None) -> None:
    """Sets `SYNC` or `ASYNC`; ops run in order in both modes."""
    context().execution_mode = mode


@contextmanager
def execution_mode(mode: int | None) -> Iterator[None]:
    """Context manager that sets another execution mode."""
    before = context().execution_mode
    set_execution_mode(mode)
    try:
        yield
    finally:
        set_execution_mode(before)


@contextmanager
def executor_scope(executor: Executor) -> Iterator[Executor]:
    """Context manager in which ops run on an executor."""
    yield executor


def async_wait() -> None:
    """Does nothing, since no op is ever pending."""


def async_clear_error() -> None:
    """Does nothing, since the errors of ops have already been raised."""
