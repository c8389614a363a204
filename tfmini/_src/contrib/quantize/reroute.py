"""Graph rerouting: tensor consumers, replacement of inputs, and the step counter for delays."""

from __future__ import annotations

import re
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.variables.copy_modes import VariableAggregation
from tfmini._src.variables.get_variable import get_variable
from tfmini._src.variables.initializers import Zeros

# Prefixes of the names of optimizer and summary ops.
SKIPPED_PREFIXES = (
    *("gradients/", "RMSProp/", "Adagrad/", "Const_", "HistogramSummary", "ScalarSummary"),
)
_STEP = "fake_quantization_step"


class Consumers:
    """Snapshot of the operations that consume each tensor of a graph."""

    def __init__(self, graph: Graph):
        self._readers: dict[Tensor, dict[Operation, None]] = {}
        for op in graph.get_operations():
            if not op.name.startswith(SKIPPED_PREFIXES):
                for tensor in op.inputs:
                    self._readers.setdefault(tensor, {})[op] = None

    def consumers(self, op: Operation) -> list[Operation]:
        return list({reader: None for t in op.outputs for reader in self._readers.get(t, ())})


def reroute(new: Any, old: Tensor, readers: Any = None) -> int:
    """Replaces the tensor `old` in all or some of its consumers; returns the number of changed inputs."""
    changes = [
        (op, index)
        for op in dict.fromkeys(old.consumers())
        if readers is None or op in readers
        for index, tensor in enumerate(op.inputs)
        if tensor is old
    ]
    for op, index in changes:
        op._update_input(index, new)
    return len(changes)


def quantization_step() -> Tensor:
    """Returns the step counter, incremented each time it is read."""
    graph = get_default_graph()
    try:
        return graph.get_tensor_by_name(f"{_STEP}/Identity:0")
    except KeyError:
        pass
    with graph.name_scope(None):
        step = get_variable(
            _STEP,
            shape=[],
            dtype=dtypes.int64,
            initializer=Zeros(),
            trainable=False,
            collections=[GraphKeys.GLOBAL_VARIABLES],
            aggregation=VariableAggregation.ONLY_FIRST_REPLICA,
        )
        with graph.name_scope(step.op.name + "/"):
            return ops.identity(ops.assign_add(step, 1))


def node_scope(name: str) -> str:
    """Returns the name scope of a node, or ""."""
    match = re.search("^(.*)/([^/]+)", name)
    return match[1] if match else ""
