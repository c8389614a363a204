"""collectives: merges an all-reduce's nodes, one per device, into one node with an input and output per device.

In TensorFlow each member blocks until all run, and a run with only some of them hangs. Here members are matched at
compile time: an incomplete set is an error, and nothing blocks.
"""

from __future__ import annotations

import heapq

from tfmini._src.base.errors import InvalidArgumentError, OpError
from tfmini._src.compiler.analysis.def_use import Uses
from tfmini._src.compiler.error_translation import locate_error
from tfmini._src.compiler.placement.placement_errors import no_kernel
from tfmini._src.compiler.program.program import Node, Participants, Program


def collectives(program: Program) -> Program:
    """Replaces each all-reduce with one "collective" node, whose payload holds the devices; returns the program.

    Raises:
      InvalidArgumentError: if a device-only op is placed on a CPU; if members of an all-reduce are missing, depend on
        each other, or run under different conditions.
    """
    groups: dict[str, list[Node]] = {}
    for node in program.nodes:
        if node.kind != "op" or not node.opdef.device_only:
            continue
        if program.on_host(node):
            raise no_kernel(node.origin).to_session_error()
        if node.opdef.name == "NcclAllReduce":
            groups.setdefault(node.attrs["shared_name"], []).append(node)
    joined: dict[int, Node] = {}
    for members in groups.values():
        _check_members(members)
        if len(members) > 1:
            joined.update(dict.fromkeys(map(id, members), _join_members(members)))
    if joined:
        program.nodes = _replace_members(program, joined)
    return program


def _check_members(members: list[Node]) -> None:
    first = members[0]
    group_size, name = first.attrs["num_devices"], first.attrs["shared_name"]
    listed = ", ".join(node.origin.name for node in members)
    if len(members) != group_size:
        raise _error_at(
            first,
            f"The all-reduce {name!r} has {group_size} members, but this step runs {len(members)} "
            f"of them: {listed}. Fetch a tensor that depends on each member; TensorFlow would "
            "wait for the others forever.",
        )
    for node in members:
        for attr in ("reduction", "T", "num_devices"):
            if node.attrs[attr] != first.attrs[attr]:
                raise _error_at(node, f"The members of the all-reduce {name!r} differ in {attr!r}.")
        if node.guard != first.guard:
            text = f"The members of the all-reduce {name!r} do not run under the same conditions."
            raise _error_at(node, text)


def _error_at(node: Node, text: str) -> OpError:
    return locate_error(InvalidArgumentError(None, None, text), node.origin)


def _join_members(members: list[Node]) -> Node:
    inputs = tuple(slot for node in members for slot in node.inputs)
    outputs = tuple(slot for node in members for slot in node.outputs)
    controls = tuple(dict.fromkeys(c for node in members for c in node.controls))
    devices = tuple(node.device for node in members)
    result = Node("collective", members[0].origin, inputs, outputs, controls, Participants(devices))
    result.device = devices[0]
    result.guard = members[0].guard
    return result


def _replace_members(program: Program, joined: dict[int, Node]) -> list[Node]:
    """Replaces each set of members with its joined node; only nodes that must now wait are reordered."""
    nodes: list[Node] = []
    position: dict[int, int] = {}
    last = {id(node): joined.get(id(node), node) for node in program.nodes}
    for index, node in enumerate(program.nodes):
        position[id(last[id(node)])] = index
    for index, node in enumerate(program.nodes):
        latest_node = last[id(node)]
        if position[id(latest_node)] == index:
            nodes.append(latest_node)
    producer = Uses(nodes).producer
    waiting: dict[int, int] = {}
    readers: dict[int, list[Node]] = {}
    for node in nodes:
        sources = {
            id(producer[slot]) for slot in (*node.inputs, *node.predicates) if slot in producer
        }
        sources.update(id(last[id(c)]) for c in node.controls if id(c) in last)
        sources.discard(id(node))
        waiting[id(node)] = len(sources)
        for source in sources:
            readers.setdefault(source, []).append(node)
    ready = [(position[id(node)], node) for node in nodes if not waiting[id(node)]]
    heapq.heapify(ready)
    ordered: list[Node] = []
    while ready:
        _, node = heapq.heappop(ready)
        ordered.append(node)
        for reader in readers.get(id(node), ()):
            waiting[id(reader)] -= 1
            if not waiting[id(reader)]:
                heapq.heappush(ready, (position[id(reader)], reader))
    for node in joined.values():
        if waiting[id(node)] or any(producer.get(slot) is node for slot in node.inputs):
            name = node.attrs["shared_name"]
            raise _error_at(
                node, f"All-reduce {name!r} deadlocks: its members depend on each other."
            )
    return ordered
