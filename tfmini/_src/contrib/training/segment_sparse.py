"""Sparse parts of sequences, which pass through the barrier as handles to session tensors."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.composite_values import SparseTensor, SparseTensorValue
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.sparse.sparse_tensors_map import (
    add_many_sparse_to_tensors_map,
    take_many_sparse_from_tensors_map,
)

# Name prefix of context values among sequences.
_CONTEXT_PREFIX = "_context_in_seq_"


def is_sparse(value: Any) -> bool:
    """Whether `value` is a SparseTensor or a SparseTensorValue."""
    return isinstance(value, SparseTensor | SparseTensorValue)


def contexts_as_sequences(context: dict, sequences: dict, num_unroll: int) -> None:
    """Moves sparse context values to the sequences, repeated every `num_unroll` steps."""
    steps: Any = ops.constant(1)
    if sequences:
        first = next(iter(sequences.values()))
        if isinstance(first, Tensor):
            with control_dependencies([first]):
                steps = ops.shape(first)[0]
        else:
            steps = first.dense_shape[0]
    steps = ops.cast(steps, dtype=dtypes.int64)
    for label in sorted(context):
        if is_sparse(context[label]):
            sequences[_CONTEXT_PREFIX + label] = _value_per_segment(
                context.pop(label), steps, num_unroll
            )


def _value_per_segment(value: Any, steps: Tensor, num_unroll: int) -> SparseTensor:
    """Returns a SparseTensor [steps, ...] with `value` at the first step of each segment."""
    times = ops.cast(steps // num_unroll, dtype=dtypes.int32)
    values = ops.tile(value.values, ops.expand_dims(times, 0))
    shape = ops.concat([ops.expand_dims(steps, 0), value.dense_shape], 0)
    indices = ops.tile(ops.expand_dims(value.indices, 0), ops.stack([times, 1, 1]))
    count, rank = ops.shape(value.indices)[0], ops.shape(value.indices)[1]
    starts = ops.range(start=0, limit=steps, delta=num_unroll)
    starts = ops.expand_dims(ops.expand_dims(starts, 1), 2)
    starts = ops.tile(starts, [1, count, 1])
    indices = ops.concat([starts, indices], 2)
    indices = ops.reshape(indices, [count * times, rank + 1])
    return SparseTensor(indices=indices, values=values, dense_shape=shape)


def contexts_from_sequences(context: dict, sequences: dict) -> None:
    """Moves sparse context values back to the context, [batch_size, ...]."""
    for key in sorted(label for label in sequences if label.startswith(_CONTEXT_PREFIX)):
        sequence = sequences[key]
        shape = sequence.dense_shape
        first = SparseTensor(
            sequence.indices, sequence.values, ops.concat([[shape[0]], [1], shape[2:]], 0)
        )
        shape = first.dense_shape
        shape = ops.concat([[shape[0]], shape[2:]], 0)
        context[key[len(_CONTEXT_PREFIX) :]] = ops.sparse_reshape(first, shape)
        del sequences[key]


def store_sparse(sequences: dict) -> tuple[dict, list[str], list]:
    """Stores sparse tensors; returns sequences of handles, names of the sparse sequences, and the storing ops."""
    labels = [label for label in sorted(sequences) if is_sparse(sequences[label])]
    handles = [add_many_sparse_to_tensors_map(sequences[label]) for label in labels]
    return {**sequences, **dict(zip(labels, handles))}, labels, [n.op for n in handles]


def restore(
    sequences: dict, labels: list[str], map_ops: list, batch_size: Any, num_unroll: int
) -> None:
    """Replaces handles with SparseTensors [batch_size, num_unroll, ...]."""
    if not labels:
        return
    dequeued = [
        take_many_sparse_from_tensors_map(
            sparse_map_op=map_op, sparse_handles=ops.reshape(sequences[label], [-1])
        )
        for label, map_op in zip(labels, map_ops)
    ]
    steps = convert_to_tensor(num_unroll, dtype=dtypes.int64, name="num_unroll_int64")
    for label, rows in zip(labels, dequeued):
        sequences[label] = _split_steps(rows, batch_size, steps)


def _split_steps(rows: SparseTensor, batch_size: Any, steps: Tensor) -> SparseTensor:
    """Splits the first axis of a SparseTensor into [batch_size, steps]."""
    batch_index = ops.cast(ops.floor(rows.indices[:, 0] / steps), dtypes.int64)
    step = ops.mod(rows.indices[:, 0], steps)
    indices = ops.concat(
        [ops.expand_dims(batch_index, 1), ops.expand_dims(step, 1), rows.indices[:, 1:]], axis=1
    )
    sizes = [[ops.cast(batch_size, dtype=dtypes.int64)], [ops.cast(steps, dtype=dtypes.int64)]]
    shape = ops.concat([*sizes, rows.dense_shape[1:]], axis=0)
    return SparseTensor(indices=indices, values=rows.values, dense_shape=shape)
