"""Set ops; the last dimension of a tensor contains the elements of a set, and duplicates count once."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import InternalError, invalid
from tfmini._src.devices.host.native import sets as native
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    merge,
    unknown,
    with_rank,
    with_rank_at_least,
)
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import shape_text
from tfmini._src.ops.sparse.sparse_indices import check_order, check_sparse

_ELEMENTS = (
    *(dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64),
    *(dtypes.uint8, dtypes.uint16, dtypes.string),
)
_MAX_CODE = 2**62  # largest code of a set element


def _isin(values: np.ndarray, sorted_values: np.ndarray) -> np.ndarray:
    """Returns a bool mask of the numbers that occur in a sorted array."""
    if not sorted_values.size:
        return np.zeros(len(values), bool)
    return sorted_values[np.searchsorted(sorted_values[:-1], values)] == values


# For sorted sets.
_OPERATIONS: dict[str, Callable] = {
    "a-b": lambda a, b: a[~_isin(a, b)],
    "b-a": lambda a, b: b[~_isin(b, a)],
    "intersection": lambda a, b: a[_isin(a, b)],
    "union": lambda a, b: _distinct(np.concatenate([a, b])),
}


def _dense_operand(value: np.ndarray) -> native.Operand:
    return value, None, value.shape


def _sparse_operand(positions: np.ndarray, values: np.ndarray, shape: np.ndarray) -> native.Operand:
    return values, positions, tuple(shape.tolist()) if shape.ndim == 1 else ()


def _dense_sets(value: np.ndarray) -> tuple[np.ndarray, np.ndarray, tuple]:
    """Returns the elements, the set index of each element, and the shape of the sets."""
    if value.ndim < 2:
        invalid(f"Shape {shape_text(value.shape)} has rank {value.ndim} < 2")
    shape = value.shape[:-1]
    return value.ravel(), np.arange(math.prod(shape)).repeat(value.shape[-1]), shape


def _sparse_sets(
    positions: np.ndarray, values: np.ndarray, shape: np.ndarray, may_repeat: bool = False
) -> tuple[np.ndarray, np.ndarray, tuple]:
    """Returns the elements, set indices and shape of a sparse tensor with sorted indices."""
    check_sparse(positions, values, shape)
    dims = tuple(int(size) for size in shape)
    if len(dims) < 2:
        invalid(f"Invalid rank {len(dims)}.")
    check_order(np, positions, shape, may_repeat)
    groups = dims[:-1]
    set_indices = positions[:, 0].astype(int, copy=False)
    if len(groups) > 1 and len(positions):
        set_indices = np.ravel_multi_index(tuple(positions[:, :-1].T), groups)
    return values, set_indices, groups


def _check_second(
    positions: np.ndarray, values: np.ndarray, shape: np.ndarray, groups: tuple
) -> None:
    """Raises TensorFlow's errors for a second operand: checks its shape, then the indices of each set, in order."""
    check_sparse(positions, values, shape)
    dims = tuple(shape.tolist())
    if len(dims) < 2:
        invalid(f"Invalid rank {len(dims)}.")
    if dims[:-1] != groups:
        invalid(f"Mismatched shapes {shape_text(groups)} vs {shape_text(dims[:-1])}")
    is_outside = positions >= shape
    if not is_outside.any():
        return
    starts = (positions[1:, :-1] != positions[:-1, :-1]).any(axis=1).nonzero()[0] + 1
    for begin, end in itertools.pairwise([0, *starts.tolist(), len(positions)]):
        axes, set_indices = is_outside[begin:end].T.nonzero()
        if axes.size:
            axis, set_index = int(axes[0]), int(set_indices[0])
            element = positions[begin + set_index, axis]
            text = f"indices[{set_index}, {axis}] expected < {dims[axis]}, got {element}."
            raise InternalError(None, None, text)


def _encode(shape: tuple, *operands: tuple) -> tuple[list[np.ndarray], int, Callable]:
    """Returns (element, set index) pairs as integers, the number of codes per set, and a decoder of elements."""
    values = (
        np.concatenate([members for members, _ in operands])
        if len(operands) > 1
        else operands[0][0]
    )
    if values.dtype.kind in "iu" and values.size:
        min_value = int(np.minimum.reduce(values))
        count = int(np.maximum.reduce(values)) - min_value + 1
        if count * math.prod(shape) < _MAX_CODE:
            codes = [
                sets * count + (members.astype(np.int64) - min_value) for members, sets in operands
            ]
            return codes, count, lambda codes: codes % count + min_value
    distinct, inverse = np.unique(values, return_inverse=True)
    count = max(1, len(distinct))
    parts = np.split(inverse, np.cumsum([len(elements) for elements, _ in operands])[:-1])
    codes = [sets * count + part for (_, sets), part in zip(operands, parts)]
    return codes, count, lambda codes: distinct[codes % count]


