"""`Graph`: a list of operations, their names and collections, and the scopes in which new ones are made."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tfmini import proto
from tfmini.graph import default, frames, lookup, nodedef
from tfmini.graph.control import ControlDependencies
from tfmini.graph.devices import DeviceScope
from tfmini.graph.inference import InferenceError, text
from tfmini.graph.operation import Operation
from tfmini.graph.tensor import Tensor
from tfmini.logs import warn

_VALID_OP_NAME = re.compile("^[A-Za-z0-9.][A-Za-z0-9_.\\-/]*$")
_VALID_SCOPE_NAME = re.compile("^[A-Za-z0-9_.\\-/]*$")

# The GraphDef versions of TensorFlow 1.15.5.
_PRODUCER = 134


class _NameStack(threading.local):
    name = ""


class Graph:
    """A TensorFlow computation, represented as a dataflow graph.

    A default graph is always there (`tf.get_default_graph()`); `with graph.as_default():` makes another one the
    default of the block. Names are unique, without regard to case.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._ops: list[Operation] = []
        self._nodes_by_name: dict[str, Operation] = {}
        self._names_in_use: dict[str, int] = {}
        self._names = _NameStack()
        self._collections: dict[Any, list] = {}
        self._finalized = False
        self._seed: int | None = None
        self._control_dependencies_stack: list[ControlDependencies] = []
        self._device_stack: list[DeviceScope] = []
        self._colocation_stack: list[Operation] = []
        self._control_flow_context: Any = None
        self._default_original_op: Any = None
        self._gradient_override_map: dict[str, str] = {}
        self._attr_scope_map: dict[str, Any] = {}
        self._op_to_kernel_label_map: dict[str, str] = {}
        self._container = ""
        self._unfeedable: set[Tensor] = set()
        self._unfetchable: set[Any] = set()
        self._functions: dict[str, Any] = {}
        self._has_run: set[Operation] | None = None
        self._producer = _PRODUCER
        self._min_consumer = 0
        self._bad_consumers: set[int] = set()

    # Names ---------------------------------------------------------------------------------------

    @property
    def _name_stack(self) -> str:
        return self._names.name

    def unique_name(self, name: str, mark_as_used: bool = True) -> str:
        """`name` inside the current scope, made unique by a suffix `_1`, `_2` ... where it is taken."""
        scope = self._names.name
        if scope:
            name = f"{scope}/{name}"
        key = name.lower()
        used = self._names_in_use
        count = used.get(key, 0)
        if mark_as_used:
            used[key] = count + 1
        if count > 0:
            base = key
            while key in used:
                key = f"{base}_{count}"
                count += 1
            if mark_as_used:
                used[key] = 1
            name = f"{name}_{count - 1}"
        return name

    def enter_name(self, name: str) -> str:
        """The node name that a user's `name=` gives; raises ValueError for a bad one."""
        self.check_scope_name(name)
        return self.unique_name(name)

    def check_scope_name(self, name: str) -> None:
        """Scopes at the root must be valid op names, nested ones may start with other characters."""
        pattern = _VALID_SCOPE_NAME if self._names.name else _VALID_OP_NAME
        if not pattern.match(name):
            raise ValueError(f"'{name}' is not a valid scope name")

    def get_name_scope(self) -> str:
        """The current name scope, "outer/inner" without a final slash, or ""."""
        return self._names.name

    @contextmanager
    def name_scope(self, name: str | bytes | None) -> Iterator[str]:
        """Prefixes the names of what is made in the block; yields "outer/name/".

        A name that ends with "/" re-enters that scope as it is; None or "" go to the root.
        """
        old = self._names.name
        self._names.name = self.open_scope(name)
        try:
            yield self._names.name and self._names.name + "/"
        finally:
            self._names.name = old

    def open_scope(self, name: str | bytes | None) -> str:
        """The name that the stack takes when scope `name` is entered."""
        if not name:
            return ""
        if isinstance(name, bytes):
            name = name.decode()
        self.check_scope_name(name)
        return name[:-1] if name[-1] == "/" else self.unique_name(name)

    # Adding nodes --------------------------------------------------------------------------------

    def add_node(
        self,
        opdef: Any,
        name: str,
        inputs: tuple[Tensor, ...],
        input_dtypes: tuple | None,
        attrs: dict[str, Any],
    ) -> Operation:
        """Adds a node called exactly `name`; the current scopes give it control inputs, a device and attrs."""
        if self._finalized:
            raise RuntimeError("Graph is finalized and cannot be modified.")
        control_inputs: list[Operation] = []
        if self._control_dependencies_stack:
            control_inputs = self._control_dependencies_for({t.op for t in inputs})
        with self._lock:
            op = Operation(self, opdef, name, inputs, input_dtypes, attrs, control_inputs)
            op._frames = frames.capture(1)
            if opdef.shape_rule is not None:
                self._infer(op)
            op._control_flow_context = self._control_flow_context
            op._original_op = self._default_original_op
            self._register(op)
        if op._control_flow_context is not None:
            op._control_flow_context.AddOp(op)
        self._apply_scopes(op)
        return op

    def _register(self, op: Operation) -> None:
        if op.name in self._nodes_by_name:
            raise ValueError(f"Duplicate node name in graph: '{op.name}'")
        if not _VALID_OP_NAME.match(op.name):
            raise ValueError(f"'{op.name}' is not a valid node name")
        self._ops.append(op)
        op._id = len(self._ops)
        self._nodes_by_name[op.name] = op
        for tensor in op.inputs:
            tensor._consumers.append(op)
        for control in op._control_inputs:
            control._control_outputs.append(op)

    def _infer(self, op: Operation) -> None:
        """Sets the static shapes of the outputs."""
        try:
            shapes = op.opdef.shape_rule(op)
        except InferenceError as error:
            raise ValueError(_shape_error(op, str(error))) from None
        outputs = op.outputs
        if len(outputs) == 1 and not isinstance(shapes, list):
            outputs[0]._dims = shapes
            return
        for tensor, dims in zip(outputs, shapes):
            tensor._dims = dims

    def _apply_scopes(self, op: Operation, devices: bool = True) -> None:
        attrs = op.attrs
        for key, value in self._attr_scope_map.items():
            if key not in attrs:
                if callable(value):
                    value = value(op.node_def)
                    if value is not None and not isinstance(value, proto.AttrValue):
                        raise TypeError(
                            f"Callable for scope map key '{key}' must return either None or an AttrValue "
                            f"protocol buffer; but it returned: {value}"
                        )
                if value:
                    plain = isinstance(value, tuple)
                    attrs[key] = value if plain else nodedef.python_value(value, None)
        if self._op_to_kernel_label_map and op.type in self._op_to_kernel_label_map:
            attrs["_kernel"] = self._op_to_kernel_label_map[op.type]
        if self._gradient_override_map and op.type in self._gradient_override_map:
            attrs["_gradient_op_type"] = self._gradient_override_map[op.type]
        for controller in self._control_dependencies_stack:
            controller.seen.add(op)
        if devices:
            self._apply_devices(op)
        if self._colocation_stack:
            groups: set[str] = set()
            for other in reversed(self._colocation_stack):
                groups.update(group.decode() for group in other.colocation_groups())
                if other.device:
                    op.device = other.device
            attrs["_class"] = tuple(sorted(groups))
        if self._container and op.opdef.stateful and attrs.get("container") == "":
            attrs["container"] = self._container

    def _apply_devices(self, op: Operation) -> None:
        for scope in reversed(self._device_stack):
            if scope.stops:
                break
            op.device = scope.apply(op)

    def create_op(
        self,
        op_type: str,
        inputs: Any,
        dtypes: Any = None,
        input_types: Any = None,
        name: str | None = None,
        attrs: dict[str, Any] | None = None,
        op_def: Any = None,
        compute_shapes: bool = True,
        compute_device: bool = True,
    ) -> Operation:
        """Adds a node of type `op_type` with AttrValue protos as `attrs`; the functions of `tf` are the usual way.

        `dtypes`, `op_def`, `compute_shapes` and `compute_device` are accepted and change nothing: the op's
        declaration gives the output types, and shapes and devices are always computed.
        """
        opdef = lookup.opdef(op_type)
        for i, tensor in enumerate(inputs):
            if not isinstance(tensor, Tensor):
                raise TypeError(f"Input #{i} is not a tensor: {tensor}")
        plain = {
            key: nodedef.python_value(value, opdef.attrs.get(key)) for key, value in (attrs or {}).items()
        }
        lookup.complete_attrs(opdef, inputs, plain)
        if name is None:
            name = op_type
        name = name[:-1] if name.endswith("/") else self.unique_name(name)
        return self.add_node(
            opdef, name, tuple(inputs), None if input_types is None else tuple(input_types), plain
        )

    def note_mutation(self, op: Operation, how: str) -> None:
        """Warns where a node that a session has run is changed: the session keeps what it compiled."""
        if self._has_run is not None and op in self._has_run:
            warn(
                f"Operation '{op.name}' was changed {how} after it was run by a session. This mutation will "
                "have no effect, and will trigger an error in the future. Either don't modify nodes after "
                "running them or create a new session."
            )

    def _control_dependencies_for(self, input_ops: set[Operation]) -> list[Operation]:
        """The control inputs that the open blocks give a node, less those that its data inputs imply."""
        found: list[Operation] = []
        for controller in self._control_dependencies_stack:
            if not any(op in controller.seen for op in input_ops):
                found.extend(c for c in controller.control_inputs if c not in input_ops)
        return list(dict.fromkeys(found))

    # Scopes --------------------------------------------------------------------------------------

    def as_default(self) -> Any:
        """A context manager that makes this graph the default of the block, in this thread."""
        return default.graphs.pushed(self)

    def control_dependencies(self, control_inputs: Any) -> ControlDependencies:
        """A block whose nodes run after `control_inputs` (tensors or operations); None clears what is open.

        Raises:
          TypeError: if one of them is neither an Operation nor a Tensor.
        """
        if control_inputs is None:
            return ControlDependencies(self, None)
        current = {c for controller in self._control_dependencies_stack for c in controller.control_inputs}
        control_ops = []
        for item in control_inputs:
            # A resource variable, or slices: what made them, so that no read is added.
            if hasattr(item, "_handle") and hasattr(item, "op") or hasattr(item, "_dense_shape"):
                item = item.op
            item = self.as_graph_element(item)
            op = item.op if isinstance(item, Tensor) else item
            if op not in current:
                control_ops.append(op)
                current.add(op)
        return ControlDependencies(self, control_ops)

    @contextmanager
    def device(self, device_name_or_function: Any) -> Iterator[None]:
        """Asks for a device for the nodes of the block: a string, DeviceSpec or function of the node; None resets.

        Inner blocks overrule what they name and merge with the rest.

        Raises:
          ValueError: if a string names no device.
        """
        self._device_stack.append(DeviceScope(device_name_or_function))
        stack = self._device_stack
        try:
            yield
        finally:
            stack.pop()

    @contextmanager
    def colocate_with(self, op: Any, ignore_existing: bool = False) -> Iterator[None]:
        """Places the nodes of the block where `op` is; forgets the device blocks that are open."""
        if op is None and not ignore_existing:
            raise ValueError("Trying to reset colocation (op is None) but ignore_existing is not True")
        if op is not None and not isinstance(op, Operation):
            op = lookup.op_to_colocate_with(op, self)
        devices, self._device_stack = self._device_stack, []
        colocations = self._colocation_stack
        self._colocation_stack = [] if ignore_existing else list(colocations)
        if op is not None:
            self._colocation_stack.append(op)
        try:
            yield
        finally:
            self._device_stack = devices
            self._colocation_stack = colocations

    @contextmanager
    def _colocate_with_for_gradient(
        self, op: Any, gradient_uid: Any, ignore_existing: bool = False
    ) -> Iterator[None]:
        with self.colocate_with(op, ignore_existing):
            context = self._control_flow_context
            if gradient_uid is None or context is None:
                yield
                return
            context.EnterGradientColocation(op, gradient_uid)
            try:
                yield
            finally:
                context.ExitGradientColocation(op, gradient_uid)

    @contextmanager
    def container(self, container_name: str) -> Iterator[str]:
        """Stateful nodes of the block keep their state in this resource container."""
        old, self._container = self._container, container_name
        try:
            yield container_name
        finally:
            self._container = old

    @contextmanager
    def gradient_override_map(self, op_type_map: dict[str, str]) -> Iterator[None]:
        """Nodes of the block whose type is a key use the gradient registered under its value.

        Raises:
          TypeError: if it is not a dict of strings.
        """
        if not isinstance(op_type_map, dict):
            raise TypeError("op_type_map must be a dictionary mapping strings to strings")
        for key, value in op_type_map.items():
            if not isinstance(key, str) or not isinstance(value, str):
                raise TypeError("op_type_map must be a dictionary mapping strings to strings")
        old = self._gradient_override_map
        self._gradient_override_map = {**old, **op_type_map}
        try:
            yield
        finally:
            self._gradient_override_map = old

    @contextmanager
    def _attr_scope(self, attr_map: dict[str, Any]) -> Iterator[None]:
        """Nodes of the block get these attrs (AttrValue protos, or functions of a NodeDef; None removes)."""
        if not isinstance(attr_map, dict):
            raise TypeError("attr_map must be a dictionary mapping strings to Callables or AttrValue protos")
        old = self._attr_scope_map
        self._attr_scope_map = {k: v for k, v in {**old, **attr_map}.items() if v is not None}
        try:
            yield
        finally:
            self._attr_scope_map = old

    @contextmanager
    def _kernel_label_map(self, op_to_kernel_label_map: dict[str, str]) -> Iterator[None]:
        old = self._op_to_kernel_label_map
        self._op_to_kernel_label_map = {**old, **op_to_kernel_label_map}
        try:
            yield
        finally:
            self._op_to_kernel_label_map = old

    @contextmanager
    def _original_op(self, op: Operation) -> Iterator[None]:
        old, self._default_original_op = self._default_original_op, op
        try:
            yield
        finally:
            self._default_original_op = old

    def _get_control_flow_context(self) -> Any:
        return self._control_flow_context

    def _set_control_flow_context(self, context: Any) -> None:
        self._control_flow_context = context

    # Collections ---------------------------------------------------------------------------------

    @property
    def collections(self) -> list:
        """The names of all collections."""
        return list(self._collections)

    def get_all_collection_keys(self) -> list:
        """The names of all collections that are strings."""
        return [key for key in self._collections if isinstance(key, str)]

    def add_to_collection(self, name: Any, value: Any) -> None:
        """Appends `value` (once more if it is there already) to a collection."""
        if self._finalized:
            raise RuntimeError("Graph is finalized and cannot be modified.")
        with self._lock:
            self._collections.setdefault(name, []).append(value)

    def add_to_collections(self, names: Any, value: Any) -> None:
        """Appends `value` to each of `names`, once each."""
        for name in (names,) if isinstance(names, str) else dict.fromkeys(names):
            self.add_to_collection(name, value)

    def get_collection_ref(self, name: Any) -> list:
        """The list itself: changing it changes the collection."""
        with self._lock:
            return self._collections.setdefault(name, [])

    def get_collection(self, name: Any, scope: str | None = None) -> list:
        """A copy of the collection; with `scope`, those whose name matches the regular expression `scope`."""
        with self._lock:
            items = self._collections.get(name, [])
            if scope is None:
                return list(items)
            pattern = re.compile(scope)
            return [item for item in items if hasattr(item, "name") and pattern.match(item.name)]

    def clear_collection(self, name: Any) -> None:
        """Removes a collection."""
        if self._finalized:
            raise RuntimeError("Graph is finalized and cannot be modified.")
        with self._lock:
            self._collections.pop(name, None)

    # Looking up ----------------------------------------------------------------------------------

    def as_graph_element(self, obj: Any, allow_tensor: bool = True, allow_operation: bool = True) -> Any:
        """The tensor or operation that `obj` names or stands for (a name, a variable, itself).

        Raises:
          TypeError: if it stands for neither; ValueError: for a malformed name or another graph;
          KeyError: for an unknown name.
        """
        return lookup.as_graph_element(self, obj, allow_tensor, allow_operation)

    def get_operations(self) -> list[Operation]:
        """All operations, in the order in which they were made."""
        return list(self._ops)

    def get_operation_by_name(self, name: str) -> Operation:
        """The operation called `name`; raises KeyError, ValueError or TypeError if there is none."""
        if not isinstance(name, str):
            raise TypeError(f"Operation names are strings (or similar), not {type(name).__name__}.")
        return self.as_graph_element(name, allow_tensor=False, allow_operation=True)

    def get_tensor_by_name(self, name: str) -> Tensor:
        """The tensor called `name` ("op:0"); raises KeyError, ValueError or TypeError if there is none."""
        if not isinstance(name, str):
            raise TypeError(f"Tensor names are strings (or similar), not {type(name).__name__}.")
        return self.as_graph_element(name, allow_tensor=True, allow_operation=False)

    def is_feedable(self, tensor: Tensor) -> bool:
        """Whether `tensor` may be a key of a feed_dict."""
        return tensor not in self._unfeedable

    def prevent_feeding(self, tensor: Tensor) -> None:
        """Marks `tensor` as not feedable."""
        self._unfeedable.add(tensor)

    def is_fetchable(self, tensor_or_op: Any) -> bool:
        """Whether it may be fetched."""
        op = tensor_or_op.op if isinstance(tensor_or_op, Tensor) else tensor_or_op
        return op not in self._unfetchable

    def prevent_fetching(self, op: Operation) -> None:
        """Marks `op` as not fetchable."""
        self._unfetchable.add(op)

    # State and export ----------------------------------------------------------------------------

    @property
    def version(self) -> int:
        """Grows with each operation."""
        return len(self._ops)

    @property
    def _last_id(self) -> int:
        return len(self._ops)

    @property
    def graph_def_versions(self) -> Any:
        """A VersionDef proto: the GraphDef versions of this graph."""
        return proto.VersionDef(
            producer=self._producer,
            min_consumer=self._min_consumer,
            bad_consumers=sorted(self._bad_consumers),
        )

    def _merge_versions(self, versions: Any) -> None:
        """Notes that nodes of a GraphDef with these versions are in the graph."""
        self._producer = min(self._producer, versions.producer)
        self._min_consumer = max(self._min_consumer, versions.min_consumer)
        self._bad_consumers.update(versions.bad_consumers)

    @property
    def seed(self) -> int | None:
        """The graph-level random seed."""
        return self._seed

    @seed.setter
    def seed(self, seed: int | None) -> None:
        self._seed = seed

    @property
    def finalized(self) -> bool:
        """Whether the graph can no longer change."""
        return self._finalized

    def finalize(self) -> None:
        """Makes the graph read-only: adding to it raises RuntimeError from now on."""
        self._finalized = True

    def _unsafe_unfinalize(self) -> None:
        self._finalized = False

    @property
    def building_function(self) -> bool:
        """Whether this is the graph of a function."""
        return False

    def switch_to_thread_local(self) -> None:
        """Accepted as in TensorFlow: name scopes are each thread's own already."""

    def as_graph_def(self, from_version: int | None = None, add_shapes: bool = False) -> Any:
        """The graph as a GraphDef proto.

        Args:
          from_version: accepted and without effect, as in TensorFlow 1.15.
          add_shapes: adds the static shapes as an attr `_output_shapes` of each node.
        """
        with self._lock:
            return nodedef.graph_def(self, add_shapes)


def _shape_error(op: Operation, problem: str) -> str:
    """The whole text of a shape error: the node, its input shapes and the values that the rule read."""
    message = f"{problem} for '{op.name}' (op: '{op.type}') with input shapes: "
    message += ", ".join(text(t._dims) for t in op.inputs)
    partial = dict(op.__dict__.get("_consulted_partial", ()))
    values = {i: v for i, v in op.__dict__.get("_consulted", ()) if i not in partial}
    if values:
        shown = ", ".join(f"input[{i}] = <{_summary(values[i])}>" for i in sorted(values))
        message += f" and with computed input tensors: {shown}"
    if partial:
        shown = ",".join(f"input[{i}] = {text(partial[i])}" for i in sorted(partial))
        message += f" and with input tensors computed as partial shapes: {shown}"
    return message + "."


def _summary(value: Any) -> str:
    """A constant as shape errors print it: nested lists without the outermost brackets."""
    if getattr(value, "ndim", 0) == 0:
        return str(value)
    if value.ndim == 1:
        return " ".join(str(v) for v in value)
    return "".join(f"[{_summary(row)}]" for row in value)


