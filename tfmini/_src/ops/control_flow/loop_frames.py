"""Loop ops: Enter, NextIteration and Exit of a frame.

Plan compilation turns the nodes of a frame into one loop (`compiler/passes/frames_to_loops.py`); as single ops,
they pass their data through unchanged.
"""

from __future__ import annotations

from typing import Any

from tfmini._src.base.nest.structure import flatten, map_structure
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.shape_inference import copy_input_shape, same_shape
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.control_flow.switch_merge import as_indexed_slices, tensor_or_composite


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


enter_op.forwards(output="data", at_once=True)


@enter_op.infer
def _(op):
    dims = same_shape(op)
    return dims if op.attrs["is_constant"] else None


@op(
    "RefEnter",
    "data: Ref(T) -> output: Ref(T)",
    infer=same_shape,
    T=Attr("type"),
    frame_name=Attr("string"),
    is_constant=False,
    parallel_iterations=10,
)
def ref_enter_op(xp, data):
    return data


@op("Exit", "data: T -> output: T", infer=same_shape, view=True, T=Attr("type"))
def exit_op(xp, data):
    return data


exit_op.forwards(output="data", at_once=True)


@op("RefExit", "data: Ref(T) -> output: Ref(T)", infer=same_shape, T=Attr("type"))
def ref_exit_op(xp, data):
    return data


@op("NextIteration", "data: T -> output: T", infer=same_shape, view=True, T=Attr("type"))
def next_iteration_op(xp, data):
    return data


@op("RefNextIteration", "data: Ref(T) -> output: Ref(T)", infer=same_shape, T=Attr("type"))
def ref_next_iteration_op(xp, data):
    return data


@op("LoopCond", "input: bool -> output: bool", view=True, static_inputs=("input",))
def loop_cond_op(xp, data):
    return data


loop_cond_op.infer(copy_input_shape(0, rank=0))


def enter(
    data: Any,
    frame_name: str,
    is_constant: bool = False,
    parallel_iterations: int = 10,
    use_input_shape: bool = True,
    name: str | None = None,
) -> Any:
    """Passes `data`, a tensor or each component of a composite one, into the frame."""
    data = tensor_or_composite(data, as_ref=True)
    if isinstance(data, Tensor):
        make = raw.RefEnter if data.dtype._is_ref_dtype else raw.Enter
        result = make(
            data,
            frame_name=frame_name,
            is_constant=is_constant,
            parallel_iterations=parallel_iterations,
            name=name,
        )
        if use_input_shape:
            result.set_shape(data.shape)
        return result
    return map_structure(
        lambda part: enter(part, frame_name, is_constant, parallel_iterations, use_input_shape),
        data,
        expand_composites=True,
    )


@public
def exit(data: TensorLike, name: str | None = None) -> Any:
    """Passes `data`, a tensor or each component of a composite one, out of the loop."""
    data = tensor_or_composite(data, as_ref=True)
    if isinstance(data, Tensor):
        return (raw.RefExit if data.dtype._is_ref_dtype else raw.Exit)(data, name=name)
    return map_structure(exit, data, expand_composites=True)


def next_iteration(data: Any, name: str | None = None) -> Any:
    """Passes `data`, a tensor or each component of a composite one, to the next iteration."""
    data = tensor_or_composite(data, as_ref=True)
    if isinstance(data, Tensor):
        make = raw.RefNextIteration if data.dtype._is_ref_dtype else raw.NextIteration
        return make(data, name=name)
    return map_structure(next_iteration, data, expand_composites=True)


def identity(data: Any) -> Any:
    """Returns an Identity that preserves references."""
    data = tensor_or_composite(data, as_ref=True)
    if isinstance(data, Tensor):
        return raw.RefIdentity(data) if data.dtype._is_ref_dtype else ops.identity(data)
    return map_structure(identity, data, expand_composites=True)


@public
def go_round(merged: Any, value: TensorLike) -> None:
    """Feeds `value` back to `merged` in the next iteration, as a tensor or as slices, whichever `merged` is."""
    if isinstance(merged, IndexedSlices):
        value = as_indexed_slices([value])[0]
    else:
        value = ops.convert_to_tensor(value)
    parts = zip(
        flatten(merged, expand_composites=True),
        flatten(next_iteration(value), expand_composites=True),
    )
    for tensor, part in parts:
        tensor.op._update_input(1, part)


def _gradient_loop() -> Any:
    """Returns the loop of the gradient being built; None outside loops, or if gradients are not supported there."""
    context: Any = get_default_graph()._get_control_flow_context()
    return context if context is not None and context.back_prop else None


@exit_op.gradient
@ref_exit_op.gradient
def _(op, grad):
    forward = op._get_control_flow_context()  # fails under a tape
    loop = _gradient_loop()
    if loop is None:
        return None
    if forward.grad_state is not None:
        raise TypeError("Second-order gradient for while loops not supported.")
    if not isinstance(grad, Tensor | IndexedSlices):
        raise TypeError(f"Type {type(grad)} not supported")
    parts = flatten(grad, expand_composites=True)
    for part in parts:
        loop.AddName(part.name)
    loop.Enter()
    result = enter(grad, loop.name, False, loop.parallel_iterations, name="b_exit")
    loop.loop_enters.append(result)
    loop.Exit()
    return result


@next_iteration_op.gradient
@ref_next_iteration_op.gradient
def _(op, grad):
    return grad  # the gradient's NextIteration is created at the Switch


@enter_op.gradient
@ref_enter_op.gradient
def _(op, grad):
    loop = _gradient_loop()
    if loop is None or loop.grad_state is None:
        return grad
    if op.attrs["is_constant"]:
        return loop.grad_state.sum_invariant_gradient(op, grad)
    result = exit(grad)
    loop.loop_exits.append(result)
    loop.ExitResult([result])
    return result


@loop_cond_op.gradient
def _(op, grad):
    return None
