"""JSON request bodies, parsed without delaying other requests.

Python's parser holds the GIL for a whole body. Bodies of a few KiB are parsed on the event loop, bodies up to a MiB on
a thread, larger ones in another process (`json_processes`), unless they are lists of numbers, whose native reader
releases the GIL (`json_numbers`).
"""

from __future__ import annotations

import contextlib
import pickle
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, Protocol, TypeVar

from tfmini._src.base.dtypes import DType
from tfmini._src.programs.serving import json_tensors
from tfmini._src.programs.serving.json_numbers import numeric_request
from tfmini._src.programs.serving.json_process import PARSE
from tfmini._src.programs.serving.json_processes import (
    MIN_OFFLOADED_BYTES,
    JsonProcesses,
    receive_reply,
    send,
)
from tfmini._src.programs.serving.served_model import Arrays
from tfmini._src.programs.serving.steps import Steps

T = TypeVar("T")


class Body(Protocol):
    """A parsed body; `signature` is the requested signature's name, or ""."""

    signature: str

    async def inputs(self, dtypes: Mapping[str, DType]) -> tuple[Arrays, bool]:
        """Returns the arrays of a signature's inputs, and whether the request is in row format; raises OpError."""

    async def examples(self) -> list[bytes]:
        """Returns the serialized tf.train.Examples; raises OpError."""


class Bodies:
    """Parses bodies: medium ones on the threads `steps`, large ones in worker processes."""

    def __init__(self, steps: Steps, processes: JsonProcesses):
        self._steps, self._processes = steps, processes

    @contextlib.asynccontextmanager
    async def parse(self, body: bytes | bytearray) -> AsyncIterator[Body]:
        """Context manager with a parsed body, valid inside the block; raises OpError."""
        if len(body) < MIN_OFFLOADED_BYTES:
            request = await self._steps.run_offloaded(len(body), json_tensors.parse, body)
            yield _LocalBody(request, len(body), self._steps)
            return
        numeric = await self._steps.run_offloaded(len(body), numeric_request, body)
        if numeric is not None:
            yield _Numeric(numeric, body, self)
            return
        async with self.parse_in_subprocess(body) as remote_body:
            yield remote_body

    @contextlib.asynccontextmanager
    async def parse_in_subprocess(self, body: bytes | bytearray) -> AsyncIterator[_RemoteBody]:
        """Same as `parse`, in another process."""
        async with self._processes.process(len(body)) as process:
            await send(process, PARSE, body)
            _, signature = await receive_reply(process)
            yield _RemoteBody(signature, process)

    async def run_offloaded(self, size: int, function: Callable[..., T], *arguments: Any) -> T:
        """Runs a call, on a thread if its size would block the event loop."""
        return await self._steps.run_offloaded(size, function, *arguments)


class _LocalBody:
    """A body parsed in this process."""

    def __init__(self, request: Mapping[str, Any], size: int, steps: Steps):
        self.signature = json_tensors.signature_name(request)
        self._request, self._size, self._steps = request, size, steps

    async def inputs(self, dtypes: Mapping[str, DType]) -> tuple[Arrays, bool]:
        read = json_tensors.parse_inputs
        inputs = await self._steps.run_offloaded(self._size, read, self._request, dtypes)
        return inputs, json_tensors.INSTANCES in self._request

    async def examples(self) -> list[bytes]:
        return await self._steps.run_offloaded(
            self._size, json_tensors.parse_examples, self._request
        )


class _Numeric:
    """A large body of numbers; if they do not match the model's dtype, another process parses it and raises."""

    def __init__(self, request: Mapping[str, Any], body: bytes | bytearray, bodies: Bodies):
        self.signature = json_tensors.signature_name(request)
        self._request, self._body, self._bodies = request, body, bodies

    async def inputs(self, dtypes: Mapping[str, DType]) -> tuple[Arrays, bool]:
        read = json_tensors.numeric_inputs
        inputs = await self._bodies.run_offloaded(len(self._body), read, self._request, dtypes)
        if inputs is not None:
            return inputs, json_tensors.INSTANCES in self._request
        async with self._bodies.parse_in_subprocess(self._body) as remote_body:
            return await remote_body.inputs(dtypes)

    async def examples(self) -> list[bytes]:
        async with self._bodies.parse_in_subprocess(self._body) as remote_body:
            return await remote_body.examples()


class _RemoteBody:
    """A body parsed in another process."""

    def __init__(self, signature: str, process: Process):
        self.signature, self._process = signature, process

    async def inputs(self, dtypes: Mapping[str, DType]) -> tuple[Arrays, bool]:
        enums = {name: dtype.as_datatype_enum for name, dtype in dtypes.items()}
        await send(self._process, pickle.dumps(enums))
        _, inputs, has_instances = await receive_reply(self._process)
        return inputs, has_instances

    async def examples(self) -> list[bytes]:
        await send(self._process, pickle.dumps(None))
        return (await receive_reply(self._process))[1]
