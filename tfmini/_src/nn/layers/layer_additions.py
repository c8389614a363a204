"""Losses, updates and metrics that a layer adds to the model, and whether they depend on its inputs.

The functions with a parameter `self` are methods of `Layer` in `base_layer.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tfmini._src.base.errors import InaccessibleTensorError
from tfmini._src.base.names.public import PublicNames
from tfmini._src.base.nest.structure import flatten
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.replica_modes import current_strategy, is_cross_replica
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.backend.config import floatx
from tfmini._src.nn.layers.backend.keras_graph import runs_as_written
from tfmini._src.nn.layers.call_context import current_call
from tfmini._src.nn.layers.graph_traversal import reachable_targets
from tfmini._src.ops import ops
from tfmini._src.variables.init_scope import executing_eagerly_outside_functions
from tfmini._src.variables.variable import Variable

_AGGREGATION_ERROR = (
    "We do not support adding an aggregated metric result tensor that is not the output of a "
    "`tf.keras.metrics.Metric` metric instance. Without having access to the metric instance we cannot "
    "reset the state of a metric after every epoch during training. You can create a "
    "`tf.keras.metrics.Metric` instance and pass the result here or pass an un-aggregated result with "
    "`aggregation` parameter set as `mean`. For example: `self.add_metric(tf.reduce_sum(inputs), "
    "name='mean_activation', aggregation='mean')`"
)

# Metrics depend on layers.
_metrics = PublicNames("tfmini.keras.metrics", "Mean".__eq__)


def add_loss(self: Any, losses: object, inputs: TensorLike | None = None) -> None:
    """Adds scalar losses to the layer.

    Args:
      losses: a tensor, a function without arguments that returns one, or a list of these.
      inputs: if not None, the losses are treated as depending on the layer's inputs.
    """
    new_losses: list[Callable] = []
    for loss in flatten(losses):
        if callable(loss):
            new_losses.append(partial(_tag, loss, inputs is None))
        elif loss is not None:
            tagged = _tag(loss, inputs is None)
            check_not_in_branch(tagged, "add_loss")
            now = isinstance(tagged, EagerTensor) or runs_as_written()
            if now and not current_call().in_call:
                raise ValueError(
                    "Expected a symbolic Tensors or a callable for the loss value. Please wrap your loss "
                    "computation in a zero argument `lambda`."
                )
            (self._eager_losses if now else self._losses).append(tagged)
    self._callable_losses += new_losses


def add_updates(self: Any, updates: Any) -> None:
    """Adds operations to run in each training step; eager mode runs them immediately, except for a frozen layer.

    In the graph of a functional model built in eager mode, functions are called on access to `updates`, and other
    updates are side effects of the layer's call.
    """
    if is_cross_replica() and current_strategy() is not None:
        return  # each replica has its own layer calls
    call = current_call()
    updates = updates if isinstance(updates, list) else [updates]
    if runs_as_written():
        for update in updates:
            if callable(update) and not call.frozen:
                update()
        return
    relevant = call.inputs if call.in_call else [n.input_tensors for n in self._inbound_nodes]
    if not executing_eagerly_outside_functions():
        self._updates += [_tag_update(update, relevant) for update in updates]
        return
    for update in updates:
        if callable(update):
            in_branch = get_default_graph()._is_part
            self._updates.append(partial(_deferred_update, update, relevant, in_branch))
        elif not call.in_call:
            self._updates.append(_tag_update(update, relevant))


def _deferred_update(update: Callable, relevant: Any, in_branch: bool) -> Any:
    """Calls an update; raises RuntimeError if it needs values of the branch or loop that added it."""
    try:
        return _tag_update(update, relevant)
    except (InaccessibleTensorError, TypeError) as error:
        if in_branch:
            raise _branch_error("add_update") from error
        raise


def _tag_update(update: Any, relevant: Any) -> Any:
    """Returns an update as an operation or tensor that is marked as dependent on these inputs or not."""
    while callable(update):
        update = update()
    if not isinstance(update, Operation):
        update = getattr(update, "op", None) or ops.convert_to_tensor(update)
    update._unconditional_update = not reachable_targets(relevant, [update])
    return update


def dependent(new_items: list, mark: str, inputs: Any) -> list:
    """Returns the losses or updates that depend on `inputs`; with None, those marked as independent."""
    if inputs is None:
        return [x for x in new_items if getattr(x, mark)]
    return reachable_targets(inputs, [x for x in new_items if not getattr(x, mark)])


def add_metric(self: Any, value: object, aggregation: str | None = None, name: Any = None) -> None:
    """Adds the mean of `value` over all steps to the layer's `metrics`.

    Args:
      value: a tensor.
      aggregation: "mean", or None for the result of a metric.
      name: the metric's name; an existing metric with this name is continued.

    Raises:
      ValueError: for an unsupported aggregation or a missing name.
    """
    if aggregation not in (None, "mean"):
        raise ValueError(
            "We currently support only `mean` sample-wise metric aggregation. You provided "
            f"aggregation=`{aggregation}`"
        )
    metric = getattr(value, "_metric_obj", None)
    if name is None and metric is None:
        raise ValueError(
            "Please provide a name for your metric like "
            "`self.add_metric(tf.reduce_sum(inputs), name='mean_activation', "
            "aggregation='mean')`"
        )
    self._add_metric(value, aggregation, metric.name if metric is not None else name)


def add_checked_metric(self: Any, value: Any, aggregation: str | None, name: str) -> None:
    check_not_in_branch(value, "add_metric")
    same_named = [metric for metric in self._metrics if metric.name == name]
    if len(same_named) > 1:
        raise ValueError(
            "Please provide different names for the metrics you have added. We found "
            f'{len(same_named)} metrics with the name: "{name}"'
        )
    if aggregation is None:
        metric = getattr(value, "_metric_obj", None)
        if not same_named and metric is None:
            raise ValueError(_AGGREGATION_ERROR)
        if not same_named:
            self._metrics.append(metric)
        return
    if same_named:
        same_named[0](value)
        return
    metric = _metrics["Mean"](name=name)
    metric(value)
    self._metrics.append(metric)


def handle_activity_regularization(self: Any, inputs: Any, outputs: Any) -> None:
    """Adds the losses of the activity regularizer, divided by the batch size."""
    with name_scope("ActivityRegularizer"):
        for output in flatten(outputs):
            loss = self._activity_regularizer(output)
            batch_size = ops.cast(ops.shape(output)[0], loss.dtype)
            mean = loss / batch_size
            check_not_in_branch(mean, "activity_regularizer")
            self.add_loss(mean, inputs=inputs)


def check_not_in_branch(value: Any, method: str) -> None:
    """Raises RuntimeError if a tensor or node added by a layer belongs to a branch or loop in eager mode."""
    if isinstance(value, EagerTensor) or not executing_eagerly_outside_functions():
        return
    op = value.op if isinstance(value, Tensor) else value
    if not isinstance(op, Operation):
        return
    if op.graph._is_part or op._get_control_flow_context() is not None:
        raise _branch_error(method)


def _branch_error(method: str) -> RuntimeError:
    caller = f"the method `{method}` in a control flow branch in your layer"
    location = f"{method} out"
    if method == "activity_regularizer":
        caller = "a layer with `activity_regularizer` in a control flow branch"
        location = "the layer with `activity_regularizer` out"
    return RuntimeError(
        f"You are using {caller}. This is not currently supported. Please move your call to {location} of the control "
        "flow branch. You can also resolve this by marking your layer as dynamic (eager-only) by passing "
        "`dynamic=True` to the layer constructor, which requires that you implement static shape inference in the "
        "`compute_output_shape(input_shape)` method."
    )


def _tag(loss: Any, unconditional: bool) -> Any:
    """Returns the loss as a tensor that is marked as dependent on the layer's inputs or not."""
    if callable(loss):
        loss = loss()
    if loss is None:
        return None
    if not isinstance(loss, (Tensor, SparseTensor, Variable)):
        loss = ops.convert_to_tensor(loss, dtype=floatx())
    loss._unconditional_loss = unconditional
    return loss
