"""Run-time storage of a TensorArray: the value behind its handle.

Writes store the array passed and reads return it without copies, so neither may be modified (as declared by
`retained_inputs` and `borrowed_result`).
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.base.shapes import dims_allow
from tfmini._src.devices.concat import concatenate, stack
from tfmini._src.devices.cuda.active_gpus import launch_deferred_iterations
from tfmini._src.graph.op_traits.handle_kinds import TENSOR_ARRAY, Resource, handle_name
from tfmini._src.graph.shape_inference import Dims
from tfmini._src.ops.lists import tensor_array_errors as problems
from tfmini._src.ops.lists.compact_value import compact
from tfmini._src.ops.lists.partial_shapes import dims_text, is_known, merge_shapes
from tfmini._src.ops.lists.tensor_array_errors import check_indices
from tfmini._src.ops.operands import c_name, dense, shape_text

_numbers = itertools.count()
_SLICE = 1 << 16  # rows written without yielding the GIL: milliseconds


def _element_shape(value: Any) -> tuple:
    """Returns the shape of an element, or () for strings and non-arrays."""
    return getattr(value, "shape", ())


def _make_rows_contiguous(value: Any) -> Any:
    """Makes rows contiguous on a GPU with one copy of the array instead of one copy per row."""
    if isinstance(value, np.ndarray) or value.flags.c_contiguous:
        return value
    return value.copy()


class _ClearedElement:
    """Marker for an element that a read has cleared; `shape` is None if the array itself stores it."""

    __slots__ = ("shape",)

    def __init__(self, shape: tuple | None = None):
        self.shape = shape


_CLEARED_ELEMENT = _ClearedElement()
_NO_ARRAYS = (type(None), tuple, _ClearedElement)


class Elements(Resource):
    """The elements of a TensorArray, by index.

    An element is an array, None if unwritten, a shape tuple (for zeros of that shape), or a
    marker if read and cleared.

    dims: the known part of the element shape; `same_shape`: whether the first element determines the rest.
    clears_after_read: whether reading an element frees it.
    is_gradient: whether repeated writes accumulate and unwritten elements read as zeros.
    gradients: the arrays that accumulate gradients, by source.
    split_count: number of elements written by `split`, which the gradient of `split` concatenates.
    """

    resource_kind = TENSOR_ARRAY
    container = "_tensor_arrays"

    __slots__ = (
        *("name", "dtype", "values", "dims", "same_shape", "can_grow", "clears", "is_gradient"),
        *(
            "gradients",
            "present",
            "checked",
            "was_read",
            "sums",
            "is_closed",
            "cleared",
            "destroyed",
            "split_count",
        ),
    )

    def __init__(
        self,
        name: str,
        dtype: dtypes.DType,
        size: int,
        dims: Dims,
        same_shape: bool,
        can_grow: bool,
        clears_after_read: bool,
        is_gradient: bool = False,
    ):
        self.name = name
        self.dtype = dtype
        self.values: list = [None] * size
        self._set_dims(dims)
        self.same_shape = same_shape
        self.can_grow = can_grow
        self.clears = clears_after_read
        self.is_gradient = is_gradient
        self.gradients: dict[str, Elements] = {}
        self.present = 0  # number of array elements
        self.checked = True  # whether all elements match the current dims
        self.was_read: set[int] = set()  # indices of elements read but not cleared
        self.sums: set[int] = set()  # indices of elements whose arrays were allocated here
        self.is_closed = False
        self.destroyed = ""
        self.split_count = 0

    @classmethod
    def make(cls, name: str, dtype: dtypes.DType, size: Any, dims: Dims, **flags: bool) -> Elements:
        """Creates the empty array for a TensorArray node."""
        if np.ndim(size):
            invalid(f"TensorArray size must be scalar, but had shape: {shape_text(size.shape)}")
        if size < 0:
            invalid("Size should be >= 0.")
        return cls(f"{name}_{next(_numbers)}", dtype, int(size), dims, **flags)

    def _set_dims(self, dims: Dims) -> None:
        self.dims = dims
        self.cleared = _CLEARED_ELEMENT if is_known(dims) else None  # marker of read elements

    @property
    def array(self) -> Elements:
        """The array itself, because reference handles are read like reference variables."""
        return self

    def reshape(self, *shape: Any) -> Elements:
        """Returns the array itself: handles in old graphs are two strings, whose shape ops may change."""
        return self

    def __getitem__(self, part: Any) -> Any:
        """Returns a slice of the two strings in a legacy handle."""
        return np.array(handle_name(self), object)[part]

    def size(self) -> Any:
        self._check_open()
        return np.int32(len(self.values))

    def close(self) -> None:
        """Deletes the elements and rejects further reads and writes."""
        self.values = [_CLEARED_ELEMENT] * len(self.values)
        self.present = 0
        self.is_closed = True

    # Writing -----------------------------------------------------------------------------------

    def write(self, index: Any, value: Any, dtype: dtypes.DType) -> None:
        """Stores `value` as an element, or accumulates it in a gradient array."""
        if index.ndim:
            problems.raise_not_scalar(index)
        self.check_written(dtype)
        self._put(int(index), compact(value))

    def _put(self, index: int, value: Any) -> None:
        values = self.values
        shape = getattr(value, "shape", ())
        if 0 <= index < len(values) and not self.is_closed:
            old = values[index]
            if old is None or (old.__class__ is tuple and self.is_gradient and old == shape):
                if shape != self.dims:
                    self._check_shape(index, shape)
                values[index] = value
                self.present += 1
                return
        self._put_again(index, value, shape)

    def _put_again(self, index: int, value: Any, shape: tuple) -> None:
        """Writes to an index that does not exist yet or is occupied."""
        self._check_open()
        values = self.values
        if index < 0 or (index >= len(values) and not self.can_grow):
            invalid(
                f"TensorArray {self.name}: Tried to write to index {index} but array is not resizeable and size is: "
                f"{len(values)}"
            )
        if index >= len(values):
            values += [None] * (index + 1 - len(values))
        old = values[index]
        if shape != self.dims:
            self._check_shape(index, shape)
        if isinstance(old, _ClearedElement) or index in self.was_read:
            problems.not_writable(self.name, index, "read")
        if old is not None and not self.is_gradient:
            problems.not_writable(self.name, index, "written to")
        if old is None:
            values[index] = value
            self.present += 1
            return
        previous_shape = old if isinstance(old, tuple) else _element_shape(old)
        if previous_shape != shape:
            invalid(
                f"TensorArray {self.name}: Could not aggregate to TensorArray index {index} because the existing shape "
                f"is {shape_text(previous_shape)} but the new input shape is {shape_text(shape)}."
            )
        if isinstance(old, tuple):
            values[index] = value
            self.present += 1
        elif 0 not in shape:
            self._add(index, old, value)

    def _add(self, index: int, old: Any, value: Any) -> None:
        if self.dtype in (dtypes.string, dtypes.bool):
            invalid(f"tensor_array::AddToTensor type not supported: {c_name(self.dtype)}")
        launch_deferred_iterations()
        if index in self.sums and old.ndim:
            old += value
        else:
            self.values[index] = old + value
            self.sums.add(index)

    def _check_shape(self, index: int, shape: tuple) -> None:
        if not dims_allow(self.dims, shape):
            problems.raise_shape_mismatch(self.name, index, shape, self.dims)
        if self.same_shape:
            self._set_dims(shape)
        else:
            self.checked = False

    def scatter(self, indices: Any, value: Any, dtype: dtypes.DType) -> None:
        """Writes the rows of `value` to `indices`, or in order to all elements if `indices` is None."""
        self._check_open()
        self.check_written(dtype)
        value = _make_rows_contiguous(dense(value))
        if not value.ndim:
            invalid("Input value for unpack must be at least a vector but received shape: []")
        count = len(value)
        size = len(self.values)
        if indices is None:
            if count != size and not (self.can_grow and count > size):
                invalid(
                    f"Input value must have first dimension equal to the array size ({count} vs. {size})"
                )
            positions = range(count)
        else:
            check_indices(indices)
            if len(indices) != count:
                invalid(
                    f"Expected len(indices) == values.shape[0], but saw: {len(indices)} vs. {count}"
                )
            last = int(indices.max(initial=-1))
            if last >= size and not self.can_grow:
                invalid(f"Max scatter index must be < array size ({last} vs. {size})")
            positions = range(size) if _are_all(indices, size) else indices.tolist()
        shape = value.shape[1:]
        if not self.present and positions == range(size) and self.values == [None] * size and size:
            if shape != self.dims:
                self._check_shape(0, shape)
            self.values = []
            for begin in range(0, size, _SLICE):
                self.values.extend(value[begin : begin + _SLICE])
            self.present = size
            return
        for index, row in zip(positions, value):
            self._put(index, row)

    def split(self, value: Any, lengths: Any, dtype: dtypes.DType) -> None:
        """Splits `value` into consecutive parts of `lengths` rows and writes them, starting at index 0."""
        self._check_open()
        value = dense(value)
        if not value.ndim:
            invalid("Expected value to be at least a vector, but received shape: []")
        if lengths.ndim != 1:
            invalid(f"Expected lengths to be a vector, received shape: {shape_text(lengths.shape)}")
        total = int(lengths.sum())
        if total != len(value) or (lengths < 0).any():
            invalid(
                f"Expected sum of lengths to be equal to values.shape[0], but sum of lengths is {total} and value's "
                f"shape is: {shape_text(value.shape)}"
            )
        size = len(self.values)
        if len(lengths) != size and not (self.can_grow and len(lengths) > size):
            invalid(
                f"TensorArray's size is not equal to the size of lengths ({size} vs. {len(lengths)}), and the "
                "TensorArray is not marked as dynamically resizeable"
            )
        self.check_written(dtype)
        if self.can_grow:
            self.split_count = len(lengths)
        start = 0
        for index, length in enumerate(lengths.tolist()):
            self._put(index, value[start : start + length])
            start += length

    # Reading -----------------------------------------------------------------------------------

    def read(self, xp: Any, index: Any, dtype: dtypes.DType) -> Any:
        """Reads an element, and clears it if the array clears elements after reads."""
        if index.ndim:
            problems.raise_not_scalar(index)
        self.check_read(dtype)
        return self._get(xp, int(index))

    def _get(self, xp: Any, index: int) -> Any:
        values = self.values
        value = values[index] if 0 <= index < len(values) else None
        if value.__class__ in _NO_ARRAYS:
            value = self._get_zeros(xp, index, value)
            self.present += 1
        if self.clears:
            values[index] = self.cleared or _ClearedElement(_element_shape(value))
            self.present -= 1
        else:
            values[index] = value
            self.was_read.add(index)
        return value

    def _get_zeros(self, xp: Any, index: int, value: Any) -> Any:
        """Reads an element that is unwritten or stored as a shape of zeros."""
        if value.__class__ is _ClearedElement:
            self._check_open()
            invalid(
                f"TensorArray {self.name}: Could not read index {index} twice because it was cleared after a previous "
                "read (perhaps try setting clear_after_read = false?)."
            )
        shape = self._unwritten_shape(index) if value is None else value
        if self.dtype == dtypes.string and 0 not in shape:
            invalid("tensor_array::TensorSetZero type not supported: string")
        return xp.zeros(shape, self.dtype.numpy)

    def _unwritten_shape(self, index: int) -> tuple:
        """Returns the shape of zeros for an unwritten element; extends the array if necessary."""
        values = self.values
        if index < 0 or (index >= len(values) and not self.is_gradient):
            invalid(f"Tried to read from index {index} but array size is: {len(values)}")
        dims: Any = self.dims
        if not is_known(dims):
            problems.unwritten_error(self.name, index, dims)
        if index >= len(values):
            values += [dims] * (index + 1 - len(values))
        return dims

    def gather(self, xp: Any, indices: Any, dims: Dims, dtype: dtypes.DType) -> Any:
        """Stacks the elements at `indices`, or all elements; their shapes must match `dims`."""
        self.check_read(dtype)
        self._narrow(dims)
        if indices is not None:
            check_indices(indices)
        count = len(self.values if indices is None else indices)
        if not count:
            if not is_known(dims):
                raise problems.empty_array_error("element shape", dims, "packing")
            assert dims is not None
            return xp.zeros((0, *dims), self.dtype.numpy)
        self._check_open()
        same_shape = self.checked
        rows = self._rows(xp, indices)
        first = _element_shape(rows[0])
        if not dims_allow(dims, first):
            invalid(
                f"TensorArray was passed element_shape {dims_text(dims)} which does not match the Tensor "
                f"at index 0: {shape_text(first)}"
            )
        if 0 in first:
            return xp.zeros((len(rows), *first), self.dtype.numpy)
        if not same_shape:
            for index, row in enumerate(rows):
                if _element_shape(row) != first:
                    invalid(
                        f"TensorArray has inconsistent shapes.  Index 0 has shape: {shape_text(first)} but index "
                        f"{index} has shape: {shape_text(_element_shape(row))}"
                    )
        return _stack_rows(xp, rows, first, self.dtype)

    def concat(self, xp: Any, dims: Dims, dtype: dtypes.DType) -> tuple[Any, Any]:
        """Concatenates the elements; also returns the row count of each. Row shapes must match `dims`."""
        self._check_open()
        self.check_read(dtype)
        if not self.values:
            if not is_known(dims):
                raise problems.empty_array_error("element_shape_except0", dims, "concatenating")
            assert dims is not None
            return xp.zeros((0, *dims), self.dtype.numpy), np.zeros(0, np.int64)
        is_split = self.is_gradient and self.split_count
        indices = np.arange(self.split_count) if is_split else None
        rows = [dense(row) for row in self._rows(xp, indices)]
        first: tuple = ()
        for index, row in enumerate(rows):
            if not row.ndim:
                invalid(
                    f"Concat saw a scalar shape at index {index} but requires at least vectors.  Did you mean to call "
                    "pack?"
                )
            shape = row.shape[1:]
            if not index:
                first = shape
                if not dims_allow(dims, shape):
                    invalid(
                        f"TensorArray was passed element_shape_except0 {dims_text(dims)} but index 0 has "
                        f"(excepting dimension 0) shape: {shape_text(shape)} which does not match."
                    )
            elif shape != first:
                invalid(
                    f"TensorArray has inconsistent shapes.  Index 0 has (excepting dimension 0) shape: "
                    f"{shape_text(first)} but index {index} has (excepting dimension 0) shape: {shape_text(shape)}"
                )
        return concatenate(xp, rows), np.array([len(row) for row in rows], np.int64)

    def _rows(self, xp: Any, indices: Any) -> list:
        """Returns the elements at `indices`, or all elements, in one step if none is missing."""
        count = len(self.values)
        if self.present == count and (indices is None or _are_all(indices, count)):
            rows = self.values
            if not self.clears:
                self.was_read.update(range(count))
                return rows
            if is_known(self.dims):
                self.values = [_CLEARED_ELEMENT] * count
                self.present = 0
                return rows
        positions = range(count) if indices is None else indices.tolist()
        return [self._get(xp, index) for index in positions]

    def _narrow(self, dims: Dims) -> None:
        """Merges the static dims of a reader into the element shape."""
        narrowed_dims = merge_shapes(self.dims, dims)
        if narrowed_dims != self.dims:
            self._set_dims(narrowed_dims)
            self.checked = False

    # Gradients ---------------------------------------------------------------------------------

    def gradient(self, source: str, outer: tuple = ()) -> Elements:
        """Returns the gradient array for `source`, created on first use.

        Its size is fixed and equal to the size of this array; `outer` is prepended to the element shapes.
        """
        self._check_open()
        if self.is_gradient:
            invalid(f"Wrong input container. _tensor_array_grads{self.name}")
        self.can_grow = False
        gradient = self.gradients.get(source)
        if gradient is None:
            dims = None if self.dims is None else (*outer, *self.dims)
            gradient = Elements(
                f"{self.name}@{source}",
                self.dtype,
                len(self.values),
                dims,
                self.same_shape,
                can_grow=False,
                clears_after_read=True,
                is_gradient=True,
            )
            gradient.split_count = self.split_count
            gradient.checked = self.checked and (self.same_shape or is_known(self.dims))
            gradient.values = [self._gradient_shape(value, outer) for value in self.values]
            self.gradients[source] = gradient
        return gradient

    def _gradient_shape(self, value: Any, outer: tuple) -> tuple | None:
        """Returns the shape of the gradient of an element, or None if the element is unwritten."""
        if value is None:
            return None
        if value.__class__ is not tuple:
            shape = value.shape if isinstance(value, _ClearedElement) else _element_shape(value)
            value = self.dims if shape is None else shape
        return (*outer, *value)

    # Checks ------------------------------------------------------------------------------------

    def _check_open(self) -> None:
        if self.is_closed:
            invalid(f"TensorArray {self.name} has already been closed.")

    def check_written(self, dtype: dtypes.DType) -> None:
        if dtype is not self.dtype:
            problems.other_dtype(self.dtype, "is trying to write", dtype)

    def check_read(self, dtype: dtypes.DType) -> None:
        if dtype is not self.dtype:
            problems.other_dtype(self.dtype, "requested", dtype)


def _are_all(indices: np.ndarray, count: int) -> bool:
    """Whether indices are 0, 1, ..., `count` - 1."""
    return len(indices) == count and bool((indices == np.arange(count)).all())


def _stack_rows(xp: Any, rows: list, shape: tuple, dtype: dtypes.DType) -> Any:
    if shape:
        return concatenate(xp, rows).reshape(len(rows), *shape)
    if xp is not np:
        return stack(xp, rows, 0)
    return np.array(
        [dense(row)[()] for row in rows] if dtype == dtypes.string else rows, dtype.numpy
    )
