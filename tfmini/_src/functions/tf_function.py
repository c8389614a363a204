"""`tf.function`: turns a Python function into a graph function, traced once per kind of arguments."""

from __future__ import annotations

import inspect
import weakref
from collections.abc import Callable, Sequence
from functools import cached_property, partial, update_wrapper
from types import SimpleNamespace
from typing import Any

import numpy as np

from tfmini._src.base import logs
from tfmini._src.base.nest.structure import flatten, pack_sequence_as
from tfmini._src.base.proto import AttrValue
from tfmini._src.functions.called_arguments import (
    canonical,
    positional_names,
    positional_signature,
    python_signature,
)
from tfmini._src.functions.concrete_function import ConcreteFunction
from tfmini._src.functions.function_spec import FunctionSpec
from tfmini._src.functions.input_signatures import (
    UnknownArgument,
    argument_names,
    as_declared,
    check_covered,
    check_declared,
    check_specialized,
    names_of_leaves,
    same_signature,
    to_structured_signature,
)
from tfmini._src.functions.trace_keys import (
    common_spec,
    eager_tensors_key,
    input_tensors,
    nesting_key,
    tensor_positions,
    value_key,
)
from tfmini._src.graph.autograph_status import Status, conversion, convert_if_enabled
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.replica_modes import replica_index
from tfmini._src.graph.tensor import Tensor, copy_handle_data
from tfmini._src.graph.type_spec import TensorSpec
from tfmini._src.ops import ops
from tfmini._src.variables.init_scope import (
    executing_eagerly_outside_functions,
    graph_around_functions,
)
from tfmini._src.variables.lifted_values import record_argument_value, variable_creation
from tfmini._src.variables.resource_variable import BaseResourceVariable


class _EagerTraces:
    """Placeholder for eager mode where traces are kept by graph."""


_EAGER = _EagerTraces()


