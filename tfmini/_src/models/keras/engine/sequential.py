"""`tf.keras.Sequential`: a linear stack of layers."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Sequence
from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.nest.structure import flatten
from tfmini._src.base.shapes.tensor_shape import ShapeLike
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.models.keras.engine import clone_model
from tfmini._src.models.keras.engine.layer_container import check_no_legacy_layers
from tfmini._src.models.keras.engine.map_graph_network import source_inputs
from tfmini._src.models.keras.engine.model import Model
from tfmini._src.nn.layers.base_layer import Layer
from tfmini._src.nn.layers.input_shapes import input_shape_and_dtype
from tfmini._src.nn.layers.keras.input_layer import Input, InputLayer
from tfmini._src.nn.layers.serialization.layer_registry import deserialize_layer
from tfmini._src.variables.trackable import no_automatic_dependency_tracking

_ONE_OUTPUT = (
    "All layers in a Sequential model should have a single output tensor. For multi-output layers, use "
    "the functional API."
)


class Sequential(Model):
    """A linear stack of layers, each applied to the output of the previous one.

    Args:
      layers: list of layers; weights are created immediately if the first has `input_shape`.
      name: model name.

    Example:
      model = tf.keras.Sequential([
          tf.keras.layers.Dense(64, activation="relu", input_shape=(784,)),
          tf.keras.layers.Dense(10, activation="softmax"),
      ])
      model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
      model.fit(images, labels, epochs=5)
    """

    _object_identifier = "_tf_keras_sequential"

    @no_automatic_dependency_tracking
    def __init__(self, layers: Sequence[Any] | None = None, name: str | None = None):
        super().__init__(name=name)
        self.supports_masking = True
        self._build_input_shape: Any = None
        self._compute_output_and_mask_jointly = True
        layers = layers or ()
        layers = layers if isinstance(layers, (list, tuple)) else [layers]
        check_no_legacy_layers(layers)
        for layer in layers:
            self.add(layer)

    @property
    def layers(self) -> list[Any]:
        """The layers, without the input layer."""
        layers = super().layers
        return layers[1:] if layers and isinstance(layers[0], InputLayer) else layers

    @property
    def dynamic(self) -> bool:  # type: ignore[override]
        """Whether any layer is incompatible with graphs."""
        return any(layer.dynamic for layer in self.layers)

    @no_automatic_dependency_tracking
    def add(self, layer: Layer) -> None:
        """Appends a layer.

        Args:
          layer: a layer, or a `tf.keras.Input` tensor.

        Raises:
          TypeError: if it is not a layer, or has several outputs.
          ValueError: if the first layer has several outputs.
        """
        history = getattr(layer, "_keras_history", None)
        if history is not None and isinstance(history.layer, InputLayer):
            layer = history.layer
        if not isinstance(layer, Layer):
            raise TypeError(f"The added layer must be an instance of class Layer. Found: {layer}")
        check_no_legacy_layers([layer])
        self.built = False
        set_inputs = False
        if not self._layers:
            set_inputs = self._start_with(layer)
        elif self.outputs:
            output = layer(self.outputs[0])
            if len(flatten(output)) != 1:
                raise TypeError(_ONE_OUTPUT)
            self.outputs = [output]
        if self.outputs:
            self.built = True
        if set_inputs or self._is_graph_network:
            self._init_graph_network(self.inputs, self.outputs, name=self.name)
        else:
            self._layers.append(layer)
        self._track_layers()

    def _start_with(self, layer: Any) -> bool:
        """Calls the first layer if its input shape is known; returns whether it was called."""
        if not isinstance(layer, InputLayer):
            shape, dtype = input_shape_and_dtype(layer)
            if not shape:
                return False
            layer(Input(batch_shape=shape, dtype=dtype, name=layer.name + "_input"))
        outputs = flatten(layer.inbound_nodes[-1].output_tensors)
        if len(outputs) != 1:
            raise ValueError(_ONE_OUTPUT)
        self.outputs = [outputs[0]]
        self.inputs = source_inputs(outputs[0])
        return True

    @no_automatic_dependency_tracking
    def pop(self) -> None:
        """Removes the last layer.

        Raises:
          TypeError: if the model has no layers.
        """
        if not self.layers:
            raise TypeError("There are no layers in the model.")
        self._layers.pop()
        if not self.layers:
            self.outputs = self.inputs = None
            self.built = False
        elif self._is_graph_network:
            self.layers[-1]._outbound_nodes = []
            self.outputs = [self.layers[-1].output]
            self._init_graph_network(self.inputs, self.outputs, name=self.name)
            self.built = True

    @no_automatic_dependency_tracking
    def build(self, input_shape: Any = None) -> None:
        """Creates the weights, if the first layer's input shape is unknown.

        Args:
          input_shape: input shape including the batch size.

        Raises:
          ValueError: if the shape is missing.
        """
        if self._is_graph_network:
            self._init_graph_network(self.inputs, self.outputs, name=self.name)
        else:
            if input_shape is None:
                raise ValueError("You must provide an `input_shape` argument.")
            self._build_input_shape = tuple(input_shape)
            super().build(tuple(input_shape))
        self.built = True

    build._only_by_hand = True  # type: ignore[attr-defined]

    def call(
        self, inputs: TensorLike, training: TensorLike | None = None, mask: TensorLike | None = None
    ) -> Any:
        """Returns the output of the last layer."""
        if self._is_graph_network:
            if not self.built:
                self._init_graph_network(self.inputs, self.outputs, name=self.name)
            return super().call(inputs, training=training, mask=mask)
        outputs = inputs
        for layer in self.layers:
            names = inspect.getfullargspec(layer.call).args
            values = {"mask": mask, "training": training}
            outputs = layer(inputs, **{k: v for k, v in values.items() if k in names})
            inputs = outputs
            mask = getattr(outputs, "_keras_mask", None)
        return outputs

    def compute_output_shape(self, input_shape: ShapeLike) -> Any:
        """Computes the shape of the last layer's output."""
        shape = input_shape
        for layer in self.layers:
            shape = layer.compute_output_shape(shape)
        return shape

    def compute_mask(self, inputs: TensorLike, mask: TensorLike) -> Any:  # type: ignore[override]
        """Computes the mask of the last layer's output."""
        return self.call(inputs, mask=mask)._keras_mask

    def predict_proba(self, x: TensorLike, batch_size: int = 32, verbose: int = 0) -> Any:
        """Returns the predictions for `x`; warns if they are not probabilities.

        Args:
          x: the inputs, as in `predict`.
          batch_size, verbose: as in `predict`.
        """
        predictions = self.predict(x, batch_size, verbose)
        if predictions.min() < 0.0 or predictions.max() > 1.0:
            logs.warning(
                "Network returning invalid probability values. The last layer might not normalize "
                "predictions into probabilities (like softmax or sigmoid would)."
            )
        return predictions

    def predict_classes(self, x: TensorLike, batch_size: int = 32, verbose: int = 0) -> Any:
        """Returns the most probable class of each example; for a single output, 1 if above 0.5, else 0.

        Args:
          x: the inputs, as in `predict`.
          batch_size, verbose: as in `predict`.
        """
        probabilities = self.predict(x, batch_size=batch_size, verbose=verbose)
        if probabilities.shape[-1] > 1:
            return probabilities.argmax(axis=-1)
        return (probabilities > 0.5).astype("int32")

    def get_config(self) -> dict[str, Any]:
        """Returns the layers as plain data."""
        layers = [
            {"class_name": type(layer).__name__, "config": layer.get_config()}
            for layer in self.layers
        ]
        first = self._layers[0] if self._layers else None
        if self._is_graph_network and layers and isinstance(first, InputLayer):
            layers[0]["config"].setdefault("batch_input_shape", first._batch_input_shape)
        config = {"name": self.name, "layers": copy.deepcopy(layers)}
        if self._build_input_shape:
            config["build_input_shape"] = self._build_input_shape
        return config

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None
    ) -> Any:
        """Creates a model from a `get_config` result, with new weights.

        Args:
          config: a result of `get_config`, or a list of layer configurations.
          custom_objects: custom classes and functions by name.
        """
        settings: dict[str, Any] = config if "name" in config else {"layers": config}
        model = cls(name=settings.get("name"))
        for layer in settings["layers"]:
            model.add(deserialize_layer(layer, custom_objects))
        if not model.inputs and settings.get("build_input_shape"):
            model.build(settings["build_input_shape"])
        return model

    @property
    def input_spec(self) -> Any:
        """The input spec of the first layer, or None."""
        return self.layers[0].input_spec if self.layers else None

    @input_spec.setter
    def input_spec(self, value: TensorLike) -> None:
        self._input_spec = value

    def _clone(self, input_tensors: Any, clone_function: Any) -> Any:
        return clone_model.clone_sequential(Sequential, self, input_tensors, clone_function)
