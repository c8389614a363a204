"""The functions of a SavedModel's objects, each with one trace per kind of arguments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from tfmini._src.base import proto
from tfmini._src.base.nest.structure import flatten, pack_sequence_as
from tfmini._src.functions.function_names import function_numbers
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.function_library import Function, from_library
from tfmini._src.graph.graphdef.function_bodies import body_of
from tfmini._src.graph.graphdef.import_graph_def import import_graph_def
from tfmini._src.graph.traversal import reached
from tfmini._src.graph.type_spec import TensorSpec
from tfmini._src.saved_model.objects.restored_functions import functions_in
from tfmini._src.saved_model.objects.structured_value import decoded


def renamed_library(library: Any) -> dict[str, Function]:
    """The functions of a FunctionDefLibrary by their saved names; in graphs they get new ones."""
    copied = proto.FunctionDefLibrary.FromString(library.SerializeToString())
    names = {
        each.signature.name: f"{_without_number(each.signature.name)}_{next(function_numbers)}"
        for each in copied.function
    }
    for definition in copied.function:
        definition.signature.name = names[definition.signature.name]
        for node in definition.node_def:
            for called in functions_in(node):
                called.name = names.get(called.name, called.name)
    del copied.gradient[:]
    made = {function.name: function for function in from_library(copied)}
    return {old: made[new] for old, new in names.items()}


class RestoredFunction:
    """A function of inputs and, optionally, a training flag.

    Args:
      saved: its SavedConcreteFunctions, by their names.
      functions: the library.
      bound: the variables by the numbers of their nodes.
    """

    def __init__(
        self, saved: dict[str, Any], functions: dict[str, Function], bound: dict[int, Any]
    ):
        self._kinds = [
            _Kind(functions[name], functions, message, [bound[n] for n in message.bound_inputs])
            for name, message in saved.items()
        ]

    def input_specs(self) -> Any:
        """The specs of the inputs, in their structure, relaxed to fit all traces."""
        specs = [flatten(kind.arguments[0]) for kind in self._kinds if kind.arguments]
        common = [_common(each) for each in zip(*specs)]
        return pack_sequence_as(self._kinds[0].arguments[0], common)

    def __call__(self, inputs: Any = (), training: bool | None = None) -> Any:
        """Calls the trace that matches the inputs.

        Raises:
          ValueError: if there is none.
        """
        tensors = flatten(inputs)
        for kind in self._kinds:
            if kind.takes(tensors, training):
                return kind(tensors)
        known = "\n".join(f"  {kind.arguments}" for kind in self._kinds)
        raise ValueError(
            f"No function of the SavedModel takes {inputs} with training={training}. Those that it has take:\n{known}"
        )


class _Kind:
    """A concrete function: the trace for one structure of arguments, dtypes and shapes."""

    def __init__(self, function: Function, functions: dict, message: Any, bound: list[Any]):
        self._function = function
        self._functions = functions
        self._bound = bound
        self.arguments, self._keywords = decoded(message.canonicalized_input_signature)
        self._results = decoded(message.output_signature)
        leaves = flatten([list(self.arguments), self._keywords])
        self._specs = [leaf for leaf in leaves if isinstance(leaf, TensorSpec)]
        self._flags = [leaf for leaf in leaves if isinstance(leaf, bool)]

    def takes(self, tensors: Sequence[Any], training: bool | None) -> bool:
        """Whether the trace accepts these arguments."""
        if training is not None and self._flags and self._flags[-1] != training:
            return False
        return len(tensors) == len(self._specs) and all(
            tensor.dtype.base_dtype == spec.dtype and spec.shape.is_compatible_with(tensor.shape)
            for tensor, spec in zip(tensors, self._specs)
        )

    def __call__(self, tensors: Sequence[Any]) -> Any:
        """Inlines the function's nodes into the graph, where gradients pass through them as usual."""
        graph: Any = get_default_graph()
        functions = {each.name: each for each in self._functions.values()}
        known = [tensor._dims for tensor in tensors] + [None] * len(self._bound)
        body = body_of(self._function, {}, functions, known)
        for name in _called(body.graph, functions):
            functions[name].add_to_graph(graph)
        message = body.graph.as_graph_def()
        arguments = {op.name for op in body.arguments}
        nodes = [node for node in message.node if node.name not in arguments]
        del message.node[:]
        message.node.extend(nodes)
        message.ClearField("library")
        given = [*tensors, *(variable.handle for variable in self._bound)]
        if graph.building_function:
            given = [graph.capture(tensor) for tensor in given]
        by_name = {op.name: tensor for op, tensor in zip(body.arguments, given)}
        used = {text.removesuffix(":0") for node in nodes for text in node.input}
        mapped = {name: tensor for name, tensor in by_name.items() if name in used}
        wanted = [result.name for result in body.results if result.op.name not in by_name]
        called = _without_number(self._function.name).removeprefix("__inference_")
        made = iter(import_graph_def(message, mapped, wanted, name=called) or ())
        results: list[Any] = [
            by_name[r.op.name] if r.op.name in by_name else next(made) for r in body.results
        ]
        for tensor, spec in zip(results, flatten(self._results)):
            tensor.set_shape(spec.shape)
        return pack_sequence_as(self._results, results)


def _called(graph: Any, functions: dict[str, Function]) -> list[str]:
    """The names of the functions that a body calls, transitively."""

    def called_in(nodes: Any) -> list[str]:
        names = [called.name for node in nodes for called in functions_in(node)]
        return [name for name in names if name in functions]

    starts = called_in(graph.as_graph_def().node)
    return list(reached(starts, lambda name: called_in(functions[name].definition.node_def)))


def _common(specs: Sequence[TensorSpec]) -> TensorSpec:
    """The most specific spec that all of some specs fit."""
    first = specs[0]
    shapes = [spec.shape for spec in specs]
    if any(shape.ndims != first.shape.ndims or shape.ndims is None for shape in shapes):
        return TensorSpec(None, first.dtype, first.name)
    dims = [
        sizes[0] if all(size == sizes[0] for size in sizes) else None
        for sizes in zip(*(shape.as_list() for shape in shapes))
    ]
    return TensorSpec(dims, first.dtype, first.name)


def _without_number(name: str) -> str:
    return re.sub(r"_\d+$", "", name)
