"""Restoration of an object checkpoint: matching objects, and their restore operations."""

from __future__ import annotations

import functools
import itertools
import sys
import weakref
from collections import deque
from collections.abc import Callable
from typing import Any

from tfmini._src.base import logs
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.ops import ops
from tfmini._src.train.checkpoints.checkpoint_reader import CheckpointReader
from tfmini._src.train.object_checkpoint.object_graph import (
    attributes_to_save,
    object_names,
    variable_slot,
)
from tfmini._src.train.object_checkpoint.object_saver import ObjectSaver
from tfmini._src.train.object_checkpoint.python_state import PythonStateSaveable
from tfmini._src.variables.init_scope import init_scope
from tfmini._src.variables.trackable import VARIABLE_VALUE_KEY
from tfmini._src.variables.variable_creator import current_creators
from tfmini._src.variables.variable_identity import variable_key

_INCONSISTENT_REFERENCES = (
    "Inconsistent references when loading the checkpoint into this object graph. Either the Trackable object "
    "references in the Python program have changed in an incompatible way, or the checkpoint was generated in an "
    "incompatible program.\n\nTwo checkpoint references resolved to different objects (%s and %s)."
)
_NOT_ALL = (
    "A checkpoint was restored (e.g. tf.train.Checkpoint.restore or tf.keras.Model.load_weights) but not all "
    "checkpointed values were used. See above for specific issues. Use expect_partial() on the load status object, "
    "e.g. tf.train.Checkpoint.restore(...).expect_partial(), to silence these warnings, or use assert_consumed() to "
    "make the check explicit. See https://www.tensorflow.org/alpha/guide/checkpoints#loading_mechanics for details."
)


ORDER = itertools.count()


def is_restored_later(value: Any, order: int) -> bool:
    """Whether a later restoration supplies an object's values."""
    return vars(value).get("_update_uid", -1) > order


