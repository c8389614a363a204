"""Training ops: a loss whose evaluation runs a step, and gradient scaling and clipping."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from tfmini._src.base import logs
from tfmini._src.graph.collections import get_collection, get_collection_ref
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.summaries.scalar_histogram_summary import histogram, scalar
from tfmini._src.train.global_step import get_or_create_global_step
from tfmini._src.train.optimizers.optimizer import Optimizer
from tfmini._src.variables.collections import trainable_variables

_USE_GLOBAL_STEP = 0


def clip_gradient_norms(gradients_to_variables: list[Any], max_norm: float) -> list[Any]:
    """Clips each gradient of (gradient, variable) pairs to norm `max_norm`."""
    pairs = []
    for gradient, variable in gradients_to_variables:
        if isinstance(gradient, IndexedSlices):
            values = ops.clip_by_norm(gradient.values, max_norm)
            gradient = IndexedSlices(values, gradient.indices, gradient.dense_shape)
        elif gradient is not None:
            gradient = ops.clip_by_norm(gradient, max_norm)
        pairs.append((gradient, variable))
    return pairs


def clip_gradient_norms_fn(max_norm: float) -> Callable[[list[Any]], list[Any]]:
    """Returns a function that clips each gradient of (gradient, variable) pairs to norm `max_norm`."""
    return lambda gradients_to_variables: clip_gradient_norms(gradients_to_variables, max_norm)


def multiply_gradients(
    grads_and_vars: list[Any], gradient_multipliers: dict[Any, Any]
) -> list[Any]:
    """Multiplies the gradients of (gradient, variable) pairs by factors keyed by variable or op name.

    Raises:
      ValueError: if the pairs are not a list, factors are not a nonempty dict, or a gradient to multiply is None.
    """

    def gradient_factor(value: Any, dtype: Any) -> Any:
        return ops.convert_to_tensor(value, dtype=dtype)

    return scale_gradients(grads_and_vars, gradient_multipliers, gradient_factor)


def scale_gradients(
    grads_and_vars: Any, gradient_multipliers: Any, gradient_factor: Callable
) -> list:
    """Implements `multiply_gradients`; `gradient_factor(value, dtype)` converts each factor to a tensor."""
    if not isinstance(grads_and_vars, list):
        raise ValueError("`grads_and_vars` must be a list.")
    if not gradient_multipliers:
        raise ValueError("`gradient_multipliers` is empty.")
    if not isinstance(gradient_multipliers, dict):
        raise ValueError("`gradient_multipliers` must be a dict.")
    pairs = []
    for gradient, variable in grads_and_vars:
        key = variable if variable in gradient_multipliers else variable.op.name
        if key in gradient_multipliers:
            if gradient is None:
                raise ValueError("Requested multiple of `None` gradient.")
            factor = gradient_factor(gradient_multipliers[key], gradient.dtype)
            if isinstance(gradient, IndexedSlices):
                values = gradient.values * factor
                gradient = IndexedSlices(values, gradient.indices, gradient.dense_shape)
            else:
                gradient = gradient * factor
        pairs.append((gradient, variable))
    return pairs


def constant_factor(value: Any, dtype: Any) -> Any:
    """Converts a factor to a tensor, as in slim."""
    return value if isinstance(value, Tensor) else ops.constant(value, dtype=dtype)


def add_gradients_summaries(grads_and_vars: list[Any]) -> list[Any]:
    """Adds summaries of each gradient: a histogram of its values, and its norm."""
    return gradient_summaries(grads_and_vars, "_")


def gradient_summaries(grads_and_vars: list, joint: str) -> list:
    """Adds gradient summaries with `joint` between the variable name and the kind of summary."""
    summaries = []
    for gradient, variable in grads_and_vars:
        if gradient is None:
            logs.info("Var %s has no gradient", variable.op.name)
            continue
        values = gradient.values if isinstance(gradient, IndexedSlices) else gradient
        name = f"{variable.op.name}{joint}gradient"
        summaries.append(histogram(name, values))
        summaries.append(scalar(name + "_norm", ops.global_norm([values])))
    return summaries


def create_train_op(
    total_loss: Tensor,
    optimizer: Optimizer,
    global_step: TensorLike = _USE_GLOBAL_STEP,
    update_ops: Iterable[Any] | None = None,
    variables_to_train: Any = None,
    transform_grads_fn: Callable[..., Any] | None = None,
    summarize_gradients: bool = False,
    gate_gradients: int = Optimizer.GATE_OP,
    aggregation_method: int | None = None,
    colocate_gradients_with_ops: bool = False,
    check_numerics: bool = True,
) -> Any:
    """Returns the loss tensor, whose evaluation runs updates and a training step, added to the collection TRAIN_OP.

    Args:
      total_loss: a scalar tensor.
      optimizer: an optimizer.
      global_step: step count variable, by default the graph's; None to disable counting.
      update_ops: operations run before the training step; by default the collection UPDATE_OPS.
      variables_to_train: by default all trainable variables.
      transform_grads_fn: function that transforms (gradient, variable) pairs.
      summarize_gradients: whether to add gradient summaries.
      gate_gradients, aggregation_method, colocate_gradients_with_ops: as in `compute_gradients`.
      check_numerics: whether to raise an error for a nonfinite loss.

    Raises:
      AssertionError: if there are no variables to train.

    Example:
      train_op = slim.learning.create_train_op(loss, tf.train.AdamOptimizer(1e-3))
    """
    if global_step is _USE_GLOBAL_STEP:
        global_step = get_or_create_global_step()
    collected = dict.fromkeys(get_collection(GraphKeys.UPDATE_OPS))
    update_ops = collected if update_ops is None else dict.fromkeys(update_ops)
    if not set(collected) <= set(update_ops):
        logs.warning(
            "update_ops in create_train_op does not contain all the update_ops in GraphKeys.UPDATE_OPS"
        )
    if update_ops:
        with control_dependencies(list(update_ops)):
            barrier = ops.no_op(name="update_barrier")
        total_loss = ops.with_dependencies([barrier], total_loss)
    if variables_to_train is None:
        variables_to_train = trainable_variables()
    else:
        trained = trainable_variables()
        assert all(v.trainable or v in trained for v in variables_to_train)
    assert variables_to_train
    pairs = optimizer.compute_gradients(
        total_loss,
        variables_to_train,
        gate_gradients=gate_gradients,
        aggregation_method=aggregation_method,
        colocate_gradients_with_ops=colocate_gradients_with_ops,
    )
    if transform_grads_fn:
        pairs = transform_grads_fn(pairs)
    if summarize_gradients:
        with name_scope("summarize_grads"):
            add_gradients_summaries(pairs)
    updates = optimizer.apply_gradients(pairs, global_step=global_step)
    with name_scope("train_op"):
        if check_numerics:
            total_loss = ops.check_numerics(total_loss, "LossTensor is inf or nan")
        train_op = ops.with_dependencies([updates], total_loss)
    collection = get_collection_ref(GraphKeys.TRAIN_OP)
    if not any(train_op is member for member in collection):
        collection.append(train_op)
    return train_op
