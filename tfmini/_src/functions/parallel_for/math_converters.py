"""Converters of products, reductions, sums and decompositions."""

from __future__ import annotations

from typing import Any

from tfmini._src.functions.parallel_for.conversion import Value
from tfmini._src.functions.parallel_for.converters import align_ranks, converter, shift_axes
from tfmini._src.ops import ops, raw


@converter("MatMul")
def _matmul(node: Any) -> Any:
    op = node.op
    first, second = node.values
    transposed = [op.attrs["transpose_a"], op.attrs["transpose_b"]]
    if not second.is_stacked and not transposed[0]:  # one product for the rows of all iterations
        rows = first.tensor
        columns = ops.shape(rows)[-1]
        product = ops.matmul(
            ops.reshape(rows, [-1, columns]), second.tensor, transpose_b=transposed[1]
        )
        return ops.reshape(product, ops.concat([ops.shape(rows)[:2], [-1]], 0))
    return raw.BatchMatMulV2(first.tensor, second.tensor, adj_x=transposed[0], adj_y=transposed[1])


@converter("BatchMatMul", "BatchMatMulV2")
def _batch_matmul(op: Any) -> Any:
    attrs = op.op.attrs
    x, y = align_ranks(op, 0, 1)
    return raw.BatchMatMulV2(x, y, adj_x=attrs["adj_x"], adj_y=attrs["adj_y"])


@converter(
    *("Sum", "Prod", "Max", "Min", "Mean", "All", "Any", "EuclideanNorm", "ArgMax", "ArgMin"),
    *("Cumsum", "Cumprod", "ReverseV2"),
)
def _along_axes(op: Any) -> Any:
    return op.copy_with(op.stacked_input(0), shift_axes(op.invariant_input(1)))


@converter("L2Loss")
def _l2_loss(op: Any) -> Any:
    tensor = op.stacked_input(0)
    return ops.reduce_sum(tensor * tensor, list(range(1, op.rank(0) + 1))) / 2


@converter("UnsortedSegmentSum")
def _unsorted_segment_sum(op: Any) -> Any:
    """Offsets the segment ids so that each iteration has its own segments."""
    data, ids, count = op.stacked_input(0), op.stacked_input(1), op.invariant_input(2)
    length = ops.cast(op.length[0], ids.dtype)
    segments = ops.cast(count, ids.dtype)
    offsets = ops.reshape(
        ops.range(length) * segments,
        ops.concat([op.length, ops.ones_like(ops.shape(ids)[1:])], 0),
    )
    shifted_ids = ops.where(ids < 0, ids, ids + offsets)
    result = raw.UnsortedSegmentSum(data, shifted_ids, ops.cast(length * segments, count.dtype))
    sizes = ops.concat([op.length, [ops.cast(count, op.length.dtype)], ops.shape(result)[1:]], 0)
    return ops.reshape(result, sizes)


@converter("Einsum")
def _einsum(op: Any) -> Any:
    equation = op.op.attrs["equation"]
    inputs, output = equation.split("->")
    free = next(c for c in "zyxwvutsrqponmlkjihgfedcbaZYX" if c not in equation)
    terms = [
        free + term if value.is_stacked else term
        for term, value in zip(inputs.split(","), op.values)
    ]
    tensors = [value.tensor for value in op.values]
    return ops.einsum(f"{','.join(terms)}->{free}{output}", *tensors)


@converter("SelfAdjointEigV2", "Svd")
def _decomposition(op: Any) -> Any:
    """Returns the values and, if requested, the vectors, else an empty tensor."""
    attrs = op.op.attrs
    is_requested = attrs["compute_uv"] if op.op.type == "Svd" else attrs["compute_v"]
    values, *vectors = op.copy_with(*op.all_stacked())
    return [values, *(Value(vector, is_requested) for vector in vectors)]
