"""Which operations lie between ys and xs, and how many gradients each of them waits for."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

from tfmini import dtypes
from tfmini.autodiff.loop_state import LoopGradients

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


def reached_from(from_ops: Sequence[Any]) -> set:
    """The operations that depend on `from_ops` through tensors that pass gradients."""
    reached: set = set()
    pending = list(from_ops)
    while pending:
        op = pending.pop()
        if op in reached:
            continue
        reached.add(op)
        for output in op.outputs:
            if _passes_gradients(output):
                pending.extend(c for c in output._consumers if c not in reached)
    return reached


def pending_counts(
    to_ops: Sequence[Any], from_ops: Sequence[Any], colocate: bool = False
) -> tuple[set, dict[Any, int], LoopGradients]:
    """The operations between ys and xs, and the gradients that the walk back waits for.

    Returns:
      The `to_ops` that depend on `from_ops`; for each operation between, how often others between read it; the loops
      between.
    """
    reached = reached_from(from_ops)
    reachable_to_ops = {op for op in to_ops if op in reached}
    between: list = []
    queue = deque(to_ops)
    while queue:
        op = queue.popleft()
        if op in reached:
            between.append(op)
            reached.remove(op)
            queue.extend(t.op for t in op.inputs)
    loops = LoopGradients(between, colocate)
    inside = set(between)
    counts: dict[Any, int] = dict.fromkeys(between, 0)
    for op in between:
        for tensor in op.inputs:
            if tensor.op in inside:
                counts[tensor.op] += 1
    return reachable_to_ops, counts, loops


def stop_ops(
    from_ops: Sequence[Any], stop_gradient_ops: Sequence[Any], counts: dict[Any, int]
) -> set:
    """Where the walk ends: those of `from_ops` that depend on no other of them, and what the caller stops at."""
    stops = {op for op in from_ops if not any(counts.get(t.op, 0) > 0 for t in op.inputs)}
    stops.update(stop_gradient_ops)
    return stops
