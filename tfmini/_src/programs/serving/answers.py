"""JSON responses, encoded without delaying other requests: large ones in another process (`json_processes`)."""

from __future__ import annotations

import pickle

from tfmini._src.programs.serving import json_tensors
from tfmini._src.programs.serving.json_process import WRITE
from tfmini._src.programs.serving.json_processes import (
    MIN_OFFLOADED_BYTES,
    JsonProcesses,
    receive_bytes,
    receive_reply,
    send,
)
from tfmini._src.programs.serving.served_model import Arrays
from tfmini._src.programs.serving.steps import Steps


class Answers:
    """Encodes responses: medium ones on the threads `steps`, large ones in worker processes."""

    def __init__(self, steps: Steps, processes: JsonProcesses):
        self._steps, self._processes = steps, processes

    async def encode(self, results: Arrays, is_row_format: bool) -> list[bytes]:
        """Returns the chunks of an encoded response; raises OpError."""
        size = sum(value.nbytes for value in results.values())
        if size < MIN_OFFLOADED_BYTES:
            return [await self._steps.run_offloaded(size, _encode, results, is_row_format)]
        parts = []
        async with self._processes.process(size) as process:
            message = await self._steps.run_offloaded(size, _pickle, results, is_row_format)
            await send(process, WRITE, message)
            while (answer := await receive_reply(process))[0] == "text":
                parts.append(await receive_bytes(process, answer[1]))
        return parts


def _encode(results: Arrays, is_row_format: bool) -> bytes:
    form = json_tensors.rows_response if is_row_format else json_tensors.columns_response
    return b"".join(form(results))


def _pickle(results: Arrays, is_row_format: bool) -> bytes:
    return pickle.dumps((dict(results), is_row_format), pickle.HIGHEST_PROTOCOL)
