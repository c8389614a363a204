"""`tf.gradients`: symbolic derivatives of sums of ys with respect to xs."""

from __future__ import annotations

from enum import Enum
from typing import Any

from tfmini._src.autodiff.backward_pass import BackwardPass
from tfmini._src.base import dtypes
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.convert_to_tensor import (
    convert_n_to_tensor_or_indexed_slices,
    internal_convert_to_tensor_or_indexed_slices,
)
from tfmini._src.graph.eager.execution_mode import require_graph_mode
from tfmini._src.graph.public_functions import ops
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike


class UnconnectedGradients(Enum):
    """Results of `tf.gradients` for an x on which no y depends: None, or zeros of its shape."""

    NONE = "none"
    ZERO = "zero"


def gradients(
    ys: TensorLike,
    xs: TensorLike,
    grad_ys: object = None,
    name: str = "gradients",
    colocate_gradients_with_ops: bool = False,
    gate_gradients: bool = False,
    aggregation_method: int | None = None,
    stop_gradients: object = None,
    unconnected_gradients: UnconnectedGradients = UnconnectedGradients.NONE,
) -> list[Any]:
    """Builds the derivatives of sum(ys) with respect to each x.

    Args:
      ys: a tensor or list of tensors.
      xs: a tensor, variable or list of these.
      grad_ys: the incoming gradients, one per y; ones by default.
      name: name scope of the new nodes.
      colocate_gradients_with_ops: whether to colocate gradients with their operations.
      gate_gradients: whether to compute all gradients of an operation before any is used.
      aggregation_method: an `AggregationMethod`.
      stop_gradients: tensors not to differentiate through.
      unconnected_gradients: `UnconnectedGradients.NONE` or `ZERO`, for xs on which no y depends.

    Returns:
      A list with one gradient per x: a tensor of its shape, IndexedSlices if only some of its rows are read, or None.

    Raises:
      LookupError: if an operation between ys and xs has no gradient.
      ValueError: if the arguments are invalid.
      RuntimeError: in eager mode.

    Example: `tf.gradients(tf.square(x), x)` is `[2 * x]`.
    """
    require_graph_mode(
        "tf.gradients is not supported when eager execution is enabled. Use tf.GradientTape instead."
    )
    ys, xs = _as_list(ys), _as_list(xs)
    stops = [] if stop_gradients is None else _as_list(stop_gradients)
    grad_ys = [None] * len(ys) if grad_ys is None else _as_list(grad_ys)
    try:
        unconnected = UnconnectedGradients(unconnected_gradients)
    except ValueError:
        raise ValueError(
            f"Unknown value for unconnected_gradients: {unconnected_gradients!r}"
        ) from None
    with name_scope(name, "gradients", [*ys, *xs, *stops, *grad_ys]):
        walk = BackwardPass(colocate_gradients_with_ops, gate_gradients, aggregation_method)
        ys = convert_n_to_tensor_or_indexed_slices(ys, name="y")
        xs = [_differentiable_tensor(x, f"x_{i}") for i, x in enumerate(xs)]
        starts = _initial_gradients(walk, grad_ys, ys)
        loops = walk.propagate(ys, starts, xs, [s.op for s in stops])
    loops.finish()
    zeros = unconnected is UnconnectedGradients.ZERO
    return [walk.find_gradient(x, zeros) for x in xs]


def _as_list(value: Any) -> list:
    return list(value) if isinstance(value, list | tuple) else [value]


def _differentiable_tensor(value: Any, name: str | None) -> Any:
    """Returns the tensor that represents `value` in the walk: the handle or reference of a variable."""
    if value is None:
        return None
    handle = getattr(value, "handle", None)
    if handle is not None and not isinstance(value, Tensor):
        value = handle
    return internal_convert_to_tensor_or_indexed_slices(value, name=name, as_ref=True)


def _initial_gradients(walk: BackwardPass, grad_ys: list, ys: list) -> list:
    """Returns the incoming gradients of ys: `grad_ys` once validated, or ones."""
    if len(grad_ys) != len(ys):
        raise ValueError(f"Passed {len(grad_ys)} grad_ys for {len(ys)} ys")
    output_gradients = convert_n_to_tensor_or_indexed_slices(grad_ys, name="grad_y")
    result = []
    for i, (y, grad) in enumerate(zip(ys, output_gradients)):
        with walk.colocate_with(y.op):
            if grad is None:
                if y.dtype.is_complex:
                    raise TypeError(
                        f"Gradients of complex tensors must set grad_ys (y.dtype = {y.dtype!r})"
                    )
                shape = ops.shape(y)
                one = ops.constant(1, dtype=y.dtype, name=f"grad_ys_{i}")
                result.append(ops.fill(shape, one))
                continue
            _check_initial_gradient(y, grad)
            if isinstance(grad, IndexedSlices):
                parts = (grad.indices, grad.values, grad.dense_shape)
                named: list[Any] = [
                    p if p is None else ops.identity(p, name=f"grad_ys_{i}_{part}")
                    for p, part in zip(parts, ("indices", "values", "shape"))
                ]
                result.append(IndexedSlices(named[1], named[0], named[2]))
            else:
                result.append(ops.identity(grad, name=f"grad_ys_{i}"))
    return result


def _check_initial_gradient(y: Any, grad: Any) -> None:
    """Raises TypeError if the dtype of a grad_y does not match its y."""
    name = grad.dtype.name
    if y.dtype.is_floating or y.dtype.is_integer:
        if not grad.dtype.is_floating and not grad.dtype.is_integer:
            raise TypeError(
                f"Gradient type {name} generated for real or integer-valued tensor {y} with type "
                f"{y.dtype.name} must be real or integer"
            )
    elif y.dtype.is_complex:
        if not grad.dtype.is_complex:
            raise TypeError(
                f"Gradient type {name} generated for complex-valued tensor {y} with type {y.dtype.name} must "
                "be real"
            )
    elif y.dtype == dtypes.variant:
        if grad.dtype != dtypes.variant:
            raise TypeError(
                f"Gradient type {name} generated for variant tensor {y} with type {y.dtype.name} must be variant"
            )
    elif y.dtype == dtypes.resource:
        if grad.dtype == dtypes.resource:
            raise TypeError(
                f"Input gradient {grad} for resource tensor {y} should not be a resource"
            )
    else:
        raise TypeError(
            f"Tensor {y} with type {y.dtype.name} must be numeric to obtain a default gradient"
        )
