"""Objects as text, as formatted by Python 2's `str`: floats with twelve digits, bytes as text."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from tfmini._src.programs.runner import single_element_shims
from tfmini._src.programs.runner.python2.byte_text import as_bytes, as_text

_STRING_CONVERSION = re.compile(r"%(?:\(\w*\))?[-+ #0]*[\d*]*(?:\.[\d*]+)?s")


def text(value: Any) -> str:
    """Implements `str(value)`."""
    cls = type(value)
    if cls is str:
        return value
    if cls is float:
        return _float_text(value)
    if cls is complex:
        return _complex_text(value)
    if isinstance(value, (bytes, bytearray)):
        return as_text(bytes(value))
    if cls is type and value.__module__ == "builtins":
        return f"<type '{value.__name__}'>"
    return str(value)


def call(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Calls `function(*args, **kwargs)`, for functions named `str`, `unicode`, `bytes` or `bytearray`."""
    if function is bytearray:
        return bytearray(*map(as_bytes, args), **kwargs)
    if function not in (str, bytes) or kwargs:
        return function(*args, **kwargs)
    if len(args) == 1:
        return text(args[0])
    if len(args) > 1 and isinstance(args[0], str):
        return args[0].encode("utf-8", "surrogateescape").decode(*args[1:])
    return function(*args)


def _float_text(value: float) -> str:
    short = f"{value:.12g}"
    if any(c in short for c in ".en"):
        return short
    if abs(value) < 1e11:
        return f"{short}.0"
    digits, exponent = f"{value:.11e}".split("e")
    return f"{digits.rstrip('0').rstrip('.')}e{exponent}"


def _complex_text(value: complex) -> str:
    if value.real == 0 and str(value.real)[0] != "-":
        return f"{value.imag:.12g}j"
    return f"({value.real:.12g}{value.imag:+.12g}j)"


class _Float(float):
    """A float formatted with twelve digits."""

    def __str__(self) -> str:
        return _float_text(float(self))

    def __format__(self, spec: str) -> str:
        return format(float(self), spec) if spec else str(self)


class _NumPyFloat:
    """A NumPy float, which `str.format` converts to Python's if no conversion is given."""

    def __init__(self, value: np.floating) -> None:
        self._value = value

    def __getattr__(self, name: str) -> Any:
        return getattr(self._value, name)

    def __str__(self) -> str:
        return str(self._value)

    def __repr__(self) -> str:
        return repr(self._value)

    def __format__(self, spec: str) -> str:
        return format(_Float(self._value), spec)


def _short(value: Any) -> Any:
    if type(value) is float:
        return _Float(value)
    return as_text(value) if isinstance(value, bytes) else value


def percent(left: Any, right: Any) -> Any:
    """Implements `left % right`."""
    if isinstance(left, str) and _STRING_CONVERSION.search(left):
        if type(right) is tuple:
            right = tuple(map(_short, right))
        elif type(right) is dict:
            right = {key: _short(value) for key, value in right.items()}
        else:
            right = _short(right)
    return single_element_shims.percent(left, right)


def format_text(template: str, *args: Any, **kwargs: Any) -> str:
    """Implements `template.format(...)`."""
    return template.format(
        *map(_format_argument, args), **{k: _format_argument(v) for k, v in kwargs.items()}
    )


def _format_argument(value: Any) -> Any:
    return _NumPyFloat(value) if isinstance(value, np.floating) else _short(value)
