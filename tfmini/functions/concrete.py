"""ConcreteFunction: a Python function traced for arguments of given dtypes and shapes, called by one node.

A gradient of the call runs another function. That one gets what the first has computed between: the call gives these
values too once there is a gradient. Bodies with conditions and loops are computed again instead, as long as that
repeats no effect.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini import dtypes, nest
from tfmini.autodiff.gradients import gradients
from tfmini.functions.traced import TracedFunction, TracedGraph, definition_of
from tfmini.graph.attributes import NameAttrList
from tfmini.graph.default_graph import get_default_graph
from tfmini.graph.functions import Function, symbolic_gradient
from tfmini.graph.graph import Graph
from tfmini.graph.keys import GraphKeys
from tfmini.graph.namespaces import ops, raw
from tfmini.graph.operation import Operation
from tfmini.graph.tensor import Tensor
from tfmini.graph.values import IndexedSlices

# Nodes that choose what runs.
_CHOOSING = frozenset(("If", "StatelessIf", "Case", "While", "StatelessWhile", "For"))


class ConcreteFunction(TracedFunction):
    """A function of a graph, called with tensors.

    Attributes:
      name: its name in graphs, bytes.
      graph: its body.
      inputs: the tensors of the body that stand for the arguments, then for what it uses from outside.
      outputs: its results there.
      structured_outputs: what the Python function returned.
      captured_inputs: what it uses from outside.

    Args:
      name: what its name is made of.
      function: takes a tensor for each spec; returns a nested structure of what converts to tensors.
      specs: TensorSpecs of the arguments.
      names: what they are called.
    """

    def __init__(
        self, name: str, function: Callable, specs: Sequence[Any], names: Sequence[str]
    ) -> None:
        self._called = name
        self._names = list(names)
        self.structured_outputs: Any = None

        def results(*tensors: Tensor) -> list[Any]:
            found = _converted(function(*tensors), function)
            self.structured_outputs = found
            return [leaf for leaf in _flat(found) if leaf is not None]

        super().__init__(name, results, specs, names)
        left = iter(self.graph.outputs)
        self.structured_outputs = _packed(self.structured_outputs, left)
        self._backward: dict[tuple[Tensor, ...], _Backward] = {}  # by results

    @property
    def name(self) -> Any:
        """Its name in graphs."""
        return self.definition.signature.name

    @property
    def inputs(self) -> list[Tensor]:
        """The tensors of its body that stand for arguments and for what it uses from outside."""
        return self.graph.inputs

    @property
    def outputs(self) -> list[Tensor]:
        """The results in its body."""
        return self.graph.outputs

    @property
    def output_dtypes(self) -> Any:
        """The dtypes of its results."""
        return _mapped(lambda tensor: tensor.dtype, self.structured_outputs)

    @property
    def output_shapes(self) -> Any:
        """The static shapes of its results."""
        return _mapped(lambda tensor: tensor.shape, self.structured_outputs)

    @property
    def function_def(self) -> Any:
        """Its FunctionDef proto."""
        return self.definition

    @property
    def variables(self) -> list[Any]:
        """The resource variables that it uses."""
        used = set(self.captured_inputs)
        known = self.graph.get_collection(GraphKeys.GLOBAL_VARIABLES)
        known += self.graph.get_collection(GraphKeys.LOCAL_VARIABLES)
        return [v for v in dict.fromkeys(known) if getattr(v, "handle", None) in used]

    @property
    def trainable_variables(self) -> list[Any]:
        """Those of them that are trained."""
        trained = self.graph.get_collection(GraphKeys.TRAINABLE_VARIABLES)
        return [v for v in self.variables if any(v is other for other in trained)]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Adds a node that calls it.

        Args:
          *args, **kwargs: a tensor for each argument, by position or by its name.

        Raises:
          TypeError: for too many arguments, or one that is missing; ValueError: for one that is no tensor.
        """
        if len(args) > len(self._names):
            raise TypeError(
                f"Expected at most {len(self._names)} positional arguments (and the rest keywords, of {self._names}), "
                f"got {args}. When calling a concrete function, positional arguments may not be bound to Tensors "
                "within nested structures."
            )
        given = dict(zip(self._names, args))
        for key, value in kwargs.items():
            if key in given or key not in self._names:
                kind = "two values for" if key in given else "an unknown"
                raise TypeError(f"Got {kind} keyword '{key}': the arguments are {self._names}.")
            given[key] = value
        missing = [name for name in self._names if name not in given]
        if missing:
            raise TypeError(f"Missing arguments {missing} of the concrete function {self._called}.")
        for number, name in enumerate(self._names):
            if not isinstance(given[name], Tensor) and not hasattr(given[name], "handle"):
                raise ValueError(
                    f"All inputs to `ConcreteFunction`s must be Tensors; on invocation of {self._called}, the "
                    f"{number}-th input ({given[name]}) was not a Tensor."
                )
        return self.call([ops.convert_to_tensor(given[name]) for name in self._names])

    def call(self, tensors: Sequence[Tensor]) -> Any:
        """Adds a node that calls it with these tensors; its results have the structure of what was returned."""
        self.add_to_graph(get_default_graph())
        inputs = [*tensors, *self.captured_inputs]
        types = [tensor.dtype.base_dtype for tensor in self.outputs]
        stateful = any(op.opdef.stateful for op in self.graph._ops)
        kind = raw.StatefulPartitionedCall if stateful else raw.PartitionedCall
        name = None if types else "PartitionedFunctionCall"
        made = kind(inputs, types, NameAttrList(self.name), name=name)
        first = made[0] if isinstance(made, list | tuple) else made
        op = first.op if isinstance(first, Tensor) else first  # the last may be a branch's switch
        op.__dict__["_defun"] = self  # whose gradient it is
        for tensor, inside in zip(op.outputs, self.outputs):
            tensor.set_shape(inside.shape)
            if hasattr(inside, "_handle_data"):
                tensor._handle_data = inside._handle_data
        if self.structured_outputs is None:
            return op
        return _packed(self.structured_outputs, iter(op.outputs))

    def add_gradient_functions_to_graph(self, graph: Graph | None = None) -> None:
        """Adds what its gradient calls to a graph's library."""
        backward = self._backward_function(self.outputs)
        if backward is not None:
            graph = graph or get_default_graph()
            backward.forward.add_to_graph(graph)
            backward.function.add_to_graph(graph)

    def python_grad_func(self, op: Operation, *grads: Any) -> Any:
        """The rule of a call's gradient."""
        results = op.__dict__.get("_results", self.outputs)
        backward = self._backward_function(results)
        graph = get_default_graph()
        has_run = op.graph is not graph or op._id <= graph._session_version
        if backward is None or (has_run and backward.further):
            if any(node.opdef.stateful for node in self.graph._ops):
                raise LookupError(
                    f"No gradient defined for operation '{op.name}' (op type: {op.type}): its function has effects, "
                    "or draws random numbers, and would run again"
                )
            return _smooth(op, symbolic_gradient(op, *grads))
        return backward.call(op, grads)

    def _backward_function(self, results: Sequence[Tensor]) -> _Backward | None:
        """The functions of the gradient, built when one is first needed; None if it computes the body again.

        results: what a call gives: after a first gradient it gives more, of which a second one depends.
        """
        if _has_control_flow(self.graph):
            return None
        key = tuple(results)
        if key not in self._backward:
            self._backward[key] = _Backward(self.graph, results, self._called)
        return self._backward[key]


