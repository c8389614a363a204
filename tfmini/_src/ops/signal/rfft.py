"""Real Fourier transforms, with padding or cropping to any length, and spectrum shifts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.opdef import public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.static_values import static_shape
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops


def _default_fft_length(value: Tensor, rank: int) -> Tensor:
    """Returns the last `rank` sizes, the default transform length."""
    sizes = value.shape[-rank:]
    if not sizes.is_fully_defined():
        return ops.shape(value)[-rank:]
    return ops.convert_to_tensor(sizes.as_list(), dtypes.int32)


def _default_inverse_fft_length(value: Tensor, rank: int) -> Tensor:
    """Returns the last `rank` sizes of an inverse transform, whose last axis is the half spectrum of an even length."""
    sizes = value.shape[-rank:]
    if not sizes.is_fully_defined():
        lengths = ops.unstack(ops.shape(value)[-rank:])
        lengths[-1] = ops.maximum(0, 2 * (lengths[-1] - 1))
        return ops.stack(lengths)
    lengths = sizes.as_list()
    if lengths:
        lengths[-1] = max(0, 2 * (lengths[-1] - 1))
    return ops.convert_to_tensor(lengths, dtypes.int32)


def _pad(value: Tensor, rank: int, length: Tensor, is_inverse: bool) -> Tensor:
    """Zero-pads the end of the last `rank` dimensions to the transform length."""
    lengths: Any = static_shape(length)
    lengths = None if lengths.ndims is None else tuple(lengths.as_list())
    if value._dims is not None and 0 in value._dims:
        return value
    if lengths is not None and None not in lengths and value._dims is not None:
        sizes: Any = value._dims[-len(lengths) :]
        if None not in sizes:
            if is_inverse:
                lengths = (*lengths[:-1], lengths[-1] // 2 + 1)
            paddings = [[0, max(n - size, 0)] for n, size in zip(lengths, sizes)]
            if not any(after for _, after in paddings):
                return value
            paddings = [[0, 0]] * max(len(value._dims) - len(lengths), 0) + paddings
            return ops.pad(value, paddings)
    value_rank = ops.rank(value)
    sizes = ops.shape(value)[-rank:]
    outer_count = ops.maximum(0, value_rank - rank)
    outer = ops.zeros([outer_count], length.dtype)
    if is_inverse:
        length = ops.concat([length[:-1], length[-1:] // 2 + 1], 0)
    after = ops.concat([outer, ops.maximum(0, length - sizes)], 0)
    return ops.pad(value, ops.stack([ops.zeros_like(after), after], axis=1))


def _forward(
    transform: Callable, rank: int, scope: str, value: Any, length: Any, name: str | None
) -> Tensor:
    with name_scope(name, scope, [value, length]) as name:
        value = ops.convert_to_tensor(value, dtypes.float32)
        value.shape.with_rank_at_least(rank)
        if length is None:
            length = _default_fft_length(value, rank)
        else:
            length = ops.convert_to_tensor(length, dtypes.int32)
        return transform(_pad(value, rank, length, False), length, name=name)


def _inverse(
    transform: Callable, rank: int, scope: str, value: Any, length: Any, name: str | None
) -> Tensor:
    with name_scope(name, scope, [value, length]) as name:
        value = ops.convert_to_tensor(value, dtypes.complex64)
        value.shape.with_rank_at_least(rank)
        if length is None:
            length = _default_inverse_fft_length(value, rank)
        else:
            length = ops.convert_to_tensor(length, dtypes.int32)
        return transform(_pad(value, rank, length, True), length, name=name)


@public
def rfft(
    input_tensor: TensorLike, fft_length: TensorLike | None = None, name: str | None = None
) -> Tensor:
    """Computes the Fourier transform of the last dimension of a real tensor.

    Args:
      input_tensor: [..., n] float32 tensor.
      fft_length: [length], int32; the transform length, to which the input is cropped or zero-padded; by default n.

    Returns:
      [..., length // 2 + 1] complex64 Tensor; the omitted half is the complex conjugate of this half.
    """
    return _forward(raw.RFFT, 1, "rfft", input_tensor, fft_length, name)


@public
def irfft(
    input_tensor: TensorLike, fft_length: TensorLike | None = None, name: str | None = None
) -> Tensor:
    """Computes the inverse of `tf.signal.rfft`.

    Args:
      input_tensor: [..., m] complex64 tensor.
      fft_length: [length], int32; the output length; by default 2 (m - 1), which is correct for
        an even original length.

    Returns:
      [..., length] float32 Tensor.
    """
    return _inverse(raw.IRFFT, 1, "irfft", input_tensor, fft_length, name)


@public
def rfft2d(
    input_tensor: TensorLike, fft_length: TensorLike | None = None, name: str | None = None
) -> Tensor:
    """Computes the Fourier transform of the last two dimensions of a real tensor; see `tf.signal.rfft`."""
    return _forward(raw.RFFT2D, 2, "rfft2d", input_tensor, fft_length, name)


@public
def irfft2d(
    input_tensor: TensorLike, fft_length: TensorLike | None = None, name: str | None = None
) -> Tensor:
    """Computes the inverse of `tf.signal.rfft2d`; see `tf.signal.irfft`."""
    return _inverse(raw.IRFFT2D, 2, "irfft2d", input_tensor, fft_length, name)


@public
def rfft3d(
    input_tensor: TensorLike, fft_length: TensorLike | None = None, name: str | None = None
) -> Tensor:
    """Computes the Fourier transform of the last three dimensions of a real tensor; see `tf.signal.rfft`."""
    return _forward(raw.RFFT3D, 3, "rfft3d", input_tensor, fft_length, name)


@public
def irfft3d(
    input_tensor: TensorLike, fft_length: TensorLike | None = None, name: str | None = None
) -> Tensor:
    """Computes the inverse of `tf.signal.rfft3d`; see `tf.signal.irfft`."""
    return _inverse(raw.IRFFT3D, 3, "irfft3d", input_tensor, fft_length, name)


def _shift(x: Any, axes: Any, scope: str, name: str | None, shift: Callable) -> Tensor:
    with name_scope(name, scope) as name:
        x = ops.convert_to_tensor(x)
        if axes is None:
            axes = tuple(range(x.shape.ndims))
            return ops.roll(x, [shift(size) for size in x._dims], axes, name)
        if isinstance(axes, int):
            return ops.roll(x, shift(x._dims[axes]), axes, name)
        return ops.roll(x, [shift(x._dims[axis]) for axis in axes], axes, name)


@public
def fftshift(x: TensorLike, axes: TensorLike | None = None, name: str | None = None) -> Tensor:
    """Shifts the zero frequency of a spectrum to the center, as `numpy.fft.fftshift` does.

    Args:
      x: a tensor whose sizes along `axes` are known.
      axes: an axis or a list of axes; all by default.
    """
    return _shift(x, axes, "fftshift", name, lambda size: int(size // 2))


@public
def ifftshift(x: TensorLike, axes: TensorLike | None = None, name: str | None = None) -> Tensor:
    """Computes the inverse of `tf.signal.fftshift`."""
    return _shift(x, axes, "ifftshift", name, lambda size: -int(size // 2))