class Restoration:
    """A restoration in progress; objects are matched by attribute path from the root.

    Missing objects are restored when they are attached, through a callback of `Trackable`. The last
    restoration of an object applies.

    Attributes:
      order: sequence number of the restoration.
      unused: (number, attribute) of saved values that match no attribute of an object.
      expects_part: whether to suppress warnings about unmatched objects.
      session: if not None, the session in which objects of its graph are restored as soon as they are matched.
    """

    def __init__(self, saver: ObjectSaver, path: str, message: Any):
        self.saver, self.path, self.message = saver, path, message
        self.order = next(ORDER)
        self.unused: list[tuple[int, str]] = []
        self.expects_part = False
        self.session: Any = None
        self._references: dict[int, Callable[[], Any]] = {}  # weak references
        self._operations: list[tuple[int, Any]] = []
        self._restore(0, saver.root)

    def __del__(self) -> None:
        """Warns about unmatched and unused values, unless a partial restore is expected."""
        if self.expects_part or sys.is_finalizing():
            return
        names = object_names(self.message)
        missing = [n for n in range(len(self.message.nodes)) if n not in self._references]
        for node_id in missing:
            logs.warning("Unresolved object in checkpoint: %s", names.get(node_id, "?"))
        for node_id, attribute in self.unused:
            logs.warning("Unused attribute in object %s: ['%s']", names[node_id], attribute)
        if missing or self.unused:
            logs.warning(_NOT_ALL)

    @property
    def objects(self) -> dict[int, Any]:
        """The matched objects, by number in the checkpoint."""
        objects_by_id = {node_id: reference() for node_id, reference in self._references.items()}
        return {node_id: value for node_id, value in objects_by_id.items() if value is not None}

    def operations(self, variables: list | None = None) -> list:
        """Returns the operations that restore all matched objects, or only `variables`."""
        self.restore_new()
        if variables is None:
            return [operation for _, operation in self._operations]
        requested, restored = {id(variable) for variable in variables}, self.objects
        return [op for node_id, op in self._operations if id(restored.get(node_id)) in requested]

    def restore_new(self) -> None:
        """Restores newly found dependencies of objects that create them on demand."""
        for node_id, value in self.objects.items():
            for child in self.message.nodes[node_id].children:
                dependency = (
                    None
                    if child.node_id in self._references
                    else value._lookup_dependency(child.local_name)
                )
                if dependency is not None:
                    self._restore(child.node_id, dependency)

    def _restore(self, node_id: int, value: Any) -> None:
        """Restores an object and its dependencies."""
        with init_scope():
            if not self._bind(node_id, value):
                return
            group, waiting = [], deque([(node_id, value)])
            while waiting:
                node_id, value = waiting.popleft()
                group.append((node_id, value))
                for child in self.message.nodes[node_id].children:
                    dependency = value._lookup_dependency(child.local_name)
                    if dependency is None:
                        self._defer(value, child.local_name, child.node_id)
                    elif self._bind(child.node_id, dependency):
                        waiting.append((child.node_id, dependency))
            self._add_operations(group)

    def _bind(self, node_id: int, value: Any) -> bool:
        """Binds an object to a node of the checkpoint; returns whether the binding is new."""
        if node_id in self._references:
            bound_object = self._references[node_id]()
            if bound_object is not value:
                logs.warning(_INCONSISTENT_REFERENCES, bound_object, value)
            return False
        self._references[node_id] = weakref.ref(value)
        slots = [
            (n, slot) for n, entry in enumerate(self.message.nodes) for slot in entry.slot_variables
        ]
        for optimizer, slot in slots:
            if node_id in (optimizer, slot.original_variable_node_id):
                self._restore_slot(optimizer, slot)
        return True

    def _restore_slot(self, node_id: int, slot: Any) -> None:
        restored = self.objects
        optimizer, variable = restored.get(node_id), restored.get(slot.original_variable_node_id)
        if optimizer is None or variable is None or not hasattr(optimizer, "get_slot"):
            return
        slot_variable = variable_slot(optimizer, variable, slot.slot_name)
        if slot_variable is None and self._makes_slot(slot):
            key = self.message.nodes[slot.slot_variable_node_id].attributes[0].checkpoint_key
            first = ops.zeros(self._shapes[key], variable.dtype.base_dtype)
            slot_variable = optimizer._make_slot(variable, slot.slot_name, first)
        if slot_variable is None:
            self._defer(
                optimizer, (slot.slot_name, variable_key(variable)), slot.slot_variable_node_id
            )
        else:
            self._restore(slot.slot_variable_node_id, slot_variable)

    def _makes_slot(self, slot: Any) -> bool:
        """Whether to create a slot now, as in eager mode, so that it can be saved before training.

        Returns False inside the scope of a variable creator.
        """
        attributes = self.message.nodes[slot.slot_variable_node_id].attributes
        is_variable = [attribute.name for attribute in attributes] == [VARIABLE_VALUE_KEY]
        return is_variable and executing_eagerly() and not current_creators()

    @functools.cached_property
    def _shapes(self) -> dict[str, list[int]]:
        """The shapes of the tensors in the checkpoint, by key."""
        return CheckpointReader(self.path).get_variable_to_shape_map()

    def _defer(self, holder: Any, name: Any, node_id: int) -> None:
        holder._defer_dependency(name, self.order, lambda value: self._restore(node_id, value))

    def _add_operations(self, group: list[tuple[int, Any]]) -> None:
        """Adds restore operations, with nodes created once per checkpoint key."""
        requested: dict[str, tuple[int, list]] = {}
        states: list[PythonStateSaveable] = []
        for node_id, value in group:
            attributes = self.message.nodes[node_id].attributes
            if attributes and is_restored_later(value, self.order):
                continue
            if attributes:
                vars(value)["_update_uid"] = self.order
            for attribute in attributes:
                name, key = attribute.name, attribute.checkpoint_key
                existing_op = self.saver.restoring.get(key)
                if existing_op is not None:
                    self._operations.append((node_id, existing_op))
                    continue
                if name not in attributes_to_save(value):
                    if not attribute.optional_restore:
                        self.unused.append((node_id, name))
                    continue
                item, result = self.saver.saveables.attribute_saveables(value, name, key)
                if isinstance(item, PythonStateSaveable):
                    states.append(item)
                else:
                    requested[key] = node_id, result
        if states:
            reader = CheckpointReader(self.path)
            for state in states:
                state.python_restore(reader.get_tensor(state.name))
        saveables = {key: saveable for key, (_, saveable) in requested.items()}
        new = self.saver.restore_operations(saveables, self.path)
        self._operations += [(requested[key][0], new[key]) for key in sorted(new)]
        if new and self.session is not None and self.session.graph is get_default_graph():
            self.session.run([*new.values()], {self.saver.prefix_to_restore: self.path})
