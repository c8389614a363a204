"""Text descriptions of tensors that match a filter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor


def node_text(op: Operation) -> str:
    """Returns a description of a node: its op type, and the line of the user's code that created it."""
    location = op.user_location()
    where = "" if location is None else f" (defined at {location.filename}:{location.lineno})"
    return f"node {op.name}{where}, type {op.type}"


def value_text(value: Any) -> str:
    """Returns a value's dtype, shape, number of infinities and NaNs, and range."""
    array = np.asarray(value)
    parts = [f"{array.dtype} {list(array.shape)}"]
    values = array.astype(np.float32) if array.dtype.kind == "V" else array
    if array.size == 1:
        parts.append(str(array.reshape(-1)[0]))
    elif values.dtype.kind in "fiub" and array.size:
        parts += _counts(values)
    return ", ".join(parts)


def _counts(values: Any) -> list[str]:
    lines = []
    if values.dtype.kind == "f":
        predicates: dict[str, Any] = {"nan": np.isnan, "-inf": np.isneginf, "inf": np.isposinf}
        for name, is_kind in predicates.items():
            count = int(is_kind(values).sum())
            if count:
                lines.append(f"{count} of {values.size} elements are {name}")
        values = values[np.isfinite(values)]
    if values.size:
        lines.append(f"from {values.min():.6g} to {values.max():.6g}")
    return lines


def describe_match(name: str, tensor: Tensor, values: Mapping[Tensor, Any]) -> str:
    """Describes a tensor that matched the filter `name`, and the inputs of its node."""
    op = tensor.op
    lines = [f"{name}: tensor {tensor.name} of {node_text(op)}: {value_text(values[tensor])}"]
    for value in op.inputs:
        if value in values:
            lines.append(f"  its input {value.name}: {value_text(values[value])}")
    return "\n".join(lines)
