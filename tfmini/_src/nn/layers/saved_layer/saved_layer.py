"""`SavedLayer`: describes a layer in a SavedModel."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.nest.structure import map_structure
from tfmini._src.functions.tf_function import Function
from tfmini._src.graph.type_spec import TensorSpec
from tfmini._src.nn.layers import regularizers
from tfmini._src.nn.layers.backend.config import floatx
from tfmini._src.nn.layers.input_spec import to_tensor_spec


class SavedLayer:
    """A layer as stored in a SavedModel, with functions that call it; base class for networks and special layers.

    Args:
      layer: the layer, whose class selects the SavedLayer class in `_saved_as`.
    """

    def __init__(self, layer: Any) -> None:
        self.layer = layer

    def metadata(self) -> dict[str, Any]:
        """Returns the layer's description in a SavedModel."""
        layer = self.layer
        metadata: dict[str, Any] = {
            "class_name": type(layer).__name__,
            "name": layer.name,
            "trainable": layer.trainable,
            "expects_training_arg": layer._expects_training_arg,
            "dtype": layer.dtype,
            "batch_input_shape": getattr(layer, "_batch_input_shape", None),
        }
        try:
            metadata["config"] = layer.get_config()
        except NotImplementedError:
            pass
        specs, regularizer = layer.input_spec, layer.activity_regularizer
        metadata["input_spec"] = None if specs is None else map_structure(_spec_config, specs)
        metadata["activity_regularizer"] = (
            regularizers.serialize(regularizer) if hasattr(regularizer, "get_config") else None
        )
        return metadata

    def is_ready(self) -> bool:
        """Whether functions can call the layer; warns if they cannot."""
        if not self.layer.built:
            logs.warning(
                "Skipping full serialization of Keras layer %s, because it is not built.",
                self.layer,
            )
            return False
        return True

    def layers(self) -> list[Any]:
        """Returns the layers that the layer calls."""
        layers: list[Any] = self.layer._child_layers()
        return layers

    def signature(self) -> Function | None:
        """Returns the serving function of a root layer, or None if undefined."""
        return None

    def input_signature(self) -> Any:
        """Returns the specs of the layer's inputs, with None for unknown ones; None if all are unknown."""
        layer = self.layer
        call = getattr(layer, "call", None)
        if isinstance(call, Function) and call.input_signature is not None:
            return call.input_signature
        if layer.input_spec is None:
            return None

        def known_spec(spec: Any) -> TensorSpec | None:
            tensor_spec = to_tensor_spec(spec, layer.dtype)
            return None if tensor_spec.shape.ndims is None else tensor_spec

        return [map_structure(known_spec, layer.input_spec)]

    def activity_regularizer(self) -> Function | None:
        """Returns the activity regularizer as a function."""
        regularizer = self.layer.activity_regularizer
        if regularizer is None or isinstance(regularizer, Function):
            return regularizer

        def call(x: Any) -> Any:
            return regularizer(x)

        call.__name__ = f"{self.layer.name}_activity_regularizer".replace("/", "_")
        return Function(call, input_signature=[TensorSpec(None, self.layer.dtype or floatx())])


def _spec_config(spec: Any) -> Any:
    return None if spec is None else {"class_name": "InputSpec", "config": spec.get_config()}
