"""Conversion between numbers and strings."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.errors import invalid
from tfmini._src.base.names.deprecation import deprecated_argument_lookup
from tfmini._src.devices.host.native.strings import format_numbers, parse_numbers
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.shape_inference import same_shape
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops.operands import unwrap_string
from tfmini._src.ops.string.string_elements import list_strings, numbers, vector

_DECIMALS = 6  # decimals in C's default format


@op(
    "AsString",
    "input: T -> output: string",
    check_attrs=lambda attrs, on_gpu: _check_format(
        *(attrs[name] for name in ("T", "precision", "scientific", "shortest", "fill"))
    ),
    infer=same_shape,
    differentiable=False,
    T=(
        *(dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64, dtypes.complex64),
        *(dtypes.complex128, dtypes.float32, dtypes.float64, dtypes.bool),
    ),
    precision=-1,
    scientific=False,
    shortest=False,
    width=-1,
    fill="",
)
def as_string_op(xp, value, *, T, precision, scientific, shortest, width, fill):
    value = np.asarray(value)
    is_plain = width == -1 and not (fill or scientific or shortest)
    if is_plain and not T.is_complex and T is not dtypes.bool:
        texts = format_numbers(value, _DECIMALS if precision < 0 else precision)
        if texts is not None:
            return unwrap_string(texts)
    flat = value.ravel().tolist()
    if T is dtypes.bool:
        written = [b"true" if item else b"false" for item in flat]
        return unwrap_string(vector(written).reshape(value.shape))
    form = f"%{fill}{width}" if width > -1 else f"%{fill}"
    if precision > -1:
        form += f".{precision}"
    if T.is_integer:
        form += "d"
    else:
        form += "e" if scientific else "g" if shortest else "f"
    if not T.is_complex and np.isfinite(value).all():
        packed = form.encode()
        return unwrap_string(vector([packed % item for item in flat]).reshape(value.shape))
    write = _writer(form)
    if T.is_complex:
        written = [f"({write(item.real)},{write(item.imag)})".encode() for item in flat]
    else:
        written = [write(item).encode() for item in flat]
    return unwrap_string(vector(written).reshape(value.shape))


def _check_format(dtype: Any, precision: int, scientific: bool, shortest: bool, fill: str) -> None:
    if dtype.is_integer or dtype is dtypes.bool:
        if scientific or shortest:
            invalid(f"scientific and shortest format not supported for datatype {dtype.name}")
        if precision > -1:
            invalid(f"precision not supported for datatype {dtype.name}")
    if len(fill) > 1:
        invalid("Fill string must be one or fewer characters")
    if scientific and shortest:
        invalid("Cannot select both scientific and shortest notation")
    if fill and fill not in " +-0#":
        invalid(f'Fill argument not supported: "{fill}"')


def _writer(form: str) -> Callable[[Any], str]:
    """C-style number formatting, in which zero padding only applies to numbers and NaN has a sign."""
    spaced = form.replace("%0", "%", 1)

    def write(value: Any) -> str:
        if value - value == 0:
            return form % value
        text = spaced % value
        if value == value or not np.signbit(value):
            return text
        return text.replace(" nan", "-nan") if text[0] == " " else f"{'-nan':{len(text)}}"

    return write


# The float syntax of double-conversion: surrounding spaces, hexadecimal integers, inf and nan.
_FLOAT = re.compile(rb"\s*[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf|nan)\s*", re.IGNORECASE)
_HEXADECIMAL = re.compile(rb"\s*[+-]?0x[0-9a-f]+\s*", re.IGNORECASE)
_INTEGER = re.compile(rb"\s*(-?)0*([1-9]\d*|0)\s*")
_TOO_LARGE = 2**64  # exceeds every integer dtype
_MAX_DIGITS = 19
_MAX_FLOAT_CHARACTERS = (
    32  # maximum characters of a float with surrounding spaces: TensorFlow's buffer
)


@op(
    "StringToNumber",
    "string_tensor: string -> output: out_type",
    infer=same_shape,
    differentiable=False,
    out_type=Attr(
        "type",
        dtypes.float32,
        allowed=(dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64),
    ),
)
def string_to_number_op(xp, value, *, out_type):
    if out_type.is_integer:
        parsed = parse_numbers("integers", value, np.int64)
        if parsed is not None and (parsed >= out_type.min).all() and (parsed <= out_type.max).all():
            return unwrap_string(parsed.astype(out_type.as_numpy_dtype))
    else:
        parsed = parse_numbers("floats", value, np.float64)
        if parsed is not None:
            with np.errstate(over="ignore"):
                return unwrap_string(parsed.astype(out_type.as_numpy_dtype))
    return numbers(
        read_numbers(list_strings(value), out_type, _no_number),
        value,
        np.dtype(out_type.as_numpy_dtype),
    )


def _no_number(text: bytes, index: int) -> None:
    invalid(
        "StringToNumberOp could not correctly convert string: "
        + text.split(b"\0")[0].decode("utf-8", "replace")
    )


def read_numbers(
    texts: list[bytes], dtype: Any, on_invalid: Callable[[bytes, int], None]
) -> list[Any]:
    """Parses `texts` as numbers; `on_invalid(text, index)` raises the error for an invalid one."""
    if dtype.is_integer:
        low, high = dtype.min, dtype.max
        result: list[Any] = _parse_common_characters(int, texts, b"0123456789-") or []
        if result and low <= min(result) and max(result) <= high:
            return result
        result = []
        for index, text in enumerate(texts):
            value = _parse_integer(text)
            if not low <= value <= high:
                on_invalid(text, index)
            result.append(value)
        return result
    is_short = all(len(text) < _MAX_FLOAT_CHARACTERS for text in texts)
    floats = _parse_common_characters(float, texts, b"0123456789+-.eE") if is_short else None
    if floats is None:
        floats = []
        for index, text in enumerate(texts):
            if len(text) >= _MAX_FLOAT_CHARACTERS:
                on_invalid(text, index)
            elif _FLOAT.fullmatch(text):
                floats.append(float(text))
            elif _HEXADECIMAL.fullmatch(text):
                floats.append(float(int(text, 16)))
            elif text.isspace():
                floats.append(0.0)
            else:
                on_invalid(text, index)
    if dtype is dtypes.float32:
        with np.errstate(over="ignore"):
            return np.array(floats, np.float64).astype(np.float32).tolist()
    return floats


def _parse_integer(text: bytes) -> int:
    match = _INTEGER.fullmatch(text)
    if match is None or len(match[2]) > _MAX_DIGITS:
        return _TOO_LARGE
    return int(match[1] + match[2])


def _parse_common_characters(
    read: Callable, texts: list[bytes], characters: bytes
) -> list[Any] | None:
    """Fast path for texts that only contain common characters."""
    if b"".join(texts).translate(None, characters):
        return None
    try:
        return list(map(read, texts))
    except ValueError:
        return None


@public
def as_string(
    input: TensorLike,
    precision: int = -1,
    scientific: bool = False,
    shortest: bool = False,
    width: int = -1,
    fill: str = "",
    name: str | None = None,
) -> Tensor:
    """Formats numbers as C's printf does.

    Args:
      input: integers, floats, complex numbers or bools.
      precision: the number of digits after the decimal point; floats only.
      scientific: whether to use exponential notation.
      shortest: whether to use the shorter of decimal and exponential notation.
      width: the minimum number of characters.
      fill: the padding up to `width`: "", or one of " ", "+", "-" (left-justified) and "0".

    Returns:
      A string Tensor of the shape of `input`.

    Raises:
      InvalidArgumentError (when run): if the dtype does not support the format.

    Example: `tf.as_string([1.5, 2.25], precision=2)` is `["1.50", "2.25"]`.
    """
    return raw.AsString(**locals())


@public
def string_to_number(
    string_tensor: TensorLike | None = None,
    out_type: DTypeLike = dtypes.float32,
    name: str | None = None,
    input: TensorLike | None = None,
) -> Tensor:
    """Parses strings as numbers.

    Args:
      string_tensor: string tensor of any shape.
      out_type: float32, float64, int32 or int64.
      input: an alias of `string_tensor`.

    Returns:
      A Tensor of `out_type` with the same shape.

    Raises:
      InvalidArgumentError (when run): if a string is not a number of that dtype.

    Example: `tf.strings.to_number(["1.5", "-2"])` is `[1.5, -2.0]`.
    """
    string_tensor = deprecated_argument_lookup("input", input, "string_tensor", string_tensor)
    return raw.StringToNumber(string_tensor, out_type=out_type, name=name)
