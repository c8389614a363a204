"""Library functions created from traced graphs."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DType
from tfmini._src.base.shapes import Dims
from tfmini._src.functions.function_names import function_numbers
from tfmini._src.functions.graph_to_function_def import function_def
from tfmini._src.graph.default_graph import library_graph
from tfmini._src.graph.function_library import Function
from tfmini._src.graph.opdef import OpDef, registry
from tfmini._src.graph.operation import Operation

# Functions in use, by name.
functions_in_use: weakref.WeakValueDictionary[str, LibraryFunction] = weakref.WeakValueDictionary()


class LibraryFunction(Function):
    """The FunctionDef of a traced graph in its current state, with its callees.

    graph: its body.
    nodes: its operations at the time of conversion.
    compiled_calls: its compiled eager calls, by argument kinds.
    dims_of_calls: the static shapes of its results, by argument shapes.
    """

    def __init__(self, graph: Any, name: str):
        definition, nodes = _build_definition(graph)
        definition.signature.name = name
        super().__init__(definition)
        self.graph = graph
        self.nodes = list(nodes.values())
        self.frames = {key: op._frames for key, op in nodes.items()}
        self.compiled_calls: dict[Any, Any] = {}
        self.dims_of_calls: dict[tuple[Dims, ...], Sequence[Dims]] = {}
        self._library = dict(graph._functions)
        functions_in_use[name] = self

    @functools.cached_property
    def call_kind(self) -> tuple[OpDef, tuple[DType, ...]]:
        """The op that calls the function, and the dtypes of its results."""
        stateful = any(op.opdef.stateful for op in self.nodes)
        types = [dtypes.as_dtype(arg.type) for arg in self.definition.signature.output_arg]
        return registry["StatefulPartitionedCall" if stateful else "PartitionedCall"], tuple(types)

    def add_to_graph(self, graph: Any = None) -> None:
        """Adds the function and its callees to the library of a graph, by default the current one."""
        if graph is None:
            graph = library_graph()
        if self.library_name not in graph._functions:
            graph._add_function(self)
        for function in self._library.values():
            if function.library_name not in graph._functions:
                function.add_to_graph(graph)


def append_unique_number(name: str, graph: Any) -> str:
    """Appends the first number that makes the name unique in a graph's library."""
    return next(n for n in (f"{name}_{k}" for k in function_numbers) if n not in graph._functions)


def _build_definition(graph: Any) -> tuple[Any, dict[str, Operation]]:
    """Returns the unnamed FunctionDef of a body, and the operations by node name."""
    definition, nodes = function_def(graph.get_operations(), graph.inputs, graph.outputs)
    names = {op: key for key, op in nodes.items()}
    for op in graph.must_run:
        definition.control_ret[op.name] = names[op]
        definition.signature.control_output.append(op.name)
    return definition, nodes
