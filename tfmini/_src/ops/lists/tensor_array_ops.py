"""Ops that read and write TensorArrays, in three versions that differ in handle type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.op_traits.handle_kinds import TENSOR_ARRAY
from tfmini._src.graph.opdef import Attr, OpDef, op_with_handles
from tfmini._src.graph.shape_inference import (
    Dims,
    merge,
    merge_dim,
    scalar,
    unknown,
    with_rank,
    with_rank_at_least,
)
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.lists.tensor_array_handles import check_handle, element_dims
from tfmini._src.ops.operands import ANY

op = op_with_handles(handle=TENSOR_ARRAY)

_SHAPE = Attr("shape", default=None)
_HANDLES = {"V3": "resource", "V2": "string", "": "Ref(string)"}


def _declare_all_versions(
    name: str, signature: str, **settings: Any
) -> Callable[[Callable], list[OpDef]]:
    """Declares the three versions of an op, replacing HANDLE in the signature with the handle type."""

    def declare(kernel: Callable) -> list[OpDef]:
        return [
            op(
                name + version,
                signature.replace("HANDLE", handle),
                stateful=handle == "resource",
                **settings,
            )(kernel)
            for version, handle in _HANDLES.items()
        ]

    return declare


# Single elements -------------------------------------------------------------------------------


@_declare_all_versions(
    "TensorArrayWrite",
    "handle: HANDLE, index: int32, value: T, flow_in: float32 -> flow_out: float32",
    view=True,
    retained_inputs=("value",),
    static_inputs=("handle", "index", "value"),
    T=ANY,
)
def write_ops(xp, handle, index, value, flow, *, T):
    handle.write(index, value, T)
    return flow


@_declare_all_versions(
    "TensorArrayRead",
    "handle: HANDLE, index: int32, flow_in: float32 -> value: dtype",
    borrowed_result=True,
    static_inputs=("handle", "index"),
    dtype=ANY,
)
def read_ops(xp, handle, index, flow, *, dtype):
    return handle.read(xp, index, dtype)


def _infer_write(op: Any) -> Dims:
    check_handle(op)
    with_rank(op.inputs[1]._dims, 0)
    with_rank(op.inputs[3]._dims, 0)
    is_known, dims = element_dims(op.inputs[0])
    if is_known:
        merge(dims, op.inputs[2]._dims)
    return ()


def _infer_read(op: Any) -> Dims:
    check_handle(op)
    with_rank(op.inputs[1]._dims, 0)
    with_rank(op.inputs[2]._dims, 0)
    return element_dims(op.inputs[0])[1]


# Several ---------------------------------------------------------------------------------------


@_declare_all_versions(
    "TensorArrayGather",
    "handle: HANDLE, indices: int32, flow_in: float32 -> value: dtype",
    static_inputs=("handle", "indices"),
    dtype=ANY,
    element_shape=_SHAPE,
)
def gather_ops(xp, handle, indices, flow, *, dtype, element_shape):
    return handle.gather(xp, indices, element_shape, dtype)


@op(
    "TensorArrayPack",
    "handle: Ref(string), flow_in: float32 -> value: dtype",
    infer=unknown,
    static_inputs=("handle",),
    dtype=ANY,
    element_shape=_SHAPE,
)
def tensor_array_pack_op(xp, handle, flow, *, dtype, element_shape):
    return handle.gather(xp, None, element_shape, dtype)


@_declare_all_versions(
    "TensorArrayScatter",
    "handle: HANDLE, indices: int32, value: T, flow_in: float32 -> flow_out: float32",
    view=True,
    retained_inputs=("value",),
    static_inputs=("handle", "indices", "value"),
    T=ANY,
)
def scatter_ops(xp, handle, indices, value, flow, *, T):
    handle.scatter(indices, value, T)
    return flow


@op(
    "TensorArrayUnpack",
    "handle: Ref(string), value: T, flow_in: float32 -> flow_out: float32",
    infer=scalar,
    view=True,
    retained_inputs=("value",),
    static_inputs=("handle", "value"),
    T=ANY,
)
def tensor_array_unpack_op(xp, handle, value, flow, *, T):
    handle.scatter(None, value, T)
    return flow


@_declare_all_versions(
    "TensorArrayConcat",
    "handle: HANDLE, flow_in: float32 -> value: dtype, lengths: int64",
    static_inputs=("handle",),
    dtype=ANY,
    element_shape_except0=_SHAPE,
)
def concat_ops(xp, handle, flow, *, dtype, element_shape_except0):
    return handle.concat(xp, element_shape_except0, dtype)


@_declare_all_versions(
    "TensorArraySplit",
    "handle: HANDLE, value: T, lengths: int64, flow_in: float32 -> flow_out: float32",
    view=True,
    retained_inputs=("value",),
    static_inputs=("handle", "lengths", "value"),
    T=ANY,
)
def split_ops(xp, handle, value, lengths, flow, *, T):
    handle.split(value, lengths, T)
    return flow


def _infer_gather(op: Any) -> Dims:
    check_handle(op)
    (count,) = with_rank(op.inputs[1]._dims, 1)
    with_rank(op.inputs[2]._dims, 0)
    is_known, dims = element_dims(op.inputs[0])
    if not is_known:
        dims = op.attrs["element_shape"]
    return None if dims is None else (count, *dims)


def _infer_scatter(op: Any) -> Dims:
    check_handle(op)
    (count,) = with_rank(op.inputs[1]._dims, 1)
    with_rank(op.inputs[3]._dims, 0)
    if op.inputs[0].dtype.base_dtype is dtypes.string:
        return ()
    dims = with_rank_at_least(op.inputs[2]._dims, 1)
    if dims is not None:
        merge_dim(dims[0], count)
        is_known, inner = element_dims(op.inputs[0])
        if is_known:
            merge(inner, dims[1:])
    return ()


def _infer_concat(op: Any) -> list[Dims]:
    check_handle(op)
    with_rank(op.inputs[1]._dims, 0)
    return [None, (None,)]


def _infer_split(op: Any) -> Dims:
    check_handle(op)
    with_rank(op.inputs[2]._dims, 1)
    with_rank(op.inputs[3]._dims, 0)
    return ()


# The entire array -------------------------------------------------------------------------------------


@_declare_all_versions(
    "TensorArraySize",
    "handle: HANDLE, flow_in: float32 -> size: int32",
    static_inputs=("handle",),
)
def size_ops(xp, handle, flow):
    return handle.size()


@_declare_all_versions("TensorArrayClose", "handle: HANDLE ->", static_inputs=("handle",))
def close_ops(xp, handle):
    handle.close()


def _infer_size(op: Any) -> Dims:
    check_handle(op)
    with_rank(op.inputs[1]._dims, 0)
    return ()


def _infer_close(op: Any) -> list[Dims]:
    check_handle(op)
    return []


for _declared, _rule in (
    (write_ops, _infer_write),
    (read_ops, _infer_read),
    (gather_ops, _infer_gather),
    (scatter_ops, _infer_scatter),
    (concat_ops, _infer_concat),
    (split_ops, _infer_split),
    (size_ops, _infer_size),
    (close_ops, _infer_close),
):
    for _opdef in _declared:
        _opdef.infer(_rule)


# Gradients -------------------------------------------------------------------------------------

for _opdef in (*size_ops, *close_ops):
    _opdef.differentiable = False


def _gradient_source(gradient: Any) -> str:
    """Returns the key of one of several `tf.gradients` calls: its name scope."""
    names = gradient.name.split("/")
    scopes = [i for i, name in enumerate(names) if name.startswith("gradients")]
    if not scopes:
        raise ValueError(
            "Expected op/tensor name to start with gradients (excluding scope), got: "
            f"{gradient.name}. This means that a tf.gradients op with this op in its dependency path has a custom name "
            "that does not start with 'gradients'. Please make sure all calls to tf.gradients that have non-empty "
            "'name' arguments use names that start with 'gradients'."
        )
    return "/".join(names[: scopes[-1] + 1])


def _gradients(op: Any, dtype: dtypes.DType, flow: Tensor, named_gradient: Tensor) -> Any:
    """Returns the gradient array of the TensorArray that `op` uses."""
    array = ops.TensorArray(
        dtype, handle=op.inputs[0], flow=flow, colocate_with_first_write_call=False
    )
    return array.grad(source=_gradient_source(named_gradient), flow=flow)


def _read_gradient(op: Any, grad: Any) -> tuple:
    # The forward flow guarantees that a growing array has its final size when the gradient array is created.
    _, index, flow = op.inputs
    written = _gradients(op, op.attrs["dtype"], flow, grad).write(index, grad)
    return None, None, written.flow


def _write_gradient(op: Any, flow: Any) -> tuple:
    return None, None, _gradients(op, op.attrs["T"], flow, flow).read(op.inputs[1]), flow


def _gather_gradient(op: Any, grad: Any) -> tuple:
    _, indices, flow = op.inputs
    written = _gradients(op, op.attrs["dtype"], flow, grad).scatter(indices, grad)
    return None, None, written.flow


def _scatter_gradient(op: Any, flow: Any) -> tuple:
    return None, None, _gradients(op, op.attrs["T"], flow, flow).gather(op.inputs[1]), flow


def _concat_gradient(op: Any, grad: Any, _: Any) -> tuple:
    flow = op.inputs[1]
    array = _gradients(op, op.attrs["dtype"], flow, grad)
    return None, array.split(grad, lengths=op.outputs[1]).flow


def _split_gradient(op: Any, flow: Any) -> tuple:
    return None, _gradients(op, op.attrs["T"], flow, flow).concat(), None, flow


for _declared, _gradient in (
    (read_ops, _read_gradient),
    (write_ops, _write_gradient),
    (gather_ops, _gather_gradient),
    (scatter_ops, _scatter_gradient),
    (concat_ops, _concat_gradient),
    (split_ops, _split_gradient),
):
    for _opdef in _declared:
        _opdef.gradient(_gradient)
