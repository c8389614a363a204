"""Gradient checking: compares the Jacobian from `gradients` with finite differences."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfmini._src.autodiff.gradients import gradients
from tfmini._src.base import dtypes
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph import default_stack
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.public_functions import ops
from tfmini._src.graph.tensor import Tensor

_INSTRUCTIONS = (
    "Use tf.test.compute_gradient in 2.0, which has better support for functions. Note that the two "
    "versions have different usage, so code change is needed."
)
_ALLOWED_DTYPES = frozenset(
    (
        *(dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64),
        *(dtypes.complex64, dtypes.complex128),
    )
)


@deprecated(None, _INSTRUCTIONS)
def compute_gradient(
    x: Any,
    x_shape: Sequence[Any],
    y: Tensor,
    y_shape: Sequence[Any],
    x_init_value: Any = None,
    delta: float = 1e-3,
    init_targets: Operation | Sequence[Operation] | None = None,
    extra_feed_dict: dict[Any, Any] | None = None,
) -> Any:
    """Computes the Jacobian of y with respect to x both from its gradient and by finite differences.

    Args:
      x: a tensor or a list of tensors.
      x_shape: the shape of x, a tuple or list of ints; a list of shapes for a list.
      y: a tensor, evaluated in the default session.
      y_shape: the shape of y.
      x_init_value: the point to differentiate at: an array of the shape of x, or a list; random by default.
      delta: step size for each element.
      init_targets: a list of operations to run first.
      extra_feed_dict: additional values to feed.

    Returns:
      A pair of arrays [size of x, size of y], or a list of pairs if `x` is a list. A complex element
      counts as two.
    """
    assert init_targets is None or isinstance(init_targets, list | tuple)
    for target in init_targets or ():
        target.run()
    extra = extra_feed_dict or {}
    if not isinstance(x, list):
        return jacobians(x, x_shape, *build_gradient(x, y, y_shape), y, x_init_value, delta, extra)
    pairs = [build_gradient(tensor, y, y_shape) for tensor in x]
    values = [None] * len(x) if x_init_value is None else x_init_value
    return [
        jacobians(tensor, shape, dx, dy, y, value, delta, extra)
        for tensor, shape, (dx, dy), value in zip(x, x_shape, pairs, values)
    ]


@deprecated(None, _INSTRUCTIONS)
@arguments_of(compute_gradient)
def compute_gradient_error(*args: Any) -> Any:
    """Returns the maximum difference between the two Jacobians of `compute_gradient`, with the same arguments."""
    result = compute_gradient(*args)
    error: Any = 0
    for symbolic, numeric in [result] if isinstance(result, tuple) else result:
        if symbolic.size or numeric.size:
            error = np.maximum(error, np.fabs(symbolic - numeric).max())
    return error


def build_gradient(x: Tensor, y: Tensor, y_shape: Any) -> tuple[Any, Tensor]:
    """Returns the gradient with respect to x, and the tensor to which the incoming gradient of y is fed."""
    with x.graph.as_default():
        output_grad = ops.constant(1.0, shape=y_shape, dtype=y.dtype)
        passed = ops.identity(output_grad)
    return gradients(y, x, passed)[0], output_grad


def jacobians(
    x: Tensor, x_shape: Any, dx: Any, dy: Tensor, y: Tensor, value: Any, delta: float, extra: dict
) -> tuple[np.ndarray, np.ndarray]:
    """Computes the result of `compute_gradient` for one x from its gradient and the incoming-gradient tensor."""
    for tensor, name in ((x, "x"), (y, "y")):
        dtype = tensor.dtype.base_dtype
        assert dtype in _ALLOWED_DTYPES, f"Don't support type {dtype.name} for {name}"
    if value is None:
        value = np.random.random_sample(x_shape).astype(x.dtype.as_numpy_dtype)
        if x.dtype.is_complex:
            value.imag = np.random.random_sample(x_shape)
    else:
        actual_shape = list(value.shape)
        assert list(x_shape) == actual_shape, (
            f"x_shape = {x_shape}, init_data shape = {actual_shape}"
        )
    session: Any = default_stack.get_default_session()

    def run(fetch: Any, feeds: dict) -> Any:
        return session.run(fetch, feed_dict={**extra, **feeds})

    return _symbolic_jacobian(run, x, value, dx, dy), _numeric_jacobian(run, x, value, y, dy, delta)


def _symbolic_jacobian(
    run: Callable, x: Tensor, value: np.ndarray, dx: Any, dy: Tensor
) -> np.ndarray:
    """Returns a column for each element of y: the gradient of x for a unit gradient of that element."""
    real = x.dtype.real_dtype.as_numpy_dtype
    output_grad = np.zeros(dy.shape.as_list(), dy.dtype.as_numpy_dtype)
    columns = []
    flat = output_grad.ravel().view(dy.dtype.real_dtype.as_numpy_dtype)
    for element in range(flat.size):
        flat[element] = 1
        columns.append(_flat_gradient(run, dx, {x: value, dy: output_grad}, value, real))
        flat[element] = 0
    if columns:
        return np.stack(columns, axis=1)
    empty = run(dx, {x: value, dy: output_grad})
    if empty.shape != value.shape:
        raise ValueError(
            f"Empty gradient has wrong shape: expected {value.shape}, got {empty.shape}"
        )
    if np.any(empty):
        raise ValueError("Empty tensor with nonzero gradients")
    return np.zeros((value.size * _real_component_count(x), 0), real)


def _flat_gradient(run: Callable, dx: Any, feeds: dict, value: np.ndarray, real: Any) -> np.ndarray:
    if isinstance(dx, IndexedSlices):
        indices, rows = run([dx.indices, dx.values], feeds)
        total = np.zeros(value.shape, rows.dtype)
        np.add.at(total, indices, rows)
        return total.ravel().view(real)
    assert isinstance(dx, Tensor), f"dx = {dx}"
    return np.asarray(run(dx, feeds)).ravel().view(real)


def _numeric_jacobian(
    run: Callable, x: Tensor, value: np.ndarray, y: Tensor, dy: Tensor, delta: float
) -> np.ndarray:
    """Returns a row for each element of x: the central difference of y."""
    if x.dtype == dtypes.bfloat16:
        x, value = ops.cast(x, dtypes.float32), value.astype(np.float32)
    if y.dtype == dtypes.bfloat16:
        y = ops.cast(y, dtypes.float32)
    x_real, y_real = (t.dtype.real_dtype.as_numpy_dtype for t in (x, y))
    value = np.asarray(value, x.dtype.as_numpy_dtype)
    scale = np.asarray(2 * delta, y_real)[()]
    columns = math.prod(dy.shape.as_list()) * _real_component_count(y)
    jacobian = np.zeros((value.size * _real_component_count(x), columns), x_real)
    for row in range(len(jacobian)):
        up, down = value.copy(), value.copy()
        up.reshape(-1).view(x_real)[row] += delta
        down.reshape(-1).view(x_real)[row] -= delta
        difference = (run(y, {x: up}) - run(y, {x: down})) / scale
        jacobian[row, :] = np.asarray(difference).ravel().view(y_real)
    return jacobian


def _real_component_count(tensor: Tensor) -> int:
    return 2 if tensor.dtype.is_complex else 1
