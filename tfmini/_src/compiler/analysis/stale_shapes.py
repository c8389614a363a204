"""Stale shapes: static shapes inferred from a constant that a feed replaces.

Shape inference reads constants while the graph is built: `tf.reshape(x, n)` gets the shape in the constant `n`. A step
that feeds `n` must not rely on that shape or on any shape downstream.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tfmini._src.graph.operation import Operation
from tfmini._src.graph.shape_inference import decides_shapes, is_decided
from tfmini._src.graph.tensor import Tensor

_SHAPE_OPS = frozenset({"Shape", "ShapeN", "Size", "Rank"})
NO_TENSORS: frozenset[Tensor] = frozenset()


def stale_shapes(
    feeds: Iterable[Tensor], ops: Sequence[Operation]
) -> set[Tensor] | frozenset[Tensor]:
    """Returns the tensors of `ops` whose static shapes may be wrong in a step with these feeds."""
    replaced = {tensor for tensor in feeds if is_decided(tensor)}
    if not replaced:
        return NO_TENSORS
    fed = frozenset(feeds)
    stale: set[Tensor] = set()
    size = -1
    while size != len(replaced) + len(stale):  # repeats while back edges add something
        size = len(replaced) + len(stale)
        for op in ops:
            is_shape_op = op.type in _SHAPE_OPS
            if not stale.isdisjoint(op.inputs):
                affected = [replaced] if is_shape_op else [replaced, stale]
            elif is_shape_op or replaced.isdisjoint(op.inputs):
                continue
            elif any(t in replaced and decides_shapes(t) for t in op.inputs):
                affected = [replaced, stale]
            else:
                affected = [replaced]
            for tensors in affected:
                tensors.update(t for t in op.outputs if t not in fed)
    return stale
