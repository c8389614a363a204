"""placer: assigns a device to each node of a graph, as TensorFlow 1.15's placer does.

Nodes that must share a device form groups (`colocation.py`). A group's candidates are the devices that its members
request and that can run all of them, CPUs last, each type sorted by name; the first is chosen. Two kinds of nodes may
differ: a node that only reads its input's shape is placed with the input, and a node that only generates a value is
placed with all its readers.
"""

from __future__ import annotations

from tfmini._src.base import runtime_log
from tfmini._src.compiler.placement.colocation import Group, Groups, preferred_name
from tfmini._src.compiler.placement.device_names import parse_device
from tfmini._src.compiler.placement.device_set import DeviceSet
from tfmini._src.compiler.placement.placement_errors import no_device
from tfmini._src.compiler.program.graph_order import in_order
from tfmini._src.graph.operation import Operation

_LOOP_BACK_OPS = frozenset({"NextIteration", "RefNextIteration"})  # their outputs close a loop
_SHAPE_OPS = frozenset({"Shape", "Size", "Rank"})


def assign_devices(
    nodes: dict[Operation, str],
    devices: DeviceSet,
    pinned: dict[Operation, str],
    soft: bool = False,
    log: bool = False,
) -> dict[Operation, str]:
    """Returns the full device name of each node.

    Args:
      nodes: operations of a graph or of one step, each with its effective device string.
      devices: the available devices.
      pinned: nodes that stay on their device, given by its full name.
      soft: whether a node is placed elsewhere if its requested device has no kernel for it.
      log: whether to print each node's device.

    Raises:
      PlacementError: if no device can run a node.
    """
    back_tensors = {t for op in nodes if op.type in _LOOP_BACK_OPS for t in op.outputs}
    ordered = in_order(set(nodes), back_tensors)
    groups = Groups(ordered, nodes, devices, pinned, soft, log)
    placed: dict[Operation, str] = {}

    def place(op: Operation, device: str) -> None:
        placed[op] = device
        groups.root(op).place(device)
        if log:
            print(f"{op.name}: ({op.type}): {device}", flush=True)

    generators = []
    for op in ordered:
        if op in pinned:
            place(op, pinned[op])
        elif _is_generator(op):
            generators.append(op)
        else:
            candidates = _candidate_devices(op, groups, soft)
            neighbor_device = placed.get(op.inputs[0].op) if op.type in _SHAPE_OPS else None
            place(
                op,
                neighbor_device
                if neighbor_device in candidates and neighbor_device
                else candidates[0],
            )
    for op in generators:
        candidates = _candidate_devices(op, groups, soft)
        readers = [r for r in (*op.outputs[0]._consumers, *op._control_outputs) if r in nodes]
        neighbor_device = placed.get(readers[0]) if readers else None
        shared = neighbor_device in candidates and all(
            placed.get(reader) == neighbor_device for reader in readers
        )
        place(op, neighbor_device if shared and neighbor_device else candidates[0])
    return placed


def _is_generator(op: Operation) -> bool:
    return not op.inputs and len(op.outputs) == 1 and not op.outputs[0].dtype._is_ref_dtype


def _candidate_devices(op: Operation, groups: Groups, soft: bool) -> tuple[str, ...]:
    """Returns the candidate devices of a node's group, best first."""
    root = groups.root(op)
    candidates = groups.devices.candidates(root.requested, root.kinds)
    if not candidates and soft:
        candidates = _soft_candidates(root, groups)
    if not candidates:
        members = groups.members(root)
        is_own_request = parse_device(groups.requests[op]) == root.requested
        raise no_device(op, root, members, groups.devices, is_own_request)
    return candidates


def _soft_candidates(root: Group, groups: Groups) -> tuple[str, ...]:
    """Returns the devices of any type in the same task; producers of references and handles are moved last."""
    preferred = preferred_name(root, (root.assigned, root.resource))
    candidates = groups.devices.candidates(preferred, root.kinds)
    if candidates:
        return candidates
    candidates = groups.devices.candidates(preferred_name(root, (root.assigned,)), root.kinds)
    if candidates:
        listing = "\n  ".join(candidates)
        text = (
            "Failed to place the graph without changing the devices of some resources. Some of the operations (that "
            "had to be colocated with resource generating operations) are not supported on the resources' devices. "
            f"Current candidate devices are [\n  {listing}].\nSee below for details of this colocation group:"
            f"{groups.debug_info(root)}"
        )
        runtime_log.log(runtime_log.WARNING, text.encode())
    return candidates
