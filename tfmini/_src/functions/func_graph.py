"""The graph of a function's body; outside tensors become inputs of the function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base.identity import are_same
from tfmini._src.functions.function_names import function_name
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.scopes import device as placed
from tfmini._src.graph.tensor import Tensor, copy_handle_data
from tfmini._src.ops import ops, raw
from tfmini._src.variables.get_variable import get_variable_scope, variable_store
from tfmini._src.variables.variable_scope import variable_scope


class FuncGraph(Graph):
    """The body of a function.

    Attributes:
      name: the function's name.
      inputs, outputs: its tensors: first the arguments, then the captures.
      extra_inputs: the tensors of the enclosing graph that were captured; `extra_args`: their placeholders here.
      extra_vars: the variables created or found in it.
    """

    _builds_function = True

    def __init__(
        self,
        name: str,
        captures_by_value: bool,
        copied_types: set[Any],
        resource_variables_by_value: bool,
    ):
        super().__init__()
        self.name = name
        self.inputs: list[Tensor] = []
        self.outputs: list[Tensor] = []
        self.extra_inputs: list[Tensor] = []
        self.extra_args: list[Tensor] = []
        self.extra_vars: list[Any] = []
        self._captures_by_value = captures_by_value
        self._copied_ops = copied_types
        self._resource_variables_by_value = resource_variables_by_value
        self._outer_graph = get_default_graph()
        self._outer_scope = get_variable_scope()
        self.captured: dict[Tensor, Tensor] = {}

    @property
    def _py_funcs_owner(self) -> Graph:
        return self._outer_graph._py_funcs_owner  # this graph is temporary; its definition lives on

    def add_node(
        self,
        opdef: Any,
        name: str,
        inputs: tuple[Tensor, ...],
        input_dtypes: tuple | None,
        attrs: dict[str, Any],
        devices: bool = True,
    ) -> Operation:
        """Adds a node as any graph does; inputs from outside are captured."""
        captured = tuple([t if t.graph is self else self.capture(t) for t in inputs])
        if not are_same(captured, inputs):
            check_references(opdef, name, attrs, captured)
        return super().add_node(opdef, name, captured, input_dtypes, attrs, devices)

    def capture(self, tensor: Tensor, name: str | None = None) -> Tensor:
        """Returns the tensor of this graph that represents an outer tensor."""
        if tensor in self.captured:
            return self.captured[tensor]
        if self._captures_by_value:
            return self._copy(tensor.op).outputs[tensor.value_index]
        self.extra_inputs.append(tensor)
        with self.control_dependencies(None):
            placeholder = ops.placeholder(tensor.dtype, shape=tensor.shape, name=name)
        placeholder._captured_from = tensor
        copy_handle_data(tensor, placeholder)
        self.inputs.append(placeholder)
        self.extra_args.append(placeholder)
        self.captured[tensor] = placeholder
        if not isinstance(tensor, EagerTensor) and _is_guaranteed(tensor):
            with self.control_dependencies(None):
                return raw.GuaranteeConst(placeholder)
        return placeholder

    def _copy(self, op: Operation) -> Operation:
        """Copies a node of the enclosing graph and its dependencies into this one."""
        if op.opdef.stateful and op not in self._copied_ops:
            raise ValueError(
                f"Cannot capture a stateful node (name:{op.name}, type:{op.type}) by value."
            )
        if op.type in ("Placeholder", "PlaceholderV2"):
            raise ValueError(
                f"Cannot capture a placeholder (name:{op.name}, type:{op.type}) by value."
            )
        inputs = tuple([self._copy(t.op).outputs[t.value_index] for t in op.inputs])
        name = self.unique_name(op.name)
        result = self.add_node(op.opdef, name, inputs, op._input_dtypes, dict(op.attrs))
        self.captured.update(zip(op.outputs, result.outputs))
        return result

    def get_variable(
        self,
        getter: Callable,
        name: str,
        shape: Any = None,
        dtype: Any = None,
        initializer: Any = None,
        reuse: Any = None,
        trainable: bool | None = True,
        collections: Any = None,
        use_resource: bool | None = None,
        **kwargs: Any,
    ) -> Any:
        """Returns the custom getter for `get_variable` in the body: creates the variable in the outer graph.

        A resource variable is read outside and captured by value, unless the function captures it by reference.
        """
        with self._outer_graph.as_default():
            variable = self._outer_scope.get_variable(
                variable_store(),
                name,
                shape=shape,
                dtype=dtype,
                initializer=initializer,
                reuse=reuse,
                trainable=trainable,
                collections=collections,
                use_resource=use_resource,
            )
            self.extra_vars.append(variable)
            if hasattr(variable, "handle") and self._resource_variables_by_value:
                return variable.value()
            return variable


def check_references(
    opdef: Any, name: str, attrs: dict[str, Any], inputs: Sequence[Tensor]
) -> None:
    """Raises TypeError for an op that requires a variable but receives its captured value."""
    expected = []
    for arg in opdef.inputs:
        if arg.type_list_attr:
            types = attrs[arg.type_list_attr]
        else:
            count = attrs[arg.number_attr] if arg.number_attr else 1
            types = [arg.dtype or attrs[arg.type_attr]] * count
        expected += [dtype._as_ref if arg.is_ref else dtype for dtype in types]
    if any(w._is_ref_dtype and not t.dtype._is_ref_dtype for w, t in zip(expected, inputs)):
        raise TypeError(
            f"In op '{name}', input types ({[t.dtype for t in inputs]}) are not compatible with expected types "
            f"({expected})"
        )


def _is_guaranteed(tensor: Tensor) -> bool:
    """Whether a tensor depends only on GuaranteeConst nodes."""
    guaranteed: dict[Operation, bool] = {}
    pending = [tensor.op]
    while pending:
        op = pending[-1]
        sources = [t.op for t in op.inputs]
        missing = [source for source in sources if source not in guaranteed]
        if op.type == "GuaranteeConst" or not sources:
            guaranteed[op] = op.type == "GuaranteeConst"
        elif op not in guaranteed and missing:
            guaranteed[op] = False  # in progress, because loops revisit the node
            pending += missing
            continue
        else:
            guaranteed[op] = all(guaranteed[source] for source in sources)
        pending.pop()
    return guaranteed[tensor.op]


def func_graph_from_py_func(
    func: Callable,
    arg_names: Sequence[str],
    arg_types: Sequence[Any],
    name: str | None,
    capture_by_value: bool,
    device: Any,
    collections_ref: dict,
    whitelisted_stateful_ops: set[Any] | None,
    capture_resource_var_by_value: bool,
) -> FuncGraph:
    """Calls `func` with placeholders and returns the graph that it builds.

    Args:
      func: takes a tensor for each argument; returns a tensor, a list or tuple of them, or None for no result.
      arg_names, arg_types: names and types of the arguments.
      name: name of the function; None for the name of `func`.
      capture_by_value: whether to copy outside nodes instead of passing their tensors as inputs.
      device: device of its nodes: an argument of `tf.device`.
      collections_ref: becomes the collections of the graph.
      whitelisted_stateful_ops: stateful operations that may be copied.
      capture_resource_var_by_value: whether to pass resource variables by value.

    Raises:
      ValueError: if one of several results is None, or a node cannot be copied.
    """
    graph = FuncGraph(
        name or function_name(func),
        capture_by_value,
        whitelisted_stateful_ops or set(),
        capture_resource_var_by_value,
    )
    with graph.as_default(), placed(device):
        graph._collections = collections_ref
        for arg_name, dtype in zip(arg_names, arg_types):
            graph.inputs.append(ops.placeholder(dtype, name=arg_name))
        with variable_scope("", custom_getter=graph.get_variable):
            results = func(*graph.inputs)
        if results is None:
            results = []
        elif not isinstance(results, list | tuple):
            results = (results,)
        if any(result is None for result in results):
            raise ValueError(f"Function {graph.name} can not return None.")
        tensors = [ops.convert_to_tensor(result) for result in results]
        graph.outputs = [t if t.graph is graph else graph.capture(t) for t in tensors]
    return graph
