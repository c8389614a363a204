"""Base class of layers that wrap another layer."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.shapes.tensor_shape import ShapeLike
from tfmini._src.nn.layers.base_layer import Layer
from tfmini._src.nn.layers.serialization import layer_registry


class Wrapper(Layer):
    """Base class of layers that wrap another layer.

    Args:
      layer: the layer.

    Raises:
      AssertionError: if `layer` is not a layer.
    """

    def __init__(self, layer: Layer, **kwargs: Any):
        assert isinstance(layer, Layer)
        self.layer = layer
        super().__init__(**kwargs)

    def build(self, input_shape: ShapeLike | None = None) -> None:
        """Creates the weights of the wrapped layer."""
        if not self.layer.built:
            self.layer.build(input_shape)
        self.built = True

    @property  # type: ignore[misc]  # read-only
    def activity_regularizer(self) -> Any:
        """The activity regularizer of the wrapped layer."""
        return getattr(vars(self).get("layer"), "activity_regularizer", None)

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments, as plain data."""
        layer = {"class_name": type(self.layer).__name__, "config": self.layer.get_config()}
        return {**super().get_config(), "layer": layer}

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None
    ) -> Any:
        """Rebuilds a layer from `get_config` output."""
        config = dict(config)
        layer = layer_registry.deserialize_layer(config.pop("layer"), custom_objects)
        return cls(layer, **config)
