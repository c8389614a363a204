"""Assert: raises a run-time error unless a condition holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import InvalidArgumentError, invalid
from tfmini._src.graph.convert_to_tensor import convert_n_to_tensor, convert_to_tensor
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.eager.used_results import should_use_result
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops.checks.value_text import summarize_value
from tfmini._src.ops.control_flow.cond import cond
from tfmini._src.ops.control_flow.no_op_groups import no_op
from tfmini._src.ops.operands import shape_text


@op(
    "Assert",
    "condition: bool, data: T ->",
    infer=lambda op: [],
    differentiable=False,
    stateful=True,
    static_inputs=("condition", "data"),
    T=Attr("list(type)", minimum=1),
    summarize=3,
)
def assert_op(ctx, condition, data, *, summarize):
    if np.ndim(condition):
        raise InvalidArgumentError(
            None, ctx.op, f"In[0] should be a scalar: {shape_text(condition.shape)}"
        )
    if not condition:
        summary = " ".join(f"[{summarize_value(value, summarize)}]" for value in data)
        raise InvalidArgumentError(None, ctx.op, f"assertion failed: {summary}")
    return ()


@assert_op.bind
def _(ctx):
    """Returns the kernel for a condition that is always true: a no-op."""
    condition = ctx.constants.get("condition")
    is_true = condition is not None and not np.ndim(condition) and bool(condition)
    return _accept if is_true else None


def _accept(condition: Any, data: Any) -> tuple[()]:
    return ()


@public
@should_use_result
def Assert(
    condition: TensorLike,
    data: Sequence[TensorLike],
    summarize: int | None = None,
    name: str | None = None,
) -> Operation:
    """Returns an operation that fails unless `condition` is true; in eager mode it fails immediately.

    Args:
      condition: bool scalar.
      data: a list of tensors to show in the error message.
      summarize: the number of elements to show per tensor (3 by default).

    Returns:
      The operation; it only runs if another operation depends on it.

    Raises (when it runs):
      InvalidArgumentError: if the condition is false.

    Example:
      with tf.control_dependencies([tf.Assert(tf.reduce_max(x) <= 1.0, [x])]):
          y = tf.identity(x)
    """
    if executing_eagerly():
        _check_now(condition, data, summarize)
        return None  # type: ignore[return-value]
    with name_scope(name, "Assert", [condition, data]) as name:
        tensors = convert_n_to_tensor(data)
        if all(t.dtype in (dtypes.string, dtypes.int32) for t in tensors):
            # Usually in host memory, so showing them costs no copy.
            return raw.Assert(condition, data, summarize=summarize, name="Assert")
        condition = convert_to_tensor(condition, name="Condition")

        def failing() -> Operation:
            return raw.Assert(condition, data, summarize=summarize, name="Assert")

        return cond(condition, no_op, failing, name="AssertGuard").op


def _check_now(condition: Any, data: Any, summarize: int | None) -> None:
    """Raises InvalidArgumentError with the data if the condition is false."""
    if not condition:
        summary = "\n".join(
            _first_elements(tensor, summarize) for tensor in convert_n_to_tensor(data)
        )
        invalid(f"Expected '{condition!s}' to be true. Summarized data: {summary}")


def _first_elements(tensor: Any, count: int | None) -> str:
    if not tensor.ndim:
        return str(tensor.numpy()) if count != 0 else ""
    elements = tensor.numpy().reshape(-1)
    count = 3 if count is None else len(elements) if count < 0 else count
    texts = [str(element) for element in elements[:count]]
    return ", ".join([*texts, "..."] if count < len(elements) else texts)
