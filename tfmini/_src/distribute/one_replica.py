"""Strategies with a single replica, in which reductions, updates and reads use the value itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.distribute.strategy_extended import StrategyExtended
from tfmini._src.ops import ops


class OneReplicaExtended(StrategyExtended):
    """Base class of single-replica implementations."""

    def _reduce_to(self, reduce_op: Any, value: Any, destinations: Any) -> Any:
        return value

    def _update(self, var: Any, fn: Callable, args: Any, kwargs: Any, group: bool) -> Any:
        return self._update_non_slot(var, fn, (var, *args), kwargs, group)

    def read_var(self, v: Any) -> Any:
        return ops.identity(v)

    def _local_results(self, distributed_value: Any) -> tuple:
        return (distributed_value,)

    def value_container(self, value: Any) -> Any:
        return value

    @property
    def _num_replicas_in_sync(self) -> int:
        return 1
