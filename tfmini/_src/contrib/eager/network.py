"""`tf.contrib.eager.Network`: a layer composed of `tf.layers`, the predecessor of `tf.keras.Model`."""

from __future__ import annotations

import inspect
import weakref
from collections.abc import Callable, Iterable
from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.nn.layers.backend.unique_object_name import snake_case, unique_object_name
from tfmini._src.nn.layers.base import Layer
from tfmini._src.variables.get_variable import VariableScope, get_variable_scope, scope_store
from tfmini._src.variables.variable_scope import variable_scope

_INSTRUCTIONS = (
    "Please inherit from `tf.keras.Model`, and see its documentation for details. `tf.keras.Model` should be a "
    "drop-in replacement for `tfe.Network` in most cases, but note that `track_layer` is no longer necessary or "
    "supported. Instead, `Layer` instances are tracked on attribute assignment (see the section of "
    "`tf.keras.Model`'s documentation on subclassing). Since the output of `track_layer` is often assigned to an "
    "attribute anyway, most code can be ported by simply removing the `track_layer` calls.\n\n`tf.keras.Model` works "
    "with all TensorFlow `Layer` instances, including those from `tf.layers`, but switching to the `tf.keras.layers` "
    "versions along with the migration to `tf.keras.Model` is recommended, since it will preserve variable names. "
    "Feel free to import it with an alias to avoid excess typing :)."
)


