"""Record of a layer's calls in a Keras model: their inputs, outputs and masks.

Outside such a model, where `tf.layers` is applied to tensors not derived from `tf.keras.Input`, a layer does not
record its calls. The functions with a parameter `self` are methods of `Layer` in `base_layer.py`.
"""

from __future__ import annotations

from typing import Any

from tfmini._src.base.nest.structure import flatten, map_structure, pack_sequence_as
from tfmini._src.graph.scopes import name_scope
from tfmini._src.nn.layers.nodes import KerasHistory, Node
from tfmini._src.ops import ops


def keras_masks(tensors: Any) -> Any:
    """Returns the mask of a tensor, or a list with the mask of each tensor of a list; None without a mask."""
    if isinstance(tensors, list):
        return [getattr(x, "_keras_mask", None) for x in tensors]
    return getattr(tensors, "_keras_mask", None)


def all_have_history(tensors: list) -> bool:
    """Whether all tensors were computed from `tf.keras.Input`s by layers."""
    return all(hasattr(x, "_keras_history") for x in tensors)


def distinct_outputs(inputs: Any, outputs: Any, name: str) -> Any:
    """Returns a layer's outputs, replacing each output that is also an input by its identity."""
    input_ids = {id(x) for x in flatten(inputs)}

    def distinct(x: Any) -> Any:
        if id(x) not in input_ids:
            return x
        with name_scope(name):
            return ops.identity(x)

    return pack_sequence_as(outputs, [distinct(x) for x in flatten(outputs)])


def add_inbound_node(self: Any, inputs: Any, outputs: Any, arguments: Any = None) -> None:
    histories = [x._keras_history for x in flatten(inputs)]
    layers, nodes, tensor_indices = (
        pack_sequence_as(inputs, list(part))
        for part in (zip(*histories) if histories else ((), (), ()))
    )
    Node(self, layers, nodes, tensor_indices, inputs, outputs, arguments)
    for index, x in enumerate(flatten(outputs)):
        x._keras_history = KerasHistory(self, len(self._inbound_nodes) - 1, index)


def get_node_attribute_at_index(self: Any, index: int, attribute: str, description: str) -> Any:
    if not self._inbound_nodes:
        raise RuntimeError(_never_called_text(description))
    if len(self._inbound_nodes) <= index:
        raise ValueError(
            f"Asked to get {description} at node {index}, but the layer has only "
            f"{len(self._inbound_nodes)} inbound nodes."
        )
    values = getattr(self._inbound_nodes[index], attribute)
    return values[0] if isinstance(values, list) and len(values) == 1 else values


def input_of_calls(self: Any) -> Any:
    """Returns the inputs in a Keras model; raises AttributeError outside one."""
    if not self._inbound_nodes:
        raise AttributeError(f"Layer {self.name} is not connected, no input to return.")
    return self._get_node_attribute_at_index(0, "input_tensors", "input")


def output_of_calls(self: Any) -> Any:
    """Returns the outputs in a Keras model; raises AttributeError outside one."""
    if not self._inbound_nodes:
        raise AttributeError(f"Layer {self.name} has no inbound nodes.")
    return self._get_node_attribute_at_index(0, "output_tensors", "output")


def input_mask_of_calls(self: Any) -> Any:
    """Returns the mask of the inputs in a Keras model; raises AttributeError outside one."""
    return keras_masks(self.input)


def output_mask_of_calls(self: Any) -> Any:
    """Returns the mask of the outputs in a Keras model; raises AttributeError outside one."""
    return keras_masks(self.output)


def shape_of_calls(side: str) -> property:
    """Returns a property for the shape of a layer's `side` ("input" or "output"), which must be equal in all calls."""

    def shape(self: Any) -> Any:
        if not self._inbound_nodes:
            raise AttributeError(_never_called_text(f"{side} shape"))
        shapes = [getattr(node, f"{side}_shapes") for node in self._inbound_nodes]
        if len({str(shape) for shape in shapes}) == 1:
            return shapes[0]
        quote = '"' if side == "output" else ""  # missing in TensorFlow's text for inputs
        raise AttributeError(
            f'The layer "{self.name}{quote} has multiple inbound nodes, with different {side} shapes. Hence the notion '
            f'of "{side} shape" is ill-defined for the layer. Use `get_{side}_shape_at(node_index)` instead.'
        )

    result_text = (
        "a tuple or a structure of them; raises AttributeError outside of one, or if calls differ."
    )
    return property(shape, doc=f"The shape of its {side}s in a Keras model, {result_text}")


def get_input_at(self: Any, node_index: int) -> Any:
    """Returns the inputs of a call in a Keras model; raises RuntimeError outside one."""
    return self._get_node_attribute_at_index(node_index, "input_tensors", "input")


def get_output_at(self: Any, node_index: int) -> Any:
    """Returns the outputs of a call in a Keras model; raises RuntimeError outside one."""
    return self._get_node_attribute_at_index(node_index, "output_tensors", "output")


def get_input_mask_at(self: Any, node_index: int) -> Any:
    """Returns the mask of a call's inputs in a Keras model; raises RuntimeError outside one."""
    return keras_masks(self.get_input_at(node_index))


def get_output_mask_at(self: Any, node_index: int) -> Any:
    """Returns the mask of a call's outputs in a Keras model; raises RuntimeError outside one."""
    return keras_masks(self.get_output_at(node_index))


def get_input_shape_at(self: Any, node_index: int) -> Any:
    """Returns the shape of a call's inputs in a Keras model; raises RuntimeError outside one."""
    return self._get_node_attribute_at_index(node_index, "input_shapes", "input shape")


def get_output_shape_at(self: Any, node_index: int) -> Any:
    """Returns the shape of a call's outputs in a Keras model; raises RuntimeError outside one."""
    return self._get_node_attribute_at_index(node_index, "output_shapes", "output shape")


def masks_in_structure(tensors: Any) -> Any:
    """Returns the masks of tensors, in the structure of the tensors; None if no tensor has a mask."""
    masks = map_structure(lambda x: getattr(x, "_keras_mask", None), tensors)
    return None if all(mask is None for mask in flatten(masks)) else masks


def compute_mask(self: Any, inputs: Any, mask: Any = None) -> Any:
    """Returns the mask of the outputs, which is the mask of the inputs if the layer supports masks.

    Raises:
      TypeError: for a mask that the layer does not support.
    """
    if self.supports_masking:
        return mask
    if any(m is not None for m in flatten(mask)):
        raise TypeError(
            f"Layer {self.name} does not support masking, but was passed an input_mask: {mask}"
        )
    return None


def set_mask_metadata(self: Any, inputs: Any, outputs: Any, previous_mask: Any) -> None:
    """Records the masks of the outputs."""
    items = flatten(outputs)
    masks = [getattr(x, "_keras_mask", None) for x in items]
    jointly = getattr(self, "_compute_output_and_mask_jointly", False)
    if not jointly and any(mask is None for mask in masks):
        computed = None
        if self.supports_masking or type(self).compute_mask is not compute_mask:
            computed = self.compute_mask(inputs, previous_mask)
        masks = [None] * len(items) if computed is None else flatten(computed)
    for x, mask in zip(items, masks):
        try:
            x._keras_mask = mask
        except AttributeError:  # not a tensor
            continue
        if mask is not None:
            mask._keras_history_checked = True


def _never_called_text(description: str) -> str:
    return f"The layer has never been called and thus has no defined {description}."
