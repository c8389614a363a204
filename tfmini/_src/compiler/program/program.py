"""The plan's intermediate form: nodes over numbered slots, plain data between stages.

A slot holds one tensor's value during a run. Stages map a Program to a Program; nodes are in a valid execution order.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from dataclasses import field
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from tfmini._src.base.records import dataclass

if TYPE_CHECKING:
    from tfmini._src.base.dtypes import DType
    from tfmini._src.devices.device import Devices
    from tfmini._src.graph.operation import Operation

Item = TypeVar("Item")

# (predicate slot, branch): the node runs only if the predicate's value is `branch`.
Literal = tuple[int, bool]
Guard = tuple[Literal, ...]

# A size of a tensor: an int, a symbol (the slot and axis of its first appearance), or None if
# unknown.
Dim: TypeAlias = int | tuple[int | str, ...] | None
Dims: TypeAlias = tuple[Dim, ...]

# Ops that may return a cell different from their first input's.
CHOICE_OPS = frozenset({"Merge", "RefMerge", "RefSelect", "IdentityN"})

# Ops that send tensors to another task or receive them.
SEND_OPS = frozenset({"_Send", "_HostSend"})
RECEIVE_OPS = frozenset({"_Recv", "_HostRecv", "_RecvOrDead", "_RecvMany"})

# Ops whose only side effects are on the stack or TensorArray named by their first input.
_OWN_STATE = frozenset(
    {
        *("StackV2", "StackPushV2", "StackPopV2"),
        *("TensorArrayV3", "TensorArrayReadV3", "TensorArrayWriteV3", "TensorArrayGradV3"),
        *("TensorArrayGatherV3", "TensorArrayScatterV3", "TensorArrayConcatV3"),
        *("TensorArraySplitV3", "TensorArraySizeV3"),
    }
)


class InvalidProgramError(Exception):
    """Raised for a program that breaks a rule, which is a defect in a pass."""


@dataclass(frozen=True, eq=False)
class Constant:
    """The payload of a "const": a value known at compile time."""

    value: Any


@dataclass(frozen=True)
class Alternatives:
    """The payload of an "alive" and of a guarded Merge: the guards of its inputs, None for a dead input."""

    guards: tuple[Guard | None, ...]


@dataclass(frozen=True)
class BlockStep:
    """One ufunc or native operation of a group, with the locations of its operands and result.

    A location is ("input", i), ("buffer", i) or ("result", 0). `reads` and `makes` number the values held there: the
    group's inputs and constants first, then each ufunc's result.
    """

    ufunc: Any  # NumPy's ufunc, if any
    operands: tuple[tuple[str, int], ...]
    target: tuple[str, int]
    reads: tuple[int, ...] = ()
    makes: int = -1
    ends_node: bool = True  # whether it computes a node's output, not an intermediate value
    operation: str = ""  # its name in the native library


@dataclass(frozen=True, eq=False)
class FusedGroup:
    """The payload of a "fused" node: its members, in order, and a function that evaluates them at once.

    members: empty if its results belong to no graph node.
    steps: steps of all members in order, if evaluated in blocks.
    parts: the nodes that run if `evaluate` fails: groups among the members; empty if the members run one by one. Inputs
      from outside the group are copied for them.
    """

    members: tuple[Node, ...]
    evaluate: Callable[..., Any]
    steps: tuple[BlockStep, ...] = ()
    parts: tuple[Node, ...] = ()


@dataclass(frozen=True, eq=False)
class UpdateGroup:
    """The payload of an "updates": its nodes, the slots of each, and the function to run them together."""

    members: tuple[Node, ...]
    parts: tuple[UpdateSlots, ...]
    update: Callable[..., bool]


@dataclass(frozen=True)
class UpdateSlots:
    """The slots of one update: variable and optimizer slots, scalars, gradient."""

    cells: tuple[int, ...]
    scalars: tuple[int, ...]
    gradient: int


@dataclass(frozen=True)
class Participants:
    """The payload of a "collective": the devices of its inputs and outputs."""

    devices: tuple[str, ...]


@dataclass(frozen=True)
class MayHoldArray:
    """The payload of a "read" whose slot may hold an array, after a Merge, instead of a reference."""


@dataclass(frozen=True)
class PossibleSharing:
    """The payload of a "view" whose memory sharing is known only at run time."""


@dataclass(frozen=True)
class CopySource:
    """The payload of a "copy" from another device; copies from the host have no payload."""

    device: str


class Node:
    """One node of a program: an op on slots.

    kind: "op", or a kind added by passes: "read" (a reference to its array), "view" (an op that shares a variable's
      memory and returns references), "const" (a compile-time value), "fused", "alive" (whether a Merge has a value),
      "collective" (an all-reduce over several devices), "copy", "send" and "receive" (a value to another memory),
      "while" (a Loop), "updates" (of variables, by an optimizer), "joined" (the factors of products collected by a
      loop, concatenated vertically).
    payload: data specific to its kind.
    guard: the conditions under which it runs.
    origin: the graph's operation, for messages.
    """

    __slots__ = (
        "kind",
        "opdef",
        "attrs",
        "inputs",
        "outputs",
        "controls",
        "origin",
        "guard",
        "payload",
        "device",
    )

    def __init__(
        self,
        kind: str,
        origin: Operation,
        inputs: tuple[int, ...],
        outputs: tuple[int, ...],
        controls: tuple[Node, ...] = (),
        payload: Payload | None = None,
    ):
        self.kind = kind
        self.origin = origin
        self.opdef = origin.opdef
        self.attrs = origin.attrs
        self.inputs = inputs
        self.outputs = outputs
        self.controls = controls
        self.guard: Guard = ()
        self.payload = payload
        self.device = origin.device

    @property
    def constant(self) -> Any:
        """The value of a "const"."""
        assert isinstance(self.payload, Constant)
        return self.payload.value

    @property
    def alternatives(self) -> tuple[Guard | None, ...]:
        """Input guards of a Merge or an "alive"; empty for other nodes."""
        return self.payload.guards if isinstance(self.payload, Alternatives) else ()

    @property
    def fused(self) -> FusedGroup:
        assert isinstance(self.payload, FusedGroup)
        return self.payload

    @property
    def updates(self) -> UpdateGroup:
        assert isinstance(self.payload, UpdateGroup)
        return self.payload

    @property
    def members(self) -> tuple[Node, ...]:
        """The nodes that a group replaces; empty for other nodes."""
        payload = self.payload
        if payload is None:  # true for most nodes
            return ()
        return payload.members if isinstance(payload, FusedGroup | UpdateGroup) else ()

    @property
    def participants(self) -> tuple[str, ...]:
        """The devices of a "collective"."""
        assert isinstance(self.payload, Participants)
        return self.payload.devices

    @property
    def copied_from(self) -> str:
        """The source device of a "copy"; "" for the host."""
        return self.payload.device if isinstance(self.payload, CopySource) else ""

    @property
    def may_hold_array(self) -> bool:
        """Whether the slot of a "read" may hold an array instead of a reference."""
        return isinstance(self.payload, MayHoldArray)

    @property
    def loop(self) -> Loop:
        """The body of a "while"."""
        assert isinstance(self.payload, Loop)
        return self.payload

    @property
    def has_own_state(self) -> bool:
        """Whether the node's only effects are on the stack or TensorArray of its first input."""
        return self.kind == "op" and self.opdef.name in _OWN_STATE

    @property
    def may_wait(self) -> bool:
        """Whether the node is a blocking op, or a loop that contains a blocking op or sends to another task."""
        if self.kind == "while":
            program = self.loop.program
            return any(node.may_wait or node.sends for node in (*program.nodes, *program.unsent))
        return self.kind in ("op", "collective") and self.opdef.may_wait

    @property
    def sends(self) -> bool:
        """Whether the node sends a tensor to another task."""
        return self.kind == "op" and self.opdef.name in SEND_OPS

    @property
    def receives(self) -> bool:
        """Whether the node receives tensors from another task."""
        return self.kind == "op" and self.opdef.name in RECEIVE_OPS

    @property
    def predicates(self) -> list[int]:
        """Predicate slots of its guard and its alternatives."""
        slots = [p for p, _ in self.guard]
        if isinstance(self.payload, Alternatives):
            slots += [p for guard in self.payload.guards for p, _ in guard or ()]
        return slots

    def __repr__(self) -> str:
        left = ", ".join(f"t{s}" for s in self.outputs)
        right = ", ".join(f"t{s}" for s in self.inputs)
        guard = "".join(f" if {'' if b else 'not '}t{p}" for p, b in self.guard)
        kind = self.opdef.name if self.kind == "op" else self.kind
        return f"{left + ' = ' if left else ''}{kind}({right}){guard}  # {self.origin.name}"


