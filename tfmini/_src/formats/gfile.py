"""`GFile`: a file as TensorFlow's programs open it, not opened before its first use.

Reading and writing have each a place of their own: what is written goes to the end, and is read after `flush`.
"""

from __future__ import annotations

import os
from typing import Any, BinaryIO

from tfmini._src.base import errors
from tfmini._src.base.errors import invalid
from tfmini._src.base.names.deprecation import deprecated, deprecated_args
from tfmini._src.formats.gfile_functions import local, stat, text_of
from tfmini._src.formats.open_file import is_special
from tfmini._src.formats.system_errors import translated

_READS = ("r", "r+", "a+", "w+")
_WRITES = ("a", "w", "r+", "a+", "w+")
_BUFFER = 1 << 19


class FileIO:
    """A file to read from and to write to, with a name and a mode; itself an iterator of its lines.

    Args:
      name: the path, as text, bytes or a path object.
      mode: "r", "w", "a", "r+", "w+" or "a+"; with "b" contents are bytes, else text in UTF-8. Only "a" and "a+"
        keep what is there when something is written.

    Raises:
      InvalidArgumentError: there is no such mode. What is wrong with the path shows at the first use.
    """

    _reader: BinaryIO | None = None
    _writer: BinaryIO | None = None

    def __init__(self, name: Any, mode: str) -> None:
        self._name = name
        self._mode = mode
        self._binary = "b" in mode
        self._plain_mode = mode.replace("b", "")
        if self._plain_mode not in {*_READS, *_WRITES}:
            invalid("mode is not 'r' or 'w' or 'a' or 'r+' or 'w+' or 'a+'")

    def __del__(self) -> None:
        self.close()

    @property
    def name(self):
        """The path, as it was given."""
        return self._name

    @property
    def mode(self):
        """The mode, as it was given."""
        return self._mode

    def size(self):
        """The bytes that the file has on the disk.

        Raises:
          NotFoundError: there is no such file.
        """
        return stat(self._name).length

    def read(self, n=-1):
        """The rest of the file, or its next part.

        Args:
          n: how many bytes, in a mode for text too; -1 for all.

        Returns:
          Bytes in a binary mode, else a string; fewer at the end of the file.

        Raises:
          PermissionDeniedError: the mode is not for reading.
          NotFoundError: there is no such file.
        """
        file = self._opened_to_read()
        if n < -1:
            raise OverflowError("in method 'ReadFromStream', argument 2 of type 'size_t'")
        with translated(text_of(self._name)):
            if n == -1 and is_special(os.fstat(file.fileno()).st_mode):
                n = 0  # a device may never end
            return self._contents(file.read(n))

    def readline(self):
        r"""The next line with its "\n", or nothing at the end of the file; "\r" is left out."""
        file = self._opened_to_read()
        with translated(text_of(self._name)):
            return self._contents(file.readline().replace(b"\r", b""))

    def readlines(self):
        """A list of all lines that follow."""
        return list(iter(self.readline, b"" if self._binary else ""))

    @deprecated_args(None, "position is deprecated in favor of the offset argument.", "position")
    def seek(self, offset=None, whence=0, position=None):
        """Moves the read position.

        Args:
          offset: a number of bytes.
          whence: what it counts from: 0 for the beginning of the file, 1 for where reading is, 2 for the end.
          position: outdated name of `offset`.

        Raises:
          InvalidArgumentError: the place is before the beginning, or there is no such `whence`.
          OutOfRangeError: it is behind the end.
        """
        file = self._opened_to_read()
        if offset is None and position is None:
            raise TypeError("seek(): offset argument required")
        if offset is not None and position is not None:
            raise TypeError("seek(): offset and position may not be set simultaneously.")
        place = offset if position is None else position
        if whence == 1:
            place += self.tell()
        elif whence == 2:
            place += self.size()
        elif whence != 0:
            invalid(f"Invalid whence argument: {whence}. Valid values are 0, 1, or 2.")
        if place < 0:
            invalid(f"Seeking to a negative position: {place}")
        end = os.fstat(file.fileno()).st_size
        file.seek(min(place, end))
        if place > end:
            raise errors.OutOfRangeError(None, None, "reached end of file")

    def tell(self):
        """The read position in bytes from the beginning; in a mode that does not read, the write position."""
        if self._plain_mode in _READS:
            return self._opened_to_read().tell()
        return self._opened_to_write().tell()

    def seekable(self):
        """True: `seek` and `tell` work."""
        return True

    def write(self, file_content):
        """Appends text or bytes; old contents that the mode does not keep are dropped at the first write.

        Args:
          file_content: a string, which becomes UTF-8, or bytes.

        Raises:
          PermissionDeniedError: the mode is not for writing.
          NotFoundError: there is no folder for the file.
        """
        file = self._opened_to_write()
        if isinstance(file_content, str):
            file_content = file_content.encode()
        elif not isinstance(file_content, bytes):
            raise TypeError(f"Expected binary or unicode string, got {file_content!r}")
        with translated(text_of(self._name)):
            file.write(file_content)

    def flush(self):
        """Hands the written bytes to the system, so that others can read them."""
        if self._writer is not None:
            with translated(text_of(self._name)):
                self._writer.flush()

    def close(self):
        """Ends reading and writing; a later use opens the file again."""
        reader, writer = self._reader, self._writer
        self._reader = self._writer = None
        if reader is not None:
            reader.close()
        if writer is not None:
            with translated(text_of(self._name)):
                writer.close()

    def next(self):
        """The next line; raises StopIteration at the end of the file."""
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    __next__ = next

    def __iter__(self):
        return self

    def __enter__(self):
        return self

    def __exit__(self, unused_type, unused_value, unused_traceback):
        self.close()

    def _opened_to_read(self) -> BinaryIO:
        if self._reader is None:
            if self._plain_mode not in _READS:
                raise errors.PermissionDeniedError(None, None, "File isn't open for reading")
            name = text_of(self._name)
            with translated(name):
                self._reader = open(local(name), "rb", _BUFFER)
        return self._reader

    def _opened_to_write(self) -> BinaryIO:
        if self._writer is None:
            if self._plain_mode not in _WRITES:
                raise errors.PermissionDeniedError(None, None, "File isn't open for writing")
            name = text_of(self._name)
            with translated(name):
                self._writer = open(local(name), "ab" if "a" in self._mode else "wb")
        return self._writer

    def _contents(self, found: bytes) -> Any:
        return found if self._binary else found.decode()


class GFile(FileIO):
    """A file to read from or to write to; itself an iterator of its lines.

    It is opened at its first use, so only that shows what is wrong with the path; a file that is only opened for
    writing and then closed is not made.

    Args:
      name: the path, as text, bytes or a path object.
      mode: "r", "w", "a", "r+", "w+" or "a+"; with "b" contents are bytes, else text in UTF-8. Only "a" and "a+"
        keep what is there when something is written.

    Raises:
      InvalidArgumentError: there is no such mode.

    Example:
      graph_def = tf.GraphDef()
      with tf.gfile.GFile("frozen.pb", "rb") as file:
          graph_def.ParseFromString(file.read())
    """

    def __init__(self, name: Any, mode: str = "r") -> None:
        super().__init__(name, mode)


class FastGFile(FileIO):
    """`tf.gfile.GFile` by its older name; its first use warns."""

    @deprecated(None, "Use tf.gfile.GFile.")
    def __init__(self, name: Any, mode: str = "r") -> None:
        super().__init__(name, mode)
