"""Resource variables: handles, and ops that read, assign and increment variables through them.

The value of a VarHandleOp's `resource` tensor is the variable's cell, as for reference variables,
but reads are explicit: a value is the output of a ReadVariableOp when that runs.
"""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes, errors
from tfmini._src.base.errors import invalid
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.op_traits.handle_kinds import READ_VARIABLE, VARIABLE, any_resource
from tfmini._src.graph.opdef import Attr, op_with_handles, raw
from tfmini._src.graph.shape_inference import (
    InferenceError,
    merge,
    scalar,
    text,
    with_rank,
)
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.state.assign import COUNTERS, as_array, fill_with_zeros, increment_cell

op = op_with_handles(resource=VARIABLE, input=VARIABLE, var=VARIABLE)

INDICES = (dtypes.int32, dtypes.int64)

# Ops that forward handles unchanged: a single one; several.
_MULTI_OUTPUT = ("IdentityN", "While", "StatelessWhile")
_PASS_THROUGH_OPS = frozenset(
    (
        "Identity",
        "Switch",
        "Merge",
        "Enter",
        "Exit",
        "NextIteration",
    )
    + ("Placeholder",)  # a function's placeholders of captured handles
    + _MULTI_OUTPUT
)


# Mutable tables describe their keys where a variable's handle describes its value.
_TABLES = ("MutableHashTableV2", "MutableHashTableOfTensorsV2", "MutableDenseHashTableV2")


class _SourceOfHandle:
    """Substitute for the VarHandleOp of a handle that already has a value."""

    type = "VarHandleOp"

    def __init__(self, handle: Any) -> None:
        cell = handle._array
        self.attrs = {"dtype": cell.dtype, "shape": cell.dims}


def handle_source(handle: Tensor) -> Any:
    """Returns the VarHandleOp behind a handle, or None if the graph does not contain it."""
    op = _origin(handle)
    return op if op.type == "VarHandleOp" else None


def _origin(handle: Tensor) -> Any:
    """Returns the op that created a handle, or the last such op that the graph contains."""
    if handle.__class__ is EagerTensor:
        return _SourceOfHandle(handle)
    op = handle.op
    while op.type in _PASS_THROUGH_OPS:
        around = handle.__dict__
        captured = around.get("_captured_from", around.get("_given_as"))
        if captured is None and not op.inputs:
            break
        index = handle.value_index if op.type in _MULTI_OUTPUT else 0
        handle = op.inputs[index] if captured is None else captured
        if handle.__class__ is EagerTensor:
            return _SourceOfHandle(handle)
        op = handle.op
    return op


def handle_dims(handle: Tensor, dtype: Any = None) -> Any:
    """Returns the static shape of a handle's variable, or None; checks the variable's dtype against `dtype` if set."""
    source = _origin(handle)
    if source.type == "VarHandleOp":
        actual, dims = source.attrs["dtype"], source.attrs["shape"]
    elif source.type in _TABLES:
        actual = source.attrs["key_dtype"]
        dims = source.inputs[0]._dims if source.inputs else ()
    else:
        return None
    if dtype is not None and actual is not dtype:
        raise InferenceError(
            "Trying to read variable with wrong dtype. "
            f"Expected {actual.proto_name} got {dtype.proto_name}"
        )
    return dims


def handle_dims_or_own(handle: Tensor, dtype: Any = None) -> Any:
    """`handle_dims`, or the static shape of the handle itself if it has no variable, as in TensorFlow."""
    source = _origin(handle)
    if source.type == "VarHandleOp" or source.type in _TABLES:
        return handle_dims(handle, dtype)
    if source.type == "Placeholder" or (source.inputs and not handle._dims):
        return None
    return handle._dims


def _counted_dims(op: Any) -> Any:
    source = _origin(op.inputs[0])
    handle_ops = ("VarHandleOp", "Placeholder", *_TABLES)
    if source.type not in handle_ops and not source.opdef.takes_functions:
        raise InferenceError("Handle has no shape/type information.")
    return with_rank(handle_dims(op.inputs[0], op.attrs["T"]), 0)


def require_initialized(ctx: Any, cell: Any) -> Any:
    """Returns the cell; raises NotFoundError if the variable is uninitialized, as updates and gathers do."""
    if not cell.initialized:
        raise errors.NotFoundError(None, ctx.op, cell.missing())
    return cell


@op(
    "VarHandleOp",
    "-> resource: resource",
    infer=scalar,
    stateful=True,
    makes_variable=True,
    container="",
    shared_name="",
    dtype=Attr("type"),
    shape=Attr("shape"),
)
def var_handle_op(ctx):
    return ctx.resources.variable(ctx.op)


@var_handle_op.bind
def _(ctx):
    cell = ctx.resources.variable(ctx.op)
    return lambda: cell


@op(
    "ReadVariableOp",
    "resource: resource -> value: dtype",
    device_state=True,
    infer=lambda op: handle_dims(op.inputs[0], op.attrs["dtype"]),
    gradient=lambda op, grad: grad,
    stateful=True,
    borrowed_result=True,
    handles={"resource": READ_VARIABLE},
    dtype=Attr("type"),
)
def read_variable_op(ctx, resource, *, dtype):
    return _read_as(resource, dtype)


def _read_as(cell: Any, dtype: Any) -> Any:
    if cell.dtype is not dtype:
        invalid(_other_dtype("read", cell, dtype))
    return cell.read()


