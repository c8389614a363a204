"""place: which device runs each node.

An explicit device first, else that of what a node must be with (colocation groups, reference edges), else CPU:0. As in
TensorFlow the whole graph is placed, not only what a run needs, so that a bad device is an error of the first run.
"""

from __future__ import annotations

from typing import Any

from tfmini.backend.devices import TASK, Device
from tfmini.errors import InvalidArgumentError
from tfmini.graph.devices import DeviceSpec
from tfmini.runtime.failures import defined_at
from tfmini.runtime.program import Program
from tfmini.runtime.prune import in_order

_BACK = ("NextIteration", "RefNextIteration")  # what they give closes a loop


class Placement:
    """The devices of a graph's nodes, for one session."""

    def __init__(self, devices: list[Device], soft: bool = False, log: bool = False):
        self.devices = devices
        self._names = {d.name for d in devices}
        self._default = devices[0].name
        self._soft = soft
        self._log = log
        self._placed: dict[Any, str] = {}
        self._resolved: dict[str, str | None] = {"": None}
        self._count = 0
        if log:
            print("Device mapping:", flush=True)

    def update(self, graph: Any) -> None:
        """Places what the graph has gained; with `log_device_placement`, prints where every node is.

        Raises:
          InvalidArgumentError: if a node asks for a device that does not exist.
        """
        count = len(graph._ops)
        if count == self._count:
            return
        added = graph._ops[self._count : count]
        # Nodes that only generate a value are placed last, as TensorFlow does.
        for op in sorted(added, key=_generates):
            device = self._explicit(op) or self._of_group(op)
            if device is not None and device != self._default:
                self._placed[op] = device
        self._count = count
        if self._log:
            self._print(graph._ops[:count])

    def device_of(self, op: Any) -> str:
        """The full name of the device that runs `op`."""
        return self._placed.get(op, self._default)

    def _explicit(self, op: Any) -> str | None:
        """The device that the node's own string means."""
        asked = op.device
        if asked in self._resolved:
            return self._resolved[asked]
        device = self._resolve(asked)
        if device is None:
            available = ", ".join(sorted(self._names))
            message = (
                f"Cannot assign a device for operation {op.name}: node {op.name}{defined_at(op)} was "
                f"explicitly assigned to {asked} but available devices are [ {available} ]. Make sure the "
                "device specification refers to a valid device."
            )
            if DeviceSpec.from_string(asked).device_type == "GPU":
                message += " The requested device appears to be a GPU, but CUDA is not enabled."
            raise InvalidArgumentError(op.node_def, op, f"{message}\n\t [[{op.name}]]")
        self._resolved[asked] = device
        return device

    def _resolve(self, asked: str) -> str | None:
        """The full name of a device that `asked` describes; under soft placement the CPU for any of this task's."""
        spec = DeviceSpec.from_string(asked)
        if (
            spec.job not in (None, "localhost")
            or spec.replica not in (None, 0)
            or spec.task not in (None, 0)
        ):
            return None
        wanted_type = spec.device_type or "CPU"
        if spec.device_index is None:
            matching = sorted(d.name for d in self.devices if d.device_type == wanted_type)
            name = matching[0] if matching else None
        else:
            name = f"{TASK}/device:{wanted_type}:{spec.device_index}"
        if name in self._names:
            return name
        return self._default if self._soft and wanted_type in ("CPU", "GPU") else None

    def _of_group(self, op: Any) -> str | None:
        """The device of what the node must be with, if that is not the default one."""
        if not self._placed:
            return None
        for tensor in op.inputs:
            if tensor.dtype._is_ref_dtype and tensor.op in self._placed:
                return self._placed[tensor.op]
        for group in op.attrs.get("_class", ()):
            leader = op.graph._nodes_by_name.get(group.removeprefix("loc:@"))
            if leader in self._placed:
                return self._placed[leader]
        return None

    def _print(self, ops: list[Any]) -> None:
        """Prints each node's device in the placer's order: what a node reads before it, and nodes that only generate
        a value last."""
        back = {t for op in ops if op.type in _BACK for t in op.outputs}
        ops = in_order(set(ops), back)
        generators = [op for op in ops if _generates(op)]
        for op in [*(op for op in ops if not _generates(op)), *generators]:
            print(f"{op.name}: ({op.type}): {self.device_of(op)}", flush=True)


def _generates(op: Any) -> bool:
    return not op.inputs and len(op.outputs) == 1 and not op.outputs[0].dtype._is_ref_dtype


def place(program: Program, placement: Placement) -> Program:
    """Gives each node its device."""
    for node in program.nodes:
        node.device = placement.device_of(node.origin)
    return program
