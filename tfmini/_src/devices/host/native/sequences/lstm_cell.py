"""A step of a long short-term memory cell and its gradient, without matrix products."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence

import numpy as np

from tfmini._src.devices.host.native.library import addresses, float_kernel
from tfmini._src.devices.host.threads import thread_count

_MIN_PARALLEL_ELEMENTS = 1 << 14
Peepholes = Sequence[np.ndarray] | None


def step(
    sums: np.ndarray,
    bias: np.ndarray,
    cs_prev: np.ndarray,
    peepholes: Peepholes,
    forget_bias: float,
    clip: float,
) -> tuple[np.ndarray, ...] | None:
    """Returns i, cs, f, o, ci, co and h, each [batch, units]; None if NumPy must compute them.

    Args:
      sums: float32 [batch, 4 * units] of i, ci, f and o, without the bias [4 * units].
      cs_prev: [batch, units].
      peepholes: wci, wcf and wco [units].
      clip: the limit of the absolute value of cs; no limit if not positive.
    """
    compute = repeated_step(sums, bias, cs_prev, peepholes, forget_bias, clip)
    if compute is None:
        return None
    results = tuple(np.empty_like(cs_prev) for _ in range(7))
    compute(sums, cs_prev, results)
    return results


def repeated_step(
    sums: np.ndarray,
    bias: np.ndarray,
    cs_prev: np.ndarray,
    peepholes: Peepholes,
    forget_bias: float,
    clip: float,
) -> Callable[[np.ndarray, np.ndarray, Sequence[np.ndarray]], None] | None:
    """Returns `step` bound to its other arguments: a function of sums, cs_prev and results with the same layouts."""
    weights = peepholes or (None,) * 3
    kernel = float_kernel("lstm_step", sums, bias, cs_prev, *weights)
    if kernel is None or not _shapes_match(sums, cs_prev, peepholes):
        return None
    batch, units = cs_prev.shape
    if bias.shape != (4 * units,):
        return None
    options = *weights, float(forget_bias), float(clip), batch, units
    threads = _threads(sums)
    return lambda sums, cs_prev, results: kernel(sums, bias, cs_prev, *options, *results, threads)


def step_back(
    cs_prev: np.ndarray,
    peepholes: Peepholes,
    results: Sequence[np.ndarray],
    cs_grad: np.ndarray,
    h_grad: np.ndarray,
) -> tuple[np.ndarray, np.ndarray] | None:
    """Returns the gradients of cs_prev and of the sums; None if NumPy must compute them.

    `results` are i, f, o, ci and co, as `step` returns them.
    """
    grads = tuple(map(np.ascontiguousarray, (cs_grad, h_grad)))
    weights = peepholes or (None,) * 3
    kernel = float_kernel("lstm_step_back", cs_prev, *results, *grads, *weights)
    if kernel is None or not all(array.shape == cs_prev.shape for array in (*results, *grads)):
        return None
    gates = np.empty((len(cs_prev), 4 * cs_prev.shape[-1]), np.float32)
    if not _shapes_match(gates, cs_prev, peepholes):
        return None
    pointers = *addresses([cs_prev, *results]), *(addresses(peepholes) if peepholes else (0, 0, 0))
    cs_prev_grad = np.empty_like(cs_prev)
    args = struct.pack("9Q", *pointers), *grads, *cs_prev.shape, gates, cs_prev_grad
    kernel(*args, _threads(gates))
    return cs_prev_grad, gates


def _shapes_match(sums: np.ndarray, cs_prev: np.ndarray, peepholes: Peepholes) -> bool:
    """Whether the shapes of the sums, the state and the peepholes are compatible."""
    if cs_prev.ndim != 2 or sums.shape != (len(cs_prev), 4 * cs_prev.shape[1]):
        return False
    return all(array.shape == cs_prev.shape[1:] for array in peepholes or ())


def _threads(sums: np.ndarray) -> int:
    return thread_count() if sums.size >= _MIN_PARALLEL_ELEMENTS else 1
