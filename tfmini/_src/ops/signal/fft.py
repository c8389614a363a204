"""Fourier transforms of complex and real tensors over the last one, two or three dimensions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.devices.cuda.fft import wait_for_others
from tfmini._src.graph.opdef import Attr, OpDef, op, public, raw
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    input_value,
    size_from_input,
    with_rank,
    with_rank_at_least,
)
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import shape_text

_SUFFIX = {1: "", 2: "2D", 3: "3D"}
_KIND = Attr("type", dtypes.complex64, allowed=(dtypes.complex64, dtypes.complex128))


def _check_rank(value: Any, rank: int) -> None:
    if value.ndim < rank:
        invalid(f"Input must have rank of at least {rank} but got: {shape_text(value.shape)}")


def _declare_complex(name: str, function: str, rank: int) -> OpDef:
    def kernel(xp, value):
        _check_rank(value, rank)
        if not value.size:
            return xp.zeros(value.shape, value.dtype)
        axes = tuple(range(-rank, 0))
        wait_for_others(xp)
        return getattr(xp.fft, function)(value, axes=axes).astype(value.dtype, copy=False)

    opdef = op(name + _SUFFIX[rank], "input: Tcomplex -> output: Tcomplex", Tcomplex=_KIND)(kernel)
    opdef.infer(lambda op: with_rank_at_least(op.inputs[0]._dims, rank))
    return opdef


def _transform_size(grad: Tensor, rank: int) -> Tensor:
    return ops.reduce_prod(ops.shape(grad)[-rank:])


def _differentiate(rank: int) -> None:
    forward, inverse = (raw.__getattr__(name + _SUFFIX[rank]) for name in ("FFT", "IFFT"))

    @forward.gradient
    def _(op, grad):
        size = ops.cast(_transform_size(grad, rank), grad.dtype)
        return inverse(grad) * size

    @inverse.gradient
    def _(op, grad):
        share = 1.0 / ops.cast(_transform_size(grad, rank), grad.dtype.real_dtype)
        share = ops.cast(share, grad.dtype)
        return forward(grad) * share


for _rank in _SUFFIX:
    _declare_complex("FFT", "fftn", _rank)
    _declare_complex("IFFT", "ifftn", _rank)
    _differentiate(_rank)


def _check_lengths(value: Any, needed: list[int]) -> None:
    """Checks that the last dimensions have the `needed` sizes; empty dimensions pass."""
    start = value.ndim - len(needed)
    for axis, min_size in enumerate(needed):
        if 0 < value.shape[start + axis] < min_size % 2**64:
            invalid(
                f"Input dimension {start + axis} must have length of at least {min_size % 2**64} but got: "
                f"{value.shape[start + axis]}"
            )


def _checked_lengths(value: Any, lengths: Any, rank: int) -> list[int]:
    _check_rank(value, rank)
    if lengths.shape != (rank,):
        invalid(f"fft_length must have shape [{rank}]")
    return [int(n) for n in lengths]


def _name(transform: str, rank: int, real: str) -> str:
    return (
        f"{transform}{_SUFFIX[rank]}" if real == "float" else f"_{transform}{_SUFFIX[rank]}Double"
    )


def declare_of_real(rank: int, real: str = "float", complex: str = "complex64") -> OpDef:
    """Declares RFFT over `rank` axes; in double precision, under a separate name."""
    letter = "F" if complex == "complex64" else "D"

    def kernel(xp, value, fft_length):
        lengths = _checked_lengths(value, fft_length, rank)
        _check_lengths(value, lengths)
        if not value.size or 0 in lengths:
            outer = (*lengths[:-1], lengths[-1] // 2 + 1 if lengths[-1] else 0)
            return xp.zeros((*value.shape[: value.ndim - rank], *outer), letter)
        axes = tuple(range(-rank, 0))
        wait_for_others(xp)
        return xp.fft.rfftn(value, lengths, axes).astype(letter, copy=False)

    opdef = op(
        _name("RFFT", rank, real),
        f"input: {real}, fft_length: int32 -> output: {complex}",
        static_inputs=("fft_length",),
    )(kernel)
    opdef.infer(lambda op: _real_shape(op, rank, forward=True))
    return opdef


def declare_to_real(rank: int, real: str = "float", complex: str = "complex64") -> OpDef:
    """Declares IRFFT over `rank` axes; in double precision, under a separate name."""
    letter = "f" if real == "float" else "d"

    def kernel(xp, value, fft_length):
        lengths = _checked_lengths(value, fft_length, rank)
        _check_lengths(value, [*lengths[:-1], lengths[-1] % 2**64 // 2 + 1])
        if not value.size or 0 in lengths:
            return xp.zeros((*value.shape[: value.ndim - rank], *lengths), letter)
        axes = tuple(range(-rank, 0))
        wait_for_others(xp)
        return xp.fft.irfftn(value, lengths, axes).astype(letter, copy=False)

    opdef = op(
        _name("IRFFT", rank, real),
        f"input: {complex}, fft_length: int32 -> output: {real}",
        static_inputs=("fft_length",),
    )(kernel)
    opdef.infer(lambda op: _real_shape(op, rank, forward=False))
    return opdef


def _real_shape(op: Any, rank: int, forward: bool) -> Dims:
    dims = with_rank_at_least(op.inputs[0]._dims, rank)
    (count,) = with_rank(op.inputs[1]._dims, 1)
    if count not in (None, rank):
        raise InferenceError(f"Dimension must be {rank} but is {count}")
    lengths = input_value(op, 1)
    if dims is None:
        return None
    if lengths is None:
        return (*dims[: len(dims) - rank], *[None] * rank)
    inner = [int(n) for n in lengths]
    if forward and inner[-1]:
        inner[-1] = inner[-1] // 2 + 1
    return (*dims[: len(dims) - rank], *map(size_from_input, inner))


for _rank in _SUFFIX:
    declare_of_real(_rank)
    declare_to_real(_rank)


def _real_gradient(rank: int) -> Callable:
    """Returns the inverse transform of the gradient; columns whose mirror images are omitted count half."""

    def rule(op, grad):
        length = op.inputs[1]
        shape = ops.shape(op.inputs[0])
        is_even = ops.cast(1 - (length[-1] % 2), dtypes.complex64)
        first = grad[..., 0:1]
        if rank == 1:
            last = grad[..., -1:]
            unpaired = first + is_even * last * _alternating(shape[-1])
        else:
            twiddles = _tile(_twiddles(shape[-2]), first)
            unpaired = ops.matmul(twiddles, ops.conj(first))
            last = grad[..., -1:]
            last_terms = ops.matmul(twiddles, ops.conj(last))
            columns = shape[-1]
            copies = ops.concat([ops.ones([ops.rank(grad) - 1], dtypes.int32), [columns]], 0)
            last_terms = ops.tile(last_terms, copies) * _alternating(columns)
            unpaired += is_even * last_terms
        size = ops.cast(_transform_size(op.inputs[0], rank), dtypes.float32)
        inverse = getattr(ops, "irfft" + _SUFFIX[rank].lower())(grad, length)
        return 0.5 * (inverse * size + ops.real(unpaired)), None

    return rule


def _alternating(length: Tensor) -> Tensor:
    """Returns 1, -1, 1, -1, ... as complex numbers."""
    return ops.cast(1 - 2 * (ops.range(length) % 2), dtypes.complex64)


def _twiddles(length: Tensor) -> Tensor:
    """Returns exp(-2 pi i j k / length) for row j and column k."""
    rows = ops.tile(ops.expand_dims(ops.range(length), 0), (length, 1))
    columns = ops.transpose(rows, [1, 0])
    power = -2j * np.pi * ops.cast(rows * columns, dtypes.complex64)
    return ops.exp(power / ops.cast(length, dtypes.complex64))


def _tile(matrix: Tensor, template: Tensor) -> Tensor:
    """Repeats `matrix` for each batch element of `template`."""
    ones = ops.ones([ops.rank(template) - 2], dtypes.int32)
    expanded = ops.reshape(matrix, ops.concat([ones, ops.shape(matrix)], 0))
    return ops.tile(expanded, ops.concat([ops.shape(template)[:-2], [1, 1]], 0))


def _to_real_gradient(rank: int) -> Callable:
    """Returns the forward transform of the gradient, doubled for columns that also represent their mirror images."""

    def rule(op, grad):
        length = op.inputs[1]
        is_odd = ops.mod(length[-1], 2)
        columns = ops.shape(op.inputs[0])[-1]
        paired = 2.0 * ops.ones([columns - 2 + is_odd])
        mask = ops.concat([[1.0], paired, ops.ones([1 - is_odd])], 0)
        share = ops.reciprocal(ops.cast(_transform_size(grad, rank), dtypes.float32))
        transformed = getattr(ops, "rfft" + _SUFFIX[rank].lower())(grad, length)
        return transformed * ops.cast(share * mask, dtypes.complex64), None

    return rule


for _rank in (1, 2):
    raw.__getattr__("RFFT" + _SUFFIX[_rank]).gradient(_real_gradient(_rank))
    raw.__getattr__("IRFFT" + _SUFFIX[_rank]).gradient(_to_real_gradient(_rank))


@public
def fft(input: TensorLike, name: str | None = None) -> Tensor:
    """Computes the discrete Fourier transform of the last dimension of a complex tensor: maps [..., n] to [..., n]."""
    return raw.FFT(input, name=name)


@public
def ifft(input: TensorLike, name: str | None = None) -> Tensor:
    """Computes the inverse discrete Fourier transform of the last dimension of a complex tensor."""
    return raw.IFFT(input, name=name)


@public
def fft2d(input: TensorLike, name: str | None = None) -> Tensor:
    """Computes the discrete Fourier transform of the last two dimensions of a complex tensor."""
    return raw.FFT2D(input, name=name)


@public
def ifft2d(input: TensorLike, name: str | None = None) -> Tensor:
    """Computes the inverse discrete Fourier transform of the last two dimensions of a complex tensor."""
    return raw.IFFT2D(input, name=name)


@public
def fft3d(input: TensorLike, name: str | None = None) -> Tensor:
    """Computes the discrete Fourier transform of the last three dimensions of a complex tensor."""
    return raw.FFT3D(input, name=name)


@public
def ifft3d(input: TensorLike, name: str | None = None) -> Tensor:
    """Computes the inverse discrete Fourier transform of the last three dimensions of a complex tensor."""
    return raw.IFFT3D(input, name=name)
