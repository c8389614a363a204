"""placement_errors: the placer's errors for a node that fits no device, in TensorFlow's words."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from tfmini._src.base import proto
from tfmini._src.base.dtypes import DType, as_dtype
from tfmini._src.base.errors import InvalidArgumentError, OpError
from tfmini._src.compiler.error_translation import defined_at, describe_node, where
from tfmini._src.compiler.placement.device_set import DeviceSet
from tfmini._src.devices.device_kind import DeviceKind
from tfmini._src.devices.registry import KINDS
from tfmini._src.graph import stack_traces
from tfmini._src.graph.op_def_summary import attr_summary
from tfmini._src.graph.opdef import Attr
from tfmini._src.graph.operation import Operation

if TYPE_CHECKING:
    from tfmini._src.compiler.placement.colocation import Group


_SOFT_PLACEMENT_ADVICE = "tf.ConfigProto(allow_soft_placement=True) lets the CPU run such nodes."


class PlacementError(Exception):
    """Raised if a graph cannot be placed.

    text: the reason, up to the node.
    op: the node; None if there is no single node.
    end: the node's suffix in messages, and further details.
    kind: error class raised by a session.
    absent: the requested device kind that is unavailable.
    """

    def __init__(
        self,
        text: str,
        op: Operation | None = None,
        end: str = "",
        kind: Callable[..., OpError] = InvalidArgumentError,
        absent: DeviceKind | None = None,
    ):
        super().__init__(text)
        self.text = text
        self.op = op
        self.end = end
        self.kind = kind
        self.absent_kind = absent

    def to_session_error(self) -> OpError:
        """Returns the error as a session raises it."""
        node = None if self.op is None else self.op.node_def
        error = self.kind(node, self.op, self.text + self.end)
        return (
            error
            if self.absent_kind is None
            else self.absent_kind.with_reason(error, _SOFT_PLACEMENT_ADVICE)
        )


def attach_node(text: str, op: Operation, colocated: Iterable[Operation] = ()) -> PlacementError:
    """Returns the error with its node; `colocated` are the nodes whose `device` blocks are listed."""
    details = "\n".join(f"{colocations(other)}\n{device_blocks(other)}" for other in colocated)
    if details:
        details = f"Additional information about colocations:{details}"
    return PlacementError(text, op, f"\n\t {where(op)}{details}")


def malformed_device_error(op: Operation, index: int) -> PlacementError:
    """Returns the error for node number `index` of the graph, which has a malformed device string."""
    inputs = [t.name.removesuffix(":0") for t in op.inputs]
    inputs += [f"^{control.name}" for control in op.control_inputs]
    attribute = f'_device="{op.device}"'
    return PlacementError(
        f"Malformed device specification '{op.device}' in node: {{name:'{op.name}' id:{index + 2} op device:{{}} "
        f"def:{{{describe_node(op)} = {op.type}"
        f"[{', '.join([*_attr_list(op), attribute])}]({', '.join(inputs)})}}}}",
        op,
        f"\n\t [[{op.name}]]",
    )


def _attr_list(op: Operation) -> list[str]:
    attrs = dict(op.node_def.attr)
    return [f"{key}={attr_summary(value)}" for key, value in sorted(attrs.items())]


def no_kernel(op: Operation) -> PlacementError:
    """Returns the error for a node whose op or dtypes no CPU kernel supports."""
    return PlacementError(
        f"No OpKernel was registered to support Op '{op.type}' used by {describe_node(op)}with these "
        f"attrs: [{', '.join(_attr_list(op))}]\nRegistered devices: [CPU]\nRegistered kernels:\n"
        f"{_kernels_by_dtype(op)}\n",
        op,
        f"\t [[{op.name}]]",
    )


def _kernels_by_dtype(op: Operation) -> str:
    """Returns the kernels for single dtypes, or pairs of them, one per line."""
    if op.opdef.kernel_pairs is not None:
        attrs, pairs = op.opdef.kernel_pairs
        rows = [
            "; ".join(_dtypes_text(a, [dtype]) for a, dtype in zip(attrs, pair)) for pair in pairs
        ]
        return "".join(f"  device='CPU'; {row}\n" for row in rows)
    lines = [
        f"  device='CPU'; {_dtypes_text(name, [dtype])}\n"
        for name, unsupported in op.opdef.no_kernel.items()
        for dtype in op.opdef.attrs[name].allowed or ()
        if dtype not in unsupported
    ]
    return "".join(lines) or "  <no registered kernels>\n"


def no_device(
    op: Operation,
    root: Group,
    members: Sequence[Operation],
    devices: DeviceSet,
    is_own_request: bool,
) -> PlacementError:
    """Returns the error for a node whose group fits no device.

    is_own_request: whether the group's request is the node's own.
    """
    if op.opdef.device_only and not any(kind.has_memory for kind in devices.kinds):
        return no_kernel(op)
    start = f"Cannot assign a device for operation {op.name}: "
    names = [device.name for device in devices.devices]
    info = debug_info(root, members, devices)
    if not root.requested.type and not any(root.requested):
        dtype_names = ", ".join(tensor.dtype.proto_name for tensor in op.inputs)
        return attach_node(
            f"{start}Node had no OpKernel registered to support this operation: Operation was {op.type} and "
            f"inputs were [{dtype_names}].\n{info}",
            op,
        )
    if not is_own_request:
        return attach_node(
            f"{start}Could not satisfy explicit device specification '{op.device}' because the node "
            f"{placed_node(op)} was colocated with a group of nodes that required incompatible device "
            f"'{root.requested}'. All available devices [{', '.join(names)}]. {info}",
            op,
            [op],
        )
    if not devices.matching(root.requested):
        text = (
            f"{start}{describe_node(op)} was explicitly assigned to {op.device} but available devices "
            f"are [ {', '.join(sorted(names))} ]. Make sure the device specification refers to a valid device."
        )
        absent_kind = KINDS.get((root.requested.type or "").upper())
        if absent_kind in devices.kinds:
            absent_kind = None
        if absent_kind is not None and absent_kind.absence():
            text += f" {absent_kind.absence()}"
        return PlacementError(text, op, f"\n\t [[{op.name}]]", absent=absent_kind)
    problem = f"{start}Could not satisfy explicit device specification '{op.device}'"
    if root.requested.type is None:
        return attach_node(problem + info, op)
    return attach_node(
        f"{problem} because no supported kernel for {root.requested.type} devices is available.{info}\n"
        f"Op: {op.type}\nNode attrs: {', '.join(_attr_list(op))}\n"
        f"Registered kernels:\n{registered_kernels(op, devices)}",
        op,
    )


def debug_info(root: Group, members: Sequence[Operation], devices: DeviceSet) -> str:
    """Describes a group for errors: its root's fields, the devices that can run its ops, its members' requests."""
    kinds = {}
    for op in members:
        kinds[op.type] = " ".join(kind.type for kind in devices.supported_types(op))
    device_index = -1
    if root.device:
        device_index = 1 + [device.name for device in devices.devices].index(root.device)
    lines = [
        "",
        "Colocation Debug Info:",
        "Colocation group had the following types and supported devices: ",
        f"Root Member(assigned_device_name_index_={device_index} requested_device_name_='{root.requested}' "
        f"assigned_device_name_='{root.assigned}' resource_device_name_='{root.resource}' "
        f"supported_device_types_=[{', '.join(kind.type for kind in root.kinds)}] possible_devices_=[]",
        *(f"{kind}: {types} " for kind, types in kinds.items()),
        "",
        "Colocation members, user-requested devices, and framework assigned devices, if any:",
        *(f"  {op.name} ({op.type}) {op.device}" for op in members),
        "",
    ]
    return "\n".join(lines)


def registered_kernels(op: Operation, devices: DeviceSet) -> str:
    """Returns the available kernels for a node's op, one per line."""
    lines = []
    for kind in devices.kinds:
        for kernel in kind.constraints(op.type):
            parts = [_dtypes_text(name, map(as_dtype, sorted(names))) for name, names in kernel]
            lines.append("; ".join([f"  device='{kind.name}'", *parts]))
    allowed = [
        _dtypes_text(a.name, a.allowed or ()) for a in op.opdef.attrs.values() if _lists_dtypes(a)
    ]
    if not op.opdef.device_only:
        lines.append("; ".join(["  device='CPU'", *allowed]))
    return "\n".join(lines) + "\n"


