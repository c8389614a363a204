"""A Keras model's record of the calls of its layers: their inputs, outputs and masks.

Outside of such a model, where `tf.layers` is used, a layer keeps nothing of its calls.
"""

from __future__ import annotations

from typing import Any

from tfmini.nest import flatten


class CallHistory:
    """The questions about a layer's calls."""

    name: str
    supports_masking: bool

    @property
    def inbound_nodes(self) -> list:
        """Its calls in a Keras model."""
        return []

    @property
    def outbound_nodes(self) -> list:
        """The calls of other layers with its outputs, in a Keras model."""
        return []

    @property
    def input(self) -> Any:
        """Its inputs in a Keras model.

        Raises:
          AttributeError: outside of one.
        """
        raise AttributeError(f"Layer {self.name} is not connected, no input to return.")

    @property
    def output(self) -> Any:
        """Its outputs in a Keras model.

        Raises:
          AttributeError: outside of one.
        """
        raise AttributeError(f"Layer {self.name} has no inbound nodes.")

    @property
    def input_mask(self) -> Any:
        """The mask of its inputs in a Keras model; raises AttributeError outside of one."""
        return self.input

    @property
    def output_mask(self) -> Any:
        """The mask of its outputs in a Keras model; raises AttributeError outside of one."""
        return self.output

    @property
    def input_shape(self) -> Any:
        """The shape of its inputs in a Keras model; raises AttributeError outside of one."""
        raise AttributeError(_never("input shape"))

    @property
    def output_shape(self) -> Any:
        """The shape of its outputs in a Keras model; raises AttributeError outside of one."""
        raise AttributeError(_never("output shape"))

    def get_input_at(self, node_index: int) -> Any:
        """The inputs of a call in a Keras model; raises RuntimeError outside of one."""
        raise RuntimeError(_never("input"))

    def get_output_at(self, node_index: int) -> Any:
        """The outputs of a call in a Keras model; raises RuntimeError outside of one."""
        raise RuntimeError(_never("output"))

    def get_input_mask_at(self, node_index: int) -> Any:
        """The mask of a call's inputs in a Keras model; raises RuntimeError outside of one."""
        return self.get_input_at(node_index)

    def get_output_mask_at(self, node_index: int) -> Any:
        """The mask of a call's outputs in a Keras model; raises RuntimeError outside of one."""
        return self.get_output_at(node_index)

    def get_input_shape_at(self, node_index: int) -> Any:
        """The shape of a call's inputs in a Keras model; raises RuntimeError outside of one."""
        raise RuntimeError(_never("input shape"))

    def get_output_shape_at(self, node_index: int) -> Any:
        """The shape of a call's outputs in a Keras model; raises RuntimeError outside of one."""
        raise RuntimeError(_never("output shape"))

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The mask of the outputs: that of the inputs if the layer supports masks.

        Raises:
          TypeError: if there is a mask and it does not.
        """
        if self.supports_masking:
            return mask
        if any(m is not None for m in flatten(mask)):
            raise TypeError(
                f"Layer {self.name} does not support masking, but was passed an input_mask: {mask}"
            )
        return None


def _never(what: str) -> str:
    return f"The layer has never been called and thus has no defined {what}."
