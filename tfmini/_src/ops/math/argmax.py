"""ArgMax and ArgMin: indices of the largest and smallest elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.errors import invalid
from tfmini._src.base.names.deprecation import (
    deprecated,
    deprecated_args,
    deprecated_argument_lookup,
)
from tfmini._src.devices.cuda.launch import NUMBERS as NUMBERS_ON_GPU, supports
from tfmini._src.devices.cuda.reductions import extremes
from tfmini._src.devices.host.native import argmax_in_top_k
from tfmini._src.graph.opdef import op, public, raw
from tfmini._src.graph.shape_inference import Dims, InferenceError, input_value, with_rank
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops.operands import INDEX32, INDEX64, shape_text
from tfmini._src.ops.type_lists import NUMBERS


def _checked_axis(x: Any, dimension: Any) -> int:
    if dimension.ndim:
        invalid(
            f"dim must be a scalar, but received tensor of shape: {shape_text(dimension.shape)}",
        )
    axis, rank = int(dimension), x.ndim
    if not -rank <= axis < rank:
        invalid(f"Expected dimension in the range [{-rank}, {rank}), but got {axis}")
    if not x.shape[axis]:
        invalid(f"Reduction axis {axis} is empty in shape {shape_text(x.shape)}")
    return axis


def _position(xp: Any, x: Any, dimension: Any, output_type: Any, largest: bool) -> Any:
    axis = _checked_axis(x, dimension)
    if xp is np and (indices := argmax_in_top_k.argmax(x, axis, largest)) is not None:
        return indices.astype(output_type.numpy, copy=False)
    positions = x.argmax(axis) if largest else x.argmin(axis)
    if x.dtype.kind not in "iu" and _may_contain_nan(xp, x, positions, axis):
        # NumPy returns the position of a NaN, TensorFlow does not.
        x = xp.nan_to_num(x, nan=-np.inf if largest else np.inf, posinf=np.inf, neginf=-np.inf)
        positions = x.argmax(axis) if largest else x.argmin(axis)
    return positions.astype(output_type.numpy, copy=False)


def _on_gpu(gpu: Any, x: Any, dimension: Any, output_type: Any, largest: bool) -> Any:
    axis, xp = _checked_axis(x, dimension), gpu.xp
    if x.dtype.kind == "c":
        return _position(xp, x, dimension, output_type, largest)
    if x.dtype.kind not in "iu":  # skips NaN
        x = xp.fmax(x, x.dtype.type(-np.inf)) if largest else xp.fmin(x, x.dtype.type(np.inf))
    if axis in (-1, x.ndim - 1) and supports(x.dtype, NUMBERS_ON_GPU):
        return extremes(xp, x, output_type.numpy, not largest)
    positions = x.argmax(axis) if largest else x.argmin(axis)
    return positions.astype(output_type.numpy, copy=False)


def _may_contain_nan(xp: Any, x: Any, indices: Any, axis: int) -> bool:
    """Whether any element at the positions `indices` may be NaN."""
    if x.size < 20_000:
        return not xp.isfinite(xp.add.reduce(x, axis=None))
    positions = xp.expand_dims(indices, axis)
    return bool(xp.isnan(xp.take_along_axis(x, positions, axis)).any())


def _static_dims(op: Any) -> Dims:
    with_rank(op.inputs[1]._dims, 0)
    dims = op.inputs[0]._dims
    if dims is None:
        return None
    rank = len(dims)
    if rank <= 1:
        return ()
    value = input_value(op, 1)
    if value is None:
        return (None,) * (rank - 1)
    axis = int(value)
    if not -rank <= axis < rank:
        raise InferenceError(
            f"Dimension ({axis}) must be in the range [{-rank}, {rank}), where {rank} is the number of "
            "dimensions in the input."
        )
    axis %= rank
    return (*dims[:axis], *dims[axis + 1 :])


def _declare(op_type: str, largest: bool) -> None:
    @op(
        op_type,
        "input: T, dimension: Tidx -> output: output_type",
        infer=_static_dims,
        gradient=lambda op, grad: (None, None),
        static_inputs=("dimension",),
        host_or_cuda=True,
        T=NUMBERS,
        Tidx=INDEX32,
        output_type=INDEX64,
    )
    def declared_op(xp, x, dimension, *, output_type):
        return _position(xp, x, dimension, output_type, largest)

    @declared_op.bind
    def _(ctx):
        dims, dimension = ctx.dims[0], ctx.constants.get("dimension")
        dtype = ctx.attrs["output_type"].numpy
        if not dims or dimension is None or dimension.ndim or ctx.attrs["T"].is_complex:
            return None
        axis = int(dimension)
        if not -len(dims) <= axis < len(dims):
            return None

        def find_positions(x, dimension):
            positions = argmax_in_top_k.argmax(x, axis, largest)
            if positions is None:
                return declared_op.kernel(np, x, dimension, output_type=ctx.attrs["output_type"])
            return positions.astype(dtype, copy=False)

        return find_positions

    @declared_op.on_gpu
    def _(gpu, x, dimension, *, output_type):
        return _on_gpu(gpu, x, dimension, output_type, largest)


_declare("ArgMax", largest=True)
_declare("ArgMin", largest=False)


@deprecated_args(None, "Use the `axis` argument instead", "dimension")
@public
def argmax(
    input: TensorLike,
    axis: TensorLike | None = None,
    name: str | None = None,
    dimension: TensorLike | None = None,
    output_type: DTypeLike = dtypes.int64,
) -> Tensor:
    """Returns the index of the largest element along an axis, or the first index on ties.

    Args:
      input: a tensor of real numbers.
      axis: the axis, 0 by default, counted from the end if negative.
      dimension: the old name of `axis`.
      output_type: int64 or int32.

    Returns:
      A Tensor of `output_type` with that axis removed.

    Raises:
      InvalidArgumentError (when run): if the axis is empty.

    Example: `tf.argmax([[1, 9, 3]], 1)` is `[1]`.
    """
    axis = deprecated_argument_lookup("axis", axis, "dimension", dimension)
    return raw.ArgMax(input, 0 if axis is None else axis, name=name, output_type=output_type)


@deprecated_args(None, "Use the `axis` argument instead", "dimension")
@public
def argmin(
    input: TensorLike,
    axis: TensorLike | None = None,
    name: str | None = None,
    dimension: TensorLike | None = None,
    output_type: DTypeLike = dtypes.int64,
) -> Tensor:
    """Returns the index of the smallest element along an axis; see `tf.argmax`."""
    axis = deprecated_argument_lookup("axis", axis, "dimension", dimension)
    return raw.ArgMin(input, 0 if axis is None else axis, name=name, output_type=output_type)


@deprecated(None, "Use `tf.math.argmax` instead")
def arg_max(
    input: TensorLike,
    dimension: TensorLike,
    output_type: DTypeLike = dtypes.int64,
    name: str | None = None,
) -> Tensor:
    """Returns the index of the largest element along `dimension`; see `tf.argmax`."""
    return raw.ArgMax(input, dimension, output_type=output_type, name=name)


@deprecated(None, "Use `tf.math.argmin` instead")
def arg_min(
    input: TensorLike,
    dimension: TensorLike,
    output_type: DTypeLike = dtypes.int64,
    name: str | None = None,
) -> Tensor:
    """Returns the index of the smallest element along `dimension`; see `tf.argmin`."""
    return raw.ArgMin(input, dimension, output_type=output_type, name=name)
