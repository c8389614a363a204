"""Tables and other resources of a SavedModel, which its functions create, fill, save and restore."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from google.protobuf.empty_pb2 import Empty
from google.protobuf.unknown_fields import UnknownFieldSet

from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.variables.capturable_resource import CapturableResourceDeleter, TrackableResource
from tfmini._src.variables.saveable import SaveableObject, SaveSpec

_SAVEABLE_OBJECTS = 11  # a field of SavedObject since TensorFlow 2.4, a map to SaveableObject
_SAVE, _RESTORE = 2, 3  # fields of SaveableObject: node ids of functions


class RestoredResource(TrackableResource):
    """A table or another resource restored from a SavedModel.

    Attributes:
      contents: functions from a name to a `SaveableObject`, by checkpoint attribute.
    """

    def __init__(self, device: str):
        super().__init__(device)
        self._destroyer: Any = None
        self.contents: dict[str, Callable[[str], SaveableObject]] = {}

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        return self.contents

    def _list_functions_for_serialization(self, serialization_cache: Any) -> dict[str, Any]:
        functions = {"_create_resource": self._create_resource, "_initialize": self._initialize}
        if self._destroyer is not None:
            functions["_destroy_resource"] = self._destroyer
        return functions

    @property
    def _destroy_resource(self) -> Any:
        return self._destroyer

    @_destroy_resource.setter
    def _destroy_resource(self, function: Any) -> None:
        self._resource_deleter = CapturableResourceDeleter(function)
        self._destroyer = function


class RestoredContents(SaveableObject):
    """Keys and values of a mutable table, which functions of its SavedModel save and restore.

    Args:
      save: a function from a checkpoint key to dicts with "name", "slice_spec" and "tensor".
      restore: a function that restores these tensors.
      name: the checkpoint key.
    """

    def __init__(self, save: Any, restore: Any, name: str):
        parts = save(ops.constant(name))
        specs = [
            SaveSpec(part["tensor"], "", f"{name}-{suffix}")
            for part, suffix in zip(parts, ("keys", "values"), strict=True)
        ]
        super().__init__(None, specs, name)
        self._restore = restore

    def restore(self, restored_tensors: Sequence[Tensor], restored_shapes: Any) -> Any:
        """Fills the table."""
        return self._restore(*restored_tensors)


def saved_contents(message: Any) -> dict[str, tuple[int, int]]:
    """Returns the node ids of a SavedObject's (save, restore) functions, by checkpoint attribute.

    TensorFlow 1.15's message definition lacks this field.
    """
    node_ids = {}
    for field in _unknown_fields(message):
        if field.field_number == _SAVEABLE_OBJECTS:
            entry = _fields(field.data)
            functions = _fields(entry[2])
            node_ids[entry[1].decode()] = functions[_SAVE], functions[_RESTORE]
    return node_ids


def _fields(message: bytes) -> dict[int, Any]:
    """Returns the values of the fields of a serialized message, by field number."""
    parsed = Empty.FromString(message)
    return {field.field_number: field.data for field in _unknown_fields(parsed)}


def _unknown_fields(message: Any) -> Iterable[Any]:
    fields: Any = UnknownFieldSet(message)  # its stub lacks iteration
    return fields
