"""Gradient checking of a Python function that builds a graph: Jacobians by gradients and by differences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfmini._src.autodiff.gradient_checker import gradient_of, jacobians
from tfmini._src.graph import default_stack
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.public_functions import ops


def compute_gradient(f: Callable, x: list[Any], delta: float = 1e-3) -> tuple[tuple, tuple]:
    """The Jacobians of `f(*x)` with respect to each argument, in the default session.

    Args:
      f: a function of tensors.
      x: its arguments: arrays, or tensors, which are evaluated first.
      delta: how far each element is moved.

    Returns:
      A pair of tuples: for each argument an array [size of the argument, size of the result] by gradients, and one by
      differences. A complex element counts as two.

    Raises:
      ValueError: if `x` is no list.
    """
    if not isinstance(x, list):
        raise ValueError(f"`x` must be a list of Tensors (arguments to `f`), not a {type(x)}")
    session: Any = default_stack.get_default_session()
    given = [convert_to_tensor(each) for each in x]
    values = session.run(given)
    inputs = [ops.placeholder(t.dtype, shape=v.shape) for t, v in zip(given, values)]
    y = f(*inputs)
    feeds = dict(zip(inputs, values))
    shape = session.run(y, feeds).shape
    found = [
        jacobians(each, value.shape, *gradient_of(each, y, shape), y, value, delta, feeds)
        for each, value in zip(inputs, values)
    ]
    by_gradient, by_difference = zip(*found)
    return by_gradient, by_difference


def max_error(grad1: Sequence[np.ndarray], grad2: Sequence[np.ndarray]) -> Any:
    """The largest difference between the arrays of two lists; 0 if they hold no elements."""
    return max(
        (np.fabs(one - other).max() for one, other in zip(grad1, grad2) if one.size or other.size),
        default=0,
    )