class _Backward:
    """The function of a gradient, and the one that gives it what it needs.

    function: from the gradients of results that change smoothly, and values of the body, to those of the inputs.
    forward: the function, with these values as further results.
    further: the values, where they are.
    """

    def __init__(self, body: TracedGraph, given: Sequence[Tensor], name: str) -> None:
        self._smooth = [n for n, t in enumerate(given) if _is_smooth(t)]
        graph = TracedGraph(f"__backward_{name}")
        graph._outer_graph = body
        with graph.as_default():
            for number in self._smooth:
                tensor = given[number]
                dtype = tensor.dtype.base_dtype
                graph.inputs.append(ops.placeholder(dtype, shape=tensor.shape))
            found = gradients(
                [given[number] for number in self._smooth], body.inputs, list(graph.inputs)
            )
            self._found = [_inside(grad) for grad in found]
            graph.outputs = [ops.identity(t) for grad in self._found for t in _parts(grad)]
        self._shapes = [tensor.shape for tensor in graph.outputs]
        kept = list(graph.captured)
        graph.inputs += graph.captured.values()
        graph._outer_graph = body._outer_graph
        definition, nodes = definition_of(graph, f"__inference___backward_{name}")
        self.function = _WithFrames(definition, nodes, graph._functions)
        arguments = {tensor: number for number, tensor in enumerate(body.inputs)}
        results = {tensor: number for number, tensor in enumerate(given)}
        self._sources: list[
            tuple[bool, int]
        ] = []  # for each value: an input of the call or an output; its number
        further: list[Tensor] = []
        for tensor in kept:
            if tensor in arguments and tensor.dtype in (dtypes.resource, dtypes.variant):
                self._sources.append((True, arguments[tensor]))
            elif tensor in results:
                self._sources.append((False, results[tensor]))
            else:
                self._sources.append((False, len(given) + len(further)))
                further.append(tensor)
        self.further = further
        outputs = body.outputs
        body.outputs = self._results = [*given, *further]
        try:
            definition, nodes = definition_of(body, f"__forward_{name}")
        finally:
            body.outputs = outputs
        self.forward = _WithFrames(definition, nodes, body._functions)

    def call(self, op: Operation, grads: Sequence[Any]) -> list[Any]:
        """The gradients of a call's inputs, from those of its results."""
        graph = get_default_graph()
        self.forward.add_to_graph(graph)
        self.function.add_to_graph(graph)
        if self.further:
            op.__dict__["_results"] = self._results
            types = tuple([tensor.dtype.base_dtype for tensor in self.further])
            called = NameAttrList(self.forward.name)
            op.attrs = {**op.attrs, "f": called, "Tout": (*op.attrs["Tout"], *types)}
            for tensor, dtype in zip(self.further, types):
                op._add_output(dtype).set_shape(tensor.shape)
        given = [ops.convert_to_tensor(grads[number]) for number in self._smooth]
        given += [(op.inputs if is_input else op.outputs)[n] for is_input, n in self._sources]
        results = [t.dtype.base_dtype for grad in self._found for t in _parts(grad)]
        stateful = any(node.opdef.stateful for node in self.function.nodes)
        kind = raw.StatefulPartitionedCall if stateful else raw.PartitionedCall
        made = kind(given, results, NameAttrList(self.function.name)) if results else []
        tensors = made if isinstance(made, list | tuple) else [made]
        for tensor, shape in zip(tensors, self._shapes):
            tensor.set_shape(shape)
        left = iter(tensors)
        return [_like(grad, left) for grad in self._found]


