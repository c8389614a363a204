"""Window functions, which taper a signal segment."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.opdef import public
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops


@public
def hann_window(
    window_length: TensorLike,
    periodic: TensorLike = True,
    dtype: DTypeLike = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """Returns the Hann window, 0.5 - 0.5 cos(2 pi k / n).

    Args:
      window_length: the number of weights, an int32 scalar.
      periodic: whether n is the length, for spectral analysis, or the length minus 1, for a symmetric window;
        windows of odd length are always symmetric.
      dtype: a float dtype.

    Returns:
      [window_length] Tensor.

    Raises:
      ValueError: if `dtype` is not a float dtype.
    """
    return _raised_cosine(name, "hann_window", window_length, periodic, dtype, 0.5, 0.5)


@public
@arguments_of(hann_window)
def hamming_window(length: Any, periodic: Any, dtype: Any, name: str | None) -> Tensor:
    """Returns the Hamming window, 0.54 - 0.46 cos(2 pi k / n); see `tf.signal.hann_window`."""
    return _raised_cosine(name, "hamming_window", length, periodic, dtype, 0.54, 0.46)


def _raised_cosine(
    name: str | None, scope: str, length: Any, periodic: Any, dtype: Any, a: float, b: float
) -> Tensor:
    if not dtype.is_floating:
        raise ValueError(f"dtype must be a floating point type. Found {dtype}")
    with name_scope(name, scope, [length, periodic]):
        length = ops.convert_to_tensor(length, dtype=dtypes.int32, name="window_length")
        length.shape.assert_has_rank(0)
        static = ops.get_static_value(length)
        if static == 1:
            return ops.ones([1], dtype=dtype)
        periodic = ops.convert_to_tensor(periodic, dtype=dtypes.bool, name="periodic")
        periodic = ops.cast(periodic, dtypes.int32)
        periodic.shape.assert_has_rank(0)
        parity = 1 - ops.mod(length, 2)
        n = ops.cast(length + periodic * parity - 1, dtype=dtype)
        count = ops.cast(ops.range(length), dtype)
        angle = ops.constant(2 * np.pi, dtype=dtype) * count / n

        def weights():
            return ops.cast(a - b * ops.cos(angle), dtype=dtype)

        if static is not None:
            return weights()
        return ops.cond(ops.equal(length, 1), lambda: ops.ones([1], dtype=dtype), weights)
