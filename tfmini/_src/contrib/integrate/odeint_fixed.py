"""Fixed-step integration by the midpoint rule and fourth-order Runge-Kutta."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.contrib.integrate.checks import check_increasing, check_sizes, check_types
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.lists.tensor_array import TensorArray


def odeint_fixed(
    func: Callable[..., Any],
    y0: TensorLike,
    t: TensorLike,
    dt: TensorLike | None = None,
    method: str = "rk4",
    name: str | None = None,
) -> Tensor:
    """Solves `dy/dt = func(y, t)` at times `t` with steps of at most `dt`.

        y = tf.contrib.integrate.odeint_fixed(lambda y, t: -y, 1.0, [0.0, 1.0, 2.0], dt=0.1)

    Args:
      func: function of a state y and a scalar t that returns the derivative, a tensor like y.
      y0: initial state, at `t[0]`, a float or complex tensor.
      t: a vector of increasing floats.
      dt: step size, or a vector of one per interval, reduced to divide the interval; by default one step per interval.
      method: "rk4" or "midpoint".

    Returns:
      The states at all times, along a new first axis.

    Raises:
      TypeError: if a dtype is not floating.
      ValueError: for any other method, or mismatched sizes.
      InvalidArgumentError (at run time): if `t` does not increase.
    """
    with name_scope(name, "odeint_fixed", [y0, t, dt]):
        t = ops.convert_to_tensor(t, preferred_dtype=dtypes.float64, name="t")
        y0 = ops.convert_to_tensor(y0, name="y0")
        intervals = t[1:] - t[:-1]
        dt = intervals if dt is None else dt
        dt = ops.convert_to_tensor(dt, preferred_dtype=dtypes.float64, name="dt")
        counts = ops.ceil(intervals / dt)
        dt = intervals / counts
        counts = ops.cast(counts, dtype=dtypes.int32)
        check_types(y0, t, dt)
        check_sizes(t, dt)
        with check_increasing(t), name_scope(method):
            if method not in _CHANGES:
                raise ValueError(f"method not supported: {method}")
            return _integrate(func, _CHANGES[method], y0, t, dt, counts)


def _midpoint(func: Callable, t: Tensor, dt: Tensor, y: Tensor) -> Tensor:
    step = ops.cast(dt, y.dtype)
    y_middle = y + func(y, t) * step / 2
    return step * func(y_middle, t + dt / 2)


def _rk4(func: Callable, t: Tensor, dt: Tensor, y: Tensor) -> Tensor:
    first = func(y, t)
    t_middle = t + dt / 2
    step = ops.cast(dt, y.dtype)
    second = func(y + step * first / 2, t_middle)
    third = func(y + step * second / 2, t_middle)
    last = func(y + step * third, t + dt)
    return ops.add_n([first, 2 * second, 2 * third, last]) * (step / 6)


_CHANGES = {"midpoint": _midpoint, "rk4": _rk4}


def _integrate(
    func: Callable, change: Callable, y0: Tensor, t: Tensor, dt: Tensor, counts: Tensor
) -> Tensor:
    """Loops over the intervals and, within each, over its steps."""

    def step(y, time, step_count, interval):
        size = dt[interval - 1]
        step_change = ops.cast(change(func, time, size, y), dtype=y.dtype)
        return y + step_change, time + size, step_count + 1, interval

    def more(y, time, step_count, interval):
        return step_count < counts[interval - 1]

    def advance(states, y, time, interval):
        y, time, _, _ = ops.while_loop(more, step, (y, time, 0, interval))
        return states.write(interval, y), y, time, interval + 1

    total = ops.size(t)
    start = t[0]
    states = TensorArray(y0.dtype, total).write(0, y0)
    states, *_ = ops.while_loop(lambda *loop: loop[3] < total, advance, (states, y0, start, 1))
    result = states.stack()
    result.set_shape(t.shape.concatenate(y0.shape))
    return result
