"""Converts the objects reachable from a root by attribute name to a TrackableObjectGraph and saveables."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from tfmini._src.base import proto
from tfmini._src.base.errors import NotFoundError
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.ops import ops
from tfmini._src.train.checkpoints.checkpoint_reader import CheckpointReader
from tfmini._src.train.checkpoints.saveables import to_saveables
from tfmini._src.variables.saveable import SaveableObject, SaveSpec
from tfmini._src.variables.trackable import NotTrackable, Trackable, dependencies
from tfmini._src.variables.variable import Variable
from tfmini._src.variables.variable_identity import node_name

KEY = "_CHECKPOINTABLE_OBJECT_GRAPH"  # key of the object graph in a checkpoint


class Node:
    """An object with its node `number`; `path` is the prefix of its tensor names in a checkpoint."""

    def __init__(self, node_id: int, value: Any, path: str):
        self.node_id, self.value, self.path = node_id, value, path
        self.children: list[tuple[str, Node]] = []
        self.slots: list[tuple[str, Node, Node]] = []  # (slot name, variable node, slot node)


class GraphSaveable(SaveableObject):
    """Saveable of the TrackableObjectGraph, a string tensor that is saved but not restored."""

    def __init__(self, tensor: Any):
        super().__init__(tensor, [SaveSpec(tensor, "", KEY)], KEY)

    def restore(self, restored_tensors: Any, restored_shapes: Any) -> Any:
        """Does nothing."""
        return ops.no_op()


def walk(root: Any, children: Callable[[Any], Iterable[Any]] = dependencies) -> list[Node]:
    """Returns all objects in breadth-first order, followed by the slots of optimizers.

    children: function that returns the dependencies of an object.
    """
    start = Node(0, root, "")
    nodes, seen, waiting = [start], {id(root): start}, deque([start])
    while waiting:
        node = waiting.popleft()
        if isinstance(node.value, NotTrackable):
            raise NotImplementedError(
                f"The object {node.value} does not support object-based saving. Remove the dependency on this object "
                "to save everything else."
            )
        for name, value in children(node.value):
            child = seen.get(id(value))
            if child is None:
                path = f"{node.path}/{escape(name)}" if node.path else escape(name)
                child = seen[id(value)] = Node(len(nodes), value, path)
                nodes.append(child)
                waiting.append(child)
            node.children.append((name, child))
    objects = list(nodes)
    for node in objects:
        if hasattr(node.value, "get_slot_names"):
            _add_slots(node, objects, nodes)
    return nodes


def _add_slots(node: Node, objects: list[Node], nodes: list[Node]) -> None:
    for name in node.value.get_slot_names():
        for owner in objects:
            if not isinstance(owner.value, Variable):
                continue
            slot = variable_slot(node.value, owner.value, name)
            if slot is not None:
                path = f"{owner.path}/.OPTIMIZER_SLOT/{node.path}/{escape(name)}"
                result = Node(len(nodes), slot, path)
                nodes.append(result)
                node.slots.append((name, owner, result))


def variable_slot(optimizer: Any, variable: Any, name: str) -> Any:
    """Returns the named slot of a variable in an optimizer; None if the optimizer lacks it."""
    try:
        return optimizer.get_slot(variable, name)
    except KeyError:  # raised by Keras's optimizers
        return None


def escape(name: str) -> str:
    """Returns a name escaped for use in a path."""
    return name.replace(".", "..").replace("/", ".S")


class Saveables:
    """A cache of SaveableObjects by checkpoint key, so that their nodes are created only once."""

    def __init__(self) -> None:
        self._cache: dict[tuple[int, str], tuple[Any, Any, list[SaveableObject]]] = {}

    def attribute_saveables(
        self, value: Any, name: str, key: str
    ) -> tuple[Any, list[SaveableObject]]:
        """Returns the named attribute of an object, and the SaveableObjects that save it under `key`."""
        cached = self._cache.get((id(value), key))
        if cached is not None and cached[0] is value:
            return cached[1:]
        item = attributes_to_save(value)[name]
        result = item(name=key) if callable(item) and not isinstance(item, Variable) else item
        saveables = list(to_saveables(result, key))
        if isinstance(result, SaveableObject) and not executing_eagerly():
            self._cache[id(value), key] = value, result, saveables
        return result, saveables


def attributes_to_save(value: Any) -> dict[str, Any]:
    """Returns the saved attributes of an object itself, by name."""
    return value._gather_saveables_for_checkpoint() if isinstance(value, Trackable) else {}


def object_graph_message(
    nodes: list[Node], cache: Saveables | None = None
) -> tuple[Any, list[SaveableObject]]:
    """Returns the TrackableObjectGraph of objects, and their saveables.

    cache: previously created saveables.
    """
    cache = cache or Saveables()
    message, saveables = proto.TrackableObjectGraph(), []
    for node in nodes:
        entry = message.nodes.add()
        for name, child in node.children:
            entry.children.add(node_id=child.node_id, local_name=name)
        for name, owner, slot in node.slots:
            entry.slot_variables.add(
                original_variable_node_id=owner.node_id,
                slot_name=name,
                slot_variable_node_id=slot.node_id,
            )
        for name in attributes_to_save(node.value):
            key = f"{node.path}/.ATTRIBUTES/{escape(name)}"
            item, result = cache.attribute_saveables(node.value, name, key)
            attribute = entry.attributes.add(name=name, checkpoint_key=key)
            if not isinstance(item, SaveableObject):
                info = item._get_save_slice_info()
                attribute.full_name = info.full_name if info else node_name(item)
            attribute.optional_restore = bool(result) and all(
                saveable.optional_restore for saveable in result
            )
            saveables += result
    return message, saveables


def list_objects(root_trackable: Trackable) -> list[Any]:
    """Returns the objects in the checkpoint of a root: the root, its dependencies, and optimizer slots.

    Args:
      root_trackable: the object.
    """
    return [node.value for node in walk(root_trackable)]


def object_metadata(save_path: str) -> Any:
    """Returns the TrackableObjectGraph of a checkpoint, with its objects, reference names and tensors.

    Args:
      save_path: the prefix of the checkpoint.

    Raises:
      NotFoundError: if the checkpoint does not exist.
      ValueError: if the checkpoint contains no object graph, e.g. because a Saver wrote it.
    """
    reader = CheckpointReader(save_path)
    try:
        text = reader.get_tensor(KEY)
    except NotFoundError:
        raise ValueError(
            f'The specified checkpoint "{save_path}" does not appear to be object-based (it is missing the key '
            f'"{KEY}"). Likely it was created with a name-based saver and does not contain an object dependency '
            "graph."
        ) from None
    return proto.TrackableObjectGraph.FromString(text)


def object_names(message: Any) -> dict[int, str]:
    """Returns readable names of a checkpoint's objects, by node id, for error messages."""
    names, waiting = {0: "(root)"}, deque([0])
    while waiting:
        node_id = waiting.popleft()
        for child in message.nodes[node_id].children:
            if child.node_id not in names:
                names[child.node_id] = f"{names[node_id]}.{child.local_name}"
                waiting.append(child.node_id)
    for node_id in list(names):
        for slot in message.nodes[node_id].slot_variables:
            owner = names.get(slot.original_variable_node_id, "?")
            names[slot.slot_variable_node_id] = (
                f"{names[node_id]}'s state '{slot.slot_name}' for {owner}"
            )
    return names
