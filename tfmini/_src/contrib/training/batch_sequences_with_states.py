"""`batch_sequences_with_states`: batches of sequence segments, enqueued by background threads."""

from __future__ import annotations

import numbers
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.errors import CancelledError, OutOfRangeError
from tfmini._src.contrib.training.segment_checks import is_multiple
from tfmini._src.contrib.training.segment_sparse import (
    contexts_as_sequences,
    contexts_from_sequences,
    is_sparse,
    restore,
    store_sparse,
)
from tfmini._src.contrib.training.sequence_queueing_state_saver import (
    NextQueuedSequenceBatch,
    SequenceQueueingStateSaver,
)
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.summaries.scalar_histogram_summary import scalar
from tfmini._src.train.input_queues.queue_runner import QueueRunner, add_queue_runner


def batch_sequences_with_states(
    input_key: TensorLike,
    input_sequences: dict[str, Any],
    input_context: dict[str, Any],
    input_length: TensorLike,
    initial_states: dict[str, Any],
    num_unroll: int,
    batch_size: TensorLike,
    num_threads: int = 3,
    capacity: int = 1000,
    allow_small_batch: bool = True,
    pad: bool = True,
    make_keys_unique: bool = False,
    make_keys_unique_seed: int | None = None,
    name: str | None = None,
) -> NextQueuedSequenceBatch:
    """Returns batches of sequence segments, with states carried over between segments.

    Args:
      input_key, initial_states, num_unroll, name: as in `SequenceQueueingStateSaver`.
      input_sequences: Tensors and SparseTensors [steps, ...] by name, with equal numbers of steps and other sizes
        known.
      input_context: features of the whole sequence: Tensors of known shape and SparseTensors by name; SparseTensors
        are removed from this dictionary.
      input_length: a scalar int32, the number of steps; None, with `pad`, to use the sequences' length.
      batch_size: number of sequences per batch.
      num_threads: number of enqueuing threads.
      capacity: queue capacity in sequences, at least `batch_size`.
      allow_small_batch: whether the last batches may be smaller.
      pad: whether to pad sequences, with zeros and empty strings, to a multiple of `num_unroll` steps; otherwise
        they must have such a length.
      make_keys_unique: whether to append a random number to the key.
      make_keys_unique_seed: seed of that number.

    Returns:
      A `NextQueuedSequenceBatch`. A step that reads it must run its `save_state`, which releases the next segments.

    Raises:
      TypeError: if a part is not a dictionary of strings and tensors.
      ValueError: if sequences or states are missing, shapes are unknown, or `capacity` is less than `batch_size`.

    Example:
      batch = tf.contrib.training.batch_sequences_with_states(
          key, {"words": words}, {"label": label}, None, {"total": tf.zeros([])}, num_unroll=20, batch_size=32)
      total = batch.state("total") + tf.reduce_sum(batch.sequences["words"], 1)
      save = batch.save_state("total", total)
    """
    values = [*input_sequences.values(), *input_context.values(), *initial_states.values()]
    with name_scope(name, "batch_sequences_with_states", values):
        if pad:
            length, input_sequences = _pad_sequences(input_sequences, num_unroll)
            input_length = length if input_length is None else input_length
        else:
            input_sequences = {
                label: _checked_sequence(label, value, num_unroll)
                for label, value in input_sequences.items()
            }
        contexts_as_sequences(input_context, input_sequences, num_unroll)
        sequences, sparse_labels, map_ops = store_sparse(input_sequences)
        if make_keys_unique:
            input_key = _unique(input_key, make_keys_unique_seed)
        saver = SequenceQueueingStateSaver(
            batch_size,
            num_unroll,
            input_length=input_length,
            input_key=input_key,
            input_sequences=sequences,
            input_context=input_context,
            initial_states=initial_states,
            capacity=capacity,
            allow_small_batch=allow_small_batch,
        )
        ready = ops.cast(saver.barrier.ready_size(), dtypes.float32)
        scalar(f"queue/{saver.barrier.name}/ready_segment_batches_", ready)
        end_errors = (OutOfRangeError, CancelledError)
        add_queue_runner(
            QueueRunner(
                saver, [saver.prefetch_op] * num_threads, queue_closed_exception_types=end_errors
            )
        )
        batch = saver.next_batch
        restore(batch.sequences, sparse_labels, map_ops, batch_size, num_unroll)
        contexts_from_sequences(batch.context, batch.sequences)
        return batch


