"""Context of a layer call: the layer, its inputs, the training flag; visible to layers called inside it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from tfmini._src.base.dtypes import DType


@dataclass(frozen=True)
class Call:
    """One call of a layer, perhaps nested in another's.

    Attributes:
      in_call: False only if no layer is being called.
      inputs: the call's inputs.
      training: whether the call is for training; None if unspecified.
      frozen: whether this layer or an enclosing one has `trainable=False`.
      compute_dtype: the floating dtype of the layer's computations, if it differs from its weights' dtype.
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
    """The innermost call of a layer in this thread."""
    return _calls.current


class calling:
    """Context manager of a call of `layer`."""

    def __init__(self, layer: Any, inputs: Any, training: Any) -> None:
        self._outer = outer = _calls.current
        frozen = outer.frozen or not layer.trainable
        self._call = Call(True, inputs, training, frozen, outer.compute_dtype)

    def __enter__(self) -> None:
        _calls.current = self._call

    def __exit__(self, *unused: object) -> None:
        _calls.current = self._outer


@contextmanager
def computing_in(dtype: DType | None) -> Iterator[None]:
    """Context manager that sets the compute dtype; None for the dtype of the weights."""
    outer = _calls.current
    _calls.current = replace(outer, compute_dtype=dtype)
    try:
        yield
    finally:
        _calls.current = outer
