"""Kernels of ops that accept quantized and other numbers: they compute with the stored integers of quantized inputs."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from tfmini._src.base.dtypes import DType, quantized_to_integers
from tfmini._src.graph.signature import Attr


def mixes_quantized(attrs: Iterable[Attr]) -> bool:
    """Whether a type attr allows quantized and other dtypes."""
    allowed = [attr.allowed or () for attr in attrs if attr.kind == "type"]
    return any({dtype.is_quantized for dtype in dtypes} == {True, False} for dtypes in allowed)


def compute_on_stored_numbers(
    kernel: Callable[..., object], dtypes: Sequence[DType]
) -> Callable[..., object]:
    """Wraps a kernel to compute with the stored integers of quantized inputs; `dtypes` are its output dtypes."""

    def to_stored(value: object) -> object:
        return (
            tuple(map(to_stored, value))
            if isinstance(value, tuple)
            else quantized_to_integers(value)
        )

    @functools.wraps(kernel)
    def wrapper(first: object, *inputs: object, **attrs: object) -> object:
        outputs = kernel(first, *map(to_stored, inputs), **attrs)
        values = outputs if isinstance(outputs, tuple) else (outputs,)
        quantized = tuple(
            np.asarray(value).view(dtype.numpy) if dtype.is_quantized else value
            for value, dtype in zip(values, dtypes)
        )
        return quantized if isinstance(outputs, tuple) else quantized[0]

    return wrapper
