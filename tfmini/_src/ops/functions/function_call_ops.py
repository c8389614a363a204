"""Ops that call library functions of a graph: plain calls, branches, loops, and the gradient of a call.

They have no kernels: at compile time, the nodes of the function body replace the call
(`executor/inline/inline.py`). The gradients of branches and loops are in `functions/`.
"""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.graphdef.function_bodies import inner_call_shapes
from tfmini._src.graph.opdef import Attr, op
from tfmini._src.graph.public_functions import ops as late_ops
from tfmini._src.graph.shape_inference import InferenceError
from tfmini._src.ops.state.resource_variables import handle_dims

_CONFIG_ATTRS: dict[str, Any] = {
    "f": Attr("func"),
    "config": "",
    "config_proto": "",
    "executor_type": "",
}


def _fail_uninlined(ctx: Any) -> Any:
    raise AssertionError(f"the call {ctx.op.name} has not been inlined")


def _types(minimum: int) -> Attr:
    return Attr("list(type)", minimum=minimum)


@op("PartitionedCall", "args: Tin -> output: Tout", Tin=_types(0), Tout=_types(0), **_CONFIG_ATTRS)
def partitioned_call_op(ctx):
    return _fail_uninlined(ctx)


@op(
    "StatefulPartitionedCall",
    "args: Tin -> output: Tout",
    infer=inner_call_shapes,
    stateful=True,
    Tin=_types(0),
    Tout=_types(0),
    **_CONFIG_ATTRS,
)
def stateful_partitioned_call_op(ctx):
    return _fail_uninlined(ctx)


@op(
    "RemoteCall",
    "target: string, args: Tin -> output: Tout",
    infer=lambda op: [None] * len(op.outputs),
    stateful=True,
    Tin=_types(1),
    Tout=_types(1),
    f=Attr("func"),
)
def remote_call_op(ctx):
    return _fail_uninlined(ctx)


@op("SymbolicGradient", "input: Tin -> output: Tout", Tin=_types(1), Tout=_types(1), f=Attr("func"))
def symbolic_gradient_op(ctx):
    return _fail_uninlined(ctx)


_BRANCHES: dict[str, Any] = {
    "Tcond": Attr("type"),
    "Tin": _types(0),
    "Tout": _types(0),
    "then_branch": Attr("func"),
    "else_branch": Attr("func"),
    "output_shapes": Attr("list(shape)", default=[]),
}


@op("If", "cond: Tcond, input: Tin -> output: Tout", stateful=True, **_BRANCHES)
def if_op(ctx):
    return _fail_uninlined(ctx)


@op("StatelessIf", "cond: Tcond, input: Tin -> output: Tout", **_BRANCHES)
def stateless_if_op(ctx):
    return _fail_uninlined(ctx)


@if_op.gradient
@stateless_if_op.gradient
def _(op, *grads):
    return late_ops.branch_gradients(op, grads)


@op(
    "Case",
    "branch_index: int32, input: Tin -> output: Tout",
    gradient=lambda op, *grads: late_ops.branch_gradients(op, grads),
    stateful=True,
    Tin=_types(0),
    Tout=_types(0),
    branches=Attr("list(func)", minimum=1),
    output_shapes=Attr("list(shape)", default=[]),
)
def case_op(ctx):
    return _fail_uninlined(ctx)


_LOOP: dict[str, Any] = {
    "T": _types(0),
    "cond": Attr("func"),
    "body": Attr("func"),
    "output_shapes": Attr("list(shape)", default=[]),
    "parallel_iterations": 10,
}


@op("While", "input: T -> output: T", stateful=True, **_LOOP)
def while_op(ctx):
    return _fail_uninlined(ctx)


@op("StatelessWhile", "input: T -> output: T", **_LOOP)
def stateless_while_op(ctx):
    return _fail_uninlined(ctx)


@while_op.gradient
@stateless_while_op.gradient
def _(op, *grads):
    return late_ops.while_gradients(op, grads)


@op(
    "For",
    "start: int32, limit: int32, delta: int32, input: T -> output: T",
    infer=lambda op: [None] * len(op.outputs),
    T=_types(0),
    body=Attr("func"),
)
def for_op(ctx):
    return _fail_uninlined(ctx)


@op("FakeParam", "-> output: dtype", dtype=Attr("type"), shape=Attr("shape"))
def fake_param_op(xp, *, dtype, shape):
    """Represents an output that the branch taken does not compute; its value is never read."""
    dims = [size or 0 for size in shape or ()]
    if dtype in (dtypes.resource, dtypes.variant):
        return None
    return xp.zeros(dims, dtype.as_numpy_dtype)


@fake_param_op.infer
def _(op):
    return op.attrs["shape"]


partitioned_call_op.infer(inner_call_shapes)


@symbolic_gradient_op.infer
def _(op):
    """Returns the shapes of the inputs, because the outputs are their gradients."""
    if len(op.inputs) < len(op.outputs):
        raise InferenceError("len(inputs) < len(outputs)")
    return [
        handle_dims(tensor) if tensor.dtype is dtypes.resource else tensor._dims
        for tensor in op.inputs[: len(op.outputs)]
    ]


@if_op.infer
@stateless_if_op.infer
@case_op.infer
def _(op):
    """Returns the shapes in the attr, or unknown shapes if it is empty."""
    return _declared_shapes(op) or [None] * len(op.outputs)


@while_op.infer
@stateless_while_op.infer
def _(op):
    """Returns the shapes in the attr, or if it is empty, the shapes of the inputs."""
    return _declared_shapes(op) or [tensor._dims for tensor in op.inputs]


def _declared_shapes(op: Any) -> list:
    shapes = op.attrs["output_shapes"]
    if shapes and len(shapes) != len(op.outputs):
        raise InferenceError(
            f"`output_shapes` must be the same length as num outputs ({len(shapes)} vs. {len(op.outputs)}"
        )
    return list(shapes)
