"""`tf.wrap_function`: functions of TensorFlow 1.x programs, which run only the ancestors of results."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base.nest.structure import flatten, map_structure, pack_sequence_as
from tfmini._src.base.read_only import read_only
from tfmini._src.functions.concrete_function import ConcreteFunction
from tfmini._src.functions.lift_to_graph import lift_to_graph
from tfmini._src.functions.traced_function import TracedGraph
from tfmini._src.functions.variable_holder import VariableHolder
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.graphdef.import_graph_def import import_graph_def
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor
from tfmini._src.graph.type_spec import TypeSpec
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import get_variable_scope
from tfmini._src.variables.init_scope import executing_eagerly_outside_functions
from tfmini._src.variables.resource_variable import is_resource_variable
from tfmini._src.variables.uninitialized_variable import UninitializedVariable

_VARIABLES = (
    GraphKeys.GLOBAL_VARIABLES,
    GraphKeys.LOCAL_VARIABLES,
    GraphKeys.TRAINABLE_VARIABLES,
)


class WrappedFunction(ConcreteFunction):
    """A function traced once, whose subgraphs can be pruned to functions too."""

    _variable_holder: VariableHolder | None = None
    _takes_keywords = True

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Adds a node that calls it; positional arguments are converted to tensors of its dtypes.

        Raises:
          NotImplementedError: for keyword arguments, unless it was pruned. ValueError: for too few arguments.
        """
        if kwargs and not self._takes_keywords:
            raise NotImplementedError(
                "Keyword arguments not supported when calling a wrap_function-decorated function."
            )
        positional = self.inputs[: self._num_positional_args]
        actual = [ops.convert_to_tensor(arg, inner.dtype) for arg, inner in zip(args, positional)]
        if not self._takes_keywords and len(actual) < len(positional):
            expected = len(self.inputs)
            raise ValueError(
                "Arguments and signature arguments do not match. "
                f"got: {expected - len(positional) + len(actual)}, expected: {expected} "
            )
        return super().__call__(*actual, *args[len(actual) :], **kwargs)

    def prune(self, feeds: Any, fetches: Any, name: str = "pruned") -> WrappedFunction:
        """Returns a function from some tensors of its graph to others, with the required operations.

        Args:
          feeds: a tensor of its graph, or a structure of them: the arguments.
          fetches: a structure of tensors and operations of its graph, their names, or TensorInfo protos: the results;
            operations run and return None.
          name: stem of its name in graphs.

        Raises:
          UnliftableError: if the fetches need a placeholder that is not fed.

        Example: `tf.wrap_function(f, [spec, spec]).prune(x, y)(1.0)`, where x and y are tensors of the traced `f`.
        """
        actual = [self._resolve_element(feed) for feed in flatten(feeds, expand_composites=True)]
        expected = map_structure(self._resolve_element, fetches, expand_composites=True)
        return _pruned_function(self.graph, name, actual, expected, self._variable_holder)

    def _resolve_element(self, value: Any) -> Any:
        """Returns the tensor or operation of its graph that a value refers to."""
        return self.graph.as_graph_element(getattr(value, "name", value))


def _pruned_function(
    graph: TracedGraph,
    name: str,
    actual: Sequence[Tensor],
    expected: Any,
    holder: VariableHolder | None,
) -> WrappedFunction:
    """Creates a function from tensors of a body to a structure of other tensors and operations of it."""
    captured = set(graph.captured.values())
    inputs = [tensor for tensor in actual if tensor not in captured]
    leaves = flatten(expected, expand_composites=True)
    targets = [leaf for leaf in leaves if isinstance(leaf, Operation)]
    results = [leaf for leaf in leaves if isinstance(leaf, Tensor)]
    pruned = _PrunedGraph(graph, name, inputs, results, targets)
    tensors = [None if isinstance(leaf, Operation) else leaf for leaf in leaves]
    outputs = pack_sequence_as(expected, tensors, expand_composites=True)
    names = [tensor.op.name for tensor in inputs]
    result = WrappedFunction.wrap_graph(pruned, names, outputs)
    assert isinstance(result, WrappedFunction)
    result._variable_holder = holder
    return result


class _PrunedGraph(TracedGraph):
    """A pruned body: a copy of the ancestors of some of its tensors and operations.

    Args:
      body: the whole body.
      name: name of the function.
      inputs: its tensors that are arguments; outputs: the results; targets: operations to run.
    """

    def __init__(
        self,
        body: TracedGraph,
        name: str,
        inputs: Sequence[Tensor],
        outputs: Sequence[Tensor],
        targets: Sequence[Operation],
    ) -> None:
        super().__init__(name)
        self._orders_effects = body._orders_effects
        copies = lift_to_graph(
            [*outputs, *targets], self, inputs, handle_captures=True, base_graph=body
        )
        self.inputs = [copies[tensor] for tensor in inputs]
        self.outputs = [copies[tensor] for tensor in outputs]
        self.must_run = [copies[op] for op in targets]
        self.inputs += self.captured.values()


