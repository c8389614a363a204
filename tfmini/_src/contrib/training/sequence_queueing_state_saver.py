"""Batches of sequence segments, with state carried from one segment to the next.

A barrier stores the segments by key, each complete once its state is available. The first segment starts from
the initial state, each later one from the state saved by a step on the previous segment. A queue of tokens, one per
unfinished sequence, blocks further insertions.
"""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.training.segment_checks import checked_shape, checked_sizes
from tfmini._src.contrib.training.sequence_input import check_states, sequence_input
from tfmini._src.graph.scopes import colocate_with, control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.queues.barrier import Barrier
from tfmini._src.ops.queues.queue import FIFOQueue

# Value of a token, never read.
_TOKEN = 21051976
_FACTS = ("length", "total_length", "next_key", "sequence", "sequence_count")


class NextQueuedSequenceBatch:
    """A batch of segments, as returned by `SequenceQueueingStateSaver.next_batch`.

    Reads and saves within a step refer to the same segments.

    Args:
      state_saver: the `SequenceQueueingStateSaver`.
    """

    sequences: dict[str, Any] = read_only(
        "Segments by name, [batch_size, num_unroll, ...].", "_received.sequences"
    )

    def __init__(self, state_saver: SequenceQueueingStateSaver):
        self._saver = state_saver
        self._received = state_saver._received

    @property
    def total_length(self) -> Tensor:
        """Sequence lengths before padding, int32 [batch_size]."""
        return self._received.facts["total_length"]

    @property
    def length(self) -> Tensor:
        """Segment lengths before padding, 0 to `num_unroll`, int32 [batch_size]."""
        return self._received.facts["length"]

    @property
    def batch_size(self) -> Tensor:
        """Number of segments, an int32 scalar, smaller than requested only in the last batches."""
        return self._received.batch_size

    @property
    def insertion_index(self) -> Tensor:
        """Insertion indices of the sequences, starting at -2**63, int64 [batch_size]."""
        return self._received.indices

    @property
    def key(self) -> Tensor:
        """Segment keys, strings [batch_size]: `b"00001_of_00003:KEY"` is the second of three segments of KEY."""
        return self._received.keys

    @property
    def next_key(self) -> Tensor:
        """Keys of the next segments, strings [batch_size]; `b"STOP:KEY"` after the last one."""
        return self._received.facts["next_key"]

    @property
    def sequence(self) -> Tensor:
        """Segment indices within the sequences, from 0, int32 [batch_size]."""
        return self._received.facts["sequence"]

    @property
    def sequence_count(self) -> Tensor:
        """Numbers of segments per sequence, int32 [batch_size]."""
        return self._received.facts["sequence_count"]

    @property
    def context(self) -> dict[str, Any]:
        """Context values of the sequences, [batch_size, ...] by name."""
        return self._received.context

    def state(self, state_name: str) -> Tensor:
        """Returns the state saved by the previous segments, [batch_size, ...]; the initial state for first segments.

        Raises:
          KeyError: for an unknown state.
        """
        return self._received.states[state_name]

    def save_state(self, state_name: str, value: TensorLike, name: str | None = None) -> Any:
        """Returns an operation that saves a state for the next segments and thus makes them available.

        Args:
          state_name: one of the names of the initial states.
          value: [batch_size, ...], of the initial state's dtype.
          name: operation name prefix.

        Raises:
          KeyError: for an unknown state.
          ValueError: if the static shape differs.
          tf.errors.InvalidArgumentError: at run time, if the shape differs.
        """
        received, saver = self._received, self._saver
        if state_name not in received.states:
            raise KeyError(f"state was not declared: {state_name}")
        with (
            name_scope(name, "InputQueueingStateSaver_SaveState", [value]),
            colocate_with(saver._tokens.queue_ref),
        ):
            rows = ops.reshape(ops.where_v2(ops.logical_not(received.is_done)), [-1])
            keys = ops.gather(self.next_key, rows)
            value = ops.identity(value, name=f"convert_{state_name}")
            value = checked_shape(value, ops.shape(received.states[state_name]))
            gathered = ops.gather(value, rows)
            return saver._insert(
                ("state", state_name), keys, gathered, f"BarrierInsertState_{state_name}"
            )


class _ReceivedSegments:
    """Segments read from the barrier by a step, split by kind.

    The states include one token per finished sequence, read by every step that saves a state.
    """

    def __init__(self, saver: SequenceQueueingStateSaver):
        received = saver.barrier.take_many(
            saver.batch_size, saver._allows_small_batch, name="BarrierTakeMany"
        )
        self.indices, self.keys, values = received
        parts = dict(zip(saver._components, values))

        def parts_of_kind(part_type: str) -> dict[str, Any]:
            return {label: value for (k, label), value in parts.items() if k == part_type}

        self.facts, self.context, self.sequences = (
            parts_of_kind("fact"),
            parts_of_kind("context"),
            parts_of_kind("sequence"),
        )
        self.batch_size = ops.squeeze(ops.shape(self.facts["length"]))
        self.is_done = self.facts["sequence"] + 1 >= self.facts["sequence_count"]
        finished = ops.reduce_sum(ops.cast(self.is_done, dtypes.int32))
        with control_dependencies([saver._tokens.dequeue_many(finished)]):
            self.states = {
                label: ops.identity(value) for label, value in parts_of_kind("state").items()
            }


