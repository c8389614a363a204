"""`GFile`: TensorFlow's file object, opened lazily on first use.

Reading and writing have separate positions: writes append to the end, and are readable after `flush`.
"""

from __future__ import annotations

import os
from typing import Any, BinaryIO, Self

from tfmini._src.base import errors, program_strings
from tfmini._src.base.errors import invalid
from tfmini._src.base.names.deprecation import deprecated, deprecated_args
from tfmini._src.formats.gfile_functions import path_to_text, stat, strip_scheme
from tfmini._src.formats.open_file import is_special
from tfmini._src.formats.system_errors import translate_errors

_READABLE_MODES = ("r", "r+", "a+", "w+")
_WRITABLE_MODES = ("a", "w", "r+", "a+", "w+")
_BUFFER = 1 << 19


class FileIO:
    """A file to read and write, with a name and a mode; iterates over its lines.

    Args:
      name: the path, as str, bytes or a path object.
      mode: "r", "w", "a", "r+", "w+" or "a+"; with "b", contents are bytes, else UTF-8 text. Only "a" and "a+"
        preserve existing contents when writing.

    Raises:
      InvalidArgumentError: for an invalid mode. Path errors are raised on first use.
    """

    _reader: BinaryIO | None = None
    _writer: BinaryIO | None = None

    def __init__(self, name: Any, mode: str) -> None:
        self._name = name
        self._mode = mode
        self._binary = "b" in mode
        self._mode_without_b = mode.replace("b", "")
        if self._mode_without_b not in {*_READABLE_MODES, *_WRITABLE_MODES}:
            invalid("mode is not 'r' or 'w' or 'a' or 'r+' or 'w+' or 'a+'")

    def __del__(self) -> None:
        self.close()

    @property
    def name(self) -> Any:
        """The path, as passed."""
        return self._name

    @property
    def mode(self) -> str:
        """The mode, as passed."""
        return self._mode

    def size(self) -> int:
        """Returns the file's size on disk in bytes; raises NotFoundError if the file does not exist."""
        return stat(self._name).length

    def read(self, n: int = -1) -> Any:
        """Reads the rest of the file, or the next `n` bytes.

        Args:
          n: number of bytes, even in text modes; -1 for all.

        Returns:
          Bytes in binary modes, else a string; fewer at the end of the file.

        Raises:
          PermissionDeniedError: if the mode does not allow reading.
          NotFoundError: if the file does not exist.
        """
        file = self._open_to_read()
        if n < -1:
            raise OverflowError("in method 'ReadFromStream', argument 2 of type 'size_t'")
        with translate_errors(path_to_text(self._name)):
            if n == -1 and is_special(os.fstat(file.fileno()).st_mode):
                n = 0  # reading a device may never end
            return self._contents(file.read(n))

    def readline(self) -> Any:
        r"""Reads the next line with its "\n", or nothing at the end of the file; removes "\r"."""
        file = self._open_to_read()
        with translate_errors(path_to_text(self._name)):
            return self._contents(file.readline().replace(b"\r", b""))

    def readlines(self) -> list[Any]:
        """Reads all remaining lines into a list."""
        return list(iter(self.readline, b"" if self._binary else ""))

    @deprecated_args(None, "position is deprecated in favor of the offset argument.", "position")
    def seek(self, offset: int | None = None, whence: int = 0, position: int | None = None) -> None:
        """Moves the read position.

        Args:
          offset: number of bytes.
          whence: the reference point: 0 for the start of the file, 1 for the current position, 2 for the end.
          position: deprecated name of `offset`.

        Raises:
          InvalidArgumentError: for a position before the start, or an invalid `whence`.
          OutOfRangeError: for a position beyond the end.
        """
        file = self._open_to_read()
        if offset is None and position is None:
            raise TypeError("seek(): offset argument required")
        if offset is not None and position is not None:
            raise TypeError("seek(): offset and position may not be set simultaneously.")
        target: Any = offset if position is None else position
        if whence == 1:
            target += self.tell()
        elif whence == 2:
            target += self.size()
        elif whence != 0:
            invalid(f"Invalid whence argument: {whence}. Valid values are 0, 1, or 2.")
        if target < 0:
            invalid(f"Seeking to a negative position: {target}")
        end = os.fstat(file.fileno()).st_size
        file.seek(min(target, end))
        if target > end:
            raise errors.OutOfRangeError(None, None, "reached end of file")

    def tell(self) -> int:
        """Returns the read position in bytes; in write-only modes, the write position."""
        if self._mode_without_b in _READABLE_MODES:
            return self._open_to_read().tell()
        return self._open_to_write().tell()

    def seekable(self) -> bool:
        """Returns True: `seek` and `tell` are supported."""
        return True

    def write(self, file_content: str | bytes) -> None:
        """Appends text or bytes; the first write truncates the file unless the mode preserves contents.

        Args:
          file_content: a string, encoded as UTF-8, or bytes.

        Raises:
          PermissionDeniedError: if the mode does not allow writing.
          NotFoundError: if the directory does not exist.
        """
        file = self._open_to_write()
        if isinstance(file_content, str):
            file_content = file_content.encode()
        elif not isinstance(file_content, bytes):
            raise TypeError(f"Expected binary or unicode string, got {file_content!r}")
        with translate_errors(path_to_text(self._name)):
            file.write(file_content)

    def flush(self) -> None:
        """Flushes written data to the system, so that other readers see it."""
        if self._writer is not None:
            with translate_errors(path_to_text(self._name)):
                self._writer.flush()

    def close(self) -> None:
        """Closes the file; it is reopened on next use."""
        reader, writer = self._reader, self._writer
        self._reader = self._writer = None
        if reader is not None:
            reader.close()
        if writer is not None:
            with translate_errors(path_to_text(self._name)):
                writer.close()

    def next(self) -> Any:
        """Returns the next line; raises StopIteration at the end of the file."""
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    __next__ = next

    def __iter__(self) -> Self:
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(self, unused_type: object, unused_value: object, unused_traceback: object) -> None:
        self.close()

    def _open_to_read(self) -> BinaryIO:
        if self._reader is None:
            if self._mode_without_b not in _READABLE_MODES:
                raise errors.PermissionDeniedError(None, None, "File isn't open for reading")
            name = path_to_text(self._name)
            with translate_errors(name):
                self._reader = open(strip_scheme(name), "rb", _BUFFER)
        return self._reader

    def _open_to_write(self) -> BinaryIO:
        if self._writer is None:
            if self._mode_without_b not in _WRITABLE_MODES:
                raise errors.PermissionDeniedError(None, None, "File isn't open for writing")
            name = path_to_text(self._name)
            with translate_errors(name):
                self._writer = open(strip_scheme(name), "ab" if "a" in self._mode else "wb")
        return self._writer

    def _contents(self, data: bytes) -> Any:
        if self._binary:
            return program_strings.decode_strings(data)
        try:
            return data.decode()
        except UnicodeDecodeError:
            if not program_strings.decoders:
                raise
        return program_strings.decode_strings(data)


class GFile(FileIO):
    """A file to read or write; iterates over its lines.

    It is opened on first use, which raises any path errors; a file opened for writing
    but never written is not created.

    Args:
      name: the path, as str, bytes or a path object.
      mode: "r", "w", "a", "r+", "w+" or "a+"; with "b", contents are bytes, else UTF-8 text. Only "a" and "a+"
        preserve existing contents when writing.

    Raises:
      InvalidArgumentError: for an invalid mode.

    Example:

      graph_def = tf.GraphDef()
      with tf.gfile.GFile("frozen.pb", "rb") as file:
          graph_def.ParseFromString(file.read())
    """

    def __init__(self, name: str | None, mode: str = "r") -> None:
        super().__init__(name, mode)


class FastGFile(FileIO):
    """Older name of `tf.gfile.GFile`; warns on first use."""

    @deprecated(None, "Use tf.gfile.GFile.")
    def __init__(self, name: str | None, mode: str = "r") -> None:
        super().__init__(name, mode)
