"""partition: selects the nodes of a plan that run in sequence on one GPU and can be captured together.

A captured segment repeats its launches for the same shapes. A node may join a segment only if its work depends only on
device memory and on host values determined by the shapes: constants, shapes, and values computed from them. Nodes that
cannot be captured run before the segment if they do not depend on it, else after it, so that a fetched loss does not
split a step; nodes with side effects keep their order, except on stacks and TensorArrays, whose inputs order them.

A loop is captured per iteration; its counters, predicates, stacks and TensorArrays stay on the host.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import replace

from tfmini._src.base import dtypes
from tfmini._src.compiler.program.program import CHOICE_OPS, Node, Program
from tfmini._src.devices.cuda.capture.liveness import add_liveness
from tfmini._src.devices.cuda.capture.segments import (
    Layout,
    Segment,
    UncapturableReason,
    is_known,
    is_read,
    variable_key,
    writes,
)
from tfmini._src.devices.cuda.capture.uncapturable_ops import KNOWN_UNCAPTURABLE
from tfmini._src.devices.cuda.device import select_gpus

# Minimum launches to amortize copying a segment's inputs; in a loop the copies are one launch.
_MIN_LAUNCHES = 4
_MIN_LAUNCHES_IN_LOOPS = 3
_SORTING_LAUNCHES = 3  # launches of an op that first sorts its indices

# Recurrent networks whose state, the dropout stream, is on the GPU and whose host outputs are constant.
_NETS = frozenset(
    f"CudnnRNN{kind}" for kind in ("", "V2", "V3", "Backprop", "BackpropV2", "BackpropV3")
)

_REASONS_BY_KIND = {
    "while": UncapturableReason.LOOP,
    "alive": UncapturableReason.CHOICE,
    "send": UncapturableReason.RESULT,
    "receive": UncapturableReason.RESULT,
    "collective": UncapturableReason.SEVERAL,
}


def partition(
    program: Program,
    uncapturable: Iterable[tuple[str, str]],
    last_uses: Callable[[Program], dict[int, int]],
    cells: Mapping[int, Node],
    is_loop: bool = False,
) -> Layout:
    """Returns the program with nodes reordered into segments.

    Args:
      program: the compiled program.
      uncapturable: the (kind, op) of nodes that cannot be captured.
      last_uses: maps a program to the last node that uses each slot's memory.
      cells: by feed slot, the variable node of feeds that hold the same variable cell in every run.
      is_loop: whether the program is an iteration of a loop.
    """
    partitioner = _Partitioner(program, frozenset(uncapturable), cells, is_loop)
    ordered = replace(program, nodes=partitioner.order_nodes())
    if not partitioner.segments:
        return Layout(program, cells=partitioner.cells, uncaptured=partitioner.uncaptured)
    layout = Layout(ordered, cells=partitioner.cells, uncaptured=partitioner.uncaptured)
    layout.copied = _copied_reads(ordered, partitioner.cells, last_uses(ordered))
    add_liveness(layout, partitioner.segments)
    return layout


class _Partitioner:
    def __init__(
        self,
        program: Program,
        uncapturable: frozenset[tuple[str, str]],
        cells: Mapping[int, Node],
        is_loop: bool,
    ):
        self.in_loop = is_loop
        self.program = program
        self.gpus = select_gpus(program.devices)
        self.uncapturable = uncapturable
        self.shape_derived: set[int] = set()
        self.cells = _variable_nodes_by_slot(program, cells)
        self.nodes: list[Node] = []
        self.handles = _original_handles(program)
        self.current = _UnorderedNodes(self.handles)
        self.device = ""
        self.deferred = _UnorderedNodes(self.handles)
        self.segments: list[Segment] = []
        self.uncaptured: dict[Node, UncapturableReason] = {}
        self.first: list[Node] = []
        self.available_slots = set(program.feeds)  # slots available so far
        self.written: set[Hashable] = set()  # variables written so far
        self.readers: dict[int, list[int]] = {}  # by slot: ids of its readers
        for node in program.nodes:
            for slot in (*node.inputs, *node.predicates):
                self.readers.setdefault(slot, []).append(id(node))
        for slot in (*program.fetches, *program.fetch_predicates):
            self.readers.setdefault(slot, []).append(0)
        self.sent = {
            node.inputs[0] for node in program.nodes if node.kind == "copy" and not node.guard
        }

    def order_nodes(self) -> list[Node]:
        """Reorders the nodes for long segments, and adds the segments to `segments`."""
        for node in self.program.nodes:
            device = self._device_or_none(node)
            self.written.update(variable_key(self.cells.get(s)) for s in writes(node, self.program))
            if is_known(node) or self._can_precede(node, device):
                self.first.append(node)
                self.available_slots.update(node.outputs)
            elif device is not None and not self.deferred.must_precede(node):
                fits = device in ("", self.device) or not self.device
                if not fits or (self.current.nodes and self.current.nodes[0].guard != node.guard):
                    self._flush_deferred()
                self.current.add(node)
                self.device = self.device or device
            elif device is None and self._may_move(node):
                if self._must_follow(node):
                    self.deferred.add(node)
                else:
                    self.nodes.append(node)
            else:
                self._flush_deferred()
                if device is None:
                    self.nodes.append(node)
                else:
                    self.current.add(node)
                    self.device = device
        self._flush_deferred()
        for segment in self.segments:
            segment.start += len(self.first)
            segment.end += len(self.first)
        return [*self.first, *self.nodes]

    def _must_follow(self, node: Node) -> bool:
        """Whether a movable node must run after the segment, since it depends on it or synchronizes with the GPU."""
        if node.kind in ("send", "receive"):
            return bool(self.current.nodes or self.deferred.nodes)
        return self.current.must_precede(node) or self.deferred.must_precede(node)

    def _can_precede(self, node: Node, device: str | None) -> bool:
        """Whether the node copies a variable to another memory, or reads it for such a copy, before any change. Once
        hoisted, such copies neither split segments nor wait for them; likewise for shapes of arrays on another GPU.
        """
        if node.guard or node.controls or not self.available_slots.issuperset(node.inputs):
            return False
        if node.kind == "copy":
            return True
        if node.kind == "op" and node.opdef.depends_only_on_shapes:
            return bool(device and self.device) and device != self.device
        if not is_read(node) or node.outputs[0] not in self.sent:
            return False
        return not self.written.intersection((variable_key(self.cells.get(node.inputs[0])), None))

    def _flush_deferred(self) -> None:
        """Ends the current segment, and appends the deferred nodes."""
        self._end_segment()
        self.nodes += self.deferred.nodes
        self.deferred = _UnorderedNodes(self.handles)

    def _end_segment(self) -> None:
        nodes, device = self.current.nodes, self.device
        self.current, self.device = _UnorderedNodes(self.handles), ""
        counts = [self._min_launches(node) for node in nodes]
        launches = [n for n, count in enumerate(counts) if count]
        if sum(counts) >= (
            min(_MIN_LAUNCHES, _MIN_LAUNCHES_IN_LOOPS) if self.in_loop else _MIN_LAUNCHES
        ):
            begin, end = launches[0], launches[-1] + 1
            before, views = self._views_before(nodes[:begin], nodes[begin:end])
            self.nodes += before
            start = len(self.nodes)
            self.nodes += views + nodes[begin:]
            self.segments.append(Segment(start, start + len(views) + end - begin, device))
        else:
            self.uncaptured.update((nodes[n], UncapturableReason.FEW) for n in launches)
            self.nodes += nodes

    def _views_before(self, nodes: list[Node], body: list[Node]) -> tuple[list[Node], list[Node]]:
        """Splits the nodes before a segment's body into views read only by the segment, and all others. The segment
        reads the base of such views, which may be one array for many rows.
        """
        remaining: list[Node] = []
        views: list[Node] = []
        member_ids = {id(node) for node in body}
        for node in reversed(nodes):
            readers = [r for s in node.outputs for r in self.readers.get(s, ())]
            if (
                node.kind == "op"
                and node.opdef.view
                and self._on_device(node)
                and member_ids.issuperset(readers)
            ):
                member_ids.add(id(node))
                views.append(node)
            else:
                remaining.append(node)
        return remaining[::-1], views[::-1]

    def _min_launches(self, node: Node) -> int:
        """Returns the minimum number of launches of a node."""
        if node.kind == "fused":
            return int(bool(self.program.memory.get(node.outputs[0])))
        if node.kind == "updates":
            return 1
        if node.kind != "op" or node.opdef.view or not self._on_device(node):
            return 0
        return _SORTING_LAUNCHES if node.opdef.sorts_indices else 1

    def _on_device(self, node: Node) -> bool:
        """Whether the node accesses arrays in GPU memory (shape ops and variable handles do not)."""
        if node.opdef.makes_variable or node.opdef.depends_only_on_shapes:
            return False
        slots = (*node.inputs, *node.outputs)
        return any(s in self.program.memory or self._is_cell(s) for s in slots)

    def _is_cell(self, slot: int) -> bool:
        dtype = self.program.slots[slot].dtype
        return dtype._is_ref_dtype or dtype is dtypes.resource

    def _device_or_none(self, node: Node) -> str | None:
        """Same as `_device`, but returns None for an uncapturable node, whose reason is recorded."""
        device = self._segment_device(node)
        if isinstance(device, str) and (not device or device in self.gpus):
            return device
        if isinstance(device, str):  # a device of a different kind
            device = UncapturableReason.HOST
        self.uncaptured[node] = device
        return None

    def _segment_device(self, node: Node) -> str | UncapturableReason:
        """Returns the GPU of the node's segment ("" for any GPU), or why the node cannot be captured."""
        memory = self.program.memory
        if node.kind == "const":
            self.shape_derived.update(node.outputs)
            return ""
        if node.opdef.makes_variable and node.kind == "op":
            return "" if node.outputs[0] in self.cells else UncapturableReason.CELL
        # Group members may run one by one.
        group_members = node.members if node.kind == "fused" else ()
        if any((n.kind, n.opdef.name) in self.uncapturable for n in (node, *group_members)):
            is_known_failure = (node.kind, node.opdef.name) in KNOWN_UNCAPTURABLE
            return UncapturableReason.REFUSED if is_known_failure else UncapturableReason.FAILED
        if node.alternatives:
            return UncapturableReason.CHOICE
        if node.kind == "copy":
            is_known = not node.copied_from and node.inputs[0] in self.shape_derived
            return node.device if is_known else UncapturableReason.COPY
        if node.kind not in ("op", "read", "fused", "updates"):
            return _REASONS_BY_KIND.get(node.kind, UncapturableReason.HOST)
        if node.kind == "op" and node.opdef.stateful:
            if not (node.opdef.device_state or node.opdef.fixed_draws):
                return UncapturableReason.STATE
        reason = self._find_refused_operand(node)
        if reason is not None:
            return reason
        values = {memory.get(s, "") for s in node.outputs if not self._is_cell(s)}
        if "" in values and node.inputs:
            if not self._is_shape_derived(node):
                return UncapturableReason.RESULT
            self.shape_derived.update(s for s in node.outputs if s not in memory)
        elif "" in values:
            return UncapturableReason.RESULT
        if node.kind == "read":
            return memory[node.outputs[0]]
        if not self._on_device(node):
            # An array's shape: a segment copies its inputs into its own memory.
            gpu = next((memory[s] for s in node.inputs if s in memory), "")
            return gpu if values else UncapturableReason.HOST
        return node.device if node.device in self.program.devices else UncapturableReason.HOST

    def _find_refused_operand(self, node: Node) -> UncapturableReason | None:
        """Returns why a segment cannot read some operand of the node; None if it can read all operands."""
        memory = self.program.memory
        for slot in node.inputs:
            if self._is_cell(slot):
                if slot not in self.cells:
                    return UncapturableReason.CELL
                if self.cells[slot].device not in self.program.devices:
                    return UncapturableReason.HOST
            elif slot in memory:
                if node.device != memory[slot] and node.kind != "read":
                    return UncapturableReason.HOST
            elif slot not in self.shape_derived:
                return UncapturableReason.OPERAND
        return None

    def _is_shape_derived(self, node: Node) -> bool:
        """Whether the node's host outputs depend only on the shapes of its inputs."""
        if node.kind == "op" and node.opdef.name in _NETS:
            return True
        if node.kind != "op" or node.opdef.stateful:
            return False
        if node.opdef.depends_only_on_shapes:
            return True
        return not any(s in self.program.memory or self._is_cell(s) for s in node.inputs)

    def _may_move(self, node: Node) -> bool:
        """Whether the node may be reordered with independent side effects: it has none and reads only
        constant data, or it only changes a stack or a TensorArray.
        """
        if node.has_own_state:
            return True
        if any(self._is_cell(s) for s in (*node.inputs, *node.outputs)):
            return False
        if node.kind in ("send", "receive", "alive"):
            return True
        if node.kind == "copy":
            return not node.copied_from
        return node.kind in ("op", "fused") and not node.opdef.has_effects


