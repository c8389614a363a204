"""`ConcreteFunction`: a Python function traced for arguments of given dtypes and shapes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base.errors import InvalidArgumentError
from tfmini._src.base.nest.containers import is_composite
from tfmini._src.base.nest.shallow import flatten_with_tuple_paths
from tfmini._src.base.nest.structure import flatten, map_structure, pack_sequence_as
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import Dims, TensorShape
from tfmini._src.functions.call_gradients import CallGradient
from tfmini._src.functions.eager_calls import call_eagerly
from tfmini._src.functions.executor_type import check_executor_type, executor_type
from tfmini._src.functions.library_functions import LibraryFunction, append_unique_number
from tfmini._src.functions.trace_keys import input_tensors
from tfmini._src.functions.traced_function import TracedFunction, TracedGraph
from tfmini._src.graph.attributes import NameAttrList
from tfmini._src.graph.default_graph import get_default_graph, library_graph
from tfmini._src.graph.eager import tapes
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.graphdef.function_bodies import call_shapes
from tfmini._src.graph.node_builder import apply_op
from tfmini._src.graph.opdef import registry
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor, copy_handle_data
from tfmini._src.graph.type_spec import TensorSpec
from tfmini._src.ops import ops


class ConcreteFunction(TracedFunction):
    """A traced function, called with tensors.

    Attributes:
      name: its name in graphs, bytes.
      graph: its body.
      inputs: placeholders of the body for the arguments, then for captured tensors.
      outputs: its results in the body.
      structured_input_signature: the arguments and keyword arguments with which it was traced, TensorSpecs in place of
        tensors; None if it was not created by `tf.function`.
      structured_outputs: the result of the Python function.
      captured_inputs: the captured tensors of the outer graph.

    Args:
      name: base of its name.
      function: takes a tensor for each spec; returns a nested structure of values convertible to tensors.
      specs: TensorSpecs of the arguments; for a variable, its handle.
      names: argument names.
      orders: whether side effects run in program order, before the results.
    """

    outputs: list[Tensor] = read_only("The results in its body.", "graph.outputs")
    function_def: Any = read_only("Its FunctionDef proto.", "definition")
    variables: list[Any] = read_only("The resource variables that it uses.", "graph.variables")

    def __init__(
        self,
        name: str,
        function: Callable,
        specs: Sequence[Any],
        names: Sequence[str],
        orders: bool = True,
    ) -> None:
        self._called = name
        self._arg_keywords: Sequence[str] = _unique_names(names)
        self._num_positional_args = len(names)
        self.structured_outputs: Any = None
        self.structured_input_signature: Any = None

        def results(*tensors: Tensor) -> list[Any]:
            results = _convert_results(function(*tensors), function)
            self.structured_outputs = results
            return [leaf for leaf in _flatten_components(results) if leaf is not None]

        super().__init__(name, results, specs, names, orders)
        outputs = iter(self.graph.outputs)
        self.structured_outputs = _pack(self.structured_outputs, outputs)
        self.graph.structured_outputs = self.structured_outputs
        self.python_grad_func = self._gradient = CallGradient(self.graph, name)

    @classmethod
    def wrap_graph(
        cls, graph: TracedGraph, names: Sequence[str], structured_outputs: Any
    ) -> ConcreteFunction:
        """Wraps an existing body as a function.

        Args:
          graph: the body, with its `inputs`, `outputs` and `captured`.
          names: argument names.
          structured_outputs: the structure of its results, with None for missing ones and any other leaf for a tensor.
        """
        instance = cls.__new__(cls)
        LibraryFunction.__init__(
            instance, graph, append_unique_number(f"__inference_{graph.name}", graph._outer_graph)
        )
        instance._called = graph.name
        instance._arg_keywords = _unique_names(names)
        instance._num_positional_args = len(names)
        instance.structured_input_signature = None
        instance.structured_outputs = _pack(structured_outputs, iter(graph.outputs))
        graph.structured_outputs = instance.structured_outputs
        instance.python_grad_func = instance._gradient = CallGradient(graph, graph.name)
        return instance

    @property
    def name(self) -> Any:
        """Function name in graphs."""
        return self.library_name.encode()

    inputs: list[Tensor] = read_only(
        "The placeholders of its body for arguments and for captured tensors.", "graph.inputs"
    )

    @property
    def structured_outputs_signature(self) -> Any:
        """The function's results with a spec in place of each tensor, named by position."""
        return _infer_signature(self.structured_outputs)

    @property
    def output_dtypes(self) -> Any:
        """The dtypes of its results."""
        return map_structure(lambda leaf: getattr(leaf, "dtype", None), self._output_components())

    @property
    def output_shapes(self) -> Any:
        """The static shapes of its results."""
        return map_structure(
            lambda leaf: getattr(leaf, "shape", TensorShape(None)), self._output_components()
        )

    def _output_components(self) -> Any:
        return map_structure(_replace_composites, self.structured_outputs)

    @property
    def trainable_variables(self) -> list[Any]:
        """The trainable `variables`."""
        trained = self.graph.get_collection(GraphKeys.TRAINABLE_VARIABLES)
        eager_variables = [
            v for v in self.variables if isinstance(v.handle, EagerTensor) and v.trainable
        ]
        return [
            *eager_variables,
            *(v for v in self.variables if any(v is other for other in trained)),
        ]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Adds a node that calls it.

        Args:
          *args, **kwargs: a tensor for each argument, by position or name.

        Raises:
          TypeError: for too many or missing arguments; ValueError: for an argument that is not a tensor.
        """
        if len(args) > self._num_positional_args:
            raise TypeError(
                f"Expected at most {self._num_positional_args} positional arguments (and the rest keywords, of "
                f"{self._arg_keywords}), "
                f"got {args}. When calling a concrete function, positional arguments may not be bound to Tensors "
                "within nested structures."
            )
        values = list(args)
        for name in self._arg_keywords[len(args) :]:
            if name not in kwargs:
                passed = [*self._arg_keywords[: len(values)], *kwargs]
                missing = [name for name in self._arg_keywords if name not in passed]
                raise TypeError(
                    f"Expected argument names {list(self._arg_keywords)} but got values for {passed}. "
                    f"Missing: {missing}."
                )
            values.append(kwargs.pop(name))
        for name in kwargs:
            if name in self._arg_keywords:
                raise TypeError(f"Got two values for keyword '{name}'.")
        if kwargs:
            raise TypeError(
                f"Keyword arguments {list(kwargs)} unknown. Expected {self._arg_keywords}."
            )
        for index, value in enumerate(values):
            if not isinstance(value, Tensor) and not hasattr(value, "handle"):
                raise ValueError(
                    f"All inputs to `ConcreteFunction`s must be Tensors; on invocation of {self._called}, the "
                    f"{index}-th input ({value}) was not a Tensor."
                )
        return self.call(input_tensors(values))

    def is_callable_here(self) -> bool:
        """Whether all functions whose tensors it captures are under construction."""
        sources = {
            captured.graph
            for captured in (*self.graph.captured, *self.graph.control_captures)
            if not isinstance(captured, EagerTensor) and captured.graph.building_function
        }
        graph: Any = get_default_graph() if sources else None
        while sources and graph is not None:
            sources.discard(graph)
            graph = getattr(graph, "_outer_graph", None)
        return not sources

    def call(self, tensors: Sequence[Tensor], captured: Sequence[Tensor] | None = None) -> Any:
        """Adds a node that calls it with these tensors; returns the results in the function's structure.

        In eager mode, runs it immediately.

        Args:
          tensors: its arguments.
          captured: the captured tensors, by default `captured_inputs`.
        """
        if captured is None:
            captured = self.captured_inputs
        if tapes.recording():
            for variable in self.variables:
                tapes.variable_accessed(variable)
        if executing_eagerly():
            self._check_dtypes(tensors)
            check_executor_type(self.library_name)
            results = call_eagerly(self, self._gradient, [*tensors, *captured])
            for tensor, inner in zip(results, self.outputs):
                copy_handle_data(inner, tensor)
            return _pack(self.structured_outputs, iter(results))
        self._check_shapes(tensors)
        self.add_to_graph(library_graph())
        inputs = [*tensors, *captured]
        types = [tensor.dtype.base_dtype for tensor in self.outputs]
        stateful = any(op.opdef.stateful for op in self.graph._ops)
        opdef = registry["StatefulPartitionedCall" if stateful else "PartitionedCall"]
        name = None if types else "PartitionedFunctionCall"
        with control_dependencies(self.graph.control_captures):
            settings = {"executor_type": executor_type()}
            op = apply_op(opdef, (inputs, types, NameAttrList(self.library_name)), settings, name)
        for tensor, inner, dims in zip(op.outputs, self.outputs, self._result_dims(op)):
            tensor.set_shape(inner.shape)
            tensor.set_shape(dims)
            copy_handle_data(inner, tensor)
        if self.structured_outputs is None:
            return op
        return _pack(self.structured_outputs, iter(op.outputs))

    def _result_dims(self, call: Operation) -> Sequence[Dims]:
        """Infers the static shapes of a call's results from its arguments."""
        values = tuple([tensor._dims for tensor in call.inputs])
        if all(a == b._dims or b.shape.is_fully_defined() for a, b in zip(values, self.inputs)):
            return [inner._dims for inner in self.outputs]
        if values not in self.dims_of_calls:
            self.dims_of_calls[values] = call_shapes(self, call, {})
        return self.dims_of_calls[values]

    def _check_shapes(self, tensors: Sequence[Tensor]) -> None:
        """Raises ValueError for an argument whose shape differs from the traced one."""
        for name, tensor, inner in zip(self._arg_keywords, tensors, self.inputs):
            if not inner.shape.is_compatible_with(tensor.shape):
                raise ValueError(
                    f"The argument '{name}' (value {tensor}) is not compatible with the shape this function was traced "
                    f"with. Expected shape {inner.shape}, but got shape {tensor.shape}.\n\nIf you called "
                    "get_concrete_function, you may need to pass a tf.TensorSpec(..., shape=...) with a less specific "
                    "shape, having None on axes which can vary."
                )

    def _check_dtypes(self, tensors: Sequence[Tensor]) -> None:
        """Raises InvalidArgumentError for an argument whose dtype differs from the traced one."""
        for index, (tensor, inner) in enumerate(zip(tensors, self.inputs)):
            if tensor.dtype is not inner.dtype:
                raise InvalidArgumentError(
                    None,
                    None,
                    f"cannot compute {self.library_name} as input #{index}(zero-based) was expected to be a "
                    f"{inner.dtype.base_dtype.proto_name} tensor but is a {tensor.dtype.proto_name} tensor "
                    f"[Op:{self.library_name}]",
                )

    def add_gradient_functions_to_graph(self, graph: Graph | None = None) -> None:
        """Adds the functions that its gradient calls to a graph's library."""
        self._gradient.add_to_graph(graph or library_graph())


