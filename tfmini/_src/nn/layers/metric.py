"""Metrics as layers: state that accumulates over steps, and a result computed from it."""

from __future__ import annotations

import functools
import types
from abc import ABCMeta, abstractmethod
from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.functions.tf_function import Function
from tfmini._src.graph.replica_modes import across_replicas, current_strategy, is_cross_replica
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.nn.layers.backend.config import floatx
from tfmini._src.nn.layers.backend.session import set_values
from tfmini._src.nn.layers.base_layer import Layer
from tfmini._src.nn.layers.layer_arguments import description
from tfmini._src.ops import ops
from tfmini._src.variables.copy_modes import (
    VariableAggregation,
    VariableSynchronization,
)

_PACKAGE = __name__.partition(".")[0]


class Metric(Layer, metaclass=ABCMeta):
    """Base class of metrics; subclasses create weights, update them in `update_state` and compute `result`.

    `update_state` of a subclass becomes a `tf.function`: its assignments run in program order, even if not returned.
    Calling a metric updates its state and returns the new result.

    Args:
      name: its name; by default derived from the class.
      dtype: the dtype of its state and result, by default `tf.keras.backend.floatx()`.
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        metric = super().__new__(cls)
        attributes = vars(metric)
        update_state = metric.update_state
        # User metrics need not return their updates.
        if cls.__module__.partition(".")[0] != _PACKAGE:
            update_state = Function(update_state)
        attributes["update_state"] = types.MethodType(_record_updates(update_state), metric)
        attributes["result"] = types.MethodType(_record_result(metric.result), metric)
        return metric

    def __init__(self, name: str | None = None, dtype: DTypeLike | None = None, **kwargs: Any):
        super().__init__(name=name, dtype=dtype, **kwargs)
        self.stateful = True
        self.built = True
        self._dtype = floatx() if dtype is None else dtypes.as_dtype(dtype).name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Updates the state with `update_state` and returns the new result."""
        strategy = current_strategy() if is_cross_replica() else None
        if strategy is not None:
            with strategy.scope():
                call = strategy.extended.call_for_each_replica
                return call(self._update_and_result, args=args, kwargs=kwargs)
        return self._update_and_result(*args, **kwargs)

    def _update_and_result(self, *args: Any, **kwargs: Any) -> Any:
        update = self.update_state(*args, **kwargs)
        with control_dependencies([update]):
            result = self.result()
            result._metric_obj = self
            return result

    @abstractmethod
    def update_state(self, *args: Any, **kwargs: Any) -> Any:
        """Returns an operation that updates the state."""
        raise NotImplementedError("Must be implemented in subclasses.")

    @abstractmethod
    def result(self) -> Any:
        """Computes the metric's value from its state."""
        raise NotImplementedError("Must be implemented in subclasses.")

    def reset_states(self) -> None:
        """Sets the state to zeros, in the session of `tf.keras.backend.get_session`."""
        set_values([(v, 0) for v in self.variables])

    def add_weight(  # type: ignore[override]  # TensorFlow's argument order
        self,
        name: str,
        shape: TensorLike = (),
        aggregation: VariableAggregation = VariableAggregation.SUM,
        synchronization: VariableSynchronization = VariableSynchronization.ON_READ,
        initializer: str | Callable[..., Any] | None = None,
        dtype: DTypeLike | None = None,
    ) -> Any:
        """Creates a state variable, which is added to no collection."""
        return super().add_weight(
            name=name,
            shape=shape,
            dtype=self.dtype if dtype is None else dtype,
            trainable=False,
            initializer=initializer,
            collections=[],
            synchronization=synchronization,
            aggregation=aggregation,
        )

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments, as plain data."""
        return {"name": self.name, "dtype": self.dtype, **description(self, type(self)._in_config)}


def _record_updates(function: Callable) -> Callable:
    @functools.wraps(function)
    def update_state(metric: Any, *args: Any, **kwargs: Any) -> Any:
        update = function(*args, **kwargs)
        if update is not None:
            metric.add_update(update)
        return update

    return update_state


def _record_result(function: Callable) -> Callable:
    @functools.wraps(function)
    def result(metric: Any, *args: Any) -> Any:
        value = across_replicas(lambda *args: ops.identity(function(*args)), *args)
        vars(metric)["_call_result"] = value
        return value

    return result
