"""Segment reductions of selected rows: sums, means, and sums divided by the square root of their count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.devices.host.native import sparse_rows
from tfmini._src.devices.numpy import scipy
from tfmini._src.devices.numpy.segment_reduce import reduce_rows
from tfmini._src.graph.opdef import OpDef, op, public, raw
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    input_value,
    merge,
    with_rank,
    with_rank_at_least,
)
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.math.segment_sum import count_sorted_segments
from tfmini._src.ops.operands import INDEX32, shape_text
from tfmini._src.ops.type_lists import REAL_NUMBERS, SINGLE_DOUBLE

_SPARSE_INPUTS = "data: T, indices: Tidx, segment_ids: int32"


def _declare(name: str, types: tuple, scale: Callable | None, scaling: int) -> tuple[OpDef, OpDef]:
    """Declares an op with an implicit number of segments, and a variant with an explicit number."""

    def reduce(xp, data, indices, ids, num_segments):
        if xp is np and data.ndim and ids.ndim:
            count = None if num_segments is None or num_segments.ndim else int(num_segments)
            result = sparse_rows.segment_sums(data, indices, ids, count, scaling)
            if result is not None and (count is None) == (num_segments is None):
                return result
        if num_segments is not None and num_segments.ndim:
            invalid(f"num_segments should be a scalar, not shape {shape_text(num_segments.shape)}")
        segment_count = None if num_segments is None else int(num_segments)
        if segment_count is not None and segment_count < 0:
            invalid("segment ids must be >= 0")
        if not data.ndim:  # TensorFlow aborts here
            invalid("data should be at least a vector.")
        if indices.ndim != 1:
            invalid("indices should be a vector.")
        if ids.ndim != 1:
            invalid("segment_ids should be a vector.")
        if indices.shape != ids.shape:
            invalid("segment_ids and indices should have same size.")
        if segment_count is not None and ids.size and ids[-1] >= segment_count:
            invalid("segment ids must be < num_segments")
        count = count_sorted_segments(ids, segment_count)
        is_outside = (indices < 0) | (indices >= len(data))
        if is_outside.any():
            position = int(is_outside.argmax())
            invalid(
                f"Bad: indices[{position}] == {indices[position]} out of range [0, {len(data)})"
            )
        total = _sum_rows(xp, data, indices, ids, count)
        if scale is None:
            return total
        return xp.divide(total, _per_row(xp, scale, ids, count, data))

    def kernel(xp, data, indices, ids):
        return reduce(xp, data, indices, ids, None)

    def counted_kernel(xp, data, indices, ids, num_segments):
        return reduce(xp, data, indices, ids, num_segments)

    attrs: dict[str, Any] = {"T": types, "Tidx": INDEX32}
    plain = op(
        name, f"{_SPARSE_INPUTS} -> output: T", infer=_static_dims, sized_by_values=True, **attrs
    )(kernel)
    num_segments_op = op(
        f"{name}WithNumSegments",
        f"{_SPARSE_INPUTS}, num_segments: Tnumsegments -> output: T",
        static_inputs=("num_segments",),
        **attrs,
        Tnumsegments=INDEX32,
    )(counted_kernel)
    num_segments_op.infer(_counted_shape)
    return plain, num_segments_op


_MIN_MATRIX_ELEMENTS = (
    1 << 18
)  # selected elements: below, copying them costs less than a sparse matrix


def _as_product(xp: Any, data: Any, ids: Any) -> bool:
    """Whether to sum by scipy's sparse products, which avoid copying the selected rows."""
    fits = xp is np and data.dtype.char in "fd" and data.flags.c_contiguous and data.size > 0
    return fits and ids.size * (data.size // len(data)) >= _MIN_MATRIX_ELEMENTS


def _membership(data: Any, indices: Any, ids: Any, count: int, rows: int) -> Any:
    """Returns a sparse matrix [segments, rows] with a 1 for each row of a segment; ids must be sorted."""
    ends = np.searchsorted(ids, np.arange(count + 1))
    ones = np.ones(ids.size, data.dtype)
    return scipy.sparse.csr_matrix((ones, indices, ends), (count, rows))


def _sum_rows(xp: Any, data: Any, indices: Any, ids: Any, count: int) -> Any:
    """Sums the rows `indices` within each segment."""
    if not _as_product(xp, data, ids):
        rows = data[indices]
        # TensorFlow adds eight rows of float16 at a time, nearer to sums in float32 than to sums row by row.
        wide_rows = rows.astype("f") if xp is np and rows.dtype.char == "e" else rows
        sums = reduce_rows(xp, xp.add, wide_rows, ids, count, 0, is_sorted=True)
        return sums.astype(rows.dtype, copy=False)
    rows = len(data)
    sums = _membership(data, indices, ids, count, rows) @ data.reshape(rows, -1)
    return sums.reshape(count, *data.shape[1:])


def _per_row(xp: Any, scale: Callable, ids: Any, count: int, data: Any) -> Any:
    """Returns the divisor of each summed row: `scale` applied to its number of terms."""
    sizes = scale(xp.maximum(xp.bincount(ids, minlength=count), 1)).astype(data.dtype)
    return sizes.reshape(-1, *[1] * (data.ndim - 1))


def _input_dims(op: Any) -> Dims:
    dims = with_rank_at_least(op.inputs[0]._dims, 1)
    merge(with_rank(op.inputs[1]._dims, 1), with_rank(op.inputs[2]._dims, 1))
    return dims


def _static_dims(op: Any) -> Dims:
    dims = _input_dims(op)
    return None if dims is None else (None, *dims[1:])


def _counted_shape(op: Any) -> Dims:
    with_rank(op.inputs[3]._dims, 0)
    dims = _input_dims(op)
    count = input_value(op, 3)
    if count is not None and count < 0:
        raise InferenceError("Cannot specify a negative value for num_segments")
    return None if dims is None else (None if count is None else int(count), *dims[1:])


sum_op, counted_sum_op = _declare("SparseSegmentSum", REAL_NUMBERS, None, 0)
mean_op, counted_mean_op = _declare("SparseSegmentMean", SINGLE_DOUBLE, lambda n: n, 1)
sqrt_n_op, counted_sqrt_n_op = _declare("SparseSegmentSqrtN", SINGLE_DOUBLE, np.sqrt, 2)


def _declare_gradient(name: str, scale: Callable, scaling: int) -> OpDef:
    def kernel(xp, grad, indices, ids, output_dim0):
        for name, vector in (("indices", indices), ("segment_ids", ids)):
            if vector.ndim != 1:
                invalid(f"{name} should be a vector.")
        if indices.shape != ids.shape:
            invalid("segment_ids and indices should have same size.")
        if output_dim0.ndim:
            invalid("output_dim0 should be a scalar.")
        if not grad.ndim:
            invalid("grad should have at least one dimension, but had shape: []")
        rows = int(output_dim0)
        if rows == 0:
            return xp.zeros((0, *grad.shape[1:]), grad.dtype)
        if xp is np and rows > 0:
            result = sparse_rows.segment_gradients(grad, indices, ids, rows, scaling)
            if result is not None:
                return result
        if ids.size and (ids.max() >= len(grad) or ids.min() < 0):
            if ids[-1] >= len(grad):
                invalid("Invalid number of segments")
            invalid_id = ids[(ids < 0) | (ids >= len(grad))][0]
            invalid(f"Segment id {invalid_id} out of range [0, {len(grad)}).")
        outside_indices = indices[(indices < 0) | (indices >= rows)]
        if outside_indices.size:
            invalid(f"Index {outside_indices[0]} out of range [0, {rows}).")
        shares = xp.divide(grad, _per_row(xp, scale, ids, len(grad), grad))
        if _as_product(xp, shares, ids) and not (ids[1:] < ids[:-1]).any():
            sums = _membership(shares, indices, ids, len(grad), rows).T @ shares.reshape(
                len(grad), -1
            )
            return sums.reshape(rows, *grad.shape[1:])
        return reduce_rows(xp, xp.add, shares[ids], indices, rows, 0, is_sorted=False)

    opdef = op(
        name,
        "grad: T, indices: Tidx, segment_ids: int32, output_dim0: int32 -> output: T",
        static_inputs=("output_dim0",),
        T=SINGLE_DOUBLE,
        Tidx=INDEX32,
    )(kernel)

    @opdef.infer
    def _(op) -> Dims:
        dims = with_rank_at_least(op.inputs[0]._dims, 1)
        merge(op.inputs[2]._dims, with_rank(op.inputs[1]._dims, 1))
        with_rank(op.inputs[3]._dims, 0)
        rows = input_value(op, 3)
        return None if dims is None else (None if rows is None else int(rows), *dims[1:])

    return opdef


mean_grad_op = _declare_gradient("SparseSegmentMeanGrad", lambda n: n, 1)
sqrt_n_grad_op = _declare_gradient("SparseSegmentSqrtNGrad", np.sqrt, 2)


def _sum_gradient(op: Any, grad: Any) -> tuple:
    data, indices, ids = op.inputs[:3]
    rows = ops.shape(data)[0]
    result = ops.unsorted_segment_sum(ops.gather(grad, ids), indices, rows)
    return (result, *[None] * (len(op.inputs) - 1))


def _scaled_gradient(name: str) -> Callable:
    def rule(op, grad):
        data, indices, ids = op.inputs[:3]
        rows = ops.shape(data)[0]
        result = getattr(raw, name)(grad, indices, ids, rows)
        return (result, *[None] * (len(op.inputs) - 1))

    return rule


for _rule, _ops in (
    (_sum_gradient, (sum_op, counted_sum_op)),
    (_scaled_gradient("SparseSegmentMeanGrad"), (mean_op, counted_mean_op)),
    (_scaled_gradient("SparseSegmentSqrtNGrad"), (sqrt_n_op, counted_sqrt_n_op)),
):
    for _op in _ops:
        _op.gradient(_rule)


def _segments(
    op_type: str, data: Any, indices: Any, segment_ids: Any, name: Any, num_segments: Any
) -> Tensor:
    if num_segments is None:
        return getattr(raw, op_type)(data, indices, segment_ids, name=name)
    num_segments_op = getattr(raw, op_type + "WithNumSegments")
    return num_segments_op(data, indices, segment_ids, num_segments, name=name)


@public
def sparse_segment_sum(
    data: TensorLike,
    indices: TensorLike,
    segment_ids: TensorLike,
    name: str | None = None,
    num_segments: TensorLike | None = None,
) -> Tensor:
    """Sums the rows `indices` of `data` with equal segment ids.

    Args:
      data: real tensor [rows, ...].
      indices: [n] int32 or int64 tensor of row indices of `data`.
      segment_ids: sorted [n] int32 tensor.
      num_segments: the number of segments; by default the last id plus one.

    Returns:
      [segments, ...] Tensor of the dtype of `data`, with zeros for empty segments.

    Raises:
      InvalidArgumentError (when run): if the ids are unsorted or a row is out of range.

    Example: `tf.sparse_segment_sum([1, 2, 3], [0, 2, 1], [0, 0, 1])` is `[4, 2]`.
    """
    return _segments("SparseSegmentSum", data, indices, segment_ids, name, num_segments)


@public
@arguments_of(sparse_segment_sum)
def sparse_segment_mean(*args: Any) -> Tensor:
    """Returns the means of selected rows with equal segment ids, for floats; see `tf.sparse_segment_sum`."""
    return _segments("SparseSegmentMean", *args)


@public
@arguments_of(sparse_segment_sum)
def sparse_segment_sqrt_n(*args: Any) -> Tensor:
    """Returns the sums of `tf.sparse_segment_sum`, each divided by the square root of its number of rows."""
    return _segments("SparseSegmentSqrtN", *args)