class Function:
    """The callable returned by `tf.function`: each call adds one node to the graph.

    Attributes:
      python_function: the decorated function.
      input_signature: the TensorSpecs of the arguments, or None.
    """

    def __init__(
        self,
        python_function: Callable,
        input_signature: Sequence[Any] | None = None,
        relaxes: bool = False,
        attributes: dict[str, Any] | None = None,
        lifts: bool = True,
        autograph: bool = True,
        features: Any = None,
    ) -> None:
        update_wrapper(self, python_function)
        self.python_function = python_function
        self.__signature__ = python_signature(python_function)
        if input_signature is not None:
            if isinstance(python_function, partial):
                self.__signature__ = positional_signature(self.__signature__)
            check_declared(input_signature, self.__signature__)
        self.input_signature = None if input_signature is None else tuple(input_signature)
        self.experimental_relax_shapes = relaxes
        self._attributes = attributes or {}
        self._lifts_initializers = lifts
        self._autograph = autograph
        self._features = features
        self._name = getattr(python_function, "__name__", type(python_function).__name__)
        self._traces_by_graph: weakref.WeakKeyDictionary[Any, dict] = weakref.WeakKeyDictionary()
        self._bound_functions: weakref.WeakKeyDictionary[Any, Function] = (
            weakref.WeakKeyDictionary()
        )
        self._is_traced = self._has_variables = False

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        """Binds the function as a method; traces are per object and do not keep the object alive."""
        if instance is None:
            return self
        if instance not in self._bound_functions:
            self._bound_functions[instance] = Function(
                _method(self.python_function, instance),
                self.input_signature,
                self.experimental_relax_shapes,
                self._attributes,
                self._lifts_initializers,
                self._autograph,
                self._features,
            )
        return self._bound_functions[instance]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Calls the function: adds one node."""
        if _runs_eagerly and self._lifts_initializers:
            return self.python_function(*args, **kwargs)
        key = None if kwargs else eager_tensors_key(args)
        if key is not None:
            cached = self._traces().get(key)
            if cached is not None and cached.is_callable_here():
                return cached.call(args)
        converts_again = (
            self._lifts_initializers and not self._is_traced and self.input_signature is None
        )
        try:
            leaves, structure, names = self._arguments(args, kwargs)
        except (TypeError, ValueError):
            if self._lifts_initializers and not self._is_traced and self.input_signature:
                self.get_concrete_function()  # TensorFlow traces first, which may fail
            raise
        concrete = self._concrete(leaves, structure, names)
        if converts_again:  # TensorFlow traces, then calls; each adds a Const per array
            leaves, _, _ = self._arguments(args, kwargs)
        if key is not None:
            self._traces()[key] = concrete
        return concrete.call(input_tensors(leaves))

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """Returns the concrete function for arguments given as tensors or TensorSpecs, by default the signature's."""
        if self.input_signature is not None:
            check_specialized(self.input_signature, args, kwargs)
            args, kwargs = self.input_signature, {}
        leaves, structure, names = self._arguments(args, kwargs)
        return self._concrete(leaves, structure, names)

    @cached_property
    def function_spec(self) -> FunctionSpec:
        """The binding of arguments to the decorated function."""
        return FunctionSpec(
            self.python_function,
            positional_names(self.__signature__),
            self.input_signature,
            self._bind,
        )

    def _list_all_concrete_functions_for_serialization(self) -> list[ConcreteFunction]:
        """Returns one function per traced signature, except signatures with arguments that lack a spec."""
        if self.input_signature is not None:
            return [self.get_concrete_function()]
        signatures: list[Any] = []
        for _, _, concrete in self._all_traces():
            signature = concrete.structured_input_signature
            if any(isinstance(leaf, UnknownArgument) for leaf in flatten(signature)):
                logs.info("Unsupported signature for serialization: %s.", signature)
            elif not any(same_signature(signature, other) for other in signatures):
                signatures.append(signature)
        return [self.get_concrete_function(*args, **kwargs) for args, kwargs in signatures]

    @property
    def _function_cache(self) -> SimpleNamespace:
        """The traced functions by key; accessed by TensorFlow's own tests."""
        primary = {
            (location, key): concrete
            for location, key, concrete in self._all_traces()
            if key[:1] != (EagerTensor,)
        }
        return SimpleNamespace(primary=primary, arg_relaxed={})

    def _bind(self, args: tuple, kwargs: dict) -> Any:
        """Returns a call's positional arguments with defaults, and its keyword arguments."""
        leaves, structure, _ = self._arguments(args, kwargs)
        return pack_sequence_as(structure, leaves, expand_composites=True)

    def _arguments(self, args: tuple, kwargs: dict) -> tuple[list[Any], Any, list[str]]:
        """Flattens a call's arguments: the leaves, with arrays as tensors, the structure, and the leaf names."""
        if self.input_signature is not None:
            check_covered(self.__signature__, self.input_signature, args, kwargs)
        args, kwargs = canonical(self.__signature__, args, kwargs)
        if self.input_signature is not None:
            args = as_declared(self.input_signature, args)
        structure = (args, kwargs)
        names = names_of_leaves(argument_names(self.__signature__, *structure), *structure)
        leaves = []
        for leaf in flatten(structure, expand_composites=True):
            leaves.append(ops.convert_to_tensor(leaf) if isinstance(leaf, np.ndarray) else leaf)
        return leaves, structure, names

    def _input_specs(self, leaves: list[Any]) -> list[TensorSpec]:
        if self.input_signature is not None:
            return flatten(self.input_signature, expand_composites=True)
        specs = []
        for position in tensor_positions(leaves):
            leaf = leaves[position]
            if isinstance(leaf, BaseResourceVariable):
                leaf = leaf.handle
            specs.append(TensorSpec(leaf.shape, leaf.dtype.base_dtype))
        return specs

    def _traces(self) -> dict[Any, ConcreteFunction]:
        """Returns the traces by key, for eager mode or the graph around all functions, and for the current replica."""
        graph = graph_around_functions() or _EAGER
        return self._traces_by_graph.setdefault(graph, {}).setdefault(replica_index(), {})

    def _all_traces(self) -> list[tuple[Any, Any, ConcreteFunction]]:
        """Returns (location, key, concrete function) for each trace."""
        return [
            ((id(graph), replica), key, concrete)
            for graph, functions_by_replica in list(self._traces_by_graph.items())
            for replica, traces in functions_by_replica.items()
            for key, concrete in traces.items()
        ]

    def _concrete(self, leaves: list[Any], structure: Any, names: list[str]) -> ConcreteFunction:
        """Returns the trace for such arguments, tracing if necessary."""
        result = self._traces()
        specs = self._input_specs(leaves)
        values = tuple(
            [
                getattr(leaf, "name", None)
                if isinstance(leaf, TensorSpec)
                else None
                if isinstance(leaf, Tensor)
                else (value_key(leaf),)
                for leaf in leaves
            ]
        )
        nesting = nesting_key(structure)
        key: tuple[Any, ...] = (nesting, values, tuple(specs))
        if self.input_signature is None:
            # As in TensorFlow, eager and symbolic tensors have different keys unless they are scalars.
            key += tuple([leaf.__class__ is EagerTensor and bool(leaf._dims) for leaf in leaves])
        if key in result and result[key].is_callable_here():
            return result[key]
        if self.experimental_relax_shapes and self.input_signature is None and result:
            # From the second trace on, the shapes common to all calls since then; the first trace has its own shapes.
            key = (nesting, values, tuple([(spec.dtype, spec.shape.ndims) for spec in specs]))
            if key in result:
                relaxed = [TensorSpec(t.shape, t.dtype) for t in result[key].inputs[: len(specs)]]
                if all(spec.is_compatible_with(value) for spec, value in zip(relaxed, specs)):
                    return result[key]
                specs = [common_spec(*pair) for pair in zip(relaxed, specs)]
        result[key] = self._trace(leaves, structure, specs, names)
        return result[key]

    def _call_python(self, args: tuple, kwargs: dict) -> Any:
        """Calls the Python function, converted by AutoGraph if requested."""
        if not self._autograph:
            with conversion(Status.DISABLED):
                return self.python_function(*args, **kwargs)
        function, bind_arguments = getattr(
            self.python_function, "_unbound", (self.python_function, tuple)
        )
        python = convert_if_enabled(function, Status.ENABLED, True, self._features)
        with conversion(Status.ENABLED):
            return python(*bind_arguments(), *args, **kwargs)

    def _trace(
        self, leaves: list[Any], structure: Any, specs: list[TensorSpec], names: list[str]
    ) -> ConcreteFunction:
        positions = tensor_positions(leaves)
        variables = {n for n in positions if isinstance(leaves[n], BaseResourceVariable)}
        has_values = executing_eagerly_outside_functions()

        def call(*tensors: Tensor) -> Any:
            values = list(leaves)
            for position, tensor in zip(positions, tensors):
                if position in variables:
                    continue
                copy_handle_data(values[position], tensor)
                if has_values and isinstance(values[position], Tensor):
                    record_argument_value(tensor, values[position])
                values[position] = tensor
            arguments = pack_sequence_as(structure, values, expand_composites=True)
            previous_structure = nesting_key(arguments), flatten(arguments)
            result = self._call_python(*arguments)
            _check_unmodified(arguments, *previous_structure)
            return result

        call.python_function = self.python_function  # type: ignore[attr-defined]
        called = [names[position] for position in positions]
        inputs = [leaves[n].handle if n in variables else spec for n, spec in zip(positions, specs)]
        if self.input_signature is not None:
            called = [spec.name or name for spec, name in zip(specs, called)]

        def trace() -> tuple[ConcreteFunction, bool]:
            forbids_creation = self._lifts_initializers and self._has_variables
            with variable_creation(self._lifts_initializers, forbids_creation) as creation:
                concrete = ConcreteFunction(self._name, call, inputs, called)
            return concrete, creation.count > 0

        is_first, self._is_traced = not self._is_traced, True
        concrete, has_new_variables = trace()
        if self._lifts_initializers and has_new_variables and is_first:
            self._has_variables = True
            concrete, has_new_variables = trace()  # traced again, like a later call
        if self._lifts_initializers and has_new_variables:
            raise ValueError(
                "Creating variables on a non-first call to a function decorated with tf.function."
            )
        for key, value in self._attributes.items():
            concrete.definition.attr[key].CopyFrom(_attribute(key, value))
        values = list(leaves)
        for position, tensor in zip(positions, concrete.inputs):
            if position not in variables:
                values[position] = tensor
        args, kwargs = pack_sequence_as(structure, values, expand_composites=True)
        concrete.structured_input_signature = to_structured_signature(
            argument_names(self.__signature__, args, {}),
            args,
            kwargs,
            dict(zip(concrete.inputs, called)),
        )
        return concrete


