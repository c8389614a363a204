"""Files as opened by Python 2: text-compatible bytes in every mode, with lines that end only at a newline."""

from __future__ import annotations

import builtins
import io
from collections.abc import Iterable
from typing import Any

from tfmini._src.programs.runner.python2.byte_text import ByteText, as_bytes, as_native


class NativeStringStream:
    """A binary stream that accepts text, and returns text if its bytes are decodable.

    Attributes:
      buffer: the underlying stream.
    """

    def __init__(self, buffer: Any, reads_bytes: bool) -> None:
        self.buffer = buffer
        self._reads_bytes = reads_bytes
        self._writes_text = False

    def __getattr__(self, name: str) -> Any:
        if name == "buffer":  # the buffer is not assigned yet
            raise AttributeError(name)
        return getattr(self.buffer, name)

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *error: object) -> None:
        self.buffer.close()

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        line = self.buffer.readline()
        if not line:
            raise StopIteration
        return as_native(line)

    next = __next__

    def seek(self, offset: int, whence: int = 0) -> None:
        self.buffer.seek(offset, whence)

    def xreadlines(self) -> Any:
        return self

    def read(self, size: int | None = -1) -> Any:
        data = self.buffer.read(size)
        return ByteText(data) if self._reads_bytes else as_native(data)

    def readline(self, size: int | None = -1) -> Any:
        return as_native(self.buffer.readline(size))

    def readlines(self, hint: int | None = -1) -> list[Any]:
        return [as_native(line) for line in self.buffer.readlines(hint)]

    def write(self, data: Any) -> None:
        self.buffer.write(as_bytes(data))

    def writelines(self, lines: Iterable[Any]) -> None:
        for line in lines:
            self.write(line)


class File(NativeStringStream):
    """A file, as returned by `open` and `file`."""

    def __init__(self, name: Any, mode: str = "r", buffering: int = -1) -> None:
        plain = "".join(c for c in mode if c not in "btU")
        plain = plain if plain[:1] in ("r", "w", "a") else f"r{plain}"
        size = -1 if buffering == 1 else buffering
        buffer: Any = builtins.open(name, f"{plain}b", size)
        if "U" in mode:
            data = buffer.read().replace(b"\r\n", b"\n").replace(b"\r", b"\n")
            buffer.close()
            buffer = io.BytesIO(data)
        super().__init__(buffer, "b" in mode)
        self.name = name
        self.mode = mode
        self._flushes = buffering == 1

    def __repr__(self) -> str:
        state = "closed" if self.buffer.closed else "open"
        return f"<{state} file {self.name!r}, mode {self.mode!r} at {id(self):#x}>"

    def write(self, data: Any) -> None:
        super().write(data)
        if self._flushes:
            self.buffer.flush()


class StringIO(NativeStringStream):
    """An in-memory stream: `StringIO` and `cStringIO`."""

    def __init__(self, buf: Any = "") -> None:
        super().__init__(io.BytesIO(as_bytes(buf)), False)

    @property
    def len(self) -> int:
        return len(self.buffer.getvalue())

    def getvalue(self) -> Any:
        return as_native(self.buffer.getvalue())

    def close(self) -> None:
        self.buffer.close()


def open_file(name: Any, mode: str = "r", buffering: int = -1, **kwargs: Any) -> Any:
    """Implements `open`; falls back to Python 3's for its arguments."""
    if kwargs:
        return builtins.open(name, mode, buffering, **kwargs)
    return File(name, mode, buffering)
