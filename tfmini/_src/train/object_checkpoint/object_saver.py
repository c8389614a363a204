"""Saves an object and its dependencies through nodes created once per graph, or directly in eager mode."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Iterable
from typing import Any

from tfmini._src.base import dtypes, proto
from tfmini._src.formats.gfile_functions import makedirs
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.scopes import control_dependencies, device
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.train.checkpoints.device_saver import DeviceSaver
from tfmini._src.train.object_checkpoint.object_graph import (
    GraphSaveable,
    Node,
    Saveables,
    object_graph_message,
    walk,
)
from tfmini._src.train.object_checkpoint.python_state import PythonStateSaveable
from tfmini._src.variables.saveable import SaveableObject
from tfmini._src.variables.trackable import dependencies


class ObjectSaver:
    """Saves and restores the objects currently reachable from `root`.

    Nodes are created only for new objects; the prefix and the object graph are fed.
    """

    def __init__(self, root: Any, children: Callable[[Any], Iterable[Any]] = dependencies) -> None:
        self._root = weakref.ref(root)
        self._children = children
        self.saveables = Saveables()
        # (object graph, prefix), both of which are fed.
        self._placeholders: tuple[Tensor, Tensor] | None = None
        # (object graph at the last save, output of the write)
        self._saved: tuple[Any, Tensor] | None = None
        self._restored_prefix: Tensor | None = None
        self.restoring: dict[str, Operation] = {}  # by checkpoint key

    @property
    def root(self) -> Any:
        """The root object, or None after its deletion."""
        return self._root()

    def _walk(self) -> list[Node]:
        return walk(self.root, self._children)

    def save(
        self, prefix: str, session: Any, extend: Callable[[Any], None] | None = None
    ) -> Tensor | None:
        """Writes a checkpoint; creates its directory if missing.

        In the body of a function, each call writes the checkpoint before returning the prefix.

        session: the session with the values; None in eager mode.
        extend: function that adds objects without values to the TrackableObjectGraph.
        """
        if session is None or get_default_graph().building_function:
            return self._save_here(prefix, extend)
        with session.graph.as_default():
            if self._placeholders is None:
                with device("/cpu:0"):
                    self._placeholders = _string_constant(""), _string_constant("")
            names, prefix_tensor = self._placeholders
            message, saveables = object_graph_message(self._walk(), self.saveables)
            if self._saved is None or self._saved[0] != message:
                merged = DeviceSaver([*saveables, GraphSaveable(names)]).save(prefix_tensor)
                with device("/cpu:0"), control_dependencies([merged]):
                    self._saved = message, ops.identity(prefix_tensor)
        makedirs(os.path.dirname(prefix))
        if extend is not None:
            message = proto.TrackableObjectGraph.FromString(message.SerializeToString())
            extend(message)
        fed = {names: message.SerializeToString(), prefix_tensor: prefix}
        states = [saveable for saveable in saveables if isinstance(saveable, PythonStateSaveable)]
        fed.update({saveable.tensor: saveable.state() for saveable in states})
        session.run(self._saved[1], fed)
        return None

    def _save_here(self, prefix: str, extend: Callable[[Any], None] | None) -> Tensor | None:
        """Writes the checkpoint immediately in eager mode; otherwise, adds the nodes to a function."""
        message, saveables = object_graph_message(self._walk(), self.saveables)
        if extend is not None:
            extend(message)
        makedirs(os.path.dirname(prefix))
        with device("/cpu:0"):
            text, prefix_tensor = (
                _string_constant(message.SerializeToString()),
                _string_constant(prefix),
            )
        merged = DeviceSaver([*saveables, GraphSaveable(text)]).save(prefix_tensor)
        if executing_eagerly():
            return None
        with control_dependencies([merged]):
            return ops.identity(prefix_tensor)

    @property
    def prefix_to_restore(self) -> Tensor:
        """The fed prefix tensor of the checkpoint to restore."""
        if self._restored_prefix is None:
            with device("/cpu:0"):
                self._restored_prefix = _string_constant("model")
        return self._restored_prefix

    def restore_from(self, prefix: Tensor) -> None:
        """Sets a constant prefix, in place of the fed one, for new restore operations."""
        self._restored_prefix = prefix

    def restore_operations(
        self, expected: dict[str, list[SaveableObject]], path: str
    ) -> dict[str, Operation]:
        """Returns the new restore operations, by checkpoint key.

        In eager mode, restores from `path` immediately and returns no operations.
        """
        if not expected:
            return {}
        saveables = [saveable for key in sorted(expected) for saveable in expected[key]]
        if executing_eagerly():
            DeviceSaver(saveables).restore(_string_constant(path))
            return {}
        result = DeviceSaver(saveables).restore(self.prefix_to_restore)
        self.restoring.update(result)
        return result


def _string_constant(value: str | bytes) -> Tensor:
    return ops.constant(value, dtype=dtypes.string)
