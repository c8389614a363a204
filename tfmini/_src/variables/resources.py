"""Shared and task-local resources that are initialized like variables."""

from __future__ import annotations

import os
from collections import namedtuple
from collections.abc import Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.collections import add_to_collection, get_collection
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import device, name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops.array.constant import constant
from tfmini._src.ops.array.stack import stack
from tfmini._src.ops.array.where import boolean_mask
from tfmini._src.ops.control_flow.no_op_groups import group, no_op
from tfmini._src.ops.math.logical import logical_not

__all__ = [
    "initialize_resources",
    "local_resources",
    "register_resource",
    "report_uninitialized_resources",
    "shared_resources",
]

_Resource = namedtuple("_Resource", ["handle", "create", "is_initialized"])


def register_resource(
    handle: Tensor, create_op: Any, is_initialized_op: Tensor, is_shared: bool = True
) -> None:
    """Adds a resource to the collection of shared or local resources."""
    key = GraphKeys.RESOURCES if is_shared else GraphKeys.LOCAL_RESOURCES
    add_to_collection(key, _Resource(handle, create_op, is_initialized_op))


def shared_resources() -> list:
    """Returns the shared resources of the graph."""
    return get_collection(GraphKeys.RESOURCES)


def local_resources() -> list:
    """Returns the local resources of the graph."""
    return get_collection(GraphKeys.LOCAL_RESOURCES)


def report_uninitialized_resources(
    resource_list: Sequence | None = None, name: str = "report_uninitialized_resources"
) -> Tensor:
    """Returns the names of the resources that are uninitialized at run time, as a string vector."""
    if resource_list is None:
        resource_list = shared_resources() + local_resources()
    where = os.environ.get("TF_DEVICE_FOR_UNINITIALIZED_VARIABLE_REPORTING", "/cpu:0")
    with name_scope(name), device(where):
        if not resource_list:
            return constant([], dtype=dtypes.string)
        mask = logical_not(stack([r.is_initialized for r in resource_list]))
        names = convert_to_tensor([r.handle.name for r in resource_list])
        return boolean_mask(names, mask)


def initialize_resources(resource_list: Sequence, name: str = "init") -> Any:
    """Returns an operation that creates the resources."""
    if resource_list:
        return group(*[r.create for r in resource_list], name=name)
    return no_op(name=name)
