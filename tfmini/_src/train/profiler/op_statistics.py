"""Node statistics (floating-point operations, bytes), computed by functions registered per op type."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from tfmini._src.base import proto
from tfmini._src.graph import stack_traces
from tfmini._src.graph.graph import Graph

Statistic: TypeAlias = "Callable[[Graph, proto.NodeDef], OpStats]"
_functions: dict[tuple[str, str], tuple[Statistic, stack_traces.Frames]] = {}


class OpStats:
    """The value of a statistic, or None if unknown."""

    def __init__(self, statistic_type: str, value: float | None = None) -> None:
        self.statistic_type = statistic_type
        self.value = value

    def __iadd__(self, other: OpStats) -> OpStats:
        if other.statistic_type != self.statistic_type:
            raise ValueError(
                f"Can't add an OpStat of type {self.statistic_type} to one of {other.statistic_type}."
            )
        if self.value is None:
            self.value = other.value
        elif other.value is not None:
            self.value += other.value
        return self


class RegisterStatistics:
    """Decorator that registers `function(graph, node_def)`, which returns OpStats, for an op type.

    Raises:
      TypeError: if the type is not a string or contains a comma.
      KeyError: if a function is already registered.

    Example:
      @ops.RegisterStatistics("MyOp", "flops")
      def flops(graph, node):
          return ops.OpStats("flops", 100)
    """

    def __init__(self, op_type: str, statistic_type: str) -> None:
        if not isinstance(op_type, str):
            raise TypeError("op_type must be a string.")
        if "," in op_type:
            raise TypeError("op_type must not contain a comma.")
        if not isinstance(statistic_type, str):
            raise TypeError("statistic_type must be a string.")
        if "," in statistic_type:
            raise TypeError("statistic_type must not contain a comma.")
        self._key = op_type, statistic_type

    def __call__(self, f: Statistic) -> Statistic:
        if self._key in _functions:
            location = stack_traces.locations(_functions[self._key][1])[-1]
            raise KeyError(
                f"Registering two statistical functions with name '{','.join(self._key)}'! "
                f"(Previous registration was in {location.name} {location.filename}:{location.lineno})"
            )
        _functions[self._key] = f, stack_traces.capture()
        return f


def find_statistic(op_type: str, statistic_type: str) -> Statistic | None:
    """Returns the function registered for an op type; None if none is registered."""
    registration = _functions.get((op_type, statistic_type))
    return registration and registration[0]
