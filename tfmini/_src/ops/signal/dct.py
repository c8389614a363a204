"""Discrete cosine transform."""

from __future__ import annotations

import math
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.opdef import public
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops


def _check_options(value: Any, dct_type: int, n: int | None, axis: int, norm: str | None) -> None:
    if axis != -1:
        raise NotImplementedError(f"axis must be -1. Got: {axis}")
    if n is not None and n < 1:
        raise ValueError("n should be a positive integer or None")
    if dct_type not in (1, 2, 3):
        raise ValueError("Only Types I, II and III (I)DCT are supported.")
    if dct_type == 1:
        if norm == "ortho":
            raise ValueError("Normalization is not supported for the Type-I DCT.")
        if value.shape[-1] is not None and value.shape[-1] < 2:
            raise ValueError("Type-I DCT requires the dimension to be greater than one.")
    if norm not in (None, "ortho"):
        raise ValueError(f"Unknown normalization. Expected None or 'ortho', got: {norm}")


def _last_size(value: Tensor) -> Any:
    """Returns the last dimension, as a number if known (and nonzero)."""
    return (None if value._dims is None else value.shape.as_list()[-1]) or ops.shape(value)[-1]


@public
def dct(
    input: TensorLike,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """Computes the discrete cosine transform of the last dimension, as in `scipy.fftpack.dct`.

    Args:
      input: [..., samples] float32 tensor.
      type: 1, 2 or 3.
      n: the transform length: longer inputs are cropped, shorter ones zero-padded; by default the number of samples.
      axis: -1.
      norm: None, or "ortho" for an orthogonal transform.

    Returns:
      [..., n] float32 Tensor.

    Raises:
      ValueError: for an unsupported type or norm, n < 1, or "ortho" with type 1.
      NotImplementedError: for any other axis.
    """
    _check_options(input, type, n, axis, norm)
    with name_scope(name, "dct", [input]):
        value = ops.convert_to_tensor(input, dtype=dtypes.float32)
        length = _last_size(value)
        if n is not None:
            if n <= length:
                value = value[..., 0:n]
            else:
                paddings = [[0, 0] for _ in range(len(value.shape))]
                paddings[-1][1] = n - length
                value = ops.pad(value, paddings=ops.convert_to_tensor(paddings, dtype=dtypes.int32))
        size = _last_size(value)
        float_size = ops.cast(size, dtypes.float32)
        if type == 1:
            mirrored = ops.concat([value, value[..., -2:0:-1]], axis=-1)
            return ops.real(ops.rfft(mirrored))
        if type == 2:
            return _dct_type_2(value, size, float_size, norm)
        return _dct_type_3(value, size, float_size, norm)


def _dct_type_2(value: Tensor, size: Any, float_size: Tensor, norm: str | None) -> Tensor:
    angle = -ops.range(float_size) * math.pi * 0.5 / float_size
    scale = 2.0 * ops.exp(ops.complex(0.0, angle))
    result = ops.real(ops.rfft(value, fft_length=[2 * size])[..., :size] * scale)
    if norm == "ortho":
        first = 0.5 * ops.rsqrt(float_size)
        scaled = first * ops.sqrt(2.0)
        result *= ops.pad(ops.expand_dims(first, 0), [[0, size - 1]], constant_values=scaled)
    return result


def _dct_type_3(value: Tensor, size: Any, float_size: Tensor, norm: str | None) -> Tensor:
    if norm == "ortho":
        first = ops.sqrt(float_size)
        halved = first * ops.sqrt(0.5)
        value *= ops.pad(ops.expand_dims(first, 0), [[0, size - 1]], constant_values=halved)
    else:
        value *= float_size
    angle = ops.range(float_size) * math.pi * 0.5 / float_size
    scale = 2.0 * ops.exp(ops.complex(0.0, angle))
    spectrum = scale * ops.complex(value, 0.0)
    return ops.real(ops.irfft(spectrum, fft_length=[2 * size]))[..., :size]


@arguments_of(dct)
def idct(input: TensorLike, type: int, *options: Any) -> Tensor:
    """Computes the inverse of `tf.signal.dct` of the same type, up to a factor of 2 n, or 1 with norm "ortho"."""
    _check_options(input, type, *options[:-1])
    return ops.dct(input, {1: 1, 2: 3, 3: 2}[type], *options)
