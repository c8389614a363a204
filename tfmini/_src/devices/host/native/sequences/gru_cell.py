"""A step of a gated recurrent unit and its gradient, except for matrix products, which the caller computes."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from tfmini._src.devices.host.native.library import float_kernel, function
from tfmini._src.devices.host.threads import thread_count

_MIN_PARALLEL_ELEMENTS = 1 << 14
Product = Callable[[np.ndarray, np.ndarray], np.ndarray]
Step = Callable[..., tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]]
_as_contiguous = np.ascontiguousarray


def _shapes_match(x: np.ndarray, h: np.ndarray, w_ru: np.ndarray, w_c: np.ndarray) -> bool:
    """Whether the shapes of the inputs and the weights are compatible, and the weights are float32."""
    if x.ndim != 2 or h.ndim != 2 or len(x) != len(h):
        return False
    units = h.shape[1]
    rows = x.shape[1] + units
    if not w_ru.dtype == w_c.dtype == np.float32:
        return False
    return w_ru.shape == (rows, 2 * units) and w_c.shape == (rows, units)


def step(
    product: Product,
    x: np.ndarray,
    h: np.ndarray,
    w_ru: np.ndarray,
    w_c: np.ndarray,
    b_ru: np.ndarray,
    b_c: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray] | None:
    """Returns the reset and update gates, the candidates and the new state; None if NumPy must compute them.

    Args:
      x, h: float32 [batch, inputs] and [batch, units].
      w_ru, w_c: [inputs + units, 2 * units] and [inputs + units, units].
      b_ru, b_c: [2 * units] and [units].
    """
    x, h = _as_contiguous(x), _as_contiguous(h)
    if float_kernel("gru_inputs", x, h, b_ru, b_c) is None or not _shapes_match(x, h, w_ru, w_c):
        return None
    units = h.shape[1]
    if (b_ru.shape, b_c.shape) != ((2 * units,), (units,)):
        return None
    compute = step_of_shape(product, *x.shape, units)
    return None if compute is None else compute(x, h, w_ru, w_c, b_ru, b_c)


@lru_cache(maxsize=256)
def step_of_shape(product: Product, batch: int, inputs: int, units: int) -> Step | None:
    """Returns `step` for float32 arrays of these sizes; None if NumPy must compute it."""
    pack, gate, finish = map(function, ("gru_inputs", "gru_gates", "gru_output"))
    if pack is None or gate is None or finish is None or not batch * inputs * units:
        return None
    together, shape = (batch, inputs + units), (batch, units)
    is_parallel = batch * units >= _MIN_PARALLEL_ELEMENTS

    def compute(*arrays: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        x, h, w_ru, w_c, b_ru, b_c = arrays
        x, h, b_ru, b_c = map(_as_contiguous, (x, h, b_ru, b_c))
        threads = thread_count() if is_parallel else 1
        both = np.empty(together, np.float32)
        r, u, result = [np.empty(shape, np.float32) for _ in range(3)]
        pack(x, h, batch, inputs, units, both)
        gate(
            _as_contiguous(product(both, w_ru)), b_ru, h, batch, inputs, units, both, r, u, threads
        )
        c = _as_contiguous(product(both, w_c))
        finish(c, b_c, u, h, batch, units, result, threads)
        return r, u, c, result

    return compute


def step_back(
    product: Product,
    x: np.ndarray,
    h: np.ndarray,
    w_ru: np.ndarray,
    w_c: np.ndarray,
    b_ru: np.ndarray,
    b_c: np.ndarray,
    r: np.ndarray,
    u: np.ndarray,
    c: np.ndarray,
    grad: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray] | None:
    """Returns the gradients of x, h, the candidates' sums and the gates' sums; None if NumPy must compute them.

    Accepts the arguments of `step` (biases are ignored), its results, and the gradient of the new state.
    """
    x, h, grad = _as_contiguous(x), _as_contiguous(h), _as_contiguous(grad)
    kernel = float_kernel("gru_candidate_gradient", x, h, r, u, c, grad)
    if kernel is None or not _shapes_match(x, h, w_ru, w_c):
        return None
    if not r.shape == u.shape == c.shape == grad.shape == h.shape:
        return None
    compute = step_back_of_shape(product, *x.shape, h.shape[1])
    return None if compute is None else compute(x, h, w_ru, w_c, b_ru, b_c, r, u, c, grad)


@lru_cache(maxsize=256)
def step_back_of_shape(product: Product, batch: int, inputs: int, units: int) -> Step | None:
    """Returns `step_back` for float32 arrays of these sizes; None if NumPy must compute it."""
    names = "gru_candidate_gradient", "gru_gate_gradients", "gru_input_gradients"
    begin, middle, end = map(function, names)
    if begin is None or middle is None or end is None or not batch * inputs * units:
        return None
    shape, input_shape, gate_shape = (batch, units), (batch, inputs), (batch, 2 * units)

    def compute(*arrays: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        x, h, w_ru, w_c, _, _, *states = arrays
        h, r, u, c, grad = map(_as_contiguous, (h, *states))
        c_grad, h_grad = np.empty(shape, np.float32), np.empty(shape, np.float32)
        x_grad, gates_grad = np.empty(input_shape, np.float32), np.empty(gate_shape, np.float32)
        begin(grad, u, c, batch * units, c_grad)
        through_c = _as_contiguous(product(c_grad, w_c.T))
        middle(grad, through_c, h, r, u, c, batch, inputs, units, gates_grad, h_grad)
        through_gates = _as_contiguous(product(gates_grad, w_ru.T))
        end(through_c, through_gates, batch, inputs, units, x_grad, h_grad)
        return x_grad, h_grad, c_grad, gates_grad

    return compute
