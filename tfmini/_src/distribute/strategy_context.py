"""The program's current strategy and replica: `tf.distribute.get_strategy` and related functions."""

from __future__ import annotations

import weakref
from typing import Any

from tfmini._src.distribute.reduce_op import ReduceOp
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.replica_modes import ReplicaMode, current_mode, current_strategy

_defaults: list[ReplicaMode] = []  # a single one, set by `default_strategy`
_scopes_that_were_set: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()


def set_default_mode(mode: ReplicaMode) -> None:
    """Sets the mode outside of all strategies."""
    _defaults[:] = [mode]


def mode() -> ReplicaMode:
    """Returns the innermost mode; outside of all strategies, the default one."""
    return current_mode() or _defaults[0]


def get_strategy() -> Any:
    """Returns the current `tf.distribute.Strategy`; outside of all scopes, the default single-replica strategy.

    Example:
      with strategy.scope():
          assert tf.distribute.get_strategy() is strategy
    """
    return mode().strategy


def has_strategy() -> bool:
    """Whether the program is in a scope of a strategy other than the default one."""
    return current_strategy() is not None


def get_replica_context() -> Any:
    """Returns the context of the replica being built; None in cross-replica context.

    Outside of all strategies, it is the context of the default strategy's single replica.
    """
    return mode().replica


def in_cross_replica_context() -> bool:
    """Whether the program is in a strategy's scope but not in a replica."""
    return mode().replica is None


def experimental_set_strategy(strategy: Any) -> None:
    """Enters a strategy's scope for the rest of the program, in the default graph; None leaves it.

    Raises:
      RuntimeError: inside a `with strategy.scope()`.
    """
    graph = get_default_graph()
    old = _scopes_that_were_set.pop(graph, None)
    if old is not None:
        old.__exit__(None, None, None)
    if has_strategy():
        raise RuntimeError("Must not be called inside a `tf.distribute.Strategy` scope.")
    if strategy is not None:
        scope = strategy.scope()
        scope.__enter__()
        _scopes_that_were_set[graph] = scope


def get_loss_reduction() -> ReduceOp:
    """Returns the reduction of the replicas' losses: MEAN in an Estimator, unless the last loss is a sum; else SUM."""
    strategy = current_strategy()
    if strategy is None or not strategy._scale_loss_for_estimator:
        return ReduceOp.SUM
    is_sum = get_default_graph()._last_loss_reduction == "weighted_sum"
    return ReduceOp.SUM if is_sum else ReduceOp.MEAN


def require_cross_replica(extended: Any) -> None:
    """Raises RuntimeError in replica context, or in another strategy's scope."""
    current_mode = mode()
    if current_mode.replica is None and current_mode.strategy.extended is extended:
        return
    if current_mode is _defaults[0]:
        return
    strategy = extended._container_strategy()
    if current_mode.strategy is not strategy:
        raise_wrong_scope(strategy)
    raise RuntimeError(
        "Method requires being in cross-replica context, use get_replica_context().merge_call()"
    )


def require_scope(strategy: Any) -> None:
    """Raises RuntimeError outside of the strategy's scope."""
    if mode().strategy is not strategy:
        raise_wrong_scope(strategy)


def raise_wrong_scope(strategy: Any) -> None:
    """Raises the error for a strategy that is not the current one."""
    if not has_strategy():
        raise RuntimeError(f'Need to be inside "with strategy.scope()" for {strategy}')
    raise RuntimeError(
        f"Mixing different tf.distribute.Strategy objects: {mode().strategy} is not {strategy}"
    )


def require_replica(replica_ctx: Any) -> None:
    """Raises RuntimeError outside of the context's replica."""
    current_mode = mode()
    if current_mode.replica is replica_ctx:
        return
    if current_mode.replica is None:
        raise RuntimeError("Need to be inside `call_for_each_replica()`")
    if current_mode.strategy is replica_ctx.strategy:
        raise RuntimeError("Mismatching ReplicaContext.")
    raise RuntimeError(
        f"Mismatching tf.distribute.Strategy objects: {current_mode.strategy} is not {replica_ctx.strategy}."
    )
