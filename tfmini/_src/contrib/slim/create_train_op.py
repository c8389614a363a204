"""The training op of slim, and its gradient transformations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.contrib.training import create_train_op as train_ops
from tfmini._src.graph.scopes import name_scope


def clip_gradient_norms(gradients_to_variables: list[Any], max_norm: float) -> list[Any]:
    """Clips each gradient of (gradient, variable) pairs to norm `max_norm`."""
    return train_ops.clip_gradient_norms(gradients_to_variables, max_norm)


def multiply_gradients(
    grads_and_vars: list[Any], gradient_multipliers: dict[Any, Any]
) -> list[Any]:
    """Multiplies the gradients of (gradient, variable) pairs by factors keyed by variable or op name.

    Raises:
      ValueError: if the pairs are not a list, factors are not a nonempty dict, or a gradient to multiply is None.
    """
    return train_ops.scale_gradients(
        grads_and_vars, gradient_multipliers, train_ops.constant_factor
    )


def add_gradients_summaries(grads_and_vars: list[Any]) -> list[Any]:
    """Adds summaries of each gradient: a histogram of its values, and its norm."""
    return train_ops.gradient_summaries(grads_and_vars, "/")


@arguments_of(train_ops.create_train_op, "transform_grads_fn")
def create_train_op(
    variables_to_train: Iterable[Any] | None,
    clip_gradient_norm: float = 0,
    colocate_gradients_with_ops: bool = False,
    gradient_multipliers: dict[Any, Any] | None = None,
    **kwargs: Any,
) -> Any:
    """Returns the loss tensor, whose evaluation runs the updates and a training step.

    Args:
      total_loss, optimizer, global_step, update_ops, variables_to_train, summarize_gradients, gate_gradients,
        aggregation_method, colocate_gradients_with_ops, check_numerics: as in `tf.contrib.training.create_train_op`.
      clip_gradient_norm: maximum norm of a gradient; 0 for no limit.
      gradient_multipliers: gradient factors, by variable or op name.

    Example:
      train_op = slim.learning.create_train_op(loss, optimizer, clip_gradient_norm=4)
    """

    def transform(pairs: list) -> list:
        if gradient_multipliers:
            with name_scope("multiply_grads"):
                pairs = multiply_gradients(pairs, gradient_multipliers)
        if clip_gradient_norm > 0:
            with name_scope("clip_grads"):
                pairs = clip_gradient_norms(pairs, clip_gradient_norm)
        return pairs

    return train_ops.create_train_op(
        variables_to_train=variables_to_train,
        transform_grads_fn=transform,
        colocate_gradients_with_ops=colocate_gradients_with_ops,
        **kwargs,
    )
