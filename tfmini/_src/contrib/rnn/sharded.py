"""A weight partitioned into several variables by rows, read as one tensor."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.collections import add_to_collection, get_collection
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import get_variable, get_variable_scope


def concat_sharded_variable(name: str, shape: list[int], dtype: Any, num_shards: int) -> Any:
    """Concatenates the variables `name_0`, `name_1` ... of the given total shape, created once per graph."""
    if num_shards > shape[0]:
        raise ValueError(f"Too many shards: shape={shape}, num_shards={num_shards}")
    rows, remainder = divmod(shape[0], num_shards)
    shards = [
        get_variable(f"{name}_{i}", [rows + (i < remainder), *shape[1:]], dtype=dtype)
        for i in range(num_shards)
    ]
    if len(shards) == 1:
        return shards[0]
    joined_name = f"{name}/concat"
    full_name = f"{get_variable_scope().name}/{joined_name}:0"
    for value in get_collection(GraphKeys.CONCATENATED_VARIABLES):
        if value.name == full_name:
            return value
    joined = ops.concat(shards, 0, name=joined_name)
    add_to_collection(GraphKeys.CONCATENATED_VARIABLES, joined)
    return joined
