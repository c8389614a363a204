"""The plan's intermediate form: nodes over numbered slots, plain data between stages.

A slot holds one tensor's value during a run. Stages take a Program and return one; nodes are in an order in which
they can run.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

# (predicate slot, branch): the node runs only if the predicate's value is `branch`.
Literal = tuple[int, bool]
Guard = tuple[Literal, ...]

_MERGES = frozenset({"Merge", "RefMerge"})


class Node:
    """One node of a program: an op on slots.

    kind: "op", or what stages add: "read" (a variable cell to its array), "const" (a value known now), "fused", "alive"
      (whether a Merge has a value), "collective" (an all-reduce over several GPUs), "copy", "send" and "receive" (a
      value to another memory), "while" (a Loop), "joined" (what a loop has collected of the
      factors of products, below each other).
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
        "value",
        "device",
    )

    def __init__(
        self,
        kind: str,
        origin: Any,
        inputs: tuple[int, ...],
        outputs: tuple[int, ...],
        controls: tuple[Any, ...] = (),
        value: Any = None,
    ):
        self.kind = kind
        self.origin = origin
        self.opdef = origin.opdef
        self.attrs = origin.attrs
        self.inputs = inputs
        self.outputs = outputs
        self.controls = controls
        self.guard: Guard = ()
        self.value = value
        self.device = origin.device

    @property
    def holds_guards(self) -> bool:
        """Whether its value is a list of guards, those of the inputs of a Merge."""
        return self.kind == "alive" or (self.kind == "op" and self.opdef.name in _MERGES)

    def __repr__(self) -> str:
        left = ", ".join(f"t{s}" for s in self.outputs)
        right = ", ".join(f"t{s}" for s in self.inputs)
        guard = "".join(f" if {'' if b else 'not '}t{p}" for p, b in self.guard)
        kind = self.opdef.name if self.kind == "op" else self.kind
        return f"{left + ' = ' if left else ''}{kind}({right}){guard}  # {self.origin.name}"


@dataclass(frozen=True)
class Slot:
    """What is known of a slot's value before running."""

    dtype: Any
    dims: tuple[int | None, ...] | None


@dataclass
class Program:
    """Nodes in order, what is known of their slots, and which slots are fed and fetched."""

    nodes: list[Node]
    slots: list[Slot]
    feeds: tuple[int, ...]
    fetches: tuple[int, ...]
    targets: list[Node] = field(default_factory=list)
    # The Switch that branches on a predicate's slot, for messages.
    switches: dict[int, Node] = field(default_factory=dict)
    # For the number of a fetch that may be dead: when it is alive; None if never.
    fetch_guards: dict[int, Guard | None] = field(default_factory=dict)
    # Where the value of a slot lies: the name of a GPU; not here, host memory.
    memory: dict[int, str] = field(default_factory=dict)
    # The GPUs that the program uses, by name.
    gpus: dict[str, Any] = field(default_factory=dict)
    # The operations whose results are fed, for messages.
    fed: tuple[Any, ...] = ()
    # Whether it is fed, or gives back, arrays that lie on them.
    shares_arrays: bool = False

    def all_nodes(self) -> Iterator[Node]:
        """The nodes, with those of loops."""
        for node in self.nodes:
            yield node
            if node.kind == "while":
                yield from node.value.program.all_nodes()

    def new_slot(self, dtype: Any, dims: tuple | None) -> int:
        self.slots.append(Slot(dtype, dims))
        return len(self.slots) - 1

    def __str__(self) -> str:
        lines = [f"feeds {', '.join(f't{s}' for s in self.feeds)}"] if self.feeds else []
        for node in self.nodes:
            lines.append(repr(node))
            if node.kind == "while":
                lines += ["    " + line for line in str(node.value.program).splitlines()]
        return "\n".join([*lines, f"return {', '.join(f't{s}' for s in self.fetches)}"])


@dataclass
class Loop:
    """What a node of kind "while" repeats.

    program: one iteration. It is fed the loop variables, then what stays the same; it gives the predicate, then the
      next values of the loop variables, which there are if the predicate holds, then what the node gives, if not,
      then what it collects: if the predicate holds, a value for the last lists that the node gives. Its slots are
      numbered with those around it.
    variables: how many loop variables there are; collected: the device of each list.
    enters, exits: the nodes of the graph through which its feeds come and its results go.
    """

    program: Program
    variables: int
    enters: tuple[Node, ...]
    exits: tuple[Node, ...]
    collected: tuple[str, ...] = ()
