"""Quantization of floats to integers of a few bits, dequantization, and both in one op."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.errors import invalid
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.shape_inference import Dims, checked_ranks, same_shape, with_rank
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops.operands import first_number
from tfmini._src.ops.type_lists import FLOATS

QUANTIZED_DTYPES = (dtypes.qint8, dtypes.quint8, dtypes.qint32, dtypes.qint16, dtypes.quint16)
MODE = Attr("string", "MIN_COMBINED", allowed=("MIN_COMBINED", "MIN_FIRST", "SCALED"))
ROUNDS_HALVES = Attr(
    "string", "HALF_AWAY_FROM_ZERO", allowed=("HALF_AWAY_FROM_ZERO", "HALF_TO_EVEN")
)
_F = np.float32
_MAX_FLOAT = np.finfo("f").max


def _limits(dtype: dtypes.DType) -> tuple[np.dtype, np.float32, np.float32]:
    """Returns the integer dtype of a quantized dtype, and its lowest and highest numbers as floats."""
    integers = dtype.numpy[0]
    limits = np.iinfo(integers)
    return integers, _F(limits.min), _F(limits.max)


def _round_away(xp: Any, x: Any) -> Any:
    """Rounds numbers to integers, with halves away from 0."""
    truncated = xp.trunc(x)
    return truncated + xp.copysign((abs(x - truncated) >= _F(0.5)).astype(x.dtype), x)


def _range(low: Any, high: Any) -> tuple[np.float32, np.float32]:
    return _F(first_number(low, "min_range")), _F(first_number(high, "max_range"))


@op(
    "QuantizeV2",
    "input: float, min_range: float, max_range: float -> "
    "output: T, output_min: float, output_max: float",
    infer=checked_ranks(None, 0, 0, result=lambda op: [op.inputs[0]._dims, (), ()]),
    T=QUANTIZED_DTYPES,
    mode=MODE,
    round_mode=ROUNDS_HALVES,
)
def quantize_v2_op(xp, value, min_range, max_range, *, T, mode, round_mode):
    return quantize_array(xp, value, min_range, max_range, T, mode, round_mode)


def quantize_array(
    xp: Any,
    value: Any,
    min_range: Any,
    max_range: Any,
    dtype: dtypes.DType,
    mode: str,
    round_mode: str,
    narrow_range: bool = False,
    minimum_range: float = 0.01,
) -> tuple[Any, Any, Any]:
    """Quantizes floats to integers of a quantized dtype; also returns the represented range.

    `minimum_range` is the minimum size of the range, relative to the larger bound or 1.
    """
    if round_mode == "HALF_TO_EVEN" and mode != "SCALED":
        invalid(
            f"Round mode 'HALF_TO_EVEN' only supported for mode 'SCALED', but mode is '{mode}'."
        )
    low, high = _range(min_range, max_range)
    if high < low:
        invalid("input_max_range must be larger than input_min_range.")
    margin = max(_F(1), abs(low), abs(high)) * _F(minimum_range)
    low = min(_F(0), low)
    high = max(_F(0), max(high, low + margin))
    integers, min_step, max_step = _limits(dtype)
    if mode == "SCALED":
        min_step = min_step + _F(narrow_range)
        sides = [max_step / high if max_step * high > 0 else _MAX_FLOAT]
        sides.append(min_step / low if min_step * low > 0 else _MAX_FLOAT)
        scale = min(sides)
        low, high = min_step / scale, max_step / scale
    clipped = xp.asarray(xp.clip(value, low, high))  # its memory is reused for the results
    with np.errstate(all="ignore"):
        if mode == "SCALED":
            result = xp.multiply(clipped, scale, out=clipped)
            result = xp.rint(result) if round_mode == "HALF_TO_EVEN" else _round_away(xp, result)
        elif mode == "MIN_COMBINED":
            result = xp.subtract(clipped, low, out=clipped)
            result *= _F((2.0 ** (8 * integers.itemsize) - 1) / float(high - low))
            if min_step < 0:
                result = _round_away(xp, result - (max_step - min_step + 1) / _F(2))
            else:
                result += _F(0.5)
        else:
            result = _steps_above_low(xp, value, low, high, dtype)
        wide_dtype = np.int64 if integers.itemsize == 4 else np.int32
        result = xp.asarray(result).astype(wide_dtype).astype(integers)
    return result.view(dtype.numpy), low, high


def _steps_above_low(xp: Any, value: Any, low: Any, high: Any, dtype: dtypes.DType) -> Any:
    """Returns the number of steps above the step nearest to `low`."""
    integers, min_step, max_step = _limits(dtype)
    steps = 2.0 ** (8 * integers.itemsize)
    scale = _F(steps / (float(high - low) * (steps / (steps - 1.0))))
    first = _round_away(xp, low * scale) - min_step
    if integers.itemsize == 4:  # largest float not above the largest integer
        max_step = np.nextafter(max_step, _F(0))
    return xp.clip(_round_away(xp, value * scale) - first, min_step, max_step)


@op(
    "Dequantize",
    "input: T, min_range: float, max_range: float -> output: float",
    infer=checked_ranks(None, 0, 0, result=same_shape),
    T=QUANTIZED_DTYPES,
    mode=MODE,
)
def dequantize_op(xp, value, min_range, max_range, *, T, mode):
    return dequantize_array(xp, value, min_range, max_range, T, mode)


def dequantize_array(
    xp: Any,
    value: Any,
    min_range: Any,
    max_range: Any,
    dtype: dtypes.DType,
    mode: str,
    narrow_range: bool = False,
) -> Any:
    """Converts integers of a quantized dtype to the float32 numbers that they represent."""
    low, high = _range(min_range, max_range)
    integers, min_step, max_step = _limits(dtype)
    counts = value.view(integers)
    with np.errstate(all="ignore"):
        if mode == "MIN_COMBINED":
            half = (max_step - min_step + 1) / _F(2) if min_step < 0 else _F(0)
            return (counts.astype("f") + half) * ((high - low) / (max_step - min_step)) + low
        if mode == "MIN_FIRST":
            step = _F(float(high - low) / (2.0 ** (8 * integers.itemsize) - 1))
            first = _round_away(xp, low / step) * step if step else low
            return ((counts.astype("d") - min_step).astype("f") * step + first).astype("f")
        scale = high / max_step
        if min_step < 0:
            scale = max(low / (min_step + _F(narrow_range)), scale)
        return counts.astype("f") * scale


def round_to_steps(
    xp: Any,
    value: Any,
    input_min: Any,
    input_max: Any,
    num_bits: int,
    signed_input: bool,
    range_given: bool,
    narrow_range: bool,
    round_mode: str = "HALF_TO_EVEN",
) -> Any:
    """Rounds `value` to the steps of an integer of `num_bits`, one of which is 0."""
    if not 0 < num_bits < (62 if signed_input else 63):
        invalid(f"num_bits is out of range: {num_bits} with signed_input_ {int(signed_input)}")
    dtype = value.dtype
    wide_value = value.astype("f") if dtype.itemsize == 2 else value
    scalar = wide_value.dtype.type
    if range_given:
        low, high = (
            scalar(first_number(input_min, "input_min")),
            scalar(first_number(input_max, "input_max")),
        )
        if low > high:
            invalid(f"Invalid range: input_min {low:g} > input_max {high:g}")
    elif wide_value.size:
        low, high = scalar(wide_value.min()), scalar(wide_value.max())
    else:
        return value.copy()
    min_step, max_step = scalar(0), scalar((1 << num_bits) - 1)
    if signed_input:
        min_step, max_step = (
            scalar(narrow_range - (1 << (num_bits - 1))),
            scalar((1 << num_bits - 1) - 1),
        )
    with np.errstate(all="ignore"):
        low_scale = min_step / low if min_step * low > 0 else scalar(np.finfo(scalar).max)
        high_scale = max_step / high if max_step * high > 0 else scalar(np.finfo(scalar).max)
        scale = min(low_scale, high_scale)
        step = low / min_step if low_scale < high_scale else high / max_step
        if range_given:
            # Ranges without 0 have reversed ends; the lower one applies.
            wide_value = xp.maximum(xp.minimum(wide_value, max_step * step), min_step * step)
        steps = wide_value * scale
        steps = xp.floor(steps + scalar(0.5)) if round_mode == "HALF_UP" else xp.rint(steps)
        return (steps * step).astype(dtype, copy=False)


@op(
    "QuantizeAndDequantizeV2",
    "input: T, input_min: T, input_max: T -> output: T",
    gradient=lambda op, grad: (grad, None, None),
    through_host=True,
    signed_input=True,
    num_bits=8,
    range_given=False,
    T=FLOATS,
    round_mode=Attr("string", "HALF_TO_EVEN", allowed=("HALF_TO_EVEN", "HALF_UP")),
    narrow_range=False,
)
def quantize_and_dequantize_v2_op(
    xp,
    value,
    input_min,
    input_max,
    *,
    signed_input,
    num_bits,
    range_given,
    round_mode,
    narrow_range,
):
    settings = (num_bits, signed_input, range_given, narrow_range, round_mode)
    return round_to_steps(xp, value, input_min, input_max, *settings)


@op(
    "QuantizeAndDequantizeV3",
    "input: T, input_min: T, input_max: T, num_bits: int32 -> output: T",
    gradient=lambda op, grad: (grad, None, None, None),
    through_host=True,
    static_inputs=("num_bits",),
    signed_input=True,
    range_given=True,
    T=FLOATS,
    narrow_range=False,
)
def quantize_and_dequantize_v3_op(
    xp, value, input_min, input_max, num_bits, *, signed_input, range_given, narrow_range
):
    bits = int(first_number(num_bits, "num_bits"))
    settings = (bits, signed_input, range_given, narrow_range)
    return round_to_steps(xp, value, input_min, input_max, *settings)


def _range_shape(op: Any) -> Dims:
    for end in op.inputs[1:]:
        with_rank(end._dims, 0)
    return op.inputs[0]._dims


quantize_and_dequantize_v2_op.infer(_range_shape)
quantize_and_dequantize_v3_op.infer(_range_shape)


@public
def quantize(
    input: TensorLike,
    min_range: TensorLike,
    max_range: TensorLike,
    T: DTypeLike,
    mode: str = "MIN_COMBINED",
    round_mode: str = "HALF_AWAY_FROM_ZERO",
    name: str | None = None,
) -> Any:
    """Quantizes floats to integers of a few bits.

    Args:
      input: float32 tensor.
      min_range, max_range: float32 scalars, the values of the smallest and largest integer; values outside are clipped.
      T: a quantized dtype: qint8, quint8, qint16, quint16 or qint32.
      mode: "MIN_COMBINED" and "MIN_FIRST" spread the integers over the range, the latter so that 0 is
        representable; "SCALED" only multiplies.
      round_mode: "HALF_AWAY_FROM_ZERO", or, with "SCALED", "HALF_TO_EVEN".

    Returns:
      (output, output_min, output_max): a Tensor of dtype T, and the range represented by its integers.

    Raises:
      InvalidArgumentError (when run): if `max_range` is less than `min_range`.
    """
    return raw.QuantizeV2(
        input, min_range, max_range, T=T, mode=mode, round_mode=round_mode, name=name
    )


@public
@deprecated(
    "2017-10-25",
    "`tf.quantize_v2` is deprecated, please use `tf.quantization.quantize` instead.",
)
def quantize_v2(
    input: TensorLike,
    min_range: TensorLike,
    max_range: TensorLike,
    T: DTypeLike,
    mode: str = "MIN_COMBINED",
    name: str | None = None,
    round_mode: str = "HALF_AWAY_FROM_ZERO",
) -> Any:
    """Quantizes floats to integers of a few bits; see `tf.quantization.quantize`."""
    return raw.QuantizeV2(
        input, min_range, max_range, T=T, mode=mode, round_mode=round_mode, name=name
    )


def dequantize(
    input: TensorLike,
    min_range: TensorLike,
    max_range: TensorLike,
    mode: str = "MIN_COMBINED",
    name: str | None = None,
) -> Tensor:
    """Converts a tensor of a quantized dtype to the float32 numbers it represents; see `tf.quantization.quantize`."""
    return raw.Dequantize(input, min_range, max_range, mode=mode, name=name)


def quantize_and_dequantize(
    input: TensorLike,
    input_min: TensorLike,
    input_max: TensorLike,
    signed_input: bool = True,
    num_bits: int = 8,
    range_given: bool = False,
    round_mode: str = "HALF_TO_EVEN",
    name: str | None = None,
    narrow_range: bool = False,
) -> Tensor:
    """Rounds floats to the steps of a `num_bits`-bit integer; the gradient passes through unchanged.

    Args:
      input: float tensor.
      input_min, input_max: scalars of the same dtype, the range if `range_given`; otherwise, computed from `input`.
      signed_input: whether the integer is signed.
      num_bits: the number of bits of the integer.
      range_given: whether to use `input_min` and `input_max`.
      round_mode: "HALF_TO_EVEN" or "HALF_UP".
      narrow_range: whether to omit the lowest signed integer, so that there are as many steps below 0 as above.

    Returns:
      A Tensor of the dtype and shape of `input`.

    Raises:
      InvalidArgumentError (when run): if the range is empty or `num_bits` is invalid.
    """
    return raw.QuantizeAndDequantizeV2(**locals())
