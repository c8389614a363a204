"""Functions traced once per argument shapes and dtypes, used by datasets.

Unlike `Defun`, side effects of the body run in program order, before the results; the body uses the seed of the
enclosing graph.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from typing import Any

from tfmini._src.autodiff.pending_counts import is_trainable
from tfmini._src.base import dtypes, proto
from tfmini._src.base.errors import InaccessibleTensorError
from tfmini._src.base.identity import are_same
from tfmini._src.base.nest.structure import assert_same_structure, flatten, pack_sequence_as
from tfmini._src.base.read_only import read_only
from tfmini._src.base.records import dataclass
from tfmini._src.functions.auto_control_deps import order_effects
from tfmini._src.functions.cond_v2 import build_cond
from tfmini._src.functions.func_graph import check_references
from tfmini._src.functions.library_functions import LibraryFunction, append_unique_number
from tfmini._src.functions.while_v2 import build_while
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager import tapes
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.opdef import registry
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.replica_modes import current_mode
from tfmini._src.graph.seeds import global_seed
from tfmini._src.graph.tensor import Tensor, copy_handle_data
from tfmini._src.graph.unique_names import VALID_OP_NAME
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import _STORE_KEY, resource_variables_in_scope

# Collections of the outer graph that a body adds to, and variables by name; others are copied.
_SHARED_COLLECTIONS = (
    _STORE_KEY,
    GraphKeys.GLOBAL_VARIABLES,
    GraphKeys.LOCAL_VARIABLES,
    GraphKeys.TRAINABLE_VARIABLES,
)


_MAX_IN_CONSTANT = 128  # maximum elements


class TracedGraph(Graph):
    """The body of a function.

    Attributes:
      name: the function's name, without its number.
      inputs, outputs: its tensors: first the arguments, then the captures.
      captured: maps tensors of the enclosing graph to placeholders.
      control_captures: outer operations that run before it.
      must_run: operations that run regardless of the requested results.
      structured_outputs: the results in the Python function's structure, once traced.
    """

    outer_graph: Any = read_only("The graph in which the function body was built.")

    structured_outputs: Any = None
    _builds_function = True
    _orders_effects = True

    def __init__(self, name: str, is_part: bool = False):
        super().__init__()
        outer = get_default_graph()
        self.name = name
        self._is_part = is_part
        self.inputs: list[Tensor] = []
        self.outputs: list[Tensor] = []
        self.captured: dict[Tensor, Tensor] = {}
        self.control_captures: list[Any] = []
        self._constants: dict[Tensor, Tensor] = {}  # by tensor with few elements
        self._deferred: dict[Any, _CallTimeValue] = {}
        self.must_run: list[Operation] = []
        self._outer_graph = outer
        self._seed = global_seed()
        devices = outer._blocks.devices
        if current_mode() is not None or any(scope.function is not None for scope in devices):
            self._blocks.devices = list(devices)
        if not executing_eagerly():
            self._blocks.colocations = outer._blocks.colocations
        self._collections = outer._collections if is_part else _body_collections(outer)

    def __str__(self) -> str:
        return f"FuncGraph(name={self.name}, id={id(self)})"

    def _build_cond(self, pred: Any, true_fn: Callable, false_fn: Callable, name: Any) -> Any:
        """Builds the node of `tf.cond` in this graph: a call of one of two functions."""
        return build_cond(pred, true_fn, false_fn, name, TracedGraph)

    def _build_while(self, *args: Any) -> Any:
        """Builds the node of `tf.while_loop` in this graph: alternating calls of two functions."""
        return build_while(TracedGraph, *args)

    @property
    def control_outputs(self) -> list[Operation]:
        """The operations that run regardless of the requested results."""
        return self.must_run

    @property
    def captures(self) -> list[tuple[Tensor, Tensor]]:
        """The captured outer tensors, each with its placeholder."""
        return [*{**self.captured, **self._constants}.items()]

    @property
    def external_captures(self) -> list[Tensor]:
        """The captured outer tensors."""
        return list(self.captured)

    @property
    def internal_captures(self) -> list[Tensor]:
        """The placeholders of the captured outer tensors."""
        return [*self.captured.values(), *self._constants.values()]

    @property
    def variables(self) -> list[Any]:
        """The resource variables that the function uses."""
        used = self.captured
        eager_variables = [handle._variable() for handle in used if hasattr(handle, "_variable")]
        collected = self.get_collection(GraphKeys.GLOBAL_VARIABLES)
        collected += self.get_collection(GraphKeys.LOCAL_VARIABLES)
        selected = [v for v in dict.fromkeys(collected) if getattr(v, "handle", None) in used]
        return list(dict.fromkeys([*(v for v in eager_variables if v is not None), *selected]))

    def capture_call_time_value(
        self, closure: Callable[[], Any], spec: Any, key: Any = None
    ) -> Any:
        """Returns the result of an outside function, called again at each call of this one.

        Args:
          closure: returns a structure of tensor-like values.
          spec: its TypeSpecs.
          key: identifies the value: a second call with the same key reuses the first closure; None for no reuse.

        Returns:
          The structure, with tensors of this graph.

        Raises:
          ValueError: at a call, if the return value of `closure` does not match `spec`.
        """
        if key is None:
            key = object()
        if key not in self._deferred:
            with self.as_default(), super().control_dependencies(None):
                parts = flatten(spec, expand_composites=True)
                placeholders = [ops.placeholder(part.dtype, shape=part.shape) for part in parts]
            value = pack_sequence_as(spec, placeholders, expand_composites=True)
            self._deferred[key] = _CallTimeValue(closure, spec, placeholders, value)
        return self._deferred[key].value

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
        captured = tuple([self.capture(t) for t in inputs])
        if not are_same(captured, inputs):
            check_references(opdef, name, attrs, captured)
        return super().add_node(opdef, name, captured, input_dtypes, attrs, devices)

    def capture(self, tensor: Tensor, name: str | None = None) -> Tensor:
        """Returns the tensor of this graph that represents an outer or eager tensor."""
        if isinstance(tensor, EagerTensor):
            captured = self._capture_eager(tensor, name)
        elif tensor.graph is self:
            return tensor
        else:
            captured = self._capture_symbolic(tensor, name)
        if tapes.recording():  # scopes opened in the function also apply to outer nodes
            tapes.record(tapes.EagerOp(registry["Identity"], {}, [tensor], [captured]))
        return captured

    def _capture_symbolic(self, tensor: Tensor, name: str | None) -> Tensor:
        if tensor not in self.captured:
            self._check_accessible(tensor)
            with super().control_dependencies(None):
                dtype = tensor.dtype.base_dtype
                placeholder = ops.placeholder(
                    dtype, shape=tensor.shape, name=name or tensor.op.name
                )
            placeholder._captured_from = tensor
            copy_handle_data(tensor, placeholder)
            self.captured[tensor] = placeholder
        return self.captured[tensor]

    def _check_accessible(self, tensor: Tensor) -> None:
        """Raises InaccessibleTensorError for a tensor of a nested function."""
        graph: Any = tensor.graph
        while isinstance(graph, TracedGraph):
            graph = graph._outer_graph
            if graph is self:
                raise InaccessibleTensorError(
                    f"The tensor '{tensor}' cannot be accessed here: it is defined in another function or code block. "
                    "Use return values, explicit Python locals or TensorFlow collections to access it. Defined in: "
                    f"{tensor.graph}; accessed from: {self}.\n"
                )

    def _capture_eager(self, tensor: EagerTensor, name: str | None) -> Tensor:
        """Captures an eager tensor: a constant if small and numeric, else a placeholder.

        Strings are not constants, as they may be paths of a SavedModel's files; tensors through which gradients flow
        are always arguments.
        """
        if tensor in self._constants:
            return self._constants[tensor]
        if tensor not in self.captured:
            with self.as_default(), super().control_dependencies(None):
                if not _is_small(tensor):
                    captured = ops.placeholder(tensor.dtype, shape=tensor.shape, name=name)
                else:
                    captured = ops.constant(tensor.numpy(), tensor.dtype, name=name or "Const")
                    if not is_trainable(tensor):
                        self._constants[tensor] = captured
                        return captured
            captured._captured_from = tensor
            copy_handle_data(tensor, captured)
            self.captured[tensor] = captured
        return self.captured[tensor]

    def control_dependencies(self, control_inputs: Any) -> Any:
        """Same as `Graph.control_dependencies`, but outer nodes become dependencies of the function's calls."""
        if control_inputs is None:
            return super().control_dependencies(None)
        inner = []
        for item in control_inputs:
            if hasattr(item, "op") and (hasattr(item, "_handle") or hasattr(item, "_controls")):
                item = item.op
            element = getattr(item, "_as_graph_element", lambda value=item: value)()
            if getattr(element, "graph", self) is self:
                inner.append(element)
            else:
                self.control_captures.append(element)
        return super().control_dependencies(inner)


