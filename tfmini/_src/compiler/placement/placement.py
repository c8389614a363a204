"""place: assigns a device to each node.

As in TensorFlow, the whole graph is placed, not only the nodes of a run, so an invalid device fails in the
first run; with `place_pruned_graph`, only the nodes of each step. If there is only one device, nothing is computed;
else `placer.py` decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tfmini._src.compiler.placement import placement_errors, placer
from tfmini._src.compiler.placement.device_names import names, parse_device
from tfmini._src.compiler.placement.device_set import DeviceSet
from tfmini._src.compiler.program.program import Program
from tfmini._src.devices.attributes import DeviceAttributes
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.operation import Operation


class Placement:
    """The devices of a graph's nodes, for one session.

    Args:
      devices: the available devices, the CPU of this process first.
      soft: whether nodes that cannot run on the requested device are moved to another.
      log: whether to print every node's device.
      pruned: whether to place only the nodes of a step, once per step.
      mixed_precision: whether devices compute products of float32 in half precision.
    """

    def __init__(
        self,
        devices: Sequence[DeviceAttributes],
        soft: bool = False,
        log: bool = False,
        pruned: bool = False,
        mixed_precision: bool = False,
    ):
        self.devices = list(devices)
        self._set = DeviceSet(devices)
        self._default = min(d.name for d in devices if d.device_type == devices[0].device_type)
        self._allows_soft_placement = soft
        self._log = log
        self.pruned = pruned
        self.mixed_precision = mixed_precision
        self._graph: Graph | None = None
        self._placed: dict[Operation, str] = {}
        self._previous_devices: dict[
            str, str
        ] = {}  # devices of stateful nodes in the previous graph
        self._requests: list[str] = []  # the nodes' device strings when first seen
        # Device strings for which there is no choice.
        self._plain_requests = {""} if len(self._set.types) == 1 else set()
        self._needs_placer = log
        if log:
            lines = [f"{d.name} -> {d.description}" for d in devices if d.description]
            print("\n".join(["Device mapping:", *lines]), flush=True)

    def copy_for_graph(self) -> Placement:
        """Returns a placement with the same devices and options for another graph, which is not logged."""
        return Placement(
            self.devices,
            self._allows_soft_placement,
            pruned=self.pruned,
            mixed_precision=self.mixed_precision,
        )

    def update(self, graph: Graph) -> None:
        """Places the nodes added to the graph; with `log_device_placement`, prints every node's device.

        As in TensorFlow, a stateless node may move when the graph grows; compiled steps keep its old device.

        Raises:
          InvalidArgumentError: if no device can run a node.
        """
        if graph is not self._graph:  # function bodies inlined in place of calls
            self._previous_devices = {
                op.name: self.op_device(op) for op in self._placed if op._is_stateful
            }
            self._graph, self._requests, self._placed = graph, [], {}
        placed, count = len(self._requests), len(graph._ops)
        if count == placed:
            return
        requests = self._requests + [op.device for op in graph._ops[placed:count]]
        self._needs_placer = self._needs_placer or not self._are_plain(requests[placed:])
        if self._needs_placer and not self.pruned:
            pinned = {op: self.op_device(op) for op in graph._ops[:placed] if op._is_stateful}
            for op in graph._ops[placed:count]:
                if op.name in self._previous_devices:
                    pinned[op] = self._previous_devices[op.name]
            self._placed = self._assigned_devices(dict(zip(graph._ops, requests)), pinned)
        self._requests = requests

    def place_step(self, ops: set[Operation]) -> None:
        """Places a step's operations without moving nodes with state; raises InvalidArgumentError if no device fits."""
        if self._graph is None or not self._needs_placer:
            return
        nodes = {op: request for op, request in zip(self._graph._ops, self._requests) if op in ops}
        pinned = {op: device for op, device in self._placed.items() if op._is_stateful}
        for op in nodes.keys() - pinned.keys():
            if op.name in self._previous_devices:
                pinned[op] = self._previous_devices[op.name]
        self._placed = {**pinned, **self._assigned_devices(nodes, pinned)}

    def _assigned_devices(
        self, nodes: dict[Operation, str], pinned: dict[Operation, str]
    ) -> dict[Operation, str]:
        """Returns the devices of nodes, each with its effective device string."""
        try:
            return placer.assign_devices(
                nodes, self._set, pinned, self._allows_soft_placement, self._log
            )
        except placement_errors.PlacementError as error:
            raise error.to_session_error() from None

    def op_device(self, op: Operation) -> str:
        """Returns the full name of the device that runs `op`."""
        return self._placed.get(op, self._default)

    def _are_plain(self, requests: Iterable[str]) -> bool:
        """Whether the device strings require no decision."""
        return all(device in self._plain_requests or self._is_plain(device) for device in requests)

    def _is_plain(self, request: str) -> bool:
        """Whether `request` matches the only device."""
        if len(self.devices) > 1:
            return False
        name, device = parse_device(request), parse_device(self._default)
        if name is None or device is None or not names(name, device):
            return False
        self._plain_requests.add(request)
        return True


def place(program: Program, placement: Placement) -> Program:
    """Assigns a device to each node."""
    if placement.pruned:
        placement.place_step({node.origin for node in program.nodes})
    for node in program.nodes:
        node.device = placement.op_device(node.origin)
    return program
