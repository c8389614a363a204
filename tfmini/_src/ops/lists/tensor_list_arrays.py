"""Conversion between TensorLists and arrays: stack, gather, scatter."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.base.shapes import dims_allow
from tfmini._src.graph.opdef import op_with_handles, raw
from tfmini._src.graph.shape_inference import Dims, merge, with_rank, with_rank_at_least
from tfmini._src.ops import ops
from tfmini._src.ops.lists.partial_shapes import dims_text, is_known, merge_shapes
from tfmini._src.ops.lists.tensor_list import (
    dims_from_shape_input,
    partial_dims,
    read_items,
    set_items,
    zeros,
)
from tfmini._src.ops.lists.tensor_list_value import LIST, TensorList, arrays, move_to_device
from tfmini._src.ops.operands import ANY, INDEX, dense, shape_text, single_integer

op = op_with_handles(input_handle=LIST)

# One above the other -------------------------------------------------------------------------------


def _stack_elements(xp: Any, items: list, dims: tuple, dtype: dtypes.DType) -> Any:
    """Stacks elements of the same shape, with zeros for unset ones."""
    blank = None
    rows = []
    for item in items:
        if item is None:
            if blank is None:
                blank = zeros(xp, dims, dtype)
            item = blank
        rows.append(move_to_device(xp, item))
    return xp.stack(rows) if rows else zeros(xp, (0, *dims), dtype)


@op(
    "TensorListStack",
    "input_handle: variant, element_shape: int32 -> tensor: element_dtype",
    gradient=lambda op, grad: (raw.TensorListFromTensor(grad, _shape_input(grad.shape[1:])), None),
    static_inputs=("input_handle", "element_shape"),
    element_dtype=ANY,
    num_elements=-1,
)
def tensor_list_stack_op(xp, input_handle, element_shape, *, element_dtype, num_elements):
    input_handle.check_dtype(element_dtype)
    items = input_handle.items
    if num_elements != -1 and len(items) != num_elements:
        invalid(
            f"Operation expected a list with {num_elements} elements but got a list with {len(items)} elements."
        )
    dims = _item_dims(
        *(input_handle, items, element_shape),
        no_items="stack elements of an empty list with non-fully-defined element_shape",
        no_shape=(
            "stack list which only contains uninitialized tensors and has a non-fully-defined element_shape"
        ),
    )
    return _stack_elements(xp, items, dims, element_dtype)


def _item_dims(
    tensor_list: TensorList, items: list, element_shape: Any, no_items: str, no_shape: str
) -> tuple[int, ...]:
    """Returns the shape of items to stack; the texts name the operation in errors for lists without set items."""
    expected = merge_shapes(partial_dims(element_shape), tensor_list.dims)
    if not items and not is_known(expected):
        invalid(f"Tried to {no_items}: {dims_text(expected)}")
    dims: Any = tensor_list.item_shape(expected, items)
    if not is_known(dims):
        invalid(f"Tried to {no_shape}: {dims_text(dims)}")
    for item in arrays(items):
        merge_shapes(dims, item.shape)
    return dims


@tensor_list_stack_op.infer
def _(op):
    dims = read_items(op, op.attrs["element_dtype"])
    dims = (
        merge(dims_from_shape_input(op, 1), dims)
        if dims is None
        else merge(dims, dims_from_shape_input(op, 1))
    )
    if dims is None:
        return None
    count = op.attrs["num_elements"]
    return (None if count == -1 else count, *dims)


def _shape_input(shape: Any) -> Any:
    """Converts a static shape to an input of list ops, where -1 means unknown."""
    if shape.ndims is None:
        return -1
    sizes = shape.as_list()
    if not sizes:
        return ops.convert_to_tensor([], dtype=dtypes.int32)
    return [-1 if size is None else size for size in sizes]


def _split_rows(xp: Any, tensor: Any) -> list:
    """Splits an array into rows, which are copies if the array is numeric."""
    return [
        dense(tensor[i]) if tensor.ndim > 1 else _vector_element(tensor, i)
        for i in range(len(tensor))
    ]


def _vector_element(tensor: Any, index: int) -> Any:
    """Returns an element of a vector as a 0-d array."""
    return tensor[index : index + 1].reshape(())


def check_vector(tensor: Any) -> None:
    """Raises InvalidArgumentError for a scalar."""
    if not getattr(tensor, "ndim", 0):
        invalid(f"Tensor must be at least a vector, but saw shape: {dims_text(tensor.shape)}")


@op(
    "TensorListFromTensor",
    "tensor: element_dtype, element_shape: shape_type -> output_handle: variant",
    static_inputs=("element_shape",),
    retained_inputs=("tensor",),
    element_dtype=ANY,
    shape_type=INDEX,
)
def tensor_list_from_tensor_op(xp, tensor, element_shape, *, element_dtype):
    tensor = dense(tensor)
    check_vector(tensor)
    dims = partial_dims(element_shape)
    if not dims_allow(dims, tensor.shape[1:]):
        invalid(
            f"Specified a list with shape {dims_text(dims)} from a tensor with shape {dims_text(tensor.shape[1:])}"
        )
    return TensorList(element_dtype, dims, _split_rows(xp, tensor))


@tensor_list_from_tensor_op.infer
def _(op):
    dims = op.inputs[0]._dims
    element_dims: Dims = None if dims is None else dims[1:]
    provided = dims_from_shape_input(op, 1)
    merge(element_dims, provided)
    return set_items(op, op.attrs["element_dtype"], provided)


@tensor_list_from_tensor_op.gradient
def _(op, grad):
    tensor = op.inputs[0]
    if grad is None:
        shape = raw.TensorListElementShape(op.outputs[0], shape_type=dtypes.int32)
        grad = raw.EmptyTensorList(shape, -1, element_dtype=tensor.dtype)
    count = tensor._dims[0] if tensor._dims else None
    inner = ops.slice(ops.shape(tensor), [1], [-1])
    return raw.TensorListStack(
        grad, inner, element_dtype=tensor.dtype, num_elements=-1 if count is None else count
    ), None


# By number -----------------------------------------------------------------------------------------


@op(
    "TensorListGather",
    "input_handle: variant, indices: int32, element_shape: int32 -> values: element_dtype",
    static_inputs=("input_handle", "indices", "element_shape"),
    element_dtype=ANY,
)
def tensor_list_gather_op(xp, input_handle, indices, element_shape, *, element_dtype):
    input_handle.check_dtype(element_dtype)
    items = input_handle.items
    positions = _flat_indices(indices)
    for index in positions:
        if not 0 <= index < len(items):
            invalid(f"Index {index} out o range; list only has {len(items)} elements.")
    selected = [items[index] for index in positions]
    dims = _item_dims(
        *(input_handle, selected, element_shape),
        no_items="gather 0-elements from a list with non-fully-defined shape",
        no_shape="gather uninitialized tensors from a list with non-fully-defined element_shape",
    )
    return _stack_elements(xp, selected, dims, element_dtype)


@tensor_list_gather_op.infer
def _(op):
    dims = merge(read_items(op, op.attrs["element_dtype"]), dims_from_shape_input(op, 2))
    indices_dims = op.inputs[1]._dims
    return None if dims is None or indices_dims is None else (*indices_dims, *dims)


@tensor_list_gather_op.gradient
def _(op, grad):
    tensor_list, indices, _ = op.inputs
    shape = raw.TensorListElementShape(tensor_list, shape_type=dtypes.int32)
    count = raw.TensorListLength(tensor_list)
    empty = raw.TensorListReserve(shape, count, element_dtype=grad.dtype)
    return raw.TensorListScatterIntoExistingList(empty, grad, indices), None, None


def _flat_indices(indices: Any) -> list[int]:
    """Flattens indices of any rank in row-major order."""
    return np.ravel(indices).tolist()


def _scatter(xp: Any, items: list, tensor: Any, positions: list[int], dims: Dims) -> list:
    """Assigns the rows of an array to the elements at these indices."""
    tensor = dense(tensor)
    check_vector(tensor)
    if len(positions) != len(tensor):
        invalid(
            f"Invalid number of rows in input tensor. Expected: {len(positions)} Actual: {len(tensor)}"
        )
    if not dims_allow(dims, tensor.shape[1:]):
        invalid(
            f"Specified a list with shape {dims_text(dims)} from a tensor with shape {dims_text(tensor.shape[1:])}"
        )
    for index, row in zip(positions, _split_rows(xp, tensor)):
        items[index] = row
    return items


def _list_length(positions: list[int]) -> int:
    if any(index < 0 for index in positions):
        invalid("Indices in TensorListScatter must all be non-negative.")
    return max(positions, default=-1) + 1


@op(
    "TensorListScatter",
    "tensor: element_dtype, indices: int32, element_shape: shape_type -> output_handle: variant",
    infer=lambda op: set_items(op, op.attrs["element_dtype"], dims_from_shape_input(op, 2)),
    static_inputs=("indices", "element_shape"),
    retained_inputs=("tensor",),
    element_dtype=ANY,
    shape_type=INDEX,
)
def tensor_list_scatter_op(xp, tensor, indices, element_shape, *, element_dtype):
    dims, positions = partial_dims(element_shape), _flat_indices(indices)
    items: list[Any] = [None] * _list_length(positions)
    return TensorList(element_dtype, dims, _scatter(xp, items, tensor, positions, dims))


@op(
    "TensorListScatterV2",
    "tensor: element_dtype, indices: int32, element_shape: shape_type, num_elements: int32"
    " -> output_handle: variant",
    infer=lambda op: set_items(op, op.attrs["element_dtype"], dims_from_shape_input(op, 2)),
    static_inputs=("indices", "element_shape", "num_elements"),
    retained_inputs=("tensor",),
    element_dtype=ANY,
    shape_type=INDEX,
)
def tensor_list_scatter_v2_op(xp, tensor, indices, element_shape, num_elements, *, element_dtype):
    size = single_integer(num_elements, "num_elements")
    if size < -1:
        invalid(f"TensorListScatter expects num_elements >= -1, found: {size}")
    dims, positions = partial_dims(element_shape), _flat_indices(indices)
    count = _list_length(positions)
    if size != -1:
        for index in positions:
            if index >= size:
                invalid(
                    f"TensorListScatter: Trying to scatter at index {index} in list with size {size}"
                )
        count = size
    return TensorList(element_dtype, dims, _scatter(xp, [None] * count, tensor, positions, dims))


@op(
    "TensorListScatterIntoExistingList",
    "input_handle: variant, tensor: element_dtype, indices: int32 -> output_handle: variant",
    static_inputs=("input_handle", "indices"),
    retained_inputs=("tensor",),
    element_dtype=ANY,
)
def tensor_list_scatter_into_existing_list_op(xp, input_handle, tensor, indices, *, element_dtype):
    input_handle.check_dtype(element_dtype)
    tensor = dense(tensor)
    check_vector(tensor)
    if np.ndim(indices) != 1:
        shape = shape_text(np.shape(indices))
        invalid(f"Expected indices to be a vector, but received shape: {shape}")
    if len(indices) != len(tensor):
        invalid(
            f"Expected len(indices) == tensor.shape[0], but saw: {len(indices)} vs. {len(tensor)}"
        )
    items, positions = input_handle.items, _flat_indices(indices)
    items += [None] * (_list_length(positions) - len(items))
    return input_handle.replace_items(_scatter(xp, items, tensor, positions, None))


@tensor_list_scatter_into_existing_list_op.infer
def _(op):
    with_rank_at_least(op.inputs[1]._dims, 1)
    with_rank(op.inputs[2]._dims, 1)
    return set_items(op, op.attrs["element_dtype"], read_items(op, op.attrs["element_dtype"]))


@tensor_list_scatter_op.gradient
@tensor_list_scatter_v2_op.gradient
def _(op, grad):
    return _gather_gradient(op.inputs[0], op.inputs[1], grad), *[None] * (len(op.inputs) - 1)


def _gather_gradient(tensor: Any, indices: Any, grad: Any) -> Any:
    inner = ops.slice(ops.shape(tensor), [1], [-1])
    return raw.TensorListGather(grad, indices, inner, element_dtype=tensor.dtype)


@tensor_list_scatter_into_existing_list_op.gradient
def _(op, grad):
    _, tensor, indices = op.inputs
    gathered = _gather_gradient(tensor, indices, grad)
    zeros = ops.zeros_like(tensor)
    return raw.TensorListScatterIntoExistingList(grad, zeros, indices), gathered, None
