"""Keras optimizers with gradients combined over all processes."""

from __future__ import annotations

from typing import Any

from tfmini._src.distribute.horovod.gradient_reduction import (
    GradientAggregation,
    GradientReduction,
)
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.nn.layers.backend.keras_graph import get_graph
from tfmini._src.nn.layers.backend.session import track
from tfmini._src.ops import ops


class _DistributedKerasOptimizer:
    """Methods of a distributed optimizer that override its Keras optimizer's."""

    _reduce: GradientReduction
    _aggregation: GradientAggregation | None

    def get_gradients(self, loss: Any, params: Any) -> list[Any]:
        """Returns the loss's gradients, reduced over all processes."""
        grads = super().get_gradients(loss, params)  # type: ignore[misc]
        with get_graph().as_default():
            if self._aggregation is None:
                return self._reduce(grads)
            reduced = self._aggregation.compute(grads)
            for variable in self._aggregation.variables:
                track(variable)
            return reduced

    def apply_gradients(self, grads_and_vars: Any, *args: Any, **kwargs: Any) -> Any:
        """Applies the gradients. Eager mode combines them first; in graphs they are already combined."""
        apply = super().apply_gradients  # type: ignore[misc]
        pairs = list(grads_and_vars)
        if executing_eagerly():
            grads = self._reduce([grad for grad, _ in pairs])
            return apply([(grad, var) for grad, (_, var) in zip(grads, pairs)], *args, **kwargs)
        if self._aggregation is None:
            return apply(pairs, *args, **kwargs)
        iterations = self.iterations  # type: ignore[attr-defined]
        return self._aggregation.apply(
            lambda: apply(pairs, *args, **kwargs), lambda: ops.group(iterations.assign_add(1))
        )


def distributed_keras_optimizer(
    optimizer: Any, reduce: GradientReduction, aggregation: GradientAggregation | None
) -> Any:
    """Returns a new optimizer with `optimizer`'s configuration and class name, and therefore the same saved form.

    Raises:
      ValueError: if it is not a Keras optimizer, or for several passes in eager execution.
    """
    optimizer_class = type(optimizer)
    if not (hasattr(optimizer_class, "from_config") and hasattr(optimizer_class, "get_gradients")):
        raise ValueError(
            "Provided optimizer doesn't inherit from either legacy TensorFlow or Keras optimizer: "
            f"{optimizer}"
        )
    if aggregation is not None and executing_eagerly():
        raise ValueError("backward_passes_per_step > 1 is not supported with eager execution.")
    result: Any = type(
        optimizer_class.__name__,
        (_DistributedKerasOptimizer, optimizer_class),
        {"__module__": optimizer_class.__module__, "_reduce": reduce, "_aggregation": aggregation},
    )
    return result.from_config(optimizer.get_config())
