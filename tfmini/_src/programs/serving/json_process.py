"""A process that parses and encodes large JSON: `python -m tfmini._src.programs.serving.json_process`.

Standard input and output carry frames: an eight-byte length, then the bytes. The first frame is a command. To `PARSE` a
body the process

1. reads the body,
2. writes `("body", signature_name)`,
3. reads the dtypes of that signature's inputs by name, or None if the body has examples,
4. writes `("inputs", arrays, has_instances)` or `("examples", serialized)`.

To `WRITE` a response it

1. reads `(arrays, by_row)`,
2. writes `("text", size)`, then `size` bytes without a head, for each chunk, and finally `("end",)`.

For an invalid request it writes `("error", code, text)` instead, which ends the exchange. All frames but the command
and the body are pickled.
"""

from __future__ import annotations

import gc
import pickle
import sys
from itertools import chain
from typing import Any, BinaryIO

from tfmini._src.base.dtypes import as_dtype
from tfmini._src.base.errors import OpError
from tfmini._src.devices.host.memory import release_freed_memory
from tfmini._src.programs.serving import json_tensors

LENGTH_BYTES = 8
PART = 1 << 20  # response size in bytes
PARSE, WRITE = b"parse", b"write"


def frame_head(size: int) -> bytes:
    """Returns the head of a frame with `size` bytes."""
    return size.to_bytes(LENGTH_BYTES, "little")


def parse_head(head: bytes) -> int:
    """Returns the byte count in a frame's head."""
    return int.from_bytes(head, "little")


def main() -> None:
    """Executes commands until standard input ends."""
    gc.disable()  # lists of numbers have no cycles, and searching for them takes most of the time
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    while (command := _read_frame(source)) is not None:
        try:
            (_parse if command == PARSE else _write_response)(source, sink)
        except OpError as error:
            _send(sink, ("error", error.error_code, error.message))
        release_freed_memory()


def _parse(source: BinaryIO, sink: BinaryIO) -> None:
    request = json_tensors.parse(_read_frame(source) or b"")
    _send(sink, ("body", json_tensors.signature_name(request)))
    dtypes = pickle.loads(_read_frame(source) or b"")
    if dtypes is None:
        _send(sink, ("examples", json_tensors.parse_examples(request)))
        return
    inputs = json_tensors.parse_inputs(request, {n: as_dtype(dtype) for n, dtype in dtypes.items()})
    _send(sink, ("inputs", inputs, json_tensors.INSTANCES in request))


def _write_response(source: BinaryIO, sink: BinaryIO) -> None:
    results, is_row_format = pickle.loads(_read_frame(source) or b"")
    form = json_tensors.rows_response if is_row_format else json_tensors.columns_response
    part = bytearray()
    for text in chain(form(results), (None,)):
        part += text or b""
        if len(part) >= PART or text is None:
            _send(sink, ("text", len(part)))
            sink.write(part)
            part.clear()
    _send(sink, ("end",))


def _read_frame(source: BinaryIO) -> bytes | None:
    """Reads a frame; None at the end."""
    head = source.read(LENGTH_BYTES)
    return source.read(parse_head(head)) if head else None


def _send(sink: BinaryIO, value: Any) -> None:
    data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    sink.write(frame_head(len(data)))
    sink.write(data)
    sink.flush()


if __name__ == "__main__":
    main()
