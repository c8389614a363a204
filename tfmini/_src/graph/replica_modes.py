"""The distribution strategy under which a thread builds a graph, and whether it is in a replica.

The strategies themselves stand far above (`distribute/`); what they change of optimizers, metrics and layers asks here.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any

from tfmini._src.base.records import dataclass
from tfmini._src.graph.default_graph import graphs_under_construction
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.scopes import colocate_with
from tfmini._src.graph.shape_inference import constant_value

if TYPE_CHECKING:
    from tfmini._src.graph.tensor import Tensor


@dataclass(frozen=True)
class ReplicaMode:
    """One entry of the stack.

    Attributes:
      strategy: the distribution strategy.
      replica: the replica's context inside of a replica; None in cross-replica context.
      is_default: whether the strategy is the default one, which does nothing.
    """

    strategy: Any
    replica: Any = None
    is_default: bool = False


class _Modes(threading.local):
    """The modes of each graph, outermost first, for one thread."""

    def __init__(self) -> None:
        self.of_graph: weakref.WeakKeyDictionary[Graph, list[ReplicaMode]] = (
            weakref.WeakKeyDictionary()
        )
        # The device on which a variable is updated just now.
        self.update_device: str | None = None


_modes = _Modes()


def push_mode(mode: ReplicaMode) -> None:
    """Enters a mode of the graph under construction."""
    _modes.of_graph.setdefault(next(graphs_under_construction()), []).append(mode)


def pop_mode() -> None:
    """Leaves the innermost mode of the graph under construction."""
    _modes.of_graph[next(graphs_under_construction())].pop()


@contextmanager
def in_mode(mode: ReplicaMode) -> Iterator[None]:
    """A block in a mode."""
    push_mode(mode)
    try:
        yield
    finally:
        pop_mode()


def mode_here() -> ReplicaMode | None:
    """The innermost mode in this thread of the graph under construction, or None outside of all strategies.

    The body of a function has the modes of the graph in which it is built.
    """
    if _modes.of_graph:
        for graph in graphs_under_construction():
            if modes := _modes.of_graph.get(graph):
                return modes[-1]
    return None


def strategy_here() -> Any:
    """The strategy of the innermost mode, or None where that is the default one."""
    mode = mode_here()
    return None if mode is None or mode.is_default else mode.strategy


def is_cross_replica() -> bool:
    """Whether the thread is under a strategy, and outside of its replicas."""
    mode = mode_here()
    return mode is not None and mode.replica is None


def replica_here() -> Any:
    """The context of the replica of a strategy that is under construction, or None."""
    mode = mode_here()
    return None if mode is None or mode.is_default else mode.replica


def in_later_replica() -> bool:
    """Whether a replica other than the first is under construction."""
    replica = replica_here()
    if replica is None:
        return False
    number = replica.replica_id_in_sync_group
    return bool(number if isinstance(number, int) else constant_value(number))


def refuse_copies(what: str) -> None:
    """Raises NotImplementedError under a strategy whose variables have copies."""
    strategy = strategy_here()
    if strategy is not None and strategy.extended._has_copies:
        raise NotImplementedError(
            f"tfmini has no {what} under tf.distribute.{type(strategy).__name__}: train in a graph"
        )


def across_replicas(function: Callable[..., Any], *args: object) -> Any:
    """`function(*args)`, once for all replicas where one is under construction, of the values of all."""
    replica = replica_here()
    if replica is None:
        return function(*args)
    return replica.merge_call(lambda strategy, *values: function(*values), args=args)


def part_of_replica(mean: Tensor) -> Tensor:
    """The part of a replica in the mean over all, which is its own mean by the number of replicas."""
    strategy = strategy_here()
    count = 1 if strategy is None else strategy.num_replicas_in_sync
    return mean if count == 1 else mean * (1.0 / count)


def beside(variable: object) -> AbstractContextManager[object]:
    """A block that places variables where another one is: under a strategy, where its copies are."""
    strategy = strategy_here()
    if strategy is None:
        return colocate_with(variable)
    block: AbstractContextManager[object] = strategy.extended.colocate_vars_with(variable)
    return block


def update_device() -> str | None:
    """The device on which a variable is updated just now, or None."""
    return _modes.update_device


@contextmanager
def updating_on(device: str | None) -> Iterator[None]:
    """A block that updates variables on a device."""
    old, _modes.update_device = _modes.update_device, device
    try:
        yield
    finally:
        _modes.update_device = old
