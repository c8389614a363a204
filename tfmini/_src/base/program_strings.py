"""Strings exchanged with a program that expects `str`, not bytes: step results, `py_func` arguments, records, files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

decoders: list[Callable[[Any], Any]] = []  # from bytes; return other values unchanged
encoders: list[Callable[[Any], Any]] = []  # to bytes


def decode_strings(value: Any) -> Any:
    """Converts bytes, also within an array of objects; returns other values unchanged."""
    is_array = isinstance(value, np.ndarray)
    if decoders and (value.dtype.kind == "O" if is_array else isinstance(value, bytes)):
        for decode in decoders:
            value = np.frompyfunc(decode, 1, 1)(value) if is_array else decode(value)
    return value


def encode_string(value: Any) -> Any:
    """Converts a program's string to bytes; returns other values unchanged."""
    for encode in encoders:
        value = encode(value)
    return value


def decode_arguments(call: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a function that decodes its arguments, or `call` itself if there are no decoders."""
    return (lambda *args: call(*map(decode_strings, args))) if decoders else call


def decode_values(build: Callable[[Sequence[Any]], Any]) -> Callable[[Sequence[Any]], Any]:
    """Returns a function that decodes the values of a sequence, or `build` itself if there are no decoders."""
    return (lambda values: build(list(map(decode_strings, values)))) if decoders else build
