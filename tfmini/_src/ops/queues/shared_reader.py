"""Reads from a shared reader: steps wait in FIFO order, and the first one waits for a work unit."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np

from tfmini._src.base.errors import CancelledError, invalid
from tfmini._src.base.locks import make_lock, make_rlock
from tfmini._src.graph.op_traits.handle_kinds import READER, Resource
from tfmini._src.ops.operands import dense
from tfmini._src.ops.pending_ops import PendingOp
from tfmini._src.ops.queues.queue_resource import Queue
from tfmini._src.ops.queues.reader_resource import Reader, Record
from tfmini._src.ops.string.string_elements import vector


class _Request:
    """The request of a step for one record or up to `count` records.

    is_of_steps: whether each record is for a separate step, with an error raised in the first step without a record.
    """

    __slots__ = ("pending_op", "queue", "count", "is_of_steps", "records", "is_withdrawn")

    def __init__(self, pending_op: PendingOp, queue: Queue, count: int | None, is_of_steps: bool):
        self.pending_op = pending_op
        self.queue = queue
        self.count = count
        self.is_of_steps = is_of_steps
        self.records: list[Record] = []
        self.is_withdrawn = False

    def results(self) -> tuple:
        if self.count is None:
            return self.records[0]
        return vector(key for key, _ in self.records), vector(value for _, value in self.records)


class SharedReader(Resource):
    """A reader and the steps that wait for it."""

    resource_kind = READER

    def __init__(self, reader: Reader, name: str):
        self.reader = reader
        self._name = name
        self.state = make_rlock()  # guards the reader's state while it reads
        self._lock = make_lock()  # guards the fields below
        self._waiting: deque[_Request] = deque()
        self._returned: deque[Record] = deque()  # records returned first
        self._is_busy = False
        # The wait of the first in line.
        self._arriving: PendingOp | None = None

    @property
    def array(self) -> np.ndarray:
        """The container and name, which are the value of a fetched reference."""
        return np.array([b"localhost", self._name.encode()], object)

    def read(self, queue: Queue, count: int | None = None, is_of_steps: bool = False) -> PendingOp:
        """Reads the next key and value, or up to `count` of them from one file as two vectors.

        is_of_steps: whether an error after some of the records is deferred to the next read.
        """
        request = _Request(PendingOp(self._withdraw), queue, count, is_of_steps)
        with self._lock:
            self._waiting.append(request)
            if self._is_busy:
                return request.pending_op
            self._is_busy = True
        self._serve()
        return request.pending_op

    def _serve(self) -> None:
        """Completes requests in order until none is left or one must wait; the end of the wait resumes the loop."""
        while True:
            with self._lock:
                if not self._waiting:
                    self._is_busy = False
                    return
                request = self._waiting[0]
            results, error = None, None
            try:
                if not self._read(request):
                    return
                results = request.results()
            except BaseException as failure:
                if request.is_of_steps and request.records:
                    results = request.results()
                else:
                    error = failure
            with self._lock:
                self._waiting.popleft()
            request.pending_op.end(results, error)

    def _read(self, request: _Request) -> bool:
        """Reads the requested records; returns False if it must wait for a work unit."""
        expected = 1 if request.count is None else request.count
        while len(request.records) < expected:
            with self.state:
                if self._returned:
                    request.records.append(self._returned.popleft())
                    self.reader.produced += 1
                    continue
            if not self.reader.is_working:
                if self._arriving is None:
                    self._wait(request)
                assert self._arriving is not None
                if not self._arriving.is_ended:
                    self._arriving.add_callback(self._serve)
                    return False
                arrived, self._arriving = self._arriving, None
                with self.state:
                    self.reader.record_no_work()
                    self.reader.start(_work_unit(arrived.outcome()))
            with self.state:
                record = self.reader.record()
            if record is not None:
                request.records.append(record)
            elif request.records:
                return True
            if not self.reader.is_working and request.records:
                return True
        return True

    def give_back(self, records: Sequence[Record]) -> None:
        """Returns the last records to the reader, so that they are read again."""
        with self.state:
            self._returned.extendleft(reversed(records))
            self.reader.produced -= len(records)

    def reset(self) -> None:
        """Resets the reader to its initial state."""
        with self.state:
            self._returned.clear()
            self.reader.reset()

    def end(self) -> None:
        """Ends the reader at the end of its session."""
        with self.state:
            self.reader.end()

    def restore(self, text: bytes) -> None:
        """Restores a serialized state."""
        with self.state:
            self._returned.clear()
            self.reader.restore(text)

    def _wait(self, request: _Request) -> None:
        arriving = request.queue.dequeue()
        with self._lock:
            self._arriving = arriving
            is_late = request.is_withdrawn
        if is_late:
            arriving.withdraw()

    def _withdraw(self, pending_op: PendingOp) -> None:
        """Ends a pending op whose step is cancelled."""
        with self._lock:
            request = next((r for r in self._waiting if r.pending_op is pending_op), None)
            if request is None:
                return
            is_first = request is self._waiting[0]
            request.is_withdrawn = True
            arriving = self._arriving
            if not is_first:
                self._waiting.remove(request)
        if not is_first:
            pending_op.end(error=CancelledError(None, None, "Dequeue operation was cancelled"))
        elif arriving is not None:
            arriving.withdraw()


def _work_unit(element: tuple) -> bytes:
    """Converts a queue element to a work unit."""
    text = ""
    if len(element) != 1:
        text = "Expected single component queue"
    elif dense(element[0]).dtype != object:
        text = "Expected queue with single string component"
    elif dense(element[0]).size != 1:
        text = "Expected to dequeue a one-element string tensor"
    if text:
        invalid(text)
    return dense(element[0]).item()
