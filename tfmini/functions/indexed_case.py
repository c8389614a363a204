"""`tf.switch_case`: one of several functions, by its number, as one node of the graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tfmini import nest, proto
from tfmini.functions.branches import check_captures
from tfmini.functions.traced import TracedGraph, definition_of
from tfmini.graph.attributes import NameAttrList
from tfmini.graph.default_graph import get_default_graph
from tfmini.graph.functions import Function
from tfmini.graph.namespaces import ops, public, raw
from tfmini.graph.operation import Operation
from tfmini.graph.scopes import name_scope
from tfmini.graph.tensor import Tensor


@public
def switch_case(
    branch_index: Any, branch_fns: Any, default: Callable | None = None, name: str = "switch_case"
) -> Any:
    """What the function number `branch_index` returns; the others do not run.

    Args:
      branch_index: a scalar, int32.
      branch_fns: a list of functions without arguments, a dict of them by their numbers, or a list of (number,
        function); numbers are 0, 1 and so on without gaps. They return the same structure of tensors of the same
        dtypes.
      default: runs for a number that no function has, by default the last of them.
      name: a name for the operation.

    Returns:
      What the functions return: a tensor, or a nested structure of them; an int32 scalar if they return operations.

    Raises:
      TypeError: if something is no function, the index is no tensor, or results differ in structure or dtype.
      ValueError: if there are no functions, or their numbers have gaps.

    Example: `tf.switch_case(tf.constant(1), [lambda: tf.zeros([2]), lambda: tf.ones([2])])` is `[1, 1]`.
    """
    if not isinstance(branch_index, Tensor):
        raise TypeError(f"branch_index must a Tensor, got {type(branch_index)}")
    functions = _functions(branch_fns, default)
    with name_scope(name, "case", [branch_index]):
        with name_scope("indexed_case") as scope:
            node_name = scope
        return _case(branch_index, functions, node_name.rstrip("/"))


def _functions(branch_fns: Any, default: Callable | None) -> list[Callable]:
    if not isinstance(branch_fns, list | tuple | Mapping):
        raise TypeError("branch_fns must be a list, tuple, or dict")
    if not branch_fns:
        raise ValueError("Must provide at least one item in branch_fns")
    pairs: Any = branch_fns.items() if isinstance(branch_fns, Mapping) else branch_fns
    if all(callable(item) for item in pairs):
        pairs = enumerate(pairs)
    pairs = list(pairs)
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError("Each entry in branch_fns must be a 2-tuple")
        if not isinstance(pair[0], int):
            raise TypeError(f"key must be a Python `int`, got {type(pair[0])}")
        if not callable(pair[1]):
            raise TypeError(f"fn for key {pair[0]} must be callable.")
    pairs.sort(key=lambda pair: pair[0])
    numbers = [number for number, _ in pairs]
    if numbers != list(range(len(numbers))):
        shown = ",".join(map(str, numbers))
        raise ValueError(
            f"branch indices (keys) must form contiguous range of [0 to {len(numbers)}) but found {{{shown}}}"
        )
    if default is not None and not callable(default):
        raise TypeError(f"'{type(default).__name__}' object is not callable")
    return [function for _, function in pairs] + ([] if default is None else [default])


class _Branch:
    """A function of no arguments as the body of a branch."""

    def __init__(self, function: Callable, name: str) -> None:
        self.name = name
        self.graph = graph = TracedGraph(name)
        with graph.as_default():
            self.found = function()
            leaves = nest.flatten(self.found, expand_composites=True)
            self.must_run = [leaf for leaf in leaves if isinstance(leaf, Operation)]
            if self.must_run or self.found is None:
                with graph.control_dependencies(self.must_run):
                    leaves = [ops.constant(0)]
                self.found = None
            tensors = [ops.convert_to_tensor(leaf) for leaf in leaves]
            graph.outputs = [t if t.graph is graph else graph.capture(t) for t in tensors]

    def function(self, captured: Sequence[Tensor]) -> Function:
        """The function of the library, which takes all that any of the branches uses from outside."""
        graph = self.graph
        with graph.as_default():
            graph.inputs = [graph.capture(tensor) for tensor in captured]
            graph.outputs = [ops.identity(tensor) for tensor in graph.outputs]
        graph.must_run = [op for op in graph._ops if op.opdef.stateful and op not in _made(graph)]
        definition, nodes = definition_of(graph, self.name)
        result = Function(definition)
        result.frames = {key: op._frames for key, op in nodes.items()}
        return result


def _made(graph: TracedGraph) -> set[Operation]:
    return {tensor.op for tensor in graph.inputs}


def _case(branch_index: Tensor, functions: list[Callable], name: str) -> Any:
    base = name.replace("/", "_")
    branches = [_Branch(f, f"{base}_branch{number}") for number, f in enumerate(functions)]
    _check(branches)
    check_captures(branches, [f"branch {number}" for number in range(len(branches))])
    graph = get_default_graph()
    captured = list(dict.fromkeys(t for branch in branches for t in branch.graph.captured))
    called = []
    for branch in branches:
        function = branch.function(captured)
        for inner in branch.graph._functions.values():
            if inner.name not in graph._functions:
                inner.add_to_graph(graph)
        graph._add_function(function)
        called.append(NameAttrList(function.name))
    results = branches[0].graph.outputs
    shapes = [
        _common([branch.graph.outputs[number].shape for branch in branches])
        for number in range(len(results))
    ]
    types = [tensor.dtype.base_dtype for tensor in results]
    found = raw.Case(branch_index, captured, types, called, shapes, name=f"{name}/")
    found[0].op._set_attr("_lower_using_switch_merge", proto.AttrValue(b=True))
    with name_scope(f"{name}/"):
        tensors = [ops.identity(tensor) for tensor in found]
    if branches[0].found is None:
        return tensors[0]
    return nest.pack_sequence_as(branches[0].found, tensors, expand_composites=True)


def _common(shapes: list[Any]) -> Any:
    result = shapes[0]
    for shape in shapes[1:]:
        result = result.most_specific_compatible_shape(shape)
    return result


def _check(branches: list[_Branch]) -> None:
    """Raises TypeError unless all return the same structure, of the same dtypes."""
    first = branches[0]
    for number, other in enumerate(branches[1:], 1):
        try:
            nest.assert_same_structure(first.found, other.found, expand_composites=True)
            is_same = [t.dtype.base_dtype for t in first.graph.outputs] == [
                t.dtype.base_dtype for t in other.graph.outputs
            ]
        except (TypeError, ValueError):
            is_same = False
        if not is_same:
            raise TypeError(
                f"branches[0] and branches[{number}] arguments to tf.switch_case must have the same number, type, and "
                f"overall structure of return values.\nbranches[0] output: {first.found}\nbranches[{number}] output: "
                f"{other.found}"
            )