def _check_unmodified(arguments: Any, nesting: Any, leaves: list[Any]) -> None:
    """Raises ValueError if a function has modified the lists and dicts passed to it."""
    now = flatten(arguments) if nesting_key(arguments) == nesting else []
    if len(now) != len(leaves) or any(a is not b for a, b in zip(now, leaves)):
        raise ValueError(
            "Function to be traced should not modify structure of input arguments. Check if your function has list "
            "and dictionary operations that alter input arguments, such as `list.pop`, `list.append`"
        )


# Whether `tf.function` runs Python functions directly.
_runs_eagerly = False


def experimental_run_functions_eagerly(run_eagerly: bool) -> None:
    """Makes decorated functions call the Python function directly, for debugging.

    Args:
      run_eagerly: whether to call them directly; False, the default, traces them.
    """
    global _runs_eagerly
    _runs_eagerly = bool(run_eagerly)


def functions_run_eagerly() -> bool:
    """Whether decorated functions call the Python function directly."""
    return _runs_eagerly


def _method(function: Callable, instance: Any) -> Callable:
    """Binds a function to an object as a method, without keeping the object alive."""
    reference = weakref.ref(instance)

    def call(*args: Any, **kwargs: Any) -> Any:
        return function(reference(), *args, **kwargs)

    update_wrapper(call, function)
    call._unbound = (function, lambda: (reference(),))  # type: ignore[attr-defined]
    parameters = list(inspect.signature(function).parameters.values())[1:]
    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return call


