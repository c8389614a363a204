"""Queues as session resources: their elements, and the pending enqueue and dequeue ops.

Both kinds of pending ops proceed in FIFO order. Every change of the queue advances the ops that can proceed; they
complete after the lock is released.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfmini._src.base.errors import CancelledError, OutOfRangeError, invalid
from tfmini._src.base.locks import make_lock
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import dims_allow
from tfmini._src.graph.op_traits.handle_kinds import QUEUE, Resource
from tfmini._src.graph.shape_inference import text as dims_text
from tfmini._src.ops.operands import c_name, shape_text
from tfmini._src.ops.pending_ops import PendingOp
from tfmini._src.ops.queues.storage import Element, Fifo, MinHeap, ShuffledStorage

# Part of the names of unshared queues.
_numbers = itertools.count()

Dims = tuple[int | None, ...]
# The outcome of a pending op.
_NO_PROGRESS, _PROGRESS, _COMPLETE = range(3)


class _PendingOperation:
    """A pending enqueue or dequeue; `advance(self)` returns its progress and sets the outcome at its end."""

    __slots__ = ("pending_op", "advance", "dequeued", "results", "error")

    def __init__(self, withdraw: Callable[[PendingOp], None]):
        self.pending_op = PendingOp(withdraw)
        self.advance: Callable[[_PendingOperation], int]
        self.dequeued: list[Element] = []  # elements of an incomplete batch
        self.results: Any = ()
        self.error: Exception | None = None


class Queue(Resource):
    """A queue of elements with the same components.

    Args:
      kind: TensorFlow's name for the kind of queue, for errors; name: the name under which it is shared, or None.
      dtypes, shapes: dtypes and shapes of the components; without shapes, elements may vary in shape.
      capacity: the maximum number of elements; negative if unlimited.
      storage: the storage of its elements.
      floor: the minimum number of elements to retain until it is closed.
      pads: whether shapes may have unknown dimensions, which are padded in batches.
    """

    resource_kind = QUEUE
    is_closed: bool = read_only()

    def __init__(
        self,
        kind: str,
        name: str | None,
        dtypes: Sequence[Any],
        shapes: Sequence[Dims],
        capacity: int,
        storage: Fifo | ShuffledStorage | MinHeap,
        floor: int = 0,
        pads: bool = False,
        node_name: str = "",
        seeds: tuple[int, int] = (0, 0),
    ):
        self.kind = kind
        self.name = name or f"_{next(_numbers)}_{node_name}"
        self.dtypes = tuple(dtypes)
        self.shapes = tuple(shapes)
        self.capacity = capacity
        self.room: float = float("inf") if capacity < 0 else capacity
        self.floor = floor
        self.pads = pads
        self.seeds = seeds
        self._storage = storage
        self._is_closed = self._serves_fewer = False
        self._enqueues: deque[_PendingOperation] = deque()
        self._dequeues: deque[_PendingOperation] = deque()
        self._lock = make_lock()

    @property
    def size(self) -> int:
        with self._lock:
            return len(self._storage)

    @property
    def free(self) -> float:
        """The number of elements that can be enqueued without blocking."""
        return self.room - len(self._storage)

    @property
    def array(self) -> np.ndarray:
        """The container and name, which are the value of a fetched reference."""
        return np.array([b"localhost", self.name.encode()], object)

    def enqueue(self, element: Element) -> PendingOp:
        """Enqueues one element, blocking while the queue is full."""
        self.check(element)

        def advance(waiting: _PendingOperation) -> int:
            if self._is_closed:
                waiting.error = self._closed_error()
                return _COMPLETE
            if len(self._storage) >= self.room:
                return _NO_PROGRESS
            self._storage.push(element)
            return _COMPLETE

        return self._submit(self._enqueues, advance)

    def enqueue_many(self, batches: tuple[Any, ...]) -> PendingOp:
        """Enqueues the rows of `batches` one by one, blocking while the queue is full."""
        self._check_many(batches)
        columns = [_copy_rows(batch, self._storage.keeps_order) for batch in batches]
        return self.enqueue_all([*zip(*columns)])

    def enqueue_all(self, elements: Sequence[Element]) -> PendingOp:
        """Enqueues valid elements one by one, blocking while the queue is full."""
        rows, remaining = iter(elements), len(elements)

        def advance(waiting: _PendingOperation) -> int:
            nonlocal remaining
            if self._is_closed and remaining:
                waiting.error = self._closed_error()
                return _COMPLETE
            count = int(min(remaining, max(0, self.free)))
            self._storage.push_many(itertools.islice(rows, count))
            remaining -= count
            if not remaining:
                return _COMPLETE
            return _PROGRESS if count else _NO_PROGRESS

        return self._submit(self._enqueues, advance)

    def dequeue(self) -> PendingOp:
        """Dequeues one element, blocking while the queue is empty."""

        def advance(waiting: _PendingOperation) -> int:
            size = len(self._storage)
            if self._is_closed and not size:
                waiting.error = self._insufficient(self._plain_kind, 1, 0)
                return _COMPLETE
            if size <= (0 if self._is_closed else self.floor):
                return _NO_PROGRESS
            waiting.results = self._storage.pop()
            return _COMPLETE

        return self._submit(self._dequeues, advance)

    def dequeue_many(self, count: int, takes_fewer: bool = False) -> PendingOp:
        """Dequeues `count` elements as a batch; `takes_fewer`: whether to accept fewer from a closed queue."""
        if len(self.shapes) != len(self.dtypes):
            invalid(
                f"{self.kind}'s DequeueMany and DequeueUpTo require the components to have specified shapes."
            )

        def advance(waiting: _PendingOperation) -> int:
            elements, storage = waiting.dequeued, self._storage
            if self._is_closed and len(elements) + len(storage) < count:
                if not takes_fewer:
                    missing, size = count - len(elements), len(storage)
                    storage.restore(elements)
                    waiting.error = self._insufficient(self.kind, missing, size)
                    return _COMPLETE
                if not elements and not len(storage):
                    waiting.error = self._insufficient(self.kind, count, 0)
                    return _COMPLETE
                elements += storage.pop_many(len(storage))
            floor = 0 if self._is_closed else self.floor
            start_count, expected = len(elements), count
            if takes_fewer and self._serves_fewer:
                expected = min(count, max(1, start_count + len(storage)))
            elements += storage.pop_many(max(0, min(expected - start_count, len(storage) - floor)))
            if len(elements) == expected or (self._is_closed and takes_fewer):
                waiting.results = self._batch(elements)
                return _COMPLETE
            return _PROGRESS if len(elements) > start_count else _NO_PROGRESS

        return self._submit(self._dequeues, advance)

    def serve_fewer(self) -> None:
        """Makes current and future dequeues that accept fewer elements proceed with the available ones."""
        with self._lock:
            self._serves_fewer = True
            ended_operations = self._advance()
        _end_pending_ops(ended_operations)

    def close(self, cancels: bool) -> PendingOp:
        """Rejects further enqueues; pending ones are either cancelled or completed first."""
        if cancels:
            with self._lock:
                self._is_closed = True
                cancelled = list(self._enqueues)
                self._enqueues.clear()
                ended_operations = self._advance()
            for waiting in cancelled:
                waiting.pending_op.end(error=_cancelled_error("Enqueue"))
            _end_pending_ops(ended_operations)
            done = PendingOp(lambda pending_op: None)
            done.end(())
            return done

        def advance(waiting: _PendingOperation) -> int:
            if self._is_closed:
                waiting.error = CancelledError(
                    None, None, f"Queue '{self.name}' is already closed."
                )
            self._is_closed = True
            return _COMPLETE

        return self._submit(self._enqueues, advance)

    def _submit(
        self, line: deque[_PendingOperation], advance: Callable[[_PendingOperation], int]
    ) -> PendingOp:
        waiting = _PendingOperation(self._withdraw)
        waiting.advance = advance
        with self._lock:
            if not (self._enqueues or self._dequeues) and advance(waiting) == _COMPLETE:
                ended_operations = [waiting]  # no thread waits for this change
            else:
                line.append(waiting)
                ended_operations = self._advance()
        _end_pending_ops(ended_operations)
        return waiting.pending_op

    def _advance(self) -> list[_PendingOperation]:
        """Advances all pending ops that can proceed and returns the completed ones. The caller holds the lock."""
        ended_operations: list[_PendingOperation] = []
        has_changed = True
        while has_changed:
            has_changed = False
            for line in (self._enqueues, self._dequeues):
                while line:
                    result = line[0].advance(line[0])
                    has_changed = has_changed or result != _NO_PROGRESS
                    if result != _COMPLETE:
                        break
                    ended_operations.append(line.popleft())
        return ended_operations

    def _withdraw(self, pending_op: PendingOp) -> None:
        """Withdraws a pending op whose step is cancelled; its dequeued elements return to the queue."""
        ended_operations: list[_PendingOperation] = []
        with self._lock:
            for line, op_name in ((self._enqueues, "Enqueue"), (self._dequeues, "Dequeue")):
                for waiting in line:
                    if waiting.pending_op is pending_op:
                        line.remove(waiting)
                        waiting.error = _cancelled_error(op_name)
                        self._storage.restore(waiting.dequeued)
                        ended_operations = [waiting, *self._advance()]
                        break
        _end_pending_ops(ended_operations)

    def _batch(self, elements: list[Element]) -> tuple:
        """Batches elements into one array per component."""
        if not elements:
            return tuple(
                np.empty((0, *(d or 0 for d in dims)), dtype.numpy)
                for dtype, dims in zip(self.dtypes, self.shapes)
            )
        return tuple(
            _stack_elements(parts, dims, dtype, self.pads)
            for parts, dims, dtype in zip(zip(*elements), self.shapes, self.dtypes)
        )

    def check(self, element: Element) -> None:
        """Raises InvalidArgumentError unless an element matches the shapes."""
        for index, (value, dims) in enumerate(zip(element, self.shapes)):
            if not dims_allow(dims, value.shape):
                invalid(
                    f"Shape mismatch in tuple component {index}. Expected {dims_text(dims)}, got "
                    f"{shape_text(value.shape)}"
                )

    def _check_many(self, batches: tuple[Any, ...]) -> int:
        """Returns the number of rows; raises InvalidArgumentError for mismatched batches."""
        first = batches[0].shape
        if not first:
            expected = f"{dims_text((None, *self.shapes[0]))}" if self.shapes else "a batch"
            invalid(f"Shape mismatch in tuple component 0. Expected {expected}, got []")
        for index, batch in enumerate(batches):
            if self.shapes:
                expected_dims = (first[0], *self.shapes[index])
                if not dims_allow(expected_dims, batch.shape):
                    invalid(
                        f"Shape mismatch in tuple component {index}. Expected {dims_text(expected_dims)}, got "
                        f"{shape_text(batch.shape)}"
                    )
            elif not batch.shape or batch.shape[0] != first[0]:
                rows = batch.shape[0] if batch.shape else "none"
                invalid(
                    "All input tensors must have the same size in the 0th dimension. Component "
                    f"{index} has {rows}, and should have {first[0]}"
                )
        return first[0]

    def check_shared(self, other: Queue, node_type: str) -> None:
        """Raises InvalidArgumentError unless a node that would create `other` may share this queue."""
        if self.kind != other.kind:
            invalid(f"Expected {self.kind}, found {node_type}")
        subject = f"Shared queue '{self.name}' has"
        if self.capacity != other.capacity:
            invalid(
                f"{subject} capacity {self.capacity} but requested capacity was {other.capacity}"
            )
        if self.dtypes != other.dtypes:
            have, want = (", ".join(map(c_name, q.dtypes)) for q in (self, other))
            invalid(f"{subject} component types {have} but requested component types were {want}")
        if self.shapes != other.shapes:
            have, want = (dims_list_text(q.shapes) for q in (self, other))
            invalid(f"{subject} component shapes {have} but requested component shapes were {want}")
        if self.floor != other.floor:
            invalid(
                f"{subject} min_after_dequeue {self.floor} but requested min_after_dequeue was {other.floor}."
            )
        if any(other.seeds) and self.seeds != other.seeds:
            invalid(
                f"{subject} random seeds ({self.seeds[0]}, {self.seeds[1]}) but requested seeds are "
                f"({other.seeds[0]}, {other.seeds[1]})."
            )

    @property
    def _plain_kind(self) -> str:
        """The kind of queue, for messages that do not concern padding."""
        return "FIFOQueue" if self.pads else self.kind

    def _closed_error(self) -> CancelledError:
        return CancelledError(None, None, f"{self._plain_kind} '{self.name}' is closed.")

    def _insufficient(self, queue_type: str, requested: int, size: int) -> OutOfRangeError:
        return OutOfRangeError(
            None,
            None,
            f"{queue_type} '{self.name}' is closed and has insufficient elements (requested "
            f"{requested}, current size {size})",
        )


def dims_list_text(shapes: Sequence[Dims]) -> str:
    """Returns shapes formatted as in error messages: [[2], [?,3]]."""
    return f"[{', '.join(map(dims_text, shapes))}]"


_BLOCK = 32  # rows per memory block


def _copy_rows(batch: Any, are_blocks: bool) -> list[Any]:
    """Copies rows, individually or in blocks; a block is freed after its last row."""
    if batch.dtype == object:
        rows = [np.empty(batch.shape[1:], object) for _ in batch]
        for row, value in zip(rows, batch):
            row[...] = value
        return rows
    if are_blocks and batch.ndim > 1:
        starts = range(0, len(batch), _BLOCK)
        return [row for start in starts for row in batch[start : start + _BLOCK].copy()]
    return [*map(np.array, batch)]


def _stack_elements(parts: tuple, dims: Dims, dtype: Any, pads: bool) -> Any:
    """Stacks arrays; `pads`: whether to pad each to the longest at its ends."""
    if pads:
        sizes = tuple(max(axis) for axis in zip(*(part.shape for part in parts)))
    else:
        sizes = parts[0].shape
    if not pads and np.dtype(dtype.numpy).kind in "biufc":
        # One call for all rows: given a list, NumPy would inspect each array.
        rows = parts if sizes else [part.reshape(-1) for part in parts]
        return np.concatenate(rows).reshape(len(parts), *sizes)
    batch = np.empty((len(parts), *sizes), dtype.numpy)
    if pads:
        batch[...] = b"" if batch.dtype == object else np.zeros((), batch.dtype)
    for row, part in zip(batch, parts) if sizes else ():
        row[tuple(slice(size) for size in part.shape)] = part
    if not sizes:
        for index, part in enumerate(parts):
            batch[index] = part[()]
    return batch


def _cancelled_error(op_name: str) -> CancelledError:
    return CancelledError(None, None, f"{op_name} operation was cancelled")


def _end_pending_ops(ended_operations: list[_PendingOperation]) -> None:
    for waiting in ended_operations:
        waiting.pending_op.end(waiting.results, waiting.error)
