"""Addition of sparse tensors to each other and to dense tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.base.names.deprecation import deprecated_args, deprecated_argument_lookup
from tfmini._src.devices.host.native.gather import number_points
from tfmini._src.devices.host.native.sparse_rows import sparse_add_gradients
from tfmini._src.devices.host.native.sparse_union import unite_indices
from tfmini._src.devices.numpy.row_scatter import add_rows
from tfmini._src.graph.composite_values import SparseTensor, SparseTensorValue
from tfmini._src.graph.opdef import op, public, raw
from tfmini._src.graph.shape_inference import Dims, copy_input_shape, with_rank
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import INDEX, shape_text
from tfmini._src.ops.sparse.sparse_indices import as_sparse, check_operand, check_sizes, keys
from tfmini._src.ops.type_lists import NUMBERS, REAL_NUMBERS

_SPARSE_TYPES = (SparseTensor, SparseTensorValue)


def check_pair(a_shape: Any, b_shape: Any) -> None:
    """Raises InvalidArgumentError unless two sparse tensors have the same shape."""
    if a_shape.shape != b_shape.shape:
        shapes = " and ".join(" ".join(map(str, s.tolist())) for s in (a_shape, b_shape))
        invalid(f"Operands do not have the same ranks; got shapes: {shapes}")
    for i, (a, b) in enumerate(zip(a_shape.tolist(), b_shape.tolist())):
        if a != b:
            invalid(f"Operands' shapes do not match: got {a} and {b} for dimension {i}")


def check_counts(a_indices: Any, a_values: Any, b_indices: Any, b_values: Any) -> None:
    """Raises InvalidArgumentError unless two sparse tensors have equal numbers of values and indices."""
    if len(a_indices) != len(a_values) or len(b_indices) != len(b_values):
        invalid(
            f"Expected {len(a_indices)} and {len(b_indices)} non-empty input values, got "
            f"{len(a_values)} and {len(b_values)}"
        )


def align_indices(xp: Any, a_indices: Any, a_values: Any, b_indices: Any, b_values: Any) -> tuple:
    """Returns the sorted union of two tensors' indices, each one's values or zero, and a mask of shared indices."""
    union = unite_indices(a_indices, b_indices) if xp is np else None
    if union is not None:
        return _with_values(xp, *union, a_values, b_values)
    a_keys, b_keys = keys(xp, a_indices, b_indices)
    joined = xp.concatenate([a_keys, b_keys])
    if not joined.size:
        return a_indices, a_values, b_values, joined.astype(bool)
    if (a_keys[1:] <= a_keys[:-1]).any() or (b_keys[1:] <= b_keys[:-1]).any():
        return _merge(xp, a_keys, a_indices, a_values, b_keys, b_indices, b_values)
    sorting = xp.argsort(joined, kind="stable")  # fast for two sorted runs
    ordered = joined[sorting]
    is_new = xp.concatenate([xp.ones(1, bool), ordered[1:] != ordered[:-1]])
    group = xp.empty(joined.size, "i8")
    group[sorting] = xp.cumsum(is_new) - 1
    first = sorting[is_new]
    a, b = (xp.zeros(first.size, a_values.dtype) for _ in range(2))
    a[group[: len(a_indices)]] = a_values
    b[group[len(a_indices) :]] = b_values
    return xp.concatenate([a_indices, b_indices])[first], a, b, xp.bincount(group) > 1


def _merge(
    xp: Any, a_keys: Any, a_indices: Any, a_values: Any, b_keys: Any, b_indices: Any, b_values: Any
) -> tuple:
    """`align_indices` for unsorted or repeated indices; equivalent to a step-by-step merge of sorted lists."""
    left, right, rows = a_keys.tolist(), b_keys.tolist(), []
    i = j = 0
    while i < len(left) and j < len(right):
        takes_a, takes_b = left[i] <= right[j], right[j] <= left[i]
        rows.append((i if takes_a else -1, j if takes_b else -1))
        i += takes_a
        j += takes_b
    rows += [(k, -1) for k in range(i, len(left))]
    rows += [(-1, k) for k in range(j, len(right))]
    a_rows, b_rows = xp.array(rows, "i8").T
    is_in_a, is_in_b = a_rows >= 0, b_rows >= 0
    positions = xp.empty((len(rows), a_indices.shape[1]), "i8")
    positions[is_in_b], positions[is_in_a] = b_indices[b_rows[is_in_b]], a_indices[a_rows[is_in_a]]
    return _with_values(xp, positions, a_rows, b_rows, a_values, b_values)


def _with_values(
    xp: Any, positions: Any, a_rows: Any, b_rows: Any, a_values: Any, b_values: Any
) -> tuple:
    """Completes the result of `align_indices` from the row of each index in either tensor, or -1."""
    if len(a_rows) == len(a_values) == len(b_values):
        return positions, a_values, b_values, xp.ones(len(a_rows), bool)
    columns, masks = [], (a_rows >= 0, b_rows >= 0)
    for mask, values in zip(masks, (a_values, b_values)):
        column = xp.zeros(len(a_rows), values.dtype)
        column[mask] = values
        columns.append(column)
    return positions, *columns, masks[0] & masks[1]


@op(
    "SparseAdd",
    "a_indices: int64, a_values: T, a_shape: int64, b_indices: int64, b_values: T, b_shape: int64, "
    "thresh: Treal -> sum_indices: int64, sum_values: T, sum_shape: int64",
    static_inputs=("a_indices", "a_shape", "b_indices", "b_shape", "thresh"),
    T=NUMBERS,
    Treal=REAL_NUMBERS,
)
def sparse_add_op(xp, a_indices, a_values, a_shape, b_indices, b_values, b_shape, threshold):
    if a_indices.ndim != 2 or b_indices.ndim != 2:
        invalid(
            "Input indices should be matrices but received shapes: "
            f"{shape_text(a_indices.shape)} and {shape_text(b_indices.shape)}"
        )
    if a_values.ndim != 1 or b_values.ndim != 1:
        invalid(
            "Input values should be vectors but received shapes: "
            f"{shape_text(a_values.shape)} and {shape_text(b_values.shape)}"
        )
    check_counts(a_indices, a_values, b_indices, b_values)
    if a_shape.ndim != 1 or b_shape.ndim != 1:
        invalid(
            "Input shapes should be a vector but received shapes "
            f"{shape_text(a_shape.shape)} and {shape_text(b_shape.shape)}"
        )
    check_pair(a_shape, b_shape)
    if threshold.ndim:
        invalid(
            f"The magnitude threshold must be a scalar: got shape {shape_text(threshold.shape)}"
        )
    positions, a, b, is_in_both = align_indices(xp, a_indices, a_values, b_indices, b_values)
    total = a + b
    is_kept = (xp.abs(total) >= threshold) | ~is_in_both
    if is_kept.all():
        return positions, total, a_shape.copy()
    return positions[is_kept], total[is_kept], a_shape.copy()


sparse_add_op.forwards(sum_shape="a_shape")


@sparse_add_op.infer
def _(op) -> list[Dims]:
    shape = with_rank(op.inputs[2]._dims, 1)
    return [(None, shape[0]), (None,), shape]


@sparse_add_op.gradient
def _(op, places_grad, values_grad, shape_grad):
    a_grad, b_grad = raw.SparseAddGrad(values_grad, op.inputs[0], op.inputs[3], op.outputs[0])
    a_grad.set_shape(op.inputs[1].shape)
    b_grad.set_shape(op.inputs[4].shape)
    return None, a_grad, None, None, b_grad, None, None


@op(
    "SparseAddGrad",
    "backprop_val_grad: T, a_indices: int64, b_indices: int64, sum_indices: int64 -> a_val_grad: T, "
    "b_val_grad: T",
    infer=lambda op: [(with_rank(op.inputs[i]._dims, 2)[0],) for i in (1, 2)],
    differentiable=False,
    static_inputs=("a_indices", "b_indices", "sum_indices"),
    T=NUMBERS,
)
def sparse_add_grad_op(xp, grad, a_indices, b_indices, sum_indices):
    if any(positions.ndim != 2 for positions in (a_indices, b_indices, sum_indices)):
        invalid(
            "Input indices should be matrices but received shapes: "
            f"{shape_text(a_indices.shape)} and {shape_text(b_indices.shape)} and {shape_text(sum_indices.shape)}"
        )
    if grad.ndim != 1:
        invalid(
            f"Input backprop_val_grad should be a vector but received shape: {shape_text(grad.shape)}"
        )
    ranks = [positions.shape[1] for positions in (a_indices, b_indices, sum_indices)]
    if len(set(ranks)) > 1:
        invalid(
            "The densified operands should have the same ndims; for A, B, sum got: "
            f"{''.join(map(str, ranks))}"
        )
    if len(grad) != len(sum_indices):
        invalid(
            "# elements of backprop_val_grad and # rows of sum_indices should match (#nnz of sum): got "
            f"{grad.size} and {len(sum_indices)}"
        )
    if xp is np and (native := sparse_add_gradients(grad, a_indices, b_indices, sum_indices)):
        return native
    a_keys, b_keys, sum_keys = keys(xp, a_indices, b_indices, sum_indices)
    if any(
        (sorted_keys[1:] <= sorted_keys[:-1]).any() for sorted_keys in (a_keys, b_keys, sum_keys)
    ):
        return _merged_grads(xp, grad, a_keys.tolist(), b_keys.tolist(), sum_keys.tolist())
    results = []
    for expected in (a_keys, b_keys):
        result = xp.zeros(len(expected), grad.dtype)
        if sum_keys.size:
            positions = xp.minimum(xp.searchsorted(sum_keys, expected), sum_keys.size - 1)
            is_found = sum_keys[positions] == expected
            result[is_found] = grad[positions[is_found]]
        results.append(result)
    return tuple(results)


def _merged_grads(xp: Any, grad: Any, a: list[int], b: list[int], total: list[int]) -> tuple:
    """Returns the gradients for unsorted or repeated indices, step by step in merge order."""
    results = (xp.zeros(len(a), grad.dtype), xp.zeros(len(b), grad.dtype))
    cursors, k = [0, 0], 0
    while k < len(total) and (cursors[0] < len(a) or cursors[1] < len(b)):
        behind = False
        for side, (operand_keys, result) in enumerate(zip((a, b), results)):
            i = cursors[side]
            if i < len(operand_keys) and operand_keys[i] <= total[k]:
                if operand_keys[i] == total[k]:
                    result[i] = grad[k]
                else:
                    behind = True
                cursors[side] += 1
        k += not behind
    return results


@op(
    "SparseTensorDenseAdd",
    "a_indices: Tindices, a_values: T, a_shape: Tindices, b: T -> output: T",
    infer=copy_input_shape(3),
    static_inputs=("a_indices", "a_shape"),
    T=NUMBERS,
    Tindices=INDEX,
)
def sparse_tensor_dense_add_op(xp, positions, values, shape, b):
    check_operand("a", positions, values, shape)
    if shape.size != b.ndim:
        invalid(f"Two operands have different ranks; received: {shape.size} and {b.ndim}")
    for i, (size, expected) in enumerate(zip(shape.tolist(), b.shape)):
        if size != expected:
            invalid(
                f"Dimension {i} does not equal (no broadcasting is supported): sparse side {size} "
                f"vs dense side {expected}"
            )
    flat_indices = number_points(positions, b.shape) if xp is np and positions.size else None
    if flat_indices is not None and len(values) == len(positions):
        result = b.copy()
        add_rows(result.reshape(-1), flat_indices, values)
        return result
    is_outside = (positions < 0) | (positions >= xp.asarray(b.shape))
    if is_outside.any():
        axis = int(is_outside[int(is_outside.any(axis=1).argmax())].argmax())
        invalid(
            f"Sparse tensor has some invalid index on dimension {axis}; dense tensor shape: "
            f"{shape_text(b.shape)}"
        )
    check_sizes(positions, values, shape)
    result = b.copy()
    xp.add.at(result, tuple(positions.T), values)
    return result


@sparse_tensor_dense_add_op.gradient
def _(op, grad):
    return None, ops.gather_nd(grad, op.inputs[0]), None, grad


@deprecated_args(None, "thresh is deprecated, use threshold instead", "thresh")
@public
def sparse_add(
    a: Any, b: Any, threshold: TensorLike | None = None, thresh: TensorLike | None = None
) -> SparseTensor | Tensor:
    """Adds two tensors of the same shape, at least one of which is sparse.

    Args:
      a: a SparseTensor or a tensor.
      b: a SparseTensor or a tensor.
      threshold: scalar; smaller elements are dropped from the sum of two SparseTensors; by
        default 0, which keeps all elements.
      thresh: the old name of `threshold`.

    Returns:
      A SparseTensor if both arguments are sparse, else a Tensor.

    Raises:
      TypeError: if neither is sparse.
      ValueError, InvalidArgumentError (when run): if the shapes differ.
    """
    threshold = deprecated_argument_lookup("threshold", threshold, "thresh", thresh)
    if not isinstance(a, _SPARSE_TYPES) and not isinstance(b, _SPARSE_TYPES):
        raise TypeError("At least one input should be SparseTensor; do you mean to use tf.add()?")
    if not (isinstance(a, _SPARSE_TYPES) and isinstance(b, _SPARSE_TYPES)):
        if isinstance(b, _SPARSE_TYPES):
            a, b = b, a
        return raw.SparseTensorDenseAdd(a.indices, a.values, a.dense_shape, b)
    a, b = as_sparse(a), as_sparse(b)
    threshold = ops.convert_to_tensor(
        0 if threshold is None else threshold,
        dtype=a.values.dtype.real_dtype.base_dtype,
        name="threshold",
    )
    positions, values, shape = raw.SparseAdd(
        a.indices, a.values, a.dense_shape, b.indices, b.values, b.dense_shape, threshold
    )
    a.shape.assert_is_compatible_with(b.shape)
    static_shape = ops.broadcast_static_shape(a.shape, b.shape)
    if static_shape.is_fully_defined():
        return SparseTensor(positions, values, static_shape.as_list())
    return SparseTensor(positions, values, shape)
