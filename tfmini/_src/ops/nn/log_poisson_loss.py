"""`tf.nn.log_poisson_loss`: the log likelihood loss of Poisson distributions."""

from __future__ import annotations

import math

from tfmini._src.graph.opdef import public
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops


@public
def log_poisson_loss(
    targets: TensorLike,
    log_input: TensorLike,
    compute_full_loss: bool = False,
    name: str | None = None,
) -> Tensor:
    """Computes the Poisson log likelihood loss exp(c) - z c for the predicted log rate c and count z.

    Args:
      targets: the counts, a float tensor.
      log_input: the predicted log rates, of the same shape and dtype.
      compute_full_loss: whether to add Stirling's approximation of log(z!), which does not depend on c.

    Returns:
      A tensor of the same shape, one loss per element.

    Raises:
      ValueError: if the shapes differ.
    """
    with name_scope(name, "log_poisson_loss", [log_input, targets]) as name:
        log_input = ops.convert_to_tensor(log_input, name="log_input")
        targets = ops.convert_to_tensor(targets, name="targets")
        try:
            targets.shape.merge_with(log_input.shape)
        except ValueError:
            raise ValueError(
                "log_input and targets must have the same shape "
                f"({log_input.shape} vs {targets.shape})"
            ) from None
        result = ops.exp(log_input) - log_input * targets
        if compute_full_loss:
            half = ops.constant(0.5, dtype=targets.dtype)
            two_pi = ops.constant(2 * math.pi, dtype=targets.dtype)
            stirling = (targets * ops.log(targets)) - targets + half * ops.log(two_pi * targets)
            zeros = ops.zeros_like(targets, dtype=targets.dtype)
            ones = ops.ones_like(targets, dtype=targets.dtype)
            small = ops.logical_and(targets >= zeros, targets <= ones)
            result += ops.where(small, zeros, stirling)
        return result
