"""Normalized arguments of convolution and pooling layers, and the resulting axis lengths."""

from __future__ import annotations

from typing import Any

__all__ = [
    "conv_input_length",
    "conv_output_length",
    "convert_data_format",
    "deconv_output_length",
    "normalize_data_format",
    "normalize_padding",
    "normalize_tuple",
]


def convert_data_format(data_format: str, ndim: int) -> str:
    """Converts "channels_last" or "channels_first" to the ops' spelling, such as "NHWC" for tensors of rank 4.

    Raises:
      ValueError: for an unknown format or an unsupported number of axes.
    """
    axes = {3: "W", 4: "HW", 5: "DHW"}
    if data_format not in ("channels_last", "channels_first"):
        raise ValueError("Invalid data_format:", data_format)
    if ndim not in axes:
        raise ValueError("Input rank not supported:", ndim)
    return f"N{axes[ndim]}C" if data_format == "channels_last" else f"NC{axes[ndim]}"


def normalize_tuple(value: Any, n: int, name: str) -> tuple:
    """Converts an int, which is repeated n times, or a sequence of n ints to a tuple.

    Raises:
      ValueError: for other values; the message contains the argument name.
    """
    if isinstance(value, int):
        return (value,) * n
    text = f"The `{name}` argument must be a tuple of {n} integers. Received: {value}"
    try:
        values = tuple(value)
    except TypeError:
        raise ValueError(text) from None
    if len(values) != n:
        raise ValueError(text)
    for single in values:
        try:
            int(single)
        except (ValueError, TypeError):
            raise ValueError(f"{text} including element {single} of type {type(single)}") from None
    return values


def normalize_data_format(value: str) -> str:
    """Converts the data format to lower case; raises ValueError for an unknown format."""
    data_format = value.lower()
    if data_format not in ("channels_first", "channels_last"):
        raise ValueError(
            'The `data_format` argument must be one of "channels_first", "channels_last". '
            f"Received: {value}"
        )
    return data_format


def normalize_padding(value: Any) -> Any:
    """Converts the padding to lower case; a list is returned unchanged.

    Raises:
      ValueError: for an unknown padding.
    """
    if isinstance(value, (list, tuple)):
        return value
    padding = value.lower()
    if padding not in ("valid", "same", "causal"):
        raise ValueError(
            'The `padding` argument must be a list/tuple or one of "valid", "same" (or "causal", '
            f"only for `Conv1D). Received: {padding}"
        )
    return padding


def conv_output_length(
    input_length: int | None, filter_size: int, padding: str, stride: int, dilation: int = 1
) -> int | None:
    """Returns the output length of a convolution along one axis; None if the input length is unknown."""
    if input_length is None:
        return None
    assert padding in ("same", "valid", "full")
    size = filter_size + (filter_size - 1) * (dilation - 1)
    length = {
        "same": input_length,
        "valid": input_length - size + 1,
        "full": input_length + size - 1,
    }
    return (length[padding] + stride - 1) // stride


def conv_input_length(
    output_length: int | None, filter_size: int, padding: str, stride: int
) -> int | None:
    """Returns the input length of a convolution along one axis for an output length."""
    if output_length is None:
        return None
    assert padding in ("same", "valid", "full")
    pad = {"same": filter_size // 2, "valid": 0, "full": filter_size - 1}[padding]
    return (output_length - 1) * stride - 2 * pad + filter_size


def deconv_output_length(
    input_length: Any,
    filter_size: int,
    padding: str,
    output_padding: int | None = None,
    stride: int = 0,
    dilation: int = 1,
) -> Any:
    """Returns the length of an axis (a number, a tensor or None) after a transposed convolution."""
    assert padding in ("same", "valid", "full")
    if input_length is None:
        return None
    spread = filter_size + (filter_size - 1) * (dilation - 1)
    if output_padding is not None:
        pad = {"same": spread // 2, "valid": 0, "full": spread - 1}[padding]
        return (input_length - 1) * stride + spread - 2 * pad + output_padding
    length = input_length * stride
    if padding == "valid":
        return length + max(spread - stride, 0)
    return length - (stride + spread - 2) if padding == "full" else length


def unpadded_deconv_output_length(
    input_length: Any, filter_size: int, padding: str, stride: int
) -> Any:
    """Returns `deconv_output_length` without output padding and dilation."""
    return deconv_output_length(input_length, filter_size, padding, stride=stride)
