"""Concatenation along an existing axis: Concat, its gradient, and the ConcatOffset op used by the gradient."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.devices.cuda.concat import join
from tfmini._src.devices.host.native.concat import SMALL_CONCAT_BYTES, concatenate
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    input_value,
    merge,
    with_rank,
    with_rank_at_least,
)
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.control_flow.switch_merge import output_context
from tfmini._src.ops.operands import ANY, INDEX32, shape_text
from tfmini._src.ops.ragged_dispatch import accepts_ragged


def _concat(join: Callable[[tuple, int], Any], values: tuple, axis: Any, axis_name: str) -> Any:
    try:
        if axis.ndim == 0:
            return join(values, axis.item())
    except ValueError:  # NumPy's AxisError is also one
        pass
    invalid(_concat_problem(values, axis, axis_name))


def _concat_problem(values: tuple, axis: Any, axis_name: str) -> str:
    if axis.ndim != 0:
        return (
            f"{axis_name} tensor should be a scalar integer, but got shape {shape_text(axis.shape)}"
        )
    shapes = [np.shape(v) for v in values]
    first, dim = shapes[0], axis.item()
    if not -len(first) <= dim < len(first):
        return (
            "ConcatOp : Expected concatenating dimensions in the range "
            f"[{-len(first)}, {len(first)}), but got {dim}"
        )
    for i, other in enumerate(shapes):
        if len(other) != len(first):
            problem = "Ranks of all input tensors should match"
        elif any(d != e for j, (d, e) in enumerate(zip(first, other)) if j != dim % len(first)):
            problem = "Dimensions of inputs should match"
        else:
            continue
        shapes_differ = f"shape[0] = {shape_text(first)} vs. shape[{i}] = {shape_text(other)}"
        return f"ConcatOp : {problem}: {shapes_differ}"
    return "ConcatOp : these tensors cannot be joined"


@op(
    "ConcatV2",
    "values: N*T, axis: Tidx -> output: T",
    infer=lambda op: _concat_dims(op, op.inputs[:-1], len(op.inputs) - 1),
    gradient=lambda op, grad: [*_concat_gradient(op.inputs[:-1], op.inputs[-1], grad), None],
    static_inputs=("axis",),
    N=Attr("int", minimum=2),
    T=ANY,
    Tidx=INDEX32,
)
def concat_v2(xp, values, axis):
    return _concat(concatenate if xp is np else xp.concatenate, values, axis, "axis")


@concat_v2.bind
def _(ctx):
    """Joins small arrays along a constant axis directly; leaves errors to the kernel."""
    ranks = {0 if dims is None else len(dims) for dims in ctx.dims[:-1]}
    axis = ctx.constants.get("axis")
    if len(ranks) != 1 or axis is None or axis.ndim or not -min(ranks) <= axis < min(ranks):
        return None
    if ctx.attrs["T"].numpy.hasobject:
        return None
    dim = int(axis)

    def join(values, axis):
        if values[0].nbytes * len(values) < SMALL_CONCAT_BYTES:
            try:
                return np.concatenate(values, dim)
            except ValueError:
                pass
        return concat_v2.kernel(np, values, axis)

    return join


@concat_v2.on_gpu
def _(gpu, values, axis):
    return _concat(partial(join, gpu.xp), values, axis, "axis")


@op(
    "Concat",
    "concat_dim: int32, values: N*T -> output: T",
    infer=lambda op: _concat_dims(op, op.inputs[1:], 0),
    gradient=lambda op, grad: [None, *_concat_gradient(op.inputs[1:], op.inputs[0], grad)],
    static_inputs=("concat_dim",),
    N=Attr("int", minimum=2),
    T=ANY,
)
def concat_v1(xp, axis, values):
    return _concat(concatenate if xp is np else xp.concatenate, values, axis, "concat_dim")


@concat_v1.on_gpu
def _(gpu, axis, values):
    return _concat(partial(join, gpu.xp), values, axis, "concat_dim")


def _concat_dims(op: Any, values: Any, axis_input: int) -> Dims:
    with_rank(op.inputs[axis_input]._dims, 0)
    shapes = [t._dims for t in values]
    known_shape = next((s for s in shapes if s is not None), None)
    if known_shape is not None:
        if not known_shape:
            raise InferenceError("Can't concatenate scalars (use tf.stack instead)")
        for dims in shapes:
            with_rank(dims, len(known_shape))
    axis = input_value(op, axis_input)
    if axis is None or known_shape is None:
        return None if known_shape is None else (None,) * len(known_shape)
    dim = int(axis)
    min_rank = -dim if dim < 0 else dim + 1
    leading_dims: Dims = None
    trailing_dims: Dims = None
    concat_size: int | None = 0
    for dims in reversed(shapes):
        with_rank_at_least(dims, min_rank)
        if dims is None:
            concat_size = None
            continue
        leading_dims = merge(dims[:dim], leading_dims)
        concat_size = None if concat_size is None or dims[dim] is None else concat_size + dims[dim]
        trailing_dims = merge(dims[dim + 1 :] if dim != -1 else (), trailing_dims)
    # Because at least one shape is known.
    assert leading_dims is not None and trailing_dims is not None
    return (*leading_dims, concat_size, *trailing_dims)


def _concat_gradient(values: Any, axis: Tensor, grad: Any) -> Any:
    """Returns the gradient of each of `values`, a slice of `grad`."""
    if len(values) == 1:
        return [grad]
    if isinstance(grad, IndexedSlices):
        return _concat_gradient_of_slices(values, axis, grad)
    if not executing_eagerly():
        axis = _gradient_axis(axis, grad)
    axis = axis % ops.rank(values[0])
    shapes = _value_shapes(values)
    if len(shapes) > 16:
        sizes = ops.squeeze(ops.slice(ops.stack(shapes, axis=1), [axis, 0], [1, -1]))
        return ops.split(grad, sizes, axis)
    offsets = raw.ConcatOffset(axis, shapes)
    return [ops.slice(grad, begin, shape) for begin, shape in zip(offsets, shapes)]


def _gradient_axis(axis: Tensor, grad: Tensor) -> Tensor:
    """Replaces a constant `axis` outside the control flow context of `grad` with its value."""
    if axis.op.type == "Const" and output_context(axis.op) is not output_context(grad.op):
        return ops.constant(get_static_value(axis), dtype=axis.dtype)
    return axis


def _value_shapes(values: Any) -> list:
    """Returns the shapes of `values`: constants if all are statically known, or else the outputs of one ShapeN node."""
    sizes = []
    for value in values:
        size = ops.shape(value)
        if not executing_eagerly() and size.op.type != "Const":
            return ops.shape_n(list(values))
        sizes.append(size)
    return sizes


def _concat_gradient_of_slices(values: Any, axis: Tensor, grad: IndexedSlices) -> list:
    position = axis % ops.rank(values[0])
    static = get_static_value(axis)
    if static is None:
        raise ValueError("Can only compute IndexedSlices gradient with statically-known concat_dim")
    if static < 0:
        rank = get_static_value(ops.rank(values[0]))
        if rank is None:
            raise ValueError(
                "Can only compute IndexedSlices gradient with negative concat_dim when first value "
                "rank is statically-known."
            )
        static = static % rank
    sizes = [ops.shape(value) for value in values]
    result = []
    if static > 0:
        # Every input spans all rows and a part of each.
        rank_vector = ops.shape(sizes[0])
        mask = ops.concat(
            [
                ops.fill(ops.expand_dims(position, 0), 0),
                [1],
                ops.fill(rank_vector - position - 1, 0),
            ],
            0,
        )
        begin = ops.fill(rank_vector, 0)
        for size in sizes:
            extent = ops.concat([[-1], ops.slice(size, [1], [-1])], 0)
            result.append(IndexedSlices(ops.slice(grad.values, begin, extent), grad.indices, size))
            begin = ops.add(begin, size * mask)
        return result
    start = ops.constant(0, dtype=grad.indices.dtype)
    for size in sizes:
        rows = ops.gather(size, position)
        if rows.dtype != grad.indices.dtype:
            rows = ops.cast(rows, dtype=grad.indices.dtype)
        end = start + rows
        is_in_slice = ops.logical_and(grad.indices >= start, grad.indices < end)
        selected = ops.squeeze(ops.where(is_in_slice), axis=[1])
        indices = ops.gather(grad.indices, selected) - start
        result.append(IndexedSlices(ops.gather(grad.values, selected), indices, size))
        start = end
    return result


@public
@accepts_ragged("[values]")
def concat(values: TensorLike, axis: TensorLike, name: str = "concat") -> Tensor:
    """Concatenates tensors along an existing axis.

    Args:
      values: a list of tensors whose shapes differ only along `axis`.
      axis: the axis, counted from the end if negative; an int or int32 scalar.

    Raises:
      ValueError, InvalidArgumentError (when run): if the shapes do not match.

    Example: for shapes [5, 2] and [5, 3], `tf.concat([a, b], 1)` has shape [5, 5].
    """
    if not isinstance(values, list | tuple):
        values = [values]
    if len(values) == 1:
        with name_scope(name):
            axis = ops.convert_to_tensor(axis, name="concat_dim", dtype=dtypes.int32)
            axis.get_shape().assert_has_rank(0)
            return ops.identity(values[0], name=name)
    return raw.ConcatV2(values, axis, name=name)


@op(
    "ConcatOffset",
    "concat_dim: int32, shape: N*int32 -> offset: N*int32",
    infer=lambda op: [t._dims for t in op.inputs[1:]],
    differentiable=False,
    static_inputs=("concat_dim", "shape"),
    N=Attr("int", minimum=2),
)
def concat_offset(xp, axis, shapes):
    if axis.ndim != 0:
        invalid(
            f"Concat dim tensor should be a scalar integer, but got shape {shape_text(axis.shape)}"
        )
    first = shapes[0]
    if first.ndim != 1:
        invalid(f"input 1 should be a vector, but got shape {shape_text(first.shape)}")
    rank, dim = first.size, axis.item()
    if not -rank <= dim < rank:
        invalid(f"Concat dim is out of range: {dim} vs. {rank}")
    dim %= rank
    offset, result = 0, []
    for i, shape in enumerate(shapes):
        _check_offset_shape(first, shape, i, dim)
        begin = np.zeros(rank, np.int32)
        begin[dim] = offset
        result.append(begin)
        offset += shape[dim]
    return tuple(result)


def _check_offset_shape(first: np.ndarray, shape: np.ndarray, i: int, axis: int) -> None:
    if shape.ndim != 1:
        problem = f"input {i + 1} should be a vector, but got shape {shape_text(shape.shape)}"
    elif shape.size != first.size:
        problem = f"input {i} should contain {first.size} elements, but got {shape.size}"
    else:
        for j in range(first.size):
            if j != axis and shape[j] != first[j]:
                problem = (
                    f"All dimensions except {axis} must match. Input {i} has shape "
                    f"[{' '.join(map(str, shape))}] and doesn't match input 0 with shape "
                    f"[{' '.join(map(str, first))}]."
                )
                break
        else:
            return
    invalid(problem)
