"""optimized_order: the node order of a step's graph after TensorFlow's graph optimizer, in which its executor starts
nodes that become ready together.

Replays the reorderings of core/grappler of version 1.15: pruning moves the last nodes into the gaps and sorts depth
first, as does the remapper; the arithmetic and dependency optimizers sort breadth first. Of the rewrites only these
matter to readers of variables: functions of constants become constants, a narrowing Cast bypasses its input's Identity
and moves to the end, and unused nodes disappear. Fed nodes come last.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, TypeAlias

from tfmini._src.compiler.program.graph_order import loops_back

if TYPE_CHECKING:
    from tfmini._src.graph.operation import Operation

_CONTROL_PORT = 1 << 30  # sorts after all outputs

# By operation: the producer and output number of each input.
_Inputs: TypeAlias = "dict[Operation, list[tuple[Operation, int]]]"
_Readers: TypeAlias = "dict[Operation, list[Operation]]"


def optimized_order(
    needed: Iterable[Operation], end_ops: Collection[Operation], fed: Collection[Operation]
) -> list[Operation]:
    """Returns the operations of the optimized graph in order.

    needed: operations that the step runs; ends: operations that are fetched or run for their side effects.
    """
    end_ops = {*end_ops, *fed}
    all_ops: Sequence[Operation] = next(iter(end_ops)).graph._ops
    inputs = _reachable_inputs({*needed, *end_ops})
    order = _fill_gaps(all_ops, inputs)
    order = _depth_first(order, inputs, _readers_after_pruning(all_ops, inputs))
    _fold_constants(_breadth_first(order, inputs), inputs, fed)
    casts = [op for op in order if op not in end_ops and _is_narrowing_cast_of_identity(op, fed)]
    for iteration in range(2):
        for _ in range(iteration + 1):
            order = _prune(order, inputs, end_ops)
            order = _depth_first(order, inputs, _readers(order, inputs))
        order = _breadth_first(order, inputs)
        if iteration == 0:
            order = _move_casts(order, inputs, casts)
        order = _breadth_first(_prune(order, inputs, end_ops), inputs)
    return _move_feeds_last(order, inputs, fed)


def _reachable_inputs(pending: set[Operation]) -> _Inputs:
    """Returns the inputs of operations and of all their transitive dependencies."""
    inputs: _Inputs = {}
    stack = list(pending)
    while stack:
        op = stack.pop()
        if op in inputs:
            continue
        inputs[op] = sources = [
            *((t.op, t.value_index) for t in op.inputs if not loops_back(op, t)),
            *((control, _CONTROL_PORT) for control in op._control_inputs),
        ]
        stack += [source for source, _ in sources]
        stack += [t.op for t in op.inputs]
    return inputs


def _fill_gaps(all_ops: Sequence[Operation], kept_inputs: _Inputs) -> list[Operation]:
    """Returns the kept operations, with the last ones moved into the gaps left by the others."""
    order = list(all_ops)
    for index in range(len(order) - 1, -1, -1):
        if all_ops[index] not in kept_inputs:
            last = order.pop()
            if index < len(order):
                order[index] = last
    return order


def _readers(order: Iterable[Operation], inputs: _Inputs) -> _Readers:
    """Returns the consumers of each operation, by output number."""
    readers_by_output: dict[Operation, list[tuple[int, Operation]]] = {}
    for op in order:
        for source, port in inputs[op]:
            readers_by_output.setdefault(source, []).append((port, op))
    return {
        source: [reader for _, reader in sorted(edges, key=lambda edge: edge[0])]
        for source, edges in readers_by_output.items()
    }


def _readers_after_pruning(all_ops: Sequence[Operation], kept_inputs: _Inputs) -> _Readers:
    """Returns the consumers of each kept operation, with the last ones moved into the gaps left by the others."""
    readers_by_output: dict[tuple[Operation, int], list[tuple[Operation, int]]] = {}
    removed: list[tuple[tuple[Operation, int], tuple[Operation, int]]] = []
    for op in all_ops:
        edges = kept_inputs.get(op)
        if edges is None:
            edges = [(t.op, t.value_index) for t in op.inputs]
            edges += [(control, _CONTROL_PORT) for control in op._control_inputs]
            removed += [(edge, (op, i)) for i, edge in enumerate(edges) if edge[0] in kept_inputs]
        for index, edge in enumerate(edges):
            if edge[0] in kept_inputs:
                readers_by_output.setdefault(edge, []).append((op, index))
    for edge, reader in removed:
        readers = readers_by_output[edge]
        last = readers.pop()
        if last != reader:
            readers[readers.index(reader)] = last
    result: _Readers = {}
    for source, port in sorted(readers_by_output, key=lambda edge: edge[1]):
        result.setdefault(source, []).extend(op for op, _ in readers_by_output[source, port])
    return result


def _depth_first(order: Sequence[Operation], inputs: _Inputs, readers: _Readers) -> list[Operation]:
    """Returns the reverse postorder of a search from each operation without inputs, starting with the last."""
    visited: set[Operation] = set()
    left: dict[Operation, None] = {}
    for root in reversed(order):
        stack = [] if inputs[root] else [root]
        while stack:
            op = stack.pop()
            if op in left:
                continue
            if op in visited:
                left[op] = None
                continue
            visited.add(op)
            stack.append(op)
            stack += [reader for reader in readers.get(op, ()) if reader not in visited]
    return list(reversed(left))


def _breadth_first(order: Sequence[Operation], inputs: _Inputs) -> list[Operation]:
    readers: _Readers = {}
    counts: dict[Operation, int] = {}
    for op in order:
        sources = {source for source, _ in inputs[op]}
        counts[op] = len(sources)
        for source in sources:
            readers.setdefault(source, []).append(op)
    result = [op for op in order if not counts[op]]
    for op in result:
        for reader in readers.get(op, ()):
            counts[reader] -= 1
            if not counts[reader]:
                result.append(reader)
    return result


def _fold_constants(
    order: Iterable[Operation], inputs: _Inputs, fed: Collection[Operation]
) -> None:
    """Removes the inputs of functions of constants."""
    constants: set[Operation] = set()
    for op in order:
        if op in fed or op.opdef.has_effects:
            continue
        if op.type == "Const" or (
            inputs[op] and all(source in constants for source, _ in inputs[op])
        ):
            constants.add(op)
            inputs[op] = []


def _is_narrowing_cast_of_identity(op: Operation, fed: Collection[Operation]) -> bool:
    """Whether the operation is a Cast to a smaller dtype of an Identity without control inputs."""
    if op.type != "Cast":
        return False
    source = op.inputs[0].op
    return (
        source.type == "Identity"
        and not source._control_inputs
        and source not in fed
        and op.attrs["DstT"].base_dtype.size < op.attrs["SrcT"].base_dtype.size
    )


def _move_casts(
    order: Sequence[Operation], inputs: _Inputs, casts: Collection[Operation]
) -> list[Operation]:
    """Moves casts to the end, last one first, and past the Identity that each of them reads."""
    moved_ops = [op for op in reversed(order) if op in casts]
    for op in moved_ops:
        identity = inputs[op][0][0]
        inputs[op][0] = inputs[identity][0]
    return [*(op for op in order if op not in casts), *moved_ops]


def _prune(
    order: Iterable[Operation], inputs: _Inputs, end_ops: Collection[Operation]
) -> list[Operation]:
    used: set[Operation] = set()
    stack = list(end_ops)
    while stack:
        op = stack.pop()
        if op not in used:
            used.add(op)
            stack += [source for source, _ in inputs[op]]
    return [op for op in order if op in used]


def _move_feeds_last(
    order: Sequence[Operation], inputs: _Inputs, fed: Collection[Operation]
) -> list[Operation]:
    """Returns the operations with the fed ones moved to the end, each as early as its inputs permit."""
    order = [*(op for op in order if op not in fed), *(op for op in order if op in fed)]
    positions = {op: position for position, op in enumerate(order)}
    readers: _Readers = {}
    counts: dict[Operation, int] = {}
    for op in order:
        sources = set() if op in fed else {source for source, _ in inputs[op]}
        counts[op] = len(sources)
        for source in sources:
            readers.setdefault(source, []).append(op)
    ready = [position for op, position in positions.items() if not counts[op]]
    heapify(ready)
    result: list[Operation] = []
    while ready:
        op = order[heappop(ready)]
        result.append(op)
        for reader in readers.get(op, ()):
            counts[reader] -= 1
            if not counts[reader]:
                heappush(ready, positions[reader])
    return result
