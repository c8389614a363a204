"""`tf.hessians`: second derivatives, computed row by row in a loop."""

from __future__ import annotations

from typing import Any

from tfmini._src.autodiff.gradients import gradients
from tfmini._src.base import dtypes
from tfmini._src.graph.public_functions import ops
from tfmini._src.graph.tensor import TensorLike


def hessians(
    ys: TensorLike,
    xs: TensorLike,
    name: str = "hessians",
    colocate_gradients_with_ops: bool = False,
    gate_gradients: bool = False,
    aggregation_method: int | None = None,
) -> list[Any]:
    """Builds the second derivatives of sum(ys) with respect to each x.

    Args:
      ys: a tensor or list of tensors.
      xs: a tensor, variable or list of these.
      name: ignored.
      colocate_gradients_with_ops, gate_gradients, aggregation_method: for the first derivatives, as in `gradients`.

    Returns:
      A list with one tensor per x, with its shape repeated: `[i..., j...]` is the derivative by elements i and j.

    Raises:
      LookupError: if an operation between ys and xs has no first or second gradient.

    Example: `tf.hessians(tf.reduce_sum(x ** 3), x)` is `[tf.diag(6 * x)]` for a vector x.
    """
    xs = list(xs) if isinstance(xs, list | tuple) else [xs]
    first = gradients(
        ys,
        xs,
        colocate_gradients_with_ops=colocate_gradients_with_ops,
        gate_gradients=gate_gradients,
        aggregation_method=aggregation_method,
    )
    return [_element_gradients(gradient, x) for gradient, x in zip(first, xs)]


def _element_gradients(gradient: Any, x: Any) -> Any:
    """Returns the derivatives of all elements of `gradient` with respect to x."""
    flat = ops.reshape(gradient, [-1])
    size = ops.size(x)
    start = [ops.constant(0, dtypes.int32), ops.TensorArray(x.dtype, size)]

    def row(index: Any, rows: Any) -> tuple:
        return index + 1, rows.write(index, gradients(flat[index], x)[0])

    _, rows = ops.while_loop(lambda index, _: index < size, row, start)
    shape = ops.shape(x)
    return ops.reshape(rows.stack(), ops.concat((shape, shape), 0))
