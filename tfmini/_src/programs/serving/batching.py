"""Batching: requests for the same signature, concatenated along the first dimension and run as one step."""

from __future__ import annotations

import asyncio
import functools
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, TypeVar

import numpy as np

from tfmini._src.programs.serving.served_model import Arrays, ServedSignature, array_bytes
from tfmini._src.programs.serving.steps import Steps
from tfmini._src.programs.serving.turns import CallKind

Results = dict[str, np.ndarray]

T = TypeVar("T")


@dataclass
class _Batch:
    """Requests waiting to run together."""

    signature: ServedSignature
    outputs: tuple[str, ...]
    timer: asyncio.Handle
    is_due: bool = False
    requests: list[tuple[Arrays, int, asyncio.Future[Results]]] = field(default_factory=list)
    rows: int = 0

    def kind(self) -> CallKind:
        """Returns the expected kind of its step."""
        size = sum(array_bytes(inputs) for inputs, _, _ in self.requests)
        return CallKind(self.signature.model, self.signature.is_gil_bound(size, self.outputs))


class Batching:
    """Runs requests on the threads of `steps`.

    A batch starts when it is full, or when its first request has waited `seconds` and a thread is free: batches are
    small under low load and large under high load.

    Args:
      steps: threads that run the batches.
      size: maximum rows per batch; 1 disables batching.
      seconds: minimum wait of a batch's first request, even if a thread is free.
      observe: called with the row count of each step.
    """

    def __init__(self, steps: Steps, size: int, seconds: float, observe: Callable[[int], None]):
        self._steps, self._size, self._seconds, self._observe = steps, size, seconds, observe
        self._batches: dict[object, _Batch] = {}
        self._running: dict[CallKind, set[asyncio.Task[None]]] = defaultdict(set)

    async def run(
        self, signature: ServedSignature, inputs: Arrays, outputs: tuple[str, ...]
    ) -> Results:
        """Returns the results of a request; raises OpError."""
        counts = {len(value) if value.ndim else 0 for value in inputs.values()}
        rows = counts.pop() if len(counts) == 1 else 0
        if not 0 < rows < self._size or not signature.has_batches:
            self._observe(max(rows, 1))
            size = array_bytes(inputs)
            return await self._step(signature, outputs, size, signature.run, inputs, outputs)
        loop = asyncio.get_running_loop()
        shapes = tuple((name, value.shape[1:]) for name, value in sorted(inputs.items()))
        key = signature, outputs, shapes
        batch = self._batches.get(key)
        if batch is not None and batch.rows + rows > self._size:
            self._start(key)
            batch = None
        if batch is None:
            timer: asyncio.Handle
            if self._seconds:
                timer = loop.call_later(self._seconds, self._start_now, key)
            else:  # requests that have arrived are read first
                timer = loop.call_soon(self._start_now, key)
            batch = self._batches[key] = _Batch(signature, outputs, timer)
        result: asyncio.Future[Results] = loop.create_future()
        batch.requests.append((inputs, rows, result))
        batch.rows += rows
        if batch.rows == self._size:
            self._start(key)
        return await result

    async def _step(
        self,
        signature: ServedSignature,
        outputs: tuple[str, ...],
        size: int,
        function: Callable[..., T],
        *arguments: Any,
    ) -> T:
        """Returns `function(*arguments)`, a step with inputs of `size` bytes; runs it here if expected to be quick."""
        self._steps.note_step()
        if signature.fits_event_loop(size, outputs):
            return function(*arguments)
        kind = CallKind(signature.model, signature.is_gil_bound(size, outputs))
        return await self._steps.run(kind, function, *arguments)

    def _start_now(self, key: object) -> None:
        batch = self._batches[key]
        batch.is_due = True
        self._start_if_due(key, batch)

    def _start_if_due(self, key: object, batch: _Batch) -> None:
        """Starts a batch that is due if a thread is free, regardless of other models: `turns` is fair to them."""
        kind = batch.kind()
        if batch.is_due and len(self._running[kind]) < (
            1 if kind.is_gil_bound else self._steps.threads
        ):
            self._start(key)

    def _start(self, key: object) -> None:
        batch = self._batches.pop(key)
        batch.timer.cancel()
        task = asyncio.get_running_loop().create_task(self._finish(batch))
        unanswered = len(batch.requests)

        def cancel_after_all(_: object) -> None:
            nonlocal unanswered
            unanswered -= 1
            if not unanswered:
                task.cancel()

        for _, _, result in batch.requests:
            result.add_done_callback(cancel_after_all)
        kind = batch.kind()
        self._running[kind].add(task)
        task.add_done_callback(functools.partial(self._discard, kind))

    def _discard(self, kind: CallKind, task: asyncio.Task[None]) -> None:
        self._running[kind].discard(task)
        for key, batch in [*self._batches.items()]:
            self._start_if_due(key, batch)
        for idle_kind in [kind for kind, tasks in self._running.items() if not tasks]:
            del self._running[idle_kind]

    async def _finish(self, batch: _Batch) -> None:
        """Runs a batch and completes its requests; on failure runs each alone, so that one cannot fail the others."""
        requests = [request for request in batch.requests if not request[2].done()]
        if len(requests) > 1:
            try:
                size = sum(array_bytes(inputs) for inputs, _, _ in requests)
                parts = await self._step(
                    batch.signature, batch.outputs, size, _run_batch, batch, requests
                )
            except Exception:  # each request gets its own error below
                parts = None
            if parts is not None:
                self._observe(sum(rows for _, rows, _ in requests))
                for (_, _, result), part in zip(requests, parts):
                    if not result.done():
                        result.set_result(part)
                return
        for inputs, rows, result in requests:
            self._observe(rows)
            try:
                signature, outputs = batch.signature, batch.outputs
                size, run = array_bytes(inputs), signature.run
                value = await self._step(signature, outputs, size, run, inputs, outputs)
            except Exception as error:  # reported to the waiter
                if not result.done():
                    result.set_exception(error)
            else:
                if not result.done():
                    result.set_result(value)


def _run_batch(
    batch: _Batch, requests: list[tuple[Arrays, int, asyncio.Future[Results]]]
) -> list[Results] | None:
    """Returns the results of each request of a batch, run as one step; None if an output's number of rows differs."""
    inputs = {
        name: np.concatenate([arrays[name] for arrays, _, _ in requests]) for name in requests[0][0]
    }
    results = batch.signature.run(inputs, batch.outputs)
    ends = list(accumulate(rows for _, rows, _ in requests))
    if any(value.ndim == 0 or len(value) != ends[-1] for value in results.values()):
        return None
    return [
        {name: value[end - rows : end] for name, value in results.items()}
        for (_, rows, _), end in zip(requests, ends)
    ]