class Network(Layer):
    """A layer composed of layers added by `track_layer`; subclasses define `call`.

    The layers' weights are resource variables in variable scopes below the network's own, which the first call opens:
    `["net/dense/kernel:0", "net/dense/bias:0", ...]`. A layer of several networks is named after the first.

    Args:
      name: a name, unique within the enclosing network or scope; by default the class name, numbered if necessary,
        determined at first use.

    Raises:
      ValueError: for a name with slashes, or a variable scope.

    Example:
      class TwoLayers(tf.contrib.eager.Network):
          def __init__(self):
              super().__init__(name="net")
              self.one = self.track_layer(tf.layers.Dense(16))
              self.two = self.track_layer(tf.layers.Dense(1))

          def call(self, inputs):
              return self.two(self.one(inputs))
    """

    layers: list[Any] = read_only("The layers, in the order added.")

    @deprecated(None, _INSTRUCTIONS)
    def __init__(self, name: str | None = None) -> None:
        if executing_eagerly():
            logs.warning(
                "** tfe.Network is deprecated and will be removed in a future version.\n\n%s",
                _INSTRUCTIONS,
            )
        if isinstance(name, VariableScope):
            raise ValueError("VariableScopes are not valid Network names.")
        if name is not None and "/" in name:
            raise ValueError("Forward slashes ('/') are not allowed in Network names.")
        super().__init__(name=name)
        self._keras_style = False
        self._layers: list[Any] = []
        self._counts_of_names: dict[str, int] = {}
        # By name: the layers first added to this network.
        self._layers_by_name: dict[str, Any] = {}
        self._plain_layers: list[Any] = []  # layers that are not networks
        self._first_parent: weakref.ref[Network] | None = None
        self._enclosing_scope = get_variable_scope()
        self._scopes = scope_store().counts

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        raise NotImplementedError(
            f"tfe.Network does not support object-based checkpointing.\n\n{_INSTRUCTIONS}"
        )

    # Names and scopes ----------------------------------------------------------------------------

    def _init_set_name(self, name: Any) -> None:
        self._name = name

    @property
    def name(self) -> str:  # type: ignore[override]
        """Name of the network.

        Raises:
          ValueError: before the name is determined.
        """
        if self._name is None:
            raise ValueError(
                "The network does not yet have a final name, but a name was requested for it. Networks get a name "
                "when they are added to another Network via track_layer, or when they are first called/built."
            )
        name: str = self._name
        return name

    def _parent(self) -> Network | None:
        return None if self._first_parent is None else self._first_parent()

    def _finalize_name(self, parent: Network | None) -> None:
        """Determines the name and the enclosing network, if any."""
        if not self._name:
            namespace = self._enclosing_scope.name
            if parent is None:
                prefix = f"{namespace}/" if namespace else ""
                taken_names = {s.removeprefix(prefix) for s in self._scopes if s.startswith(prefix)}
                counts = None
            else:
                taken_names, counts = set(parent._layers_by_name), parent._counts_of_names
            base_name = snake_case(type(self).__name__)
            self._name = unique_object_name(base_name, 0, counts, taken_names, namespace)
        if parent is not None and self._parent() is None:
            self._first_parent = weakref.ref(parent)

    def _set_scope(self, scope: Any = None) -> None:
        """Opens the variable scopes of the network and its layers on the first call."""
        if self._scope is None:
            self._open_scope(scope)
        for layer in self._plain_layers:
            self._open_layer_scope(layer)

    def _open_scope(self, scope: Any) -> None:
        parent = self._parent()
        if parent is None:
            self._finalize_name(None)
        if scope is not None:
            raise ValueError("Networks may not be created with explicit scopes.")
        if parent is not None:
            parent._set_scope()
        with variable_scope(self._enclosing_scope if parent is None else parent._scope) as outer:
            if f"{outer.name}/{self._name}" in self._scopes:
                raise self._exists()
            with variable_scope(None, use_resource=True, default_name=self._name) as opened:
                prefix, _, last = opened.name.rpartition("/")
                self._scope = opened
        if last != self._name:
            raise self._exists()
        if parent is not None and prefix != parent.scope_name:
            raise ValueError(
                "Network variable names must match a nesting of sub-Network names. Expected prefix "
                f"'{parent.scope_name}' from parent network, but got '{prefix}' when attempting to create a "
                f"variable_scope for Network '{self._name}'. Likely an explicit variable_scope was inserted into the "
                "nesting."
            )
        if parent is None:
            self._name = opened.name

    def _exists(self) -> ValueError:
        return ValueError(
            f"A Network named '{self._name}' already exists (or a variable_scope was created with this name). Names "
            "must be unique."
        )

    def _open_layer_scope(self, layer: Any) -> None:
        """Opens a layer's variable scope within its first network's scope."""
        if layer._scope is not None:
            return
        parent = layer._first_parent()
        if parent is None:
            self._finalize_name(None)
            raise ValueError(
                f"The parent of a Layer added to Network {self.name} was garbage collected before the Layer was "
                "built. If this limitation bothers you please file a feature request."
            )
        if parent is not self:
            parent._set_scope()
            return
        with (
            variable_scope(self._scope),
            variable_scope(None, use_resource=True, default_name=layer.name) as opened,
        ):
            layer._scope = opened
            layer._keras_style = False

    # Layers --------------------------------------------------------------------------------------

    def track_layer(self, layer: Any) -> Any:
        """Adds a layer and its variables to the network; returns the layer.

        Raises:
          RuntimeError: if called before the base constructor.
          TypeError: if `layer` is not a layer of `tf.layers`.
          ValueError: for a duplicate name.
        """
        if not hasattr(self, "_counts_of_names"):
            raise RuntimeError("Need to call Network.__init__ before adding layers")
        if not isinstance(layer, Layer):
            raise TypeError(
                f"Network.track_layer() passed type {type(layer)}, not a tf.layers.Layer"
            )
        layer._use_resource_variables = True
        if isinstance(layer, Network):
            layer._finalize_name(self)
            parent = layer._parent()
        else:
            parent = None if layer.built else self._adopt_layer(layer)
        if not layer.built and parent is self:
            other = self._layers_by_name.get(layer.name)
            if other is layer:
                return layer
            if other is not None:
                raise ValueError(
                    f"Attempt to add two Layers with the name '{layer.name}' to the same Network."
                )
            self._layers_by_name[layer.name] = layer
        self._layers.append(layer)
        return layer

    def _adopt_layer(self, layer: Any) -> Network | None:
        """Names a layer other than a network after its position in its first network; returns that network."""
        if not hasattr(layer, "_first_parent") or layer._first_parent() is None:
            if layer._name != layer._base_name:
                base_name = snake_case(type(layer).__name__)
                layer._base_name = base_name
                layer._name = unique_object_name(
                    base_name, 0, self._counts_of_names, self._layers_by_name
                )
            if not hasattr(layer, "_first_parent"):
                layer._first_parent = weakref.ref(self)
        self._plain_layers.append(layer)
        parent: Network | None = layer._first_parent()
        return parent

    def get_layer(self, name: str | None = None, index: int | None = None) -> Any:
        """Returns the first layer with the given name, or the layer at the given index.

        Raises:
          ValueError: for an unknown layer, or unless exactly one of name and index is given.
        """
        if index is not None:
            if name is not None:
                raise ValueError("Exactly one of 'index' or 'name' must be provided")
            if len(self._layers) <= index:
                raise ValueError(
                    f"Was asked to retrieve layer at index {index} but model only has {len(self._layers)} layers."
                )
            return self._layers[index]
        if not name:
            raise ValueError("Provide either a layer name or layer index.")
        for layer in self._layers:
            if layer.name == name:
                return layer
        raise ValueError(f"No such layer: {name}")

    # Weights and losses --------------------------------------------------------------------------

    @property
    def weights(self) -> list[Any]:
        """Variables of the layers."""
        return [weight for layer in self._layers for weight in layer.weights]

    @property
    def trainable_weights(self) -> list[Any]:
        """Trainable variables of the layers."""
        return [weight for layer in self._layers for weight in layer.trainable_weights]

    @property
    def non_trainable_weights(self) -> list[Any]:
        """Non-trainable variables of the layers."""
        return [weight for layer in self._layers for weight in layer.non_trainable_weights]

    @property
    def trainable(self) -> bool:
        """Always True; read-only."""
        return True

    @trainable.setter
    def trainable(self, value: bool) -> None:
        if not value:
            raise AttributeError("cannot mark Network as not trainable")

    @property
    def losses(self) -> list[Any]:
        """Losses of the layers."""
        return [loss for layer in self._layers for loss in layer.losses]

    def add_variable(self, *args: Any, **kwargs: Any) -> Any:
        """Raises RuntimeError: a network's variables belong to its layers."""
        raise RuntimeError(_not_in_networks("add_variable not supported"))

    def add_loss(self, losses: TensorLike, inputs: TensorLike | None = None) -> None:
        """Raises RuntimeError: a network's losses belong to its layers."""
        raise RuntimeError(_not_in_networks("add_loss is not supported"))