def _body_collections(outer: Graph) -> dict[Hashable, list[Any]]:
    """Returns a function body's collections: the outer graph's own for keys in `_SHARED_COLLECTIONS`, else copies."""
    collections = outer._collections
    for key in _SHARED_COLLECTIONS:
        collections.setdefault(key, [])
    return {
        k: items if k in _SHARED_COLLECTIONS else list(items) for k, items in collections.items()
    }


@dataclass
class _CallTimeValue:
    """A value recomputed at each call: the function that returns it, its specs, and its placeholders."""

    closure: Callable[[], Any]
    spec: Any
    inside: list[Tensor]
    value: Any

    def tensors(self) -> list[Tensor]:
        """Computes the value; returns its tensors."""
        current = self.closure()
        assert_same_structure(self.spec, current, expand_composites=True)
        specs, values = flatten(self.spec), flatten(current)
        parts = [spec._to_components(value) for spec, value in zip(specs, values)]
        return flatten(parts, expand_composites=True)


class TracedFunction(LibraryFunction):
    """A library function with the tensors that it captures from the outer graph.

    Args:
      name: stem of its name in graphs.
      function: takes a tensor for each spec, returns a list of values convertible to tensors.
      specs: TensorSpecs of the arguments; for a variable, its handle.
      names: argument names; by default "args_0" and so on.
      orders: whether side effects run in program order, before the results.
    """

    def __init__(
        self,
        name: str,
        function: Callable,
        specs: Sequence[Any],
        names: Sequence[str] | None = None,
        orders: bool = True,
    ):
        graph = TracedGraph(name)
        graph._orders_effects = orders
        if not orders and executing_eagerly():
            graph._collections.clear()  # variables by name are private
        self.graph = graph
        with graph.as_default():
            with resource_variables_in_scope():
                for index, spec in enumerate(specs):
                    arg_name = names[index] if names else f"args_{index}"
                    valid = arg_name if VALID_OP_NAME.match(arg_name) else "placeholder"
                    if isinstance(spec, Tensor):
                        tensor = graph.capture(spec, valid)
                    else:
                        tensor = ops.placeholder(spec.dtype, shape=spec.shape, name=valid)
                    graph.inputs.append(tensor)
                    tensor.op._set_attr("_user_specified_name", _string_attr(arg_name))
                first = len(graph._ops)
                results = [ops.convert_to_tensor(r) for r in function(*graph.inputs)]
                results = [ops.identity(t) if orders else graph.capture(t) for t in results]
            if orders:
                graph.must_run = order_effects(graph, first, results)
        for spec in specs:
            graph.captured.pop(spec, None)  # handles are arguments, not captures
        graph.inputs += graph.captured.values()
        for deferred in graph._deferred.values():
            graph.inputs += deferred.inside
        graph.outputs = results
        enclosing_graph = graph._outer_graph
        super().__init__(graph, append_unique_number(f"__inference_{name}", enclosing_graph))

    @property
    def captured_inputs(self) -> list[Tensor]:
        """The tensors of the enclosing graph passed to it after its arguments."""
        tensors = list(self.graph.captured)
        for deferred in self.graph._deferred.values():
            tensors += deferred.tensors()
        return tensors


def _is_small(tensor: EagerTensor) -> bool:
    if not tensor.dtype.is_numpy_compatible or tensor.dtype is dtypes.string:
        return False
    return math.prod(tensor.shape.as_list()) <= _MAX_IN_CONSTANT


def _string_attr(text: str) -> Any:
    return proto.AttrValue(s=text.encode())
