"""Conditionals in function bodies: library functions as branches, called by an If or StatelessIf.

Both branches take all outer tensors that either of them uses, in order of first use.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base import dtypes, proto
from tfmini._src.base.nest.structure import assert_same_structure, flatten, pack_sequence_as
from tfmini._src.functions.auto_control_deps import order_effects
from tfmini._src.functions.function_names import function_numbers
from tfmini._src.functions.library_functions import LibraryFunction
from tfmini._src.graph.attributes import NameAttrList
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.default_graph import get_default_graph, library_graph
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.ops import ops, raw
from tfmini._src.ops.lists.tensor_array import TensorArray, restore_tensor_arrays
from tfmini._src.variables.get_variable import resource_variables_in_scope


def part_name(scope: str, role: str) -> str:
    """Returns the name of a function nested in a node with this scope."""
    base = f"{scope}{role}".replace("/", "_")
    functions = get_default_graph()._functions
    return next(name for name in (f"{base}_{k}" for k in function_numbers) if name not in functions)


class Branch:
    """A nested function: a branch, the condition or body of a loop, or a gradient of one.

    Args:
      name: its name.
      python: called with the arguments; returns any structure.
      graph_class: the class of its graph.
      specs, names: specs and names of its arguments.
      done: a tensor of the enclosing graph that represents an operation's completion.
      orders: whether its side effects run in program order, before its results; by default as in the enclosing graph.

    Attributes:
      structure: the result of `python`.
      flat: its tensors.
    """

    def __init__(
        self,
        name: str,
        python: Callable,
        graph_class: Callable[..., Any],
        specs: Sequence[Any] = (),
        names: Sequence[str | None] = (),
        done: Any = None,
        orders: bool | None = None,
    ):
        graph = graph_class(name, is_part=True)
        orders = graph.outer_graph._orders_effects if orders is None else orders
        graph._orders_effects = orders
        self.name = name
        self.graph = graph
        with graph.as_default(), resource_variables_in_scope():
            for spec, argument in zip(specs, names):
                graph.inputs.append(ops.placeholder(spec[0], shape=spec[1], name=argument))
            first = len(graph._ops)
            self.set_outputs(python(*graph.inputs), done, orders)
            if orders:
                graph.must_run = order_effects(graph, first, self.flat)
        self.captured = list(graph.captured)
        self.arguments = len(graph.inputs)

    def set_outputs(self, structure: Any, done: Any = None, orders: bool = False) -> None:
        """Sets the outputs to the values of a structure; requires its graph to be the default."""
        self.structure = structure
        leaves = flatten(structure, expand_composites=True)
        self.flat = [_output_tensor(value, done, orders) for value in leaves if value is not None]
        self.graph.outputs = self.flat

    @property
    def results(self) -> Any:
        """The part's tensors, in the structure of `python`'s result."""
        flat = flatten(self.structure, expand_composites=True)
        iterator = iter(self.flat)
        values = [None if value is None else next(iterator) for value in flat]
        return pack_sequence_as(self.structure, values, expand_composites=True)

    def replace(self, index: int, value: Any) -> None:
        """Replaces a returned value with another value of its graph."""
        results, leaves = flatten(self.results), flatten(self.structure)
        results[index] = leaves[index] = value
        tensors = [leaf for leaf in results if leaf is not None]
        self.flat = self.graph.outputs = flatten(tensors, expand_composites=True)
        self.structure = pack_sequence_as(self.structure, leaves)

    @property
    def is_stateful(self) -> bool:
        """Whether a node of its body is stateful."""
        return any(op._is_stateful for op in self.graph.get_operations())

    def take(self, inputs: Sequence[Any]) -> None:
        """Captures these tensors of the outer graph as its inputs, after the arguments."""
        graph = self.graph
        with graph.as_default():
            for tensor in inputs:
                if tensor not in graph.captured:
                    dtype = tensor.dtype.base_dtype
                    placeholder = ops.placeholder(dtype, tensor.shape, "placeholder")
                    graph.captured[tensor] = placeholder
        graph.inputs = [
            *graph.inputs[: self.arguments],
            *(graph.captured[tensor] for tensor in inputs),
        ]

    def add_to_library(self) -> NameAttrList:
        """Defines the function in the library of the outer graph; returns its name."""
        LibraryFunction(self.graph, self.name).add_to_graph(library_graph())
        return NameAttrList(self.name)


def _output_tensor(value: Any, done: Any, orders: bool) -> Any:
    """Returns the output tensor for a leaf of the Python function's result."""
    if isinstance(value, Operation):
        with control_dependencies([value]):
            value = ops.identity(done)
    elif isinstance(value, TensorArray):
        value = value.flow
    tensor = ops.convert_to_tensor(value)
    if orders:
        return ops.identity(tensor)
    graph: Any = get_default_graph()
    return graph.capture(tensor)


def build_cond(pred: Any, true_fn: Callable, false_fn: Callable, name: Any, graphs: Any) -> Any:
    """Builds the node of `tf.cond`; returns the results.

    graphs: the class of the branches' graphs.
    """
    if isinstance(pred, bool):
        raise TypeError("pred must not be a Python bool", pred)
    with name_scope(name or "cond") as scope:
        pred = ops.convert_to_tensor(pred)
        if pred.shape.ndims != 0:
            pred = ops.squeeze(pred)
        names = [part_name(scope, role) for role in ("true", "false")]
        branches = [
            Branch(part, function, graphs, done=pred)
            for part, function in zip(names, (true_fn, false_fn))
        ]
        branch_names = ("true_fn", "false_fn")
        check_captures(branches, branch_names)
        cast_indices(branches)
        check_results(branches, "cond", branch_names)
        return build_choice("If", pred, branches, scope)


