"""Networks as layer containers: derived attributes, and added losses and metrics as layers."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.nest.structure import flatten
from tfmini._src.models.keras.engine.map_graph_network import call_key, operation_connections
from tfmini._src.nn.layers.backend.keras_graph import is_symbolic
from tfmini._src.nn.layers.base_layer import Layer
from tfmini._src.nn.layers.call_context import current_call
from tfmini._src.nn.layers.nodes import Node
from tfmini._src.nn.layers.saved_layer.saved_layer import SavedLayer
from tfmini._src.nn.layers.tensorflow_op_layer import AddLoss, AddMetric
from tfmini._src.variables.trackable import no_automatic_dependency_tracking


def check_no_legacy_layers(layers: Any) -> None:
    """Raises TypeError if a model contains layers of `tf.layers`."""
    legacy_layers = [f"  {layer}" for layer in layers if getattr(layer, "_is_legacy_layer", None)]
    if legacy_layers:
        listed = "\n".join(legacy_layers)
        raise TypeError(
            f"The following are legacy tf.layers.Layers:\n{listed}\nTo use keras as a framework (for instance "
            "using the Network, Model, or Sequential classes), please use the tf.keras.layers implementation instead. "
            "(Or, if writing custom layers, subclass from tf.keras.layers rather than tf.layers)"
        )


class SavedNetwork(SavedLayer):
    """A network's representation in a SavedModel."""

    def layers(self) -> list[Any]:
        layers: list = self.layer.layers
        return layers


