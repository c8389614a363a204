"""`tensorflow.python.pywrap_tensorflow`: what of it has no public name."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.formats.events import EventFile
from tfmini._src.graph.shape_inference import constant_value
from tfmini._src.graph.tensor import Tensor

__all__ = ["EventsWriter", "TF_TryEvaluateConstant_wrapper", "TF_bfloat16_type"]


def TF_bfloat16_type() -> type:
    """numpy's type of bfloat16."""
    return dtypes.bfloat16.as_numpy_dtype


def TF_TryEvaluateConstant_wrapper(graph: Any, output: Tensor) -> Any:
    """The value of `tensor._as_tf_output()` where `graph._c_graph` alone decides it, else None."""
    return constant_value(output)


class EventsWriter:
    """Writes an event file, which is made when the first event comes.

    Args:
      file_prefix: its path up to `.out.tfevents`, bytes or text.
    """

    def __init__(self, file_prefix: str | bytes) -> None:
        self._prefix = _text(file_prefix)
        self._file = EventFile(self._prefix)

    def InitWithSuffix(self, suffix: str | bytes) -> None:
        """Makes the file, whose name ends with `suffix`."""
        self._file = EventFile(self._prefix, _text(suffix))
        self._file.open()

    def FileName(self) -> bytes:
        """The path of the file, which is made if it is not there."""
        self._file.open()
        return self._file.path.encode()

    def WriteEvent(self, event: Any) -> None:
        """Adds an Event proto."""
        self._file.write(event.SerializeToString())

    def Flush(self) -> None:
        """All events can be read from the file."""
        self._file.flush()

    def Close(self) -> None:
        """Ends the file."""
        self._file.close()


def _text(path: str | bytes) -> str:
    return path.decode() if isinstance(path, bytes) else path
