"""Switch and Merge: the fork and join of control flow.

A Switch sends its data to one of two outputs; the other output is dead, as are all nodes that
depend on it. A Merge forwards the live input. Plan compilation turns these into branches
(`compiler/passes/if_convert.py`); the kernels here define the semantics, with None for dead values.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.errors import invalid
from tfmini._src.base.nest.containers import is_composite
from tfmini._src.base.nest.structure import assert_same_structure, flatten, pack_sequence_as
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.convert_to_tensor import check_composite_dtype, internal_convert_to_tensor
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.loop_inputs import output_context
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.scopes import colocate_with, control_dependencies, name_scope
from tfmini._src.graph.shape_inference import same_shape, with_rank
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import shape_text
from tfmini._src.ops.state.resource_variables import handle_source, variable_shape


@op(
    "Switch",
    "data: T, pred: bool -> output_false: T, output_true: T",
    view=True,
    static_inputs=("pred",),
    T=Attr("type"),
)
def switch_op(xp, data, pred):
    return (None, data) if pred else (data, None)


switch_op.forwards(output_false="data", output_true="data", at_once=True)


@op(
    "RefSwitch",
    "data: Ref(T), pred: bool -> output_false: Ref(T), output_true: Ref(T)",
    uninitialized_input=True,
    static_inputs=("pred",),
    T=Attr("type"),
)
def ref_switch_op(xp, data, pred):
    return (None, data) if pred else (data, None)


@switch_op.infer
@ref_switch_op.infer
def _(op):
    with_rank(op.inputs[1]._dims, 0)
    return [same_shape(op)] * 2


def _first_alive(inputs: tuple) -> tuple:
    index = next(i for i, value in enumerate(inputs) if value is not None)
    return inputs[index], dtypes.int32.as_numpy_dtype(index)


@op(
    "Merge",
    "inputs: N*T -> output: T, value_index: int32",
    view=True,
    is_merge=True,
    T=Attr("type"),
    N=Attr("int", minimum=1),
)
def merge_op(xp, inputs):
    return _first_alive(inputs)


merge_op.forwards(output="inputs", at_once=True)


@op(
    "RefMerge",
    "inputs: Ref(N*T) -> output: Ref(T), value_index: int32",
    is_merge=True,
    T=Attr("type"),
    N=Attr("int", minimum=1),
)
def ref_merge_op(xp, inputs):
    return _first_alive(inputs)


@merge_op.infer
@ref_merge_op.infer
def _(op):
    shapes = [t._dims for t in op.inputs]
    first = shapes[0]
    if any(dims is None or first is None or len(dims) != len(first) for dims in shapes):
        return [None, ()]
    return [tuple(sizes[0] if len(set(sizes)) == 1 else None for sizes in zip(*shapes)), ()]


@op(
    "RefSelect",
    "index: int32, inputs: Ref(N*T) -> output: Ref(T)",
    static_inputs=("index",),
    T=Attr("type"),
    N=Attr("int", minimum=1),
)
def ref_select_op(xp, index, inputs):
    if np.ndim(index):
        invalid(f"Index must be a scalar, but it has shape {shape_text(np.shape(index))}")
    position = int(index)
    if not 0 <= position < len(inputs):
        invalid(f"Index must be in the range [0, {len(inputs)}) but got {position}")
    return inputs[position]


@ref_select_op.infer
def _(op):
    with_rank(op.inputs[0]._dims, 0)
    first, *remaining = (t._dims for t in op.inputs[1:])
    is_known = first is not None and None not in first and all(dims == first for dims in remaining)
    return first if is_known else None


def tensor_or_composite(
    value: Any, dtype: Any = None, name: str | None = None, as_ref: bool = False
) -> Any:
    """Converts `value` to a Tensor; composite values (IndexedSlices, SparseTensor) are returned unchanged."""
    if not is_composite(value):
        return internal_convert_to_tensor(value, dtype, name, as_ref)
    check_composite_dtype(value, dtype)
    return value


@public
def switch(
    data: TensorLike, pred: TensorLike, dtype: DTypeLike | None = None, name: str | None = None
) -> Any:
    """Sends `data` to the first output if `pred` is false, and to the second if it is true.

    Args:
      data: a tensor, IndexedSlices or SparseTensor.
      pred: bool scalar.
      dtype: the dtype to convert `data` to.

    Returns:
      (output_false, output_true), each like `data`; nodes that depend on the dead output do not run.
    """
    with name_scope(name, "Switch", [data, pred]) as name:
        data = tensor_or_composite(data, dtype, "data", as_ref=True)
        pred = internal_convert_to_tensor(pred, name="pred")
        if isinstance(data, Tensor):
            return raw.Switch(data, pred, name=name)
        parts = [raw.Switch(part, pred) for part in flatten(data, expand_composites=True)]
        false, true = zip(*parts)
        return (
            pack_sequence_as(data, false, expand_composites=True),
            pack_sequence_as(data, true, expand_composites=True),
        )


@public
def switch_ref_or_tensor(data: TensorLike, pred: TensorLike, name: str = "Switch") -> Any:
    """`switch` that preserves references, colocated with `data`."""
    data = tensor_or_composite(data, name="data")
    with colocate_with(data, ignore_existing=True):
        if isinstance(data, Tensor) and data.dtype._is_ref_dtype:
            return raw.RefSwitch(data, pred, name=name)
        return switch(data, pred, name=name)


@public
def merge(inputs: Any, name: str | None = None) -> Any:
    """Forwards whichever of `inputs` is live.

    Args:
      inputs: tensors of the same dtype, IndexedSlices or both (tensors are converted to slices), or SparseTensors.

    Returns:
      (output, value_index): the live input and its index, int32 scalar.

    Raises:
      ValueError: if an input is None.
      TypeError: if the types of the inputs cannot be combined.
    """
    if any(value is None for value in inputs):
        raise ValueError(f"At least one of the merge inputs is None: {inputs}")
    with name_scope(name, "Merge", inputs) as name:
        inputs = [tensor_or_composite(value, as_ref=True) for value in inputs]
        if all(isinstance(value, Tensor) for value in inputs):
            if all(value.dtype._is_ref_dtype for value in inputs):
                return raw.RefMerge(inputs, name=name)
            return raw.Merge(inputs, name=name)
        if all(isinstance(value, IndexedSlices | Tensor) for value in inputs):
            inputs = as_indexed_slices(inputs)
        for value in inputs:
            if not is_composite(value):
                raise TypeError(f"Type {type(value)} not supported")
        for value in inputs[1:]:
            assert_same_structure(inputs[0], value, expand_composites=True)
        flat = [flatten(value, expand_composites=True) for value in inputs]
        merged = [raw.Merge(list(parts)) for parts in zip(*flat)]
        output = pack_sequence_as(inputs[0], [m[0] for m in merged], expand_composites=True)
        return output, merged[0][1]


def as_indexed_slices(inputs: list) -> list[IndexedSlices]:
    """Converts tensors to IndexedSlices with all rows; the indices are int64 if any input has int64 indices."""
    slices = []
    for value in inputs:
        if isinstance(value, Tensor):
            shape = raw.Shape(value)
            value = IndexedSlices(value, ops.range(0, shape[0]), shape)
        slices.append(value)
    short = [value.indices.dtype == dtypes.int32 for value in slices]
    if all(short) or not any(short):
        return slices
    return [
        IndexedSlices(value.values, ops.cast(value.indices, dtypes.int64), value.dense_shape)
        if is_short
        else value
        for value, is_short in zip(slices, short)
    ]


@switch_op.gradient
@ref_switch_op.gradient
def _(op, *grads):
    context = op._get_control_flow_context()
    if context is not None and context.IsWhileContext():
        return _loop_variable_gradient(op, *grads), None
    if context is None:
        false_grad = switch(grads[0], op.inputs[1])[0]
        true_grad = switch(grads[1], op.inputs[1])[1]
        return merge([false_grad, true_grad])[0], None
    if grads[1 - context.branch] is not None:
        return merge(grads, name="cond_grad")[0], None
    if op.inputs[0].dtype == dtypes.resource:
        # A variable has no gradient in a branch without it.
        return merge([grads[context.branch]] * 2, name="cond_resource_grad")[0], None
    return None, None


def _loop_variable_gradient(op: Any, from_exit: Any, from_body: Any) -> Any:
    """Returns the gradient of a loop variable's Switch, which is visited for the exit, then for the body."""
    loop: Any = get_default_graph()._get_control_flow_context()
    merges = loop.grad_state.merges
    merged = merges.get(op)
    if merged is not None:
        if from_body is not None:
            ops.go_round(merged, from_body)
        return None
    if from_exit is None:
        return None
    merged = merges[op] = merge([from_exit, from_exit], name="b_switch")[0]
    return merged


