"""Functions that are built once for arguments of given shapes and dtypes: those that datasets call.

Other than with `Defun`, what has an effect in the body runs, in the order of the program: results wait for it; the
seed of the graph around is that of the body.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base import dtypes, proto
from tfmini._src.functions.auto_control_deps import ordered_effects
from tfmini._src.functions.cond_v2 import build_cond
from tfmini._src.functions.while_v2 import build_while
from tfmini._src.functions.written import WrittenFunction, numbered_name
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager import tapes
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.opdef import registry
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.replica_modes import mode_here
from tfmini._src.graph.seeds import global_seed
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import get_variable_scope

# The collections of the graph around that a body adds to; of the others it has a copy.
_SHARED = (
    GraphKeys.GLOBAL_VARIABLES,
    GraphKeys.LOCAL_VARIABLES,
    GraphKeys.TRAINABLE_VARIABLES,
)


_MOST_IN_CONSTANT = 128  # elements


class TracedGraph(Graph):
    """The body of a function.

    Attributes:
      name: the function's name, without its number.
      inputs, outputs: its tensors: first the arguments, then what was captured.
      captured: by tensor of the graph around, the placeholder that stands for it.
      must_run: operations that run whatever results are looked at.
      structured_outputs: the results as the Python function nests them, once it has given them.
    """

    structured_outputs: Any = None
    _orders_effects = True

    def __init__(self, name: str):
        super().__init__()
        outer = get_default_graph()
        self.name = name
        self.inputs: list[Tensor] = []
        self.outputs: list[Tensor] = []
        self.captured: dict[Tensor, Tensor] = {}
        self._constants: dict[Tensor, Tensor] = {}  # by tensor with a few numbers
        self.must_run: list[Operation] = []
        self._outer_graph = outer
        self._seed = global_seed()
        devices = outer._blocks.devices
        if mode_here() is not None or any(scope.function is not None for scope in devices):
            self._blocks.devices = list(devices)
        self._blocks.colocations = outer._blocks.colocations
        shared = _SHARED
        for key, items in outer._collections.items():
            self._collections[key] = items if key in shared else list(items)
        for key in shared:
            self._collections[key] = outer._collections.setdefault(key, [])

    @property
    def building_function(self) -> bool:
        """True."""
        return True

    def _build_cond(self, pred: Any, true_fn: Callable, false_fn: Callable, name: Any) -> Any:
        """Builds the node of `tf.cond` here: a call of one of two functions."""
        return build_cond(pred, true_fn, false_fn, name, TracedGraph)

    def _build_while(self, *args: Any) -> Any:
        """Builds the node of `tf.while_loop` here: repeated calls of two functions in turn."""
        return build_while(TracedGraph, *args)

    @property
    def external_captures(self) -> list[Tensor]:
        """The tensors from outside that its body uses."""
        return list(self.captured)

    @property
    def internal_captures(self) -> list[Tensor]:
        """The placeholders that stand for them."""
        return list(self.captured.values())

    @property
    def outer_graph(self) -> Any:
        """The graph in which it was built."""
        return self._outer_graph

    def add_node(
        self,
        opdef: Any,
        name: str,
        inputs: tuple[Tensor, ...],
        input_dtypes: tuple | None,
        attrs: dict[str, Any],
    ) -> Operation:
        """Adds a node as any graph does; inputs from outside are captured."""
        inside = tuple([self.capture(t) for t in inputs])
        return super().add_node(opdef, name, inside, input_dtypes, attrs)

    def capture(self, tensor: Tensor, name: str | None = None) -> Tensor:
        """The tensor here that represents one of the outer graph, or a tensor with a value."""
        if isinstance(tensor, EagerTensor):
            inside = self._capture_eager(tensor, name)
        elif tensor.graph is self:
            return tensor
        else:
            inside = self._capture_of_graph(tensor, name)
        if tapes.recording():  # those that were opened in the function go on to what is outside
            tapes.record(tapes.Executed(registry["Identity"], {}, [tensor], [inside]))
        return inside

    def _capture_of_graph(self, tensor: Tensor, name: str | None) -> Tensor:
        if tensor not in self.captured:
            with super().control_dependencies(None):
                dtype = tensor.dtype.base_dtype
                inside = ops.placeholder(dtype, shape=tensor.shape, name=name or tensor.op.name)
            inside._captured_from = tensor
            if hasattr(tensor, "_handle_data"):
                inside._handle_data = tensor._handle_data
            self.captured[tensor] = inside
        return self.captured[tensor]

    def _capture_eager(self, tensor: EagerTensor, name: str | None) -> Tensor:
        """A constant for a few numbers, else a placeholder; texts may be paths of a SavedModel's files."""
        if tensor in self._constants:
            return self._constants[tensor]
        if tensor not in self.captured:
            with self.as_default(), super().control_dependencies(None):
                if _is_inlined(tensor):
                    inside = ops.constant(tensor.numpy(), tensor.dtype)
                    self._constants[tensor] = inside
                    return inside
                inside = ops.placeholder(tensor.dtype, shape=tensor.shape, name=name)
            inside._captured_from = tensor
            if hasattr(tensor, "_handle_data"):
                inside._handle_data = tensor._handle_data
            self.captured[tensor] = inside
        return self.captured[tensor]

    def control_dependencies(self, control_inputs: Any) -> Any:
        """Same as in any graph, but outside nodes are dropped: they run before the function anyway."""
        if control_inputs is None:
            return super().control_dependencies(None)
        inside = []
        for item in control_inputs:
            if hasattr(item, "op") and (hasattr(item, "_handle") or hasattr(item, "_controls")):
                item = item.op
            element = getattr(item, "_as_graph_element", lambda found=item: found)()
            if getattr(element, "graph", self) is self:
                inside.append(element)
        return super().control_dependencies(inside)


class TracedFunction(WrittenFunction):
    """A function of the library, with the tensors that it captures from the outer graph.

    Args:
      name: what its name in graphs is made of.
      function: takes a tensor for each spec, returns a list of what converts to tensors.
      specs: TensorSpecs of the arguments.
      names: those of the arguments; by default "args_0" and so on.
      orders: whether effects run in the order of the program, and before the results.
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
        self.graph = graph
        with graph.as_default():
            scope = get_variable_scope()
            was_resource = scope.use_resource
            scope.set_use_resource(True)
            try:
                for number, spec in enumerate(specs):
                    known = names[number] if names else f"args_{number}"
                    tensor = ops.placeholder(spec.dtype, shape=spec.shape, name=known)
                    graph.inputs.append(tensor)
                    tensor.op._set_attr("_user_specified_name", _text(known))
                first = len(graph._ops)
                results = [ops.convert_to_tensor(r) for r in function(*graph.inputs)]
                results = [ops.identity(t) if orders else graph.capture(t) for t in results]
            finally:
                scope.set_use_resource(was_resource)
            if orders:
                graph.must_run = ordered_effects(graph, first, results)
        graph.inputs += graph.captured.values()
        graph.outputs = results
        around = graph._outer_graph
        super().__init__(graph, numbered_name(f"__inference_{name}", around))

    @property
    def captured_inputs(self) -> list[Tensor]:
        """The tensors of the graph around that are given to it after its arguments."""
        return list(self.graph.captured)


def _is_inlined(tensor: EagerTensor) -> bool:
    if not tensor.dtype.is_numpy_compatible or tensor.dtype is dtypes.string:
        return False
    return math.prod(tensor.shape.as_list()) <= _MOST_IN_CONSTANT


def _text(text: str) -> Any:
    return proto.AttrValue(s=text.encode())
