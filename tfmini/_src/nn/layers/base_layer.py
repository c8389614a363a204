"""Base class of layers, which create weights on the first call and compute outputs in `call`.

Shared by all layers; `base.py` adds the variable scopes of `tf.layers`.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from tfmini._src.base.names.deprecation import deprecated, deprecated_args
from tfmini._src.base.nest.structure import flatten, map_structure
from tfmini._src.base.read_only import read_only
from tfmini._src.functions.traced_function import TracedGraph
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.graph.type_spec import TensorSpec
from tfmini._src.nn.layers import (
    attribute_tracking,
    layer_additions,
    layer_call,
    node_history,
    weights,
)
from tfmini._src.nn.layers.backend.config import floatx, v2_dtype_behavior_enabled
from tfmini._src.nn.layers.backend.keras_graph import get_graph
from tfmini._src.nn.layers.backend.unique_object_name import snake_case, unique_object_name
from tfmini._src.nn.layers.input_spec import InputSpec
from tfmini._src.nn.layers.layer_arguments import description
from tfmini._src.nn.layers.layer_dtypes import LayerDtypes
from tfmini._src.nn.layers.nodes import Node
from tfmini._src.nn.layers.saved_layer.saved_attributes import saved_attributes
from tfmini._src.nn.layers.saved_layer.saved_layer import SavedLayer
from tfmini._src.nn.layers.serialization.json_encoding import json_value
from tfmini._src.ops import ops
from tfmini._src.variables.data_structures import layers_in
from tfmini._src.variables.init_scope import executing_eagerly_outside_functions
from tfmini._src.variables.module import Module
from tfmini._src.variables.trackable import no_automatic_dependency_tracking

_OPTIONS = (
    *("input_shape", "batch_input_shape", "batch_size", "weights"),
    *("activity_regularizer", "autocast"),
)


class Layer(Module):
    """Base class of layers; subclasses create weights in `build` and use them in `call`.

    Args:
      trainable: whether its weights are trained.
      name: its name; by default derived from the class.
      dtype: the dtype of its weights; by default the dtype of its first input, or `tf.keras.backend.floatx()` after
        `tf.enable_v2_behavior()`. A policy of `tf.keras.mixed_precision.experimental` also sets the compute dtype.
      dynamic: True for a layer that cannot run in a graph; its outputs are placeholders.
      activity_regularizer: a function from an output to a scalar loss.
      weights: list of arrays to set the weights to at the first call, in a session.

    Raises:
      TypeError: for an unknown keyword argument.
    """

    _in_config: tuple[str, ...] = ()  # arguments included by `get_config`
    _infers_dtype = False  # whether the first input determines the dtype, regardless of the policy
    _input_spec: Any
    _layers: list

    @no_automatic_dependency_tracking
    def __init__(
        self,
        trainable: bool = True,
        name: str | None = None,
        dtype: Any = None,
        dynamic: bool = False,
        **kwargs: Any,
    ):
        for key in kwargs:
            if key not in _OPTIONS:
                raise TypeError("Keyword argument not understood:", key)
        self._trainable = trainable
        self.stateful = False
        self.built = False
        vars(self)["_input_spec"] = None
        self.supports_masking = False
        self._init_set_name(name)
        self._activity_regularizer = kwargs.get("activity_regularizer")
        self._trainable_weights: list = getattr(self, "_trainable_weights", [])
        self._non_trainable_weights: list = getattr(self, "_non_trainable_weights", [])
        self._updates: list = []
        self._losses: list = []
        self._eager_losses: list = []
        self._callable_losses: list[Callable] = []
        self._metrics: list = []
        self._set_dtype_policy(dtype)
        self._autocast = kwargs["autocast"] if "autocast" in kwargs else v2_dtype_behavior_enabled()
        self._dynamic = dynamic
        self._initial_weights = kwargs.get("weights")
        if "batch_input_shape" in kwargs:
            self._batch_input_shape = tuple(kwargs["batch_input_shape"])
        elif "input_shape" in kwargs:
            self._batch_input_shape = (kwargs.get("batch_size"), *kwargs["input_shape"])
        vars(self).setdefault("_layers", [])
        self._inbound_nodes: list[Node] = []
        self._outbound_nodes: list[Node] = []

    # For derived classes -------------------------------------------------------------------------

    def build(self, input_shape: Any) -> None:
        """Creates the weights; called before the first `call`.

        Args:
          input_shape: the TensorShape of the inputs, in a structure like theirs.
        """
        self.built = True

    if TYPE_CHECKING:  # derived classes declare their own arguments
        call: Any
    else:

        def call(self, inputs: Any, **kwargs: Any) -> Any:
            """Computes the outputs from the inputs; returns them unchanged by default.

            Args:
              inputs: the call's inputs; subclasses may add further arguments.
            """
            return inputs

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Returns the static shape of the outputs for inputs of shape `input_shape`; implemented by subclasses.

        In eager mode, falls back to `call` on symbolic inputs of the layer's dtype.

        Raises:
          NotImplementedError: unless overridden.
        """
        if not executing_eagerly() or self.dynamic:
            raise NotImplementedError
        takes = layer_call.call_parameters(self.call).names
        kwargs = {"training": False} if "training" in takes else {}
        with TracedGraph("graph").as_default():
            self._maybe_build(input_shape)
            try:
                outputs = self(self._make_placeholders(input_shape), **kwargs)
            except TypeError as error:
                raise NotImplementedError(
                    "We could not automatically infer the static shape of the layer's output. Please implement the "
                    f"`compute_output_shape` method on your layer ({type(self).__name__})."
                ) from error
        return map_structure(lambda x: x.shape, outputs)

    def _make_placeholders(self, shapes: Any) -> Any:
        if isinstance(shapes, list) and not all(
            size is None or isinstance(size, int) for size in shapes
        ):
            return [self._make_placeholders(shape) for shape in shapes]
        return ops.placeholder(floatx(), shapes)

    def compute_output_signature(self, input_signature: Any) -> Any:
        """Returns the TensorSpec of the outputs for the TensorSpec of the inputs, using `compute_output_shape`.

        Raises:
          TypeError: if the inputs are not described by TensorSpecs.
        """

        def spec_shape(spec: Any) -> Any:
            if not isinstance(spec, TensorSpec):
                raise TypeError(
                    "Only TensorSpec signature types are supported, but saw signature signature "
                    f"entry: {spec}."
                )
            return spec.shape

        shapes = self.compute_output_shape(map_structure(spec_shape, input_signature))
        dtype = self._compute_dtype or flatten(input_signature)[0].dtype
        return map_structure(lambda shape: TensorSpec(shape, dtype), shapes)

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments as plain data, without weights.

        Raises:
          NotImplementedError: if a subclass with constructor arguments does not override it.
        """
        config = {"name": self.name, "trainable": self.trainable}
        if hasattr(self, "_batch_input_shape"):
            config["batch_input_shape"] = self._batch_input_shape
        config["dtype"] = self.dtype
        if self.dynamic:
            config["dynamic"] = True
        if not type(self)._in_config and type(self).get_config is Layer.get_config:
            arguments = inspect.getfullargspec(self.__init__).args  # type: ignore[misc]
            if {*arguments} - {*config, "self", "dynamic"}:
                raise NotImplementedError(
                    "Layers with arguments in `__init__` must override `get_config`."
                )
        return {**config, **description(self, type(self)._in_config)}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """Rebuilds a layer from `get_config` output."""
        return cls(**config)

    # Its call ------------------------------------------------------------------------------------

    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """Computes the outputs for `inputs`; the first call creates the weights.

        Args:
          inputs: a tensor, or a structure of them; numpy arrays and numbers are converted.
          *args, **kwargs: passed to `call`. `training` is also passed on to nested layers.

        Raises:
          ValueError: if the inputs violate `input_spec`, or `call` returns None.
        """
        items = flatten(inputs)
        if executing_eagerly():
            return self._call_in_eager_mode(items, inputs, args, kwargs)
        return self._call_in_graph(items, inputs, args, kwargs)

    _call_in_eager_mode = layer_call.call_in_eager_mode
    _call_in_graph = layer_call.call_in_graph
    _maybe_build = layer_call.maybe_build

    @deprecated(None, "Please use `layer.__call__` method instead.")
    def apply(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """Calls the layer."""
        return self(inputs, *args, **kwargs)

    def _builds_outside_functions(self) -> bool:
        """Whether `build` runs eagerly although the outputs belong to the graph of a function or of Keras."""
        return executing_eagerly_outside_functions()

    def _build_for(self, shapes: Any) -> None:
        """Builds the weights for these input shapes at the start of a call."""
        self.build(shapes)

    # Its masks, and its calls in Keras models ----------------------------------------------------

    _should_compute_mask: bool = True
    compute_mask = node_history.compute_mask
    _set_mask_metadata = node_history.set_mask_metadata

    inbound_nodes: list[Node] = read_only("Nodes for calls of this layer.")
    outbound_nodes: list[Node] = read_only("Nodes for calls of other layers with its outputs.")
    _add_inbound_node = node_history.add_inbound_node
    _get_node_attribute_at_index = node_history.get_node_attribute_at_index
    input: Any = property(node_history.input_of_calls)
    output: Any = property(node_history.output_of_calls)
    input_mask: Any = property(node_history.input_mask_of_calls)
    output_mask: Any = property(node_history.output_mask_of_calls)
    input_shape: Any = node_history.shape_of_calls("input")
    output_shape: Any = node_history.shape_of_calls("output")
    get_input_at = node_history.get_input_at
    get_output_at = node_history.get_output_at
    get_input_mask_at = node_history.get_input_mask_at
    get_output_mask_at = node_history.get_output_mask_at
    get_input_shape_at = node_history.get_input_shape_at
    get_output_shape_at = node_history.get_output_shape_at

    # Its losses, updates and metrics -------------------------------------------------------------

    add_loss = layer_additions.add_loss
    add_metric = layer_additions.add_metric
    _add_metric = layer_additions.add_checked_metric
    _handle_activity_regularization = layer_additions.handle_activity_regularization

    @deprecated_args(None, "`inputs` is now automatically inferred", "inputs")
    def add_update(self, updates: Any, inputs: Any = None) -> None:
        """Adds operations to run in each training step, such as updates of moving averages.

        Args:
          updates: an operation, a tensor, a function that returns one, or a list.
          inputs: ignored.
        """
        layer_additions.add_updates(self, updates)

    @property
    def losses(self) -> list[Any]:
        """The losses added by `add_loss`; loss functions are called on each access."""
        loss_values = [loss() for loss in self._callable_losses]
        own_losses = (self._eager_losses or self._losses) + [
            loss for loss in loss_values if loss is not None
        ]
        return own_losses + self._gather_children_attribute("losses")

    @no_automatic_dependency_tracking
    def _clear_losses(self) -> None:
        """Discards the losses, updates and metrics of the last call, in eager mode."""
        self._eager_losses = []
        for child in self._child_layers():
            child._clear_losses()

    @property
    def updates(self) -> list[Any]:
        """The updates added by `add_update`; empty if the layer is neither trained nor stateful.

        Raises:
          RuntimeError: in eager mode, if an update was added in a branch or loop of a functional model.
        """
        if not self.trainable and not self.stateful:
            return []
        with get_graph().as_default():
            updates = [update() if callable(update) else update for update in self._updates]
        for update in updates:
            layer_additions.check_not_in_branch(update, "add_update")
        return updates + self._gather_children_attribute("updates")

    def get_updates_for(self, inputs: TensorLike) -> list[Any]:
        """Returns the updates that depend on `inputs`; with None, the updates that are independent of inputs."""
        return layer_additions.dependent(self.updates, "_unconditional_update", inputs)

    def get_losses_for(self, inputs: TensorLike) -> list[Any]:
        """Returns the losses that depend on `inputs`; with None, the losses that are independent of inputs."""
        return layer_additions.dependent(self.losses, "_unconditional_loss", inputs)

    @property
    def metrics(self) -> list[Any]:
        """The metrics added by `add_metric`."""
        return self._metrics + self._gather_children_attribute("metrics")

    # Its weights ---------------------------------------------------------------------------------

    add_weight = weights.add_weight
    _add_variable_with_custom_getter = weights.add_variable_with_custom_getter
    _add_role_weight = weights.add_role_weight
    _role_initializer = weights.role_initializer
    _handle_weight_regularization = weights.handle_weight_regularization
    count_params = weights.count_params
    get_weights = weights.get_weights
    set_weights = weights.set_weights

    @deprecated(None, "Please use `layer.add_weight` method instead.")
    def add_variable(self, *args: Any, **kwargs: Any) -> Any:
        """Alias for `add_weight`."""
        return self.add_weight(*args, **kwargs)

    def _set_trainable(self, value: bool) -> None:
        self._trainable = value
        # Only a list or dict itself, not its contents.
        for child in vars(self).get("_layers", ()):
            if hasattr(child, "trainable"):
                child.trainable = value

    trainable: Any = property(
        attrgetter("_trainable"), _set_trainable, doc="Whether the weights are trainable; settable."
    )

    @property
    def trainable_weights(self) -> list[Any]:
        """The trainable variables; empty if `trainable` is False."""
        if not self.trainable:
            return []
        return self._trainable_weights + self._gather_children_attribute("trainable_weights")

    @property
    def non_trainable_weights(self) -> list[Any]:
        """The other variables; all of them if `trainable` is False."""
        if self.trainable:
            children = self._gather_children_attribute("non_trainable_weights")
            return self._non_trainable_weights + children
        own_weights = self._trainable_weights + self._non_trainable_weights
        return own_weights + self._gather_children_attribute("weights")

    @property
    def weights(self) -> list[Any]:
        """All variables of the layer, trainable variables first."""
        return self.trainable_weights + self.non_trainable_weights

    variables: Any = read_only("`weights`.", "weights")  # lists, not the tuples of a Module
    trainable_variables: Any = read_only("`trainable_weights`.", "trainable_weights")
    non_trainable_variables: list = read_only("`non_trainable_weights`.", "non_trainable_weights")

    # Dtypes --------------------------------------------------------------------------------------

    dtype: str | None = read_only(
        "Name of the weights' dtype; None until known.", "_dtypes.weights"
    )
    _compute_dtype: str | None = read_only(
        "Name of the compute dtype; None until known.", "_dtypes.compute"
    )

    def _set_dtype_policy(self, dtype: Any) -> None:
        self._dtypes = LayerDtypes(dtype, self._infers_dtype)

    _dtype: Any = property(attrgetter("_dtypes.weights"), _set_dtype_policy)
    _dtype_policy: Any = property(attrgetter("_dtypes.policy"), _set_dtype_policy)

    def _maybe_cast_inputs(self, inputs: Any) -> Any:
        """Casts floating-point inputs to the layer's compute dtype if autocasting is on."""
        return self._dtypes.cast(inputs, self.name) if self._autocast else inputs

    # Its attributes ------------------------------------------------------------------------------

    __setattr__ = attribute_tracking.set_attribute
    __delattr__ = attribute_tracking.delete_attribute
    _hold_weight = attribute_tracking.track_weight

    def _child_layers(self) -> list:
        """Returns the tracked layers without duplicates, including layers in lists and dicts."""
        layers = [layer for value in vars(self).get("_layers", ()) for layer in layers_in(value)]
        return list({id(layer): layer for layer in layers}.values())

    def _gather_children_attribute(self, attribute: str) -> list:
        if not vars(self).get("_layers"):
            return []
        return [item for child in self._child_layers() for item in getattr(child, attribute)]

    # In SavedModels ------------------------------------------------------------------------------

    _object_identifier = "_tf_keras_layer"
    _saved_as: type[SavedLayer] = SavedLayer

    @property
    def _expects_training_arg(self) -> bool:
        """Whether `call` accepts the argument `training`."""
        return layer_call.call_parameters(self.call).accept("training")

    @property
    def _tracking_metadata(self) -> str:  # type: ignore[override]
        return json.dumps(self._saved_as(self).metadata(), default=json_value)

    def _list_extra_dependencies_for_serialization(
        self, serialization_cache: Any
    ) -> dict[str, Any]:
        return saved_attributes(self, serialization_cache).objects

    def _list_functions_for_serialization(self, serialization_cache: Any) -> dict[str, Any]:
        return saved_attributes(self, serialization_cache).own_functions

    def _saved_functions(self) -> dict[str, Any] | None:
        """Returns the functions that call the layer in the SavedModel from which it was loaded; None without one."""
        return None

    # Properties ----------------------------------------------------------------------------------

    name: str = read_only("Layer name, by default derived from the class.")
    dynamic: bool = read_only(
        "Whether the layer must run eagerly: in a graph its outputs are placeholders."
    )

    @property
    def activity_regularizer(self) -> Any:
        """The function from an output to a loss, or None; settable."""
        return self._activity_regularizer

    @activity_regularizer.setter
    def activity_regularizer(self, regularizer: str | Callable[..., Any] | None) -> None:
        self._activity_regularizer = regularizer

    def _set_input_spec(self, value: TensorLike) -> None:
        for spec in (value,) if value.__class__ is InputSpec else flatten(value):
            if spec is not None and not isinstance(spec, InputSpec):
                raise TypeError(f"Layer input_spec must be an instance of InputSpec. Got: {spec}")
        vars(self)["_input_spec"] = value

    input_spec: Any = property(
        attrgetter("_input_spec"),
        _set_input_spec,
        doc="The expected inputs: InputSpecs in their structure, or None; may be set.",
    )

    def _name_scope(self) -> Any:
        return self.name

    def _init_set_name(self, name: Any) -> None:
        self._name = name or unique_object_name(snake_case(type(self).__name__), first=0)
