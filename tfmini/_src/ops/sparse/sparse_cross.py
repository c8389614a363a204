"""Feature crosses: all combinations of the values of an example, joined or hashed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import InvalidArgumentError, invalid
from tfmini._src.devices.host.native import sparse_cross as native, sparse_rows
from tfmini._src.devices.numpy.farmhash import fingerprints
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.shape_inference import Dims
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import operands, ops
from tfmini._src.ops.operands import shape_text

_FEATURE_DTYPES = (dtypes.int64, dtypes.string)
DEFAULT_KEY = 0xDECAFCAFFE
_FACTOR = np.uint64(0xC6A4A7935BD1E995)
_BITS = np.uint64(47)
_MAX_INT64 = 2**63 - 1

SIGNATURE = (
    "indices: N*int64, values: sparse_types, shapes: N*int64, dense_inputs: dense_types "
    "-> output_indices: int64, output_values: out_type, output_shape: int64"
)
COUNTS: dict[str, Any] = {
    "N": Attr("int", minimum=0),
    "hashed_output": Attr("bool"),
    "num_buckets": Attr("int", minimum=0),
}
HASH_KEY: dict[str, Any] = {"hash_key": Attr("int")}
TYPES: dict[str, Any] = {
    "sparse_types": Attr("list(type)", minimum=0, allowed=_FEATURE_DTYPES),
    "dense_types": Attr("list(type)", minimum=0, allowed=_FEATURE_DTYPES),
    "out_type": Attr("type", allowed=_FEATURE_DTYPES),
    "internal_type": Attr("type", allowed=_FEATURE_DTYPES),
}


def _mix(x: Any) -> Any:
    return x ^ (x >> _BITS)


def combine_fingerprints(a: Any, b: Any) -> Any:
    """Combines two fingerprints elementwise modulo 2^64."""
    together = sparse_rows.combine_fingerprints(a, b)
    if together is not None:
        return together
    result = (a ^ _FACTOR ^ (_mix(b * _FACTOR) * _FACTOR)) * _FACTOR
    return _mix(_mix(result) * _FACTOR)


def _features(values: Any, is_hashed: bool) -> Any:
    """Converts the values of a column to a form that can be combined: fingerprints or strings."""
    if not is_hashed:
        return [v if isinstance(v, bytes) else str(v).encode() for v in values.tolist()]
    if values.dtype == object:
        return fingerprints(values)
    return values.astype(np.uint64)


def _values_by_example(
    positions: tuple, values: tuple, shapes: tuple, dense: tuple
) -> tuple[list, int]:
    """Returns (values, start of the values of each example) for each feature, and the number of examples."""
    for i, indices in enumerate(positions):
        if indices.ndim != 2:
            invalid(
                "Input indices should be a matrix but received shape "
                f"{shape_text(indices.shape)} at position {i}"
            )
        if indices.shape[1] != 2:
            invalid(f"Expected D2 of index to be 2 got {indices.shape[1]} at position {i}")
    for i, (indices, value) in enumerate(zip(positions, values)):
        if value.ndim != 1:
            invalid(
                "Input values should be a vector but received shape "
                f"{shape_text(value.shape)} at position {i}"
            )
        if len(indices) != len(value):
            invalid(
                f"Expected size of values to be {len(indices)} got {len(value)} at position {i}"
            )
    for i, shape in enumerate(shapes):
        if shape.ndim != 1:
            invalid(
                "Input shapes should be a vector but received shape "
                f"{shape_text(shape.shape)} at position {i}"
            )
        if shape.size != 2:
            invalid(
                f"shape should imply a 2D tensor, but got {shape_text(shape.shape)} at position {i}"
            )
    for i, matrix in enumerate(dense):
        if matrix.ndim != 2:
            invalid(
                "Dense inputs should be a matrix but received shape "
                f"{shape_text(matrix.shape)} at position {i}"
            )
    sizes = [int(shape[0]) for shape in shapes] + [len(matrix) for matrix in dense]
    count = sizes[0] if sizes else 0
    for i, size in enumerate(sizes):
        if size != count:
            last = i - len(shapes)
            where = f"at position {i}" if last < 0 else f"at dense tensor {last}"
            invalid(f"Expected batch size {count} got {size} {where}")
    results = [(value, _starts(indices, count)) for indices, value in zip(positions, values)]
    results += [(matrix.ravel(), np.arange(count + 1) * matrix.shape[1]) for matrix in dense]
    return results, count


def _starts(positions: Any, count: int) -> Any:
    """Returns the start of each example's values; if rows are unsorted, only values found in sequence count."""
    if (fast := native.row_starts(positions, count)) is not None:
        return fast
    rows = positions[:, 0]
    if not (rows[1:] < rows[:-1]).any() and not (rows[:1] < 0).any():
        return np.searchsorted(rows, np.arange(count + 1))
    starts, start, row_list = [0], 0, rows.tolist()
    for example in range(count):
        while start < len(row_list) and row_list[start] == example:
            start += 1
        starts.append(start)
    return np.array(starts)


