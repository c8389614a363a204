"""access_order: orders reads and writes of reference variables where no graph edge does.

TensorFlow leaves this order open, but programs depend on it: a learning rate is read before or after the global step
that the same step increments. It follows from the queues of TensorFlow's executor (core/common_runtime/executor.cc of
version 1.15: `ScheduleReady`, `Process`), which this module replays twice: with one thread, and with a thread for each
task. An order in which both agree applies; other accesses keep their creation order.

Nodes without dependencies start in the pool. A thread runs the cheap ready nodes in turn, or, if it is idle, the last
of the expensive ones, and leaves the rest to the pool: when idle, it takes the newest task that it left; another
thread takes a task as soon as it wakes up. Ops count as expensive in their first hundred runs, unless they only pass
their input on. An op on scalars or small arrays ends before another thread wakes up, a long op later.

Two rewrites of the optimizer are replayed: functions of constants are constants, and, because schedules of the global
step, int64, depend on it, a narrowing Cast reads the variable itself, and an Identity that only such casts read is
dropped.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from heapq import heapify, heappop, heappush
from itertools import count, product
from math import prod
from typing import TypeGuard

from tfmini._src.base.records import dataclass
from tfmini._src.compiler.analysis.optimized_order import optimized_order
from tfmini._src.compiler.program.program import Node, Program, Slot

# Ops whose kernels are cheap according to `OpKernel::IsExpensive`.
_CHEAP_OPS = frozenset(
    {
        *("Const", "ControlTrigger", "ExpandDims", "Identity", "IdentityN", "NoOp", "Placeholder"),
        *("PlaceholderWithDefault", "PreventGradient", "Rank", "RefIdentity", "Reshape", "Shape"),
        *("ShapeN", "Size", "Squeeze", "StopGradient"),
        *("Enter", "Exit", "LoopCond", "Merge", "NextIteration", "Switch"),
        *("RefEnter", "RefExit", "RefMerge", "RefNextIteration", "RefSwitch"),
    }
)

# Maximum elements of the inputs and outputs of an op that counts as short.
_MAX_SHORT_OP_ELEMENTS = 1024

_MAX_PAIRS = 4096  # maximum number of (read, write) pairs per variable

# Relative times: of a small expensive node, of a cheap node, of a long node, and of a thread's wake-up.
_EXPENSIVE_TIME, _CHEAP_TIME, _LONG_TIME, _WAKE_UP = 10, 1, 100, 40


@dataclass(frozen=True)
class Access:
    """A node that reads or writes a variable."""

    node: Node
    writes: bool


def order_accesses(program: Program, variables: Sequence[Sequence[Access]]) -> list[Node]:
    """Returns the program's nodes with reads and writes of the same variable in the executor's order.

    Other nodes keep their order, as do writes among themselves and all accesses of variables that have very many.

    variables: accesses of each variable.
    """
    nodes = program.nodes
    producer = {slot: node for node in nodes for slot in node.outputs}
    dependencies = {id(node): _dependencies(node, producer) for node in nodes}
    variables = _unordered_variables(nodes, variables, dependencies)
    if not variables:
        return list(nodes)
    graph = _Graph(program, producer, dependencies)
    orders = [
        {id(node): index for index, node in enumerate(order)}
        for order in (
            graph.single_thread_order(),
            graph.multi_thread_order(),
        )
    ]
    nodes_before: dict[int, list[Node]] = {}  # by node id: nodes that must precede it
    for accesses in variables:
        writes = [access.node for access in accesses if access.writes]
        reads = [access.node for access in accesses if not access.writes]
        if len(writes) * len(reads) > _MAX_PAIRS:
            continue
        for write, read in product(writes, reads):
            read_after_write = {order[id(read)] > order[id(write)] for order in orders}
            if len(read_after_write) == 1:
                first, second = (write, read) if read_after_write.pop() else (read, write)
                nodes_before.setdefault(id(second), []).append(first)
    return _sort_nodes(nodes, dependencies, nodes_before)


def _sort_as_optimized(
    program: Program, producer: dict[int, Node], nodes: Sequence[Node]
) -> list[Node]:
    """Returns the program's nodes in the order of TensorFlow's optimized graph, followed by the nodes that it omits."""
    fetched_ops = [producer[slot].origin for slot in program.fetches if slot in producer]
    fetched_ops += [node.origin for node in program.targets]
    order = optimized_order([node.origin for node in program.nodes], fetched_ops, program.fed)
    positions = {op: position for position, op in enumerate(order)}
    last = len(order)
    return sorted(nodes, key=lambda node: positions.get(node.origin, last))


def _dependencies(node: Node, producer: dict[int, Node]) -> list[Node]:
    """Returns the nodes that must precede a node: the producers of its inputs, then its control inputs."""
    slots = (*node.inputs, *node.predicates)
    return [*(producer[slot] for slot in slots if slot in producer), *node.controls]


def _unordered_variables(
    nodes: Sequence[Node],
    variables: Sequence[Sequence[Access]],
    dependencies: dict[int, list[Node]],
) -> list[Sequence[Access]]:
    """Returns the variables with a write and a read that no path connects."""
    writers = [access.node for accesses in variables for access in accesses if access.writes]
    bits = {id(node): 1 << index for index, node in enumerate(dict.fromkeys(writers))}
    later_writes: dict[int, int] = {}  # by node id: the writes from which a path leads to it
    for node in nodes:
        mask = bits.get(id(node), 0)
        for source in dependencies[id(node)]:
            mask |= later_writes[id(source)]
        later_writes[id(node)] = mask
    connected = dict(later_writes)  # and the writes to which a path leads from it
    before_writes = dict(bits)
    for node in reversed(nodes):
        if mask := before_writes.get(id(node), 0):
            connected[id(node)] |= mask
            for source in dependencies[id(node)]:
                before_writes[id(source)] = before_writes.get(id(source), 0) | mask

    def is_unordered(accesses: Sequence[Access]) -> bool:
        mask = 0
        for access in accesses:
            mask |= bits[id(access.node)] if access.writes else 0
        return any(mask & ~connected[id(a.node)] for a in accesses if not a.writes)

    return [accesses for accesses in variables if is_unordered(accesses)]


class _Graph:
    """The dependencies of each node after TensorFlow's rewrites, and its readers in the optimized order."""

    def __init__(
        self,
        program: Program,
        producer: dict[int, Node],
        dependencies: dict[int, list[Node]],
    ):
        nodes = program.nodes
        prerequisites: dict[int, set[int]] = {}  # by node id: its dependencies
        passed: set[int] = set()  # Identity nodes bypassed by a narrowing Cast
        constants: set[int] = set()
        for node in nodes:
            sources = dependencies[id(node)]
            if _narrows(node) and _only_forwards(source := producer.get(node.inputs[0])):
                while _only_forwards(source):
                    passed.add(id(source))
                    source = producer.get(source.inputs[0])
                sources = sources[1:] if source is None else [source, *sources[1:]]
            prerequisites[id(node)] = set(map(id, sources))
            is_fed = len(sources) < len(node.inputs) + len(node.predicates) + len(node.controls)
            if not is_fed and _is_constant(node, prerequisites[id(node)], constants):
                constants.add(id(node))
                prerequisites[id(node)] = set()
        if passed:
            passed.difference_update(*prerequisites.values())
            nodes = [node for node in nodes if id(node) not in passed]
        nodes = _sort_as_optimized(program, producer, nodes)
        self._counts = {id(node): len(prerequisites[id(node)]) for node in nodes}
        self._readers: dict[int, list[Node]] = {}
        for node in nodes:
            for predecessor in prerequisites[id(node)]:
                self._readers.setdefault(predecessor, []).append(node)
        self._sources = [node for node in nodes if not self._counts[id(node)]]
        ops = [node for node in nodes if node.kind == "op"]
        self._cheap = constants.union(id(op) for op in ops if op.opdef.name in _CHEAP_OPS)
        self._times = {id(op): _LONG_TIME for op in ops if _is_long(op, program.slots)}
        self._times |= dict.fromkeys(self._cheap, _CHEAP_TIME)

    def single_thread_order(self) -> Iterator[Node]:
        """Yields the nodes in the order in which a single thread starts them."""
        missing = dict(self._counts)
        inline: deque[Node] = deque()
        pool = self._queue_ready(self._sources, inline)
        while inline or pool:
            node = inline.popleft() if inline else pool.pop()
            yield node
            pool += self._queue_ready(self._ready_after(node, missing), inline)

    def multi_thread_order(self) -> Iterator[Node]:
        """Yields the nodes in the order in which they start with a thread for each task."""
        missing = dict(self._counts)
        sequence_numbers = count()
        # For each thread: the time of its next event, a sequence number, its next and its current task, and the tasks
        # that it left to the pool.
        threads: list[tuple[int, int, deque[Node], Node | None, list[Node]]] = [
            (_WAKE_UP, next(sequence_numbers), deque([node]), None, [])
            for node in self._sources  # each of these becomes a task of the pool
        ]
        heapify(threads)
        started: set[int] = set()
        while threads:
            time, sequence, inline, done, pending = heappop(threads)
            if done is not None:
                tasks = self._queue_ready(self._ready_after(done, missing), inline)
                for task in tasks:
                    heappush(
                        threads, (time + _WAKE_UP, next(sequence_numbers), deque([task]), None, [])
                    )
                pending += tasks
            while not inline and pending:
                inline.append(pending.pop())
                if id(inline[0]) in started:
                    inline.clear()
            if inline and id(node := inline.popleft()) not in started:
                started.add(id(node))
                yield node
                time += self._times.get(id(node), _EXPENSIVE_TIME)
                heappush(threads, (time, sequence, inline, node, pending))

    def _ready_after(self, node: Node, missing: dict[int, int]) -> Iterator[Node]:
        for reader in self._readers.get(id(node), ()):
            missing[id(reader)] -= 1
            if not missing[id(reader)]:
                yield reader

    def _queue_ready(self, ready: Iterable[Node], inline: deque[Node]) -> list[Node]:
        """Appends ready nodes to a thread's queue; returns the tasks left to the pool, oldest first."""
        pooled: list[Node] = []
        for node in ready:
            (inline if id(node) in self._cheap else pooled).append(node)
        if pooled and not inline:
            inline.append(pooled.pop())
        return pooled


