"""`tensorflow.python.ops.list_ops`: immutable tensor lists, as variants."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops, raw
from tfmini._src.ops.lists.list_arrays import element_shape_input

__all__ = [
    "empty_tensor_list",
    "tensor_list_concat",
    "tensor_list_from_tensor",
    "tensor_list_gather",
    "tensor_list_get_item",
    "tensor_list_pop_back",
    "tensor_list_reserve",
    "tensor_list_scatter",
    "tensor_list_set_item",
    "tensor_list_split",
    "tensor_list_stack",
]


def empty_tensor_list(
    element_shape: Any, element_dtype: Any, max_num_elements: Any = None, name: Any = None
) -> Tensor:
    """Returns an empty list of at most `max_num_elements` elements."""
    most = -1 if max_num_elements is None else max_num_elements
    shape = element_shape_input(element_shape)
    return raw.EmptyTensorList(shape, most, element_dtype=element_dtype, name=name)


def tensor_list_reserve(
    element_shape: Any, num_elements: Any, element_dtype: Any, name: Any = None
) -> Tensor:
    """Returns a list of `num_elements` uninitialized elements."""
    shape = element_shape_input(element_shape)
    return raw.TensorListReserve(shape, num_elements, element_dtype=element_dtype, name=name)


def tensor_list_from_tensor(tensor: Any, element_shape: Any, name: Any = None) -> Tensor:
    """Returns a list of the rows of a tensor."""
    return raw.TensorListFromTensor(tensor, element_shape_input(element_shape), name=name)


def tensor_list_get_item(
    input_handle: Any, index: Any, element_dtype: Any, element_shape: Any = None, name: Any = None
) -> Tensor:
    """Returns the element at an index."""
    shape = element_shape_input(element_shape)
    return raw.TensorListGetItem(input_handle, index, shape, element_dtype=element_dtype, name=name)


def tensor_list_pop_back(input_handle: Any, element_dtype: Any, name: Any = None) -> Any:
    """Returns the list without its last element, and that element."""
    return raw.TensorListPopBack(input_handle, -1, element_dtype=element_dtype, name=name)


def tensor_list_gather(
    input_handle: Any, indices: Any, element_dtype: Any, element_shape: Any = None, name: Any = None
) -> Tensor:
    """Returns a tensor of the elements at these indices, stacked."""
    shape = element_shape_input(element_shape)
    return raw.TensorListGather(
        input_handle, indices, shape, element_dtype=element_dtype, name=name
    )


def tensor_list_scatter(
    tensor: Any, indices: Any, element_shape: Any = None, input_handle: Any = None, name: Any = None
) -> Tensor:
    """Returns a list with the rows of a tensor at these indices: a new list, or `input_handle` with these rows."""
    if input_handle is not None:
        return raw.TensorListScatterIntoExistingList(input_handle, tensor, indices, name=name)
    return raw.TensorListScatterV2(
        tensor, indices, element_shape_input(element_shape), -1, name=name
    )


def tensor_list_stack(
    input_handle: Any,
    element_dtype: Any,
    num_elements: int = -1,
    element_shape: Any = None,
    name: Any = None,
) -> Tensor:
    """Returns a tensor of all elements, stacked."""
    return raw.TensorListStack(
        input_handle,
        element_shape_input(element_shape),
        element_dtype=element_dtype,
        num_elements=num_elements,
        name=name,
    )


def tensor_list_concat(
    input_handle: Any, element_dtype: Any, element_shape: Any = None, name: Any = None
) -> Tensor:
    """Returns a tensor of all elements, concatenated along their first axis."""
    lengths = ops.convert_to_tensor([], dtype=dtypes.int64)
    return raw.TensorListConcatV2(
        input_handle,
        element_shape_input(element_shape),
        lengths,
        element_dtype=element_dtype,
        name=name,
    )[0]


def tensor_list_split(tensor: Any, element_shape: Any, lengths: Any, name: Any = None) -> Tensor:
    """Returns a list of consecutive parts of a tensor with these lengths."""
    return raw.TensorListSplit(tensor, element_shape_input(element_shape), lengths, name=name)


def tensor_list_set_item(
    input_handle: Any,
    index: Any,
    item: Any,
    resize_if_index_out_of_bounds: bool = False,
    name: Any = None,
) -> Tensor:
    """Returns the list with another element at an index; optionally extended if the index is out of bounds."""
    if resize_if_index_out_of_bounds:
        size = raw.TensorListLength(input_handle)
        original = input_handle
        input_handle = ops.cond(
            index >= size, lambda: raw.TensorListResize(original, index + 1), lambda: original
        )
    return raw.TensorListSetItem(input_handle, index, item, name=name)
