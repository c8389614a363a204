"""`tensorflow.python.pywrap_tensorflow`: the functions and classes without public names."""

from __future__ import annotations

import itertools
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.formats.events import EventFile
from tfmini._src.graph.eager.eager_constant import eager_constant
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.shape_inference import constant_value
from tfmini._src.graph.tensor import Tensor

__all__ = [
    "EventsWriter",
    "TFE_Py_TensorShapeSlice",
    "TFE_Py_UID",
    "TF_TryEvaluateConstant_wrapper",
    "TF_bfloat16_type",
]


_numbers = itertools.count()


def TF_bfloat16_type() -> type:
    """Returns the NumPy type of bfloat16."""
    return dtypes.bfloat16.as_numpy_dtype


def TF_TryEvaluateConstant_wrapper(graph: Any, output: Tensor) -> Any:
    """Returns the value of `tensor._as_tf_output()` if `graph._c_graph` alone determines it, else None."""
    return constant_value(output)


def TFE_Py_UID() -> int:
    """Returns a number that is unique in the process."""
    return next(_numbers)


def TFE_Py_TensorShapeSlice(tensors: Any, slice_dim: int) -> Tensor:
    """Returns the sizes of one dimension of tensors that have values, as an int32 tensor."""
    if not isinstance(tensors, list | tuple):
        raise TypeError(f"tensors argument must be a list or a tuple. Got {type(tensors).__name__}")
    if slice_dim < 0:
        raise ValueError(f"Slice dimension must be non-negative. Got {slice_dim}")
    sizes = []
    for index, tensor in enumerate(tensors):
        if not isinstance(tensor, EagerTensor):
            raise TypeError(
                f'Expected a list of EagerTensors but element {index} has type "{type(tensor).__name__}"'
            )
        if slice_dim >= tensor.ndim:
            raise IndexError(
                f"Slice dimension ({slice_dim}) must be smaller than rank of all tensors, but tensor at index "
                f"{index} has rank {tensor.ndim}"
            )
        sizes.append(len(tensor) if slice_dim == 0 else tensor.shape.as_list()[slice_dim])
    return eager_constant(sizes, dtypes.int32)


class EventsWriter:
    """Writes an event file `file_prefix`.out.tfevents..., which is created with the first event."""

    def __init__(self, file_prefix: str | bytes) -> None:
        self._prefix = _text(file_prefix)
        self._file = EventFile(self._prefix)

    def InitWithSuffix(self, suffix: str | bytes) -> None:
        """Creates the file, with a name that ends with `suffix`."""
        self._file = EventFile(self._prefix, _text(suffix))
        self._file.open()

    def FileName(self) -> bytes:
        """Returns the path of the file, which is created if it is missing."""
        self._file.open()
        return self._file.path.encode()

    def WriteEvent(self, event: Any) -> None:
        """Appends an Event proto."""
        self._file.write(event.SerializeToString())

    def Flush(self) -> None:
        """Flushes all events to the file."""
        self._file.flush()

    def Close(self) -> None:
        """Closes the file."""
        self._file.close()


def _text(path: str | bytes) -> str:
    return path.decode() if isinstance(path, bytes) else path
