"""Quantization with a separate range per slice along `axis`, with `narrow_range`, or with another float dtype."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import UnimplementedError, invalid
from tfmini._src.graph.opdef import Attr, op
from tfmini._src.graph.shape_inference import Dims, InferenceError, with_rank
from tfmini._src.ops.operands import first_number, shape_text
from tfmini._src.ops.quantization import quantize_dequantize as whole
from tfmini._src.ops.type_lists import FLOATS


def _apply_per_slice(
    xp: Any, kernel: Callable[..., Any], value: Any, axis: int, low: Any, high: Any
) -> list[Any]:
    """Applies a kernel to each slice and its range."""
    slices = xp.moveaxis(value, axis, 0)
    return [kernel(xp.ascontiguousarray(part), low[n], high[n]) for n, part in enumerate(slices)]


def _no_first(mode: str, op: str) -> None:
    if mode == "MIN_FIRST":
        text = f"MIN_FIRST mode is not implemented for {op} with axis != -1."
        raise UnimplementedError(None, None, text)


def _stack_along(xp: Any, parts: list[Any], value: Any, axis: int, dtype: Any) -> Any:
    if not parts:
        return xp.zeros(value.shape, dtype)
    return xp.ascontiguousarray(xp.moveaxis(xp.stack(parts), 0, axis))


def _check_ends(name: str, end: Any, size: int) -> None:
    expected = (
        f"If axis is specified, {name} must be a 1-D tensor whose size matches the axis dimension of the input and "
        "output tensors, but "
    )
    if end.ndim != 1:
        invalid(f"{expected}{name} dims are {end.ndim}")
    if len(end) != size:
        sizes = f"size {len(end)} and input's axis dimension is of size {size}"
        invalid(f"{expected}{name} is a 1-D tensor of {sizes}")


@op(
    "_QuantizeV2AlongAxis",
    "input: float, min_range: float, max_range: float -> "
    "output: T, output_min: float, output_max: float",
    through_host=True,
    T=whole.QUANTIZED_DTYPES,
    mode=whole.MODE,
    round_mode=whole.ROUNDS_HALVES,
    narrow_range=False,
    axis=-1,
    ensure_minimum_range=0.01,
)
def quantize_op(
    xp, value, low, high, *, T, mode, round_mode, narrow_range, axis, ensure_minimum_range
):
    def kernel(part: Any, low: Any, high: Any) -> tuple[Any, Any, Any]:
        settings = (T, mode, round_mode, narrow_range, ensure_minimum_range)
        return whole.quantize_array(xp, part, low, high, *settings)

    if axis < 0:
        return kernel(value, low, high)
    if axis >= value.ndim:
        invalid(
            "Axis is on a zero-based index, so its value must always be less than number of input's dims, but given "
            f"axis value was {axis} and input's dims was {value.ndim}"
        )
    _no_first(mode, "Quantize")
    for name, end in (("min_range", low), ("max_range", high)):
        _check_ends(name, end, value.shape[axis])
    results = _apply_per_slice(xp, kernel, value, axis, low, high)
    output = _stack_along(xp, [part for part, _, _ in results], value, axis, T.numpy)
    return output, *(np.array([result[n] for result in results], "f") for n in (1, 2))


@op(
    "_DequantizeAlongAxis",
    "input: T, min_range: float, max_range: float -> output: dtype",
    through_host=True,
    T=whole.QUANTIZED_DTYPES,
    mode=whole.MODE,
    narrow_range=False,
    axis=-1,
    dtype=Attr("type", dtypes.float32, allowed=(dtypes.bfloat16, dtypes.float32)),
)
def dequantize_op(xp, value, low, high, *, T, mode, narrow_range, axis, dtype):
    def kernel(part: Any, low: Any, high: Any) -> Any:
        return whole.dequantize_array(xp, part, low, high, T, mode, narrow_range)

    if axis < 0:
        return kernel(value, low, high).astype(dtype.numpy)
    if axis >= value.ndim:
        invalid(f"Axis must be less than input dimension({value.ndim}), got {axis}")
    _no_first(mode, "Dequantize")
    for name, end in (("input_min", low), ("input_max", high)):
        if end.size != value.shape[axis]:
            invalid(
                f"{name}_tensor must have as many elements as input on the dequantization axis ({axis}), got "
                f"{end.size}, expected {value.shape[axis]}"
            )
    parts = _apply_per_slice(xp, kernel, value, axis, low, high)
    return _stack_along(xp, parts, value, axis, dtype.numpy).astype(dtype.numpy)


def _round_to_steps(
    xp: Any, value: Any, low: Any, high: Any, axis: int, settings: tuple[Any, ...]
) -> Any:
    """Calls `round_to_steps` with `settings` as its last arguments."""

    def kernel(part: Any, low: Any, high: Any) -> Any:
        return whole.round_to_steps(xp, part, low, high, *settings)

    size = value.shape[axis]
    if not settings[2]:  # per-slice ranges
        low = high = np.zeros(size, value.dtype)
    for name, end in (("input_min", low), ("input_max", high)):
        if end.size != size:
            dims = f"{size} to match dim {axis} of the input {shape_text(value.shape)}"
            invalid(f"{name}_tensor has incorrect size, was {end.size} expected {dims}")
    parts = _apply_per_slice(xp, kernel, value, axis, low, high)
    return _stack_along(xp, parts, value, axis, value.dtype)


@op(
    "_QuantizeAndDequantizeV2AlongAxis",
    "input: T, input_min: T, input_max: T -> output: T",
    through_host=True,
    signed_input=True,
    num_bits=8,
    range_given=False,
    T=FLOATS,
    round_mode=Attr("string", "HALF_TO_EVEN", allowed=("HALF_TO_EVEN", "HALF_UP")),
    narrow_range=False,
    axis=Attr("int"),
)
def quantize_and_dequantize_v2_op(
    xp,
    value,
    low,
    high,
    *,
    signed_input,
    num_bits,
    range_given,
    round_mode,
    narrow_range,
    axis,
):
    settings = (num_bits, signed_input, range_given, narrow_range, round_mode)
    return _round_to_steps(xp, value, low, high, axis, settings)


@op(
    "_QuantizeAndDequantizeV3AlongAxis",
    "input: T, input_min: T, input_max: T, num_bits: int32 -> output: T",
    through_host=True,
    static_inputs=("num_bits",),
    signed_input=True,
    range_given=True,
    T=FLOATS,
    narrow_range=False,
    axis=Attr("int"),
)
def quantize_and_dequantize_v3_op(
    xp, value, low, high, num_bits, *, signed_input, range_given, narrow_range, axis
):
    bits = int(first_number(num_bits, "num_bits"))
    settings = (bits, signed_input, range_given, narrow_range, "HALF_TO_EVEN")
    return _round_to_steps(xp, value, low, high, axis, settings)


def _range_dims(op: Any) -> Dims:
    """Returns the shape of the range, one number per slice or a scalar."""
    axis, dims = op.attrs["axis"], op.inputs[0]._dims
    if axis < -1:
        raise InferenceError(f"Axis must be at least -1. Found {axis}")
    takes_range = op.attrs.get("range_given", True)
    range_dims: Dims = None
    for end in op.inputs[1:3] if takes_range else ():
        range_dims = with_rank(end._dims, 0 if axis < 0 else 1)
    if axis < 0:
        return ()
    if dims is not None and len(dims) <= axis:
        raise InferenceError(f"Shape must be at least rank {axis + 1} but is rank {len(dims)}")
    return range_dims if dims is None else (dims[axis],)


@quantize_op.infer
def _(op) -> list[Dims]:
    range_dims = _range_dims(op)
    return [op.inputs[0]._dims, range_dims, range_dims]


def _as_input(op: Any) -> Dims:
    _range_dims(op)
    return op.inputs[0]._dims


dequantize_op.infer(_as_input)
for _op in (quantize_and_dequantize_v2_op, quantize_and_dequantize_v3_op):
    _op.infer(_as_input)
    _op.gradient(lambda op, grad: (grad, *[None] * (len(op.inputs) - 1)))
