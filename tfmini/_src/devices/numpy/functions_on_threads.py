"""NumPy's slow functions of one operand, of which large arrays are divided among threads."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfmini._src.devices.host.threads import run_slices

_SLOW = frozenset({"exp", "log", "sqrt", "sin", "cos", "tan", "arcsin", "arccos", "arctan", "tanh"})
_SLOW |= {"sinh", "cosh", "arcsinh", "arccosh", "arctanh", "expm1", "log1p"}
_MANY, _HEAD_START = 1 << 17, 1 << 14  # elements


def function_of(name: str, dims: Sequence[int | None] | None) -> Callable[..., np.ndarray]:
    """The function `name` for arrays of this shape."""
    function: Callable[..., Any] = getattr(np, name)
    if name not in _SLOW or dims is None or None in dims or math.prod(dims) < _MANY:  # type: ignore[arg-type]
        return function

    def divided(x: np.ndarray) -> np.ndarray:
        if not x.flags.c_contiguous:
            return function(x)
        flat, result = x.reshape(-1), np.empty(x.size, x.dtype)

        def work(part: slice) -> None:
            function(flat[part], out=result[part])

        run_slices(work, x.size, _HEAD_START)
        return result.reshape(x.shape)

    return divided
