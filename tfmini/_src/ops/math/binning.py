"""Binning: fixed-width histograms and bucketize."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.errors import invalid
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.devices.cuda.device_constants import fixed
from tfmini._src.devices.cuda.gather_scatter import reduce_segments
from tfmini._src.devices.cuda.launch import runs_cuda
from tfmini._src.devices.host.native.math.histogram import histogram
from tfmini._src.graph.op_def_summary import number
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    input_value,
    same_shape,
    with_rank,
)
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import INDEX32


@op(
    "HistogramFixedWidth",
    "values: T, value_range: T, nbins: int32 -> out: dtype",
    host_or_cuda=True,
    static_inputs=("value_range", "nbins"),
    T=(dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64),
    dtype=INDEX32,
)
def histogram_fixed_width_op(xp, values, value_range, nbins, *, dtype):
    if value_range.ndim != 1:
        invalid("value_range should be a vector.")
    if value_range.size != 2:
        invalid("value_range should be a vector of 2 elements.")
    if nbins.ndim:
        invalid("nbins should be a scalar.")
    low, high = (value_range.dtype.type(end) for end in value_range)
    count = int(nbins)
    if not low < high:
        invalid(
            "value_range should satisfy value_range[0] < value_range[1], but got "
            f"'[{number(low)}, {number(high)}]'"
        )
    if count <= 0:
        invalid(f"nbins should be a positive number, but got '{count}'")
    width = np.float64(high - low) / count
    if xp is np and (counts := histogram(values, low, width, count)) is not None:
        return counts.astype(dtype.numpy)
    bins = xp.clip((values.ravel() - low).astype("d") / width, 0, count - 1).astype("int64")
    if runs_cuda(xp):  # CuPy's function synchronizes to read the maximum
        return reduce_segments(xp, "add", xp.ones(bins.size, dtype.numpy), bins, count, 0)
    if bins.min(initial=0) < 0:  # a NaN; TensorFlow writes out of bounds
        invalid("values must be numbers, but some are NaN")
    return xp.bincount(bins, minlength=count).astype(dtype.numpy)


@histogram_fixed_width_op.infer
def _(op) -> Dims:
    (ends,) = with_rank(op.inputs[1]._dims, 1)
    if ends not in (None, 2):
        raise InferenceError(f"Dimension must be 2 but is {ends}")
    with_rank(op.inputs[2]._dims, 0)
    count = input_value(op, 2)
    if count is None:
        return (None,)
    if count <= 0:
        raise InferenceError(f"Requires nbins > 0: {int(count)}")
    return (int(count),)


@public
def histogram_fixed_width(
    values: TensorLike,
    value_range: TensorLike,
    nbins: TensorLike = 100,
    dtype: DTypeLike = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """Counts the values in each of `nbins` bins of equal width.

    Args:
      values: int32, int64, float32 or float64 tensor; outliers count towards the first or last bin.
      value_range: [2] tensor of the same dtype, the limits of the histogram.
      nbins: the number of bins, an int32 scalar.
      dtype: the dtype of the counts, int32 or int64.

    Returns:
      [nbins] Tensor of dtype `dtype`.

    Raises:
      InvalidArgumentError (when run): if the range or the number of bins is not positive.

    Example: `tf.histogram_fixed_width([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0], [0.0, 5.0], 5)` is
    `[2, 1, 1, 0, 2]`.
    """
    with name_scope(name, "histogram_fixed_width", [values, value_range, nbins]) as name:
        return raw.HistogramFixedWidth(values, value_range, nbins, dtype=dtype, name=name)


@public
@arguments_of(histogram_fixed_width)
def histogram_fixed_width_bins(
    values: Any, value_range: Any, nbins: Any, dtype: Any, name: str | None
) -> Tensor:
    """Returns the bin index of each value as an int32 tensor with the shape of `values`.

    See `tf.histogram_fixed_width` for the arguments.
    """
    with name_scope(name, "histogram_fixed_width_bins", [values, value_range, nbins]):
        values = ops.convert_to_tensor(values, name="values")
        shape = ops.shape(values)
        values = ops.reshape(values, [-1])
        value_range = ops.convert_to_tensor(value_range, name="value_range")
        nbins = ops.convert_to_tensor(nbins, dtype=dtypes.int32, name="nbins")
        count = ops.cast(nbins, values.dtype)
        scaled = ops.truediv(
            values - value_range[0], value_range[1] - value_range[0], name="scaled_values"
        )
        bins = ops.floor(count * scaled, name="indices")
        bins = ops.cast(ops.clip_by_value(bins, 0, count - 1), dtypes.int32)
        return ops.reshape(bins, shape)


@op(
    "Bucketize",
    "input: T -> output: int32",
    infer=same_shape,
    T=(dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64),
    boundaries=Attr("list(float)"),
)
def bucketize_op(xp, value, *, boundaries):
    limits = np.array(boundaries, "f")
    positions = xp.searchsorted(fixed(xp, limits.astype("d")), value.ravel().astype("d"), "right")
    return positions.reshape(value.shape).astype("int32")


@bucketize_op.check_attrs
def _(attrs, on_gpu):
    limits = np.array(attrs["boundaries"], "f")
    if (limits[1:] < limits[:-1]).any():
        invalid("Expected sorted boundaries")


def bucketize(input: Any, boundaries: Any, name: str | None = None) -> Tensor:
    """Returns the int32 index of the bucket between sorted boundaries that contains each element."""
    return raw.Bucketize(input=input, boundaries=boundaries, name=name)
