"""Barriers as session resources; complete values are queued in insertion order of their keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.base.dtypes import int64, string
from tfmini._src.base.errors import CancelledError, InternalError, OutOfRangeError, invalid
from tfmini._src.base.locks import make_lock
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.op_traits.handle_kinds import BARRIER, Resource
from tfmini._src.ops.operands import shape_text
from tfmini._src.ops.pending_ops import PendingOp
from tfmini._src.ops.queues.queue_resource import Dims, Queue
from tfmini._src.ops.queues.storage import MinHeap

_MIN_INDEX, _MAX_INDEX = -(2**63), 2**63 - 1


class Barrier(Resource):
    """Keys whose values arrive component by component; complete values are queued.

    Args:
      name: the name under which it is shared, or None; node_name: the name of its node.
      dtypes, shapes: dtypes and shapes of the components.
    """

    resource_kind = BARRIER

    def __init__(self, name: str | None, node_name: str, dtypes: Sequence, shapes: Sequence[Dims]):
        self.dtypes = tuple(dtypes)
        self.shapes = tuple(shapes)
        self._ready = Queue(
            "PriorityQueue",
            name,
            (int64, string, *dtypes),
            ((), (), *shapes),
            -1,
            MinHeap(),
            node_name=node_name,
        )
        self.name = self._ready.name
        self._ready.name = f"{self.name}_queue"
        self._incomplete: dict[bytes, list] = {}  # insertion number, then components
        self._index = _MIN_INDEX
        self._is_closed = self._is_queue_closed = self._cancels = False
        self._lock = make_lock()

    @property
    def array(self) -> np.ndarray:
        """The container and name, which are the value of a fetched reference."""
        return np.array([b"localhost", self.name.encode()], object)

    ready_size: int = read_only("The number of complete keys.", "_ready.size")

    @property
    def incomplete_size(self) -> int:
        """The number of incomplete keys."""
        with self._lock:
            return len(self._incomplete)

    def insert_many(self, keys: np.ndarray, component: int, values: Any) -> PendingOp | None:
        """Assigns a component to the values of keys; keys before a rejected key are inserted.

        Raises:
          CancelledError: if the barrier is closed and a key is new.
          InvalidArgumentError: if a key already has that component.
        """
        if keys.size and not values.size:
            invalid(
                f"Tensors with no elements are not supported {self.name}: received shape "
                f"{shape_text(values.shape)}"
            )
        if keys.size and (not values.shape or len(values) != keys.size):
            invalid(f"{keys.size} keys have values of shape {shape_text(values.shape)}")
        with self._lock:
            if self._is_closed and (self._cancels or (keys.size and not self._incomplete)):
                raise self._closed_error(f"Number of new insertions: {keys.size}", "")
            complete, has_new_keys = [], False
            for index, key in enumerate(keys.reshape(-1).tolist()):
                is_new, element = self._element(key, index)
                has_new_keys = has_new_keys or is_new
                if element[1 + component] is not None:
                    invalid(
                        f"Key {key.decode(errors='replace')} already has a value for component {component} in barrier "
                        f"{self.name}"
                    )
                element[1 + component] = np.array(values[index], values.dtype)
                if all(part is not None for part in element):
                    del self._incomplete[key]
                    row = np.empty((), object)
                    row[()] = key
                    ready = (np.array(element[0], np.int64), row, *element[1:])
                    self._ready.check(ready)
                    complete.append(ready)
            if has_new_keys:
                self._index += 1
                if self._index == _MAX_INDEX:
                    text = f"Barrier has had {_MAX_INDEX} insertions and can no longer keep track of new ones."
                    raise InternalError(None, None, text)
        for ready in complete:
            self._ready.enqueue(ready).outcome()
        with self._lock:
            if complete and self._is_closed and not self._incomplete:
                return self._close_queue(False)
        return None

    def _element(self, key: bytes, index: int) -> tuple[bool, list]:
        """Returns whether a key is new, and its element: number and components. The caller holds the lock."""
        element = self._incomplete.get(key)
        if element is not None:
            return False, element
        if self._is_closed:
            raise self._closed_error(
                f"Insertion index: {index}",
                f", but attempted to insert a brand new key: {key.decode(errors='replace')}",
            )
        element = self._incomplete[key] = [self._index] + [None] * len(self.dtypes)
        return True, element

    def take_many(self, count: int, takes_fewer: bool) -> PendingOp:
        """Takes `count` complete keys; returns their insertion indices, the keys, and their components.

        Raises OutOfRangeError if a closed barrier cannot supply that many.
        """
        with self._lock:
            if self._is_closed:
                ready_count = self._ready.size
                if takes_fewer:
                    count = min(count, ready_count)
                else:
                    ready_count += len(self._incomplete)
                if ready_count < max(count, 1):
                    raise OutOfRangeError(
                        None,
                        None,
                        f"Barrier '{self.name}' is closed and has insufficient elements (requested {count}, total "
                        f"size {ready_count})",
                    )
        return self._ready.dequeue_many(count, takes_fewer)

    def close(self, cancels: bool) -> PendingOp | None:
        """Rejects new keys; with `cancels`, rejects all insertions and drops incomplete values."""
        with self._lock:
            if self._is_closed and (self._cancels or not cancels):
                raise CancelledError(None, None, f"Barrier '{self.name}' is already closed.")
            self._cancels = cancels
            self._is_closed = True
            if cancels or not self._incomplete:
                self._incomplete.clear()
                return self._close_queue(cancels)
        # The last keys may be completed only after this take: waiting for more elements would block forever.
        self._ready.serve_fewer()
        return None

    def _close_queue(self, cancels: bool) -> PendingOp | None:
        if self._is_queue_closed:
            return None
        self._is_queue_closed = True
        return self._ready.close(cancels)

    def _closed_error(self, count: str, but: str) -> CancelledError:
        return CancelledError(
            None,
            None,
            f"Barrier {self.name} is closed{but}.  Pending enqueues cancelled: {int(self._cancels)}.  "
            f"{count}.  Number of incomplete keys: {len(self._incomplete)}.",
        )