def _distinct(values: np.ndarray) -> np.ndarray:
    if np.logical_and.reduce(values[1:] > values[:-1]):
        return values
    values = np.sort(values)
    return np.concatenate([values[:1], values[1:][values[1:] != values[:-1]]])


def _combine(operation: str, a: tuple, b: tuple, dtype: Any) -> tuple:
    """Applies a set operation to each pair of sets in `a` and `b`; returns the parts of a sparse tensor."""
    if operation.lower() not in _OPERATIONS:
        invalid(f"Invalid set_operation {operation}.")
    (a_values, a_sets, shape), (b_values, b_sets, b_shape) = a, b
    if shape != b_shape:
        invalid(f"Mismatched shapes {shape_text(shape)} vs {shape_text(b_shape)}")
    codes, count, elements = _encode(shape, (a_values, a_sets), (b_values, b_sets))
    combined = _OPERATIONS[operation.lower()](*map(_distinct, codes))
    sets = combined // count
    starts = np.searchsorted(sets, sets)
    positions = np.arange(len(combined)) - starts
    indices = np.empty((len(sets), len(shape) + 1), "int64")
    if len(sets):
        indices.T[:-1] = np.unravel_index(sets, shape) if len(shape) > 1 else sets
        indices.T[-1] = positions
    largest = int(positions.max()) + 1 if len(sets) else 0
    values = elements(combined).astype(dtype, copy=False)
    return indices, values, np.array([*shape, largest], "int64")


def _result_dims(rank: int | None) -> list[Dims]:
    return [(None, rank), (None,), (rank,)]


def _check_sparse_shapes(op: Any, start: int) -> int | None:
    """Returns the rank of a sparse operand whose three parts begin at input `start`."""
    positions = with_rank(op.inputs[start]._dims, 2)
    (count,) = with_rank(op.inputs[start + 1]._dims, 1)
    (rank,) = with_rank(op.inputs[start + 2]._dims, 1)
    if None not in (positions[0], count) and positions[0] != count:
        raise InferenceError(
            f"Number of elements in index ({positions[0]}) and values ({count}) do not match."
        )
    if None not in (positions[1], rank) and positions[1] != rank:
        raise InferenceError(f"Index rank ({positions[1]}) and shape rank ({rank}) do not match.")
    return positions[1] if rank is None else rank


@op(
    "DenseToDenseSetOperation",
    "set1: T, set2: T -> result_indices: int64, result_values: T, result_shape: int64",
    differentiable=False,
    set_operation=Attr("string"),
    validate_indices=True,
    T=_ELEMENTS,
)
def dense_to_dense_op(xp, set1, set2, *, set_operation):
    operands = _dense_operand(set1), _dense_operand(set2)
    if (fast := native.combine_sets(set_operation, *operands)) is not None:
        return fast
    return _combine(set_operation, _dense_sets(set1), _dense_sets(set2), set1.dtype)


@dense_to_dense_op.infer
def _(op) -> list[Dims]:
    first, second = (t._dims for t in op.inputs)
    if first is None:
        second = with_rank_at_least(second, 2)
        return _result_dims(None if second is None else len(second))
    with_rank_at_least(first, 2)
    if second is not None:
        merge(first[:-1], with_rank(second, len(first))[:-1])
    return _result_dims(len(first))


@op(
    "DenseToSparseSetOperation",
    "set1: T, set2_indices: int64, set2_values: T, set2_shape: int64 -> "
    "result_indices: int64, result_values: T, result_shape: int64",
    differentiable=False,
    set_operation=Attr("string"),
    validate_indices=True,
    T=_ELEMENTS,
)
def dense_to_sparse_op(xp, set1, positions, values, shape, *, set_operation):
    operands = _dense_operand(set1), _sparse_operand(positions, values, shape)
    if (fast := native.combine_sets(set_operation, *operands)) is not None:
        return fast
    sparse = _sparse_sets(positions, values, shape)
    return _combine(set_operation, _dense_sets(set1), sparse, set1.dtype)


@dense_to_sparse_op.infer
def _(op) -> list[Dims]:
    rank = _check_sparse_shapes(op, 1)
    dims = with_rank_at_least(op.inputs[0]._dims, 2)
    if dims is None:
        return _result_dims(rank)
    if rank not in (None, len(dims)):
        raise InferenceError(f"Dimension must be {len(dims)} but is {rank}")
    return _result_dims(len(dims))


@op(
    "SparseToSparseSetOperation",
    "set1_indices: int64, set1_values: T, set1_shape: int64, set2_indices: int64, set2_values: T, "
    "set2_shape: int64 -> result_indices: int64, result_values: T, result_shape: int64",
    differentiable=False,
    set_operation=Attr("string"),
    validate_indices=True,
    T=_ELEMENTS,
)
def sparse_to_sparse_op(
    xp, positions, values, shape, other_indices, other_values, other_shape, *, set_operation
):
    operands = (
        _sparse_operand(positions, values, shape),
        _sparse_operand(other_indices, other_values, other_shape),
    )
    if (fast := native.combine_sets(set_operation, *operands)) is not None:
        return fast
    first = _sparse_sets(positions, values, shape)
    _check_second(other_indices, other_values, other_shape, first[2])
    # TensorFlow does not check the second operand's order, but unsorted indices would produce garbage.
    second = _sparse_sets(other_indices, other_values, other_shape, may_repeat=True)
    return _combine(set_operation, first, second, values.dtype)


