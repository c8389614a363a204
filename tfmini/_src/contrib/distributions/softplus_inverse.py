"""The inverse of softplus."""

from __future__ import annotations

import numpy as np

from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops


def softplus_inverse(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns the y for which log(1 + exp(y)) = x: log(exp(x) - 1), accurate for small and large x.

    Args:
      x: float tensor of positive numbers.
      name: the name scope of the nodes, "softplus_inverse" by default.

    Returns:
      A tensor of the shape and dtype of `x`.
    """
    with name_scope(name, "softplus_inverse", values=[x]):
        x = convert_to_tensor(x, name="x")
        threshold = np.log(np.finfo(x.dtype.as_numpy_dtype).eps) + 2.0
        too_small = ops.less(x, np.exp(threshold))
        too_large = ops.greater(x, -threshold)
        small, large = ops.log(x), x
        # 1 in the unselected branch, to keep NaN out of the gradient.
        x = ops.where_v2(ops.logical_or(too_small, too_large), ops.ones_like(x), x)
        y = x + ops.log(-ops.expm1(-x))
        return ops.where_v2(too_small, small, ops.where_v2(too_large, large, y))
