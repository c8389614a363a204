"""A graph's open scopes and their effect on new nodes: control inputs, devices, attrs."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, ContextDecorator, contextmanager
from typing import TYPE_CHECKING, Any, Literal, overload

from tfmini._src.base import proto
from tfmini._src.graph import element_lookup, nodedef, stack_traces
from tfmini._src.graph.control_dependency_block import ControlDependencies
from tfmini._src.graph.device_spec import DeviceLike, DeviceScope
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor

if TYPE_CHECKING:
    from tfmini._src.graph.control_flow_context import ControlFlowContext


class _Blocks:
    """The scopes that become per-thread after `switch_to_thread_local`."""

    def __init__(self) -> None:
        self.controls: list[ControlDependencies] = []
        self.devices: list[DeviceScope] = []
        # Colocation targets, each followed by the stack of its `colocate_with` call; all nodes of a block share
        # this tuple.
        self.colocations: tuple[Any, ...] = ()


class _BlocksOfThread(threading.local):
    """Per-thread copy of `_Blocks`, made on first access: Python calls `__init__` in each thread."""

    def __init__(self, shared: _Blocks) -> None:
        self.controls = list(shared.controls)
        self.devices = list(shared.devices)
        self.colocations = shared.colocations


class _DeviceBlock(ContextDecorator):
    """A `Graph.device` block; its scope is created on entry."""

    def __init__(self, graph: ScopeStacks, device: DeviceLike) -> None:
        self._graph = graph
        self._device = device

    def __enter__(self) -> None:
        graph = self._graph
        self._scope = DeviceScope(self._device, graph._stacks.capture())
        graph._blocks.devices.append(self._scope)

    def __exit__(self, *unused: object) -> None:
        stack = self._graph._blocks.devices  # replaced by `switch_to_thread_local`
        if not stack or stack[-1] is not self._scope:
            raise RuntimeError("Exiting device scope without proper scope nesting.")
        stack.pop()

    def _recreate_cm(self) -> _DeviceBlock:
        return _DeviceBlock(self._graph, self._device)


class _ColocationBlock(ContextDecorator):
    def __init__(self, graph: ScopeStacks, op: Any, ignore_existing: bool) -> None:
        self._graph = graph
        self._op = op
        self._ignore_existing = ignore_existing

    def __enter__(self) -> None:
        graph, op = self._graph, self._op
        if op is None and not self._ignore_existing:
            raise ValueError(
                "Trying to reset colocation (op is None) but ignore_existing is not True"
            )
        if op is not None and not isinstance(op, Operation):
            op = element_lookup.op_to_colocate_with(op, graph)
        blocks = graph._blocks
        self._devices, blocks.devices = blocks.devices, []
        self._colocations = blocks.colocations
        if self._ignore_existing:
            blocks.colocations = ()
        if op is not None:
            blocks.colocations += (op, graph._stacks.capture())

    def __exit__(self, *unused: object) -> None:
        blocks = self._graph._blocks
        blocks.devices = self._devices
        blocks.colocations = self._colocations

    def _recreate_cm(self) -> _ColocationBlock:
        return _ColocationBlock(self._graph, self._op, self._ignore_existing)


class _AttrBlock(ContextDecorator):
    def __init__(self, graph: ScopeStacks, attr_map: dict[str, Any]) -> None:
        self._graph = graph
        self._attr_map = attr_map

    def __enter__(self) -> None:
        graph, attr_map = self._graph, self._attr_map
        if not isinstance(attr_map, dict):
            raise TypeError(
                "attr_map must be a dictionary mapping strings to AttrValue protocol buffers"
            )
        merged = dict(graph._attr_scope_map)
        for name, value in attr_map.items():
            if not isinstance(name, str) or not (
                value is None or isinstance(value, proto.AttrValue | tuple) or callable(value)
            ):
                raise TypeError(
                    "attr_map must be a dictionary mapping strings to AttrValue protocol buffers or callables that "
                    "emit AttrValue protocol buffers"
                )
            merged[name] = value
            if value is None:
                del merged[name]
        self._old, graph._attr_scope_map = graph._attr_scope_map, merged

    def __exit__(self, *unused: object) -> None:
        self._graph._attr_scope_map = self._old

    def _recreate_cm(self) -> _AttrBlock:
        return _AttrBlock(self._graph, self._attr_map)


def _check_is_string_dict(attributes: object, name: str) -> None:
    if not isinstance(attributes, dict) or not all(
        isinstance(text, str) for item in attributes.items() for text in item
    ):
        raise TypeError(f"{name} must be a dictionary mapping strings to strings")


class ScopeStacks:
    """The mixin of `Graph` for scopes other than name scopes."""

    _nodes_by_name: dict[str, Operation]  # defined by the graph

    def __init__(self) -> None:
        super().__init__()
        self._blocks: _Blocks | _BlocksOfThread = _Blocks()
        self._last_assigned: tuple[DeviceScope, ...] = ()
        self._stacks = stack_traces.Stacks()
        self._control_flow_context: ControlFlowContext | None = None
        self._default_original_op: Operation | None = None
        self._gradient_override_map: dict[str, str] = {}
        self._attr_scope_map: dict[str, Any] = {}
        self._op_to_kernel_label_map: dict[str, str] = {}
        self._container = ""

    def switch_to_thread_local(self) -> None:
        """Makes device, colocation and control dependency scopes per-thread.

        Each thread starts with the scopes that are open now.
        """
        if isinstance(self._blocks, _Blocks):
            self._blocks = _BlocksOfThread(self._blocks)

    @overload
    def as_graph_element(
        self, obj: object, allow_tensor: Literal[True], allow_operation: Literal[False]
    ) -> Tensor: ...

    @overload
    def as_graph_element(
        self, obj: object, allow_tensor: Literal[True] = True, *, allow_operation: Literal[False]
    ) -> Tensor: ...

    @overload
    def as_graph_element(
        self, obj: object, allow_tensor: Literal[False], allow_operation: Literal[True] = True
    ) -> Operation: ...

    @overload
    def as_graph_element(
        self, obj: object, allow_tensor: bool = True, allow_operation: bool = True
    ) -> Tensor | Operation: ...

    def as_graph_element(
        self, obj: object, allow_tensor: bool = True, allow_operation: bool = True
    ) -> Tensor | Operation:
        """Returns the tensor or operation that `obj` refers to (a name, a variable, or the element itself).

        Raises:
          TypeError: if it refers to neither; ValueError: for a malformed name or another graph's element;
          KeyError: for an unknown name.
        """
        return element_lookup.as_graph_element(self, obj, allow_tensor, allow_operation)

    def control_dependencies(self, control_inputs: Iterable[Any] | None) -> ControlDependencies:
        """Context manager whose nodes run after `control_inputs` (tensors or operations); None clears enclosing blocks.

        Raises:
          TypeError: if an element is neither an Operation nor a Tensor.
        """
        if control_inputs is None:
            return ControlDependencies(self, None)
        current = {c for controller in self._blocks.controls for c in controller.control_inputs}
        control_ops = []
        for item in control_inputs:
            # For a resource variable or slices, the producer: no read is added.
            if hasattr(item, "op") and (hasattr(item, "_handle") or hasattr(item, "_controls")):
                item = item.op
            item = self.as_graph_element(item)
            op = item.op if isinstance(item, Tensor) else item
            if op not in current:
                control_ops.append(op)
                current.add(op)
        return ControlDependencies(self, control_ops)

    def device(self, device_name_or_function: DeviceLike) -> AbstractContextManager[None]:
        """Context manager that requests a device for its nodes: a string, DeviceSpec or node function; None resets.

        Inner blocks override the fields that they set and merge with the rest.

        Raises:
          ValueError: if a string is not a valid device.
        """
        return _DeviceBlock(self, device_name_or_function)

    def colocate_with(self, op: Any, ignore_existing: bool = False) -> AbstractContextManager[None]:
        """Context manager that colocates new nodes with `op`, ignoring any enclosing `device` blocks."""
        return _ColocationBlock(self, op, ignore_existing)

    @contextmanager
    def _colocate_with_for_gradient(
        self, op: Any, gradient_uid: str | None, ignore_existing: bool = False
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
        """Context manager that sets the resource container of its stateful nodes."""
        old, self._container = self._container, container_name
        try:
            yield container_name
        finally:
            self._container = old

    @contextmanager
    def gradient_override_map(self, op_type_map: dict[str, str]) -> Iterator[None]:
        """Context manager that overrides gradients: maps op types to names of registered gradients.

        Raises:
          TypeError: if it is not a dict of strings.
        """
        _check_is_string_dict(op_type_map, "op_type_map")
        old = self._gradient_override_map
        self._gradient_override_map = {**old, **op_type_map}
        try:
            yield
        finally:
            self._gradient_override_map = old

    def _attr_scope(self, attr_map: dict[str, Any]) -> AbstractContextManager[None]:
        """Context manager that adds attrs to its nodes (AttrValue protos, or functions of a NodeDef; None removes)."""
        return _AttrBlock(self, attr_map)

    @contextmanager
    def _kernel_label_map(self, op_to_kernel_label_map: dict[str, str]) -> Iterator[None]:
        _check_is_string_dict(op_to_kernel_label_map, "op_to_kernel_label_map")
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

    def _get_control_flow_context(self) -> ControlFlowContext | None:
        return self._control_flow_context

    def _set_control_flow_context(self, context: ControlFlowContext | None) -> None:
        self._control_flow_context = context

    def _control_dependencies_for(self, input_ops: set[Operation]) -> list[Operation]:
        """Returns the control inputs of a new node from the open blocks, minus those implied by its data inputs."""
        controls: list[Operation] = []
        for controller in self._blocks.controls:
            if not any(op in controller.seen for op in input_ops):
                controls.extend(c for c in controller.control_inputs if c not in input_ops)
        return list(dict.fromkeys(controls))

    def _record_op_seen_by_control_dependencies(self, op: Operation) -> None:
        for controller in self._blocks.controls:
            controller.seen.add(op)

    def _apply_scopes(self, op: Operation, devices: bool = True) -> None:
        for key, value in self._attr_scope_map.items():
            if key not in op.attrs:
                if callable(value):
                    value = value(op.node_def)
                    if value is not None and not isinstance(value, proto.AttrValue):
                        raise TypeError(
                            f"Callable for scope map key '{key}' must return either None or an AttrValue "
                            f"protocol buffer; but it returned: {value}"
                        )
                if value:
                    if not isinstance(value, tuple):
                        value = nodedef.python_value(value, None)
                    op.attrs = {**op.attrs, key: value}
        if self._op_to_kernel_label_map and op.type in self._op_to_kernel_label_map:
            op.attrs = {**op.attrs, "_kernel": self._op_to_kernel_label_map[op.type]}
        if self._gradient_override_map and op.type in self._gradient_override_map:
            op.attrs = {**op.attrs, "_gradient_op_type": self._gradient_override_map[op.type]}
        if self._blocks.controls:
            self._record_op_seen_by_control_dependencies(op)
        if devices and self._blocks.devices:
            self._apply_devices(op)
        if self._blocks.colocations:
            groups: set[str] = set()
            op._colocations = self._blocks.colocations
            for other in self._blocks.colocations[-2::-2]:
                groups.update(other._colocation_groups())
                if other._device:
                    op._device = other._device
            op.attrs = {**op.attrs, "_class": tuple(sorted(groups))}
        if self._container and op.opdef.stateful and op.attrs.get("container") == "":
            op.attrs = {**op.attrs, "container": self._container}

    def _apply_device_functions(self, op: Any) -> None:
        """Applies the open device blocks to `op`, or to any object with `device` and `_set_device_from_string`."""
        if isinstance(op, Operation):
            self._apply_devices(op)
            return
        requested = None
        for scope in reversed(self._blocks.devices):
            if scope.clears_device:
                break
            device = scope.apply(op)
            if device is not requested:
                op._set_device_from_string(device)
                requested = device

    def _apply_devices(self, op: Operation) -> None:
        devices = self._blocks.devices
        if not devices:
            return
        assigned_devices = tuple(devices)
        # Most nodes share the groups of the previous one.
        if assigned_devices != self._last_assigned:
            self._last_assigned = assigned_devices
        op._device_assignments = self._last_assigned
        for scope in reversed(devices):
            if scope.clears_device:
                break
            op._device = scope.apply(op)
