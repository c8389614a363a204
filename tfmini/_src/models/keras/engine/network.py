"""Networks, which are layers composed of layers that are connected by tensors or by a subclass's `call`."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any

from tfmini._src.base import errors, logs
from tfmini._src.base.nest.structure import flatten, map_structure, pack_sequence_as
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.functions.traced_function import TracedGraph
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.tensor import Tensor
from tfmini._src.models.keras.engine import network_config
from tfmini._src.models.keras.engine.layer_container import (
    LayerContainerMixin,
    check_no_legacy_layers,
)
from tfmini._src.models.keras.engine.map_graph_network import connections
from tfmini._src.models.keras.engine.model_summary import print_summary
from tfmini._src.nn.layers.backend.config import floatx
from tfmini._src.nn.layers.backend.learning_phase import is_learning_phase
from tfmini._src.nn.layers.base_layer import Layer
from tfmini._src.nn.layers.input_shapes import shape_list, static_batch_size
from tfmini._src.nn.layers.nodes import Node
from tfmini._src.nn.layers.operation_history import make_history
from tfmini._src.nn.layers.serialization.json_encoding import json_value
from tfmini._src.ops import ops
from tfmini._src.variables.trackable import no_automatic_dependency_tracking


class Network(LayerContainerMixin):
    """A layer composed of layers.

    Args:
      inputs: a tensor of `tf.keras.Input`, or a structure of them.
      outputs: tensors computed from the inputs by layers.
      name: network name.

    Without inputs and outputs, subclasses implement `call` with layers stored as attributes.

    Raises:
      ValueError: if inputs or outputs are invalid or disconnected.
    """

    _scope: Any = None
    _object_identifier = "_tf_keras_network"
    _should_compute_mask: bool = read_only(attribute="_is_graph_network")

    @no_automatic_dependency_tracking
    def __init__(self, *args: Any, **kwargs: Any):
        functional = len(args) == 2 or (len(args) == 1 and "outputs" in kwargs)
        if functional or ("inputs" in kwargs and "outputs" in kwargs):
            self._init_graph_network(*args, **kwargs)
        else:
            self._init_subclassed_network(**kwargs)
        check_no_legacy_layers(self.layers)

    def _track_layers(self) -> None:
        """Registers the layers for object-based checkpoints, by index among all layers and those with weights."""
        weighty = 0
        for index, layer in enumerate(self._layers):
            if _has_weights(layer):
                self._track_trackable(layer, f"layer_with_weights-{weighty}", overwrite=True)
                weighty += 1
            self._track_trackable(layer, f"layer-{index}", overwrite=True)

    def _base_init(self, name: str | None = None, **kwargs: Any) -> None:
        for key in kwargs:
            if key not in ("trainable", "dtype", "dynamic", "autocast"):
                raise TypeError("Keyword argument not understood:", key)
        optimizer = vars(self).get("optimizer")
        input_spec = vars(self).pop("_input_spec", None)
        super().__init__(name=name, **kwargs)
        self._input_spec = input_spec
        self._layers: list = []
        self._is_compiled = False
        self.optimizer = optimizer
        self._compute_output_and_mask_jointly = False
        self._graph = get_default_graph()

    def _init_subclassed_network(self, name: str | None = None, **kwargs: Any) -> None:
        self._is_graph_network = False
        self._base_init(name=name, **kwargs)
        self.outputs: Any = []
        self.inputs: Any = []
        self.built = False

    @no_automatic_dependency_tracking
    def _init_graph_network(
        self, inputs: Any, outputs: Any, name: str | None = None, **kwargs: Any
    ) -> None:
        for key in kwargs:
            if key != "trainable":
                raise TypeError(
                    "Functional models may only specify `name` and `trainable` keyword arguments during "
                    "initialization. Got an unexpected argument:",
                    key,
                )
        if isinstance(inputs, list) and len(flatten(inputs)) == 1:
            inputs = inputs[0]
        if isinstance(outputs, list) and len(flatten(outputs)) == 1:
            outputs = outputs[0]
        self._nested_inputs, self._nested_outputs = inputs, outputs
        self.inputs = flatten(inputs)
        self.outputs = flatten(outputs)
        if any(not hasattr(x, "_keras_history") for x in self.outputs):
            make_history(outputs)
        self._base_init(name=name, **kwargs)
        self._check_inputs_and_outputs()
        self.built = True
        self._compute_output_and_mask_jointly = True
        self._is_graph_network = True
        self._autocast = False
        self._output_layers = [x._keras_history.layer for x in self.outputs]
        self._output_coordinates = [tuple(x._keras_history) for x in self.outputs]
        self._input_layers = [x._keras_history.layer for x in self.inputs]
        self._input_coordinates = [tuple(x._keras_history) for x in self.inputs]
        network = connections(self.inputs, self.outputs)
        self._network_nodes = network.keys
        self._nodes_by_depth = network.by_depth
        self._layers = network.layers
        self._track_layers()
        Node(self, [], [], [], self._nested_inputs, self._nested_outputs)
        self._set_output_names()
        fed = [layer for layer in self._input_layers if layer.is_placeholder]
        self.input_names = [layer.name for layer in self._input_layers]
        self._feed_input_names = [layer.name for layer in fed]
        self._feed_input_shapes = [layer._batch_input_shape for layer in fed]
        self._feed_inputs = [layer.input for layer in fed]

    def _set_output_names(self) -> None:
        names: list[str] = []
        counts: dict[str, int] = {}
        for layer in self._output_layers:
            proposal = layer.name
            while proposal in names:
                counts[layer.name] = counts.get(layer.name, 0) + 1
                proposal = f"{layer.name}_{counts[layer.name]}"
            names.append(proposal)
        self.output_names = names

    def _check_inputs_and_outputs(self) -> None:
        class_name = type(self).__name__
        if len({id(x) for x in self.inputs}) != len(self.inputs):
            raise ValueError(
                "The list of inputs passed to the model is redundant. All inputs should only appear once. "
                f"Found: {self.inputs}"
            )
        for x in self.inputs:
            if not hasattr(x, "_keras_history"):
                raise ValueError(
                    f"Input tensors to a {class_name} must come from `tf.keras.Input`. Received: {x} (missing "
                    "previous layer metadata)."
                )
            layer = x._keras_history.layer
            nodes = layer.inbound_nodes
            if len(nodes) > 1 or (nodes and nodes[0].inbound_layers):
                logs.warning(
                    f"{class_name} inputs must come from `tf.keras.Input` (thus holding past layer metadata), they "
                    "cannot be the output of a previous non-Input layer. Here, a tensor specified as input to "
                    f'"{self.name}" was not an Input tensor, it was generated by layer {layer.name}.\nNote that '
                    "input tensors are instantiated via `tensor = tf.keras.Input(shape)`.\nThe tensor that "
                    f"caused the issue was: {x.name}"
                )
        sizes = [static_batch_size(x._keras_history.layer) for x in self.inputs]
        if len({size for size in sizes if size is not None}) > 1:
            raise ValueError(
                "The specified batch sizes of the Input Layers are incompatible. Found batch sizes: "
                f"{sizes}"
            )
        for x in self.outputs:
            if not hasattr(x, "_keras_history"):
                raise ValueError(
                    f"Output tensors to a {class_name} must be the output of a TensorFlow `Layer` (thus holding past "
                    f"layer metadata). Found: {x}"
                )

    def __setattr__(self, name: str, value: Any) -> None:
        if "_is_graph_network" not in vars(self) and vars(self).get("_self_setattr_tracking", True):
            if any(isinstance(item, Layer) for item in flatten(value)):
                raise RuntimeError(
                    "It looks like you are subclassing `Model` and you forgot to call "
                    "`super(YourClass, self).__init__()`. Always start with this line."
                )
        was_tracking = vars(self).get("_self_setattr_tracking", True)
        super().__setattr__(name, value)
        if (
            was_tracking
            and isinstance(value, Layer)
            and hasattr(value, "reset_states")
            and hasattr(value, "update_state")
        ):
            self._metrics.append(value)

    # Inputs ------------------------------------------------------------------------------------

    @property
    def input_spec(self) -> Any:
        """Input specs of the input layers; None for a subclassed model."""
        if not self._is_graph_network:
            return None
        specs: list = []
        for layer in self._input_layers:
            if layer.input_spec is None:
                specs.append(None)
            else:
                specs += layer.input_spec
        return specs[0] if len(specs) == 1 else specs

    @input_spec.setter
    def input_spec(self, value: Any) -> None:
        self._input_spec = value

    def compute_mask(self, inputs: Any, mask: Any) -> Any:  # type: ignore[override]
        """Computes output masks; None for a subclassed model."""
        if not self._is_graph_network:
            return None
        outputs = self._run_internal_graph(inputs, mask=mask)
        return map_structure(lambda x: x._keras_mask, outputs)

    # Its calls -----------------------------------------------------------------------------------

    def build(self, input_shape: Any) -> None:
        """Creates the weights of a subclassed model.

        Args:
          input_shape: input shape including the batch size, or a list of shapes.

        Raises:
          ValueError: if it is not a shape, or `call` requires inputs that are not floats.
        """
        if self._is_graph_network:
            self.built = True
            return
        if input_shape is None:
            raise ValueError(
                "Input shape must be defined when calling build on a model subclass network."
            )
        if not isinstance(input_shape, (tuple, list, TensorShape)):
            raise ValueError(
                "Specified input shape is not one of the valid types. Please specify a batch input shape of "
                f"type tuple or list of input shapes. User provided input type: {type(input_shape)}"
            )
        if input_shape and not self.inputs:
            is_eager = executing_eagerly()
            with TracedGraph("build_graph").as_default() if is_eager else nullcontext():
                self._call_with_placeholders(input_shape)
        self.built = True

    build._only_by_hand = True  # type: ignore[attr-defined]

    def _build_for(self, shapes: Any) -> None:
        """Calls `build` if the class overrides it; otherwise `call` builds the layers."""
        if not getattr(self.build, "_only_by_hand", False):
            self.build(shapes)

    def _call_with_placeholders(self, input_shape: Any) -> None:
        def make_placeholder(shape: Any) -> Any:
            return ops.placeholder(shape=shape, dtype=floatx())

        nested = isinstance(input_shape, list)
        x = (
            [make_placeholder(shape) for shape in input_shape]
            if nested
            else make_placeholder(input_shape)
        )
        spec = inspect.getfullargspec(self.call)
        needed = spec.args[2 : len(spec.args) - len(spec.defaults or ())]
        kwargs: dict[str, Any] = {}
        if len(spec.args) < 2:
            raise ValueError(
                "You can only call `build` on a model if its `call` method accepts an `inputs` argument."
            )
        for name in needed:
            if name != "training":
                raise ValueError(
                    "Currently, you cannot build your model if it has positional or keyword arguments that are "
                    "not inputs to the model, but are required for its `call` method. Instead, in order to "
                    "instantiate and build your model, `call` your model on real tensor data with all expected "
                    "call arguments."
                )
            kwargs["training"] = False
        try:
            self.call(x, **kwargs)
        except (errors.InvalidArgumentError, TypeError):
            raise ValueError(
                "You cannot build your model by calling `build` if your layers do not support float type "
                "inputs. Instead, in order to instantiate and build your model, `call` your model on real "
                "tensor data (of the correct dtype)."
            ) from None

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        """Calls the layers again on other inputs; returns the outputs.

        Raises:
          NotImplementedError: if a subclass does not implement `call`.
        """
        if not self._is_graph_network:
            raise NotImplementedError(
                "When subclassing the `Model` class, you should implement a `call` method."
            )
        return self._run_internal_graph(inputs, training=training, mask=mask)

    def _run_internal_graph(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        inputs = flatten(inputs)
        masks = [None] * len(inputs) if mask is None else flatten(mask)
        for x, one in zip(inputs, masks):
            x._keras_mask = one
        result = {id(x): y for x, y in zip(self.inputs, inputs)}
        for depth in sorted(self._nodes_by_depth, reverse=True)[1:]:
            for node in self._nodes_by_depth[depth]:
                if all(id(x) in result for x in flatten(node.input_tensors)):
                    self._call_again(node, result, training)
        for x in self.outputs:
            assert id(x) in result, f"Could not compute output {x}"
        return pack_sequence_as(self._nested_outputs, [result[id(x)] for x in self.outputs])

    def _call_again(self, node: Node, values: dict[int, Any], training: Any) -> None:
        layer = node.outbound_layer
        kwargs = dict(node.arguments) if node.arguments else {}
        if "training" in inspect.getfullargspec(layer.call).args:
            kwargs.setdefault("training", training)
            if is_learning_phase(kwargs["training"]):
                kwargs["training"] = training

        def map_tensor(x: Any) -> Any:
            return values[id(x)] if isinstance(x, Tensor) and hasattr(x, "_keras_history") else x

        kwargs = map_structure(map_tensor, kwargs)
        arguments = map_structure(lambda x: values[id(x)], node.input_tensors)
        outputs = layer(arguments, **kwargs)
        for x, y in zip(flatten(node.output_tensors), flatten(outputs)):
            values[id(x)] = y

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Computes output shapes.

        Raises:
          ValueError: if the number of shapes differs from the number of inputs.
        """
        if not self._is_graph_network:
            return super().compute_output_shape(input_shape)
        actual_shape = shape_list(input_shape)
        if len(actual_shape) != len(self._input_layers):
            raise ValueError(
                f"Invalid input_shape argument {input_shape}: model has {len(self._input_layers)} tensor inputs."
            )
        shapes = {(layer, 0, 0): shape for layer, shape in zip(self._input_layers, actual_shape)}
        for depth in sorted(self._nodes_by_depth, reverse=True):
            for node in self._nodes_by_depth[depth]:
                layer = node.outbound_layer
                if layer in self._input_layers:
                    continue
                input_shapes = [shapes[row[:3]] for row in node.iterate_inbound()]
                output_shape = layer.compute_output_shape(
                    pack_sequence_as(node.input_tensors, input_shapes)
                )
                index = layer._inbound_nodes.index(node)
                for n, shape in enumerate(shape_list(output_shape)):
                    shapes[layer, index, n] = shape
        outputs = [TensorShape(shapes[coordinates]) for coordinates in self._output_coordinates]
        return pack_sequence_as(self._nested_outputs, outputs)

    # As text and data ----------------------------------------------------------------------------

    def get_config(self) -> dict[str, Any]:
        """Returns the layers and their connections as plain data.

        Raises:
          NotImplementedError: for a subclassed model.
        """
        if not self._is_graph_network:
            raise NotImplementedError
        return network_config.network_config(self)

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None
    ) -> Any:
        """Creates a model from a `get_config` result, with new weights.

        Args:
          config: a result of `get_config`.
          custom_objects: custom classes and functions by name.
        """
        return network_config.model_from(cls, config, custom_objects)

    def _updated_config(self) -> dict[str, Any]:
        return {
            "class_name": type(self).__name__,
            "config": self.get_config(),
            "keras_version": "2.2.4-tf",
            "backend": "tensorflow",
        }

    def to_json(self, **kwargs: Any) -> str:
        """Returns the model without its weights as JSON, readable by `tf.keras.models.model_from_json`.

        Args:
          **kwargs: passed to `json.dumps`.
        """
        return json.dumps(self._updated_config(), default=json_value, **kwargs)

    def summary(
        self,
        line_length: int | None = None,
        positions: Sequence[float] | None = None,
        print_fn: Callable[[str], object] | None = None,
    ) -> None:
        """Prints a table of the layers with their types, output shapes and weight counts.

        Args:
          line_length: line length.
          positions: column ends, as fractions of the line length.
          print_fn: function called with each line, by default `print`.

        Raises:
          ValueError: if the model is not built.
        """
        if not self.built:
            raise ValueError(
                "This model has not yet been built. Build the model first by calling `build()` or calling "
                "`fit()` with some data, or specify an `input_shape` argument in the first layer(s) for "
                "automatic build."
            )
        print_summary(self, line_length=line_length, positions=positions, print_fn=print_fn)


def _has_weights(layer: Any) -> bool:
    """Whether a layer has weights; false for models not built yet."""
    try:
        return bool(layer.weights)
    except ValueError:
        return False