def _is_long(node: Node, slots: Sequence[Slot]) -> bool:
    """Whether an op may outlast the wake-up of another thread."""
    shapes = [slots[slot].dims for slot in (*node.inputs, *node.outputs)]
    return node.opdef.long_running or any(
        dims is None or None in dims or prod(filter(None, dims)) > _MAX_SHORT_OP_ELEMENTS
        for dims in shapes
    )


def _is_constant(node: Node, prerequisites: set[int], constants: set[int]) -> bool:
    """Whether TensorFlow's optimizer replaces the node with a Const."""
    if node.kind != "op" or node.opdef.has_effects:
        return False
    return prerequisites <= constants and (bool(prerequisites) or node.opdef.name == "Const")


def _only_forwards(node: Node | None) -> TypeGuard[Node]:
    """Whether the node is an Identity without control inputs."""
    return node is not None and node.opdef.name == "Identity" and not (node.controls or node.guard)


def _narrows(node: Node) -> bool:
    """Whether the node casts to a smaller dtype, a cast that TensorFlow's optimizer moves before an Identity."""
    if node.kind != "op" or node.opdef.name != "Cast":
        return False
    size, size_before = (node.attrs[name].base_dtype.size for name in ("DstT", "SrcT"))
    return bool(size < size_before)


def _sort_nodes(
    nodes: Sequence[Node], dependencies: dict[int, list[Node]], nodes_before: dict[int, list[Node]]
) -> list[Node]:
    """Moves nodes, with their dependencies, before nodes that must not precede them."""
    positions = {id(node): position for position, node in enumerate(nodes)}
    if all(
        positions[id(other)] <= positions[key]
        for key, predecessors in nodes_before.items()
        for other in predecessors
    ):
        return list(nodes)
    result: list[Node] = []
    placed: set[int] = set()
    for start in nodes:
        pending = [start]
        while pending:
            node = pending[-1]
            prerequisites = (*dependencies[id(node)], *nodes_before.get(id(node), ()))
            missing = [source for source in prerequisites if id(source) not in placed]
            if missing:
                pending += reversed(missing)
                continue
            pending.pop()
            if id(node) not in placed:
                placed.add(id(node))
                result.append(node)
    return result