class _UnorderedNodes:
    """Nodes that have not been ordered yet.

    handles: the stacks or TensorArrays of handles, by slot.
    """

    def __init__(self, handles: Mapping[int, int]) -> None:
        self.handles = handles
        self.nodes: list[Node] = []
        self._slots: set[int] = set()  # their outputs
        self._handles: set[int] = set()  # the stacks and TensorArrays they use
        self._nodes: set[int] = set()  # node ids

    def add(self, node: Node) -> None:
        self.nodes.append(node)
        self._nodes.add(id(node))
        self._slots.update(node.outputs)
        if node.has_own_state:
            self._handles.add(self._original_handle(node))

    def must_precede(self, node: Node) -> bool:
        """Whether some of these nodes must run before the node."""
        if not self.nodes:
            return False
        slots = (*node.inputs, *node.predicates)
        return (
            not self._slots.isdisjoint(slots)
            or any(id(c) in self._nodes for c in node.controls)
            or (node.has_own_state and self._original_handle(node) in self._handles)
        )

    def _original_handle(self, node: Node) -> int:
        return self.handles.get(node.inputs[0], node.inputs[0])


def _original_handles(program: Program) -> dict[int, int]:
    """Maps handles returned by nodes to the original handles."""
    handles: dict[int, int] = {}
    for node in program.nodes:
        if node.has_own_state and node.opdef.name not in ("StackV2", "TensorArrayV3"):
            for slot in node.outputs:
                handles[slot] = handles.get(node.inputs[0], node.inputs[0])
    return handles