class SequenceQueueingStateSaver:
    """Cuts sequences into segments, batches them, and carries states between segments.

    Args:
      batch_size: number of sequences per batch, an integer or a scalar int32 Tensor.
      num_unroll: number of steps per segment, a Python integer.
      input_length: a scalar int32, the number of steps before padding.
      input_key: a scalar string, unique to the sequence.
      input_sequences: Tensors [padded_length, ...] by name, where `padded_length` is a multiple of `num_unroll` and
        the other sizes are known.
      input_context: Tensors of known shape by name, valid for all steps.
      initial_states: initial states of a sequence: one or more Tensors of known shape, by name.
      capacity: capacity in sequences, at least `batch_size`; by default unlimited.
      allow_small_batch: whether batches may be smaller once the barrier is closed and few sequences remain.
      name: operation name prefix.

    Raises:
      TypeError: if a part is not a dictionary of strings, the length is not int32, or the key is not a string.
      ValueError: if sequences or states are missing, shapes are unknown, or `capacity` is less than `batch_size`.

    Example:
      saver = tf.contrib.training.SequenceQueueingStateSaver(
          32, 20, tf.shape(words)[0], key, {"words": words}, {}, {"total": tf.zeros([8])}, capacity=320)
      tf.train.add_queue_runner(tf.train.QueueRunner(saver, [saver.prefetch_op] * 3))
      batch = saver.next_batch
      save = batch.save_state("total", batch.state("total") + made_of(batch.sequences["words"]))
    """

    name: str = read_only("The name scope of the operations.", "_scope")
    barrier: Barrier = read_only("The barrier that holds the segments.")
    batch_size: Any = read_only(
        "The number of sequences whose segments form a batch, as passed in."
    )
    num_unroll: int = read_only("The number of steps per segment.")

    def __init__(
        self,
        batch_size: TensorLike,
        num_unroll: int,
        input_length: TensorLike,
        input_key: TensorLike,
        input_sequences: dict[str, Any],
        input_context: dict[str, Any],
        initial_states: dict[str, Any],
        capacity: Any = None,
        allow_small_batch: bool = False,
        name: str | None = None,
    ):
        if capacity is not None and isinstance(batch_size, Tensor):
            length_check = ops.assert_greater_equal(
                ops.cast(capacity, dtype=dtypes.int64),
                ops.cast(batch_size, dtype=dtypes.int64),
                message="capacity needs to be >= batch_size.",
            )
            with control_dependencies([length_check]):
                input_key = ops.identity(input_key)
        elif capacity is not None and capacity < batch_size:
            raise ValueError(f"capacity {capacity} needs to be >= batch_size {batch_size}")
        self._tokens = FIFOQueue(capacity=capacity, dtypes=[dtypes.int32], shapes=[[]])
        self._batch_size, self._num_unroll = batch_size, num_unroll
        self._allows_small_batch = allow_small_batch
        with colocate_with(self._tokens.queue_ref):
            check_states(initial_states)
            values = [input_length, input_key, *input_sequences.values(), *input_context.values()]
            with name_scope(name, "InputQueueingStateSaver", values) as scope:
                self._scope = scope
                self._input = sequence_input(
                    input_length,
                    input_key,
                    input_sequences,
                    input_context,
                    initial_states,
                    num_unroll,
                )
                self._barrier = self._make_barrier()
        self._prefetch_op: Any = None
        self._next_batch: NextQueuedSequenceBatch | None = None

    def _make_barrier(self) -> Barrier:
        provided = self._input
        text = dtypes.string
        types = [text if label == "next_key" else dtypes.int32 for label in _FACTS]
        shapes: list = [() for _ in _FACTS]
        self._components = [("fact", label) for label in _FACTS]
        parts = (
            ("sequence", provided.sequences),
            ("context", provided.context),
            ("state", provided.states),
        )
        for part, tensors in parts:
            for label, tensor in tensors.items():
                dims = tensor.shape.as_list()
                self._components.append((part, label))
                types.append(tensor.dtype)
                shapes.append([self._num_unroll, *dims[1:]] if part == "sequence" else dims)
        return Barrier(types=types, shapes=shapes)

    def _insert(self, component: tuple[str, str], keys: Any, values: Any, name: str) -> Any:
        return self._barrier.insert_many(self._components.index(component), keys, values, name=name)

    @property
    def prefetch_op(self) -> Any:
        """Operation that inserts a sequence, blocking while the capacity is exhausted; created on first access."""
        if not self._prefetch_op:
            with name_scope(None), name_scope(self._scope, values=[self._barrier.barrier_ref]):
                self._prefetch_op = self._prefetch()
        return self._prefetch_op

    @property
    def next_batch(self) -> NextQueuedSequenceBatch:
        """Batch of segments, read once enough are available; created on first access."""
        if self._next_batch is None:
            _ = self.prefetch_op
            with name_scope(None), name_scope(self._scope, values=[self._barrier.barrier_ref]):
                self._received = _ReceivedSegments(self)
                self._next_batch = NextQueuedSequenceBatch(self)
        return self._next_batch

    def close(self, cancel_pending_enqueues: bool = False, name: str | None = None) -> Any:
        """Returns an operation that closes the queue to new sequences.

        Args:
          cancel_pending_enqueues: whether to cancel blocked insertions and unfinished sequences.
        """
        with name_scope(name, "SQSSClose", [self._prefetch_op]) as scope:
            barrier = self._barrier.close(cancel_pending_enqueues, "BarrierClose")
            tokens = self._tokens.close(cancel_pending_enqueues, "FIFOClose")
            return ops.group(barrier, tokens, name=scope)

    def _prefetch(self) -> Any:
        """Returns an operation that cuts the sequence and inserts its segments, adding the first one's state last."""
        source, steps = self._input, self._num_unroll
        count = ops.div(source.padded_length, steps)
        ones = ops.ones(ops.expand_dims(count, 0), dtype=dtypes.int32)
        indices = ops.range(count)
        length = ops.maximum(0, source.length - steps * indices)
        length = ops.minimum(steps, length)
        total, counts = source.length * ones, count * ones
        keys, next_keys = self._keys(indices, count)
        rows = {label: self._cut(label, value, count) for label, value in source.sequences.items()}
        copies = {
            label: _tile_context(label, value, count) for label, value in source.context.items()
        }

        def insert(label: str, values: Any, name: str) -> Any:
            return self._insert(("fact", label), keys, values, f"BarrierInsert{name}")

        insert_op = insert("sequence", indices, "Sequence")
        facts = [
            insert("sequence_count", counts, "SequenceCount"),
            insert("next_key", next_keys, "NextKey"),
            insert("length", length, "Length"),
            insert("total_length", total, "TotalLength"),
        ]
        contexts = [
            self._insert(("context", label), keys, value, f"BarrierInsertContext_{label}")
            for label, value in copies.items()
        ]
        sequences = [
            self._insert(("sequence", label), keys, value, f"BarrierInsertSequences_{label}")
            for label, value in rows.items()
        ]
        token = self._tokens.enqueue((_TOKEN,))
        # All segments are inserted before the first gets its state, so they share an insertion index.
        with control_dependencies([insert_op, token]):
            states = [
                self._insert(
                    ("state", label),
                    ops.stack([keys[0]]),
                    ops.stack([value]),
                    f"BarrierInitialInsertState_{label}",
                )
                for label, value in source.states.items()
            ]
        inserted_tensors = [token, insert_op, *facts, *states, *contexts, *sequences]
        return ops.group(*inserted_tensors, name="StateSaverPrefetchGroup")

    def _keys(self, indices: Tensor, count: Tensor) -> tuple[Tensor, Tensor]:
        """Returns the keys of a sequence's segments and of their successors."""
        key = self._input.key
        digits = [ops.as_string(value, width=5, fill="0") for value in (indices, count)]
        keys = ops.string_join(
            [digits[0], "_of_", digits[1], ":", key], name="StringJoinCurrentKeys"
        )
        next_keys = ops.slice(keys, [1], [-1])
        stop = ops.expand_dims(ops.string_join(["STOP:", key], name="StringJoinStop"), 0)
        return keys, ops.concat([next_keys, stop], 0, name="concat_next_keys")

    def _cut(self, label: str, value: Tensor, count: Tensor) -> Tensor:
        """Cuts a sequence into segments, [count, num_unroll, ...]."""
        dims, steps = value.shape.as_list()[1:], self._num_unroll
        sizes = [ops.expand_dims(count, 0), ops.expand_dims(steps, 0), dims]
        shape = ops.concat(sizes, 0, name=f"concat_sequences_{label}")
        rows = ops.reshape(value, shape, name=f"reshape_sequences_{label}")
        axes = list(range(2 + len(dims)))
        return checked_sizes(rows, axes, [count, steps, *dims], f"reshaped_sequences_{label}")


def _tile_context(label: str, value: Tensor, count: Tensor) -> Tensor:
    """Tiles a sequence's context value once per segment, [count, ...]."""
    dims = value.shape.as_list()
    row = ops.expand_dims(value, 0)
    times = ops.concat(
        [ops.expand_dims(count, 0), [1] * len(dims)], 0, name=f"concat_context_{label}"
    )
    rows = ops.tile(row, times, name=f"tile_context_{label}")
    axes = list(range(1 + len(dims)))
    return checked_sizes(rows, axes, [count, *dims], f"expanded_context_{label}")