@op(
    "_ReadVariableIf",
    "resource: resource, is_needed: bool -> value: dtype",
    infer=lambda op: op.attrs["shape"],
    differentiable=False,
    stateful=True,
    borrowed_result=True,
    handles={"resource": any_resource},
    dtype=Attr("type"),
    shape=Attr("shape"),
)
def _read_variable_if(ctx, resource, is_needed, *, dtype, shape):
    """Returns the read before a loop: zeros instead of an error if the loop has no iterations."""
    if is_needed or (resource.resource_kind is VARIABLE and resource.initialized):
        return _read_as(resource, dtype)
    return ctx.xp.zeros(shape, dtype.as_numpy_dtype)


def _other_dtype(action: str, cell: Any, dtype: Any) -> str:
    expected, actual = (dtype, cell.dtype) if action == "read" else (cell.dtype, dtype)
    return (
        f"Trying to {action} variable with wrong dtype. Expected {expected.proto_name} got "
        f"{actual.proto_name}"
    )


@op(
    "VarIsInitializedOp",
    "resource: resource -> is_initialized: bool",
    infer=scalar,
    differentiable=False,
    stateful=True,
    handles={"resource": any_resource},
)
def var_is_initialized_op(ctx, resource):
    return ctx.xp.asarray(resource.resource_kind is VARIABLE and resource.initialized)


@op(
    "ZeroVarInitializer",
    "var: resource -> output_var: resource",
    infer=scalar,
    stateful=True,
    uninitialized_input=True,
    dtype=Attr("type"),
    shape=Attr("shape"),
)
def zero_var_initializer_op(ctx, var):
    fill_with_zeros(ctx.xp, var, ctx.attrs["shape"] or ())
    return var


@op(
    "VariableShape",
    "input: resource -> output: out_type",
    differentiable=False,
    stateful=True,
    out_type=Attr("type", dtypes.int32, allowed=(dtypes.int32, dtypes.int64)),
)
def variable_shape_op(ctx, resource, *, out_type):
    return ctx.xp.asarray(require_initialized(ctx, resource).read().shape, out_type.numpy)


@variable_shape_op.infer
def _(op):
    dims = handle_dims(op.inputs[0])
    return (None,) if dims is None else (len(dims),)


def variable_shape(handle: Tensor, out_type: dtypes.DType = dtypes.int32) -> Any:
    """Returns the shape of the variable behind `handle`, as a constant if statically known."""
    dims = getattr(handle, "_handle_data", None)
    if dims is None or None in dims:
        return raw.VariableShape(handle, out_type=out_type)
    return ops.constant(dims, dtype=out_type)


@op(
    "DestroyResourceOp",
    "resource: resource ->",
    stateful=True,
    handles={"resource": any_resource},
    ignore_lookup_error=True,
)
def destroy_resource_op(ctx, resource, *, ignore_lookup_error):
    if not hasattr(resource, "initialized"):
        if not resource.destroyed:
            ctx.resources.destroy(resource)
        elif not ignore_lookup_error:
            problem = f"Resource {resource.destroyed}/<unknown> does not exist."
            raise errors.NotFoundError(None, ctx.op, problem)
        return ()
    if not resource.initialized and not ignore_lookup_error:
        problem = f"Resource {resource.container}/{resource.name}/<unknown> does not exist."
        if not resource.initialized_names:
            problem = f"Container {resource.container} does not exist."
        raise errors.NotFoundError(None, ctx.op, problem)
    resource.clear()
    return ()


# Assignment ------------------------------------------------------------------------------------


def _check_value(op: Any) -> list:
    """Checks the dtype and shape of a value against the handle."""
    merge(handle_dims(op.inputs[0], op.attrs["dtype"]), op.inputs[1]._dims)
    return []


@op(
    "AssignVariableOp",
    "resource: resource, value: dtype ->",
    device_state=True,
    infer=_check_value,
    stateful=True,
    dtype=Attr("type"),
)
def assign_variable_op(ctx, resource, value, *, dtype):
    if resource.dtype is not dtype and resource.initialized:
        invalid(_other_dtype("assign", resource, dtype))
    resource.assign(as_array(ctx.xp, value, dtype), "value" in ctx.owned)
    return ()


def _declare_update(name: str, function: str) -> None:
    """Declares AssignAddVariableOp or AssignSubVariableOp, with the numpy function `function` as kernel."""

    @op(
        name,
        "resource: resource, value: dtype ->",
        device_state=True,
        stateful=True,
        dtype=Attr("type"),
    )
    def update(ctx, resource, value):
        def change(array):
            shape = getattr(value, "shape", ())
            if array.shape != shape:
                invalid(
                    f"Cannot update variable with shape {text(array.shape)} using a Tensor with "
                    "shape "
                    f"{text(shape)}, shapes must be equal.",
                )
            getattr(ctx.xp, function)(array, value, out=array)

        require_initialized(ctx, resource).update(change)
        return ()

    update.infer(_check_value)


_declare_update("AssignAddVariableOp", "add")
_declare_update("AssignSubVariableOp", "subtract")


@op(
    "ResourceCountUpTo",
    "resource: resource -> output: T",
    infer=_counted_dims,
    stateful=True,
    limit=Attr("int"),
    T=COUNTERS,
)
def resource_count_up_to(ctx, resource, *, limit):
    return increment_cell(ctx, require_initialized(ctx, resource), limit)
