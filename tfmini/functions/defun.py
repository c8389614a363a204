"""`Defun`: a Python function as a function of the graph's library, built once and called by nodes."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from tfmini import dtypes, proto
from tfmini.functions.definition import function_def
from tfmini.functions.fingerprint import name_suffix
from tfmini.functions.func_graph import FuncGraph, func_graph_from_py_func
from tfmini.functions.names import function_name
from tfmini.graph import functions, nodedef
from tfmini.graph.default_graph import get_default_graph
from tfmini.graph.functions import Function
from tfmini.graph.keys import GraphKeys
from tfmini.graph.namespaces import ops
from tfmini.graph.summaries import summary_of_op
from tfmini.graph.tensor import Tensor
from tfmini.variables.scope import _STORE_KEY

_ANY_NUMBER = 1000000


class Defun:
    """A decorator that makes a Python function a function of graphs.

    The function is called once, with placeholders, when it is first needed: the nodes that it makes are the body. Each
    call of the result then adds one node, whose op type is the function's name. What the body uses from the graph
    around it, such as a variable's value, is given to it at each call; variables that it makes belong to that graph.

    Args:
      *input_types: the dtype of each argument; without any, a body is made for each combination of dtypes that comes.
      func_name: its name in graphs; by default the Python function's with a suffix that follows from its body.
      grad_func: the decorated function for its gradient, from the arguments and the gradients of the results.
      python_grad_func: a rule as `tf.RegisterGradient` takes, in place of that.
      out_names: a name for each result.
      shape_func: `shape_func(op)` gives the static shape of each result of a call.
      capture_by_value: nodes outside are copied into the body, in place of being arguments.
      capture_resource_var_by_value: False: `get_variable` in the body gives resource variables, not their values.
      noinline and others: attrs of the function, and of its calls if they give them.

    Raises:
      ValueError: if the function has defaults or `**` arguments, or not as many arguments as there are dtypes.

    Example:
      from tfmini.compat.python.framework import function

      @function.Defun(tf.float32, tf.float32)
      def distance(x, y):
          return tf.sqrt(x * x + y * y)

      z = distance(tf.constant(3.0), tf.constant(4.0))
    """

    def __init__(self, *input_types: Any, **kwargs: Any):
        self._input_types = input_types
        self._settings = {
            key: kwargs.pop(key, None)
            for key in ("func_name", "grad_func", "python_grad_func", "out_names")
        }
        self._extra_kwargs = kwargs

    def __call__(self, func: Callable) -> Any:
        """The function that adds calls to the graph."""
        if not callable(func):
            raise ValueError(f"function {func} must be callable")
        spec = inspect.getfullargspec(func)
        if spec.varkw or spec.defaults:
            raise ValueError(
                "function with argument defaults or keywords arguments are not supported. "
                f"{func} has defaults {spec.defaults} and keywords {spec.varkw}."
            )
        names = spec.args
        least = len(names)
        most = _ANY_NUMBER if spec.varargs else least
        if inspect.ismethod(func):
            least -= 1
            names = names[1:]
        settings = {**self._settings, **self._extra_kwargs}
        if self._input_types:
            if not least <= len(self._input_types) <= most:
                raise ValueError(
                    "The function has fewer arguments than the number of specified input types."
                )
            return _DefinedFunction(func, names, self._input_types, **settings)
        if most == 0:
            return _DefinedFunction(func, [], [], **settings)
        return _OverloadedFunction(func, names, **settings)


class _DefinedFunction(Function):
    """A function whose arguments have given dtypes."""

    def __init__(
        self,
        func: Callable,
        argnames: Sequence[str],
        input_types: Sequence[Any],
        func_name: str | None = None,
        grad_func: Any = None,
        python_grad_func: Callable | None = None,
        out_names: Sequence[str] | None = None,
        shape_func: Callable | None = None,
        capture_by_value: bool = False,
        whitelisted_stateful_ops: set[Any] | None = None,
        capture_resource_var_by_value: bool = True,
        **kwargs: Any,
    ):
        super().__init__(None, grad_func)
        self._func = func
        self._func_name = func_name
        self.python_grad_func = python_grad_func
        self._out_names = out_names
        self._shape_func = shape_func
        self._capture_by_value = capture_by_value
        self._whitelisted_stateful_ops = whitelisted_stateful_ops or set()
        self._capture_resource_var_by_value = capture_resource_var_by_value
        self._extra_kwargs = kwargs
        self._arg_types = input_types
        self._arg_names = [
            argnames[i] if i < len(argnames) else f"arg{i}" for i in range(len(input_types))
        ]
        devices = get_default_graph()._device_stack
        self._caller_device = devices[-1].device if devices else None
        self._sub_functions: dict[str, Function] = {}
        self._extra_inputs: list[Tensor] = []
        self._stateful_ops: list[tuple[str, str]] = []
        self._is_being_built = False

    @property
    def name(self) -> str:
        """Its name in graphs."""
        return self.definition.signature.name

    @property
    def definition(self) -> Any:
        """Its FunctionDef proto."""
        if self._definition is None:
            self._define()
        return self._definition

    @property
    def declared_input_types(self) -> Sequence[Any]:
        """The dtypes that were given to `Defun`."""
        return self._arg_types

    @property
    def captured_inputs(self) -> list[Tensor]:
        """The tensors of the graph around that are given to it besides its arguments."""
        self.definition  # noqa: B018  made by now
        return self._extra_inputs

    @property
    def stateful_ops(self) -> list[tuple[str, str]]:
        """(name, type) of each node of its body that has state."""
        self.definition  # noqa: B018  made by now
        return self._stateful_ops

    def set_grad_func(self, grad_func: _DefinedFunction) -> None:
        """Sets the function of its gradient."""
        assert not self._grad_func
        assert isinstance(grad_func, _DefinedFunction)
        self._grad_func = grad_func

    def _define(self) -> None:
        """Builds the body, and the FunctionDef of it."""
        if self._is_being_built:
            raise RecursionError(
                f"Function '{self._func_name or function_name(self._func)}' calls itself while its body is built: a "
                "function of a graph ends only where a tf.cond of functions (If) chooses whether it calls itself"
            )
        self._is_being_built = True
        try:
            self._write_definition()
        finally:
            self._is_being_built = False

    def _write_definition(self) -> None:
        graph = func_graph_from_py_func(
            self._func,
            self._arg_names,
            self._arg_types,
            self._func_name,
            self._capture_by_value,
            self._caller_device,
            collections_ref=_shared_collections(),
            whitelisted_stateful_ops=self._whitelisted_stateful_ops,
            capture_resource_var_by_value=self._capture_resource_var_by_value,
        )
        self._extra_inputs = graph.extra_inputs
        self._sub_functions = graph._functions
        base = self._func_name or function_name(self._func)
        if not self._func_name and self._grad_func:
            base += f"_{self._grad_func.name}"
        attrs = call_attrs(base, **self._extra_kwargs)
        made, nodes = function_def(
            graph.get_operations(),
            graph.inputs,
            graph.outputs,
            self._out_names or (),
            self._func.__doc__ or "",
        )
        made.signature.name = self._func_name or f"{base}_{name_suffix(made)}"
        for key, value in attrs.items():
            made.attr[key].CopyFrom(nodedef.attr_value(value, None))
        self.places = {name: op._frames for name, op in nodes.items()}
        self._stateful_ops = [
            (op.name, op.type) for op in graph.get_operations() if op._is_stateful
        ]
        self._func_name = made.signature.name
        self._definition = made

    def add_to_graph(self, graph: Any) -> None:
        """Adds it to the library of a graph, with the functions that it calls and that of its gradient."""
        self.definition  # noqa: B018  made by now
        graph._add_function(self)
        for function in self._sub_functions.values():
            function.add_to_graph(graph)
        if self._grad_func is not None:
            self._grad_func.add_to_graph(graph)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Adds a node that calls it: a tensor, a tuple of them, or the Operation if there are no results.

        Args:
          *args: a tensor, or what converts to one, for each argument.
          name: the node's name, by default the function's.
          noinline: an attr of the node.

        Raises:
          ValueError: for another number of arguments, another dtype, or a keyword that is not known.
        """
        self.add_to_graph(get_default_graph())
        inputs = [ops.convert_to_tensor(arg) for arg in args] + self.captured_inputs
        op = call(self, inputs, **kwargs)
        op._defun = self
        if self._shape_func is not None:
            shapes = self._shape_func(op)
            if len(shapes) != len(op.outputs):
                raise ValueError(
                    f"shape_func produced {len(shapes)} shapes for {len(op.outputs)} outputs"
                )
            for tensor, shape in zip(op.outputs, shapes):
                tensor.set_shape(shape)
        if len(op.outputs) == 1:
            return op.outputs[0]
        return tuple(op.outputs) or op