def _attribute(key: str, value: Any) -> AttrValue:
    """Converts a keyword's value to a function attr; raises ValueError for other types."""
    if isinstance(value, AttrValue):
        return value
    for value_type, field in ((bool, "b"), (int, "i"), (float, "f"), (bytes, "s"), (str, "s")):
        if isinstance(value, value_type):
            values: dict[str, Any] = {field: value.encode() if isinstance(value, str) else value}
            return AttrValue(**values)
    raise ValueError(f"Unsupported attribute type for {key} with type {type(value)}")


def function(
    func: Callable[..., Any] | None = None,
    input_signature: Sequence[Any] | None = None,
    autograph: bool = True,
    experimental_autograph_options: object = None,
    experimental_relax_shapes: bool = False,
    experimental_compile: bool | None = None,
) -> Any:
    """Decorates a function; each call adds one node, `PartitionedCall`, to the graph.

    The function is traced with placeholders once per combination of tensor dtypes and shapes and of the values of other
    arguments; the nodes it creates form the body. Side effects run in program order. Variables may be created at the
    first call only; they belong to the outer graph.

    Args:
      func: the function; without it the decorator is returned.
      input_signature: a TensorSpec for each argument; the function is traced only once, for these.
      autograph: whether `if`, `while` and `for` over tensors become `tf.cond` and `tf.while_loop`, in the functions
        that it calls too.
      experimental_autograph_options: None, or one or more `tf.autograph.experimental.Feature`s to enable.
      experimental_relax_shapes: whether to trace dimensions that vary between calls as unknown.
      experimental_compile: the function's attr `_XlaCompile`.

    Returns:
      A callable that takes tensors, numpy arrays, numbers and nested structures of them, and returns the function's
      results as tensors.

    Raises:
      ValueError: at a call, for arguments that do not match the signature, or variables created after the first call.
        TypeError: for an unsupported argument, or a result that is not a tensor.

    Example:
      @tf.function
      def norm(x):
          return tf.sqrt(tf.reduce_sum(x * x))
      norm(tf.constant([3.0, 4.0]))  # a tensor: 5.0
    """
    attributes = {} if experimental_compile is None else {"_XlaCompile": bool(experimental_compile)}

    def decorate(python_function: Callable) -> Function:
        return Function(
            python_function,
            input_signature,
            bool(experimental_relax_shapes),
            attributes,
            autograph=autograph,
            features=experimental_autograph_options,
        )

    return decorate if func is None else decorate(func)


def defun_with_attributes(
    func: Callable | None = None,
    input_signature: Sequence[Any] | None = None,
    attributes: dict[str, Any] | None = None,
    autograph: bool = True,
    experimental_autograph_options: Any = None,
    experimental_relax_shapes: bool = False,
) -> Any:
    """Same as `defun`, with additional function attrs."""

    def decorate(python_function: Callable) -> Function:
        return Function(
            python_function,
            input_signature,
            bool(experimental_relax_shapes),
            attributes,
            lifts=False,
            autograph=autograph,
            features=experimental_autograph_options,
        )

    return decorate if func is None else decorate(func)


def defun(
    func: Callable[..., Any] | None = None,
    input_signature: Sequence[Any] | None = None,
    autograph: bool = True,
    experimental_autograph_options: object = None,
    experimental_relax_shapes: bool = False,
) -> Any:
    """Same as `tf.function`, but traced once even if it creates variables.

    Example: `tf.contrib.eager.defun(lambda x: x + 1)(tf.constant(1))` is 2.
    """
    return defun_with_attributes(
        func,
        input_signature,
        None,
        autograph,
        experimental_autograph_options,
        experimental_relax_shapes,
    )
