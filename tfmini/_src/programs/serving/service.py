"""Model requests, independent of transport."""

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
from tfmini._src.cluster.grpc_server import error_status
from tfmini._src.devices.host.memory import release_freed_memory, resident_bytes
from tfmini._src.programs.serving.access_log import AccessLog, set_fields
from tfmini._src.programs.serving.answers import Answers
from tfmini._src.programs.serving.batching import Batching, Results
from tfmini._src.programs.serving.bodies import Bodies
from tfmini._src.programs.serving.client_errors import ClientErrors
from tfmini._src.programs.serving.held_bytes import RequestByteLimit
from tfmini._src.programs.serving.json_processes import JsonProcesses
from tfmini._src.programs.serving.metrics import METRICS_PATHS, Metrics
from tfmini._src.programs.serving.model_versions import (
    ModelVersions,
    Source,
    Version,
    not_found,
)
from tfmini._src.programs.serving.served_model import Arrays, ServedModel, ServedSignature
from tfmini._src.programs.serving.steps import Steps
from tfmini._src.programs.serving.tls import Tls

T = TypeVar("T")

_MEMORY_SECONDS = 5.0  # seconds between checks of the process's memory
_MEMORY_KEPT = 32 << 20  # bytes above its minimum
_LARGEST_REQUESTS = 4  # concurrent requests of maximum size, or smaller ones of equal total


@dataclass(frozen=True)
class Spec:
    """The requested model; by default its newest version and default signature."""

    name: str
    version: int | None = None
    label: str = ""
    signature: str = ""


@dataclass(frozen=True)
class Options:
    """Server options.

    sources: the models.
    batch: maximum rows per batch, 1 to disable batching.
    batch_seconds: time that a request waits for its batch to fill.
    watch: seconds between checks for new versions; 0: only at startup.
    threads: number of concurrent steps.
    op_threads: number of threads per op; 0: one per core.
    max_waiting: maximum requests in progress; further ones are rejected.
    timeout: in seconds, per request.
    largest: maximum bytes of a request.
    max_connections: maximum HTTP connections; further ones are rejected.
    tls: for REST and gRPC; None: unencrypted.
    access_log: log file with a line per request; "-": standard output, "": none.
    proxies: addresses or networks of HTTP proxies whose X-Forwarded-For names the client, separated by commas.
    drain: seconds after a shutdown signal during which it serves, but is not ready.
    metrics_paths: HTTP paths of the metrics.
    """

    sources: tuple[Source, ...]
    batch: int = 1
    batch_seconds: float = 0.0
    watch: float = 0.0
    threads: int = 4
    op_threads: int = 0
    max_waiting: int = 1000
    timeout: float = 60.0
    largest: int = 256 << 20
    max_connections: int = 1000
    tls: Tls | None = None
    access_log: str = ""
    proxies: str = ""
    drain: float = 0.0
    metrics_paths: tuple[str, ...] = METRICS_PATHS


