"""Mutexes: a step holds the lock until it is consumed; other steps wait in FIFO order.

If a step fails before that, its lock is released at the end of the step.
"""

from __future__ import annotations

import threading
import weakref
from collections import OrderedDict

import numpy as np

from tfmini._src.base.errors import CancelledError, invalid
from tfmini._src.base.locks import make_lock, make_rlock
from tfmini._src.graph.op_traits.handle_kinds import MUTEX, Resource
from tfmini._src.graph.opdef import op_with_handles
from tfmini._src.graph.shape_inference import scalar
from tfmini._src.ops.operands import HANDLE_TYPES
from tfmini._src.ops.pending_ops import STEP_BY_THREAD, PendingOp

op = op_with_handles(mutex=MUTEX)


class Mutex(Resource):
    """The state of the lock, and the pending ops in FIFO order."""

    resource_kind = MUTEX

    def __init__(self) -> None:
        self._lock = make_rlock()  # because garbage collection may release a lock
        self._is_locked = False
        self._waiting: OrderedDict[PendingOp, AcquiredLock] = OrderedDict()

    def acquire(self) -> PendingOp:
        """Returns a pending op to acquire the lock, which completes with an `AcquiredLock`."""
        pending_op, lock = PendingOp(self._withdraw), AcquiredLock(self)
        step = STEP_BY_THREAD.get(threading.get_ident())
        if step is not None:
            reference = weakref.ref(lock)
            step.at_end(lambda: _release(reference()))
        with self._lock:
            self._waiting[pending_op] = lock  # first: allocation may trigger a release
            if self._is_locked:
                return pending_op
            self._is_locked = True
        self.release()
        return pending_op

    def release(self) -> None:
        """Passes the lock to the next pending op."""
        with self._lock:
            if not self._waiting:
                self._is_locked = False
                return
            pending_op, lock = self._waiting.popitem(last=False)
        pending_op.end(lock.hold())

    def _withdraw(self, pending_op: PendingOp) -> None:
        with self._lock:
            self._waiting.pop(pending_op, None)
        pending_op.end(error=CancelledError(None, None, "Lock acquisition cancelled."))


class AcquiredLock:
    """The lock as held by one step; it is released once, at the latest when no longer referenced."""

    def __init__(self, mutex: Mutex):
        self._mutex = mutex
        self._lock = make_lock()
        self._is_held = False

    def hold(self) -> AcquiredLock:
        """Marks the mutex as held; returns the lock itself."""
        self._is_held = True
        return self

    def release(self) -> None:
        """Releases the mutex if it is held."""
        with self._lock:
            if not self._is_held:
                return
            self._is_held = False
        self._mutex.release()

    def __del__(self) -> None:
        self.release()


def _release(lock: AcquiredLock | None) -> None:
    if lock is not None:
        lock.release()


HANDLE_TYPES.add(AcquiredLock)


@op("MutexV2", "-> resource: resource", infer=scalar, stateful=True, container="", shared_name="")
def mutex_op(ctx):
    attrs = ctx.op.attrs
    name = attrs["shared_name"] or ctx.op.name
    return ctx.resources.named(("mutex", attrs["container"], name), Mutex)


@op("MutexLock", "mutex: resource -> mutex_lock: variant", stateful=True, may_wait=True)
def mutex_lock_op(xp, mutex):
    return mutex.acquire()


@op("ConsumeMutexLock", "mutex_lock: variant ->", stateful=True)
def consume_mutex_lock_op(xp, mutex_lock):
    if not isinstance(mutex_lock, AcquiredLock):
        shape = list(np.shape(mutex_lock))
        if shape:
            invalid(f"Expected input to be a scalar, saw shape: {shape}")
        invalid(
            "Expected input to contain a SharedLockReleaser object, but saw variant: "
            f"'{mutex_lock!r}'"
        )
    mutex_lock.release()


mutex_lock_op.infer(scalar)
