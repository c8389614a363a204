"""Adaptive-step integration by the fifth-order method of Dormand and Prince."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.contrib.integrate.checks import check_increasing, check_types
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.lists.tensor_array import TensorArray

# The tableau of Dormand and Prince (1980): times, slopes, the middle of a step (Shampine, 1986) and the error.
_TIMES = (1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0)
_SOLUTION = (35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84)
_SLOPES = (
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    _SOLUTION,
)
_MIDDLE = (
    *(6025192743 / 30085553152 / 2, 0, 51252292925 / 65400821598 / 2),
    *(-2691868925 / 45128329728 / 2, 187940372067 / 1594534317056 / 2),
    *(-1776094331 / 19743644256 / 2, 11237099 / 235043384 / 2),
)
_ERROR = (
    *(1951 / 21600 - 35 / 384, 0, 22642 / 50085 - 500 / 1113, 451 / 720 - 125 / 192),
    *(-12231 / 42400 - -2187 / 6784, 649 / 6300 - 11 / 84, 1 / 60),
)

_State = namedtuple("_State", "y1 f1 t0 t1 dt interp_coeff")
_History = namedtuple("_History", "integrate_points error_ratio")


def odeint(
    func: Callable[..., Any],
    y0: TensorLike,
    t: TensorLike,
    rtol: TensorLike = 1e-6,
    atol: TensorLike = 1e-12,
    method: str | None = None,
    options: dict[Any, Any] | None = None,
    full_output: bool = False,
    name: str | None = None,
) -> Any:
    """Solves `dy/dt = func(y, t)` at times `t` with bounded error per step.

        y = tf.contrib.integrate.odeint(lambda y, t: -y, 1.0, [0.0, 1.0, 2.0])

    Args:
      func: function of a state y and a scalar t that returns the derivative, a tensor like y.
      y0: initial state, at `t[0]`, a float or complex tensor.
      t: a vector of increasing floats.
      rtol, atol: error tolerance of a step, per element: `atol + rtol * |y|`.
      method: "dopri5", the default.
      options: a dict of `first_step`, `safety`, `ifactor` and `dfactor` (maximum and minimum ratio of consecutive
        steps) and `max_num_steps`.
      full_output: whether to also return statistics of the integration.

    Returns:
      The states at all times, along a new first axis; with `full_output`, also a dict of tensors: "num_func_evals",
      "integrate_points" and "error_ratio", with one element per attempted step.

    Raises:
      TypeError: if a dtype is not floating.
      ValueError: for any other method, or options without a method.
      InvalidArgumentError (at run time): if `t` does not increase, steps are too many or too small, or a state is not
        finite.
    """
    if method not in (None, "dopri5"):
        raise ValueError(f"invalid method: {method!r}")
    if options is None:
        options = {}
    elif method is None:
        raise ValueError("cannot supply `options` without specifying `method`")
    with name_scope(name, "odeint", [y0, t, rtol, atol]) as scope:
        y0 = ops.convert_to_tensor(y0, name="y0")
        t = ops.convert_to_tensor(t, preferred_dtype=dtypes.float64, name="t")
        check_types(y0, t)
        error_dtype = abs(y0).dtype
        rtol = ops.convert_to_tensor(rtol, dtype=error_dtype, name="rtol")
        atol = ops.convert_to_tensor(atol, dtype=error_dtype, name="atol")
        return _dopri5(func, y0, t, rtol, atol, full_output, name=scope, **options)


def _dopri5(
    func: Callable,
    y0: Tensor,
    t: Tensor,
    rtol: Tensor,
    atol: Tensor,
    full_output: bool = False,
    first_step: Any = None,
    safety: Any = 0.9,
    ifactor: Any = 10.0,
    dfactor: Any = 0.2,
    max_num_steps: Any = 1000,
    name: str | None = None,
) -> Any:
    first_step = 1.0 if first_step is None else first_step
    values = [y0, t, rtol, atol, safety, ifactor, dfactor, max_num_steps]
    with name_scope(name, "dopri5", values) as scope:
        first_step = ops.convert_to_tensor(first_step, dtype=t.dtype, name="first_step")
        factors = [
            ops.convert_to_tensor(value, dtype=t.dtype, name=setting)
            for setting, value in (("safety", safety), ("ifactor", ifactor), ("dfactor", dfactor))
        ]
        max_steps = ops.convert_to_tensor(max_num_steps, dtype=dtypes.int32, name="max_num_steps")

        def step(state, history, step_count):
            return _adaptive_step(
                func, state, history, step_count, (rtol, atol), factors, max_steps
            )

        def interpolate(solution, history, state, i):
            with name_scope("interpolate"):
                state, history, _ = ops.while_loop(
                    lambda state, *_: t[i] > state.t1,
                    step,
                    (state, history, 0),
                    name="integrate_loop",
                )
                y = _interpolate(state.interp_coeff, state.t0, state.t1, t[i])
                return solution.write(i, y), history, state, i + 1

        with check_increasing(t):
            total = ops.size(t)
        solution = TensorArray(y0.dtype, size=total).write(0, y0)
        history = _History(
            TensorArray(t.dtype, size=0, dynamic_size=True),
            TensorArray(rtol.dtype, size=0, dynamic_size=True),
        )
        slope = func(y0, t[0])
        state = _State(y0, slope, t[0], t[0], first_step, [y0] * 5)
        solution, history, _, _ = ops.while_loop(
            lambda *loop: loop[3] < total,
            interpolate,
            (solution, history, state, 1),
            name="interpolate_loop",
        )
        y = solution.stack(name=scope)
        y.set_shape(t.shape.concatenate(y0.shape))
        if not full_output:
            return y
        points = history.integrate_points.stack()
        return y, {
            "num_func_evals": 6 * ops.size(points) + 1,
            "integrate_points": points,
            "error_ratio": history.error_ratio.stack(),
        }


def _adaptive_step(
    func: Callable,
    state: Any,
    history: Any,
    step_count: Any,
    tolerances: tuple,
    factors: list,
    max_steps: Tensor,
) -> tuple:
    """Attempts a step, accepting it if its error is small enough; also returns the next step size."""
    y0, f0, _, t0, dt, coefficients = state
    with name_scope("assertions"):
        checks = [
            ops.Assert(t0 + dt > t0, ["underflow in dt", dt]),
            ops.Assert(step_count < max_steps, ["max_num_steps exceeded"]),
            ops.Assert(
                ops.reduce_all(ops.is_finite(abs(y0))), ["non-finite values in state `y`", y0]
            ),
        ]
    with control_dependencies(checks):
        y1, f1, error, slopes = _runge_kutta_step(func, y0, f0, t0, dt)
    with name_scope("error_ratio"):
        rtol, atol = tolerances
        allowed = atol + rtol * ops.maximum(abs(y0), abs(y1))
        ratios = _abs_square(error) / _abs_square(allowed)
        ratio = ops.sqrt(ops.reduce_mean(ratios))
        is_accepted = ratio <= 1
    with name_scope("update/rk_state"):
        y = ops.cond(is_accepted, lambda: y1, lambda: y0)
        f = ops.cond(is_accepted, lambda: f1, lambda: f0)
        t = ops.cond(is_accepted, lambda: t0 + dt, lambda: t0)
        coefficients = ops.cond(
            is_accepted, lambda: _fit_polynomial(y0, y1, slopes, dt), lambda: coefficients
        )
        state = _State(y, f, t0, t, _next_size(dt, ratio, *factors), coefficients)
    with name_scope("update/history"):
        history = _History(
            _append(history.integrate_points, t0 + dt), _append(history.error_ratio, ratio)
        )
    return state, history, step_count + 1


def _append(array: TensorArray, value: Tensor) -> TensorArray:
    return array.write(array.size(), value)


def _abs_square(x: Tensor) -> Tensor:
    if x.dtype.is_complex:
        return ops.square(ops.real(x)) + ops.square(ops.imag(x))
    return ops.square(x)


def _next_size(last: Tensor, ratio: Tensor, safety: Any, ifactor: Any, dfactor: Any) -> Tensor:
    with name_scope(None, "optimal_step_size", [last, ratio]) as scope:
        ratio = ops.cast(ratio, last.dtype)
        exponent = ops.cast(1 / 5, last.dtype)
        min_factor = 1 / ifactor
        expected = ratio**exponent / safety
        factor = ops.maximum(min_factor, ops.minimum(expected, 1 / dfactor))
        return ops.div(last, factor, name=scope)


def _scaled_sum(scale: Tensor, weights: Any, slopes: list, name: str | None = None) -> Tensor:
    """Returns the sum of `scale * weight * slope` over nonzero weights."""
    with name_scope(name, "scaled_dot_product", [scale, weights, slopes]) as scope:
        parts = [scale * weight * slope for weight, slope in zip(weights, slopes) if weight != 0]
        return ops.add_n(parts, name=scope)


def _product_sum(xs: Any, ys: Any) -> Tensor:
    with name_scope(None, "dot_product", [xs, ys]) as scope:
        return ops.add_n([x * y for x, y in zip(xs, ys)], name=scope)


def _runge_kutta_step(func: Callable, y0: Any, f0: Any, t0: Any, dt: Any) -> tuple:
    """Takes one step; returns the state and slope after it, its error, and all intermediate slopes."""
    with name_scope(None, "runge_kutta_step", [y0, f0, t0, dt]) as scope:
        y0 = ops.convert_to_tensor(y0, name="y0")
        f0 = ops.convert_to_tensor(f0, name="f0")
        t0 = ops.convert_to_tensor(t0, name="t0")
        dt = ops.convert_to_tensor(dt, name="dt")
        size = ops.cast(dt, y0.dtype)
        slopes = [f0]
        y = y0
        for time, weights in zip(_TIMES, _SLOPES):
            t = t0 + time * dt
            y = y0 + _scaled_sum(size, weights, slopes)
            slopes.append(func(y, t))
        y1 = ops.identity(y, name=f"{scope}/y1")
        f1 = ops.identity(slopes[-1], name=f"{scope}/f1")
        error = _scaled_sum(size, _ERROR, slopes, name=f"{scope}/y1_error")
        return y1, f1, error, slopes


def _fit_polynomial(y0: Tensor, y1: Tensor, slopes: list, dt: Tensor) -> list[Tensor]:
    """Fits a fourth-order polynomial to the ends and middle of a step; returns coefficients, highest power first."""
    with name_scope("interp_fit_rk"):
        dt = ops.cast(dt, y0.dtype)
        y_middle = y0 + _scaled_sum(dt, _MIDDLE, slopes)
        points = [slopes[0], slopes[-1], y0, y1, y_middle]
        fourth = _product_sum([-2 * dt, 2 * dt, -8, -8, 16], points)
        third = _product_sum([5 * dt, -3 * dt, 18, 14, -32], points)
        second = _product_sum([-4 * dt, dt, -11, -5, 16], points)
        return [fourth, third, second, dt * slopes[0], y0]


def _interpolate(coefficients: list, t0: Any, t1: Any, t: Any) -> Tensor:
    """Evaluates the polynomial at a time within its step."""
    with name_scope("interp_evaluate"):
        t0, t1, t = (ops.convert_to_tensor(value) for value in (t0, t1, t))
        dtype = coefficients[0].dtype
        is_in_step = (t0 <= t) & (t <= t1)
        check = ops.Assert(is_in_step, ["invalid interpolation, fails `t0 <= t <= t1`:", t0, t, t1])
        with control_dependencies([check]):
            x = ops.cast((t - t0) / (t1 - t0), dtype)
        powers = [ops.constant(1, dtype), x]
        for _ in range(2, len(coefficients)):
            powers.append(powers[-1] * x)
        return _product_sum(coefficients, reversed(powers))