@merge_op.gradient
@ref_merge_op.gradient
def _(op, grad, _):
    context: Any = output_context(op.inputs[0].op)
    loop: Any = get_default_graph()._get_control_flow_context()
    if context is not None and context.IsWhileContext():
        return switch_ref_or_tensor(grad, loop.pivot)
    if context is not None:
        gradient = None if loop is None else loop.grad_state
        pred = context.pred if gradient is None else gradient.real_predicate(context.pred)
        return switch_ref_or_tensor(grad, pred, name="cond_grad")
    predicates = [ops.equal(op.outputs[1], i) for i in range(len(op.inputs))]
    return [switch_ref_or_tensor(grad, pred)[1] for pred in predicates]


def _variable_dtype(handle: Tensor) -> dtypes.DType:
    """Returns the dtype of the variable behind a handle; float32 if unknown."""
    source = handle_source(handle)
    return dtypes.float32 if source is None else source.attrs["dtype"]


@public
def zeros_unconnected(x: Tensor) -> Tensor:
    """Returns the gradient of an unconnected `x`: zeros with its shape, or with the shape of its variable."""
    if x.dtype == dtypes.resource:
        return ops.zeros(variable_shape(x), dtype=_variable_dtype(x))
    return ops.zeros_like(x)


@public
def zeros_like_outside_loop(op: Any, index: int) -> Tensor:
    """Returns zeros for the gradient of output `index` of `op`; created in the branch taken for a `tf.cond` Switch."""
    value = op.outputs[index]
    context = op._get_control_flow_context() if op.type in ("Switch", "RefSwitch") else None
    if context is None:
        if value.dtype == dtypes.resource:
            return ops.zeros(raw.VariableShape(value), dtype=_variable_dtype(value))
        return ops.zeros_like(value, optimize=False)
    other = switch(op.inputs[0], context.pred)[1 - context.branch]
    # The zeros depend on a node inside the branch: a control dependency on the Switch would cover both outputs.
    pivot = ops.identity(other)
    if value.dtype == dtypes.resource:
        with control_dependencies([pivot]):
            return ops.zeros(raw.VariableShape(other), dtype=_variable_dtype(value))
    shape = raw.Shape(other)
    with control_dependencies([pivot]):
        return ops.zeros(shape, dtype=value.dtype)
