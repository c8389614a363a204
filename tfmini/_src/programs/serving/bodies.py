"""JSON bodies of requests, parsed where they delay no other request.

The parser holds the interpreter until it has read all of a body. A body of a few KiB is parsed on the event loop, one
of up to a MiB on a thread, a larger one by another process (`body_process`).
"""

from __future__ import annotations

import asyncio
import contextlib
import pickle
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Mapping
from typing import Any, Protocol

from tfmini._src.base.dtypes import DType
from tfmini._src.base.errors import ResourceExhaustedError, make_error
from tfmini._src.programs.serving import json_tensors
from tfmini._src.programs.serving.body_process import LENGTH_BYTES, length_of, size_of
from tfmini._src.programs.serving.served_model import Arrays
from tfmini._src.programs.serving.steps import Steps

_LARGE = 1 << 20  # bytes that another process parses
_MOST_BYTES = 64 << 20  # of large bodies parsed at a time; a larger one is parsed alone
_MOST_PROCESSES = 4  # at a time
_PART = 1 << 20  # bytes written at once
_MODULE = "tfmini._src.programs.serving.body_process"


class Body(Protocol):
    """A parsed body; `signature` is the name of the signature that it asks for, or ""."""

    signature: str

    async def inputs(self, dtypes: Mapping[str, DType]) -> tuple[Arrays, bool]:
        """The arrays of a signature's inputs, and whether they are given by row; raises OpError."""

    async def examples(self) -> list[bytes]:
        """Serialized tf.train.Examples; raises OpError."""


class Bodies:
    """Parses bodies.

    Args:
      steps: threads for bodies of medium size.
    """

    def __init__(self, steps: Steps):
        self._steps = steps
        self._room = _Room(_MOST_BYTES)
        self._idle: list[Process] = []  # kept for the next large bodies

    @contextlib.asynccontextmanager
    async def parsed(self, body: bytes | bytearray) -> AsyncIterator[Body]:
        """A block with a parsed body, whose parts are to be taken within it; raises OpError."""
        if len(body) < _LARGE:
            request = await self._steps.apart(len(body), json_tensors.parsed, body)
            yield _Here(request, len(body), self._steps)
            return
        share = max(len(body), _MOST_BYTES // _MOST_PROCESSES)
        async with self._room.taken(share), self._process() as process:
            await _send(process, body)
            _, signature = await _received(process)
            yield _There(signature, process)

    @contextlib.asynccontextmanager
    async def _process(self) -> AsyncIterator[Process]:
        process = self._idle.pop() if self._idle else None
        if process is None or process.returncode is not None:
            command = sys.executable, "-m", _MODULE
            # In a session of its own: Ctrl-C ends it with its parent only.
            process = await asyncio.create_subprocess_exec(
                *command, stdin=PIPE, stdout=PIPE, start_new_session=True, limit=_PART
            )
        is_whole = False
        try:
            yield process
            is_whole = True
        finally:
            if is_whole:
                self._idle.append(process)
            else:  # it may be in the midst of a body
                await _ended(process)

    async def close(self) -> None:
        """Ends the processes that are kept."""
        while self._idle:
            await _ended(self._idle.pop())


class _Here:
    """A body parsed by this process."""

    def __init__(self, request: Mapping[str, Any], size: int, steps: Steps):
        self.signature = json_tensors.signature_of(request)
        self._request, self._size, self._steps = request, size, steps

    async def inputs(self, dtypes: Mapping[str, DType]) -> tuple[Arrays, bool]:
        read = json_tensors.inputs_of
        inputs = await self._steps.apart(self._size, read, self._request, dtypes)
        return inputs, json_tensors.INSTANCES in self._request

    async def examples(self) -> list[bytes]:
        return await self._steps.apart(self._size, json_tensors.examples_of, self._request)


class _There:
    """A body parsed by another process."""

    def __init__(self, signature: str, process: Process):
        self.signature, self._process = signature, process

    async def inputs(self, dtypes: Mapping[str, DType]) -> tuple[Arrays, bool]:
        asked = {name: dtype.as_datatype_enum for name, dtype in dtypes.items()}
        await _send(self._process, pickle.dumps(asked))
        _, inputs, has_instances = await _received(self._process)
        return inputs, has_instances

    async def examples(self) -> list[bytes]:
        await _send(self._process, pickle.dumps(None))
        return (await _received(self._process))[1]


async def _send(process: Process, data: bytes | bytearray) -> None:
    assert process.stdin is not None
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # its answer says it better
        process.stdin.write(length_of(len(data)))
        for begin in range(0, len(data), _PART):
            process.stdin.write(data[begin : begin + _PART])
            await process.stdin.drain()


async def _received(process: Process) -> Any:
    """The next answer of a process; raises OpError if that is an error."""
    assert process.stdout is not None
    try:
        size = size_of(await process.stdout.readexactly(LENGTH_BYTES))
        answer = pickle.loads(await process.stdout.readexactly(size))
    except asyncio.IncompleteReadError:
        text = "The process that parses large requests has ended: it may have run out of memory"
        raise ResourceExhaustedError(None, None, text) from None
    if answer[0] == "error":
        raise make_error(None, None, answer[2], answer[1])
    return answer


async def _ended(process: Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    assert process.stdin is not None
    process.stdin.close()
    await process.wait()


class _Room:
    """Bytes that may be taken at a time, by one after the other in the order in which they ask.

    Args:
      most: how many in all; who takes more is alone.
    """

    def __init__(self, most: int):
        self._most, self._taken = most, 0
        self._next = asyncio.Lock()
        self._freed = asyncio.Event()

    @contextlib.asynccontextmanager
    async def taken(self, size: int) -> AsyncIterator[None]:
        """A block that takes so many, and begins once there is room."""
        async with self._next:
            while self._taken and self._taken + size > self._most:
                self._freed.clear()
                await self._freed.wait()
            self._taken += size
        try:
            yield
        finally:
            self._taken -= size
            self._freed.set()
