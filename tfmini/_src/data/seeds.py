"""Seeds of datasets as tensors."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.seeds import get_seed
from tfmini._src.ops import ops, raw


def seed_tensors(seed: Any) -> tuple[Any, Any]:
    """Returns two int64 scalar tensors that combine the graph seed and `seed` (an integer, a tensor or None)."""
    graph_seed, op_seed = get_seed(seed)
    first = ops.convert_to_tensor(graph_seed or 0, dtype=dtypes.int64, name="seed")
    if op_seed is None:
        return first, ops.constant(0, dtype=dtypes.int64, name="seed2")
    with name_scope("seed2") as scope:
        second = ops.convert_to_tensor(op_seed, dtype=dtypes.int64)
        are_zero = ops.logical_and(ops.equal(first, 0), ops.equal(second, 0))
        other = ops.constant(2**31 - 1, dtype=dtypes.int64)
        return first, raw.Select(are_zero, other, second, name=scope)
