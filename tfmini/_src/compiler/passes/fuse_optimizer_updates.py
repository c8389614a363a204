"""fuse_optimizer_updates: merges an optimizer's updates of many variables into one launch on a device, or one native
library call on the host.

Updates of one kind, dtype and device that read the same scalars are merged at the last of them. An earlier update may
be delayed unless a node in between depends on it or accesses its variables. Scalars that the op checks must be
constants in range: the merged update does not check them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import field
from types import ModuleType
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.records import dataclass
from tfmini._src.compiler.analysis.def_use import Uses
from tfmini._src.compiler.program.program import CHOICE_OPS, Node, Program, UpdateGroup, UpdateSlots
from tfmini._src.devices.arrays import Array
from tfmini._src.devices.host.native.optimizers import update_functions

_FLAGS = ("use_nesterov", "update_slots")
_GRADIENTS = ("grad", "delta")
_READ_OPS = frozenset({"ReadVariableOp"})
_ANY = object()  # stands for any of several variables


def fuse_optimizer_updates(program: Program) -> Program:
    """Returns the program with optimizer updates on devices merged into nodes of kind "updates".

    Without devices, updates of one kind are merged if the native library has a kernel for them.
    """
    if any(_update_kernel(node, program) for node in program.nodes):
        _Grouping(program).run()
    return program


def _update_slots(node: Node) -> UpdateSlots:
    """Returns the slots of one update by role."""
    cells, scalars, gradient = [], [], -1
    for slot, arg in zip(node.inputs, node.opdef.inputs):
        if arg.is_ref or arg.dtype is dtypes.resource:
            cells.append(slot)
        elif arg.name in _GRADIENTS:
            gradient = slot
        else:
            scalars.append(slot)
    return UpdateSlots(tuple(cells), tuple(scalars), gradient)


class GroupedUpdate:
    """Merged updates as one call: `update(xp, variables, scalars)` changes each (cell ..., gradient) in place.

    Returns False, without side effects, if arguments are unsuitable; the separate updates then raise their errors. On a
    CPU, steps on several threads may lock variables in different orders, so a step that holds variables does not wait
    for another.
    """

    def __init__(
        self,
        kernel: str,
        flags: Sequence[bool],
        dtype: type | None = None,
        update: Callable[..., None] | None = None,
    ):
        self.kernel = kernel
        self._flags = tuple(flags)
        self._native = None if dtype is None else update_functions(kernel, dtype)
        self._update = update

    def __call__(
        self, xp: ModuleType, variables: Sequence[Sequence[Any]], scalars: Sequence[Array]
    ) -> bool:
        for scalar in scalars:
            if scalar.ndim:
                return False
        cells = [cell for *row, _ in variables for cell in row]
        for cell in cells:
            if not cell.initialized:
                return False
        arrays: list[Array] = []
        try:
            for cell in cells:
                array = cell.take(wait=xp is not np)
                if array is None:
                    return False
                arrays.append(array)
            del array
            rows, start = [], 0
            for operands in variables:
                end = start + len(operands) - 1
                rows.append([*arrays[start:end], xp.asarray(operands[-1], order="C")])
                start = end
            if self._native is not None:
                return self._native(rows, scalars, any(self._flags))
            if self._update is None or not all(map(_is_uniform, rows)):
                return False
            self._update(xp, self.kernel, rows, scalars, self._flags)
        finally:
            for cell, array in zip(cells, arrays):
                cell.put(array)
        return True


def _is_uniform(row: Sequence[Array]) -> bool:
    """Whether all arrays have the variable's shape and are contiguous."""
    shape = row[0].shape
    for array in row:
        if array.shape != shape or not array.flags.c_contiguous:
            return False
    return True


def _update_kernel(node: Node, program: Program) -> str:
    """Returns the device's or native library's kernel for the node's update, or ""."""
    kernel = node.opdef.grouped_update if node.kind == "op" else ""
    if not kernel or node.attrs["T"] not in (dtypes.float32, dtypes.float64):
        return ""
    if program.devices:
        device = program.devices.get(node.device)
        return kernel if device is not None and device.grouped_update(kernel) else ""
    return kernel if update_functions(kernel, node.attrs["T"].as_numpy_dtype) is not None else ""


@dataclass
class _Group:
    """An open group of updates."""

    index: int
    kernel: str
    members: list[Node] = field(default_factory=list)
    cells: set[Hashable] = field(default_factory=set)  # the variables that the group updates
    scalars: set[Hashable] = field(default_factory=set)  # producers of its scalars


