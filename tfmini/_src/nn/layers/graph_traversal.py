"""Search for the operations and tensors of a graph that depend on specified tensors."""

from __future__ import annotations

from collections import deque
from typing import Any

from tfmini._src.base.nest.structure import flatten
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor
from tfmini._src.variables.variable import Variable


def reachable_targets(inputs: Any, targets: list) -> list:
    """Returns the operations or tensors among `targets` that depend on `inputs`, by data or control.

    Raises:
      TypeError: if an input is not an operation, variable or tensor.
    """
    starts = flatten(inputs, expand_composites=True)
    visited = {id(x) for x in starts}
    missing = {id(x) for x in targets} - visited
    queue = deque(starts)
    while queue and missing:
        for consumer in _consumers(queue.popleft()):
            if id(consumer) not in visited:
                visited.add(id(consumer))
                missing.discard(id(consumer))
                queue.append(consumer)
    return [x for x in targets if id(x) in visited]


def _consumers(item: Any) -> list:
    if isinstance(item, Operation):
        return [*item.outputs, *item._control_outputs]
    if isinstance(item, Variable):
        return [item.op]
    if isinstance(item, Tensor):
        return item.consumers()
    raise TypeError(f"Expected Operation, Variable, or Tensor, got {item}")
