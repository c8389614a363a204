"""Messages of value checks in eager mode."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.graph.eager.eager_tensor import EagerTensor


def display_name(tensor: Any) -> str:
    """Returns the name of a tensor for messages; in eager mode, its shape and dtype."""
    if isinstance(tensor, EagerTensor):
        return f"shape={tensor.shape} dtype={tensor.dtype.name}"
    name: str = tensor.name
    return name


def name_in_ranks(tensor: Any) -> str:
    """Returns the name of a tensor for messages about ranks; empty in eager mode."""
    return "" if isinstance(tensor, EagerTensor) else tensor.name


def name_in_types(tensor: Any) -> str:
    """Returns the name of a tensor for messages about dtypes."""
    return "tensor" if isinstance(tensor, EagerTensor) else tensor.name


def raise_comparison_error(
    symbol: str,
    x: Any,
    y: Any,
    holds: Any,
    data: Sequence[Any] | None,
    summarize: int | None,
    message: str | None,
) -> NoReturn:
    """Raises InvalidArgumentError for a failed comparison of tensors.

    Args:
      symbol: the comparison operator.
      x, y: the tensors.
      holds: elementwise result of the check.
      data: values to show; by default, the first elements and the differing elements.
      summarize: number of elements to show, by default 3; all if negative.
      message: prefix of the message.
    """
    count = 3 if summarize is None else 10**9 if summarize < 0 else summarize
    if data is None:
        data = [f"Condition x {symbol} y did not hold."]
        if count:
            data += _elements(x, y, holds, count)
    if message is not None:
        data = [message, *data]
    with np.printoptions(legacy="1.25"):
        invalid("\n".join(_item_text(item, count) for item in data))


def _elements(x: Any, y: Any, holds: Any, count: int) -> list[Any]:
    data: list[Any] = []
    x, y = np.asarray(x), np.asarray(y)
    if x.shape == y.shape and x.shape:
        failed = ~np.asarray(holds)
        indices = np.argwhere(failed)[:count]
        data += [f"Indices of first {len(indices)} different values:", indices]
        data += ["Corresponding x values:", x[failed][:count]]
        data += ["Corresponding y values:", y[failed][:count]]
    for name, values in (("x", x.reshape(-1)[:count]), ("y", y.reshape(-1)[:count])):
        data += [f"First {len(values)} elements of {name}:", values]
    return data


def _item_text(item: Any, count: int) -> str:
    if not isinstance(item, EagerTensor):
        return str(item)
    if not item.ndim:
        return str(item.numpy())
    elements = item.numpy().reshape(-1)
    texts = [str(element) for element in elements[:count]]
    return str([*texts, "..."] if count < len(elements) else texts)