def _lists_dtypes(attr: Attr) -> bool:
    return attr.kind in ("type", "list(type)") and attr.allowed is not None


def _dtypes_text(name: str, dtypes: Iterable[DType]) -> str:
    type_names = (proto.DataType.Name(dtype.as_datatype_enum) for dtype in dtypes)
    return f"{name} in [{', '.join(type_names)}]"


def placed_node(op: Operation) -> str:
    """Describes a node with its source line and the enclosing `tf.device` blocks."""
    return f"node {op.name}{defined_at(op)} placed on device {device_blocks(op)} "


def device_blocks(op: Operation) -> str:
    """Returns the `tf.device` blocks around a node's creation, innermost first."""
    if not op._device_assignments:
        return f"No device assignments were active during op '{op.name}' creation."
    lines = [f"Device assignments active during op '{op.name}' creation:"]
    for scope in reversed(op._device_assignments):
        lines.append(f"  with tf.device({scope}):{_source_line(scope.frames)}")
    return "\n".join(lines)


def colocations(op: Operation) -> str:
    """Returns the `colocate_with` blocks around a node's creation, innermost first."""
    if not op._colocations:
        return f"No node-device colocations were active during op '{op.name}' creation."
    lines = [f"Node-device colocations active during op '{op.name}' creation:"]
    for other, device_frames in reversed(op._colocated_with):
        lines.append(f"  with tf.colocate_with({other.name}):{_source_line(device_frames)}")
    return "\n".join(lines)


def _source_line(device_frames: stack_traces.Frames) -> str:
    """Returns the source location of a `with` statement, skipping frames of contextlib."""
    location = stack_traces.user_location(device_frames, excluded_file=contextlib.__file__)
    return "" if location is None else f" <{location.filename}:{location.lineno}>"


def log_line(text: str) -> None:
    """Logs placements that deviate from the program's requests."""
    print(text, file=sys.stderr, flush=True)
