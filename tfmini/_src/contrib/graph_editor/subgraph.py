"""A part of a graph, viewed as a unit with inputs and outputs."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.graph_editor.select import select_ops_and_ts
from tfmini._src.contrib.graph_editor.walk_boundary import (
    compute_boundary_ts,
    get_name_scope_ops,
    get_walks_union_ops,
)
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.op_selection import get_unique_graph, make_list_of_op, make_list_of_t
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor


class SubGraphView:
    """Operations of a graph, with their input and output tensors.

    Args:
      inside_ops: the operations.
      passthrough_ts: tensors that are both an input and an output.

    Raises:
      ValueError: if operations belong to different graphs.

    Example: `tf.contrib.graph_editor.SubGraphView([a.op, b.op]).inputs`.
    """

    graph: Any = read_only("The graph; None for an empty view.")
    ops: list[Operation] = read_only("The operations.")

    def __init__(self, inside_ops: object = (), passthrough_ts: object = ()):
        members, passing = make_list_of_op(inside_ops), make_list_of_t(passthrough_ts)
        all_elements: list[Tensor | Operation] = [*members, *passing]
        self._graph = get_unique_graph(all_elements) if all_elements else None
        self._ops = members
        inputs, outputs, inner = compute_boundary_ts(members)
        boundary = {*inputs, *outputs, *inner}
        self._passthroughs = [t for t in passing if t not in boundary]
        self._inputs = inputs + self._passthroughs
        self._outputs = outputs + self._passthroughs

    def copy(self) -> SubGraphView:
        """Returns a copy of the view."""
        return copy.copy(self)

    def remap_default(
        self, remove_input_map: bool = True, remove_output_map: bool = True
    ) -> SubGraphView:
        """Returns a view with its inputs, outputs or both in operation order."""
        default, view = SubGraphView(self._ops, self._passthroughs), self.copy()
        if remove_input_map:
            view._inputs = default._inputs
        if remove_output_map:
            view._outputs = default._outputs
        return view

    def remap_inputs(self, new_input_indices: Sequence[int] | Mapping[int, int]) -> SubGraphView:
        """Returns a view with selected inputs, as indices or tensors; raises ValueError if unknown or duplicate."""
        view = self.copy()
        view._inputs = _pick_tensors(self._inputs, new_input_indices, repeated=False)
        return view

    def remap_outputs(self, new_output_indices: Sequence[int] | Mapping[int, int]) -> SubGraphView:
        """Returns a view with selected outputs, as indices or tensors; raises ValueError for unknown ones."""
        view = self.copy()
        view._outputs = _pick_tensors(self._outputs, new_output_indices, repeated=True)
        return view

    def remap(
        self,
        new_input_indices: Sequence[int] | Mapping[int, int] | None = None,
        new_output_indices: Sequence[int] | Mapping[int, int] | None = None,
    ) -> SubGraphView:
        """Calls `remap_inputs` and `remap_outputs`; None leaves them unchanged."""
        view = self if new_input_indices is None else self.remap_inputs(new_input_indices)
        return view.copy() if new_output_indices is None else view.remap_outputs(new_output_indices)

    def remap_outputs_make_unique(self) -> SubGraphView:
        """Returns a view without duplicate outputs."""
        view = self.copy()
        view._outputs = list(dict.fromkeys(self._outputs))
        return view

    def remap_outputs_to_consumers(self) -> SubGraphView:
        """Returns a view with each output repeated once per consumer."""
        view = self.remap_outputs_make_unique()
        view._outputs = [t for t in view._outputs for _ in t.consumers()]
        return view

    def remove_unused_ops(self, control_inputs: bool = True) -> SubGraphView:
        """Returns a view without operations that depend on no input and contribute to no output."""
        walks = get_walks_union_ops(
            self.connected_inputs,
            self.connected_outputs,
            within_ops=self._ops,
            control_inputs=control_inputs,
        )
        used = set(walks)
        view = self.copy()
        view._ops = [op for op in self._ops if op in used]
        return view

    def find_op_by_name(self, op_name: str) -> Operation:
        """Returns the operation with this name; raises ValueError if it is not in the view."""
        for op in self._ops:
            if op.name == op_name:
                return op
        raise ValueError(f"{op_name} not in subgraph.")

    def op(self, op_id: int) -> Operation:
        """Returns the operation at index `op_id`."""
        return self._ops[op_id]

    def is_passthrough(self, t: Tensor) -> bool:
        """Whether a tensor is both an input and an output."""
        return t in self._passthroughs

    def input_index(self, t: Tensor) -> int:
        """Returns the index of an input; raises ValueError for other tensors."""
        return self._inputs.index(t)

    def output_index(self, t: Tensor) -> int:
        """Returns the index of an output; raises ValueError for other tensors."""
        return self._outputs.index(t)

    def consumers(self) -> list[Operation]:
        """Returns the outside operations that consume outputs."""
        members = set(self._ops)
        users = dict.fromkeys(op for t in self._outputs for op in t.consumers())
        return [op for op in users if op not in members]

    @property
    def inputs(self) -> tuple[Tensor, ...]:
        """The input tensors."""
        return tuple(self._inputs)

    @property
    def outputs(self) -> tuple[Tensor, ...]:
        """The output tensors."""
        return tuple(self._outputs)

    @property
    def passthroughs(self) -> tuple[Tensor, ...]:
        """The tensors that are both inputs and outputs."""
        return tuple(self._passthroughs)

    @property
    def connected_inputs(self) -> list[Tensor]:
        """The inputs consumed by the view's operations."""
        return [t for t in self._inputs if t not in self._passthroughs]

    @property
    def connected_outputs(self) -> list[Tensor]:
        """The outputs produced by the view's operations."""
        return [t for t in self._outputs if t not in self._passthroughs]

    def __bool__(self) -> bool:
        return self._graph is not None

    def __enter__(self) -> SubGraphView:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def __str__(self) -> str:
        if not self:
            return "SubGraphView: empty"
        lines = [f"SubGraphView (graphid={id(self.graph)}):"]
        parts: tuple[tuple[str, list[Any]], ...] = (
            ("ops", self._ops),
            ("inputs", self._inputs),
            ("outputs", self._outputs),
        )
        for name, items in parts:
            lines.append(f"** {name}[{len(items)}]:" if items else f"** {name}: empty")
            stars = [" *" if item in self._passthroughs else "" for item in items]
            lines += [f"  {item.name}{star}" for item, star in zip(items, stars)]
        return "\n".join(lines) + "\n"


