"""Base of layers: weights are created at the first call; `call` computes with them.

Shared by all layers; `base.py` adds the variable scopes of `tf.layers`.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any
from weakref import ref

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import OperatorNotAllowedInGraphError
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.nest.structure import flatten, map_structure
from tfmini._src.base.read_only import read_only
from tfmini._src.functions.traced_function import TracedGraph
from tfmini._src.graph.autograph_status import converted
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.graph.type_spec import TensorSpec
from tfmini._src.nn.layers.backend.config import (
    floatx,
    v2_dtype_behavior_enabled,
)
from tfmini._src.nn.layers.backend.keras_graph import (
    get_graph,
    in_keras_graph,
    is_symbolic,
    runs_as_written,
)
from tfmini._src.nn.layers.backend.learning_phase import learning_phase, learning_phase_is_set
from tfmini._src.nn.layers.backend.unique_object_name import snake_case, unique_object_name
from tfmini._src.nn.layers.call_context import calling, computing_in, current_call
from tfmini._src.nn.layers.input_spec import InputSpec, check_inputs
from tfmini._src.nn.layers.layer_additions import refuse_branches
from tfmini._src.nn.layers.layer_arguments import description
from tfmini._src.nn.layers.node_history import CallHistory, all_have_history
from tfmini._src.nn.layers.operation_history import make_history, needs_history
from tfmini._src.nn.layers.saved_layer.saved_attributes import saved_attributes
from tfmini._src.nn.layers.saved_layer.saved_layer import SavedLayer
from tfmini._src.nn.layers.serialization.json_encoding import json_value
from tfmini._src.ops import ops
from tfmini._src.variables.init_scope import executing_eagerly_outside_functions, init_scope
from tfmini._src.variables.trackable import no_automatic_dependency_tracking
from tfmini._src.variables.variable import Variable

_PACKAGE = __name__.partition(".")[0] + "."

_OPTIONS = (
    *("input_shape", "batch_input_shape", "batch_size", "weights"),
    *("activity_regularizer", "autocast"),
)

# By function: its positional argument names, and whether it accepts any keyword.
_call_arguments: dict[ref, tuple[list[str], bool]] = {}


class Layer(CallHistory):
    """A function with weights. Derived classes create them in `build` and use them in `call`.

    Args:
      trainable: whether its weights are trained.
      name: its name; by default derived from the class.
      dtype: the dtype of its weights; by default the dtype of its first input, or `tf.keras.backend.floatx()` after
        `tf.enable_v2_behavior()`. A policy of `tf.keras.mixed_precision.experimental` also sets the compute dtype.
      dynamic: True for a layer that cannot run in a graph; its outputs are placeholders.
      activity_regularizer: a function from an output to a scalar loss.
      weights: list of arrays to set the weights to at the first call, in a session.

    Raises:
      TypeError: unknown keyword argument.
    """

    _described: tuple[str, ...] = ()  # arguments included by `get_config`
    _input_spec: Any

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
        self._inbound_nodes: list = []
        self._outbound_nodes: list = []

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
            """Computes the outputs from the inputs; the identity by default.

            Args:
              inputs: the call's inputs; further arguments are those of the call.
            """
            return inputs

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Static shape of the outputs for inputs of the given shape; implemented by derived classes.

        In eager mode, falls back to `call` on symbolic inputs of the layer's dtype.

        Raises:
          NotImplementedError: unless overridden.
        """
        if not executing_eagerly() or self.dynamic:
            raise NotImplementedError
        takes = self._call_arguments()[0]
        kwargs = {"training": False} if "training" in takes else {}
        with TracedGraph("graph").as_default():
            self._maybe_build(input_shape)
            try:
                outputs = self(self._placeholders_of(input_shape), **kwargs)
            except TypeError as error:
                raise NotImplementedError(
                    "We could not automatically infer the static shape of the layer's output. Please implement the "
                    f"`compute_output_shape` method on your layer ({type(self).__name__})."
                ) from error
        return map_structure(lambda x: x.shape, outputs)

    def _placeholders_of(self, shapes: Any) -> Any:
        if isinstance(shapes, list) and not all(
            size is None or isinstance(size, int) for size in shapes
        ):
            return [self._placeholders_of(shape) for shape in shapes]
        return ops.placeholder(self.dtype or floatx(), shapes)

    def compute_output_signature(self, input_signature: Any) -> Any:
        """The TensorSpec of the outputs for one of the inputs, by `compute_output_shape`.

        Raises:
          TypeError: if the inputs are not described by TensorSpecs.
        """

        def shape_of(spec: Any) -> Any:
            if not isinstance(spec, TensorSpec):
                raise TypeError(
                    "Only TensorSpec signature types are supported, but saw signature signature "
                    f"entry: {spec}."
                )
            return spec.shape

        shapes = self.compute_output_shape(map_structure(shape_of, input_signature))
        dtype = self._compute_dtype or flatten(input_signature)[0].dtype
        return map_structure(lambda shape: TensorSpec(shape, dtype), shapes)

    def get_config(self) -> dict[str, Any]:
        """The constructor arguments, as plain data, without its weights' values.

        Raises:
          NotImplementedError: if a derived class with constructor arguments does not override it.
        """
        config = {"name": self.name, "trainable": self.trainable}
        if hasattr(self, "_batch_input_shape"):
            config["batch_input_shape"] = self._batch_input_shape
        config["dtype"] = self.dtype
        if self.dynamic:
            config["dynamic"] = True
        if not type(self)._described and type(self).get_config is Layer.get_config:
            arguments = inspect.getfullargspec(self.__init__).args  # type: ignore[misc]
            if {*arguments} - {*config, "self", "dynamic"}:
                raise NotImplementedError(
                    "Layers with arguments in `__init__` must override `get_config`."
                )
        return {**config, **description(self, type(self)._described)}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """Rebuilds a layer from `get_config` output."""
        return cls(**config)

    # Its call ------------------------------------------------------------------------------------

    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """Computes the outputs for `inputs`; the first call creates the weights.

        Args:
          inputs: a tensor, or a structure of them; numpy arrays and numbers are converted.
          *args, **kwargs: passed to `call`. `training` also reaches nested layers.

        Raises:
          ValueError: if the inputs violate `input_spec`, or `call` returns None.
        """
        items = flatten(inputs)
        if executing_eagerly():
            return self._call_in_eager_mode(items, inputs, args, kwargs)
        return self._call_in_graph(items, inputs, args, kwargs)

    def _call_in_eager_mode(self, items: list, inputs: Any, args: tuple, kwargs: dict) -> Any:
        """Adds to the graph of Keras for symbolic inputs, else computes the outputs now."""
        if all(map(is_symbolic, items)):
            with get_graph().as_default():
                return self._call_in_graph(items, inputs, args, kwargs)
        if any(isinstance(x, (np.ndarray, float, int)) for x in items):
            inputs = map_structure(_converted, inputs)
        masks = self._masks_of_inputs(items, inputs, args, kwargs)
        training = self._training_of_call(args, kwargs)
        if not current_call().in_call:
            self._clear_losses()
        with calling(self, inputs, training), name_scope(self._name_scope()):
            self._maybe_build(inputs)
            cast = self._cast_inputs(inputs)
            with computing_in(self._other_compute_dtype()):
                outputs = self.call(cast, *args, **kwargs)
            self._regularize_activity(inputs, outputs)
            self._mask_outputs(inputs, outputs, masks)
        return outputs

    def _call_in_graph(self, items: list, inputs: Any, args: tuple, kwargs: dict) -> Any:
        symbolic = True
        for x in items:
            if not (isinstance(x, (Tensor, SparseTensor, Variable)) or hasattr(x, "flat_values")):
                symbolic = False
        if not symbolic and any(isinstance(x, (np.ndarray, float, int)) for x in items):
            inputs = map_structure(_converted, inputs)
        names, _ = self._call_arguments()
        passed = {*kwargs, *names[1 : 1 + len(args)]}
        masks = self._masks_of_inputs(items, inputs, args, kwargs)
        training = self._training_of_call(args, kwargs)
        if symbolic and needs_history(items):
            make_history(inputs)
        if runs_as_written() and not current_call().in_call:
            self._clear_losses()
        with calling(self, inputs, training):
            if symbolic:
                check_inputs(self.input_spec, inputs, self.name)
            scope = self._name_scope()
            if not isinstance(scope, str):
                raise ValueError("name for name_scope must be a string.")
            with name_scope(scope):
                self._maybe_build(inputs)
                outputs = self._computed_outputs(symbolic, inputs, args, kwargs)
                if outputs is None and symbolic:
                    raise ValueError(
                        "A layer's `call` method should return a Tensor or a list of Tensors, not "
                        f"None (layer: {self.name})."
                    )
                if symbolic and all_have_history(items):
                    for name in {"training", "mask"} - passed:
                        kwargs.pop(name, None)
                    by_position = dict(zip(self._call_arguments()[0][1:], args))
                    outputs = self._record_call(inputs, outputs, {**by_position, **kwargs})
                self._regularize_activity(inputs, outputs)
                self._mask_outputs(inputs, outputs, masks)
        return outputs

    @deprecated(None, "Please use `layer.__call__` method instead.")
    def apply(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """Calls the layer."""
        return self(inputs, *args, **kwargs)

    def _computed_outputs(self, symbolic: bool, inputs: Any, args: tuple, kwargs: dict) -> Any:
        inputs = self._cast_inputs(inputs)
        dtype = self._other_compute_dtype()
        if dtype is current_call().compute_dtype:
            return self._outputs_of_call(symbolic, inputs, args, kwargs)
        with computing_in(dtype):
            return self._outputs_of_call(symbolic, inputs, args, kwargs)

    def _outputs_of_call(self, symbolic: bool, inputs: Any, args: tuple, kwargs: dict) -> Any:
        if not symbolic:
            return self.call(inputs, *args, **kwargs)
        if self.dynamic:
            shapes = self.compute_output_shape(map_structure(lambda x: x.shape, inputs))
            return map_structure(
                lambda shape: ops.placeholder(self.dtype or floatx(), shape), shapes
            )
        try:
            return self._converted_call()(inputs, *args, **kwargs)
        except OperatorNotAllowedInGraphError as error:
            raise TypeError(
                "You are attempting to use Python control flow in a layer that was not declared to "
                "be dynamic. Pass `dynamic=True` to the class constructor.\nEncountered "
                f'error:\n"""\n{error}\n"""'
            ) from error

    def _converted_call(self) -> Any:
        """`call`, converted by AutoGraph if the layer class is user-defined."""
        module = type(self).__module__
        if module.startswith(_PACKAGE) or "keras.engine" in module or "keras.layers" in module:
            return self.call
        return converted(self.call)

    def _masks_of_inputs(self, items: list, inputs: Any, args: tuple, kwargs: dict) -> Any:
        """Input masks, to pass to a `call` that accepts them; `items` are the leaves of `inputs`."""
        names, any_name = self._call_arguments()
        if "mask" in kwargs:
            return kwargs["mask"]
        if "mask" in names[1 : 1 + len(args)]:
            return args[names.index("mask") - 1]
        for x in items:
            if getattr(x, "_keras_mask", None) is not None and self._should_compute_mask:
                masks = self._input_masks(inputs)
                if "mask" in names or any_name:
                    kwargs["mask"] = masks
                return masks
        return None

    @property
    def _should_compute_mask(self) -> bool:
        return True

    def _training_of_call(self, args: tuple, kwargs: dict) -> Any:
        """Whether this call is for training; a value known from the context goes into `kwargs`."""
        takes, takes_any = self._call_arguments()
        expected = "training" in takes or takes_any
        if "training" in kwargs:
            return kwargs["training"] if expected else kwargs.pop("training")
        if "training" in takes[1 : 1 + len(args)]:
            return args[takes.index("training") - 1]
        training = current_call().training
        if training is None and (learning_phase_is_set() or in_keras_graph()):
            training = learning_phase()
        if training is not None and expected:
            is_tensor = isinstance(training, (Tensor, Variable))
            training = ops.cast(training, dtypes.bool) if is_tensor else bool(training)
            kwargs["training"] = training
        return training

    def _call_arguments(self) -> tuple[list[str], bool]:
        """Names of `call`'s positional parameters, and whether it accepts arbitrary keywords."""
        function = getattr(self.call, "__func__", self.call)
        known: tuple[list[str], bool] | None = _call_arguments.get(ref(function))
        if known is None:
            spec = inspect.getfullargspec(getattr(function, "python_function", function))
            names = spec.args[1:] if spec.args and spec.args[0] == "self" else spec.args
            known = names, spec.varkw is not None
            _call_arguments[ref(function, _call_arguments.pop)] = known
        return known

    def _maybe_build(self, inputs: Any) -> None:
        if not self.built:
            check_inputs(self.input_spec, inputs, self.name)
            items = flatten(inputs)
            if items and self._compute_dtype is None:
                given = getattr(getattr(items[0], "dtype", None), "base_dtype", None)
                self._computes_in = given and given.name
                if self._dtype_name is None:
                    self._dtype_name = self._computes_in
            shapes = None
            if inputs.__class__ is Tensor:
                shapes = inputs.shape
            elif all(hasattr(x, "shape") for x in items):
                shapes = map_structure(lambda x: x.shape, inputs)
            if self._builds_outside_functions():
                with init_scope():
                    self._build_for(shapes)
            else:
                self._build_for(shapes)
            self.built = True
        if self._initial_weights is not None:
            self.set_weights(self._initial_weights)
            self._initial_weights = None

    def _builds_outside_functions(self) -> bool:
        """Whether `build` runs eagerly though the outputs go to a function's graph, or Keras's own."""
        return executing_eagerly_outside_functions()

    def _build_for(self, shapes: Any) -> None:
        """Builds the weights for these input shapes at the start of a call."""
        self.build(shapes)

    def _regularize_activity(self, inputs: Any, outputs: Any) -> None:
        if not self._activity_regularizer:
            return
        with name_scope("ActivityRegularizer"):
            for output in flatten(outputs):
                loss = self._activity_regularizer(output)
                batch_size = ops.cast(ops.shape(output)[0], loss.dtype)
                mean = loss / batch_size
                refuse_branches(mean, "activity_regularizer")
                self.add_loss(mean, inputs=inputs)

    # In SavedModels ------------------------------------------------------------------------------

    _object_identifier = "_tf_keras_layer"
    _saved_as: type[SavedLayer] = SavedLayer

    @property
    def _expects_training_arg(self) -> bool:
        """Whether `call` takes the argument `training`."""
        names, any_name = self._call_arguments()
        return "training" in names or any_name

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
        """The functions that call it in the SavedModel that it is from; None if it is not from one."""
        return None

    # What it is, and what it has -----------------------------------------------------------------

    name: str = read_only("Its name: given, or derived from its class.")
    dynamic: bool = read_only("Whether its outputs are placeholders.")

    @property
    def activity_regularizer(self) -> Any:
        """The function from an output to a loss, or None; may be set."""
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


def _converted(x: Any) -> Any:
    return ops.convert_to_tensor(x) if isinstance(x, (np.ndarray, float, int)) else x
