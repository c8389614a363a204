"""Frames of loops, as `frames_to_loops` collects their nodes, and the error for a node that reads across them."""

from __future__ import annotations

from dataclasses import field

from tfmini._src.base.errors import InvalidArgumentError
from tfmini._src.base.records import dataclass
from tfmini._src.compiler.error_translation import describe_node
from tfmini._src.compiler.program.program import Node

ENTERS = frozenset({"Enter", "RefEnter"})
EXITS = frozenset({"Exit", "RefExit"})


@dataclass(eq=False)
class Frame:
    """The nodes of a loop, with each inner loop as one node; the outermost frame is the program itself."""

    outer: Frame | None = None
    nodes: list[Node] = field(default_factory=list)
    enters: list[Node] = field(default_factory=list)
    exits: list[Node] = field(default_factory=list)
    back_edges: dict[int, Node] = field(default_factory=dict)  # by output slot
    inner: dict[str, Frame] = field(default_factory=dict)

    name: str = ""

    @property
    def depth(self) -> int:
        return 0 if self.outer is None else 1 + self.outer.depth

    @property
    def is_loop(self) -> bool:
        """Whether the frame is a loop; without back edges, its nodes run once, as if there were no frame."""
        return bool(self.back_edges)


def node_text(node: Node | None) -> str:
    """Returns a node in the format of TensorFlow's messages; None stands for a feed."""
    return "node _arg " if node is None else describe_node(node.origin)


def different_frames_error(node: Node, *sources: tuple[Node | None, Frame]) -> InvalidArgumentError:
    """Returns the error for a node whose inputs are in different frames."""
    message = f"{node_text(node)} has inputs from different frames."
    for source, frame in sources:
        message += f" The input {node_text(source)} is in frame '{frame.name}'."
    return InvalidArgumentError(None, None, message)