def _not_in_networks(action: str) -> str:
    return (
        f"{action} in Network class yet. Please file an issue at "
        "https://github.com/tensorflow/tensorflow/issues/new if this is important to you"
    )


class Sequential(Network):
    """Layers and functions applied in sequence, each to the result of the previous one.

    Args:
      layers_funcs: layers of `tf.layers`, and functions.
      name: as in `Network`.

    Example: `tf.contrib.eager.Sequential([tf.layers.Dense(16), tf.nn.relu, tf.layers.Dense(1)])`
    """

    def __init__(self, layers_funcs: Iterable[Any] | None = None, name: str | None = None) -> None:
        super().__init__(name=name)
        self._steps: list[tuple[bool, Callable[..., Any]]] = []
        for step in layers_funcs or ():
            self.add(step)

    def add(self, layer_func: Any) -> None:
        """Appends a layer or function.

        Raises:
          TypeError: for any other values.
        """
        if isinstance(layer_func, Layer):
            call_method = layer_func.call
            self.track_layer(layer_func)
        elif callable(layer_func):
            call_method = layer_func
        else:
            raise TypeError(
                "Sequential.add() takes only tf.layers.Layer objects or callables; not "
                f"'{layer_func}' of type '{type(layer_func)}'."
            )
        takes_training = "training" in inspect.signature(call_method).parameters
        self._steps.append((takes_training, layer_func))

    def call(self, inputs: TensorLike, training: TensorLike | None = None) -> Any:
        """Applies the layers, passing `training` to layers with such an argument, unless it is None."""
        for takes_training, step in self._steps:
            training_args = (training,) if takes_training and training is not None else ()
            inputs = step(inputs, *training_args)
        return inputs
