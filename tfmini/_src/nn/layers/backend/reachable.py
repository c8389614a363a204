"""Reachability in graphs: the tensors and operations downstream of specified tensors."""

from __future__ import annotations

from collections import deque
from typing import Any

from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor


def get_reachable_from_inputs(inputs: Any, targets: Any = None) -> set:
    """Returns `inputs` and everything downstream of them; the search stops once all `targets` are found.

    Raises:
      TypeError: for a value that is not a tensor, operation or variable.
    """
    reachable = set(inputs)
    remaining = None if targets is None else set(targets)
    waiting = deque(inputs)
    while waiting and not (remaining is not None and remaining <= reachable):
        item = waiting.pop()
        if isinstance(item, Operation):
            outputs: list[Any] = list(item.outputs)
        elif isinstance(item, Tensor):
            outputs = list(item.consumers())
        elif hasattr(item, "handle"):
            outputs = list(item.handle.consumers())
        elif isinstance(item, int | float):  # a fixed learning phase
            outputs = []
        else:
            raise TypeError(f"Expected Operation, Variable, or Tensor, got {item}")
        for output in outputs:
            if output not in reachable:
                reachable.add(output)
                waiting.appendleft(output)
    return reachable
