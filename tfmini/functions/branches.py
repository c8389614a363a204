"""Conditions in the bodies of functions: the branches are functions of the library, an If or StatelessIf calls one.

Both branches take what either uses of the graph around, in the order of its first use.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini import nest, proto
from tfmini.functions.definition import function_def
from tfmini.functions.effects import ordered_effects
from tfmini.functions.names import function_numbers
from tfmini.graph.attributes import NameAttrList
from tfmini.graph.default_graph import get_default_graph
from tfmini.graph.functions import Function
from tfmini.graph.namespaces import ops, raw
from tfmini.graph.operation import Operation
from tfmini.graph.scopes import control_dependencies, name_scope
from tfmini.graph.values import IndexedSlices
from tfmini.ops.lists.tensor_arrays import TensorArray, with_flows


def part_name(scope: str, what: str) -> str:
    """The name of a part of a function, made at a node with this scope."""
    base = f"{scope}{what}".replace("/", "_")
    taken = get_default_graph()._functions
    return next(name for name in (f"{base}_{k}" for k in function_numbers) if name not in taken)


class Part(Function):
    """A function that is a part of another: a branch, the test or the body of a loop.

    Args:
      name: its name.
      python: called with the arguments, gives its results in any structure.
      kind: the class of its graph.
      specs, names: of its arguments.
      done: a tensor of the graph around: what an operation gives, once it has run.

    Attributes:
      structure: what `python` gave.
      flat: its tensors.
    """

    def __init__(
        self,
        name: str,
        python: Callable,
        kind: Any,
        specs: Sequence[Any] = (),
        names: Sequence[str | None] = (),
        done: Any = None,
    ):
        graph = kind(name)
        outer = graph.outer_graph
        graph._collections = outer._collections
        self.graph = graph
        with graph.as_default():
            for spec, argument in zip(specs, names):
                graph.inputs.append(ops.placeholder(spec[0], shape=spec[1], name=argument))
            first = len(graph._ops)
            self.structure = python(*graph.inputs)
            self.flat = [
                self._returned(value, done)
                for value in nest.flatten(self.structure, expand_composites=True)
                if value is not None
            ]
            graph.outputs = self.flat
            graph.must_run = ordered_effects(graph, first, self.flat)
        self._known_name = name
        self.captured = list(graph.captured)
        self.arguments = len(graph.inputs)

    def _returned(self, value: Any, done: Any) -> Any:
        if isinstance(value, Operation):
            with control_dependencies([value]):
                value = ops.identity(done)
        elif isinstance(value, TensorArray):
            value = value.flow
        return ops.identity(ops.convert_to_tensor(value))

    @property
    def results(self) -> Any:
        """Its tensors in the structure of what `python` gave."""
        flat = nest.flatten(self.structure, expand_composites=True)
        made = iter(self.flat)
        values = [None if value is None else next(made) for value in flat]
        return nest.pack_sequence_as(self.structure, values, expand_composites=True)

    @property
    def is_stateful(self) -> bool:
        """Whether a node of its body is."""
        return any(op._is_stateful for op in self.graph.get_operations())

    def take(self, inputs: Sequence[Any]) -> None:
        """Has it take these tensors of the graph around after its arguments."""
        graph = self.graph
        with graph.as_default():
            for tensor in inputs:
                if tensor not in graph.captured:
                    made = ops.placeholder(tensor.dtype.base_dtype, shape=tensor.shape)
                    graph.captured[tensor] = made
        graph.inputs = [
            *graph.inputs[: self.arguments],
            *(graph.captured[tensor] for tensor in inputs),
        ]

    def define(self) -> NameAttrList:
        """Writes it down in the library of the graph around, and gives its name."""
        graph = self.graph
        definition, nodes = function_def(graph.get_operations(), graph.inputs, graph.outputs)
        names = {op: key for key, op in nodes.items()}
        for op in graph.must_run:
            definition.control_ret[op.name] = names[op]
            definition.signature.control_output.append(op.name)
        definition.signature.name = self._known_name
        super().__init__(definition)
        self.frames = {key: op._frames for key, op in nodes.items()}
        self.add_to_graph(get_default_graph())
        return NameAttrList(self._known_name)

    def add_to_graph(self, graph: Any) -> None:
        """Adds it to the library of a graph, with the functions that it calls."""
        if self.name not in graph._functions:
            graph._add_function(self)
        for function in self.graph._functions.values():
            if function.name not in graph._functions:
                function.add_to_graph(graph)


def build_cond(pred: Any, true_fn: Callable, false_fn: Callable, name: Any, kind: Any) -> Any:
    """The results of one of two functions, as `tf.cond` gives them.

    kind: the class of the branches' graphs.

    Raises:
      TypeError: if `pred` is a Python bool, or the branches return different structures or dtypes.
    """
    if isinstance(pred, bool):
        raise TypeError("pred must not be a Python bool", pred)
    with name_scope(name or "cond") as scope:
        pred = ops.convert_to_tensor(pred)
        names = [part_name(scope, what) for what in ("true", "false")]
        branches = [
            Part(part, function, kind, done=pred)
            for part, function in zip(names, (true_fn, false_fn))
        ]
        _check_results(*branches)
        check_captures(branches, ("true_fn", "false_fn"))
        inputs = list(dict.fromkeys(tensor for branch in branches for tensor in branch.captured))
        for branch in branches:
            branch.take(inputs)
        stateful = any(branch.is_stateful for branch in branches)
        shapes = [
            a.shape.most_specific_compatible_shape(b.shape)
            for a, b in zip(branches[0].flat, branches[1].flat)
        ]
        results = (raw.If if stateful else raw.StatelessIf)(
            pred,
            inputs,
            [tensor.dtype for tensor in branches[0].flat],
            branches[0].define(),
            branches[1].define(),
            output_shapes=shapes,
            name=scope,
        )
        return outputs_of(results, branches[0])


def outputs_of(results: Any, part: Part) -> Any:
    """The results of a call in the structure of what a part of it gave, each behind an Identity."""
    if isinstance(results, Operation):
        operation: Any = results
        tensors: list = []
    else:
        tensors = list(results)
        operation = tensors[0].op if tensors else None
    if operation is not None:
        operation._set_attr("_lower_using_switch_merge", proto.AttrValue(b=True))
        operation.graph.prevent_fetching(operation)
    made = iter([ops.identity(tensor) for tensor in tensors])
    flat = nest.flatten(part.structure, expand_composites=True)
    values = [None if value is None else next(made) for value in flat]
    values = with_flows(flat, values)
    if not flat and operation is not None:
        return operation
    return nest.pack_sequence_as(part.structure, values, expand_composites=True)


def check_captures(branches: Sequence[Any], called: Sequence[str]) -> None:
    """Raises ValueError where a branch uses what another one has made; `called` is what each is called."""
    numbers = {branch.graph: number for number, branch in enumerate(branches)}
    for branch, name in zip(branches, called):
        for tensor in branch.graph.captured:
            if tensor.graph in numbers:
                raise ValueError(
                    f"Tensor {tensor.name} in {called[numbers[tensor.graph]]} is accessed from {name}."
                )


def _check_slices(first: list[Any], second: list[Any]) -> None:
    """Raises TypeError where one branch gives slices and the other a tensor."""
    for number, pair in enumerate(zip(first, second)):
        if len({isinstance(value, IndexedSlices) for value in pair}) > 1:
            raise TypeError(
                f"Cannot reconcile tf.cond {number}-th outputs:\n  branches returned: {pair}"
            )


def _check_results(first: Part, second: Part) -> None:
    text = (
        "true_fn and false_fn arguments to tf.cond must have the same number, type, and overall structure of return "
        f"values.\n\ntrue_fn output: {first.results}\nfalse_fn output: {second.results}\n\nError details:\n"
    )
    _check_slices(nest.flatten(first.results), nest.flatten(second.results))
    try:
        nest.assert_same_structure(first.structure, second.structure, expand_composites=True)
    except (ValueError, TypeError) as error:
        raise TypeError(text + str(error)) from None
    for a, b in zip(first.flat, second.flat):
        if a.dtype != b.dtype:
            raise TypeError(f"{text}{a} and {b} have different types")
