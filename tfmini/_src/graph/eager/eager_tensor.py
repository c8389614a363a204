"""`EagerTensor`: a tensor with a value, as returned by ops in eager mode."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DType
from tfmini._src.base.shapes import Dims, ShapeLike, TensorShape
from tfmini._src.graph import raw
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager import execution_mode
from tfmini._src.graph.public_functions import ops
from tfmini._src.graph.tensor import Tensor

_ids = itertools.count()
_HOST = "/job:localhost/replica:0/task:0/device:CPU:0"


class EagerTensor(Tensor):
    """An immutable tensor with a concrete value.

    Attributes:
      dtype: its `DType`.
      shape: its fully defined shape.
      device: full name of the device that holds its memory.

    Example: `tf.constant([1.0, 2.0]).numpy()` is `np.array([1, 2], np.float32)`.
    """

    __slots__ = ("_array", "_memory", "_assigned_id")

    _is_eager = True

    def __init__(self, array: Any, dtype: Any = None, memory: str = "", **options: Any) -> None:
        if dtype.__class__ is not DType:
            array, dtype, memory = _create_tensor(array, dtype, **options)
        self._array = array
        self._dtype = dtype
        # Name of the GPU that holds the value, or of the CPU if it is not the first one.
        self._memory = memory

    # Graph tensor attributes ---------------------------------------------------------------------

    @property
    def op(self) -> NoReturn:  # type: ignore[override]
        raise AttributeError("Tensor.op is meaningless when eager execution is enabled.")

    @property
    def graph(self) -> NoReturn:  # type: ignore[override]
        raise AttributeError("Tensor.graph is meaningless when eager execution is enabled.")

    @property
    def name(self) -> NoReturn:
        raise AttributeError("Tensor.name is meaningless when eager execution is enabled.")

    @property
    def value_index(self) -> NoReturn:  # type: ignore[override]
        raise AttributeError("Tensor.value_index is meaningless when eager execution is enabled.")

    def consumers(self) -> NoReturn:
        raise NotImplementedError(
            "Tensor.consumers is meaningless when eager execution is enabled."
        )

    def eval(self, feed_dict: Any = None, session: Any = None) -> NoReturn:
        raise NotImplementedError(
            "eval is not supported when eager execution is enabled, is .numpy() what you're looking for?"
        )

    def _as_graph_element(self) -> None:  # type: ignore[override]
        """Returns None, because the tensor belongs to no graph."""

    @property
    def _constant(self) -> np.ndarray:  # type: ignore[override]
        """The tensor's value, for constant folding."""
        return np.asarray(self._numpy())

    # Shape ---------------------------------------------------------------------------------------

    @property
    def _dims(self) -> Dims:  # type: ignore[override]
        try:
            shape: Dims = self._array.shape
        except AttributeError:  # a handle, or a `tf.variant` value
            return ()
        return shape

    @property
    def shape(self) -> TensorShape:
        """The tensor's shape, which is always fully defined."""
        return TensorShape.from_dims(self._dims)

    def set_shape(self, shape: ShapeLike) -> None:
        """Checks that `shape` is compatible with the tensor's own; raises ValueError if it is not."""
        if not self.shape.is_compatible_with(shape):
            raise ValueError(
                f"Tensor's shape {self.shape} is not compatible with supplied shape {shape}"
            )

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self._dims or ())

    @property
    def _id(self) -> int:
        try:
            return self._assigned_id
        except AttributeError:
            self._assigned_id: int = next(_ids)
            return self._assigned_id

    # Device --------------------------------------------------------------------------------------

    @property
    def device(self) -> str:
        """Full name of the device that holds its memory."""
        return self._memory or _HOST

    backing_device = device

    def cpu(self) -> EagerTensor:
        """Returns the tensor copied to host memory."""
        return self._copy_to_device("/device:CPU:0")

    def gpu(self, gpu_index: int = 0) -> EagerTensor:
        """Returns the tensor copied to GPU memory; raises RuntimeError if there is no such GPU."""
        copy = self._copy_to_device(f"/device:GPU:{gpu_index}")
        if not copy._memory.endswith(f"GPU:{gpu_index}") and self.dtype is not dtypes.string:
            raise RuntimeError(f"GPU:{gpu_index} unknown device.")
        return copy

    def _copy_to_device(self, device: str) -> EagerTensor:
        with execution_mode.eager_mode(), get_default_graph().device(device):
            return raw.Identity(self)  # type: ignore[return-value]

    # Value ---------------------------------------------------------------------------------------

    def _numpy(self) -> Any:
        """Returns the tensor's value as an array, which may share the tensor's memory."""
        if self._dtype in (dtypes.resource, dtypes.variant):
            raise ValueError(
                f"Cannot convert a Tensor of dtype {self._dtype.name} to a NumPy array."
            )
        return self.cpu()._array if self._memory else self._array

    def numpy(self) -> Any:
        """Returns a copy of the value as a numpy array; a scalar is returned as a numpy scalar (a string as bytes).

        Raises:
          ValueError: for a resource handle or variant.
        """
        value = self._numpy()
        if not isinstance(value, np.ndarray):
            return value
        return value.copy() if value.ndim else value[()]

    def __array__(  # type: ignore[override]
        self, dtype: Any = None, copy: bool | None = None
    ) -> np.ndarray:
        value = np.asarray(self._numpy(), dtype=dtype)
        if copy:
            return value.copy()
        if value is not self._array:
            return value
        shared: np.ndarray = value.view()
        shared.flags.writeable = False  # read-only, as TensorFlow's buffers
        return shared

    def __dlpack__(self, **options: Any) -> Any:
        """Exports the value via DLPack, zero-copy on the same device; consumers must not write to it."""
        return self._contiguous().__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        device: tuple[int, int] = self._contiguous().__dlpack_device__()
        return device

    def _contiguous(self) -> Any:
        return self._array if self._memory else np.asarray(self._numpy())

    def _scalar(self) -> Any:
        """Returns the tensor's only element, at any rank; NumPy 2 rejects non-scalar arrays."""
        value = self._numpy()
        if not isinstance(value, np.ndarray):
            return value
        if value.size != 1:
            raise TypeError("only size-1 arrays can be converted to Python scalars")
        return value.item()

    def __int__(self) -> int:
        return int(self._scalar())

    def __float__(self) -> float:
        return float(self._scalar())

    def __complex__(self) -> complex:
        return complex(self._scalar())

    def __index__(self) -> int:
        value = self._numpy()
        return operator.index(value) if isinstance(value, np.ndarray) else int(value)

    def __bool__(self) -> bool:
        value = self._numpy()
        return bool(value) if not isinstance(value, np.ndarray) or value.size else False

    __nonzero__ = __bool__

    def __format__(self, format_spec: str) -> str:
        return format(self._numpy(), format_spec)

    def __len__(self) -> int:
        dims = self._dims
        if not dims:
            raise TypeError("Scalar tensor has no `len()`")
        size = dims[0]
        assert size is not None
        return size

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return _unpickle, (self._numpy(), self._dtype)

    def __copy__(self) -> EagerTensor:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> EagerTensor:
        memo[id(self)] = self  # immutable
        return self

    # Text ----------------------------------------------------------------------------------------

    def __str__(self) -> str:
        return f"tf.Tensor({self._text(str)}, shape={self.shape}, dtype={self._dtype.name})"

    def __repr__(self) -> str:
        text = self._text(repr)
        return f"<tf.Tensor: id={self._id}, shape={self.shape}, dtype={self._dtype.name}, numpy={text}>"

    def _repr_html_(self) -> None:
        """Returns None, so that notebooks display the value as text."""

    def _text(self, printed: Callable[[Any], str]) -> str:
        """Returns the value as TensorFlow 1.15 prints it, in the NumPy print format of that time."""
        if not self._dtype.is_numpy_compatible:
            return "<unprintable>"
        value = self._numpy()
        with np.printoptions(legacy="1.25"):
            text = printed(value[()] if isinstance(value, np.ndarray) and not value.ndim else value)
        return f"\n{text}" if "\n" in text else text


def _create_tensor(value: Any, dtype: int | None, device: str | None) -> tuple[Any, DType, str]:
    """Implements the public constructor, which takes a dtype enum and a device name."""
    if dtype is not None and not isinstance(dtype, int):
        raise TypeError(f"Expecting a DataType value for dtype. Got {type(dtype).__name__}")
    try:
        requested = None if dtype is None else dtypes.as_dtype(dtype)
    except TypeError:
        raise TypeError(f"Invalid dtype argument value {dtype}") from None
    with execution_mode.eager_mode(), get_default_graph().device(device):
        tensor: Any = (
            ops.constant(value) if isinstance(value, np.ndarray) else ops.constant(value, requested)
        )
        if requested not in (None, tensor.dtype):
            tensor = ops.cast(tensor, requested)
    return tensor._array, tensor._dtype, tensor._memory


def _unpickle(array: Any, dtype: DType) -> EagerTensor:
    return EagerTensor(array, dtype)