class LayerContainerMixin(Layer):
    """Mixin that makes networks containers of layers."""

    _saved_as = SavedNetwork
    _dynamic: bool
    _is_graph_network: bool
    _nodes_by_depth: dict[int, list[Node]]
    _network_nodes: set[str]
    inputs: Any

    @property
    def layers(self) -> list[Any]:
        """The layers, including input layers."""
        return self._child_layers()

    def get_layer(self, name: str | None = None, index: int | None = None) -> Any:
        """Returns the layer with the given name or index.

        Raises:
          ValueError: if no such layer exists.
        """
        layers = self.layers
        if index is not None:
            if len(layers) <= index:
                raise ValueError(
                    f"Was asked to retrieve layer at index {index} but model only has {len(layers)} layers."
                )
            return layers[index]
        if not name:
            raise ValueError("Provide either a layer name or layer index.")
        for layer in layers:
            if layer.name == name:
                return layer
        raise ValueError("No such layer: " + name)

    @property
    def dynamic(self) -> bool:  # type: ignore[override]
        """Whether any layer is incompatible with graphs."""
        is_dynamic = any(layer.dynamic for layer in self.layers)
        return is_dynamic if self._is_graph_network else self._dynamic or is_dynamic

    @property
    def stateful(self) -> bool:
        """Whether any layer is stateful."""
        return any(getattr(layer, "stateful", False) for layer in self.layers)

    @stateful.setter
    def stateful(self, value: bool) -> None:
        pass  # determined by the layers

    def reset_states(self) -> None:
        """Resets the states of stateful layers to zeros."""
        for layer in self.layers:
            if hasattr(layer, "reset_states") and getattr(layer, "stateful", False):
                layer.reset_states()

    @property
    def state_updates(self) -> list[Any]:
        """Updates of stateful layers, which also run during prediction."""
        updates: list = []
        for layer in self.layers:
            if getattr(layer, "stateful", False):
                updates += getattr(layer, "updates", [])
        return updates

    @property
    def weights(self) -> list[Any]:
        """Variables of all layers, in order; for a list of layers, trainable variables come first."""
        self._check_weights_created()
        return (
            self._tracked_weights("weights") + self._trainable_weights + self._non_trainable_weights
        )

    @property
    def trainable_weights(self) -> list[Any]:
        """The trainable variables; none if `trainable` is False."""
        self._check_weights_created()
        if not self.trainable:
            return []
        return self._tracked_weights("trainable_weights") + self._trainable_weights

    @property
    def non_trainable_weights(self) -> list[Any]:
        """The non-trainable variables; all variables if `trainable` is False."""
        self._check_weights_created()
        extra = self._non_trainable_weights + self._trainable_weights
        own_weights = [v for v in extra if not v.trainable]
        if self.trainable:
            return self._tracked_weights("non_trainable_weights") + own_weights
        trained = [v for v in extra if v.trainable]
        return (
            self._tracked_weights("trainable_weights")
            + trained
            + self._tracked_weights("non_trainable_weights")
            + own_weights
        )

    def _tracked_weights(self, attribute: str) -> list:
        """Returns the weights of all tracked objects, including duplicates."""
        holders = [value for value in self._layers if hasattr(value, attribute)]
        return [weight for value in holders for weight in getattr(value, attribute)]

    def _check_weights_created(self) -> None:
        own_build = "build" in vars(type(self))
        if not self.dynamic and not self._is_graph_network and own_build and not self.built:
            raise ValueError(
                f"Weights for model {self.name} have not yet been created. Weights are created when the Model "
                "is first called on inputs or `build()` is called with an `input_shape`."
            )

    # Losses and metrics added to a functional model: the operations that compute them become layers

    def add_loss(self, losses: object, inputs: object = None) -> None:
        """Adds scalar losses; the ops that compute them from tensors of a functional model become layers."""
        if not self._is_graph_network or current_call().in_call:
            super().add_loss(losses, inputs=inputs)
            return
        for loss in flatten(losses):
            if is_symbolic(loss):
                self._insert_tensor(loss, AddLoss(unconditional=False))
            else:
                super().add_loss(loss, inputs=inputs)

    def _add_metric(self, value: Any, aggregation: str | None, name: str) -> None:
        if not self._is_graph_network:
            super()._add_metric(value, aggregation, name)
            return
        if not is_symbolic(value):
            raise ValueError(
                f"Expected a symbolic Tensor for the metric value, received: {value!s}"
            )
        if hasattr(value, "_metric_obj"):
            raise ValueError(
                "Using the result of calling a `Metric` object when calling `add_metric` on a Functional Model "
                "is not supported. Please pass the Tensor to monitor directly."
            )
        self._insert_tensor(value, AddMetric(aggregation, name))

    def _insert_tensor(self, tensor: Any, layer: Any) -> None:
        nodes, layers = operation_connections(self.inputs, [tensor])
        layer(tensor)
        self._insert_layers([*layers, layer], nodes + layer.inbound_nodes)

    @no_automatic_dependency_tracking
    def _insert_layers(self, layers: list, nodes: list[Node]) -> None:
        depths = {node: depth for depth, row in self._nodes_by_depth.items() for node in row}
        within = {*nodes, *depths}
        waiting = list(nodes)
        for _ in range(10000):
            if not waiting:
                break
            node = waiting.pop(0)
            depth = _call_depth(node, depths, within)
            if depth is None:
                waiting.append(node)
                continue
            layer = node.outbound_layer
            key = call_key(layer.name, layer.inbound_nodes.index(node))
            if key not in self._network_nodes:
                depths[node] = depth
                self._network_nodes.add(key)
                self._nodes_by_depth[depth].append(node)
        else:
            raise ValueError("Layers could not be added due to missing dependencies.")
        for layer in layers:
            if not any(layer is other for other in self._layers):
                self._layers.append(layer)


def _call_depth(node: Node, depths: dict[Node, int], within: set[Node]) -> int | None:
    """Returns the depth of a call, one below its lowest producer's; None if a producer in `within` has no depth yet."""
    min_depth = 0
    for layer, index, _, _ in node.iterate_inbound(include_arguments=True):
        inbound_node = layer.inbound_nodes[index]
        if inbound_node in depths:
            min_depth = min(min_depth, depths[inbound_node])
        elif inbound_node in within:
            return None
    return min_depth - 1