class Service:
    """A server's models, and requests to them; several processes share `metrics_directory`, which is "" for one."""

    def __init__(self, options: Options, metrics_directory: str = ""):
        self.options = options
        self.metrics = Metrics(metrics_directory)
        self.access_log = AccessLog(options.access_log)
        self.is_ending = False
        self._min_resident_bytes = sys.maxsize
        self.errors = ClientErrors(
            {source.name: source.base_directory for source in options.sources}
        )
        self.models = {
            source.name: ModelVersions(source, options.op_threads) for source in options.sources
        }
        self._steps = Steps(options.threads, options.max_waiting, options.timeout)
        self._batching = Batching(
            self._steps,
            options.batch,
            options.batch_seconds,
            lambda rows: self.metrics.add("batch_size", {}, rows),
        )
        self._json = JsonProcesses()
        self.bodies = Bodies(self._steps, self._json)
        self.answers = Answers(self._steps, self._json)
        self.held_bytes = RequestByteLimit(_LARGEST_REQUESTS * options.largest)
        self._tasks: list[asyncio.Task[None]] = []

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Context manager during which the models are loaded and watched."""
        await self._refresh()
        for name, model in self.models.items():
            for label, version_number in model.source.labels.items():
                if version_number not in model.available():
                    text = "Model %s: label %s refers to version %d, which is not being served"
                    logs.warning(text, name, label, version_number)
        self._tasks = [
            asyncio.create_task(self._repeat(1.0, self._write)),
            asyncio.create_task(self._repeat(_MEMORY_SECONDS, self._give_back_memory)),
        ]
        if self.options.watch:
            for model in self.models.values():  # each separately, because its files may stall
                refresh = functools.partial(self._refresh_model, model)
                watching = self._repeat(self.options.watch, refresh)
                self._tasks.append(asyncio.create_task(watching))
        try:
            yield
        finally:
            pending = set(self._tasks)
            while pending:  # before Python 3.12 `wait_for` may lose a cancellation
                for task in pending:
                    task.cancel()
                _, pending = await asyncio.wait(pending, timeout=0.1)
            self.metrics.write()
            await self._json.close()
            self._steps.close()
            self.access_log.close()

    async def _repeat(self, seconds: float, function: Callable[[], Awaitable[None]]) -> None:
        while True:
            await asyncio.sleep(seconds)
            try:
                await function()
            except Exception as error:  # loaded models keep serving, and the watch continues
                logs.error("While serving: %s", error)

    async def _write(self) -> None:
        self.metrics.write()

    async def _give_back_memory(self) -> None:
        """Returns memory freed by large requests to the system: sessions keep it for the next step."""
        resident = resident_bytes()
        self._min_resident_bytes = min(self._min_resident_bytes, resident)
        if resident > self._min_resident_bytes + _MEMORY_KEPT:
            await asyncio.to_thread(release_freed_memory)

    async def _refresh(self) -> None:
        await asyncio.gather(*map(self._refresh_model, self.models.values()))

    async def _refresh_model(self, model: ModelVersions) -> None:
        await model.refresh(functools.partial(self._steps.load, model.source.name))

    def find(self, spec: Spec, method: str = "") -> tuple[int, ServedSignature]:
        """Returns the requested version and signature; raises NotFoundError or InvalidArgumentError if unknown."""
        version_number, model = self.model(spec)
        signature = model.signature(spec.signature, method)
        set_fields(signature=signature.name)
        return version_number, signature

    def signatures(self, spec: Spec) -> tuple[int, dict[str, ServedSignature]]:
        """Returns the requested version and all its signatures; raises the errors of `find`."""
        version_number, model = self.model(spec)
        return version_number, model.signatures

    def model(self, spec: Spec) -> tuple[int, ServedModel]:
        """Returns the requested version; raises the errors of `find`."""
        if spec.name not in self.models:
            raise not_found(
                spec.name, "Latest" if spec.version is None else "Specific", spec.version
            )
        version_number, model = self.models[spec.name].model(spec.version, spec.label)
        set_fields(version=version_number)
        return version_number, model

    def versions(self, spec: Spec) -> dict[int, Version]:
        """Returns a model's versions, newest first, or the requested one; raises NotFoundError."""
        model = self.models.get(spec.name)
        selected = dict(sorted(model.versions.items(), reverse=True)) if model else {}
        version_number = spec.version
        if model and spec.label:
            version_number = model.model(None, spec.label)[0]
        if version_number is not None:
            selected = (
                {version_number: selected[version_number]} if version_number in selected else {}
            )
        if not selected:
            subject = "any versions" if version_number is None else f"version {version_number}"
            raise NotFoundError(None, None, f"Could not find {subject} of model {spec.name}")
        return selected

    def models_text(self) -> str:
        """Returns the available models with their versions and signatures, on one line."""
        serving = [
            f"{name} {version_number} ({', '.join(model.model(version_number, '')[1].signatures)})"
            for name, model in self.models.items()
            for version_number in reversed(model.available())
        ]
        return ", ".join(serving) or "no model yet"

    def ready(self) -> bool:
        """Whether every model has an available version, and no shutdown has begun."""
        return not self.is_ending and all(model.available() for model in self.models.values())

    async def run(
        self, signature: ServedSignature, inputs: Arrays, outputs: Sequence[str] = ()
    ) -> Results:
        """Returns the requested outputs, by default all; raises OpError."""
        names = signature.checked_outputs(outputs)
        signature.check_inputs(inputs)
        return await self._batching.run(signature, inputs, names)

    async def run_examples(
        self,
        spec: Spec,
        method: str,
        examples: Sequence[bytes],
        form: Callable[[Arrays, int], T],
    ) -> tuple[int, ServedSignature, T]:
        """Returns the requested version and its signature of this method, and its results for examples."""
        version_number, signature = self.find(spec, method)
        results = await self.run(signature, signature.example_inputs(examples))
        return version_number, signature, form(results, len(examples))

    async def run_offloaded(self, size: int, function: Callable[..., T], *arguments: Any) -> T:
        """Runs a call, on a thread if its size would block the event loop."""
        return await self._steps.run_offloaded(size, function, *arguments)

    async def run_limited(self, work: Coroutine[Any, Any, T]) -> T:
        """Awaits part of a request within the limits; raises OpError."""
        return await self._steps.run_limited(work)

    async def answer(self, name: str, api: str, entrypoint: str, work: Coroutine[Any, Any, T]) -> T:
        """Awaits the response to a model request within the limits, and counts it; raises OpError."""
        begin, code = time.perf_counter(), OK
        set_fields(method=api, model=name)
        labels = {"model_name": name if name in self.models else ""}
        try:
            return await self._steps.run_limited(work)
        except BaseException as error:
            code = (
                CANCELLED if isinstance(error, asyncio.CancelledError) else error_status(error)[0]
            )
            raise
        finally:
            self.metrics.add("request_count", {**labels, "status": proto.Code.Name(code)})
            microseconds = (time.perf_counter() - begin) * 1e6
            labels |= {"API": api, "entrypoint": entrypoint}
            self.metrics.add("request_latency", labels, microseconds)
