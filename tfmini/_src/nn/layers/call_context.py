"""Context of a layer call: the layer, its inputs and training flag; accessible in nested layer calls."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from typing import Any

from tfmini._src.base.dtypes import DType


@dataclass(frozen=True)
class Call:
    """A layer call, possibly nested in the call of another layer.

    Attributes:
      in_call: whether a layer is being called.
      inputs: the call's inputs.
      training: whether the call is for training; None if unspecified.
      frozen: whether this layer or an enclosing one has `trainable=False`.
      compute_dtype: the floating-point dtype of the layer's computations, if different from the dtype of its weights.
    """

    in_call: bool = False
    inputs: Any = None
    training: Any = None
    frozen: bool = False
    compute_dtype: DType | None = None


class _Calls(threading.local):
    current = Call()


_calls = _Calls()


def current_call() -> Call:
    """Returns the innermost layer call of this thread."""
    return _calls.current


class _CallScope:
    """Base class of context managers that replace the current call."""

    _outer: Call
    _call: Call

    def __enter__(self) -> None:
        _calls.current = self._call

    def __exit__(self, *unused: object) -> None:
        _calls.current = self._outer


class calling(_CallScope):
    """Context manager for a call of `layer`."""

    def __init__(self, layer: Any, inputs: Any, training: Any) -> None:
        self._outer = outer = _calls.current
        frozen = outer.frozen or not layer.trainable
        self._call = Call(True, inputs, training, frozen, outer.compute_dtype)


class compute_dtype_scope(_CallScope):
    """Context manager that sets the compute dtype; None selects the dtype of the weights."""

    def __init__(self, dtype: DType | None) -> None:
        self._outer = self._call = outer = _calls.current
        if dtype is not outer.compute_dtype:
            self._call = replace(outer, compute_dtype=dtype)
