"""State ops of TensorFlow 2: hints about variables, and lists that grow as items are set."""

from __future__ import annotations

from tfmini._src.graph.opdef import op, raw
from tfmini._src.ops import ops
from tfmini._src.ops.lists.tensor_list import set_items, static_element, tensor_list_set_item_op
from tfmini._src.ops.operands import ANY


@op("DisableCopyOnRead", "resource: resource ->", infer=lambda op: [], stateful=True)
def disable_copy_on_read_op(xp, resource):
    """Does nothing, because variables are always read without a copy."""
    return ()


@op(
    "_TensorListSetItemResizing",
    "input_handle: variant, index: int32, item: element_dtype -> output_handle: variant",
    infer=lambda op: set_items(op, *static_element(op.inputs[0])),
    static_inputs=("input_handle", "index"),
    retained_inputs=("item",),
    element_dtype=ANY,
)
def set_item_resizing_op(xp, input_handle, index, item, *, element_dtype):
    """TensorListSetItem that grows the list if `resize_if_index_out_of_bounds` is set."""
    missing = int(index) + 1 - input_handle.length
    if missing > 0:
        input_handle = input_handle.replace_items([*input_handle.items, *[None] * missing])
    return tensor_list_set_item_op.kernel(
        xp, input_handle, index, item, element_dtype=element_dtype
    )


@set_item_resizing_op.gradient
def _(op, grad):
    tensor_list, index, item = op.inputs
    size = raw.TensorListLength(tensor_list)
    remaining = raw.TensorListSetItem(grad, index, ops.zeros_like(item))
    item_grad = raw.TensorListGetItem(grad, index, ops.shape(item), element_dtype=item.dtype)
    return raw.TensorListResize(remaining, size), None, item_grad
