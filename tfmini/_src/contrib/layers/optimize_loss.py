"""`optimize_loss`: a training op, with optional gradient scaling, clipping and noise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.graph.collections import get_collection
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.checks.assert_type import assert_scalar
from tfmini._src.ops.summaries.scalar_histogram_summary import histogram, scalar
from tfmini._src.train import global_step as steps
from tfmini._src.train.optimizers.adagrad import AdagradOptimizer
from tfmini._src.train.optimizers.adam import AdamOptimizer
from tfmini._src.train.optimizers.ftrl import FtrlOptimizer
from tfmini._src.train.optimizers.gradient_descent import GradientDescentOptimizer
from tfmini._src.train.optimizers.momentum import MomentumOptimizer
from tfmini._src.train.optimizers.optimizer import Optimizer
from tfmini._src.train.optimizers.rmsprop import RMSPropOptimizer
from tfmini._src.variables.collections import trainable_variables
from tfmini._src.variables.get_variable import get_variable
from tfmini._src.variables.initializers import Constant
from tfmini._src.variables.variable_scope import variable_scope

OPTIMIZER_CLS_NAMES: dict[str, Any] = {
    "Adagrad": AdagradOptimizer,
    "Adam": AdamOptimizer,
    "Ftrl": FtrlOptimizer,
    "Momentum": lambda learning_rate: MomentumOptimizer(learning_rate, momentum=0.9),
    "RMSProp": RMSPropOptimizer,
    "SGD": GradientDescentOptimizer,
}
OPTIMIZER_SUMMARIES = [
    "learning_rate",
    "loss",
    "gradients",
    "gradient_norm",
    "global_gradient_norm",
]


def optimize_loss(
    loss: Any,
    global_step: Any,
    learning_rate: TensorLike,
    optimizer: str | type[Optimizer] | Optimizer | Callable[..., Any],
    gradient_noise_scale: float | None = None,
    gradient_multipliers: dict[Any, Any] | None = None,
    clip_gradients: float | Callable[..., Any] | None = None,
    learning_rate_decay_fn: Callable[..., Any] | None = None,
    update_ops: Any = None,
    variables: Sequence[Any] | None = None,
    name: str | None = None,
    summaries: Sequence[str] | None = None,
    colocate_gradients_with_ops: bool = False,
    increment_global_step: bool = True,
) -> Any:
    """Returns the loss tensor, whose evaluation runs a training step.

    Args:
      loss: a scalar tensor.
      global_step: step count variable; None for the graph's.
      learning_rate: a number or a scalar tensor; None if the optimizer has its own.
      optimizer: a name in `OPTIMIZER_CLS_NAMES`, a class, an optimizer, or a function of the learning rate.
      gradient_noise_scale: scale of normal noise added to gradients.
      gradient_multipliers: factors by variable or variable name.
      clip_gradients: maximum global norm, a float, or a function of (gradient, variable) pairs.
      learning_rate_decay_fn: a function of the learning rate and global step.
      update_ops: operations run before the training step; by default the collection UPDATE_OPS.
      variables: variables to train; by default all trainable ones.
      name: variable scope name.
      summaries: subset of `OPTIMIZER_SUMMARIES`; by default loss, learning rate and global norm.
      colocate_gradients_with_ops: whether to colocate gradients with their operations.
      increment_global_step: whether to increment the global step.

    Raises:
      ValueError: for a non-scalar loss, or arguments of the wrong type.

    Example:
      train = tf.contrib.layers.optimize_loss(loss, step, 0.01, "Adam", clip_gradients=1.0)
    """
    loss = ops.convert_to_tensor(loss)
    assert_scalar(loss)
    if global_step is None:
        global_step = steps.get_global_step()
    else:
        steps.assert_global_step(global_step)
    with variable_scope(name, "OptimizeLoss", [loss, global_step]):
        if update_ops is None:
            update_ops = dict.fromkeys(get_collection(GraphKeys.UPDATE_OPS))
        if update_ops:
            loss = ops.with_dependencies(list(update_ops), loss)
        rate = _rate(learning_rate)
        summaries = _summaries(summaries)
        if learning_rate is not None and learning_rate_decay_fn is not None:
            if global_step is None:
                raise ValueError("global_step is required for learning_rate_decay_fn.")
            rate = learning_rate_decay_fn(rate, global_step)
            if "learning_rate" in summaries:
                scalar("learning_rate", rate)
        instance = _optimizer(optimizer, rate, learning_rate)
        pairs = instance.compute_gradients(
            loss,
            trainable_variables() if variables is None else variables,
            colocate_gradients_with_ops=colocate_gradients_with_ops,
        )
        if gradient_noise_scale is not None:
            pairs = _with_noise(pairs, gradient_noise_scale)
        if gradient_multipliers is not None:
            pairs = _multiply_gradients(pairs, gradient_multipliers)
            if not pairs:
                raise ValueError(
                    "Empty list of (gradient, var) pairs encountered. This is most likely to be "
                    "caused by an improper value of gradient_multipliers."
                )
        norms = "global_gradient_norm" in summaries or "gradient_norm" in summaries
        if norms:
            scalar("global_norm/gradient_norm", ops.global_norm([g for g, _ in pairs]))
        pairs = _clip_pairs(pairs, clip_gradients)
        _write_summaries(summaries, loss, pairs)
        if clip_gradients is not None and norms:
            scalar("global_norm/clipped_gradient_norm", ops.global_norm([g for g, _ in pairs]))
        step = global_step if increment_global_step else None
        updates = instance.apply_gradients(pairs, global_step=step, name="train")
        return ops.with_dependencies([updates], loss)


def _rate(learning_rate: Any) -> Any:
    if learning_rate is None:
        return None
    if isinstance(learning_rate, Tensor) and learning_rate.shape.ndims == 0:
        return learning_rate
    if not isinstance(learning_rate, float):
        raise ValueError(
            f"Learning rate should be 0d Tensor or float. Got {learning_rate} of type "
            f"{type(learning_rate)}"
        )
    if learning_rate < 0.0:
        raise ValueError("Invalid learning_rate %s.", learning_rate)
    return get_variable("learning_rate", [], trainable=False, initializer=Constant(learning_rate))


def _summaries(value: Any) -> Any:
    if value is None:
        return ["loss", "learning_rate", "global_gradient_norm"]
    for summary in value:
        if summary not in OPTIMIZER_SUMMARIES:
            names = ", ".join(OPTIMIZER_SUMMARIES)
            raise ValueError(f"Summaries should be one of [{names}], you provided {summary}.")
    return value


def _optimizer(value: Any, rate: Any, learning_rate: Any) -> Optimizer:
    is_class = isinstance(value, type) and issubclass(value, Optimizer)
    if isinstance(value, str) or is_class:
        if rate is None:
            article = "string" if isinstance(value, str) else "class"
            raise ValueError(
                f"Learning rate is None, but should be specified if optimizer is {article} ({value})."
            )
        if is_class:
            return value(learning_rate=rate)
        if value not in OPTIMIZER_CLS_NAMES:
            names = ", ".join(OPTIMIZER_CLS_NAMES)
            raise ValueError(f"Optimizer name should be one of [{names}], you provided {value}.")
        return OPTIMIZER_CLS_NAMES[value](learning_rate=rate)
    if isinstance(value, Optimizer):
        return value
    if not callable(value):
        raise ValueError(
            "Unrecognized optimizer: should be string, subclass of Optimizer, instance of subclass "
            f"of Optimizer or function with one argument. Got {value}."
        )
    result = value() if learning_rate is None else value(rate)
    if not isinstance(result, Optimizer):
        raise ValueError(
            f"Unrecognized optimizer: function should return subclass of Optimizer. Got {result}."
        )
    return result


def _clip_pairs(pairs: list, clip_gradients: Any) -> list:
    if clip_gradients is None:
        return pairs
    if isinstance(clip_gradients, float):
        gradients, variables = zip(*pairs)
        clipped, _ = ops.clip_by_global_norm(gradients, clip_gradients)
        return list(zip(clipped, variables))
    if callable(clip_gradients):
        return clip_gradients(pairs)
    raise ValueError(f"Unknown type {type(clip_gradients)} for clip_gradients")


def _write_summaries(summaries: Any, loss: Any, pairs: list) -> None:
    if "loss" in summaries:
        scalar("loss", loss)
    for gradient, variable in pairs:
        values = gradient.values if isinstance(gradient, IndexedSlices) else gradient
        if values is None:
            continue
        name = variable.name.replace(":", "_")
        if "gradients" in summaries:
            histogram(f"gradients/{name}", values)
        if "gradient_norm" in summaries:
            scalar(f"gradient_norm/{name}", ops.global_norm([values]))


def _with_noise(pairs: list, scale: float) -> list:
    noisy_gradients = []
    for gradient, variable in pairs:
        if gradient is not None:
            is_sparse = isinstance(gradient, IndexedSlices)
            shape = gradient.dense_shape if is_sparse else gradient.shape
            gradient = gradient + ops.truncated_normal(shape) * scale
        noisy_gradients.append((gradient, variable))
    return noisy_gradients


def _multiply_gradients(pairs: list, multipliers: dict) -> list:
    result = []
    for gradient, variable in pairs:
        key = variable if variable in multipliers else variable.name
        if gradient is not None and key in multipliers:
            factor = multipliers[key]
            if isinstance(gradient, IndexedSlices):
                values = gradient.values * factor
                gradient = IndexedSlices(values, gradient.indices, gradient.dense_shape)
            else:
                gradient = gradient * ops.cast(factor, gradient.dtype)
        result.append((gradient, variable))
    return result