def _flatten_components(structure: Any) -> list[Any]:
    return flatten(structure, expand_composites=True)


def _pack(structure: Any, tensors: Any) -> Any:
    """Replaces each leaf that is not None with the next tensor."""
    leaves = [None if leaf is None else next(tensors) for leaf in _flatten_components(structure)]
    return pack_sequence_as(structure, leaves, expand_composites=True)


def _replace_composites(value: Any) -> Any:
    """Replaces a composite tensor with its components, which may be composite."""
    if not is_composite(value):
        return value
    return map_structure(_replace_composites, value._type_spec._to_components(value))


def _infer_signature(structure: Any) -> Any:
    specs = []
    for path, value in flatten_with_tuple_paths(structure):
        if isinstance(value, Tensor):
            value = TensorSpec(value.shape, value.dtype, "/".join(map(str, path)))
        elif getattr(value, "_type_spec", None) is not None:
            value = value._type_spec
        specs.append(value)
    return pack_sequence_as(structure, specs)


def _convert_results(result: Any, function: Callable) -> Any:
    """Converts a function's results to tensors."""

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

    leaves = [convert(leaf) for leaf in _flatten_components(result)]
    return pack_sequence_as(result, leaves, expand_composites=True)


def _unique_names(names: Sequence[str]) -> list[str]:
    """Makes names unique with numeric suffixes."""
    counts: dict[str, int] = {}
    unique = []
    for name in names:
        suffix = counts.get(name, 0)
        counts[name] = suffix + 1
        unique.append(f"{name}_{suffix}" if suffix else name)
    return unique
