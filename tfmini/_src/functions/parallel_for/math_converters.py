"""Converters of products, reductions, sums and decompositions."""

from __future__ import annotations

from typing import Any

from tfmini._src.functions.parallel_for.conversion import Value
from tfmini._src.functions.parallel_for.converters import aligned, converter, shifted
from tfmini._src.ops import ops, raw


@converter("MatMul")
def _matmul(given: Any) -> Any:
    op = given.op
    first, second = given.values
    transposed = [op.attrs["transpose_a"], op.attrs["transpose_b"]]
    if not second.is_stacked and not transposed[0]:  # the rows of all iterations in one product
        rows = first.tensor
        columns = ops.shape(rows)[-1]
        made = ops.matmul(
            ops.reshape(rows, [-1, columns]), second.tensor, transpose_b=transposed[1]
        )
        return ops.reshape(made, ops.concat([ops.shape(rows)[:2], [-1]], 0))
    return raw.BatchMatMulV2(first.tensor, second.tensor, adj_x=transposed[0], adj_y=transposed[1])


@converter("BatchMatMul", "BatchMatMulV2")
def _batch_matmul(given: Any) -> Any:
    attrs = given.op.attrs
    x, y = aligned(given, 0, 1)
    return raw.BatchMatMulV2(x, y, adj_x=attrs["adj_x"], adj_y=attrs["adj_y"])


@converter(
    *("Sum", "Prod", "Max", "Min", "Mean", "All", "Any", "EuclideanNorm", "ArgMax", "ArgMin"),
    *("Cumsum", "Cumprod", "ReverseV2"),
)
def _along_axes(given: Any) -> Any:
    return given.make(given.stacked(0), shifted(given.same(1)))


@converter("L2Loss")
def _l2_loss(given: Any) -> Any:
    tensor = given.stacked(0)
    return ops.reduce_sum(tensor * tensor, list(range(1, given.rank(0) + 1))) / 2


@converter("UnsortedSegmentSum")
def _unsorted_segment_sum(given: Any) -> Any:
    """The segments of each iteration become segments of their own."""
    data, ids, count = given.stacked(0), given.stacked(1), given.same(2)
    length = ops.cast(given.length[0], ids.dtype)
    segments = ops.cast(count, ids.dtype)
    numbers = ops.reshape(
        ops.range(length) * segments,
        ops.concat([given.length, ops.ones_like(ops.shape(ids)[1:])], 0),
    )
    apart = ops.where(ids < 0, ids, ids + numbers)
    made = raw.UnsortedSegmentSum(data, apart, ops.cast(length * segments, count.dtype))
    sizes = ops.concat(
        [given.length, [ops.cast(count, given.length.dtype)], ops.shape(made)[1:]], 0
    )
    return ops.reshape(made, sizes)


@converter("Einsum")
def _einsum(given: Any) -> Any:
    equation = given.op.attrs["equation"]
    inputs, output = equation.split("->")
    free = next(c for c in "zyxwvutsrqponmlkjihgfedcbaZYX" if c not in equation)
    terms = [
        free + term if value.is_stacked else term
        for term, value in zip(inputs.split(","), given.values)
    ]
    tensors = [value.tensor for value in given.values]
    return ops.einsum(f"{','.join(terms)}->{free}{output}", *tensors)


@converter("SelfAdjointEigV2", "Svd")
def _decomposition(given: Any) -> Any:
    """Values and, if requested, vectors; an empty tensor otherwise."""
    attrs = given.op.attrs
    asked = attrs["compute_uv"] if given.op.type == "Svd" else attrs["compute_v"]
    values, *vectors = given.make(*given.all_stacked())
    return [values, *(Value(each, asked) for each in vectors)]
