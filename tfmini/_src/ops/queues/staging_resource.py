"""Staging areas as session resources, which hold tuples of tensors that one step stores and another removes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base.errors import CancelledError, OpError, ResourceExhaustedError, invalid
from tfmini._src.base.locks import make_lock
from tfmini._src.ops.operands import dense
from tfmini._src.ops.pending_ops import PendingOp

# Resumes an operation; returns its results, or None if it must wait.
Advance = Callable[[], tuple | None]
# Raises unless the values have the right dtypes.
Check = Callable[[tuple], None]


class WaitQueue:
    """State guarded by a lock, and the pending ops that wait for it to change."""

    def __init__(self) -> None:
        self._lock = make_lock()
        self._waiting: deque[tuple[PendingOp, Advance]] = deque()

    def submit(self, advance: Advance) -> PendingOp:
        """Returns a pending op that ends once `advance`, called under the lock, returns results or raises an error."""
        pending_op = PendingOp(self._withdraw)
        with self._lock:
            self._waiting.append((pending_op, advance))
            ended_ops = self._advance()
        for waiter, results, error in ended_ops:
            waiter.end(results, error)
        return pending_op

    def _advance(self) -> list[tuple[PendingOp, Any, Any]]:
        ended_ops: list[tuple[PendingOp, Any, Any]] = []
        has_changed = True
        while has_changed:
            has_changed = False
            for waiting in list(self._waiting):
                pending_op, advance = waiting
                try:
                    results, error = advance(), None
                except OpError as failure:
                    results, error = (), failure
                if results is not None:
                    self._waiting.remove(waiting)
                    ended_ops.append((pending_op, results, error))
                    has_changed = True
        return ended_ops

    def _withdraw(self, pending_op: PendingOp) -> None:
        with self._lock:
            cancelled = [waiting for waiting in self._waiting if waiting[0] is pending_op]
            for waiting in cancelled:
                self._waiting.remove(waiting)
        if cancelled:
            pending_op.end(error=CancelledError(None, None, "Staging operation was cancelled"))


class StagingBase(WaitQueue):
    """Base class of staging areas, with their limits and current size.

    capacity: the maximum number of tuples; memory_limit: the maximum number of bytes; 0 means no limit.
    """

    def __init__(self, capacity: int, memory_limit: int):
        super().__init__()
        self._capacity = capacity
        self._limit = memory_limit
        self._bytes = 0

    def _byte_size(self, values: tuple) -> int:
        return sum(dense(value).nbytes for value in values)

    def _check_limit(self, values: tuple) -> int:
        size = self._byte_size(values)
        if self._limit and size > self._limit:
            raise ResourceExhaustedError(
                None,
                None,
                f"Attempted to insert tensors with combined size of '{size}' bytes into Staging Area with a memory "
                f"limit of '{self._limit}'.",
            )
        return size

    def _has_room(self, count: int, size: int) -> bool:
        if self._capacity and count >= self._capacity:
            return False
        return not self._limit or self._bytes + size <= self._limit


class StagingQueue(StagingBase):
    """Tuples in first-in, first-out order."""

    def __init__(self, capacity: int, memory_limit: int):
        super().__init__(capacity, memory_limit)
        self._tuples: deque[tuple] = deque()

    def put(self, values: tuple) -> PendingOp:
        size = self._check_limit(values)

        def advance() -> tuple | None:
            if not self._has_room(len(self._tuples), size):
                return None
            self._tuples.append(values)
            self._bytes += size
            return ()

        return self.submit(advance)

    def get(self, check: Check) -> PendingOp:
        def advance() -> tuple | None:
            if not self._tuples:
                return None
            values = self._tuples.popleft()
            self._bytes -= self._byte_size(values)
            check(values)
            return values

        return self.submit(advance)

    def peek(self, index: int, check: Check) -> PendingOp:
        if index < 0:
            invalid(f"Index {index} of a Staging Area must not be negative")

        def advance() -> tuple | None:
            if index >= len(self._tuples):
                return None
            check(self._tuples[index])
            return self._tuples[index]

        return self.submit(advance)

    def clear(self) -> PendingOp:
        def advance() -> tuple:
            self._tuples.clear()
            self._bytes = 0
            return ()

        return self.submit(advance)

    def size(self) -> int:
        with self._lock:
            return len(self._tuples)


class StagingMap(StagingBase):
    """Tuples by key, stored and removed component by component.

    width: the number of components of a tuple; is_ordered: whether a get without a key returns the smallest key.
    """

    def __init__(self, capacity: int, memory_limit: int, width: int, is_ordered: bool):
        super().__init__(capacity, memory_limit)
        self._width = width
        self._is_ordered = is_ordered
        self._whole: dict[int, list] = {}
        self._parts: dict[int, list] = {}

    def _byte_size(self, values: tuple) -> int:
        """Returns the size in bytes of the last component, the only one that TensorFlow counts."""
        return super()._byte_size(values[-1:])

    def put(self, key: int, indices: list[int], values: tuple) -> PendingOp:
        _check_order(indices)
        if len(indices) != len(values):
            invalid(
                f"Number of indices '{len(indices)}' doesn't match number of values '{len(values)}'"
            )
        for index in indices:
            self._check_bounds(key, index)
        size = self._check_limit(values)

        def advance() -> tuple | None:
            if not self._has_room(len(self._whole), size):
                return None
            parts = self._parts.get(key, [None] * self._width)
            for index in indices:
                if parts[index] is not None:
                    invalid(
                        f"The tensor for index '{index}' for key '{key}' was already initialized '{self._width}'."
                    )
            self._bytes += size
            for index, value in zip(indices, values):
                parts[index] = value
            if all(value is not None for value in parts):
                self._parts.pop(key, None)
                self._whole.setdefault(key, parts)
            else:
                self._parts[key] = parts
            return ()

        return self.submit(advance)

    def get(
        self, key: int | None, indices: list[int], check: Check, keeps: bool = False
    ) -> PendingOp:
        """Removes components of the tuple of a key, or of any tuple; returns them after the key."""
        _check_order(indices)
        if not indices:
            invalid("Staging area indices must not be empty")

        def advance() -> tuple | None:
            if not self._whole if key is None else key not in self._whole:
                return None
            some = key
            if some is None:
                some = min(self._whole) if self._is_ordered else next(iter(self._whole))
            values = self._components(some, indices, keeps)
            check(values)
            return values if key is not None else (np.int64(some), *values)

        return self.submit(advance)

    def _components(self, key: int, indices: list[int], keeps: bool) -> tuple:
        parts = self._whole[key]
        for index in indices:
            self._check_bounds(key, index)
            if parts[index] is None:
                invalid(f"Tensor at index '{index}' for key '{key}' has already been removed.")
        values = tuple(parts[index] for index in indices)
        if not keeps:
            self._bytes -= self._byte_size(values)
            for index in indices:
                parts[index] = None
            if all(value is None for value in parts):
                del self._whole[key]
        return values

    def _check_bounds(self, key: int, index: int) -> None:
        if not 0 <= index < self._width:
            invalid(f"Index '{index}' for key '{key}' was out of bounds '{self._width}'.")

    def clear(self) -> PendingOp:
        def advance() -> tuple:
            self._whole.clear()
            self._parts.clear()
            self._bytes = 0
            return ()

        return self.submit(advance)

    def size(self) -> int:
        with self._lock:
            return len(self._whole)

    def incomplete_size(self) -> int:
        with self._lock:
            return len(self._parts)


def _check_order(indices: list[int]) -> None:
    if any(b <= a for a, b in zip(indices, indices[1:])):
        invalid("Indices are not strictly ordered")
