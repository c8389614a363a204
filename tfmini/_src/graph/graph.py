"""`Graph`: operations, their names and collections, and the scopes that apply to new ones."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from tfmini._src.base import proto
from tfmini._src.base.dtypes import DType
from tfmini._src.base.errors import InternalError, invalid
from tfmini._src.base.logs import warn
from tfmini._src.base.names.deprecation import deprecated_args
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import copy_dims
from tfmini._src.base.version import GRAPH_DEF_VERSION
from tfmini._src.graph import default_stack, int32_attrs, nodedef, op_registry, stack_traces
from tfmini._src.graph.attributes import Attrs, to_str
from tfmini._src.graph.eager import tapes
from tfmini._src.graph.graph_collections import Collections
from tfmini._src.graph.graphdef import validation
from tfmini._src.graph.loop_inputs import check_input
from tfmini._src.graph.notebooks import graph_picture
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.scope_stacks import ScopeStacks
from tfmini._src.graph.shape_inference import InferenceError, ShapeRule, text
from tfmini._src.graph.tensor import Tensor
from tfmini._src.graph.unique_names import VALID_OP_NAME, Names

if TYPE_CHECKING:
    from tfmini._src.graph.function_library import Function
    from tfmini._src.graph.opdef import OpDef

_ID = attrgetter("_id")
_MIN_FUNCTION_CONSUMER = 12  # the minimum consumer version of graphs with functions


class Graph(Names, Collections, ScopeStacks):
    """A TensorFlow computation, represented as a dataflow graph.

    There is always a default graph (`tf.get_default_graph()`); `with graph.as_default():` replaces it within the
    block. Names are unique, ignoring case.
    """

    # Builders of functional conditionals and loops (one node that calls functions); None for v1 control flow.
    _build_cond: Callable[..., Any] | None = None
    _build_while: Callable[..., Any] | None = None
    # Whether side effects run in program order regardless of fetches: true in function bodies.
    _orders_effects = False
    _builds_function = False
    # Whether this is the graph of a conditional branch or a loop body; it shares the enclosing graph's collections.
    _is_part = False
    # Whether TensorFlow optimizes the graph before it runs: false for the ops of eager mode.
    _is_optimized = True
    building_function: bool = read_only("Whether this is a function's graph.", "_builds_function")
    finalized: bool = read_only("Whether the graph is finalized.")

    def __init__(self) -> None:
        super().__init__()
        self._ops: list[Operation] = []
        self._nodes_by_name: dict[str, Operation] = {}
        self._last_id = 0  # a failed node also consumes an id, which default seeds depend on
        self._seed: int | None = None
        self._seed_used = False  # whether an op without its own seed has used the graph's seed
        self._unfeedable: set[Tensor] = set()
        self._invalid = ""  # why sessions reject the graph, if they do
        self._unfetchable: set[Operation] = set()
        self._functions: dict[str, Function] = {}
        # The reduction of the last loss of `tf.losses`, and whether an optimizer divided it by the number of replicas.
        self._last_loss_reduction: str | None = None
        self._is_loss_scaled_by_optimizer = False
        # Number of operations that each open session has compiled; changing these has no effect.
        self._session_versions: WeakKeyDictionary[Any, int] = WeakKeyDictionary()
        self._producer = self._newest_producer = GRAPH_DEF_VERSION
        self._min_consumer = 0
        self._bad_consumers: set[int] = set()

    def as_default(self) -> default_stack.StackEntryContext[Graph]:
        """Context manager that makes this graph this thread's default for the block."""
        return default_stack.StackEntryContext(default_stack.graphs, self, self._blocks.devices)

    def _repr_html_(self) -> str:
        """Returns a picture of the graph, for notebooks."""
        return graph_picture.picture(self._ops)

    # Adding nodes --------------------------------------------------------------------------------

    def add_node(
        self,
        opdef: OpDef,
        name: str,
        inputs: tuple[Tensor, ...],
        input_dtypes: tuple[DType, ...] | None,
        attrs: Attrs,
        devices: bool = True,
    ) -> Operation:
        """Adds a node named exactly `name`, with the control inputs, device and attrs of the current scopes."""
        if self._finalized:
            self._check_not_finalized()
        control_inputs: list[Operation] = []
        if self._blocks.controls:
            control_inputs = self._control_dependencies_for({t.op for t in inputs})
        if not VALID_OP_NAME.match(name):
            raise ValueError(f"'{name}' is not a valid node name")
        with self._lock:
            op = Operation.__new__(Operation)
            op._fill(self, opdef, name, inputs, input_dtypes, attrs, control_inputs)
            meets_context = self._add_op(op, self._stacks.capture(1), opdef.shape_rule)
        if meets_context:
            self._enter_context(op)
        self._apply_scopes(op, devices)
        if tapes.is_in_use and tapes.recording():
            tapes.record(op)
        return op

    def _add_op(self, op: Operation, frames: stack_traces.Frames, rule: ShapeRule | None) -> bool:
        """Adds a node with output shapes from `rule`; returns whether it or an input is in a control flow context."""
        self._last_id += 1
        op._id = self._last_id
        op._frames = frames
        if rule is not None:
            self._infer_shapes(op, rule)
        context = op._control_flow_context = self._control_flow_context
        op._original_op = self._default_original_op
        if op._name in self._nodes_by_name:
            raise ValueError(f"Duplicate node name in graph: '{op._name}'")
        self._ops.append(op)
        self._nodes_by_name[op._name] = op
        meets_context = context is not None
        for tensor in op._inputs:
            if tensor._readers:
                tensor._add_consumer(op)
            else:
                tensor._readers = op
            meets_context = meets_context or tensor.op._control_flow_context is not None
        for control in op._control_inputs:
            control._add_control_output(op)
        return meets_context

    def _enter_context(self, op: Operation) -> None:
        """Adds a new node to the current control flow context."""
        for tensor in op.inputs:
            if tensor.op._control_flow_context is not None:
                check_input(op, tensor.op)
        if op._control_flow_context is not None:
            op._control_flow_context.AddOp(op)

    def _next_id(self) -> int:
        self._last_id += 1
        return self._last_id

    def _infer_shapes(self, op: Operation, rule: ShapeRule) -> None:
        try:
            names = int32_attrs.RULE_INT32_ATTRS.get(op.opdef.name)
            wrong = names and int32_attrs.range_error(names, op.attrs)
            if wrong:
                raise InferenceError(wrong)
            shapes: Any = rule(op)
        except InferenceError as error:
            raise ValueError(_shape_error(op, str(error))) from None
        except InternalError as error:
            raise InternalError(None, None, _shape_error(op, error.message)) from None
        op._consulted = None
        results = op._output_tensors
        if results.__class__ is Tensor and shapes.__class__ is not list:
            results._dims = copy_dims(shapes) if shapes and None in shapes else shapes
            return
        outputs = op.outputs
        if len(outputs) == 1 and not isinstance(shapes, list):
            outputs[0]._dims = copy_dims(shapes)
            return
        for tensor, dims in zip(outputs, shapes):
            tensor._dims = copy_dims(dims)

    @deprecated_args(
        None,
        "Shapes are always computed; don't use the compute_shapes as it has no effect.",
        "compute_shapes",
    )
    def create_op(
        self,
        op_type: str,
        inputs: Sequence[Tensor],
        dtypes: object = None,
        input_types: Iterable[DType] | None = None,
        name: str | None = None,
        attrs: dict[str, proto.AttrValue] | None = None,
        op_def: object = None,
        compute_shapes: bool = True,
        compute_device: bool = True,
    ) -> Operation:
        """Adds a node of type `op_type` with AttrValue protos as `attrs`; usually called through the functions of `tf`.

        `dtypes`, `op_def` and `compute_shapes` are accepted and ignored: output types come from the op declaration,
        and shapes are always computed. Without `compute_device`, open device scopes do not affect the node.
        """
        self._check_not_finalized()  # fails before the name is registered
        opdef = self._find_opdef(op_type)
        for i, tensor in enumerate(inputs):
            if not isinstance(tensor, Tensor):
                raise TypeError(f"Input #{i} is not a tensor: {tensor}")
        plain = {
            key: nodedef.python_value(value, opdef.attrs.get(key))
            for key, value in (attrs or {}).items()
        }
        if name is None:
            name = op_type
        name = name[:-1] if name.endswith("/") else self.unique_name(name)
        types = _checked_types(name, inputs, input_types)
        op_registry.complete_attrs(opdef, inputs, plain)
        validation.check_new_node(opdef, name, inputs, plain)
        return self.add_node(opdef, name, tuple(inputs), types, plain, compute_device)

    def _add_by_node_def(
        self,
        op: Operation,
        node_def: proto.NodeDef,
        inputs: list[Tensor],
        controls: Iterable[Operation | Tensor],
        input_types: Iterable[DType] | None,
    ) -> None:
        """Adds `op` as the node described by a NodeDef, unaffected by open scopes."""
        self._check_not_finalized()
        if not VALID_OP_NAME.match(node_def.name):
            raise ValueError(f"'{node_def.name}' is not a valid node name")
        for tensor in inputs:
            if not isinstance(tensor, Tensor):
                raise TypeError(f"input needs to be a Tensor: {tensor}")
        types = _checked_types(node_def.name, inputs, input_types)
        opdef = self._find_opdef(node_def.op)
        attrs = {
            key: nodedef.python_value(value, opdef.attrs.get(key))
            for key, value in node_def.attr.items()
        }
        op_registry.complete_attrs(opdef, inputs, attrs)
        validation.check_new_node(opdef, node_def.name, inputs, attrs)
        operations = [c if isinstance(c, Operation) else c.op for c in controls]
        with self._lock:
            op._fill(self, opdef, node_def.name, tuple(inputs), types, attrs, operations)
            self._add_op(op, self._stacks.capture(2), opdef.shape_rule)
        self._enter_context(op)
        op._set_device(node_def.device)

    def _find_opdef(self, op_type: str) -> OpDef:
        """Returns the declaration of an op or of a library function."""
        function = self._functions.get(op_type)
        return op_registry.opdef(op_type) if function is None else function.opdef

    def _add_function(self, function: Function) -> None:
        """Adds a `Function` to the library."""
        name = function.library_name
        if function.grad_func_name is not None and function.python_grad_func is not None:
            raise ValueError(f"Gradient defined twice for function {name}")
        existing = self._functions.get(name)
        problem = (
            existing is not None
            and existing is not function
            and describe_conflict(existing, function)
        )
        if name in op_registry.registry:
            problem = (
                f"Cannot add function '{name}' because an op with the same name already exists."
            )
        if problem:
            invalid(problem)
        self._functions[name] = function
        self._min_consumer = max(self._min_consumer, _MIN_FUNCTION_CONSUMER)

    def _get_function(self, name: str | bytes) -> Function | None:
        """Returns the library function named `name`; None if the library lacks it."""
        return self._functions.get(to_str(name))

    def _is_function(self, name: str | bytes) -> bool:
        """Whether the library contains a function named `name`."""
        return to_str(name) in self._functions

    def note_mutation(self, op: Operation, change: str) -> None:
        """Warns if a node that an open session has already run is mutated: the session keeps its compiled version."""
        if op._id <= max(self._session_versions.values(), default=0) and op.graph is self:
            warn(
                f"Operation '{op.name}' was changed {change} after it was run by a session. This mutation will "
                "have no effect, and will trigger an error in the future. Either don't modify nodes after "
                "running them or create a new session."
            )

    # Looking up ----------------------------------------------------------------------------------

    def get_operations(self) -> list[Operation]:
        """Returns all operations in creation order."""
        return list(self._ops)

    def _operations_after(self, op_id: int) -> list[Operation]:
        """Returns the operations with ids above `op_id`, in creation order."""
        return self._ops[bisect_right(self._ops, op_id, key=_ID) :]

    def get_operation_by_name(self, name: str) -> Operation:
        """Returns the operation named `name`; raises KeyError, ValueError or TypeError if not found."""
        if not isinstance(name, str):
            raise TypeError(f"Operation names are strings (or similar), not {type(name).__name__}.")
        return self.as_graph_element(name, allow_tensor=False, allow_operation=True)

    def get_tensor_by_name(self, name: str) -> Tensor:
        """Returns the tensor named `name` ("op:0"); raises KeyError, ValueError or TypeError if not found."""
        if not isinstance(name, str):
            raise TypeError(f"Tensor names are strings (or similar), not {type(name).__name__}.")
        return self.as_graph_element(name, allow_tensor=True, allow_operation=False)

    def is_feedable(self, tensor: Tensor) -> bool:
        """Whether `tensor` may be a key of a feed_dict."""
        return tensor not in self._unfeedable

    def prevent_feeding(self, tensor: Tensor) -> None:
        """Marks `tensor` as not feedable."""
        self._unfeedable.add(tensor)

    def is_fetchable(self, tensor_or_op: Tensor | Operation) -> bool:
        """Whether a tensor or operation may be fetched."""
        op = tensor_or_op.op if isinstance(tensor_or_op, Tensor) else tensor_or_op
        return op not in self._unfetchable

    def prevent_fetching(self, op: Operation) -> None:
        """Marks `op` as not fetchable."""
        self._unfetchable.add(op)

    # State and export ----------------------------------------------------------------------------

    @property
    def version(self) -> int:
        """A version number that increases with each operation."""
        return self._ops[-1]._id if self._ops else 0

    _version = version  # read by libraries

    @property
    def _nodes_by_id(self) -> dict[int, Operation]:
        """The operations by id, for libraries that read the private name."""
        return {op._id: op for op in self._ops}

    def _get_op_def(self, type: str) -> proto.OpDef:
        """Returns the OpDef of an op type, for programs that export graphs."""
        return nodedef.op_def(op_registry.opdef(type))

    @property
    def graph_def_versions(self) -> proto.VersionDef:
        """The graph's GraphDef versions as a VersionDef proto."""
        return proto.VersionDef(
            producer=self._producer,
            min_consumer=self._min_consumer,
            bad_consumers=sorted(self._bad_consumers),
        )

    def _merge_versions(self, versions: proto.VersionDef) -> None:
        """Merges the versions of an imported GraphDef into the graph's own."""
        self._producer = min(self._producer, versions.producer)
        self._newest_producer = max(self._newest_producer, versions.producer)
        self._min_consumer = max(self._min_consumer, versions.min_consumer)
        self._bad_consumers.update(versions.bad_consumers)

    @property
    def seed(self) -> int | None:
        """The graph-level random seed."""
        return self._seed

    @seed.setter
    def seed(self, seed: int | None) -> None:
        self._seed = seed

    def finalize(self) -> None:
        """Makes the graph read-only: later additions raise RuntimeError."""
        self._finalized = True

    def _unsafe_unfinalize(self) -> None:
        self._finalized = False

    @property
    def _c_graph(self) -> Graph:
        """Stand-in for TensorFlow's C API handle: the graph itself."""
        return self

    @property
    def _py_funcs_owner(self) -> Graph:
        """The graph that owns the Python functions of nodes added here."""
        return self

    @property
    def _building_function(self) -> bool:
        """Alias of `building_function` for libraries that use the private name."""
        return self.building_function

    def as_graph_def(
        self, from_version: int | None = None, add_shapes: bool = False
    ) -> proto.GraphDef:
        """Serializes the graph to a GraphDef proto.

        Args:
          from_version: accepted and ignored, as in TensorFlow 1.15.
          add_shapes: adds static shapes as attr `_output_shapes` of each node.
        """
        with self._lock:
            return nodedef.graph_def(self, add_shapes)


