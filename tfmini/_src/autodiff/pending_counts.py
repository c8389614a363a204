"""The operations between ys and xs, and the number of gradients that each of them waits for."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

from tfmini._src.autodiff.loop_state import LoopGradients
from tfmini._src.base import dtypes
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.traversal import reachable_from

_TRAINABLE = frozenset(
    {
        dtypes.float16,
        dtypes.float32,
        dtypes.float64,
        dtypes.complex64,
        dtypes.complex128,
        dtypes.resource,
        dtypes.variant,
    }
)


def is_trainable(tensor_or_dtype: Any) -> bool:
    """Whether gradients flow through values of this dtype."""
    dtype = getattr(tensor_or_dtype, "dtype", tensor_or_dtype)
    return dtypes.as_dtype(dtype).base_dtype in _TRAINABLE


def _passes_gradients(tensor: Any) -> bool:
    dtype = tensor.dtype.base_dtype
    return dtype in _TRAINABLE or dtype is dtypes.bfloat16


class Edges:
    """The edges of the graph along which gradients flow.

    While a function body is built, they also lead from a placeholder to the captured tensor outside the body, unless
    the placeholder is an x itself.
    """

    def __init__(self, graph: Any, xs: Sequence[Any] = ()):
        self._graphs: list[Any] = []
        while graph.building_function:
            self._graphs.append(graph)
            graph = graph._outer_graph
        self._xs = frozenset(xs) if self._graphs else frozenset()

    def inputs(self, op: Any) -> Sequence[Any]:
        """Returns the tensors that receive gradients from an operation."""
        return [self._source(t) for t in op.inputs] if self._graphs else op.inputs

    def _source(self, tensor: Any) -> Any:
        while tensor not in self._xs:
            outer = tensor.__dict__.get("_captured_from")
            if outer is None or isinstance(outer, EagerTensor):
                break
            tensor = outer
        return tensor

    def consumers(self, tensor: Any) -> Sequence[Any]:
        """Returns the operations that consume a tensor."""
        if not self._graphs:
            return tensor._consumers
        consumers = list(tensor._consumers)
        for graph in self._graphs:
            captured = graph.captured.get(tensor)
            if captured is not None:
                consumers += self.consumers(captured)
        return consumers


def reachable_ops(from_ops: Sequence[Any], edges: Edges) -> set:
    """Returns the operations that depend on `from_ops` through tensors that propagate gradients."""

    def readers(op: Any) -> list:
        return [c for t in op.outputs if _passes_gradients(t) for c in edges.consumers(t)]

    return set(reachable_from(from_ops, readers))


def pending_counts(
    to_ops: Sequence[Any], from_ops: Sequence[Any], colocate: bool, edges: Edges
) -> tuple[set, dict[Any, int], LoopGradients]:
    """Returns the operations between ys and xs, and the number of gradients that the backward walk waits for.

    Returns:
      The `to_ops` that depend on `from_ops`; for each operation in between, the number of uses by the others; the
      loops in between.
    """
    dependent = reachable_ops(from_ops, edges)
    reachable_to_ops = {op for op in to_ops if op in dependent}
    inner_ops: list = []
    queue = deque(to_ops)
    while queue:
        op = queue.popleft()
        if op in dependent:
            inner_ops.append(op)
            dependent.remove(op)
            queue.extend(t.op for t in edges.inputs(op))
    loops = LoopGradients(inner_ops, colocate)
    members = set(inner_ops)
    counts: dict[Any, int] = dict.fromkeys(inner_ops, 0)
    for op in inner_ops:
        for tensor in edges.inputs(op):
            if tensor.op in members:
                counts[tensor.op] += 1
    return reachable_to_ops, counts, loops


def stop_ops(
    from_ops: Sequence[Any], stop_gradient_ops: Sequence[Any], counts: dict[Any, int]
) -> set:
    """Returns the ops at which the walk ends: `stop_gradient_ops`, and `from_ops` independent of other `from_ops`."""
    stops = {op for op in from_ops if not any(counts.get(t.op, 0) > 0 for t in op.inputs)}
    stops.update(stop_gradient_ops)
    return stops
