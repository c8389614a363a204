"""Tracking of a graph's open `control_dependencies` blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfmini._src.graph.operation import Operation

if TYPE_CHECKING:
    from tfmini._src.graph.scope_stacks import ScopeStacks


class ControlDependencies:
    """A `Graph.control_dependencies` block: its control inputs, and the nodes created in it so far.

    With None for control inputs, the block clears the enclosing blocks and the control flow context.
    """

    def __init__(self, graph: ScopeStacks, control_inputs: list[Operation] | None):
        self._graph = graph
        self._clears_dependencies = control_inputs is None
        self.control_inputs = control_inputs or []
        self.seen: set[Operation] = set()

    def __enter__(self) -> None:
        graph = self._graph
        if self._clears_dependencies:
            self._old_stack = graph._blocks.controls
            self._old_context = graph._control_flow_context
            graph._blocks.controls = []
            graph._control_flow_context = None
        graph._blocks.controls.append(self)

    def __exit__(self, *unused: object) -> None:
        graph = self._graph
        if graph._blocks.controls[-1] is not self:
            raise AssertionError("control_dependencies blocks must be exited in reverse order.")
        graph._blocks.controls.pop()
        if self._clears_dependencies:
            graph._blocks.controls = self._old_stack
            graph._control_flow_context = self._old_context
