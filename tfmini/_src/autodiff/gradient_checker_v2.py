"""Gradient checking for a Python function of tensors: compares Jacobians with finite differences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfmini._src.autodiff.gradient_checker import build_gradient, jacobians
from tfmini._src.autodiff.gradients_function import make_vjp
from tfmini._src.graph import default_stack
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.public_functions import ops


def compute_gradient(f: Callable, x: list[Any], delta: float = 1e-3) -> tuple[tuple, tuple]:
    """Computes the Jacobians of `f(*x)` with respect to each argument, in the default session or in eager mode.

    Args:
      f: a function of tensors.
      x: the arguments of `f`: arrays, or tensors, which are evaluated first.
      delta: step size for each element.

    Returns:
      A pair of tuples: for each argument, an array [size of the argument, size of the result] from gradients, and one
      from finite differences. A complex element counts as two.

    Raises:
      ValueError: if `x` is not a list.
    """
    if not isinstance(x, list):
        raise ValueError(f"`x` must be a list of Tensors (arguments to `f`), not a {type(x)}")
    arguments: list[Any] = [convert_to_tensor(argument) for argument in x]
    if executing_eagerly():
        values = [np.array(argument._numpy()) for argument in arguments]
        symbolic_jacobian, numeric_jacobian = (
            _tape_jacobians(f, arguments),
            _numeric_jacobians(f, arguments, values, delta),
        )
        return tuple(symbolic_jacobian), tuple(numeric_jacobian)
    session: Any = default_stack.get_default_session()
    values = session.run(arguments)
    inputs = [ops.placeholder(t.dtype, shape=v.shape) for t, v in zip(arguments, values)]
    y = f(*inputs)
    feeds = dict(zip(inputs, values))
    shape = session.run(y, feeds).shape
    pairs = [
        jacobians(tensor, value.shape, *build_gradient(tensor, y, shape), y, value, delta, feeds)
        for tensor, value in zip(inputs, values)
    ]
    symbolic_jacobian, numeric_jacobian = zip(*pairs)
    return symbolic_jacobian, numeric_jacobian


def _reals(array: Any) -> np.ndarray:
    """Flattens an array or eager tensor into real elements; a complex element counts as two."""
    flat = np.ascontiguousarray(array).reshape(-1)
    return flat.view(flat.real.dtype)


def _tape_jacobians(f: Callable, x: list[Any]) -> list[np.ndarray]:
    y, vjp = make_vjp(f, range(len(x)))(*x)
    value = np.array(y._numpy())
    columns: list[list[np.ndarray]] = [[] for _ in x]
    for index in range(_reals(value).size):
        output_grad = np.zeros_like(value)
        _reals(output_grad)[index] = 1
        grads = vjp(convert_to_tensor(output_grad))
        for column, arg, grad in zip(columns, x, grads):
            column.append(_reals(ops.zeros_like(arg) if grad is None else convert_to_tensor(grad)))
    return [
        np.stack(column, axis=1) if column else np.zeros((_reals(arg).size, 0), _reals(arg).dtype)
        for column, arg in zip(columns, x)
    ]


def _numeric_jacobians(
    f: Callable, x: list[Any], values: list[np.ndarray], delta: float
) -> list[np.ndarray]:
    matrices = []
    for index, value in enumerate(values):
        rows = []
        for element in range(_reals(value).size):
            endpoints = []
            for step in (delta, -delta):
                perturbed = value.copy()
                _reals(perturbed)[element] += step
                arguments = [*x[:index], convert_to_tensor(perturbed), *x[index + 1 :]]
                endpoints.append(_reals(f(*arguments)))
            rows.append((endpoints[0] - endpoints[1]) / (2 * delta))
        size = _reals(f(*x)).size
        matrices.append(np.stack(rows) if rows else np.zeros((0, size), _reals(value).dtype))
    return matrices


def max_error(grad1: Sequence[np.ndarray], grad2: Sequence[np.ndarray]) -> Any:
    """Returns the maximum difference between the arrays in two lists; 0 if they contain no elements."""
    return max(
        (
            np.fabs(left - other).max()
            for left, other in zip(grad1, grad2)
            if left.size or other.size
        ),
        default=0,
    )
