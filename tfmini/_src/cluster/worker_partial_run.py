"""Partial runs on a task: its part of the step runs in a separate thread, which blocks on missing feeds."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import Any

from tfmini._src.base.errors import InternalError, OpError, invalid
from tfmini._src.base.locks import make_lock
from tfmini._src.cluster.registered_graph import RegisteredGraph
from tfmini._src.cluster.rendezvous import Future, TensorCollector
from tfmini._src.cluster.wire import bare
from tfmini._src.ops.pending_ops import Step

IDLE_SECONDS = 3600.0


class PartialStep:
    """A task's part of a partial run; starts immediately."""

    def __init__(self, graph: RegisteredGraph, step: Step, on_end: Callable[[], None]):
        self._graph = graph
        self._step = step
        self._ended = on_end
        self._end = Future()
        self.calls = 0  # callers that feed it or wait for its tensors
        self.idle_since = monotonic()
        threading.Thread(target=self._run, name="tfmini partial run", daemon=True).start()

    def _run(self) -> None:
        try:
            self._graph.run_in_parts(self._step)
        except BaseException as error:  # reported to the waiters for its tensors or its end
            reported = (
                error if isinstance(error, OpError) else InternalError(None, None, f"{error!r}")
            )
            self._step.rendezvous.abort(reported)
            self._end.put(None, reported)
        else:
            self._end.put(None)
        finally:
            self._ended()

    def go_on(self, feeds: Mapping[str, Any], keys: Sequence[str], is_last: bool) -> list[Any]:
        """Feeds arrays by key; blocks until the arrays of `keys` are available and returns them.

        Raises:
          InvalidArgumentError: for a tensor that the step does not produce.
          OpError: the error that ends the step.
        """
        graph, rendezvous = self._graph, self._step.rendezvous
        for key, value in feeds.items():
            graph.check_feed(key, value)
        outcome = Future()
        collector = TensorCollector(len(keys), outcome.put)
        for index, key in enumerate(keys):
            rendezvous.receive(key, collector.receiver(index))
        for key, value in feeds.items():
            rendezvous.send(key, bare(value), graph.feeds[key].dtype.base_dtype)
        items = outcome.get() if keys else []
        if is_last:
            self._end.get()
        for key, item in zip(keys, items):
            if item.is_dead:
                name = key.split(";")[3]
                text = f"The tensor returned for {name} was not valid."
                invalid(text)
        return [item.value for item in items]

    def cancel(self) -> None:
        """Cancels the step at its next wait."""
        self._step.cancel()


class PartialSteps:
    """A task's unfinished partial runs, by graph handle and step number.

    `give_up` receives the number of a step that has been idle for too long, for example because its client vanished;
    it would otherwise retain its thread and tensors.
    """

    def __init__(self, give_up: Callable[[int], None]) -> None:
        self._give_up = give_up
        self._lock = make_lock()
        self._steps: dict[tuple[str, int], PartialStep] = {}
        self._timer: threading.Timer | None = None

    @contextmanager
    def get_or_start(
        self, key: tuple[str, int], make: Callable[[], PartialStep]
    ) -> Iterator[PartialStep]:
        """Context manager for a step's part, started on first use; it is not considered idle inside the block."""
        with self._lock:
            share = self._steps.get(key)
            if share is None:
                share = self._steps[key] = make()
            share.calls += 1
            self._watch()
        try:
            yield share
        finally:
            with self._lock:
                share.calls -= 1
                share.idle_since = monotonic()

    def _watch(self) -> None:
        """Keeps a timer running while parts exist."""
        if not self._steps and self._timer is not None:
            self._timer.cancel()
            self._timer = None
        elif self._steps and self._timer is None:
            self._timer = threading.Timer(IDLE_SECONDS / 4, self._abort_idle)
            self._timer.daemon = True
            self._timer.start()

    def _abort_idle(self) -> None:
        """Abandons parts that have been idle for too long."""
        oldest_time = monotonic() - IDLE_SECONDS
        with self._lock:
            idle = [k for k, e in self._steps.items() if not e.calls and e.idle_since < oldest_time]
            self._timer = None
            self._watch()
        for _, step_id in idle:
            self._give_up(step_id)

    def forget(self, key: tuple[str, int]) -> None:
        with self._lock:
            self._steps.pop(key, None)
            self._watch()

    def forget_step(self, step_id: int) -> None:
        """Cancels the parts of a step."""
        with self._lock:
            keys = [key for key in self._steps if key[1] == step_id]
            ended_steps = [self._steps.pop(key) for key in keys]
            self._watch()
        for share in ended_steps:
            share.cancel()

    def close(self) -> None:
        """Cancels all parts."""
        with self._lock:
            step_ids = {step_id for _, step_id in self._steps}
        for step_id in step_ids:
            self.forget_step(step_id)
