"""Processes that parse and encode large JSON (`json_process`), so that it delays no other request."""

from __future__ import annotations

import asyncio
import contextlib
import pickle
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from typing import Any

from tfmini._src.base.errors import ResourceExhaustedError, make_error
from tfmini._src.programs.serving.json_process import LENGTH_BYTES, PART, frame_head, parse_head

MIN_OFFLOADED_BYTES = 1 << 20  # minimum bytes of bodies and arrays sent to another process
_MAX_BYTES = 64 << 20  # total bytes of bodies and arrays in processes; a larger one runs alone
_MAX_PROCESSES = 4  # concurrent processes
_MODULE = "tfmini._src.programs.serving.json_process"


class JsonProcesses:
    """Pool of processes, started on demand and reused."""

    def __init__(self) -> None:
        self._room = ByteBudget(_MAX_BYTES)
        self._idle: list[Process] = []

    @contextlib.asynccontextmanager
    async def process(self, size: int) -> AsyncIterator[Process]:
        """Context manager with a process for `size` bytes; entered once there is room."""
        async with self._room.reserve(max(size, _MAX_BYTES // _MAX_PROCESSES)):
            process = self._idle.pop() if self._idle else None
            if process is None or process.returncode is not None:
                command = sys.executable, "-m", _MODULE
                # In its own session: Ctrl-C ends it only together with its parent.
                process = await asyncio.create_subprocess_exec(
                    *command, stdin=PIPE, stdout=PIPE, start_new_session=True, limit=PART
                )
            is_complete = False
            try:
                yield process
                is_complete = True
            finally:
                if is_complete:
                    self._idle.append(process)
                else:  # the process may be in the middle of a request
                    await _kill(process)

    async def close(self) -> None:
        """Ends the idle processes."""
        while self._idle:
            await _kill(self._idle.pop())


async def send(process: Process, *frames: bytes | bytearray) -> None:
    """Writes frames to a process."""
    assert process.stdin is not None
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # the reply has a better error
        for data in frames:
            process.stdin.write(frame_head(len(data)))
            for begin in range(0, len(data), PART):
                process.stdin.write(data[begin : begin + PART])
                await process.stdin.drain()


async def receive_reply(process: Process) -> Any:
    """Returns the next reply of a process; raises OpError if it is an error."""
    size = parse_head(await receive_bytes(process, LENGTH_BYTES))
    answer = pickle.loads(await receive_bytes(process, size))
    if answer[0] == "error":
        raise make_error(None, None, answer[2], answer[1])
    return answer


async def receive_bytes(process: Process, size: int) -> bytes:
    """Reads `size` bytes from a process; raises ResourceExhaustedError if it has ended."""
    assert process.stdout is not None
    try:
        return await process.stdout.readexactly(size)
    except asyncio.IncompleteReadError:
        text = "The process that parses and writes large JSON died; it may have run out of memory"
        raise ResourceExhaustedError(None, None, text) from None


async def _kill(process: Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    assert process.stdin is not None
    process.stdin.close()
    await process.wait()


class ByteBudget:
    """A budget of `max_bytes` bytes, granted in FIFO order; a larger request gets all of it."""

    def __init__(self, max_bytes: int):
        self._max_bytes, self._taken = max_bytes, 0
        self._next = asyncio.Lock()
        self._freed = asyncio.Event()

    @contextlib.asynccontextmanager
    async def reserve(self, size: int) -> AsyncIterator[None]:
        """Context manager that holds `size` bytes; entered once they are available."""
        async with self._next:
            while self._taken and self._taken + size > self._max_bytes:
                self._freed.clear()
                await self._freed.wait()
            self._taken += size
        try:
            yield
        finally:
            self._taken -= size
            self._freed.set()
