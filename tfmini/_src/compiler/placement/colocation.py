"""colocation: groups of nodes that must share a device, and their merged device requests.

Nodes are colocated if a reference or resource edge connects them, or by `_class` attributes. Groups are disjoint sets
merged by union; the root of each holds the merged requests of its members.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base.dtypes import resource
from tfmini._src.base.errors import InternalError
from tfmini._src.compiler.placement.device_names import (
    ANYWHERE,
    DeviceName,
    Incompatible,
    compatible,
    merge_devices,
    override_device,
    parse_device,
)
from tfmini._src.compiler.placement.device_set import DeviceSet, Kinds, common_kinds
from tfmini._src.compiler.placement.placement_errors import (
    PlacementError,
    attach_node,
    debug_info,
    log_line,
    malformed_device_error,
    placed_node,
)
from tfmini._src.compiler.program.graph_order import reference_flags
from tfmini._src.graph.operation import Operation


class Group:
    """A set of nodes that share a device; the root's fields describe it.

    requested: the devices requested by the members, including `resource` and `assigned`.
    resource: devices requested by producers of references or handles: never overruled.
    assigned: the group's device, once a member has been placed.
    kinds: the types of device that can run all members.
    """

    __slots__ = ("parent", "rank", "requested", "resource", "assigned", "device", "kinds")

    def __init__(self, kinds: Kinds):
        self.parent = self
        self.rank = 0
        self.requested = self.resource = self.assigned = ANYWHERE
        self.device = ""  # full device name of a placed member
        self.kinds = kinds

    def root(self) -> Group:
        group = self
        while group.parent is not group:
            group.parent = group.parent.parent
            group = group.parent
        return group

    def place(self, device: str) -> None:
        """Assigns a root to the device of one of its placed members."""
        if device == self.device:
            return
        name = parse_device(device) or ANYWHERE
        try:
            self.assigned = merge_devices(self.assigned, name)
        except Incompatible as error:
            raise PlacementError(
                "Constraining by assigned device should not cause an error. Original root's assigned device name: "
                f"{self.assigned} node's assigned device name \"{device}. Error: {error}",
                kind=InternalError,
            ) from None
        self.resource = override_device(self.resource, name)
        self.requested = override_device(self.requested, name)
        self.device = device


class Groups:
    """The colocation groups of a graph's nodes, in placement order, with their requested device strings.

    Args:
      pinned: full device names of the nodes that cannot move.
      soft: whether conflicting nodes may be placed apart.
      log: whether to report overruled requests.
    """

    def __init__(
        self,
        ops: Sequence[Operation],
        requests: dict[Operation, str],
        devices: DeviceSet,
        pinned: dict[Operation, str],
        soft: bool,
        log: bool,
    ):
        self.ops = ops
        self.requests = requests
        self.devices = devices
        self._allows_soft_placement = soft
        self._log = log
        self._group_of = {op: Group(devices.supported_types(op)) for op in ops}
        self._members: dict[Group, list[Any]] | None = None  # created on demand
        self._read_requests(pinned)
        self._join_edges()
        self._join_classes()

    def root(self, op: Operation) -> Group:
        """Returns the root of the group of a node."""
        return self._group_of[op].root()

    def members(self, root: Group) -> list[Operation]:
        """Returns the nodes of a group, in order."""
        if self._members is None:
            self._members = {}
            for op in self.ops:
                self._members.setdefault(self.root(op), []).append(op)
        return self._members[root]

    def debug_info(self, root: Group) -> str:
        """Returns a group in the format of TensorFlow's errors."""
        return debug_info(root, self.members(root), self.devices)

    def _read_requests(self, pinned: dict[Operation, str]) -> None:
        for index, op in enumerate(self.ops):
            request = pinned.get(op) or self.requests[op]
            if not request:
                continue
            name = parse_device(request)
            if name is None:
                raise malformed_device_error(op, index)
            group = self._group_of[op]
            group.requested = name
            if op in pinned:
                group.assigned = name
            elif _makes_reference(op):
                group.resource = name

    def _join_edges(self) -> None:
        for op in self.ops:
            for source in _reference_producers(op):
                if source in self._group_of:  # unless it is fed
                    self._join_edge(source, op)

    def _join_classes(self) -> None:
        roots: dict[str, Operation] = {}
        for op in self.ops:
            for name in [group[5:].decode() for group in op.colocation_groups()]:
                first = roots.setdefault(name, op)
                if first is op:
                    continue
                try:
                    self._merge_groups(op, first)
                except PlacementError as error:
                    error = attach_node(error.text, op, [op, first])
                    if not self._allows_soft_placement:
                        raise error from None
                    if self._log:
                        log_line(
                            f"Ignoring request to colocate node '{op.name}' with nodes in colocation group "
                            f"'{name}' because soft placement is on and an attempt at doing so resulted in the "
                            f"following error: {error.text}"
                        )

    def _join_edge(self, source: Operation, op: Operation) -> None:
        """Joins a node with the producer of its reference or handle input; the producer's request takes precedence."""
        origin, group = self.root(source), self.root(op)
        for kind, left_op, other in (
            ("assigned", origin.assigned, group.assigned),
            ("resource", origin.resource, group.resource),
        ):
            if not compatible(left_op, other):
                raise attach_node(
                    "Cannot place the graph because a reference or resource edge connects colocation groups with "
                    f"incompatible {kind} devices: {left_op} vs {other}. The edge src node is {source.name} , and the "
                    f"dst node is {op.name}",
                    op,
                )
        if not compatible(origin.requested, group.requested):
            if self._log:
                log_line(
                    f"Ignoring device specification {group.requested} for node '{op.name}' because the input edge "
                    f"from '{source.name}' is a reference connection and already has a device field set to "
                    f"{origin.requested}"
                )
            requested = override_device(origin.requested, group.assigned)
            group.requested = override_device(requested, group.resource)
        try:
            self._merge_groups(source, op)
        except PlacementError as error:
            raise attach_node(
                "Nodes were connected by a reference connection (requiring them to be on the same device), but "
                f"the two nodes were assigned two different devices: {error.text}",
                op,
                [source, op],
            ) from None

    def _merge_groups(self, left_op: Operation, other: Operation) -> None:
        """Merges the groups of two nodes."""
        first, second = self.root(left_op), self.root(other)
        if first is second:
            return
        new, old = (second, first) if first.rank < second.rank else (first, second)
        try:
            assigned_device = merge_devices(new.assigned, old.assigned)
            resource = merge_devices(new.resource, old.resource)
            requested = merge_devices(new.requested, old.requested, self._allows_soft_placement)
        except Incompatible as error:
            raise PlacementError(
                f"Cannot colocate nodes {placed_node(left_op)} and {placed_node(other)}: {error}"
            ) from None
        new.assigned, new.resource = assigned_device, resource
        new.requested = override_device(override_device(requested, assigned_device), resource)
        if new.kinds is not old.kinds:
            kinds = common_kinds(new.kinds, old.kinds)
            if not kinds:
                raise PlacementError(
                    f"Cannot colocate nodes {placed_node(left_op)} and {placed_node(other)} because no device type "
                    "supports both of those nodes and the other nodes colocated with them."
                    f"{self.debug_info(first)}{self.debug_info(second)}"
                )
            new.kinds = kinds
        new.rank += first.rank == second.rank
        old.parent = new
        self._members = None


def _makes_reference(op: Operation) -> bool:
    """Whether a node only produces a reference or a handle."""
    if op.inputs or len(op.outputs) != 1:
        return False
    dtype = op.outputs[0].dtype
    return dtype._is_ref_dtype or dtype is resource


def _reference_producers(op: Operation) -> list[Operation]:
    """Returns the producers of the references and handles that `op` reads."""
    if op.opdef.takes_single_tensors:
        return [t.op for t in op.inputs if t.dtype is resource]
    pairs = zip(op.inputs, reference_flags(op))
    return [t.op for t, is_reference in pairs if is_reference or t.dtype is resource]


def preferred_name(root: Group, keep: tuple[DeviceName, ...]) -> DeviceName:
    """Returns the constraint kept by soft placement: type and number, unless `keep` specifies more."""
    requested = root.requested
    return DeviceName(
        requested.job,
        requested.replica,
        requested.task,
        requested.type if any(name.type is not None for name in keep) else None,
        requested.device_index if any(name.device_index is not None for name in keep) else None,
    )
