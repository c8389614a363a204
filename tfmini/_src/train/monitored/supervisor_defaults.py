"""Default ops and objects of a Supervisor, from the graph's collections or newly created."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes, logs
from tfmini._src.graph.collections import add_to_collection, get_collection
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.graph import Graph
from tfmini._src.ops import ops
from tfmini._src.ops.lookup.tables_initializer import tables_initializer
from tfmini._src.train.checkpoints.saver import Saver
from tfmini._src.variables.collections import (
    global_variables,
    local_variables_initializer,
)

USE_DEFAULT: Any = 0


def value_or_default(value: Any, key: str, make: Callable | None) -> Any:
    """Returns the value, or the first item of a collection, or the result of `make`, added to the collection."""
    if value is not USE_DEFAULT:
        return value
    items = get_collection(key)
    if len(items) > 1:
        logs.info("Found %d %s operations. Returning the first one.", len(items), key)
    if items and items[0] is not None:
        return items[0]
    result = None if make is None else make()
    if result is not None:
        add_to_collection(key, result)
    return result


def default_local_init_op() -> Any:
    return ops.group(local_variables_initializer(), tables_initializer())


def default_saver() -> Any:
    return Saver() if global_variables() else None


def step_by_name() -> Any:
    """Returns the integer tensor "global_step:0", or None."""
    try:
        step = get_default_graph().get_tensor_by_name("global_step:0")
    except KeyError:
        return None
    if step.dtype.base_dtype in (dtypes.int32, dtypes.int64):
        return step
    logs.warning("Found 'global_step' is not an int type: %s", step.dtype)
    return None


def check_devices(graph: Graph) -> None:
    for op in graph.get_operations():
        if op.type in ("Variable", "VariableV2") and not op.device:
            raise ValueError(f"When using replicas, all Variables must have their device set: {op}")
