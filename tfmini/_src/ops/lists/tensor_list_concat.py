"""TensorList concatenation and splitting: elements to one array and back, several lists to one list."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.base.shapes import dims_allow
from tfmini._src.graph.op_traits.handle_kinds import variant_text
from tfmini._src.graph.opdef import Attr, op_with_handles, raw
from tfmini._src.graph.shape_inference import Dims, InferenceError, merge, with_rank_at_least
from tfmini._src.ops import ops
from tfmini._src.ops.lists.partial_shapes import dims_text, is_known, merge_shapes
from tfmini._src.ops.lists.tensor_list import (
    check_item,
    dims_from_shape_input,
    partial_dims,
    read_items,
    set_items,
    static_element,
    zeros,
)
from tfmini._src.ops.lists.tensor_list_arrays import check_vector
from tfmini._src.ops.lists.tensor_list_value import LIST, TensorList, as_item, move_to_device
from tfmini._src.ops.operands import ANY, INDEX, c_name, dense

op = op_with_handles(input_handle=LIST)

# End to end ----------------------------------------------------------------------------------------


def _concat(xp: Any, source: TensorList, value: Dims, leading: Any, dtype: dtypes.DType) -> tuple:
    """Concatenates the elements; also returns the first dimension of each element."""
    source.check_dtype(dtype)
    items = source.items
    dims = merge_shapes(value, source.dims)
    if dims == ():
        invalid("Concat requires elements to be at least vectors, found scalars instead.")
    first, inner = (None, None) if not dims else (dims[0], dims[1:])
    if not items and not is_known(inner):
        invalid(
            "All except the first dimension must be fully defined when concating an empty tensor list. "
            f"element_shape: {dims_text(dims)}"
        )
    sizes = set()
    for index, item in enumerate(items):
        if item is None:
            continue
        if not item.shape:
            invalid(f"Concat saw a scalar shape at index {index} but requires at least vectors.")
        inner = merge_shapes(inner, item.shape[1:])
        sizes.add(item.shape[0])
    if not is_known(inner):
        invalid(
            "Trying to concat list with only uninitialized tensors but element_shape_except_first_dim_ is not "
            f"fully defined: {dims_text(inner)}"
        )
    assert inner is not None
    lengths, parts = [], []
    for index, item in enumerate(items):
        if item is None:
            size = int(leading[index]) if len(leading) > index else first
            if size is None and len(sizes) == 1:
                size = next(iter(sizes))
            if size is None:
                invalid(
                    f"List contains uninitialized tensor at index {index} but leading_dims has only {len(leading)} "
                    "elements."
                )
            item = zeros(xp, (size, *inner), dtype)
        lengths.append(item.shape[0])
        parts.append(move_to_device(xp, item))
    joined = xp.concatenate(parts) if parts else zeros(xp, (0, *inner), dtype)
    return joined, np.asarray(lengths, np.int64)


@op(
    "TensorListConcat",
    "input_handle: variant -> tensor: element_dtype, lengths: int64",
    static_inputs=("input_handle",),
    element_dtype=ANY,
    element_shape=Attr("shape", default=None),
)
def tensor_list_concat_op(xp, input_handle, *, element_dtype, element_shape):
    return _concat(xp, input_handle, element_shape, (), element_dtype)


@op(
    "TensorListConcatV2",
    "input_handle: variant, element_shape: shape_type, leading_dims: int64"
    " -> tensor: element_dtype, lengths: int64",
    static_inputs=("input_handle", "element_shape", "leading_dims"),
    element_dtype=ANY,
    shape_type=INDEX,
)
def tensor_list_concat_v2_op(xp, input_handle, element_shape, leading_dims, *, element_dtype):
    return _concat(xp, input_handle, partial_dims(element_shape), leading_dims, element_dtype)


def _concat_dims(dims: Dims) -> list:
    return [None if not dims else (None, *dims[1:]), (None,)]


@tensor_list_concat_op.infer
def _(op):
    dims = read_items(op, op.attrs["element_dtype"])
    return _concat_dims(
        op.attrs["element_shape"] if not dims else merge(dims, op.attrs["element_shape"])
    )


@tensor_list_concat_v2_op.infer
def _(op):
    item_dims = read_items(op, op.attrs["element_dtype"])
    return _concat_dims(merge(dims_from_shape_input(op, 1), item_dims))


@tensor_list_concat_op.gradient
@tensor_list_concat_v2_op.gradient
def _(op, grad, _):
    shape = raw.TensorListElementShape(op.inputs[0], shape_type=dtypes.int32)
    split = raw.TensorListSplit(grad, shape, op.outputs[1])
    return split, *[None] * (len(op.inputs) - 1)


@op(
    "TensorListSplit",
    "tensor: element_dtype, element_shape: shape_type, lengths: int64 -> output_handle: variant",
    static_inputs=("element_shape", "lengths"),
    retained_inputs=("tensor",),
    element_dtype=ANY,
    shape_type=INDEX,
)
def tensor_list_split_op(xp, tensor, element_shape, lengths, *, element_dtype):
    tensor = dense(tensor)
    check_vector(tensor)
    dims = partial_dims(element_shape)
    if dims == ():
        invalid("TensorListSplit requires element_shape to be at least of rank 1, but saw: []")
    if lengths.ndim != 1:
        invalid(f"Expected lengths to be a vector, received shape: {dims_text(lengths.shape)}")
    if dims is not None and not dims_allow((None, *dims[1:]), tensor.shape):
        invalid(
            f"tensor shape {dims_text(tensor.shape)} is not compatible with element_shape {dims_text(dims)}"
        )
    items, start = [], 0
    for length in lengths.tolist():
        if length < 0:
            invalid(f"Invalid value in lengths: {length}")
        if start + length > len(tensor):
            invalid(
                f"Attempting to slice [{start}, {start + length}] from tensor with length {len(tensor)}"
            )
        items.append(tensor[start : start + length])
        start += length
    if start != len(tensor):
        invalid(f"Unused values in tensor. Length of tensor: {len(tensor)} Values used: {start}")
    return TensorList(element_dtype, dims, items)


@tensor_list_split_op.infer
def _(op):
    tensor, lengths = with_rank_at_least(op.inputs[0]._dims, 1), op.inputs[2]._dims
    if lengths is not None and len(lengths) != 1:
        raise InferenceError(f"Shape must be rank 1 but is rank {len(lengths)}")
    inner: Dims = None if not tensor else (None, *tensor[1:])
    provided = dims_from_shape_input(op, 1)
    merge(inner, provided)
    return set_items(op, op.attrs["element_dtype"], provided)


@tensor_list_split_op.gradient
def _(op, grad):
    tensor, _, lengths = op.inputs
    inner = ops.slice(ops.shape(tensor), [1], [-1])
    shape = ops.concat([[-1], inner], axis=0)
    return raw.TensorListConcatV2(grad, shape, lengths, element_dtype=tensor.dtype)[0], None, None


# Lists -------------------------------------------------------------------------------------------


@op(
    "TensorListConcatLists",
    "input_a: variant, input_b: variant -> output: variant",
    differentiable=False,
    static_inputs=("input_a", "input_b"),
    element_dtype=ANY,
)
def tensor_list_concat_lists_op(xp, input_a, input_b, *, element_dtype):
    a, b = np.asarray(input_a, object), np.asarray(input_b, object)
    if a.shape != b.shape:
        invalid(
            f"Incompatible input TensorList tensor shapes: {dims_text(a.shape)} vs. {dims_text(b.shape)}"
        )
    pairs = enumerate(zip(a.ravel().tolist(), b.ravel().tolist()))
    joined = [_concat_lists(index, *pair, element_dtype) for index, pair in pairs]
    return _object_array(a, joined) if isinstance(input_a, np.ndarray) else joined[0]


def _object_array(array: np.ndarray, values: list) -> np.ndarray:
    result = np.empty(array.size, object)
    result[:] = values
    return result.reshape(array.shape)


def _concat_lists(index: int, a: TensorList, b: TensorList, dtype: dtypes.DType) -> TensorList:
    for name, tensor_list in (("a", a), ("b", b)):
        if tensor_list.__class__ is not TensorList:
            saw = variant_text(tensor_list)
            invalid(f"input_{name} is not a TensorList at index {index}.  Saw: '{saw}'")
        if tensor_list.dtype is not dtype:
            invalid(
                f"input_{name}[{index}].dtype != element_dtype.  Saw: {c_name(tensor_list.dtype)} vs. {c_name(dtype)}"
            )
    if a.dims != b.dims:
        invalid(
            f"input_a and input_b TensorList element shapes are not identical at index {index}.  Saw "
            f"{dims_text(a.dims)} vs. {dims_text(b.dims)}"
        )
    return TensorList(dtype, a.dims, [*a.items, *b.items])


@tensor_list_concat_lists_op.infer
def _(op):
    dtype = op.attrs["element_dtype"]
    for name, tensor in zip("ab", op.inputs):
        actual = static_element(tensor)[0]
        if actual not in (None, dtype):
            raise InferenceError(
                f"input_{name}.type != element_dtype: {c_name(actual)} vs. {c_name(dtype)}"
            )
    dims = merge(static_element(op.inputs[0])[1], static_element(op.inputs[1])[1])
    shape = merge(op.inputs[0]._dims, op.inputs[1]._dims)
    set_items(op, dtype, dims)
    return shape


@op(
    "TensorListPushBackBatch",
    "input_handles: variant, tensor: element_dtype -> output_handles: variant",
    differentiable=False,
    static_inputs=("input_handles",),
    retained_inputs=("tensor",),
    element_dtype=ANY,
)
def tensor_list_push_back_batch_op(xp, input_handles, tensor, *, element_dtype):
    handles = np.asarray(input_handles, object).ravel().tolist()
    shape = np.shape(input_handles)
    if len(shape) != 1:
        invalid(f"Expected input_handles to be a vector, but saw shape: {dims_text(shape)}")
    if tensor.shape[: len(shape)] != shape:
        invalid(
            "Expected tensor.shape[0] == input_handles.size, but saw "
            f"{tensor.shape[0] if tensor.shape else 1} vs. {len(handles)}"
        )
    rows = tensor.reshape(len(handles), *tensor.shape[len(shape) :])
    pushed = []
    for index, (handle, row) in enumerate(zip(handles, rows)):
        row, location = as_item(row), f"at index {index}"
        if handle.__class__ is not TensorList:
            invalid(f"Input handle {location} is not a list. Saw: '{variant_text(handle)}'")
        if handle.dtype is not element_dtype:
            invalid(
                f"Invalid data type {location}; op elements {c_name(element_dtype)} but list elements "
                f"{c_name(handle.dtype)}"
            )
        check_item(handle, row, element_dtype, "append a tensor with", f"to a list {location}. Op")
        pushed.append(handle.change("push", row))
    return _object_array(np.asarray(input_handles, object), pushed)


@tensor_list_push_back_batch_op.infer
def _(op):
    front, dims = op.inputs[0]._dims, with_rank_at_least(op.inputs[1]._dims, 1)
    if front is not None and dims is not None:
        for a, b in zip(front, dims):
            if a is not None and b is not None and a != b:
                raise InferenceError(f"Dimensions must be equal, but are {b} and {a}")
    dtype = op.attrs["element_dtype"]
    set_items(op, dtype, read_items(op, dtype, "push to"))
    return front