def _variable_nodes_by_slot(program: Program, fed: Mapping[int, Node]) -> dict[int, Node]:
    """Returns the variable nodes of the slots that hold a variable's cell."""
    cells = dict(fed)
    for node in program.nodes:
        if node.kind == "updates":
            for member in node.members:
                if member.outputs and member.inputs[0] in cells:
                    cells[member.outputs[0]] = cells[member.inputs[0]]
        if node.kind != "op":
            continue
        if node.opdef.makes_variable:
            cells[node.outputs[0]] = node
            continue
        if node.opdef.name in CHOICE_OPS:
            continue
        ref_cells = [cells.get(s) for s in node.inputs if program.slots[s].dtype._is_ref_dtype]
        if ref_cells and ref_cells[0] is not None:
            for slot in node.outputs:
                if program.slots[slot].dtype._is_ref_dtype:
                    cells[slot] = ref_cells[0]
    return cells


def _copied_reads(
    program: Program, cells: dict[int, Node], last_use: dict[int, int]
) -> frozenset[int]:
    """Returns the variable reads on GPUs that are used after a node that may change the variable."""
    written: dict[Hashable, list[int]] = {}
    for step, node in enumerate(program.nodes):
        for slot in writes(node, program):
            written.setdefault(variable_key(cells.get(slot)), []).append(step)
    copied = set()
    written_steps = sorted(step for steps in written.values() for step in steps)
    unknown = written.get(None, [])
    for step, node in enumerate(program.nodes):
        if not is_read(node) or node.outputs[0] not in program.memory:
            continue
        key = variable_key(cells.get(node.inputs[0]))
        steps = written_steps if key is None else [*written.get(key, []), *unknown]
        if any(step < s <= last_use.get(node.outputs[0], step) for s in steps):
            copied.add(step)
    return frozenset(copied)
