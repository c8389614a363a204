"""Functions from the library of a SavedModel, as `tf.function` objects."""

from __future__ import annotations

import contextlib
import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

from tfmini._src.base import proto
from tfmini._src.base.nest.shallow import flatten_up_to
from tfmini._src.base.nest.structure import assert_same_structure, flatten, pack_sequence_as
from tfmini._src.functions.call_gradients import CallGradient
from tfmini._src.functions.called_graphs import called_graph
from tfmini._src.functions.concrete_function import ConcreteFunction
from tfmini._src.functions.function_names import function_numbers
from tfmini._src.functions.tf_function import Function
from tfmini._src.functions.traced_function import TracedGraph
from tfmini._src.graph import function_library
from tfmini._src.graph.function_library import from_library
from tfmini._src.graph.graphdef.function_bodies import build_body
from tfmini._src.graph.opdef import registry
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor, copy_handle_data
from tfmini._src.graph.type_spec import TensorSpec, TypeSpec
from tfmini._src.ops import ops
from tfmini._src.saved_model.structured_value import decode
from tfmini._src.variables.variable import Variable


def rename_functions(library: Any, suffix: str = "") -> dict[str, function_library.Function]:
    """Returns the functions of a FunctionDefLibrary under new names, keyed by saved name.

    suffix: the suffix of shared resource names.
    """
    copied = proto.FunctionDefLibrary.FromString(library.SerializeToString())
    names = {
        definition.signature.name: f"{strip_number(definition.signature.name)}_{next(function_numbers)}"
        for definition in copied.function
    }
    for definition in copied.function:
        definition.signature.name = names[definition.signature.name]
        rename_calls(definition.node_def, names, suffix)
    del copied.gradient[:]
    results = {function.name: function for function in from_library(copied)}
    for function in results.values():
        function.python_grad_func = _call_gradient
    return {old: results[new] for old, new in names.items()}


def _call_gradient(op: Operation, *grads: Any) -> list[Any]:
    """Returns the gradients of a function call, computed from the body of the function."""
    called = function_library.called_function(op)
    assert called is not None
    graph = called_graph(op, called, op.inputs)
    return CallGradient(graph, strip_number(called.name))(op, *grads)


def rename_calls(nodes: Any, names: dict[str, str], suffix: str = "") -> None:
    """Renames the functions that nodes call; `suffix` makes shared resources unique to this load."""
    for node in nodes:
        node.attr.pop("_gradient_op_type", None)
        node.op = names.get(node.op, node.op)
        for called in function_library.functions_in(node):
            called.name = names.get(called.name, called.name)
        opdef = registry.get(node.op)
        if not suffix or opdef is None:
            continue
        name_suffix = suffix
        if node.op == "HashTableV2" and not node.attr["use_node_name_sharing"].b:
            node.attr["use_node_name_sharing"].b = True
            name_suffix = f"{suffix}_{next(function_numbers)}"
        if "shared_name" in opdef.attrs:
            shared = node.attr["shared_name"]
            shared.s = (shared.s or node.name.encode()) + name_suffix.encode()


def strip_number(name: str) -> str:
    """Returns a function's name without its trailing number."""
    return re.sub(r"_\d+$", "", name)


