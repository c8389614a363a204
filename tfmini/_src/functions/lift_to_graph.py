"""Copying of subgraphs to another graph."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tfmini._src.functions.traced_function import TracedGraph
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.scopes import device
from tfmini._src.graph.tensor import Tensor, copy_handle_data
from tfmini._src.graph.traversal import reachable_from
from tfmini._src.ops import ops
from tfmini._src.variables.lifted_values import UnliftableError
from tfmini._src.variables.resource_variable import BaseResourceVariable


def lift_to_graph(
    tensors: Sequence[Any],
    graph: Graph,
    sources: Iterable[Tensor] | None = None,
    disallowed_placeholders: Iterable[Operation] | None = None,
    add_sources: bool = False,
    handle_captures: bool = False,
    base_graph: Graph | None = None,
    op_map: dict[Any, Any] | None = None,
) -> dict[Any, Any]:
    """Copies tensors and operations, with all dependencies, into another graph.

    Copies keep explicit devices, but not colocation.

    Args:
      tensors: tensors and operations of one graph; resource variables represent their handles.
      graph: the target graph.
      sources: tensors replaced by placeholders, without their dependencies.
      disallowed_placeholders: operations that may not be copied; None for all placeholders.
      add_sources: whether placeholders other than sources may be copied.
      handle_captures: whether the target graph captures the captures of a body too; else placeholders replace them.
      base_graph: the graph of the tensors.
      op_map: earlier copies.

    Returns:
      `op_map` with the copy of each operation and tensor.

    Raises:
      UnliftableError: if a tensor depends on a placeholder that may not be copied.
    """
    op_map = {} if op_map is None else op_map
    op_map.update((item, item) for item in tensors if isinstance(item, BaseResourceVariable))
    expected = [item for item in tensors if item not in op_map]
    if not expected:
        return op_map
    base: Any = base_graph or expected[0].graph
    for function in base._functions.values():
        if function.library_name not in graph._functions:
            graph._add_function(function)
    outer_tensors: dict[Tensor, Tensor] = {}
    if handle_captures and isinstance(base, TracedGraph) and isinstance(graph, TracedGraph):
        outer_tensors = {inner: tensor for tensor, inner in base.captured.items()}
    fed = {*(sources or ()), *(key for key in op_map if isinstance(key, Tensor))}
    end_ops = [getattr(item, "op", item) for item in expected if item not in fed]
    late_inputs: list[tuple[Operation, int, Tensor]] = []
    with graph.as_default():
        for tensor in sources or ():
            op_map[tensor] = _placeholder_like(tensor)
        for op in _required_operations(end_ops, fed):
            if op in op_map:
                continue
            captured = next((t for t in op.outputs if t in outer_tensors), None)
            if captured is not None:
                assert isinstance(graph, TracedGraph)
                copy = graph.capture(outer_tensors[captured], op.name).op
            elif _is_rejected(op, disallowed_placeholders, add_sources):
                raise _unliftable(op, expected, fed)
            elif op.type == "Placeholder":
                copy = _placeholder_like(op.outputs[0]).op
            else:
                copy = _copy_operation(op, op_map, late_inputs)
            op_map[op] = copy
            for old, new in zip(op.outputs, copy.outputs):
                op_map.setdefault(old, new)
        for copy, position, tensor in late_inputs:
            copy._update_input(position, op_map[tensor])
    return op_map


def _placeholder_like(tensor: Tensor) -> Tensor:
    with device(tensor.op.device):
        placeholder: Tensor = ops.placeholder(tensor.dtype, shape=tensor.shape, name=tensor.op.name)
    copy_handle_data(tensor, placeholder)
    return placeholder


def _copy_operation(
    op: Operation, op_map: dict[Any, Any], late_inputs: list[tuple[Operation, int, Tensor]]
) -> Operation:
    """Copies an operation to the default graph; inputs to be copied later are added to `late_inputs`."""
    graph = get_default_graph()
    control_inputs = [op_map[control] for control in op.control_inputs if control in op_map]
    with graph.control_dependencies(control_inputs), device(op.device):
        # A loop's back edge enters its Merge from a later copy.
        copied = next((op_map[t] for t in op.inputs if t in op_map), None)
        inner: Any = tuple([op_map.get(tensor, copied) for tensor in op.inputs])
        attrs = {key: value for key, value in op.attrs.items() if key not in _PLACEMENT_ATTRS}
        name = graph.unique_name(op.name)
        copy: Operation = graph.add_node(op.opdef, name, inner, op._input_dtypes, attrs)
    late_inputs += [(copy, n, t) for n, t in enumerate(op.inputs) if t not in op_map]
    for old, new in zip(op.outputs, copy.outputs):
        new._dims = old._dims
        copy_handle_data(old, new)
    return copy


_PLACEMENT_ATTRS = ("_class", "_tpu_replicate")


def _is_rejected(
    op: Operation, disallowed: Iterable[Operation] | None, takes_placeholders: bool
) -> bool:
    if disallowed is not None:
        return op in disallowed
    return op.type == "Placeholder" and not takes_placeholders


def _required_operations(end_ops: Iterable[Operation], fed: set[Tensor]) -> list[Operation]:
    """Returns the ancestors of operations in creation order, except those required only by fed tensors."""
    return sorted(
        reachable_from(end_ops, lambda op: _source_operations(op, fed)), key=lambda op: op._id
    )


def _source_operations(op: Operation, fed: set[Tensor]) -> list[Operation]:
    return [*(t.op for t in op.inputs if t not in fed), *op.control_inputs]


def _unliftable(
    placeholder: Operation, end_ops: Iterable[Operation | Tensor], fed: set[Tensor]
) -> UnliftableError:
    """Returns the error for a dependency on a placeholder; its message shows the path from the result."""
    for end in end_ops:
        last = end.op if isinstance(end, Tensor) else end
        consumer: dict[Operation, Operation] = {}
        waiting = [last]
        while waiting:
            op = waiting.pop()
            for other in _source_operations(op, fed):
                if other not in consumer and other is not last:
                    consumer[other] = op
                    waiting.append(other)
        if placeholder in consumer or placeholder is last:
            way = [placeholder]
            while way[-1] is not last:
                way.append(consumer[way[-1]])
            path = " <- ".join(f"{op.name} ({op.type})" for op in reversed(way))
            return UnliftableError(
                f"Unable to lift tensor {end!r} because it depends transitively on placeholder {placeholder!r} via at "
                f"least one path, e.g.: {path}"
            )
    raise AssertionError(placeholder)
