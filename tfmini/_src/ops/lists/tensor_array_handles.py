"""Ops that create TensorArrays and gradient arrays; the outputs are a handle and a flow that orders operations.

Version 3 uses resource handles, version 2 string handles, and version 1 string references; the last two occur
only in old graphs. At run time, all handles are `Elements`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.graph.op_traits.handle_kinds import FORWARD_ARRAY, TENSOR_ARRAY
from tfmini._src.graph.opdef import Attr, op_with_handles
from tfmini._src.graph.shape_inference import Dims, InferenceError, checked_ranks, with_rank
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops.lists.tensor_array_elements import Elements
from tfmini._src.ops.operands import ANY, shape_text

op = op_with_handles(handle=TENSOR_ARRAY)
gradient_op = op_with_handles(handle=FORWARD_ARRAY)

_SHAPE = Attr("shape", default=None)

# Shapes ----------------------------------------------------------------------------------------


def check_handle(op: Any) -> None:
    """Checks that a handle in an old graph has the shape of two strings."""
    (size,) = with_rank(op.inputs[0]._dims, 1)
    if size not in (2, None):
        raise InferenceError(f"Dimension must be 2 but is {size}")


_PASS_THROUGH_OPS = frozenset({"Enter", "Identity", "Switch", "TensorArrayGradV3"})


def element_dims(handle: Tensor) -> tuple[bool, Dims]:
    """Returns whether the graph declares the element shape, and the shape."""
    outer: Dims = ()
    node = handle.op
    while True:
        if node.type == "TensorArrayGradWithShape":
            # TensorFlow uses the number of prepended axes, not their sizes.
            (count,) = with_rank(node.inputs[2]._dims, 1)
            outer = None if count is None or outer is None else (*outer, *(None,) * count)
        elif node.type not in _PASS_THROUGH_OPS:
            break
        node = node.inputs[0].op
    if node.type != "TensorArrayV3":
        return False, None
    dims = node.attrs["element_shape"]
    if not node.attrs["identical_element_shapes"] and (dims is None or None in dims):
        return False, None
    return True, None if dims is None or outer is None else (*outer, *dims)


# The arrays ------------------------------------------------------------------------------------


def _new_elements(ctx: Any, size: Any, same_shape: bool) -> Elements:
    attrs = ctx.attrs
    return Elements.make(
        attrs["tensor_array_name"] or ctx.op.name,
        attrs["dtype"],
        size,
        attrs["element_shape"],
        same_shape=same_shape,
        can_grow=attrs["dynamic_size"],
        clears_after_read=attrs["clear_after_read"],
    )


@op(
    "TensorArrayV3",
    "size: int32 -> handle: resource, flow: float32",
    infer=checked_ranks(0, result=[(2,), ()]),
    differentiable=False,
    stateful=True,
    static_inputs=("size",),
    dtype=ANY,
    element_shape=_SHAPE,
    dynamic_size=False,
    clear_after_read=True,
    identical_element_shapes=False,
    tensor_array_name="",
)
def tensor_array_v3_op(ctx, size):
    result = _new_elements(ctx, size, ctx.attrs["identical_element_shapes"])
    return result, ctx.xp.zeros((), np.float32)[()]


@op(
    "TensorArrayV2",
    "size: int32 -> handle: string",
    infer=checked_ranks(0, result=(2,)),
    differentiable=False,
    stateful=True,
    static_inputs=("size",),
    dtype=ANY,
    element_shape=_SHAPE,
    dynamic_size=False,
    clear_after_read=True,
    tensor_array_name="",
)
def tensor_array_v2_op(ctx, size):
    return _new_elements(ctx, size, same_shape=False)


@op(
    "TensorArray",
    "size: int32 -> handle: Ref(string)",
    infer=checked_ranks(0, result=(2,)),
    differentiable=False,
    stateful=True,
    static_inputs=("size",),
    dtype=ANY,
    dynamic_size=False,
    clear_after_read=True,
    tensor_array_name="",
    element_shape=_SHAPE,
)
def tensor_array_op(ctx, size):
    return _new_elements(ctx, size, same_shape=False)


# The arrays of their gradients -----------------------------------------------------------------


@gradient_op(
    "TensorArrayGradV3",
    "handle: resource, flow_in: float32 -> grad_handle: resource, flow_out: float32",
    differentiable=False,
    stateful=True,
    view=True,
    static_inputs=("handle",),
    source=Attr("string"),
)
def tensor_array_grad_v3_op(xp, handle, flow, *, source):
    return handle.gradient(source), flow


@gradient_op(
    "TensorArrayGradWithShape",
    "handle: resource, flow_in: float32, shape_to_prepend: int32 -> grad_handle: resource, flow_out: float32",
    differentiable=False,
    stateful=True,
    view=True,
    static_inputs=("handle", "shape_to_prepend"),
    source=Attr("string"),
)
def tensor_array_grad_with_shape_op(xp, handle, flow, shape, *, source):
    if shape.ndim != 1:
        invalid(f"shape must be a vector of {{int32,int64}}, got shape {shape_text(shape.shape)}")
    if shape.size and shape.min() < 0:
        invalid(f"Dimension {shape[shape < 0][0]} must be >= 0")
    return handle.gradient(source, tuple(shape.tolist())), flow


@gradient_op(
    "TensorArrayGradV2",
    "handle: string, flow_in: float32 -> grad_handle: string",
    differentiable=False,
    stateful=True,
    static_inputs=("handle",),
    source=Attr("string"),
)
def tensor_array_grad_v2_op(xp, handle, flow, *, source):
    return handle.gradient(source)


@gradient_op(
    "TensorArrayGrad",
    "handle: string, flow_in: float32 -> grad_handle: Ref(string)",
    differentiable=False,
    stateful=True,
    static_inputs=("handle",),
    source=Attr("string"),
)
def tensor_array_grad_op(xp, handle, flow, *, source):
    return handle.gradient(source)


@tensor_array_grad_v3_op.infer
@tensor_array_grad_with_shape_op.infer
def _(op):
    check_handle(op)
    with_rank(op.inputs[1]._dims, 0)
    return [(2,), ()]


@tensor_array_grad_v2_op.infer
@tensor_array_grad_op.infer
def _(op):
    check_handle(op)
    return (2,)
