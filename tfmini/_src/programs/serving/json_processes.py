"""Processes that parse and write large JSON (`json_process`), so that it delays no other request."""

from __future__ import annotations

import asyncio
import contextlib
import pickle
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from typing import Any

from tfmini._src.base.errors import ResourceExhaustedError, make_error
from tfmini._src.programs.serving.json_process import LENGTH_BYTES, PART, length_of, size_of

LARGE = 1 << 20  # bytes of a body or of arrays that go to another process
_MOST_BYTES = 64 << 20  # of bodies and arrays with the processes; a larger one is alone
_MOST_PROCESSES = 4  # at a time
_MODULE = "tfmini._src.programs.serving.json_process"


class JsonProcesses:
    """Processes, started as they are needed and kept for the next requests."""

    def __init__(self) -> None:
        self._room = Room(_MOST_BYTES)
        self._idle: list[Process] = []

    @contextlib.asynccontextmanager
    async def one(self, size: int) -> AsyncIterator[Process]:
        """A block with a process for so many bytes, which begins once there is room for them."""
        async with self._room.taken(max(size, _MOST_BYTES // _MOST_PROCESSES)):
            process = self._idle.pop() if self._idle else None
            if process is None or process.returncode is not None:
                command = sys.executable, "-m", _MODULE
                # In a session of its own: Ctrl-C ends it with its parent only.
                process = await asyncio.create_subprocess_exec(
                    *command, stdin=PIPE, stdout=PIPE, start_new_session=True, limit=PART
                )
            is_whole = False
            try:
                yield process
                is_whole = True
            finally:
                if is_whole:
                    self._idle.append(process)
                else:  # it may be in the midst of a request
                    await _ended(process)

    async def close(self) -> None:
        """Ends the processes that are kept."""
        while self._idle:
            await _ended(self._idle.pop())


async def send(process: Process, *frames: bytes | bytearray) -> None:
    """Writes frames to a process."""
    assert process.stdin is not None
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # its answer says it better
        for data in frames:
            process.stdin.write(length_of(len(data)))
            for begin in range(0, len(data), PART):
                process.stdin.write(data[begin : begin + PART])
                await process.stdin.drain()


async def received(process: Process) -> Any:
    """The next answer of a process; raises OpError if that is an error."""
    size = size_of(await received_bytes(process, LENGTH_BYTES))
    answer = pickle.loads(await received_bytes(process, size))
    if answer[0] == "error":
        raise make_error(None, None, answer[2], answer[1])
    return answer


async def received_bytes(process: Process, size: int) -> bytes:
    """So many bytes that a process writes; raises ResourceExhaustedError if it has ended."""
    assert process.stdout is not None
    try:
        return await process.stdout.readexactly(size)
    except asyncio.IncompleteReadError:
        text = "The process that parses and writes large JSON died; it may have run out of memory"
        raise ResourceExhaustedError(None, None, text) from None


async def _ended(process: Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    assert process.stdin is not None
    process.stdin.close()
    await process.wait()


class Room:
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
