"""The objects that hang on one, by the names of attributes, as a TrackableObjectGraph and as what a Saver saves."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

from tfmini import proto
from tfmini.graph.opdef import ops
from tfmini.layers.layer import Layer as BaseLayer
from tfmini.train.checkpoints.saveables import saveables_of
from tfmini.train.optimizers.optimizer import Optimizer
from tfmini.variables.saveable import SaveableObject, SaveSpec
from tfmini.variables.variable import Variable

KEY = "_CHECKPOINTABLE_OBJECT_GRAPH"  # of the message in a checkpoint
_VALUE = "VARIABLE_VALUE"


class Node:
    """Object number `id` of a graph; `path` is what stands before the names of its tensors in a checkpoint."""

    def __init__(self, number: int, value: Any, path: str):
        self.number, self.value, self.path = number, value, path
        self.children: list[tuple[str, Node]] = []
        self.slots: list[tuple[str, Node, Node]] = []  # (name, of which variable, the slot)


class GraphSaveable(SaveableObject):
    """The message itself, a string tensor, which is saved and not restored."""

    def __init__(self, tensor: Any):
        super().__init__(tensor, [SaveSpec(tensor, "", KEY)], KEY)

    def restore(self, restored_tensors: Any, restored_shapes: Any) -> Any:
        """Nothing."""
        return ops.no_op()


def is_tracked(value: Any) -> bool:
    """Whether a value is an object that checkpoints know."""
    kinds = (Variable, Optimizer, BaseLayer, Tracked)
    if isinstance(value, kinds) or hasattr(value, "_gather_saveables_for_checkpoint"):
        return True
    return hasattr(value, "_checkpoint_children") and not isinstance(value, type)


class Tracked:
    """An object whose attributes are saved: those that are tracked, and lists and dicts of such."""


def children_of(value: Any) -> list[tuple[str, Any]]:
    """The objects that one holds, by name."""
    if hasattr(value, "_checkpoint_children"):  # one that names them itself
        named = value._checkpoint_children()
        if named is not None:
            return named
    if isinstance(value, list):
        return [(str(i), each) for i, each in enumerate(value) if _holds(each)]
    if isinstance(value, dict):
        return [(str(key), each) for key, each in value.items() if _holds(each)]
    if isinstance(value, Optimizer):
        own = {each.op.name.rpartition("/")[2]: each for each in value._non_slot_variables()}
        named = {name: each for (name, _), each in value._non_slot_dict.items()}
        return sorted((named or own).items())
    if isinstance(value, Tracked | BaseLayer):
        rename = getattr(value, "_checkpoint_name_of", None)  # of a cell's weights
        found = [
            (rename(name, each) if rename and isinstance(each, Variable) else name, each)
            for name, each in vars(value).items()
            if is_tracked(each) or (name[0] != "_" and _holds(each))
        ]
        return [(name, each) for name, each in found if name != "_save_counter"] + [
            ("save_counter", each) for name, each in found if name == "_save_counter"
        ]
    return []


def _holds(value: Any) -> bool:
    """Whether a value is tracked, or a list or dict that holds such."""
    if isinstance(value, list):
        return any(_holds(each) for each in value)
    if isinstance(value, dict):
        return any(_holds(each) for each in value.values())
    return is_tracked(value)


def walked(root: Any) -> list[Node]:
    """All objects, nearest first, then the slots of optimizers."""
    start = Node(0, root, "")
    nodes, seen, waiting = [start], {id(root): start}, deque([start])
    while waiting:
        node = waiting.popleft()
        for name, value in children_of(node.value):
            child = seen.get(id(value))
            if child is None:
                path = f"{node.path}/{escaped(name)}" if node.path else escaped(name)
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
            slot = node.value.get_slot(owner.value, name)
            if slot is not None:
                path = f"{owner.path}/.OPTIMIZER_SLOT/{node.path}/{escaped(name)}"
                made = Node(len(nodes), slot, path)
                nodes.append(made)
                node.slots.append((name, owner, made))


def escaped(name: str) -> str:
    """A name as a part of a path."""
    return name.replace(".", "..").replace("/", ".S")


def attributes_of(value: Any) -> Iterator[tuple[str, Any]]:
    """(name, what is saved) of the tensors that an object itself has."""
    if isinstance(value, Variable):
        yield _VALUE, value
    elif hasattr(value, "_gather_saveables_for_checkpoint"):
        yield from value._gather_saveables_for_checkpoint().items()


def saveables(node: Node) -> Iterator[tuple[str, str, Any, list[SaveableObject]]]:
    """(attribute, key, what it is, its saveables) of an object."""
    for name, item in attributes_of(node.value):
        key = f"{node.path}/.ATTRIBUTES/{escaped(name)}"
        made = item(name=key) if callable(item) and not isinstance(item, Variable) else item
        yield name, key, made, list(saveables_of(made, key))


def message_of(nodes: list[Node]) -> tuple[Any, list[SaveableObject]]:
    """The TrackableObjectGraph of objects, and what saves their tensors."""
    message, found = proto.TrackableObjectGraph(), []
    for node in nodes:
        entry = message.nodes.add()
        for name, child in node.children:
            entry.children.add(node_id=child.number, local_name=name)
        for name, owner, slot in node.slots:
            entry.slot_variables.add(
                original_variable_node_id=owner.number,
                slot_name=name,
                slot_variable_node_id=slot.number,
            )
        for name, key, item, made in saveables(node):
            attribute = entry.attributes.add(name=name, checkpoint_key=key)
            if isinstance(item, Variable):
                attribute.full_name = item.op.name
            found += made
    return message, found


def bound(message: Any, nodes: list[Node]) -> list[list[tuple[int, Node]]]:
    """Which object is which of a checkpoint, by the names on the way from the first.

    Each slot of an optimizer is a group of its own, as it is found; all else is the last group, nearest first.
    """
    found: dict[int, Node] = {}
    slots, main = [], []
    by_variable: dict[int, list[tuple[int, Any]]] = {}
    by_optimizer: dict[int, list[Any]] = {}  # of variables that are found before it
    for number, entry in enumerate(message.nodes):
        for slot in entry.slot_variables:
            by_variable.setdefault(slot.original_variable_node_id, []).append((number, slot))

    def bind_slot(optimizer: int, slot: Any) -> None:
        owner = found[slot.original_variable_node_id]
        for name, variable, there in found[optimizer].slots:
            if (name, variable) == (slot.slot_name, owner):
                found[slot.slot_variable_node_id] = there
                slots.append([(slot.slot_variable_node_id, there)])

    def bind(number: int, node: Node) -> None:
        found[number] = node
        main.append((number, node))
        for slot in by_optimizer.pop(number, ()):
            bind_slot(number, slot)
        for optimizer, slot in by_variable.pop(number, ()):
            if optimizer in found:
                bind_slot(optimizer, slot)
            else:
                by_optimizer.setdefault(optimizer, []).append(slot)

    bind(0, nodes[0])
    for number, node in main:  # which grows meanwhile
        children = dict(node.children)
        for child in message.nodes[number].children:
            if child.local_name in children and child.node_id not in found:
                bind(child.node_id, children[child.local_name])
    return [*slots, main]


def matched(message: Any, nodes: list[Node]) -> dict[int, Node]:
    """Which object is which of a checkpoint, by their numbers there."""
    return dict(pair for group in bound(message, nodes) for pair in group)


def names_of(message: Any) -> dict[int, str]:
    """What to call the objects of a checkpoint in an error."""
    names, waiting = {0: "(root)"}, deque([0])
    while waiting:
        number = waiting.popleft()
        for child in message.nodes[number].children:
            if child.node_id not in names:
                names[child.node_id] = f"{names[number]}.{child.local_name}"
                waiting.append(child.node_id)
    for number in list(names):
        for slot in message.nodes[number].slot_variables:
            owner = names.get(slot.original_variable_node_id, "?")
            names[slot.slot_variable_node_id] = (
                f"{names[number]}'s state '{slot.slot_name}' for {owner}"
            )
    return names
