"""Resources that an op creates in a handle: until then, the handle names a resource that does not exist."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

from tfmini._src.base.dtypes import DType
from tfmini._src.base.locks import make_rlock
from tfmini._src.graph.op_traits.handle_kinds import HandleKind, Resource, ResourceKind

Created = TypeVar("Created", bound="CreatedResource")


class CreatedResource(Resource):
    """A resource behind a handle; `destroyed` is its path while it does not exist.

    names: names of the existing resources of the container.
    """

    def __init__(self, container: str, name: str, names: set[str]):
        self.name = name
        self.names = names
        self.lock = make_rlock()
        self.destroyed = f"{container or 'localhost'}/{name}"

    def mark_created(self) -> None:
        """Makes the resource accessible to the ops that use it."""
        self.names.add(self.name)
        self.destroyed = ""


def handle_of_node(ctx: Any, kind: str, resource_class: type[Created]) -> Created:
    """Returns the resource of a handle op, named by the op's attrs or its node."""
    container, name = ctx.op.attrs["container"], ctx.op.attrs["shared_name"] or ctx.op.name
    names = ctx.resources.names_in(container)
    return ctx.resources.named(
        (kind, container, name), lambda: resource_class(container, name, names)
    )


def to_create(kind: ResourceKind) -> HandleKind:
    """Returns the handle kind of an op that creates a resource of a kind."""

    def accept(value: Any, dtype: DType | None) -> Any:
        return value if getattr(value, "resource_kind", None) is kind else kind(value, dtype)

    return accept


def exists(resource: Any, kind: ResourceKind) -> Any:
    """Returns whether a handle is of a kind, and its resource exists."""
    return np.bool_(resource.resource_kind is kind and not resource.destroyed)