def _pick_tensors(tensors: list[Tensor], expected: Any, repeated: bool) -> list[Tensor]:
    indices = [i if isinstance(i, int) else tensors.index(i) for i in expected]
    for i in indices:
        if not 0 <= i < len(tensors):
            raise ValueError(f"Out of [0, {len(tensors)}[ range: {i}")
    if not repeated and len(set(indices)) != len(indices):
        raise ValueError(f"Found repetition in mapping: {indices}")
    return [tensors[i] for i in indices]


def make_view(*args: Any, **kwargs: Any) -> SubGraphView:
    """Returns a view of the arguments, as in `select_ops`; views are returned unchanged.

    Raises:
      TypeError: if `graph` is not a graph.
      ValueError: if the view belongs to another graph.

    Example: `tf.contrib.graph_editor.sgv("hidden/.*", graph=graph)`.
    """
    graph = kwargs.get("graph")
    if len(args) == 1 and isinstance(args[0], SubGraphView):
        view = args[0]
    else:
        view = SubGraphView(*select_ops_and_ts(*args, **kwargs))
    if graph is not None and view.graph:
        if not isinstance(graph, Graph):
            raise TypeError(f"Expected a tf.Graph, got: {type(graph)}")
        if view.graph is not graph:
            raise ValueError("Graph mismatch.")
    return view


def make_view_from_scope(scope: str, graph: Graph) -> SubGraphView:
    """Returns a view of the operations in a name scope."""
    return SubGraphView(get_name_scope_ops(graph, scope))
