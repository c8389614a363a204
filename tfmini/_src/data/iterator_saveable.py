"""Iterator positions in checkpoints."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.scopes import colocate_with
from tfmini._src.ops import raw
from tfmini._src.variables.saveable import SaveableObject, SaveSpec


class IteratorSaveable(SaveableObject):
    """Saveable of the position of an iterator."""

    def __init__(self, iterator_resource: Any, name: str, suffix: str):
        serialized = raw.SerializeIterator(iterator_resource)
        super().__init__(iterator_resource, [SaveSpec(serialized, "", name + suffix)], name)

    def restore(self, restored_tensors: Any, restored_shapes: Any) -> Any:
        """Returns the operation that restores the position."""
        with colocate_with(self.op):
            return raw.DeserializeIterator(self.op, restored_tensors[0])
