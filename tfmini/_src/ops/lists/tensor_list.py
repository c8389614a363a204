"""TensorList ops, which create and extend variant lists and access their elements.

Graphs with TensorFlow's control flow v2 store loop outputs and gradient intermediates in such lists.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.base.shapes import dims_allow
from tfmini._src.graph.opdef import op_with_handles, raw
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    checked_ranks,
    constant_value,
    input_dims,
    merge,
    scalar,
    with_rank_at_most,
)
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.lists.partial_shapes import dims_text, is_known
from tfmini._src.ops.lists.tensor_list_value import LIST, TensorList, as_item, move_to_device
from tfmini._src.ops.operands import ANY, INDEX, c_name, shape_text, single_integer

op = op_with_handles(input_handle=LIST)

# Static element shapes and dtypes of a list --------------------------------------------------------


def set_items(op: Any, dtype: dtypes.DType | None, dims: Dims) -> tuple:
    """Records the element dtype and shape of the list in the first output; returns the shape of its scalar handle."""
    op.outputs[0]._handle_data = (dtype, dims)
    return ()


def static_element(tensor: Tensor) -> tuple[dtypes.DType | None, Dims]:
    """Returns the known element dtype and shape of a list."""
    return getattr(tensor, "_handle_data", (None, None))


def dims_from_shape_input(op: Any, position: int) -> Dims:
    """Converts a shape input, where -1 means unknown, to dims; a scalar means fully unknown."""
    tensor = op.inputs[position]
    if with_rank_at_most(tensor._dims, 1) is None:
        return None
    if tensor._dims:
        return input_dims(op, position)
    value = constant_value(tensor)
    if value is not None and value != -1:
        shown_value = f"Tensor<type: {tensor.dtype.name} shape: [] values: {value}>"
        raise InferenceError(
            f"Received an invalid shape scalar with a static value that is not '-1': {shown_value}"
        )
    return None


def read_items(op: Any, dtype: dtypes.DType, action: str = "read from") -> Dims:
    """Returns the element shape of the first input; raises InferenceError if the element dtype differs."""
    actual, dims = static_element(op.inputs[0])
    if actual is not None and actual is not dtype:
        raise InferenceError(
            f"Trying to {action} list with wrong element dtype. List has type {c_name(actual)} but "
            + (
                f"trying to push element with type {c_name(dtype)}"
                if action == "push to"
                else f"expected type {c_name(dtype)}"
            )
        )
    return dims


def partial_dims(value: Any) -> Dims:
    """Returns a run-time shape, where -1 means unknown, as static dims; the scalar -1 means fully unknown."""
    array = np.asarray(value)
    if array.ndim == 0:
        if array == -1:
            return None
        invalid("The only valid scalar shape tensor is the fully unknown shape specified as -1.")
    if array.ndim > 1:
        invalid(f"An element shape must be a vector, but had shape: {shape_text(array.shape)}")
    for size in array:
        if size < -1:
            invalid(f"Dimension {size} must be >= -1")
    return tuple([None if size < 0 else int(size) for size in array])


def zeros(xp: Any, dims: tuple, dtype: dtypes.DType) -> Any:
    if dtype is dtypes.string:
        result = np.empty(dims, object)
        result.fill(b"")
        return result
    return xp.zeros(dims, dtype.as_numpy_dtype)


# Making lists --------------------------------------------------------------------------------------


@op(
    "EmptyTensorList",
    "element_shape: shape_type, max_num_elements: int32 -> handle: variant",
    infer=lambda op: set_items(op, op.attrs["element_dtype"], dims_from_shape_input(op, 0)),
    static_inputs=("element_shape", "max_num_elements"),
    element_dtype=ANY,
    shape_type=INDEX,
)
def empty_tensor_list_op(xp, element_shape, max_num_elements, *, element_dtype):
    if np.ndim(max_num_elements):
        shape = shape_text(max_num_elements.shape)
        invalid(f"max_num_elements expected to be a scalar but got shape: {shape}")
    return TensorList(element_dtype, partial_dims(element_shape), (), int(max_num_elements))


@op(
    "TensorListReserve",
    "element_shape: shape_type, num_elements: int32 -> handle: variant",
    infer=lambda op: set_items(op, op.attrs["element_dtype"], dims_from_shape_input(op, 0)),
    static_inputs=("element_shape", "num_elements"),
    element_dtype=ANY,
    shape_type=INDEX,
)
def tensor_list_reserve_op(xp, element_shape, num_elements, *, element_dtype):
    count = single_integer(num_elements, "num_elements")
    if count < 0:
        invalid(f"The num_elements to reserve must be a non negative number, got {count}")
    return TensorList(element_dtype, partial_dims(element_shape), [None] * count)


# One end -------------------------------------------------------------------------------------------


@op(
    "TensorListPushBack",
    "input_handle: variant, tensor: element_dtype -> output_handle: variant",
    static_inputs=("input_handle",),
    retained_inputs=("tensor",),
    element_dtype=ANY,
)
def tensor_list_push_back_op(xp, input_handle, tensor, *, element_dtype):
    tensor = as_item(tensor)
    check_item(input_handle, tensor, element_dtype, "append a tensor with", "to a list. Op")
    if 0 <= input_handle.limit <= input_handle.length:
        invalid(
            f"Tried to push item into a full list list size: {input_handle.length} max_num_elements: "
            f"{input_handle.limit}"
        )
    return input_handle.change("push", tensor)


def check_item(tensor_list: TensorList, item: Any, dtype: Any, action: str, where: str) -> None:
    """Raises InvalidArgumentError for an element that does not match the list."""
    tensor_list.check_dtype(dtype)
    if not dims_allow(tensor_list.dims, item.shape):
        invalid(
            f"Tried to {action} incompatible shape {where} element shape: {dims_text(item.shape)} list shape: "
            f"{dims_text(tensor_list.dims)}"
        )


@tensor_list_push_back_op.infer
def _(op):
    dtype = op.attrs["element_dtype"]
    dims = read_items(op, dtype, "push to")
    return set_items(op, dtype, dims)


@tensor_list_push_back_op.gradient
def _(op, grad):
    return raw.TensorListPopBack(
        grad, ops.shape(op.inputs[1]), element_dtype=op.attrs["element_dtype"]
    )


@op(
    "TensorListPopBack",
    "input_handle: variant, element_shape: int32 -> output_handle: variant, tensor: element_dtype",
    static_inputs=("input_handle", "element_shape"),
    borrowed_result=True,
    element_dtype=ANY,
)
def tensor_list_pop_back_op(xp, input_handle, element_shape, *, element_dtype):
    input_handle.check_dtype(element_dtype)
    if not input_handle.length:
        invalid("Trying to pop from an empty list.")
    item = read_item(xp, input_handle, input_handle.length - 1, element_shape, element_dtype)
    return input_handle.change("pop"), item


@tensor_list_pop_back_op.infer
def _(op):
    dtype = op.attrs["element_dtype"]
    dims = read_items(op, dtype)
    provided = dims_from_shape_input(op, 1)
    set_items(op, dtype, dims)
    return [(), merge(dims, provided)]


@tensor_list_pop_back_op.gradient
def _(op, grad_list, grad):
    if grad_list is None:
        shape = raw.TensorListElementShape(op.outputs[0], shape_type=dtypes.int32)
        grad_list = raw.EmptyTensorList(shape, -1, element_dtype=grad.dtype)
    return raw.TensorListPushBack(grad_list, grad), None


# Items ---------------------------------------------------------------------------------------------


def read_item(xp: Any, tensor_list: TensorList, index: int, shape: Any, dtype: Any) -> Any:
    """Returns an element, or zeros if it is unset."""
    item = tensor_list.item(index)
    if item is not None:
        item = move_to_device(xp, item)
        return item if item.shape or hasattr(item, "zeros") else item[()]
    dims = tensor_list.item_shape(partial_dims(shape), tensor_list.items)
    if not is_known(dims):
        invalid(
            "Trying to read an uninitialized tensor but element_shape is not fully defined: "
            f"{dims_text(dims)} and no list element is set."
        )
    assert dims is not None
    array = zeros(xp, dims, dtype)
    return array if dims else array[()]


@op(
    "TensorListGetItem",
    "input_handle: variant, index: int32, element_shape: int32 -> item: element_dtype",
    static_inputs=("input_handle", "index", "element_shape"),
    borrowed_result=True,
    element_dtype=ANY,
)
def tensor_list_get_item_op(xp, input_handle, index, element_shape, *, element_dtype):
    input_handle.check_dtype(element_dtype)
    index = single_integer(index, "index")
    if not 0 <= index < input_handle.length:
        invalid(f"Trying to access element {index} in a list with {input_handle.length} elements.")
    return read_item(xp, input_handle, index, element_shape, element_dtype)


@tensor_list_get_item_op.infer
def _(op):
    dtype = op.attrs["element_dtype"]
    actual, dims = static_element(op.inputs[0])
    if actual is not None and actual is not dtype:
        raise InferenceError(
            f"Expected list with element dtype {c_name(dtype)} but got list with element dtype {c_name(actual)}"
        )
    return merge(dims, dims_from_shape_input(op, 2))


@tensor_list_get_item_op.gradient
def _(op, grad):
    size = raw.TensorListLength(op.inputs[0])
    shape = raw.TensorListElementShape(op.inputs[0], shape_type=dtypes.int32)
    empty = raw.TensorListReserve(shape, size, element_dtype=grad.dtype)
    return raw.TensorListSetItem(empty, op.inputs[1], grad), None, None


@op(
    "TensorListSetItem",
    "input_handle: variant, index: int32, item: element_dtype -> output_handle: variant",
    static_inputs=("input_handle", "index"),
    retained_inputs=("item",),
    element_dtype=ANY,
)
def tensor_list_set_item_op(xp, input_handle, index, item, *, element_dtype):
    input_handle.check_dtype(element_dtype)
    index = single_integer(index, "index")
    if not 0 <= index < input_handle.length:
        invalid(f"Trying to modify element {index} in a list with {input_handle.length} elements.")
    item = as_item(item)
    check_item(input_handle, item, element_dtype, "set a tensor with", "at a list index. Item")
    return input_handle.change("set", index, item)


@tensor_list_set_item_op.infer
def _(op):
    item_dtype, dims = static_element(op.inputs[0])
    merge(op.inputs[2]._dims, dims)
    return set_items(op, item_dtype or op.attrs["element_dtype"], dims)


@tensor_list_set_item_op.gradient
def _(op, grad):
    _, index, item = op.inputs
    list_grad = raw.TensorListSetItem(grad, index, ops.zeros_like(item))
    return (
        list_grad,
        None,
        raw.TensorListGetItem(grad, index, ops.shape(item), element_dtype=item.dtype),
    )


# The entire list -----------------------------------------------------------------------------------------


@op(
    "TensorListLength",
    "input_handle: variant -> length: int32",
    infer=scalar,
    differentiable=False,
    static_inputs=("input_handle",),
)
def tensor_list_length_op(xp, input_handle):
    return np.int32(input_handle.length)


@op(
    "TensorListElementShape",
    "input_handle: variant -> element_shape: shape_type",
    differentiable=False,
    static_inputs=("input_handle",),
    shape_type=INDEX,
)
def tensor_list_element_shape_op(xp, input_handle, *, shape_type):
    dims = input_handle.dims
    values = -1 if dims is None else [-1 if size is None else size for size in dims]
    array = np.asarray(values, shape_type.as_numpy_dtype)
    return array if array.ndim else array[()]


@tensor_list_element_shape_op.infer
def _(op):
    dims = static_element(op.inputs[0])[1]
    return (None,) if dims is None else (len(dims),)


@op(
    "TensorListResize",
    "input_handle: variant, size: int32 -> output_handle: variant",
    infer=checked_ranks(None, 0, result=lambda op: set_items(op, *static_element(op.inputs[0]))),
    stateful=True,
    static_inputs=("input_handle", "size"),
)
def tensor_list_resize_op(xp, input_handle, size):
    size = single_integer(size, "size")
    if size < 0:
        invalid(f"TensorListSlice expects size to be non-negative. Got: {size}")
    items = input_handle.items[:size]
    return input_handle.replace_items([*items, *[None] * (size - len(items))])


@tensor_list_resize_op.gradient
def _(op, grad):
    return raw.TensorListResize(grad, raw.TensorListLength(op.inputs[0])), None