def build_choice(op_type: str, selector: Any, branches: Sequence[Branch], name: str | None) -> Any:
    """Builds a node that calls one of several branches; returns the results.

    Every branch takes the captured tensors of all of them.

    op_type: "If", with the branch for true first, or "Case".
    selector: the first input of the node.
    """
    inputs = list(dict.fromkeys(tensor for branch in branches for tensor in branch.captured))
    for branch in branches:
        branch.take(inputs)
    types = [tensor.dtype.base_dtype for tensor in branches[0].flat]
    shapes = [
        _most_specific_shape(tensors) for tensors in zip(*(branch.flat for branch in branches))
    ]
    definitions = [branch.add_to_library() for branch in branches]
    with control_dependencies([op for branch in branches for op in branch.graph.control_captures]):
        if op_type == "Case":
            results = raw.Case(
                selector, inputs, Tout=types, branches=definitions, output_shapes=shapes, name=name
            )
        else:
            stateful = any(branch.is_stateful for branch in branches)
            node = raw.If if stateful else raw.StatelessIf
            true_function, false_function = definitions
            attrs: Any = {
                "then_branch": true_function,
                "else_branch": false_function,
                "output_shapes": shapes,
            }
            results = node(selector, inputs, Tout=types, **attrs, name=name)
    return structured_outputs(results, branches[0])


def _most_specific_shape(tensors: Sequence[Any]) -> Any:
    """Returns the most specific static shape compatible with all tensors."""
    shape = tensors[0].shape
    for tensor in tensors[1:]:
        shape = shape.most_specific_compatible_shape(tensor.shape)
    return shape


def structured_outputs(results: Any, part: Branch) -> Any:
    """Returns the results of a call, each through an Identity, in the structure of a branch's results."""
    if isinstance(results, Operation):
        operation: Any = results
        tensors: list = []
    else:
        tensors = list(results)
        operation = tensors[0].op if tensors else None
    if operation is not None:
        operation._set_attr("_lower_using_switch_merge", proto.AttrValue(b=True))
        operation.graph.prevent_fetching(operation)
    iterator = iter([ops.identity(tensor) for tensor in tensors])
    flat = flatten(part.structure, expand_composites=True)
    values = [None if value is None else next(iterator) for value in flat]
    values = restore_tensor_arrays(flat, values)
    if not flat and operation is not None:
        return operation
    return pack_sequence_as(part.structure, values, expand_composites=True)


def check_captures(branches: Sequence[Any], branch_names: Sequence[str]) -> None:
    """Raises ValueError if a branch uses a tensor of another branch; `branch_names` holds the names of the branches."""
    indices = {branch.graph: index for index, branch in enumerate(branches)}
    for branch, name in zip(branches, branch_names):
        for tensor in branch.graph.captured:
            if not isinstance(tensor, EagerTensor) and tensor.graph in indices:
                raise ValueError(
                    f"Tensor {tensor.name} in {branch_names[indices[tensor.graph]]} is accessed from {name}."
                )


def cast_indices(branches: Sequence[Branch]) -> None:
    """Casts slice indices to int64 unless their dtypes agree; raises AssertionError if numbers of results differ."""
    leaves = [flatten(branch.results) for branch in branches]
    counts = [len(values) for values in leaves]
    if len(set(counts)) > 1:
        raise AssertionError(counts)
    for index, row in enumerate(zip(*leaves)):
        slices = [value for value in row if isinstance(value, IndexedSlices)]
        if len(slices) == len(row) and len({value.indices.dtype for value in slices}) > 1:
            for branch, value in zip(branches, slices):
                with branch.graph.as_default():
                    indices = ops.cast(value.indices, dtypes.int64)
                    converted_slices = IndexedSlices(value.values, indices, value.dense_shape)
                branch.replace(index, converted_slices)


def check_results(branches: Sequence[Branch], function: str, branch_names: Sequence[str]) -> None:
    """Raises TypeError unless all branches return the same structure and dtypes; ValueError if only some return None.

    function: name of the public function; `branch_names`: its names of the branches.
    """
    for index, row in enumerate(zip(*(flatten(branch.results) for branch in branches))):
        if len({isinstance(value, IndexedSlices) for value in row}) > 1:
            raise TypeError(
                f"Cannot reconcile tf.{function} {index}-th outputs:\n  branches returned: {row}"
            )
    first = branches[0]
    for index, (name, other) in enumerate(zip(branch_names[1:], branches[1:]), 1):
        text = (
            f"{branch_names[0]} and {name} arguments to tf.{function} must have the same number, type, and overall "
            f"structure of return values.\n\n{branch_names[0]} output: {first.results}\n{name} output: {other.results}"
            "\n\nError details:\n"
        )
        try:
            assert_same_structure(first.results, other.results, expand_composites=True)
        except (ValueError, TypeError) as error:
            raise TypeError(text + str(error)) from None
        counts = len(first.flat), len(other.flat)
        if counts[0] != counts[1]:
            raise ValueError(
                f"Lengths of branch outputs of {'cond' if function == 'cond' else 'case'} must match.\n"
                f"len(graphs[0].outputs): {counts[0]}\nlen(graphs[{index}].outputs): {counts[1]}\n"
            )
        for a, b in zip(first.flat, other.flat):
            if a.dtype != b.dtype:
                raise TypeError(f"{text}{a} and {b} have different types")
