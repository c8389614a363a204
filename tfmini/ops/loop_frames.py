"""The ops of loops: a frame is entered, gone through once more, and left.

When a plan is compiled, the nodes of a frame become one loop (`runtime/loops.py`); the kernels here say what the ops
do to their data, which is nothing.
"""

from __future__ import annotations

from typing import Any

from tfmini import nest
from tfmini.graph.inference import with_rank
from tfmini.graph.opdef import Attr, op, ops, public, raw
from tfmini.graph.tensor import Tensor
from tfmini.ops.switches import tensor_or_composite

ENTERS = frozenset({"Enter", "RefEnter"})
EXITS = frozenset({"Exit", "RefExit"})


@op(
    "Enter",
    "data: T -> output: T",
    view=True,
    T=Attr("type"),
    frame_name=Attr("string"),
    is_constant=False,
    parallel_iterations=10,
)
def enter_op(xp, data):
    return data


@op(
    "RefEnter",
    "data: Ref(T) -> output: Ref(T)",
    T=Attr("type"),
    frame_name=Attr("string"),
    is_constant=False,
    parallel_iterations=10,
)
def ref_enter_op(xp, data):
    return data


@op("Exit", "data: T -> output: T", view=True, T=Attr("type"))
def exit_op(xp, data):
    return data


@op("RefExit", "data: Ref(T) -> output: Ref(T)", T=Attr("type"))
def ref_exit_op(xp, data):
    return data


@op("NextIteration", "data: T -> output: T", view=True, T=Attr("type"))
def next_iteration_op(xp, data):
    return data


@op("RefNextIteration", "data: Ref(T) -> output: Ref(T)", T=Attr("type"))
def ref_next_iteration_op(xp, data):
    return data


@op("LoopCond", "input: bool -> output: bool", view=True, host=("input", "output"))
def loop_cond_op(xp, data):
    return data


@enter_op.infer
def _(op):
    return op.inputs[0]._dims if op.attrs["is_constant"] else None


@ref_enter_op.infer
@exit_op.infer
@ref_exit_op.infer
@next_iteration_op.infer
@ref_next_iteration_op.infer
def _(op):
    return op.inputs[0]._dims


@loop_cond_op.infer
def _(op):
    return with_rank(op.inputs[0]._dims, 0)


def enter(
    data: Any,
    frame_name: str,
    is_constant: bool = False,
    parallel_iterations: int = 10,
    use_ref: bool = True,
    use_input_shape: bool = True,
    name: str | None = None,
) -> Any:
    """`data` as it is inside of the frame: a tensor, or each part of a composite one."""
    data = tensor_or_composite(data, as_ref=True)
    if isinstance(data, Tensor):
        make = raw.RefEnter if data.dtype._is_ref_dtype and use_ref else raw.Enter
        result = make(data, frame_name, is_constant, parallel_iterations, name=name)
        if use_input_shape:
            result.set_shape(data.shape)
        return result
    return nest.map_structure(
        lambda part: enter(
            part, frame_name, is_constant, parallel_iterations, use_ref, use_input_shape
        ),
        data,
        expand_composites=True,
    )


@public
def exit(data: Any, name: str | None = None) -> Any:
    """`data` as it is after the loop: a tensor, or each part of a composite one."""
    data = tensor_or_composite(data, as_ref=True)
    if isinstance(data, Tensor):
        return (raw.RefExit if data.dtype._is_ref_dtype else raw.Exit)(data, name=name)
    return nest.map_structure(exit, data, expand_composites=True)


def next_iteration(data: Any, name: str | None = None) -> Any:
    """`data` for the next time round: a tensor, or each part of a composite one."""
    data = tensor_or_composite(data, as_ref=True)
    if isinstance(data, Tensor):
        make = raw.RefNextIteration if data.dtype._is_ref_dtype else raw.NextIteration
        return make(data, name=name)
    return nest.map_structure(next_iteration, data, expand_composites=True)


def identity(data: Any) -> Any:
    """An Identity that keeps a reference."""
    data = tensor_or_composite(data, as_ref=True)
    if isinstance(data, Tensor):
        return raw.RefIdentity(data) if data.dtype._is_ref_dtype else ops.identity(data)
    return nest.map_structure(identity, data, expand_composites=True)


def is_constant_enter(op: Any) -> bool:
    """Whether the node brings into its frame what stays the same in each iteration."""
    return op.type in ENTERS and op.attrs["is_constant"]
