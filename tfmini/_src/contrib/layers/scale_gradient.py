"""Identity op with a scaled gradient."""

from __future__ import annotations

from typing import Any

from tfmini._src.functions.defun import Defun
from tfmini._src.graph.tensor import TensorLike


def _unchanged_shape(op: Any) -> list:
    return [op.inputs[0].shape]


def _gradient(op: Any, grad: Any) -> list:
    return [grad * op.inputs[1], None]


@Defun(python_grad_func=_gradient, shape_func=_unchanged_shape)
def scale_gradient(inputs: TensorLike, gradient_multiplier: Any) -> Any:
    """`inputs` unchanged, with their gradient multiplied by `gradient_multiplier`.

    Args:
      inputs: a tensor.
      gradient_multiplier: a tensor of its dtype, broadcastable to it.

    Returns:
      A tensor of the shape and dtype of `inputs`.
    """
    return inputs