class _OverloadedFunction:
    """A function that has a body for each combination of dtypes with which it is called."""

    def __init__(
        self,
        func: Callable,
        argnames: Sequence[str],
        func_name: str | None = None,
        grad_func: Any = None,
        python_grad_func: Callable | None = None,
        out_names: Sequence[str] | None = None,
        **kwargs: Any,
    ):
        assert grad_func is None or isinstance(grad_func, _OverloadedFunction)
        self._func = func
        self._argnames = argnames
        self._func_name = func_name
        self._grad_func = grad_func
        self._python_grad_func = python_grad_func
        self._out_names = out_names
        self._extra_kwargs = kwargs
        self._overload: dict[str, _DefinedFunction] = {}

    def instantiate(self, input_types: Sequence[Any]) -> _DefinedFunction:
        """The function for arguments of these dtypes."""
        key = _types_text(input_types)
        defined = self._overload.get(key)
        if defined is None:
            defined = _DefinedFunction(
                self._func,
                self._argnames,
                input_types,
                None if self._func_name is None else f"{self._func_name}_{key}",
                None,
                self._python_grad_func,
                out_names=self._out_names,
                **self._extra_kwargs,
            )
            signature = defined.definition.signature
            if self._grad_func:
                results = [dtypes.as_dtype(arg.type) for arg in signature.output_arg]
                defined._grad_func = self._grad_func.instantiate([*input_types, *results])
            self._overload[key] = defined
        return defined

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Adds a node that calls it: see `_DefinedFunction`."""
        tensors = [ops.convert_to_tensor(arg) for arg in args]
        return self.instantiate([tensor.dtype for tensor in tensors])(*tensors, **kwargs)


def call(
    function: Function, inputs: Sequence[Tensor], name: str | None = None, **kwargs: Any
) -> Any:
    """Adds the node that calls a function to the default graph."""
    signature = function.definition.signature
    if len(inputs) != len(signature.input_arg):
        raise ValueError(
            f"Expected number of arguments: {len(signature.input_arg)}, received: {len(inputs)}"
        )
    graph = get_default_graph()
    wanted = name or signature.name
    attrs = call_attrs(signature.name, **kwargs)
    node_name = wanted[:-1] if wanted.endswith("/") else graph.unique_name(wanted)
    for arg, tensor in zip(signature.input_arg, inputs):
        dtype = dtypes.as_dtype(arg.type)
        if tensor.dtype.base_dtype is not dtype:
            raise ValueError(
                f"Input '{arg.name}' passed {tensor.dtype.base_dtype.proto_name} expected "
                f"{dtype.proto_name} while building NodeDef '{node_name}' using {summary_of_op(function.opdef)}"
            )
    types = tuple([tensor.dtype.base_dtype for tensor in inputs])
    return graph.add_node(function.opdef, node_name, tuple(inputs), types, attrs)


def call_attrs(func_name: str, **kwargs: Any) -> dict[str, Any]:
    """The attrs that keywords of `Defun` and of a call stand for.

    Raises:
      ValueError: for a keyword that is not known, or a value that no attr can have.
    """
    attrs: dict[str, Any] = {}
    noinline = kwargs.pop("noinline", None)
    if noinline is not None:
        attrs["_noinline"] = bool(noinline)
    attrs["_disable_call_shape_inference"] = True
    compiled = kwargs.pop("compiled", None)
    separate = kwargs.pop("separate_compiled_gradients", None)
    if compiled is not None:
        attrs["_XlaCompile"] = bool(compiled)
        attrs["_XlaSeparateCompiledGradients"] = bool(separate)
        scope = get_default_graph()._attr_scope_map.get("_XlaScope")
        attrs["_XlaScope"] = f"function_{func_name}" if scope is None else scope.s.decode()
    for key in list(kwargs):
        is_text = key in ("_implements", "_reference")
        if not is_text and not key.startswith("experimental_"):
            continue
        value = kwargs.pop(key)
        if not isinstance(value, str if is_text else bool | int | float | str):
            raise ValueError(f"Unsupported attribute type for {key} with type {type(value)}")
        attrs[key] = value
    if kwargs:
        raise ValueError(f"Unknown keyword arguments: {kwargs.keys()}")
    return attrs


def _shared_collections() -> dict[Any, list]:
    """The collections of variables of the default graph, to be those of a body too."""
    shared = get_default_graph()._collections
    keys = [*GraphKeys._VARIABLE_COLLECTIONS, _STORE_KEY]
    return {key: shared.setdefault(key, []) for key in keys}


_SHORT = {
    dtypes.float16: "f16",
    dtypes.float32: "f32",
    dtypes.float64: "f64",
    dtypes.int32: "i32",
    dtypes.uint8: "i8",
    dtypes.uint16: "u16",
    dtypes.uint32: "u32",
    dtypes.uint64: "u64",
    dtypes.int16: "i16",
    dtypes.int8: "i8",
    dtypes.string: "s",
    dtypes.complex64: "c64",
    dtypes.complex128: "c128",
    dtypes.int64: "i64",
    dtypes.bool: "b",
    dtypes.qint8: "qi8",
    dtypes.quint8: "qu8",
    dtypes.qint16: "qi16",
    dtypes.quint16: "qu16",
    dtypes.qint32: "qi32",
    dtypes.bfloat16: "b16",
}


def _types_text(types: Sequence[Any]) -> str:
    if any(dtype not in _SHORT for dtype in types):
        raise ValueError(f"Unsupported dtypes: {types}")
    return "".join(_SHORT[dtype] for dtype in types)


def from_library(library: Any) -> list[_DefinedFunction]:
    """The functions of a FunctionDefLibrary proto, each of which can be called.

    Raises:
      ValueError: if a gradient is of or by a function that is not there, or gradients go round.
    """
    made: dict[str, _DefinedFunction] = {}

    def callable_of(function: Function) -> _DefinedFunction:
        if function.name not in made:
            gradient = function._grad_func
            made[function.name] = _from_definition(
                function.definition, None if gradient is None else callable_of(gradient)
            )
        return made[function.name]

    return [callable_of(function) for function in functions.from_library(library)]


def _from_definition(definition: Any, gradient: _DefinedFunction | None) -> _DefinedFunction:
    signature = definition.signature
    result = _DefinedFunction(
        _no_python,
        [arg.name for arg in signature.input_arg],
        tuple([dtypes.as_dtype(arg.type) for arg in signature.input_arg]),
        signature.name,
        gradient,
        None,
        [arg.name for arg in signature.output_arg],
    )
    result._definition = proto.FunctionDef.FromString(definition.SerializeToString())
    return result


def _no_python(*args: Any) -> None:
    raise TypeError("this function is known by its FunctionDef only")


def get_extra_vars() -> list:
    """The variables that the function under construction has made or found; outside of one, none."""
    return _of_body("extra_vars")


def get_extra_inputs() -> list:
    """The tensors from outside that the function under construction has used; outside of one, none."""
    return _of_body("extra_inputs")


def get_extra_args() -> list:
    """What stands for `get_extra_inputs()` inside the function."""
    return _of_body("extra_args")


def _of_body(attribute: str) -> list:
    graph = get_default_graph()
    return getattr(graph, attribute) if isinstance(graph, FuncGraph) else []
