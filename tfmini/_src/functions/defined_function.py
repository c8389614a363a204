"""Functions with fixed argument dtypes: defined once, stored in libraries, called by nodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base import dtypes, proto
from tfmini._src.base.read_only import read_only
from tfmini._src.functions.calls import call, call_attrs
from tfmini._src.functions.fingerprint import name_suffix
from tfmini._src.functions.func_graph import func_graph_from_py_func
from tfmini._src.functions.function_names import function_name
from tfmini._src.functions.graph_to_function_def import function_def
from tfmini._src.graph import function_library, nodedef
from tfmini._src.graph.default_graph import get_default_graph, library_graph
from tfmini._src.graph.function_library import Function
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import _STORE_KEY


class _DefinedFunction(Function):
    """A function with fixed argument dtypes."""

    name: str = read_only("Function name in graphs.", "definition.signature.name")
    declared_input_types: Sequence[Any] = read_only("The dtypes passed to `Defun`.", "_arg_types")

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
        super().__init__(None, grad_func)  # type: ignore[arg-type]  # set by `definition`
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
        devices = get_default_graph()._blocks.devices
        self._caller_device = devices[-1].device if devices else None
        self._sub_functions: dict[str, Function] = {}
        self._extra_inputs: list[Tensor] = []
        self._stateful_ops: list[tuple[str, str]] = []
        self._is_being_built = False

    @property
    def definition(self) -> Any:
        """The function's FunctionDef proto."""
        if self._definition is None:
            self._define()
        return self._definition

    @property
    def captured_inputs(self) -> list[Tensor]:
        """The captured tensors of the enclosing graph."""
        self.definition  # noqa: B018  accessing it traces the body
        return self._extra_inputs

    @property
    def stateful_ops(self) -> list[tuple[str, str]]:
        """(name, type) of each stateful node of its body."""
        self.definition  # noqa: B018  accessing it traces the body
        return self._stateful_ops

    def set_grad_func(self, grad_func: _DefinedFunction) -> None:
        """Sets the gradient function."""
        assert not self._grad_func
        assert isinstance(grad_func, _DefinedFunction)
        self._grad_func = grad_func

    def _define(self) -> None:
        """Builds the body and its FunctionDef."""
        if self._is_being_built:
            raise RecursionError(
                f"Function '{self._func_name or function_name(self._func)}' calls itself while its body is built: "
                "recursion in a graph terminates only if a functional tf.cond (If) decides whether to call again"
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
        result, nodes = function_def(
            graph.get_operations(),
            graph.inputs,
            graph.outputs,
            self._out_names or (),
            self._func.__doc__ or "",
        )
        result.signature.name = self._func_name or f"{base}_{name_suffix(result)}"
        for key, value in attrs.items():
            result.attr[key].CopyFrom(nodedef.attr_value(value, None))
        self.frames = {name: op._frames for name, op in nodes.items()}
        self._stateful_ops = [
            (op.name, op.type) for op in graph.get_operations() if op._is_stateful
        ]
        self._func_name = result.signature.name
        self._definition = result

    def add_to_graph(self, graph: Any) -> None:
        """Adds the function to the library of a graph, with its callees and its gradient function."""
        reachable: dict[Any, None] = {}
        waiting: list[Any] = [self]
        while waiting:
            function = waiting.pop()
            if function in reachable:
                continue
            reachable[function] = None
            function.definition  # noqa: B018  accessing it traces the body
            if function._grad_func is not None:
                waiting.append(function._grad_func)
            if isinstance(function, _DefinedFunction):
                waiting += reversed(function._sub_functions.values())
        for function in reachable:
            graph._add_function(function)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Adds a node that calls it; returns a tensor, a tuple of tensors, or the Operation if there are no results.

        Args:
          *args: a tensor, or a convertible value, for each argument.
          name: the node's name, by default the function's.
          noinline: an attr of the node.

        Raises:
          ValueError: for a wrong number of arguments, another dtype, or an unknown keyword.
        """
        self.add_to_graph(library_graph())
        inputs = [ops.convert_to_tensor(arg) for arg in (*args, *self.captured_inputs)]
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


def _shared_collections() -> dict[Any, list]:
    """Returns the default graph's variable collections, which a body shares."""
    shared = get_default_graph()._collections
    keys = [*GraphKeys._VARIABLE_COLLECTIONS, _STORE_KEY]
    return {key: shared.setdefault(key, []) for key in keys}


def from_library(library: Any) -> list[_DefinedFunction]:
    """Returns the callables of a FunctionDefLibrary; raises ValueError for missing gradients or cycles of gradients."""
    result: dict[str, _DefinedFunction] = {}

    def python_function(function: Function) -> _DefinedFunction:
        if function.name not in result:
            gradient = function._grad_func
            result[function.name] = _from_definition(
                function.definition, None if gradient is None else python_function(gradient)
            )
        return result[function.name]

    return [python_function(function) for function in function_library.from_library(library)]


def _from_definition(
    definition: Any, grad_func: _DefinedFunction | None = None
) -> _DefinedFunction:
    """Creates the function defined by a FunctionDef proto."""
    signature = definition.signature
    result = _DefinedFunction(
        _no_python,
        [arg.name for arg in signature.input_arg],
        tuple([dtypes.as_dtype(arg.type) for arg in signature.input_arg]),
        signature.name,
        grad_func,
        None,
        [arg.name for arg in signature.output_arg],
    )
    result._definition = proto.FunctionDef.FromString(definition.SerializeToString())
    return result


def _no_python(*args: Any) -> None:
    raise TypeError("this function is only known by its FunctionDef")
