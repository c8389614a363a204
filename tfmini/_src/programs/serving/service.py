"""Requests to models, whichever way they came in."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from tfmini._src.base import logs, proto
from tfmini._src.base.errors import CANCELLED, OK, NotFoundError
from tfmini._src.cluster.grpc_server import status_of
from tfmini._src.devices.host.memory import give_back_freed_memory, resident_bytes
from tfmini._src.programs.serving.access_log import AccessLog, note
from tfmini._src.programs.serving.answers import Answers
from tfmini._src.programs.serving.batching import Batching, Results
from tfmini._src.programs.serving.bodies import Bodies
from tfmini._src.programs.serving.client_errors import ClientErrors
from tfmini._src.programs.serving.held_bytes import HeldBytes
from tfmini._src.programs.serving.json_processes import JsonProcesses
from tfmini._src.programs.serving.metrics import METRICS_PATHS, Metrics
from tfmini._src.programs.serving.model_versions import (
    ModelVersions,
    Source,
    Version,
    not_found,
)
from tfmini._src.programs.serving.served_model import Arrays, ServedModel, Signature
from tfmini._src.programs.serving.steps import Steps
from tfmini._src.programs.serving.tls import Tls

T = TypeVar("T")

_MEMORY_SECONDS = 5.0  # between two looks at the memory of the process
_MEMORY_KEPT = 32 << 20  # bytes above the least that it had
_LARGEST_REQUESTS = 4  # in memory at a time, or more requests of as many bytes


@dataclass(frozen=True)
class Spec:
    """The model that a request asks for: by default its newest version and its default signature."""

    name: str
    version: int | None = None
    label: str = ""
    signature: str = ""


@dataclass(frozen=True)
class Options:
    """Options of a server.

    sources: its models.
    batch: rows of a batch, 1 for none.
    batch_seconds: that a request waits for others of its batch.
    watch: seconds between two looks for versions; 0: at the start only.
    threads: steps that run at a time.
    op_threads: that an op may use; 0: as many as there are cores.
    most_waiting: requests in progress, more are refused.
    timeout: seconds that a request may take.
    largest: bytes of a request.
    most_connections: over HTTP, more are refused.
    tls: of REST and gRPC; None: neither is encrypted.
    access_log: the file of a line for each request; "-": standard output, "": none.
    drain: seconds after a signal to end in which it still answers, but is not ready.
    metrics_paths: where the metrics are, over HTTP.
    """

    sources: tuple[Source, ...]
    batch: int = 1
    batch_seconds: float = 0.0
    watch: float = 0.0
    threads: int = 4
    op_threads: int = 0
    most_waiting: int = 1000
    timeout: float = 60.0
    largest: int = 256 << 20
    most_connections: int = 1000
    tls: Tls | None = None
    access_log: str = ""
    drain: float = 0.0
    metrics_paths: tuple[str, ...] = METRICS_PATHS


class Service:
    """The models of a server, and requests to them.

    Args:
      options: of the server.
      metrics_folder: where several processes share their counts, or "".
    """

    def __init__(self, options: Options, metrics_folder: str = ""):
        self.options = options
        self.metrics = Metrics(metrics_folder)
        self.access_log = AccessLog(options.access_log)
        self.is_ending = False
        self._least_memory = sys.maxsize
        self.errors = ClientErrors({source.name: source.folder for source in options.sources})
        self.models = {
            source.name: ModelVersions(source, options.op_threads) for source in options.sources
        }
        self._steps = Steps(options.threads, options.most_waiting, options.timeout)
        self._batching = Batching(
            self._steps,
            options.batch,
            options.batch_seconds,
            lambda rows: self.metrics.add("batch_size", {}, rows),
        )
        self._json = JsonProcesses()
        self.bodies = Bodies(self._steps, self._json)
        self.answers = Answers(self._steps, self._json)
        self.held_bytes = HeldBytes(_LARGEST_REQUESTS * options.largest)
        self._tasks: list[asyncio.Task[None]] = []

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """A block in which the models are loaded, and watched."""
        await self._refresh()
        for name, model in self.models.items():
            for label, number in model.source.labels.items():
                if number not in model.available():
                    text = "Model %s: label %s refers to version %d, which is not being served"
                    logs.warning(text, name, label, number)
        self._tasks = [
            asyncio.create_task(self._every(1.0, self._write)),
            asyncio.create_task(self._every(_MEMORY_SECONDS, self._give_back_memory)),
        ]
        if self.options.watch:
            for model in self.models.values():  # each by itself: its files may stall
                refresh = functools.partial(self._refresh_model, model)
                watching = self._every(self.options.watch, refresh)
                self._tasks.append(asyncio.create_task(watching))
        try:
            yield
        finally:
            left = set(self._tasks)
            while left:  # before Python 3.12 `wait_for` may drop a cancellation
                for task in left:
                    task.cancel()
                _, left = await asyncio.wait(left, timeout=0.1)
            self.metrics.write()
            await self._json.close()
            self._steps.close()
            self.access_log.close()

    async def _every(self, seconds: float, function: Callable[[], Awaitable[None]]) -> None:
        while True:
            await asyncio.sleep(seconds)
            try:
                await function()
            except Exception as error:  # what serves goes on, and so does this
                logs.error("While serving: %s", error)

    async def _write(self) -> None:
        self.metrics.write()

    async def _give_back_memory(self) -> None:
        """Returns to the system what large requests have freed: sessions keep freed memory for the next step."""
        resident = resident_bytes()
        self._least_memory = min(self._least_memory, resident)
        if resident > self._least_memory + _MEMORY_KEPT:
            await asyncio.to_thread(give_back_freed_memory)

    async def _refresh(self) -> None:
        await asyncio.gather(*map(self._refresh_model, self.models.values()))

    async def _refresh_model(self, model: ModelVersions) -> None:
        await model.refresh(functools.partial(self._steps.load, model.source.name))

    def find(self, spec: Spec, method: str = "") -> tuple[int, Signature]:
        """The version and the signature that a request asks for.

        Raises:
          NotFoundError, InvalidArgumentError: if there is none.
        """
        number, model = self.model(spec)
        signature = model.signature(spec.signature, method)
        note(signature=signature.name)
        return number, signature

    def signatures(self, spec: Spec) -> tuple[int, dict[str, Signature]]:
        """The version that a request asks for and all signatures of it; raises as `find` does."""
        number, model = self.model(spec)
        return number, model.signatures

    def model(self, spec: Spec) -> tuple[int, ServedModel]:
        """The version that a request asks for; raises as `find` does."""
        if spec.name not in self.models:
            raise not_found(
                spec.name, "Latest" if spec.version is None else "Specific", spec.version
            )
        number, model = self.models[spec.name].model(spec.version, spec.label)
        note(version=number)
        return number, model

    def versions(self, spec: Spec) -> dict[int, Version]:
        """The versions of a model, the newest first, or the one that is asked for; raises NotFoundError."""
        model = self.models.get(spec.name)
        found = dict(sorted(model.versions.items(), reverse=True)) if model else {}
        number = spec.version
        if model and spec.label:
            number = model.model(None, spec.label)[0]
        if number is not None:
            found = {number: found[number]} if number in found else {}
        if not found:
            wanted = "any versions" if number is None else f"version {number}"
            raise NotFoundError(None, None, f"Could not find {wanted} of model {spec.name}")
        return found

    def shown(self) -> str:
        """The models that serve, with their versions and signatures, in a line."""
        serving = [
            f"{name} {number} ({', '.join(model.model(number, '')[1].signatures)})"
            for name, model in self.models.items()
            for number in reversed(model.available())
        ]
        return ", ".join(serving) or "no model yet"

    def ready(self) -> bool:
        """Whether each model has a version that serves, and no end is near."""
        return not self.is_ending and all(model.available() for model in self.models.values())

    async def run(
        self, signature: Signature, inputs: Arrays, outputs: Sequence[str] = ()
    ) -> Results:
        """The outputs asked for, by default all; raises OpError."""
        asked = signature.checked_outputs(outputs)
        signature.check_inputs(inputs)
        return await self._batching.run(signature, inputs, asked)

    async def of_examples(
        self,
        spec: Spec,
        method: str,
        examples: Sequence[bytes],
        form: Callable[[Arrays, int], T],
    ) -> tuple[int, Signature, T]:
        """The version and the signature of this method that a request asks for, and what it makes of examples."""
        number, signature = self.find(spec, method)
        results = await self.run(signature, signature.of_examples(examples))
        return number, signature, form(results, len(examples))

    async def apart(self, size: int, function: Callable[..., T], *arguments: Any) -> T:
        """A call, on a thread if it is about more bytes than the event loop can wait for."""
        return await self._steps.apart(size, function, *arguments)

    async def limited(self, work: Coroutine[Any, Any, T]) -> T:
        """Awaits a part of a request within the limits; raises OpError."""
        return await self._steps.limited(work)

    async def answered(
        self, name: str, api: str, entrypoint: str, work: Coroutine[Any, Any, T]
    ) -> T:
        """Awaits the answer to a request to a model, within the limits, and counts it; raises OpError."""
        begin, code = time.perf_counter(), OK
        note(method=api, model=name)
        labels = {"model_name": name if name in self.models else ""}
        try:
            return await self._steps.limited(work)
        except BaseException as error:
            code = CANCELLED if isinstance(error, asyncio.CancelledError) else status_of(error)[0]
            raise
        finally:
            self.metrics.add("request_count", {**labels, "status": proto.Code.Name(code)})
            taken = (time.perf_counter() - begin) * 1e6
            labels |= {"API": api, "entrypoint": entrypoint}
            self.metrics.add("request_latency", labels, taken)
