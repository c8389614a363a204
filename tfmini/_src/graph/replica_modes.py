"""A thread's current distribution strategy and replica context.

The strategies themselves are in a higher layer (`distribute/`); strategy-dependent code of optimizers, metrics and
layers queries this module.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from tfmini._src.base.records import dataclass
from tfmini._src.graph.default_graph import graphs_under_construction
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.scopes import colocate_with
from tfmini._src.graph.shape_inference import constant_value
from tfmini._src.graph.tensor import Tensor


@dataclass(frozen=True)
class ReplicaMode:
    """An entry of the strategy stack.

    Attributes:
      strategy: the distribution strategy.
      replica: the replica context within a replica; None in cross-replica context.
      is_default: whether it is the default strategy, which does nothing.
    """

    strategy: Any
    replica: Any = None
    is_default: bool = False


class _Modes(threading.local):
    """A thread's modes per graph, outermost first."""

    def __init__(self) -> None:
        self.modes_by_graph: weakref.WeakKeyDictionary[Graph, list[ReplicaMode]] = (
            weakref.WeakKeyDictionary()
        )
        # The device of the variable update in progress.
        self.update_device: str | None = None


_modes = _Modes()


def push_mode(mode: ReplicaMode) -> None:
    """Enters a mode for the graph under construction."""
    _modes.modes_by_graph.setdefault(next(graphs_under_construction()), []).append(mode)


def pop_mode() -> None:
    """Leaves the innermost mode of the graph under construction."""
    _modes.modes_by_graph[next(graphs_under_construction())].pop()


@contextmanager
def enter_mode(mode: ReplicaMode) -> Iterator[None]:
    """Context manager that enters a mode."""
    push_mode(mode)
    try:
        yield
    finally:
        pop_mode()


def current_mode() -> ReplicaMode | None:
    """Returns this thread's innermost mode for the graph under construction, or None outside any strategy.

    A function body inherits the modes of the graph that it is built in.
    """
    if _modes.modes_by_graph:
        for graph in graphs_under_construction():
            if modes := _modes.modes_by_graph.get(graph):
                return modes[-1]
    return None


def current_strategy() -> Any:
    """Returns the innermost mode's strategy, or None for the default strategy."""
    mode = current_mode()
    return None if mode is None or mode.is_default else mode.strategy


def is_cross_replica() -> bool:
    """Whether this thread is in cross-replica context."""
    mode = current_mode()
    return mode is not None and mode.replica is None


def current_replica() -> Any:
    """Returns the context of the replica under construction; None outside a replica."""
    mode = current_mode()
    return None if mode is None or mode.is_default else mode.replica


def replica_index() -> int | None:
    """Returns the index of the replica under construction; None outside a replica, or if it is not constant."""
    replica = current_replica()
    index: Any = None if replica is None else replica._replica_id_in_sync_group
    if isinstance(index, Tensor):
        index = constant_value(index)
    return None if index is None else int(index)


def is_later_replica() -> bool:
    """Whether a replica other than the first is under construction."""
    return bool(replica_index())


def reject_mirrored_variables(feature: str) -> None:
    """Raises NotImplementedError under a strategy with mirrored variables."""
    strategy = current_strategy()
    if strategy is not None and strategy.extended._has_copies:
        raise NotImplementedError(
            f"tfmini does not support {feature} under tf.distribute.{type(strategy).__name__}: "
            "train in a graph"
        )


def across_replicas(function: Callable[..., Any], *args: object) -> Any:
    """Calls `function(*args)`; within a replica, once for all replicas with their merged values."""
    replica = current_replica()
    if replica is None:
        return function(*args)
    return replica.merge_call(lambda strategy, *values: function(*values), args=args)


def part_of_replica(mean: Tensor) -> Tensor:
    """Divides a replica's mean by the number of replicas, which gives its share of the mean over all replicas."""
    strategy = current_strategy()
    count = 1 if strategy is None else strategy.num_replicas_in_sync
    return mean if count == 1 else mean * (1.0 / count)


def colocated_with(variable: object) -> AbstractContextManager[object]:
    """Context manager that colocates variables with `variable`; under a strategy, with its copies."""
    strategy = current_strategy()
    if strategy is None:
        return colocate_with(variable)
    block: AbstractContextManager[object] = strategy.extended.colocate_vars_with(variable)
    return block


def update_device() -> str | None:
    """Returns the device of the variable update in progress; None outside updates."""
    return _modes.update_device


@contextmanager
def update_device_scope(device: str | None) -> Iterator[None]:
    """Context manager that marks variable updates on a device."""
    old, _modes.update_device = _modes.update_device, device
    try:
        yield
    finally:
        _modes.update_device = old
