"""Eager execution callbacks: `tf.contrib.eager.add_execution_callback` and the inf/nan checks."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np

from tfmini._src.base import logs
from tfmini._src.base.dtypes import DType
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.attributes import Attrs
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.opdef import OpDef

callbacks: list[Callable[..., Any]] = []


def call_callbacks(
    opdef: OpDef,
    attrs: Attrs,
    inputs: Sequence[EagerTensor],
    outputs: Sequence[EagerTensor],
    name: str | None,
) -> None:
    """Invokes the callbacks for an executed op."""
    pairs = [(key, _callback_attr(value)) for key, value in attrs.items()]
    flat = tuple([item for pair in pairs for item in pair])
    for callback in callbacks:
        callback(opdef.name, tuple(inputs), flat, list(outputs), name)


def _callback_attr(value: Any) -> Any:
    """Converts an attr to the form passed to callbacks: dtypes become DataType enum values."""
    if isinstance(value, DType):
        return value.as_datatype_enum
    return tuple(map(_callback_attr, value)) if isinstance(value, tuple) else value


class ExecutionCallback(enum.Enum):
    """Actions for inf or nan results: ignore, print to stdout, raise `InfOrNanError`, or log a warning."""

    IGNORE = "ignore"
    PRINT = "print"
    RAISE = "raise"
    WARN = "warn"


class InfOrNanError(Exception):
    """Raised if an op output contains inf or nan.

    Attributes:
      op_type: the op type.
      op_name: the name passed to the op, or None.
      output_index: zero-based index of the output.
      num_outputs: number of outputs.
      value: the output array.
    """

    def __init__(
        self, op_type: str, op_name: str | None, output_index: int, num_outputs: int, value: Any
    ) -> None:
        self.op_type = op_type
        self.op_name = op_name
        self.output_index = output_index
        self.num_outputs = num_outputs
        self.value = value
        counts = [
            f"{count} {label}(s)"
            for label, count in (("inf", np.isinf(value).sum()), ("nan", np.isnan(value).sum()))
            if count
        ]
        super().__init__(
            f"Output {output_index + 1} of {num_outputs} of TFE operation {op_type} (name: {op_name!r}) contains "
            f"{' and '.join(counts)} out of a total of {np.size(value)} element(s). Tensor value: {value}"
        )


def inf_nan_callback(
    op_type: str,
    inputs: Sequence[EagerTensor],
    attrs: Sequence[Any],
    outputs: Sequence[EagerTensor],
    op_name: str | None,
    check_inf: bool = True,
    check_nan: bool = True,
    action: ExecutionCallback | str = ExecutionCallback.RAISE,
) -> None:
    """Execution callback that checks results for inf and nan.

    Args:
      op_type, inputs, attrs, outputs, op_name: see `add_execution_callback`.
      check_inf: whether to check for inf.
      check_nan: whether to check for nan.
      action: the `ExecutionCallback` to perform if a check fails.

    Raises:
      InfOrNanError: if a check fails, for `RAISE`.
      ValueError: if a check fails, for `IGNORE`; for an unknown action.

    Example: `tf.contrib.eager.add_execution_callback(tf.contrib.eager.inf_nan_callback)`
    """
    action = ExecutionCallback(action)
    for index, output in enumerate(outputs):
        if not (output.dtype.is_floating or output.dtype.is_complex):
            continue
        value = output.numpy()
        has_inf = check_inf and np.isinf(value).any()
        if not has_inf and not (check_nan and np.isnan(value).any()):
            continue
        error = InfOrNanError(op_type, op_name, index, len(outputs), value)
        if action is ExecutionCallback.PRINT:
            print(f"Warning: {error}")
        elif action is ExecutionCallback.WARN:
            logs.warning(str(error))
        elif action is ExecutionCallback.RAISE:
            raise error
        else:
            raise ValueError(
                f"Invalid action for inf_nan_callback: {action}. Valid actions are: {{PRINT | WARN | RAISE}}"
            )


@arguments_of(inf_nan_callback, "check_inf", "check_nan")
def inf_callback(**arguments: Any) -> None:
    """Same as `inf_nan_callback`, but checks for inf only."""
    inf_nan_callback(**arguments, check_nan=False)


@arguments_of(inf_nan_callback, "check_inf", "check_nan")
def nan_callback(**arguments: Any) -> None:
    """Same as `inf_nan_callback`, but checks for nan only."""
    inf_nan_callback(**arguments, check_inf=False)


def add_execution_callback(callback: Callable[..., Any]) -> None:
    """Registers a function to be called after each eager op.

    Args:
      callback: `f(op_type, inputs, attrs, outputs, op_name)`: the op type, input and output tensors, alternating attr
        names and values, and the name passed to the op or None. Its return value is ignored.
    """
    callbacks.append(callback)


def clear_execution_callbacks() -> None:
    """Removes all execution callbacks."""
    callbacks.clear()


def seterr(inf_or_nan: ExecutionCallback | str | None = None) -> dict[str, ExecutionCallback]:
    """Sets the action for eager op results that contain inf or nan.

    Args:
      inf_or_nan: an `ExecutionCallback` or its name, such as "raise"; None keeps the current action.

    Returns:
      A dict with the previous action under "inf_or_nan".

    Raises:
      ValueError: for an unknown action.
    """
    inf_nan = None if inf_or_nan is None else ExecutionCallback(inf_or_nan)
    previous = ExecutionCallback.IGNORE
    for callback in callbacks:
        if callback is inf_nan_callback:
            previous = ExecutionCallback.RAISE
        elif isinstance(callback, partial) and callback.func is inf_nan_callback:
            previous = callback.keywords.get("action", ExecutionCallback.RAISE)
    if inf_nan is not None:
        callbacks[:] = [c for c in callbacks if getattr(c, "func", c) is not inf_nan_callback]
        if inf_nan is not ExecutionCallback.IGNORE:
            callbacks.append(partial(inf_nan_callback, action=inf_nan))
    return {"inf_or_nan": previous}


@contextmanager
def errstate(inf_or_nan: ExecutionCallback | str | None = None) -> Iterator[None]:
    """Context manager that applies `seterr` within a block and restores the previous action.

    Example:
      with tf.contrib.eager.errstate(inf_or_nan="raise"):
          tf.log(0.0)  # an InfOrNanError
    """
    previous = seterr(inf_or_nan)
    try:
        yield
    finally:
        seterr(**previous)