def cross(
    positions: tuple,
    values: tuple,
    shapes: tuple,
    dense: tuple,
    is_hashed: bool,
    buckets: int,
    start: int,
    combine: Callable[[Any, Any], Any],
) -> tuple[Any, Any, Any]:
    """Returns (indices, values, shape) of all combinations, joined, or hashed one by one from `start` on."""
    arrays = (tuple(map(operands.dense, operand)) for operand in (positions, values, shapes, dense))
    columns, count = _values_by_example(*arrays)
    parts = [_features(values, is_hashed) for values, _ in columns]
    start, divisor = start % (1 << 64), buckets or _MAX_INT64
    if is_hashed and combine is combine_fingerprints:
        fast = native.cross_features(parts, [starts for _, starts in columns], start, divisor)
        if fast is not None:
            return fast
    sizes = np.ones(count, "i8")
    for _, starts in columns:
        sizes *= np.diff(starts)
    rows = np.arange(count).repeat(sizes)
    where = np.stack([rows, np.arange(len(rows)) - (sizes.cumsum() - sizes)[rows]], axis=1)
    selections, remaining = [], where[:, 1]
    for _, starts in reversed(columns):  # the last feature's value changes first
        remaining, index = np.divmod(remaining, np.diff(starts)[rows])
        selections.append(starts[rows] + index)
    selections.reverse()
    if is_hashed:
        result: Any = np.full(len(rows), start, np.uint64)
        for features, picked in zip(parts, selections):
            result = combine(result, features[picked])
        result = (result % np.uint64(divisor)).astype("i8")
    else:
        result = np.empty(len(rows), object)
        columns_of = [
            [features[i] for i in picked.tolist()] for features, picked in zip(parts, selections)
        ]
        result[:] = [b"_X_".join(row) for row in zip(*columns_of)]
    return where, result, np.array([count, sizes.max(initial=0)], "i8")


@op("SparseCross", SIGNATURE, static_inputs=("indices", "shapes"), **COUNTS, **HASH_KEY, **TYPES)
def sparse_cross_op(xp, positions, values, shapes, dense, *, hashed_output, num_buckets, hash_key):
    columns = (positions, values, shapes, dense)
    return cross(*columns, hashed_output, num_buckets, hash_key, combine_fingerprints)