def _lift_variables(graph: Any, holder: VariableHolder | None) -> None:
    """Moves resource variables created by imported nodes to the enclosing graph, which passes them to the function."""
    collections = [graph.get_collection_ref(key) for key in _VARIABLES]
    captured = {*graph.captured.values()}
    lifted = {}
    for old in dict.fromkeys(variable for collection in collections for variable in collection):
        if not is_resource_variable(old) or isinstance(old.handle, EagerTensor):
            continue
        if old.handle.graph is graph and old.handle not in captured:
            lifted[old] = new = UninitializedVariable(
                old.shape, old.dtype, old.name.removesuffix(":0"), old.trainable
            )
            new._initializer_op = old._initializer_op
            graph.captured[new.handle] = old.handle
            old.handle._captured_from = new.handle
            if holder is not None:
                holder.variables[new.name.removesuffix(":0")] = new
    added_variables = {*lifted.values()}  # global variables of the enclosing graph
    for collection in collections:
        collection[:] = [lifted.get(v, v) for v in collection if v not in added_variables]


def wrap_function(
    fn: Callable[..., Any], signature: Sequence[Any], name: str | None = None
) -> WrappedFunction:
    """Wraps a TensorFlow 1.x function, traced once; each call adds a node.

    As in a graph, only ancestors of results run.

    Args:
      fn: takes tensors; variables that it creates belong to the enclosing graph, or in eager mode to the result.
      signature: a TypeSpec, or a nested structure of them, for each argument; other values are passed to `fn`
        unchanged.
      name: stem of its name in the graph.

    Returns:
      A `ConcreteFunction`, called with tensors, with a method `prune`.

    Example: `tf.wrap_function(lambda x: x + 1.0, [tf.TensorSpec([], tf.float32)])(tf.constant(2.0))` is 3.
    """
    holder = VariableHolder() if executing_eagerly_outside_functions() else None
    call, specs, names = _function_from_signature(fn, signature, holder)
    graph_name = f"wrapped_function_{name}" if name else "wrapped_function"
    wrapped = WrappedFunction(graph_name, call, specs, names, orders=False)
    wrapped._variable_holder = holder
    wrapped._takes_keywords = False
    wrapped.__doc__ = getattr(fn, "__doc__", None)
    return wrapped


def _function_name(fn: Callable, name: str | None) -> str:
    base_name = str(name or getattr(fn, "__name__", "wrapped"))
    return re.sub(r"\W", "_", base_name.strip("<>"))


def _function_from_signature(
    fn: Callable, signature: Any, holder: VariableHolder | None
) -> tuple[Callable, list[Any], list[str]]:
    """Adapts a function to the tensors of a signature; returns it with their specs and names."""
    structure = tuple(signature) if isinstance(signature, list | tuple) else signature
    leaves = flatten(structure, expand_composites=True)
    specs = [leaf for leaf in leaves if isinstance(leaf, TypeSpec)]
    traced = fn if holder is None else holder.call_with_variable_creator_scope(fn)

    def call(*tensors: Tensor) -> Any:
        remaining = iter(tensors)
        values = [next(remaining) if isinstance(leaf, TypeSpec) else leaf for leaf in leaves]
        arguments = pack_sequence_as(structure, values, expand_composites=True)
        if isinstance(arguments, dict):
            result = traced(**arguments)
        else:
            result = traced(*arguments) if isinstance(arguments, tuple) else traced(arguments)
        _lift_variables(get_default_graph(), holder)
        return result

    call.python_function = fn  # type: ignore[attr-defined]
    names = [getattr(spec, "name", None) or "placeholder" for spec in specs]
    return call, specs, names


class WrappedGraph:
    """TensorFlow 1.x functions traced in one graph, with shared variables and collections.

    Attributes:
      graph: the graph.

    Args:
      variable_holder: owner of the variables; by default one that shares variables by name.
      name: name of the graph.

    Example:
      g = WrappedGraph()
      add = g.wrap_function(lambda x: x + tf.get_variable("v", []), [tf.TensorSpec([], tf.float32)])
      add(tf.constant(1.0))
    """

    functions: dict[str, WrappedFunction] = read_only("The functions by name.")
    variables: dict[str, Any] = read_only(
        "Variables created by the functions, by name.", "_variable_holder.variables"
    )

    def __init__(
        self, variable_holder: VariableHolder | None = None, name: str = "wrapped_function_graph"
    ) -> None:
        self._variable_holder = variable_holder or VariableHolder(share_variables=True)
        self.graph = TracedGraph(name)
        self.graph._orders_effects = False
        self.graph._collections.clear()
        self._functions: dict[str, WrappedFunction] = {}

    def wrap_function(
        self, fn: Callable[..., Any], signature: Any, name: str | None = None
    ) -> WrappedFunction:
        """Traces a function in the graph; arguments as for `tf.wrap_function`.

        Operations that it returns run at each call and are returned as None.
        """
        call, specs, names = _function_from_signature(fn, signature, self._variable_holder)
        with self.graph.as_default():
            get_variable_scope().set_use_resource(True)
            inputs = [
                ops.placeholder(spec.dtype, shape=spec.shape, name=spec_name)
                for spec, spec_name in zip(specs, names)
            ]
            results = map_structure(self._result, call(*inputs), expand_composites=True)
        spec_name = _function_name(fn, name)
        result = _pruned_function(self.graph, spec_name, inputs, results, self._variable_holder)
        self._functions[name or spec_name] = result
        return result

    def _result(self, value: Any) -> Any:
        if value is None or isinstance(value, Operation):
            return value
        return self.graph.capture(ops.convert_to_tensor(value))


def function_from_graph_def(graph_def: Any, inputs: Any, outputs: Any) -> WrappedFunction:
    """Returns a function between tensors of a GraphDef.

    `inputs` is a tensor name or a structure of tensor names, `outputs` are tensor and operation names.
    """

    def import_graph() -> None:
        import_graph_def(graph_def, name="")

    return wrap_function(import_graph, []).prune(inputs, outputs)