def _unique(key: Any, seed: int | None) -> Tensor:
    random_id = ops.random_uniform((), minval=0, maxval=100000000, dtype=dtypes.int32, seed=seed)
    return ops.string_join([key, ops.as_string(random_id)])


def _checked_sequence(label: str, value: Any, num_unroll: int) -> Any:
    """Returns an unpadded sequence, checking that it consists of whole segments."""
    if is_sparse(value):
        steps = value.dense_shape[0]
        subject = f"SparseTensor {label} first dimension"
        check = is_multiple(steps, num_unroll, steps % num_unroll, subject)
        with control_dependencies([check]):
            parts = (value.indices, value.values, value.dense_shape)
            return SparseTensor(*(ops.identity(p, name="multiple_of_checked") for p in parts))
    if not isinstance(value, Tensor):
        try:
            value = convert_to_tensor(value)
        except TypeError as error:
            raise TypeError(
                f"Unsupported input_sequences expected Tensor or SparseTensor values, got: {type(value)} for key "
                f"{label}"
            ) from error
    steps = ops.shape(value)[0]
    check = is_multiple(steps, num_unroll, steps % num_unroll, f"Tensor {label} first dimension")
    with control_dependencies([check]):
        return ops.identity(value, name="multiple_of_checked")


def _pad_sequences(sequences: Any, num_unroll: int) -> tuple[Any, dict]:
    """Returns the sequence length, and the sequences padded to whole segments."""
    if not isinstance(num_unroll, numbers.Integral):
        raise ValueError(f"Unsupported num_unroll expected int, got: {num_unroll}")
    if not isinstance(sequences, dict):
        raise TypeError(f"Unsupported sequences expected dict, got: {sequences}")
    for label in sequences:
        if not isinstance(label, str):
            raise TypeError(f"Unsupported sequences key expected string, got: {label}")
    if not sequences:
        return 0, {}
    ordered = {
        label: value if is_sparse(value) else convert_to_tensor(value)
        for label, value in sorted(sequences.items())
    }
    length = _length(list(ordered.values()))
    unroll = ops.constant(num_unroll)
    steps = length + ((unroll - (length % unroll)) % unroll)
    return length, {label: _pad_with_zeros(value, steps) for label, value in ordered.items()}


def _length(sequences: list) -> Tensor:
    """Returns the common length of the dense sequences, or if all are sparse, the maximum length."""
    lengths = [ops.shape(value)[0] for value in sequences if isinstance(value, Tensor)]
    if not lengths:
        sizes = [value.dense_shape[0] for value in sequences if isinstance(value, SparseTensor)]
        return ops.reduce_max(ops.cast(sizes, dtypes.int32))
    text = "All sequence lengths must match, but received lengths: "
    checks = [
        ops.Assert(ops.equal(length, lengths[0]), [ops.string_join([text, ops.as_string(lengths)])])
        for length in lengths
    ]
    return ops.with_dependencies(checks, lengths[0])


def _pad_with_zeros(value: Any, steps: Tensor) -> Any:
    """Pads a sequence with zeros, or empty strings, to a number of steps."""
    if not isinstance(value, Tensor):
        size = ops.cast(steps, dtypes.int64)
        shape = ops.concat([[size], value.dense_shape[1:]], 0)
        return SparseTensor(indices=value.indices, values=value.values, dense_shape=shape)
    missing_shape = [steps - ops.shape(value)[0]]
    shape = ops.concat((missing_shape, ops.shape(value)[1:]), 0)
    fill_value = ops.constant("" if value.dtype == dtypes.string else 0, dtype=value.dtype)
    return ops.concat([value, ops.fill(dims=shape, value=fill_value)], 0)
