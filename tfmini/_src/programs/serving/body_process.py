"""A process that parses large JSON bodies: `python -m tfmini._src.programs.serving.body_process`.

Standard input and output carry frames: a length of eight bytes, then as many bytes. For each body the process

1. reads the body,
2. writes `("body", signature_name)`,
3. reads the dtypes of that signature's inputs by name, or None where the body holds examples,
4. writes `("inputs", arrays, has_instances)` or `("examples", serialized)`.

In place of 2 or 4 stands `("error", code, text)` if the body is wrong; it ends the exchange. All frames but the body
are pickled.
"""

from __future__ import annotations

import gc
import pickle
import sys
from typing import Any, BinaryIO

from tfmini._src.base.dtypes import as_dtype
from tfmini._src.base.errors import OpError
from tfmini._src.programs.serving import json_tensors

LENGTH_BYTES = 8


def length_of(size: int) -> bytes:
    """The head of a frame."""
    return size.to_bytes(LENGTH_BYTES, "little")


def size_of(head: bytes) -> int:
    """The size of a frame by its head."""
    return int.from_bytes(head, "little")


def main() -> None:
    """Parses bodies until standard input ends."""
    gc.disable()  # lists of numbers have no cycles, and looking for some takes most of the time
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    while (body := _read(source)) is not None:
        try:
            _answer(source, sink, body)
        except OpError as error:
            _write(sink, ("error", error.error_code, error.message))
        body = None  # while this waits for the next one


def _answer(source: BinaryIO, sink: BinaryIO, body: bytes) -> None:
    request = json_tensors.parsed(body)
    _write(sink, ("body", json_tensors.signature_of(request)))
    dtypes = pickle.loads(_read(source) or b"")
    if dtypes is None:
        _write(sink, ("examples", json_tensors.examples_of(request)))
        return
    inputs = json_tensors.inputs_of(request, {n: as_dtype(each) for n, each in dtypes.items()})
    _write(sink, ("inputs", inputs, json_tensors.INSTANCES in request))


def _read(source: BinaryIO) -> bytes | None:
    """A frame; None at the end."""
    head = source.read(LENGTH_BYTES)
    return source.read(size_of(head)) if head else None


def _write(sink: BinaryIO, value: Any) -> None:
    data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    sink.write(length_of(len(data)))
    sink.write(data)
    sink.flush()


if __name__ == "__main__":
    main()