class _WithFrames(Function):
    """A function of the library, and those that it calls."""

    def __init__(self, definition: Any, nodes: dict[str, Operation], called: dict[str, Function]):
        super().__init__(definition)
        self.frames = {key: op._frames for key, op in nodes.items()}
        self.nodes = list(nodes.values())
        self._functions = called

    def add_to_graph(self, graph: Any) -> None:
        """Adds it to the library of a graph, with the functions that it calls."""
        if self.name not in graph._functions:
            graph._add_function(self)
        for function in self._functions.values():
            if function.name not in graph._functions:
                function.add_to_graph(graph)


def _is_smooth(tensor: Tensor) -> bool:
    return tensor.dtype.is_floating or tensor.dtype.is_complex


def _smooth(op: Operation, results: Any) -> list[Any]:
    """None for inputs that are no numbers that change smoothly; a variable is one."""
    found = results if isinstance(results, list | tuple) else [results]
    return [
        grad if _is_smooth(tensor) or tensor.dtype is dtypes.resource else None
        for tensor, grad in zip(op.inputs, found)
    ]


def _has_control_flow(graph: Graph) -> bool:
    return any(op._control_flow_context is not None or op.type in _CHOOSING for op in graph._ops)


def _inside(grad: Any) -> Any:
    return grad if grad is None or isinstance(grad, IndexedSlices) else ops.convert_to_tensor(grad)


def _parts(grad: Any) -> list[Tensor]:
    """The tensors of which a gradient consists."""
    if isinstance(grad, IndexedSlices):
        parts = (grad.values, grad.indices, grad.dense_shape)
        return [part for part in parts if part is not None]
    return [] if grad is None else [grad]


def _like(grad: Any, tensors: Any) -> Any:
    """A gradient made of the next tensors, as the one in the body is."""
    if isinstance(grad, IndexedSlices):
        values, indices = next(tensors), next(tensors)
        return IndexedSlices(values, indices, None if grad.dense_shape is None else next(tensors))
    return None if grad is None else next(tensors)


def _flat(structure: Any) -> list[Any]:
    return nest.flatten(structure, expand_composites=True)


def _packed(structure: Any, tensors: Any) -> Any:
    """The structure with the next tensor in place of each leaf that is not None."""
    leaves = [None if leaf is None else next(tensors) for leaf in _flat(structure)]
    return nest.pack_sequence_as(structure, leaves, expand_composites=True)


def _mapped(function: Callable, structure: Any) -> Any:
    return nest.map_structure(lambda leaf: None if leaf is None else function(leaf), structure)


def _converted(found: Any, function: Callable) -> Any:
    """What a function returned, as tensors."""

    def convert(value: Any) -> Any:
        if value is None or isinstance(value, Tensor):
            return value
        if not isinstance(value, Operation):
            try:
                return ops.convert_to_tensor(value)
            except (TypeError, ValueError):
                pass
        raise TypeError(
            "To be compatible with tf.contrib.eager.defun, Python functions must return zero or more Tensors; in "
            f"compilation of {getattr(function, 'python_function', function)}, found return value of type "
            f"{type(value)}, which is not a Tensor."
        )

    leaves = [convert(leaf) for leaf in _flat(found)]
    return nest.pack_sequence_as(found, leaves, expand_composites=True)
