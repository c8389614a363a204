"""Preparation of dense label sequences for CTC."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import dimension_value
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.opdef import public
from tfmini._src.graph.public_functions import ops as late_ops
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops


def axis_size(tensor: Any, axis: int) -> Any:
    """Returns the size of an axis, as a number if known and nonzero, else as a tensor."""
    return dimension_value(tensor.shape[axis]) or ops.shape(tensor)[axis]


def collapse_repeated(
    labels: TensorLike, seq_length: TensorLike, name: str | None = None
) -> tuple[Any, ...]:
    """Merges runs of equal labels in each sequence.

    Args:
      labels: [batch, longest], of any dtype and known rank.
      seq_length: integer tensor [batch]; labels beyond the end of a sequence are ignored.
      name: the name of the scope, "collapse_repeated_labels" by default.

    Returns:
      The sequences [batch, new longest], zero-padded, and their lengths, in the dtype of
      `seq_length`.

    Example: `[[3, 3, 5, 5, 3]]` of length 5 becomes `[[3, 5, 3]]`, of length 3.
    """
    with name_scope(name, "collapse_repeated_labels", [labels, seq_length]):
        labels = ops.convert_to_tensor(labels, name="labels")
        seq_length = ops.convert_to_tensor(seq_length, name="seq_length")

        starts = ops.concat(
            [
                ops.ones_like(labels[:, :1], dtypes.bool),
                ops.not_equal(labels[:, 1:], labels[:, :-1]),
            ],
            axis=1,
        )
        valid = ops.sequence_mask(seq_length, maxlen=axis_size(labels, 1))
        starts = ops.logical_and(starts, valid)
        lengths = ops.reduce_sum(ops.cast(starts, dtypes.int32), axis=1)
        max_length = ops.reduce_max(lengths)
        positions = ops.sequence_mask(lengths, maxlen=max_length)

        flat_labels = ops.reshape(labels, [-1])
        flat_starts = ops.reshape(starts, [-1])
        flat_places = ops.reshape(positions, [-1])
        order = ops.range(axis_size(flat_places, 0))
        flat = ops.scatter_nd(
            indices=ops.expand_dims(ops.boolean_mask(order, flat_places), axis=1),
            updates=ops.boolean_mask(flat_labels, flat_starts),
            shape=ops.shape(flat_places),
        )
        shape = [axis_size(labels, 0), max_length]
        return ops.reshape(flat, shape), ops.cast(lengths, seq_length.dtype)


@public
def ctc_unique_labels(labels: TensorLike, name: str | None = None) -> list[Any]:
    """Returns the distinct labels of each sequence, for the `unique` argument of `tf.nn.ctc_loss_v2`.

    Args:
      labels: integer tensor [batch, longest], zero-padded.

    Returns:
      int64 [batch, longest], the labels of each row in order of first occurrence, zero-padded; and int32
      [batch, longest], the index of each label in that row.

    Example: `[[3, 4, 4, 3]]` yields `[[3, 4, 0, 0]]` and `[[0, 1, 1, 0]]`.
    """
    with name_scope(name, "ctc_unique_labels", [labels]):
        labels = ops.convert_to_tensor(labels, name="labels")

        def distinct(row: Tensor) -> list:
            distinct = ops.unique(row)
            capacity = axis_size(distinct.idx, 0) - axis_size(distinct.y, 0)
            filled = ops.pad(distinct.y, [[0, capacity]])
            return [ops.cast(filled, dtypes.int64), distinct.idx]

        return late_ops.map_fn(distinct, labels, dtype=[dtypes.int64, dtypes.int32])


def dense_labels_to_sparse(dense: TensorLike, length: TensorLike) -> SparseTensor:
    """Returns the labels within the lengths of the sequences as an int32 SparseTensor.

    Args:
      dense: integer tensor [batch, longest].
      length: integer tensor [batch].
    """
    flat = ops.reshape(dense, [-1])
    positions = ops.range(ops.shape(flat, out_type=dtypes.int64)[0])
    mask = ops.reshape(late_ops.sequence_mask(length, maxlen=ops.shape(dense)[1]), [-1])
    indices = ops.expand_dims(late_ops.boolean_mask(positions, mask), 1)
    values = ops.cast(late_ops.boolean_mask(flat, mask), dtypes.int32)
    size = ops.shape(flat, out_type=dtypes.int64)
    sparse = late_ops.sparse_reshape(SparseTensor(indices, values, size), ops.shape(dense))
    max_length = ops.cast(ops.reduce_max(length), dtypes.int64)
    return SparseTensor(sparse.indices, sparse.values, [sparse.dense_shape[0], max_length])