class RestoredConcreteFunctions:
    """The concrete functions of a SavedObjectGraph, which are created on first use.

    Args:
      message: the SavedObjectGraph.
      library: functions by saved name.
      tensor_of: a function that returns the tensor of a node for capture; released by `finish`.
    """

    def __init__(
        self,
        message: Any,
        library: dict[str, function_library.Function],
        tensor_of: Callable[[int], Tensor],
    ):
        self._message = message
        self._library = library
        self._functions_by_new_name = {callee.name: callee for callee in library.values()}
        self._tensor_of: Callable[[int], Tensor] | None = tensor_of
        self._captures: dict[int, Tensor] = {}
        self._functions_by_name: dict[str, ConcreteFunction] = {}

    def __getitem__(self, name: str) -> ConcreteFunction:
        if name not in self._functions_by_name:
            self._functions_by_name[name] = self._restore(name)
        return self._functions_by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._message.concrete_functions)

    def finish(self) -> None:
        """Resolves the captures of all functions, then releases the loader and its references to objects.

        Errors are deferred to calls: TensorFlow 2 also saves gradient functions without all of their captures.
        """
        for message in self._message.concrete_functions.values():
            for node_id in message.bound_inputs:
                with contextlib.suppress(ValueError):  # raised again when the function is used
                    self._capture(node_id)
        self._tensor_of = None

    def _capture(self, node_id: int) -> Tensor:
        if node_id not in self._captures:
            if self._tensor_of is None:
                raise ValueError(
                    f"Object {node_id} of the SavedModel, captured by a function, is not a tensor"
                )
            self._captures[node_id] = self._tensor_of(node_id)
        return self._captures[node_id]

    def _restore(self, name: str) -> ConcreteFunction:
        message = self._message.concrete_functions[name]
        function = self._library[name]
        captured = [self._capture(node_id) for node_id in message.bound_inputs]
        signature = decode(message.canonicalized_input_signature)
        leaves = flatten(signature, expand_composites=True)
        specs = [leaf for leaf in leaves if isinstance(leaf, TensorSpec)]
        arguments = function.definition.signature.input_arg
        count = len(arguments) - len(captured)
        declared_dims = (
            [spec.shape._dims for spec in specs] if len(specs) == count else [None] * count
        )
        graph = TracedGraph(strip_number(function.name).removeprefix("__inference_"))
        dims = [*declared_dims, *(tensor._dims for tensor in captured)]
        body = build_body(function, {}, self._functions_by_new_name, dims, graph)
        nodes = [op.node_def for op in graph.get_operations()]
        names = [name for node in nodes for name in function_library.called_names(node)]
        graph._functions = function_library.reachable_functions(names, self._functions_by_new_name)
        graph.inputs = [argument.outputs[0] for argument in body.arguments]
        for index, inner_tensor in enumerate(graph.inputs[:count]):
            arg_name = function.definition.arg_attr[index].attr["_user_specified_name"]
            if not arg_name.s:
                arg_name = proto.AttrValue(s=inner_tensor.op.name.encode())
            inner_tensor.op._set_attr("_user_specified_name", arg_name)
        graph.must_run = body.effects
        graph.outputs = list(body.results)
        graph.captured = dict(zip(captured, graph.inputs[count:]))
        for outer_tensor, inner_tensor in graph.captured.items():
            inner_tensor._captured_from = outer_tensor
            copy_handle_data(outer_tensor, inner_tensor)
        outputs = decode(message.output_signature)
        for tensor, spec in zip(graph.outputs, flatten(outputs, expand_composites=True)):
            if isinstance(spec, TensorSpec):
                tensor.set_shape(spec.shape)
        names = [arg.name for arg in arguments][:count]
        result = ConcreteFunction.wrap_graph(graph, names, outputs)
        result.structured_input_signature, result.structured_outputs = signature, outputs
        return result


class RestoredFunction(Function):
    """A function that dispatches to one of its saved traces by its arguments.

    Args:
      message: the SavedFunction.
      functions: concrete functions by saved name.
    """

    def __init__(self, message: Any, functions: Any):
        names = list(message.concrete_functions)

        def restored_function_body(*args: Any, **kwargs: Any) -> Any:
            options = (args, kwargs)
            for converts in (False, True):
                for name in names:
                    if _accepts(functions[name], options, converts):
                        return _call_function(functions[name], options)
            raise self._no_match_error(args, kwargs)

        restored_function_body.__signature__ = _signature(message.function_spec)  # type: ignore[attr-defined]
        super().__init__(
            restored_function_body,
            decode(message.function_spec.input_signature),
            autograph=False,
        )
        self._saved_names = names
        self._functions = functions

    def _bound(self, args: tuple, kwargs: dict) -> inspect.BoundArguments:
        try:
            return self.__signature__.bind(*args, **kwargs)
        except TypeError:
            raise self._no_match_error(args, kwargs) from None

    def _no_match_error(self, args: tuple, kwargs: dict) -> ValueError:
        """Returns the error for arguments that match no trace."""
        options = "\n\n".join(
            f"Option {index + 1}:\n  {_positional(positional)}\n  Keyword arguments: {keywords}"
            for index, trace in enumerate(self.concrete_functions)
            for positional, keywords in [trace.structured_input_signature]
        )
        return ValueError(
            "Could not find matching function to call loaded from the SavedModel. Got:\n  "
            f"{_positional(args)}\n  Keyword arguments: {kwargs}\n\nExpected these arguments to match one of the "
            f"following {len(self._saved_names)} option(s):\n\n{options}"
        )

    @property
    def concrete_functions(self) -> list[ConcreteFunction]:
        """The saved traces."""
        return [self._functions[name] for name in self._saved_names]

    def _list_all_concrete_functions_for_serialization(self) -> list[ConcreteFunction]:
        return self.concrete_functions