@sparse_cross_op.bind
def _(ctx):
    """Fast path for hashed columns with a known number of values per example; leaves others to the kernel."""
    attrs, positions, shapes = ctx.attrs, ctx.constants.get("indices"), ctx.constants.get("shapes")
    own_attrs = {name: attrs[name] for name in ("hashed_output", "num_buckets", "hash_key")}
    matrices = ctx.dims[len(ctx.dims) - len(attrs["dense_types"]) :]
    if positions is None or shapes is None or not attrs["hashed_output"]:
        return None
    if not all(dims is not None and None not in dims for dims in matrices):
        return None
    values = tuple([np.empty(len(indices), "i8") for indices in positions])
    try:
        columns, _ = _values_by_example(positions, values, shapes, tuple(map(np.empty, matrices)))
    except InvalidArgumentError:
        return None
    sizes, starts = (
        [len(values) for values, _ in columns],
        [row_starts for _, row_starts in columns],
    )
    key, divisor = attrs["hash_key"] % (1 << 64), attrs["num_buckets"] or _MAX_INT64
    cross = native.make_cross(starts, sizes, key, divisor)
    if cross is None:
        return None

    def cross_all(positions, values, shapes, dense):
        if all(value.ndim == 1 for value in values):
            parts = [_features(column, True) for column in (*values, *[m.ravel() for m in dense])]
            if (result := cross(parts)) is not None:
                return result
        return sparse_cross_op.kernel(np, positions, values, shapes, dense, **own_attrs)

    return cross_all


@sparse_cross_op.infer
def _(op) -> list[Dims]:
    return [(None, 2), (None,), (2,)]


def cross_arguments(inputs: Any, is_hashed: bool, buckets: int) -> tuple[list, dict[str, Any]]:
    """Returns the inputs and attrs of the op; raises TypeError unless `inputs` is a list of tensors."""
    if not isinstance(inputs, list):
        raise TypeError("Inputs must be a list")
    if not all(isinstance(part, SparseTensor | Tensor) for part in inputs):
        raise TypeError("All inputs must be SparseTensors")
    sparse = [part for part in inputs if isinstance(part, SparseTensor)]
    dense = [part for part in inputs if not isinstance(part, SparseTensor)]
    internal_dtype = dtypes.string

    def accept(tensor: Tensor) -> Tensor:
        nonlocal internal_dtype
        if tensor.dtype == dtypes.string:
            return tensor
        internal_dtype = dtypes.int64
        return ops.cast(tensor, dtypes.int64)

    values = [accept(part.values) for part in sparse]
    dense = [accept(part) for part in dense]
    positions, shapes = [part.indices for part in sparse], [part.dense_shape for part in sparse]
    attrs = {
        "hashed_output": is_hashed,
        "num_buckets": buckets,
        "out_type": dtypes.int64 if is_hashed else dtypes.string,
        "internal_type": internal_dtype,
    }
    return [positions, values, shapes, dense], attrs


def _cross(inputs: Any, is_hashed: bool, buckets: int, key: int | None, name: Any) -> SparseTensor:
    tensors, attrs = cross_arguments(inputs, is_hashed, buckets)
    result = raw.SparseCross(*tensors, hash_key=key or DEFAULT_KEY, name=name, **attrs)
    return SparseTensor(*result)


def sparse_cross(inputs: list[Any], name: str | None = None) -> SparseTensor:
    """Crosses the values of several features in each row, joined by "_X_".

    Args:
      inputs: a list of SparseTensors and Tensors [batch, n], of strings or integers.

    Returns:
      string SparseTensor [batch, maximum number of combinations].

    Raises:
      TypeError: if `inputs` is not a list of tensors and SparseTensors.

    Example: rows `["a", "b"]` and `["c"]` yield `["a_X_c", "b_X_c"]`.
    """
    return _cross(inputs, False, 0, None, name)


@public
def sparse_cross_hashed(
    inputs: list[Any], num_buckets: int = 0, hash_key: int | None = None, name: str | None = None
) -> SparseTensor:
    """Crosses the values of several features in each row and hashes the results.

    Args:
      inputs: a list of SparseTensors and Tensors [batch, n], of strings or integers.
      num_buckets: the number of distinct results; 0 for all non-negative int64 numbers.
      hash_key: the initial hash; by default TensorFlow's default.

    Returns:
      int64 SparseTensor [batch, maximum number of combinations].

    Raises:
      TypeError: if `inputs` is not a list of tensors and SparseTensors.
    """
    return _cross(inputs, True, num_buckets, hash_key, name)