class _Grouping:
    def __init__(self, program: Program):
        self.program = program
        self.producer = Uses(program.nodes).producer
        self.open: dict[Hashable, _Group] = {}
        self.groups: list[_Group] = []
        self.group_dependencies: dict[int, frozenset[int]] = {}  # by node: the groups it depends on
        self.writes: dict[Hashable, int] = {}  # number of writes to a variable so far
        # By slot: the variable and the version of its value.
        self.versions_by_slot: dict[int, tuple[object, ...]] = {}

    def run(self) -> None:
        for node in self.program.nodes:
            self._visit(node)
        if not self.program.devices:
            self.groups = [group for group in self.groups if len(group.members) > 1]
        last = {id(g.members[-1]): g for g in self.groups}
        inner = {id(n) for g in self.groups for n in g.members[:-1]}
        self.program.nodes = [
            _merged_node(last[id(n)], self.program) if id(n) in last else n
            for n in self.program.nodes
            if id(n) not in inner
        ]

    def _visit(self, node: Node) -> None:
        dependencies = self._depends_on(node)
        touched = {self._variable_key(s) for s in node.inputs} - {None}
        kernel = _update_kernel(node, self.program)
        reads = node.kind == "read" or node.opdef.name in _READ_OPS
        for key, group in list(self.open.items()):
            if group.index in dependencies or touched & group.cells or _ANY in touched:
                del self.open[key]
            elif not reads and touched & group.scalars:
                del self.open[key]
        if reads:
            variable = self._variable_key(node.inputs[0])
            self.versions_by_slot[node.outputs[0]] = (variable, self.writes.get(variable, 0))
        else:
            for variable in touched:
                self.writes[variable] = self.writes.get(variable, 0) + 1
        if kernel and _ANY not in touched and self._scalars_in_range(node):
            group = self._join_group(node, kernel, touched)
            dependencies |= {group.index}
        self.group_dependencies[id(node)] = frozenset(dependencies)

    def _join_group(self, node: Node, kernel: str, variables: set[Hashable]) -> _Group:
        parts = _update_slots(node)
        scalars = tuple(self._scalar_key(s) for s in parts.scalars)
        flags = tuple(node.attrs.get(name) for name in _FLAGS)
        key = (kernel, node.attrs["T"], node.device, node.guard, scalars, flags)
        group = self.open.get(key)
        if group is None:
            group = self.open[key] = _Group(len(self.groups), kernel)
            self.groups.append(group)
        group.members.append(node)
        group.cells |= variables
        group.scalars |= {
            self.versions_by_slot[s][0] for s in parts.scalars if s in self.versions_by_slot
        }
        return group

    def _scalars_in_range(self, node: Node) -> bool:
        """Whether the scalars that the op checks are constants in range."""
        for slot, arg in zip(node.inputs, node.opdef.inputs):
            in_range = node.opdef.scalar_bounds.get(arg.name)
            if in_range is None:
                continue
            producer = self.producer.get(slot)
            if producer is None or producer.kind != "const":
                return False
            if np.ndim(producer.constant) or not in_range(producer.constant):
                return False
        return True

    def _scalar_key(self, slot: int) -> Hashable:
        """Returns a key shared by equal scalars: equal constants, and reads of one value of a variable."""
        producer = self.producer.get(slot)
        if producer is not None and producer.kind == "const":
            return np.shape(producer.constant), np.asarray(producer.constant).tobytes()
        return self.versions_by_slot.get(slot, slot)

    def _variable_key(self, slot: int) -> Hashable:
        """Returns the key of the variable whose cell the slot holds; None for other slots."""
        dtype = self.program.slots[slot].dtype
        if not dtype._is_ref_dtype and dtype is not dtypes.resource:
            return None
        node = self.producer.get(slot)
        while node is not None and node.inputs:  # ops that forward a cell
            if node.kind in ("while", "view") or node.opdef.name in CHOICE_OPS:
                return _ANY
            node = self.producer.get(node.inputs[0])
        if node is None:
            return slot
        attrs = node.attrs
        return attrs.get("container", ""), attrs.get("shared_name") or node.origin.name

    def _depends_on(self, node: Node) -> set[int]:
        """Returns the groups whose members the node depends on, by its inputs, conditions and control edges."""
        groups: set[int] = set()
        pending, seen = [node], {id(node)}
        while pending:
            for source in self._producers(pending.pop()):
                source_groups = self.group_dependencies.get(id(source))
                if source_groups is not None:
                    groups |= source_groups
                elif id(source) not in seen:  # no longer in the program
                    seen.add(id(source))
                    pending.append(source)
        return groups

    def _producers(self, node: Node) -> Iterable[Node]:
        slots = (*node.inputs, *node.predicates)
        return (*node.controls, *(self.producer[s] for s in slots if s in self.producer))


def _merged_node(group: _Group, program: Program) -> Node:
    """Returns the node that replaces the group's members."""
    first = group.members[0]
    parts = [_update_slots(member) for member in group.members]
    inputs = [s for p in parts for s in (*p.cells, *p.scalars, p.gradient)]
    flags = [first.attrs[name] for name in _FLAGS if name in first.opdef.attrs]
    outputs = tuple(s for member in group.members for s in member.outputs)
    node = Node("updates", first.origin, tuple(dict.fromkeys(inputs)), outputs)
    node.guard, node.device = first.guard, first.device
    node.controls = tuple(dict.fromkeys(c for n in group.members for c in n.controls))
    device = program.devices.get(first.device)
    if device is None:
        update = GroupedUpdate(group.kernel, flags, dtype=first.attrs["T"].as_numpy_dtype)
    else:
        update = GroupedUpdate(group.kernel, flags, update=device.grouped_update(group.kernel))
    node.payload = UpdateGroup(tuple(group.members), tuple(parts), update)
    return node
