"""`tf.TensorArray` in eager mode, implemented as a Python list of eager tensors."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.errors import OpError, OutOfRangeError, invalid
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.shapes import as_shape
from tfmini._src.graph.public_functions import public
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.lists.tensor_array import TensorArray


@public
class EagerTensorArray(TensorArray):
    """A mutable TensorArray, whose methods return the array itself."""

    @arguments_of(TensorArray)
    def __init__(
        self, dtype: Any, size: Any, dynamic_size: bool | None, handle: Any, **options: Any
    ):
        if handle is not None:
            raise ValueError(
                "TensorArray handles are not supported when eager execution is enabled."
            )
        if size is None:
            raise ValueError(
                "Size must be declared for TensorArrays when eager execution is enabled."
            )
        self._handle: Any = None
        self._flow = ops.constant(0, dtype=dtypes.int32)
        self._infer_shape = options["infer_shape"]
        self._element_shape = [as_shape(options["element_shape"])]
        self._dtype = dtypes.as_dtype(dtype).base_dtype
        self._dynamic_size = dynamic_size or False
        self._clears = options["clear_after_read"] in (None, True)
        self._read: set[int] = set()
        self._tensors: list[Tensor | None] = [None] * int(size)

    def _with_flow(self, flow: Any) -> TensorArray:
        return self

    def identity(self) -> TensorArray:
        """Returns the array itself."""
        return self

    def grad(self, source: str, flow: Any = None, name: str | None = None) -> TensorArray:
        """Raises NotImplementedError, because tapes record the element tensors directly."""
        raise NotImplementedError(
            "TensorArray.grad is not supported when executing eagerly; eager's gradient implementation does not "
            "use/need this function to compute gradients of operations that use TensorArrays."
        )

    def read(self, index: Any, name: str | None = None) -> Tensor:
        """Returns the element at `index`.

        Raises:
          OutOfRangeError: if the index is out of range.
          InvalidArgumentError: if a previous read cleared the element.
        """
        index = int(index)
        if index < 0:
            _out_of_range(f"Reading from negative indices (index {index}) is not allowed.")
        if index >= len(self._tensors):
            size = len(self._tensors)
            _out_of_range(f"Tried to read from index {index} but array size is: {size}")
        if self._tensors[index] is None and index in self._read:
            invalid(
                f"Could not read index {index} twice because it was cleared after a previous read (perhaps try "
                "setting clear_after_read = false?)"
            )
        tensor = self._element(index)
        if self._clears:
            self._tensors[index] = None
            self._read.add(index)
        return tensor

    def _element(self, index: int) -> Tensor:
        """Returns an element, or zeros if it was never written."""
        tensor = self._tensors[index]
        if tensor is None:
            tensor = self._tensors[index] = ops.zeros(self.element_shape, dtype=self._dtype)
        return tensor

    def write(self, index: Any, value: TensorLike, name: str | None = None) -> TensorArray:
        """Writes `value` as the element at `index`.

        Raises:
          OutOfRangeError: if the index is out of range. InvalidArgumentError: if the dtype differs.
          ValueError: if the shape of `value` does not match the element shape.
        """
        index, size = int(index), len(self._tensors)
        if index < 0:
            _out_of_range(f"Writing to negative indices (index {index}) is not allowed.")
        if index >= size:
            if not self._dynamic_size:
                _out_of_range(
                    f"Tried to write to index {index} but array is not resizeable and size is: {size}"
                )
            self._tensors += [None] * (index - size + 1)
        value = ops.convert_to_tensor(value, preferred_dtype=self._dtype, name="value")
        if value.dtype != self._dtype:
            invalid(
                f"TensorArray dtype is {self._dtype.name} but Op is trying to write dtype {value.dtype.name}"
            )
        if not self.element_shape.is_compatible_with(value.shape):
            raise ValueError(
                f"Incompatible shape for value ({value.shape}), expected ({self.element_shape})"
            )
        if self._infer_shape:
            self._element_shape[0] = self.element_shape.merge_with(value.shape)
        self._tensors[index] = value
        return self

    def stack(self, name: str | None = None) -> Tensor:
        """Stacks all elements, which must have the same shape, along a new first axis."""
        elements = [self._element(index) for index in range(len(self._tensors))]
        stacked: Tensor = ops.convert_to_tensor(elements, dtype=self._dtype, name=name)
        return stacked

    def gather(self, indices: Any, name: str | None = None) -> Tensor:
        """Stacks the elements at `indices` along a new first axis."""
        stacked: Tensor = ops.stack([self._element(int(index)) for index in indices])
        return stacked

    def concat(self, name: str | None = None) -> Tensor:
        """Concatenates all elements along their first axis, along which sizes may differ."""
        elements = [self._element(index) for index in range(len(self._tensors))]
        try:
            joined: Tensor = ops.concat(elements, 0, name)  # type: ignore[arg-type]  # used in error messages
        except OpError:
            ranks = [element.shape.ndims for element in elements]
            if 0 not in ranks:
                raise
            invalid(
                f"Concat saw a scalar shape at index {ranks.index(0)} but requires at least vectors."
            )
        return joined

    def unstack(self, value: TensorLike, name: str | None = None) -> TensorArray:
        """Replaces the elements with the rows of `value`; raises ValueError if the array is too small for them."""
        tensors, size = ops.unstack(value), len(self._tensors)
        if len(tensors) > size and not self._dynamic_size:
            raise ValueError(
                f"Cannot unstack {len(tensors)} tensors into a TensorArray of static size {size}"
            )
        self._tensors = list(tensors)
        return self

    def scatter(self, indices: Any, value: Any, name: str | None = None) -> TensorArray:
        """Writes the rows of `value` as the elements at `indices`."""
        for index, row in zip(indices, ops.unstack(value)):
            self.write(index, row)
        return self

    def split(self, value: TensorLike, lengths: TensorLike, name: str | None = None) -> TensorArray:
        """Replaces the elements with parts of `value` of `lengths` rows; raises InvalidArgumentError on a mismatch."""
        value = ops.convert_to_tensor(value, preferred_dtype=self._dtype, name="value")
        lengths = ops.convert_to_tensor(lengths)
        total: Any = ops.reduce_sum(lengths)
        total, shape = int(total), value.shape.as_list()
        if lengths.shape.ndims != 1:
            invalid(f"Expected lengths to be a vector, received shape: {lengths.shape.as_list()}")
        if not shape:
            invalid(f"Expected value to be at least a vector, but received shape: {shape}")
        if total != shape[0]:
            invalid(
                "Expected sum of lengths to be equal to values.shape[0], but sum of lengths is "
                f"{total} and value's shape is: {shape} "
            )
        size = len(self._tensors)
        if not self._dynamic_size and len(lengths) != size:
            invalid(
                f"TensorArray's size is not equal to the size of lengths ({size} vs. {len(lengths)}), and the "
                "TensorArray is not marked as dynamically resizeable"
            )
        self._tensors = list(ops.split(value, lengths))
        return self

    def size(self, name: str | None = None) -> Tensor:
        """Returns the number of elements as an int32 scalar."""
        size: Tensor = ops.constant(len(self._tensors))
        return size

    def close(self, name: str | None = None) -> None:
        """Deletes all elements."""
        self._tensors.clear()


def _out_of_range(message: str) -> None:
    raise OutOfRangeError(None, None, message)
