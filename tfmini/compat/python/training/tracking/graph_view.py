"""`tensorflow.python.training.tracking.graph_view`: the objects reachable from a root."""

from __future__ import annotations

import weakref
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.scopes import device
from tfmini._src.ops import ops
from tfmini._src.train.object_checkpoint.object_graph import (
    GraphSaveable,
    list_objects,
    object_graph_message,
    walk,
)
from tfmini._src.variables.trackable import dependencies

__all__ = ["ObjectGraphView"]


class ObjectGraphView:
    """The objects reachable from a root, determined in each call.

    Args:
      root: the object, or a weak reference to it.
      saveables_cache: has no effect.
    """

    def __init__(self, root: Any, saveables_cache: Any = None) -> None:
        self._root = root
        self.saveables_cache = saveables_cache

    @property
    def root(self) -> Any:
        """The root object."""
        return self._root() if isinstance(self._root, weakref.ref) else self._root

    def list_dependencies(self, obj: Any) -> list[Any]:
        """Returns the objects that an object tracks, by name."""
        return dependencies(obj)

    def list_objects(self) -> list[Any]:
        """Returns all objects."""
        return list_objects(self.root)

    def serialize_object_graph(self) -> tuple[list[Any], Any, None]:
        """Returns (the SaveableObjects of the objects' tensors, a TrackableObjectGraph, None)."""
        message, saveables = object_graph_message(walk(self.root))
        names = {a.checkpoint_key: a.full_name for node in message.nodes for a in node.attributes}
        for saveable in saveables:
            if names.get(saveable.name):
                saveable.full_name = names[saveable.name]  # type: ignore[attr-defined]
        return saveables, message, None

    def frozen_saveable_objects(self, object_map: Any = None, to_graph: Any = None) -> list[Any]:
        """Returns the SaveableObjects of the objects' tensors and of the object graph."""
        saveables, message, _ = self.serialize_object_graph()
        with device("/cpu:0"):
            text = ops.constant(message.SerializeToString(), dtype=dtypes.string)
        return [*saveables, GraphSaveable(text)]
