"""Callbacks after each op of eager mode: `tf.contrib.eager.add_execution_callback`, and the check for inf and nan."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from tfmini._src.base import logs
from tfmini._src.base.dtypes import DType
from tfmini._src.graph.attributes import Attrs
from tfmini._src.graph.eager.eager_tensor import EagerTensor

if TYPE_CHECKING:
    from tfmini._src.graph.opdef import OpDef

callbacks: list[Callable[..., Any]] = []


def tell(
    opdef: OpDef,
    attrs: Attrs,
    inputs: Sequence[EagerTensor],
    outputs: Sequence[EagerTensor],
    name: str | None,
) -> None:
    """Calls the callbacks for an op that has run."""
    pairs = [(key, _number(value)) for key, value in attrs.items()]
    flat = tuple([item for pair in pairs for item in pair])
    for callback in callbacks:
        callback(opdef.name, tuple(inputs), flat, list(outputs), name)


def _number(value: Any) -> Any:
    """An attr as callbacks get it: dtypes by their numbers."""
    if isinstance(value, DType):
        return value.as_datatype_enum
    return tuple(map(_number, value)) if isinstance(value, tuple) else value


class ExecutionCallback(enum.Enum):
    """Actions on an inf or nan in a result: none, a line on stdout, an `InfOrNanError`, a warning."""

    IGNORE = "ignore"
    PRINT = "print"
    RAISE = "raise"
    WARN = "warn"


class InfOrNanError(Exception):
    """A result of an op has infs or nans.

    Attributes:
      op_type: its type; op_name: the name that it was given, or None.
      output_index, num_outputs: the number of the output, from 0, and that of all.
      value: the output, an array.
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
            f"{count} {kind}(s)"
            for kind, count in (("inf", np.isinf(value).sum()), ("nan", np.isnan(value).sum()))
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
    """A callback that looks for inf and nan in results.

    Args:
      op_type, inputs, attrs, outputs, op_name: as `add_execution_callback` says.
      check_inf: whether infs count; check_nan: whether nans do.
      action: an `ExecutionCallback`, what is done if there are any.

    Raises:
      InfOrNanError: if there are any, for `RAISE`.
      ValueError: for `IGNORE`, or another action.

    Example: `tf.contrib.eager.add_execution_callback(tf.contrib.eager.inf_nan_callback)`
    """
    action = ExecutionCallback(action)
    for number, output in enumerate(outputs):
        if not (output.dtype.is_floating or output.dtype.is_complex):
            continue
        value = output.numpy()
        has_inf = check_inf and np.isinf(value).any()
        if not has_inf and not (check_nan and np.isnan(value).any()):
            continue
        error = InfOrNanError(op_type, op_name, number, len(outputs), value)
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


def inf_callback(
    op_type: str,
    inputs: Sequence[EagerTensor],
    attrs: Sequence[Any],
    outputs: Sequence[EagerTensor],
    op_name: str | None,
    action: ExecutionCallback | str = ExecutionCallback.RAISE,
) -> None:
    """`inf_nan_callback` for infs alone."""
    inf_nan_callback(op_type, inputs, attrs, outputs, op_name, True, False, action)


def nan_callback(
    op_type: str,
    inputs: Sequence[EagerTensor],
    attrs: Sequence[Any],
    outputs: Sequence[EagerTensor],
    op_name: str | None,
    action: ExecutionCallback | str = ExecutionCallback.RAISE,
) -> None:
    """`inf_nan_callback` for nans alone."""
    inf_nan_callback(op_type, inputs, attrs, outputs, op_name, False, True, action)


def add_execution_callback(callback: Callable[..., Any]) -> None:
    """Has a function called after each op that runs in eager mode.

    Args:
      callback: `f(op_type, inputs, attrs, outputs, op_name)`: the type of the op, its inputs and results, tensors; the
        names and values of its attrs in turn; the name that it was given, or None. What it returns is not looked at.
    """
    callbacks.append(callback)


def clear_execution_callbacks() -> None:
    """Has no function called after ops any more."""
    callbacks.clear()


def seterr(inf_or_nan: ExecutionCallback | str | None = None) -> dict[str, ExecutionCallback]:
    """Sets what is done when a result of an op in eager mode has an inf or nan.

    Args:
      inf_or_nan: an `ExecutionCallback` or its name, for instance "raise"; None changes nothing.

    Returns:
      A dict with the action that there was, for "inf_or_nan".

    Raises:
      ValueError: for another action.
    """
    wanted = None if inf_or_nan is None else ExecutionCallback(inf_or_nan)
    before = ExecutionCallback.IGNORE
    for callback in callbacks:
        if callback is inf_nan_callback:
            before = ExecutionCallback.RAISE
        elif isinstance(callback, partial) and callback.func is inf_nan_callback:
            before = callback.keywords.get("action", ExecutionCallback.RAISE)
    if wanted is not None:
        callbacks[:] = [c for c in callbacks if getattr(c, "func", c) is not inf_nan_callback]
        if wanted is not ExecutionCallback.IGNORE:
            callbacks.append(partial(inf_nan_callback, action=wanted))
    return {"inf_or_nan": before}


@contextmanager
def errstate(inf_or_nan: ExecutionCallback | str | None = None) -> Iterator[None]:
    """A block in which infs and nans in results of eager mode have an action, as for `seterr`.

    Example:
      with tf.contrib.eager.errstate(inf_or_nan="raise"):
          tf.log(0.0)  # an InfOrNanError
    """
    before = seterr(inf_or_nan)
    try:
        yield
    finally:
        seterr(**before)
