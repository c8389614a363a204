"""Visualization of the objects in a checkpoint."""

from __future__ import annotations

from typing import Any

from tfmini._src.train.checkpoints.checkpoint_reader import CheckpointReader
from tfmini._src.train.object_checkpoint.object_graph import object_metadata
from tfmini._src.variables.trackable import VARIABLE_VALUE_KEY


def dot_graph_from_checkpoint(save_path: str) -> str:
    """Returns the object graph of a checkpoint in Graphviz's DOT language.

    Args:
      save_path: prefix of an object-based checkpoint.

    Raises:
      ValueError: if the checkpoint contains no objects.

    Example: `open("objects.dot", "w").write(tf.contrib.checkpoint.dot_graph_from_checkpoint(path))`.
    """
    message, reader = object_metadata(save_path), CheckpointReader(save_path)
    slots = {slot.slot_variable_node_id for node in message.nodes for slot in node.slot_variables}
    lines = ["digraph {"]
    for node_id, node in enumerate(message.nodes):
        lines.append(f"N_{node_id} {_node_attributes(node, node_id in slots, reader)}")
        for child in node.children:
            lines.append(
                f'N_{node_id} -> N_{child.node_id} [label="{_escape_name(child.local_name)}"]'
            )
        for slot in node.slot_variables:
            result = slot.slot_variable_node_id
            label = _escape_name(slot.slot_name)
            lines.append(f'N_{node_id} -> N_{result} [label="{label}" style=dotted]')
            lines.append(f"N_{slot.original_variable_node_id} -> N_{result} [style=dotted]")
    return "\n".join([*lines, "}"]) + "\n"


def _node_attributes(node: Any, is_slot: bool, reader: CheckpointReader) -> str:
    if len(node.attributes) == 1 and node.attributes[0].name == VARIABLE_VALUE_KEY:
        (attribute,) = node.attributes
        color, variable_type = ("orange", "Slot variable") if is_slot else ("blue", "Variable")
        key = attribute.checkpoint_key
        shape = reader.get_variable_to_shape_map()[key]
        dtype = reader.get_variable_to_dtype_map()[key].name
        return (
            f'[shape=point label="" color={color} width=.25 '
            f'tooltip="{variable_type} {_escape_name(attribute.full_name)} shape={shape} {dtype}"]'
        )
    if node.slot_variables:
        return '[shape=point label="" width=.25 color=red,tooltip="Optimizer"]'
    return '[shape=point label="" width=.25]'


def _escape_name(name: str) -> str:
    return name.replace('"', '\\"')