@sparse_to_sparse_op.infer
def _(op) -> list[Dims]:
    first, second = _check_sparse_shapes(op, 0), _check_sparse_shapes(op, 3)
    if None not in (first, second) and first != second:
        raise InferenceError(f"Dimension must be {first} but is {second}")
    return _result_dims(second if first is None else first)


@op(
    "SetSize",
    "set_indices: int64, set_values: T, set_shape: int64 -> size: int32",
    differentiable=False,
    infer=unknown,
    validate_indices=True,
    T=_ELEMENTS,
)
def set_size_op(xp, positions, values, shape):
    if (fast := native.set_sizes(_sparse_operand(positions, values, shape))) is not None:
        return fast
    elements, sets, groups = _sparse_sets(positions, values, shape)
    (codes,), count, _ = _encode(groups, (elements, sets))
    counts = np.bincount(_distinct(codes) // count, minlength=math.prod(groups))
    return counts.reshape(groups).astype("int32")


def _operands(a: Any, b: Any) -> tuple[Any, Any, bool]:
    """Converts both operands to tensors; returns them with the sparse one second, and whether they were swapped."""
    a = ops.convert_to_tensor_or_sparse_tensor(a, name="a")
    if a.dtype.base_dtype not in _ELEMENTS:
        raise TypeError(f"'a' invalid dtype {a.dtype}.")
    b = ops.convert_to_tensor_or_sparse_tensor(b, name="b")
    if b.dtype.base_dtype != a.dtype.base_dtype:
        raise TypeError(f"Types don't match, {a.dtype} vs {b.dtype}.")
    if isinstance(a, SparseTensor) and not isinstance(b, SparseTensor):
        return b, a, True
    return a, b, False


def _set_operation(a: Any, b: Any, operation: str, validate_indices: bool) -> SparseTensor:
    settings: dict[str, Any] = {"set_operation": operation, "validate_indices": validate_indices}
    if isinstance(a, SparseTensor):
        first = (a.indices, a.values, a.dense_shape)
        second = (b.indices, b.values, b.dense_shape)
        return SparseTensor(*raw.SparseToSparseSetOperation(*first, *second, **settings))
    if isinstance(b, SparseTensor):
        second = (b.indices, b.values, b.dense_shape)
        return SparseTensor(*raw.DenseToSparseSetOperation(a, *second, **settings))
    return SparseTensor(*raw.DenseToDenseSetOperation(a, b, **settings))


def set_size(a: TensorLike, validate_indices: bool = True) -> Any:
    """Counts the distinct elements in each set.

    Args:
      a: [..., elements] SparseTensor of integers or strings with sorted indices.
      validate_indices: whether to check the indices.

    Returns:
      [...] int32 Tensor.

    Raises:
      TypeError: if `a` is not sparse or has an unsupported dtype.
    """
    a = ops.convert_to_tensor_or_sparse_tensor(a, name="a")
    if not isinstance(a, SparseTensor):
        raise TypeError(f"Expected `SparseTensor`, got {a}.")
    if a.values.dtype.base_dtype not in _ELEMENTS:
        raise TypeError(f"Invalid dtype {a.values.dtype}.")
    return raw.SetSize(a.indices, a.values, a.dense_shape, validate_indices=validate_indices)


def set_intersection(a: TensorLike, b: TensorLike, validate_indices: bool = True) -> SparseTensor:
    """Intersects the sets of `a` and `b`.

    Args:
      a, b: [..., elements] Tensors or SparseTensors of integers or strings, with equal dtypes and leading
        dimensions.
      validate_indices: whether to check the indices of sparse tensors.

    Returns:
      [..., elements] SparseTensor with the elements of each set sorted.

    Raises:
      TypeError: for unsupported or different dtypes.
    """
    a, b, _ = _operands(a, b)
    return _set_operation(a, b, "intersection", validate_indices)


@public
def set_difference(
    a: TensorLike, b: TensorLike, aminusb: bool = True, validate_indices: bool = True
) -> SparseTensor:
    """Returns the difference `a - b` of the sets of `a` and `b`, or `b - a` unless `aminusb`.

    See `tf.sets.intersection` for the arguments.
    """
    a, b, flipped = _operands(a, b)
    return _set_operation(a, b, "a-b" if aminusb != flipped else "b-a", validate_indices)


def set_union(a: TensorLike, b: TensorLike, validate_indices: bool = True) -> SparseTensor:
    """Returns the union of the sets of `a` and `b`; see `tf.sets.intersection`."""
    a, b, _ = _operands(a, b)
    return _set_operation(a, b, "union", validate_indices)
