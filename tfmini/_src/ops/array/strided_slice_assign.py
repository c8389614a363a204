"""Slice assignment to variables and tensors: the ops behind `var[1:, 0].assign(x)`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.errors import UnimplementedError
from tfmini._src.graph.op_traits.handle_kinds import VARIABLE
from tfmini._src.graph.opdef import op_with_handles
from tfmini._src.graph.shape_inference import same_shape
from tfmini._src.ops.array.strided_slice import MASKS, selection
from tfmini._src.ops.array.strided_slice_spec import Masks, sliced_dims
from tfmini._src.ops.operands import ANY, INDEX, dense, shape_text, unwrap_string
from tfmini._src.ops.state.resource_variables import require_initialized

op = op_with_handles(ref=VARIABLE)


def _set_slice(array: Any, begin: Any, end: Any, strides: Any, value: Any, masks: Masks) -> None:
    """Sets `array[begin:end:strides] = value`; the shapes must match unless the slice is empty."""
    index = selection(array.shape, begin, end, strides, masks)
    requested = sliced_dims(array.shape, begin, end, strides, masks)
    if 0 in requested:
        return
    if requested != np.shape(value):
        raise UnimplementedError(
            None,
            None,
            f"sliced l-value shape {shape_text(requested)} does not match r-value shape "
            f"{shape_text(np.shape(value))}. Automatic broadcasting not yet implemented.",
        )
    array[index] = value if type(value) is type(array) else unwrap_string(dense(value))


@op(
    "StridedSliceAssign",
    "ref: Ref(T), begin: Index, end: Index, strides: Index, value: T -> output_ref: Ref(T)",
    infer=same_shape,
    static_inputs=("begin", "end", "strides"),
    T=ANY,
    Index=INDEX,
    **MASKS,
)
def strided_slice_assign(ctx, ref, begin, end, strides, value):
    masks = Masks.from_attrs(ctx.op.attrs)
    ref.update(lambda array: _set_slice(array, begin, end, strides, value, masks))
    return ref


@op(
    "ResourceStridedSliceAssign",
    "ref: resource, begin: Index, end: Index, strides: Index, value: T ->",
    device_state=True,
    stateful=True,
    static_inputs=("begin", "end", "strides"),
    T=ANY,
    Index=INDEX,
    **MASKS,
)
def resource_strided_slice_assign(ctx, ref, begin, end, strides, value):
    masks = Masks.from_attrs(ctx.op.attrs)
    require_initialized(ctx, ref).update(
        lambda array: _set_slice(array, begin, end, strides, value, masks)
    )


@op(
    "TensorStridedSliceUpdate",
    "input: T, begin: Index, end: Index, strides: Index, value: T -> output: T",
    infer=same_shape,
    static_inputs=("begin", "end", "strides"),
    T=ANY,
    Index=INDEX,
    **MASKS,
)
def tensor_strided_slice_update(ctx, input, begin, end, strides, value):
    result = input.copy()
    _set_slice(result, begin, end, strides, value, Masks.from_attrs(ctx.op.attrs))
    return result