def describe_conflict(existing: Function, new: Function) -> str | None:
    """Describes how `new` conflicts with an existing function of the same name; None if it does not."""
    if existing.definition != new.definition:
        return (
            f"Cannot add function '{existing.name}' because a different function with the same name "
            "already exists."
        )
    if existing.grad_func_name is None or new.grad_func_name in (None, existing.grad_func_name):
        return None
    return (
        f"Cannot assign gradient function '{new.grad_func_name}' to '{existing.name}' because it already has "
        f"gradient function '{existing.grad_func_name}'"
    )


def _checked_types(
    name: str, inputs: Sequence[Tensor], types: Iterable[DType] | None
) -> tuple[DType, ...] | None:
    """Returns the requested input types of a new node after checking its inputs against them."""
    if types is None:
        return None
    types = [*types]
    actual = [t.dtype for t in inputs]
    if not all(expected.is_compatible_with(d) for expected, d in zip(types, actual)):
        raise TypeError(
            f"In op '{name}', input types ({actual}) are not compatible with expected types ({types})"
        )
    return tuple(types)


def _shape_error(op: Operation, problem: str) -> str:
    """Returns the full message of a shape error: the node, its input shapes and the values read by the shape rule."""
    message = f"{problem} for '{op.name}' (op: '{op.type}') with input shapes: "
    message += ", ".join(text(t._dims) for t in op.inputs)
    read = op._consulted or ()
    partial = {i: dims for i, dims, is_shape in read if is_shape}
    values = {i: v for i, v, is_shape in read if not is_shape and i not in partial}
    if values:
        listing = ", ".join(f"input[{i}] = <{_constant_text(values[i])}>" for i in sorted(values))
        message += f" and with computed input tensors: {listing}"
    partial = {i: dims for i, dims in partial.items() if dims != ()}
    if partial:
        listing = ",".join(f"input[{i}] = {text(partial[i])}" for i in sorted(partial))
        message += f" and with input tensors computed as partial shapes: {listing}"
    return message + "."


def _constant_text(value: Any) -> str:
    """Formats a constant for shape errors: nested lists without the outermost brackets."""
    if getattr(value, "ndim", 0) == 0:
        scalar = value.item() if hasattr(value, "item") else value
        if isinstance(scalar, bytes):
            return scalar.decode(errors="backslashreplace")
        return f"{scalar:.6g}" if isinstance(scalar, float) else str(value)
    if value.ndim == 1:
        return " ".join(_constant_text(v) for v in value)
    return "".join(f"[{_constant_text(row)}]" for row in value)
