"""Padding with a constant (Pad) or with reflected elements (MirrorPad)."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.errors import invalid
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    input_value,
    merge,
    unknown_dims,
    with_rank,
)
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.array.stack import is_tensor_like
from tfmini._src.ops.operands import ANY, INDEX32, dense, shape_text, unwrap_string


def _check_paddings(value: Any, paddings: Any, separator: str = "") -> list[list[int]]:
    """Validates the paddings and returns [before, after] pairs, one per axis."""
    problem = None
    if paddings.ndim != 2 or paddings.shape[1] != 2:
        problem = f"paddings must be a matrix with 2 columns: {shape_text(paddings.shape)}"
    elif paddings.shape[0] != value.ndim:
        problem = (
            "The first dimension of paddings must be the rank of inputs"
            f"{shape_text(paddings.shape)}{separator} {shape_text(value.shape)}"
        )
    if problem:
        invalid(problem)
    return paddings.tolist()


def _pad(xp: Any, value: Any, paddings: Any, constant: Any) -> Any:
    value = dense(value)
    pads = _check_paddings(value, paddings)
    for before, after in pads:
        if before < 0 or after < 0:
            invalid(f"Paddings must be non-negative: {before} {after}")
    if not pads:
        return unwrap_string(value)
    shape = [size + before + after for size, (before, after) in zip(value.shape, pads)]
    if constant is None:
        result = xp.zeros(shape, value.dtype)
        if value.dtype == object:
            result.fill(b"")
    else:
        result = xp.empty(shape, value.dtype)
        result[...] = constant
    region = [slice(before, before + size) for size, (before, _) in zip(value.shape, pads)]
    result[tuple(region)] = value
    return result


def _adds_nothing(paddings: Any) -> bool:
    return not paddings.any()


@op(
    "Pad",
    "input: T, paddings: Tpaddings -> output: T",
    gradient=lambda op, grad: (_unpad(op, grad), None),
    static_inputs=("paddings",),
    T=ANY,
    Tpaddings=INDEX32,
)
def pad_op(xp, value, paddings):
    return _pad(xp, value, paddings, None)


pad_op.forwards(output="input", when=_adds_nothing)


@op(
    "PadV2",
    "input: T, paddings: Tpaddings, constant_values: T -> output: T",
    gradient=lambda op, grad: (_unpad(op, grad), None, None),
    static_inputs=("paddings", "constant_values"),
    T=ANY,
    Tpaddings=INDEX32,
)
def pad_v2(xp, value, paddings, constant_values):
    constant_values = dense(constant_values)
    _check_paddings(dense(value), paddings)
    if constant_values.ndim:
        invalid(f"constant_values must be a scalar. Found: {shape_text(constant_values.shape)}")
    return _pad(xp, value, paddings, constant_values[()])


pad_v2.forwards(output="input", when=_adds_nothing)


def _padded_dims(op: Any) -> Dims:
    count, columns = with_rank(op.inputs[1]._dims, 2)
    if columns not in (None, 2):
        raise InferenceError(f"Dimension must be 2 but is {columns}")
    dims = op.inputs[0]._dims
    if count is not None:
        dims = with_rank(dims, count)
    return add_paddings(dims, input_value(op, 1))


def add_paddings(dims: Dims, paddings: Any) -> Dims:
    """Returns the dims enlarged by paddings [rank, 2]; both may contain None for unknown sizes."""
    if paddings is None or dims is None:
        return None if dims is None else (None,) * len(dims)
    if (paddings < 0).any():
        raise InferenceError("Paddings must be non-negative")
    return tuple([None if d is None else d + sum(pads) for d, pads in zip(dims, paddings.tolist())])


pad_op.infer(_padded_dims)
pad_v2.infer(_padded_dims)


def _unpad(op: Any, grad: Any) -> Tensor:
    """Returns the part of `grad` inside the paddings."""
    value, paddings = op.inputs[:2]
    before = ops.slice(paddings, [0, 0], ops.stack([ops.rank(value), 1]))
    begin = ops.reshape(before, [-1])
    return ops.slice(grad, begin, ops.shape(value))


# Mirrors -----------------------------------------------------------------------------------------

_MODES = Attr("string", allowed=("REFLECT", "SYMMETRIC"))


def _mirror_pads(
    value: Any, paddings: Any, mode: str, includes_padding: bool = False
) -> list[list[int]]:
    """Validates paddings and returns [before, after] pairs; `includes_padding`: whether the value is already padded."""
    pads = _check_paddings(value, paddings, "" if includes_padding else ",")
    size_name = "output dimension" if includes_padding else "dimension"
    for size, (before, after) in zip(value.shape, pads):
        if before < 0 or after < 0:
            problem = f"paddings must be non-negative: {before} {after}"
            if includes_padding:
                problem = f"Paddings must be non-negative: {before}, {after}"
            invalid(problem)
        if includes_padding:
            size -= before + after
        if mode == "SYMMETRIC" and max(before, after) > size:
            problem = (
                f"paddings must be no greater than the {size_name} size: {before}, {after} greater "
                f"than {size}"
            )
        elif mode == "REFLECT" and max(before, after) >= size:
            problem = (
                f"paddings must be less than the {size_name} size: {before}, {after} not less than "
                f"{size}"
            )
        else:
            continue
        invalid(problem)
    return pads


@op(
    "MirrorPad",
    "input: T, paddings: Tpaddings -> output: T",
    infer=_padded_dims,
    gradient=lambda op, grad: (raw.MirrorPadGrad(grad, op.inputs[1], mode=op.attrs["mode"]), None),
    static_inputs=("paddings",),
    T=ANY,
    Tpaddings=INDEX32,
    mode=_MODES,
)
def mirror_pad(xp, value, paddings, *, mode):
    value = dense(value)
    pads = _mirror_pads(value, paddings, mode)
    return xp.pad(value, pads, mode=mode.lower()) if pads else unwrap_string(value)


mirror_pad.forwards(output="input", when=_adds_nothing)


@op(
    "MirrorPadGrad",
    "input: T, paddings: Tpaddings -> output: T",
    gradient=lambda op, grad: (raw.MirrorPad(grad, op.inputs[1], mode=op.attrs["mode"]), None),
    static_inputs=("paddings",),
    T=ANY,
    Tpaddings=INDEX32,
    mode=_MODES,
)
def mirror_pad_grad(xp, value, paddings, *, mode):
    pads = _mirror_pads(value, paddings, mode, includes_padding=True)
    if not any(map(any, pads)):
        return unwrap_string(value.copy())
    skip = 1 if mode == "REFLECT" else 0
    for axis, (before, after) in enumerate(pads):
        if before == after == 0:
            continue
        axes_before = (slice(None),) * axis
        end = value.shape[axis] - after
        size = end - before
        unpadded = value[(*axes_before, slice(before, end))].copy()
        if before:
            mirrored = value[(*axes_before, slice(before - 1, None, -1))]
            unpadded[(*axes_before, slice(skip, skip + before))] += mirrored
        if after:
            mirrored = value[(*axes_before, slice(None, end - 1, -1))]
            unpadded[(*axes_before, slice(size - skip - after, size - skip))] += mirrored
        value = unpadded
    return value


mirror_pad_grad.forwards(output="input", when=_adds_nothing)


@mirror_pad_grad.infer
def _(op) -> Dims:
    padding_dims = with_rank(op.inputs[1]._dims, 2)
    rank = padding_dims[0]
    if rank is None:
        return None
    dims = with_rank(op.inputs[0]._dims, rank)
    merge(padding_dims, (rank, 2))
    paddings = input_value(op, 1)
    if paddings is None:
        return unknown_dims(rank)
    if (paddings < 0).any():
        raise InferenceError("Paddings must be non-negative")
    result: list[int | None] = []
    for size, pads in zip(dims, paddings.tolist()):
        if size is not None and size < sum(pads):
            raise InferenceError(
                f"Negative dimension size caused by subtracting {sum(pads)} from {size}"
            )
        result.append(None if size is None else size - sum(pads))
    return tuple(result)


@public
def pad(
    tensor: TensorLike,
    paddings: TensorLike,
    mode: str = "CONSTANT",
    name: str | None = None,
    constant_values: TensorLike = 0,
) -> Tensor:
    """Pads a tensor.

    Args:
      tensor: a tensor of rank n.
      paddings: [n, 2] integers: the number of elements to add before and after along each axis.
      mode: "CONSTANT", or mirrored elements: "REFLECT" without the edge elements, "SYMMETRIC" with them.
      constant_values: the scalar for "CONSTANT" mode.

    Raises:
      ValueError: for an unknown mode or mismatched paddings.

    Example: `tf.pad([1, 2], [[1, 2]])` is [0, 1, 2, 0, 0].
    """
    mode = mode.upper()
    if mode == "CONSTANT":
        if not is_tensor_like(constant_values) and constant_values == 0:
            result = raw.Pad(tensor, paddings, name=name)
        else:
            result = raw.PadV2(tensor, paddings, constant_values, name=name)
    elif mode in ("REFLECT", "SYMMETRIC"):
        result = raw.MirrorPad(tensor, paddings, mode=mode, name=name)
    else:
        raise ValueError(f"Unknown padding mode: {mode}")
    if executing_eagerly():
        return result
    pads = get_static_value(result.op.inputs[1], partial=True)
    dims: Any = result.op.inputs[0]._dims
    if dims is not None and not result.shape.is_fully_defined() and pads is not None:
        shape: list[int | None] = []
        for padding, size in zip(pads, dims):
            is_known = (
                padding is not None and size is not None and all(p is not None for p in padding)
            )
            shape.append(int(sum(padding)) + size if is_known else None)
        result.set_shape(shape)
    return result