@dataclass(frozen=True)
class Slot:
    """Static dtype and shape of a slot's value."""

    dtype: DType
    dims: tuple[int | None, ...] | None


@dataclass(frozen=True)
class KnownShapes:
    """Shapes of slots known from the enclosing program, in its symbols.

    dims: the shapes by slot; vectors: the elements of vectors of sizes, by slot.
    """

    dims: dict[int, Dims]
    vectors: dict[int, Dims]


@dataclass
class Program:
    """Nodes in execution order, slot dtypes and shapes, and the fed and fetched slots."""

    nodes: list[Node]
    slots: list[Slot]
    feeds: tuple[int, ...]
    fetches: tuple[int, ...]
    targets: list[Node] = field(default_factory=list)
    # The Switch on a predicate's slot, for messages.
    switches: dict[int, Node] = field(default_factory=dict)
    # The condition under which a fed slot has a value.
    feed_guards: dict[int, Guard] = field(default_factory=dict)
    # Whether the program is a part of a step: fetches without a value are None, and other parts do not read them.
    is_part: bool = False
    # By number of a fetch that may be dead: its guard; None if it is always dead.
    fetch_guards: dict[int, Guard | None] = field(default_factory=dict)
    # By slot of a fetched reference, or of the value read for it: TensorFlow's fetch node, named in messages.
    retvals: dict[int, str] = field(default_factory=dict)
    # The memory space of a slot's value: a device name; absent for host memory.
    memory: dict[int, str] = field(default_factory=dict)
    # Devices with separate memory, by name: the session's devices, then those in use once copies
    # are inserted.
    devices: Devices = field(default_factory=dict)
    # The operations whose results are fed, for messages.
    fed: tuple[Operation, ...] = ()
    # Whether `memory` holds for every slot: from insert_copies on, if the program uses devices.
    copies_inserted: bool = False
    # Whether arrays on its devices are fed or returned.
    shares_arrays: bool = False
    # Whether fetched values may share memory: the receiver only reads them.
    shares_fetches: bool = False
    # Nodes that send to other tasks; they never run.
    unsent: list[Node] = field(default_factory=list)
    # For a loop body: shapes known from the enclosing program.
    known_shapes: KnownShapes | None = None

    def on_host(self, node: Node) -> bool:
        """Whether the node runs on the host, with numpy."""
        return node.device not in self.devices

    def all_nodes(self) -> Iterator[Node]:
        """Yields all nodes, including nodes of loops."""
        for node in self.nodes:
            yield node
            if node.kind == "while":
                yield from node.loop.program.all_nodes()

    @property
    def fetch_predicates(self) -> list[int]:
        """The slots of the predicates in the guards of fetches."""
        return [p for guard in self.fetch_guards.values() for p, _ in guard or ()]

    def new_slot(self, dtype: DType, dims: tuple[int | None, ...] | None) -> int:
        self.slots.append(Slot(dtype, dims))
        return len(self.slots) - 1

    def __str__(self) -> str:
        lines = [f"feeds {', '.join(f't{s}' for s in self.feeds)}"] if self.feeds else []
        for node in self.nodes:
            lines.append(repr(node))
            if node.kind == "while":
                lines += ["    " + line for line in str(node.loop.program).splitlines()]
        return "\n".join([*lines, f"return {', '.join(f't{s}' for s in self.fetches)}"])


def without(values: tuple[Item, ...], positions: Container[int]) -> tuple[Item, ...]:
    """Returns the values without those at `positions`: feeds of a loop or inputs of a node."""
    return tuple(value for position, value in enumerate(values) if position not in positions)


@dataclass(frozen=True, eq=False)
class Loop:
    """The payload of a "while": the program that it repeats.

    program: one iteration. Its feeds are the loop variables, then the loop invariants. It returns the predicate; the
      next values of the loop variables, present if the predicate holds; the node's results, present if it does not;
      and the collected values, one for each of the node's trailing list results, present if the predicate holds. Slot
      numbers are shared with the enclosing program.
    variables: number of loop variables; collected: the device of each list.
    enters, exits: the graph nodes of its feeds and results.
    frame: the frame name in the graph.
    """

    program: Program
    variables: int
    enters: tuple[Node, ...]
    exits: tuple[Node, ...]
    collected: tuple[str, ...] = ()
    frame: str = ""


Payload = (
    Constant
    | Alternatives
    | FusedGroup
    | UpdateGroup
    | Participants
    | MayHoldArray
    | PossibleSharing
    | CopySource
    | Loop
)
