"""stream_restores: reads each tensor of a RestoreV2 just before its assignment, if all are assigned to variables.

The node returns a reader, and a node before each assignment reads one tensor, so at most one tensor is in memory in
addition to the variables. Any device copies, and Reshapes to a constant shape, between the two are moved
along with the read.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

from tfmini._src.compiler.analysis.def_use import Uses
from tfmini._src.compiler.program.program import Node, Program
from tfmini._src.graph.opdef import Arg, Attr, OpDef
from tfmini._src.ops.files.deferred_restore import DeferredTensor
from tfmini._src.ops.files.save_restore_v2 import restore_one_by_one

_ASSIGNS = frozenset({"Assign", "AssignVariableOp"})


def _restore(
    xp: ModuleType, prefix: Any, names: Any, specs: Any, cells: Any, *, dtypes: Any
) -> tuple[DeferredTensor, ...]:
    return restore_one_by_one(prefix, names, specs, dtypes, cells)


def _read_deferred(xp: ModuleType, tensor: DeferredTensor) -> Any:
    return tensor.read()


def stream_restores(program: Program) -> Program:
    """Splits RestoreV2 nodes that only initialize variables into an open and a read per tensor; returns the program."""
    _Restores(program).run()
    return program


def _is_op(node: Node, *names: str) -> bool:
    return node.kind == "op" and node.opdef.name in names


class _Restores:
    def __init__(self, program: Program):
        self.program = program
        uses = Uses(program.nodes)
        self.producer, self.readers = uses.producer, uses.readers
        self.fetched = set(program.fetches)
        self.before: dict[int, list[Node]] = {}  # by node: the nodes to move right before it
        self.moved: set[int] = set()

    def run(self) -> None:
        nodes = self.program.nodes
        for node in list(nodes):
            if _is_op(node, "RestoreV2") and not node.guard and len(node.outputs) > 1:
                ways = [self._chain_to_assignment(slot) for slot in node.outputs]
                if all(ways):
                    self._divide(node, ways)
        ordered: list[Node] = []
        for node in nodes:
            if id(node) not in self.moved:
                ordered += [*self.before.get(id(node), ()), node]
        self.program.nodes = ordered

    def _chain_to_assignment(self, slot: int) -> list[Node]:
        """Returns the chain of nodes with a single reader from a value to its assignment, or an empty list."""
        way: list[Node] = []
        while not way or way[-1].opdef.name not in _ASSIGNS or way[-1].kind != "op":
            readers = self.readers.get(slot, [])
            if len(readers) != 1 or slot in self.fetched:
                return []
            (reader,) = readers
            way.append(reader)
            if reader.guard or not (reader.kind == "copy" or self._reshapes(reader, slot)):
                break
            (slot,) = reader.outputs
        assign = way[-1]
        if not _is_op(assign, *_ASSIGNS) or assign.guard or assign.inputs[1] != slot:
            return []
        target = self.producer[assign.inputs[0]]
        return way if target.kind == "op" and target.opdef.makes_variable else []

    def _reshapes(self, node: Node, slot: int) -> bool:
        """Whether the node reshapes the value to a known shape."""
        if not _is_op(node, "Reshape") or node.inputs[0] != slot:
            return False
        producer = self.producer.get(node.inputs[1])
        return producer is not None and producer.kind == "const"

    def _divide(self, node: Node, ways: list[list[Node]]) -> None:
        cells = [self.producer[way[-1].inputs[0]] for way in ways]
        for slot, way in zip(node.outputs, ways):
            template = self.program.slots[slot]
            read = Node(
                "op", node.origin, (slot,), (self.program.new_slot(template.dtype, template.dims),)
            )
            read.opdef, read.attrs, read.device = _READ_OPDEF, {}, node.device
            way[0].inputs = tuple(read.outputs[0] if s == slot else s for s in way[0].inputs)
            self.before[id(way[-1])] = [read, *way[:-1]]
            self.moved.update(map(id, way[:-1]))
        distinct = list({id(cell): cell for cell in cells}.values())
        self.before[id(node)] = distinct
        self.moved.update(map(id, distinct))
        node.opdef = _RESTORE_OPDEF
        node.attrs = {**node.attrs, "cells": len(cells)}
        node.inputs = (*node.inputs, *(cell.outputs[0] for cell in cells))


_RESTORE_OPDEF = OpDef(
    "RestoreOneByOne",
    (
        *(Arg("prefix"), Arg("tensor_names"), Arg("shape_and_slices")),
        Arg("cells", number_attr="cells", is_ref=True),
    ),
    (Arg("tensors", type_list_attr="dtypes"),),
    {
        "dtypes": Attr.from_keyword("dtypes", Attr("list(type)", minimum=1)),
        "cells": Attr.from_keyword("cells", Attr("int")),
    },
    _restore,
    stateful=True,
)
_READ_OPDEF = OpDef(
    "ReadRestored", (Arg("tensor"),), (Arg("tensor"),), {}, _read_deferred, stateful=True
)