def bare_concrete_function(message: Any, functions: Any) -> ConcreteFunction:
    """Restores the concrete function of a SavedBareConcreteFunction."""
    result: ConcreteFunction = functions[message.concrete_function_name]
    result._arg_keywords = list(message.argument_keywords)
    result._num_positional_args = message.allowed_positional_arguments
    return result


def _signature(spec: Any) -> inspect.Signature:
    """Returns the signature of a FunctionSpec, without a method's `self`."""
    arguments = decode(spec.fullargspec)
    parameter_type = inspect.Parameter
    if spec.is_method and not arguments.args:
        raise NotImplementedError(
            "Missing support to deserialize a method function without a named 'self' argument."
        )
    names = arguments.args[1:] if spec.is_method else arguments.args
    values = list(arguments.defaults or ())
    defaults: list[Any] = [parameter_type.empty] * (len(names) - len(values)) + values[
        -len(names) :
    ]
    parameters = [
        parameter_type(name, parameter_type.POSITIONAL_OR_KEYWORD, default=default)
        for name, default in zip(names, defaults)
    ]
    if arguments.varargs:
        parameters.append(parameter_type(arguments.varargs, parameter_type.VAR_POSITIONAL))
    for name in arguments.kwonlyargs or ():
        default = (arguments.kwonlydefaults or {}).get(name, parameter_type.empty)
        parameters.append(parameter_type(name, parameter_type.KEYWORD_ONLY, default=default))
    if arguments.varkw:
        parameters.append(parameter_type(arguments.varkw, parameter_type.VAR_KEYWORD))
    return inspect.Signature(parameters)


def _positional(arguments: Any) -> str:
    listed = "\n    * ".join(str(argument) for argument in arguments)
    return f"Positional arguments ({len(arguments)} total):\n    * {listed}"


def _is_tensor(value: Any) -> bool:
    return isinstance(value, Tensor | Variable)


def _accepts(function: ConcreteFunction, value: Any, converts: bool) -> bool:
    """Whether a trace accepts these arguments."""
    expected = function.structured_input_signature
    try:
        leaves = flatten_up_to(expected, value)
        assert_same_structure(value, pack_sequence_as(expected, leaves), check_types=False)
    except (TypeError, ValueError):
        return False
    return all(_agrees(leaf, spec, converts) for leaf, spec in zip(leaves, flatten(expected)))


def _agrees(value: Any, expected: Any, converts: bool) -> bool:
    if isinstance(expected, TensorSpec):
        if converts:
            value = _value_spec(value, expected.dtype)
        if not _is_tensor(value) and not isinstance(value, TensorSpec):
            return False
        return value.dtype.base_dtype == expected.dtype and expected.shape.is_compatible_with(
            value.shape
        )
    if isinstance(expected, TypeSpec):
        return expected.is_compatible_with(value)
    if _is_tensor(value):
        return value is expected
    return bool(value == expected)


def _value_spec(value: Any, preferred: Any) -> TensorSpec | None:
    """Returns the TensorSpec of a value, or None if it cannot be converted to a tensor."""
    try:
        with TracedGraph("guess_conversion").as_default():
            tensor = ops.convert_to_tensor(value, preferred_dtype=preferred)
    except (TypeError, ValueError):
        return None
    return TensorSpec(tensor.shape, tensor.dtype)


def _call_function(function: ConcreteFunction, value: Any) -> Any:
    expected = function.structured_input_signature
    leaves = flatten_up_to(expected, value, expand_composites=True)
    specs = flatten(expected, expand_composites=True)
    tensors = [
        ops.convert_to_tensor(leaf, preferred_dtype=spec.dtype)
        for leaf, spec in zip(leaves, specs)
        if isinstance(spec, TensorSpec)
    ]
    result = function.call(tensors)
    return None if isinstance(result, Operation) else result
