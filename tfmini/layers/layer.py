"""BaseLayer: weights that are made at the first call, and what is computed with them.

This is what every layer shares; `base.py` adds the variable scopes of `tf.layers`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from tfmini import dtypes
from tfmini.deprecation import deprecated, deprecated_args
from tfmini.graph.default_graph import get_default_graph
from tfmini.graph.opdef import ops
from tfmini.graph.operation import Operation
from tfmini.graph.scopes import name_scope
from tfmini.graph.tensor import Tensor
from tfmini.graph.values import SparseTensor
from tfmini.layers.by_name import find_constraint, find_initializer
from tfmini.layers.call_context import calling, current_call
from tfmini.layers.input_spec import InputSpec, check_inputs
from tfmini.layers.reaching import reached
from tfmini.nest import flatten, map_structure
from tfmini.shapes import as_shape
from tfmini.variables.initializers import GlorotUniform, Zeros
from tfmini.variables.modes import VariableAggregation, VariableSynchronization
from tfmini.variables.module import Module
from tfmini.variables.partitioned import PartitionedVariable
from tfmini.variables.variable import Variable

_OPTIONS = (
    *("input_shape", "batch_input_shape", "batch_size", "weights"),
    *("activity_regularizer", "autocast"),
)
_FLOATX = dtypes.float32
_object_counts: WeakKeyDictionary = WeakKeyDictionary()


class BaseLayer(Module):
    """A function with weights. Derived classes make them in `build` and use them in `call`.

    Args:
      trainable: whether its weights are trained.
      name: its name; by default made of the class's.
      dtype: the dtype of its weights; by default that of its first input.
      activity_regularizer: a function from an output to a scalar loss.
      weights: a list of arrays, the weights' values (set at the first call, in a session).

    Raises:
      TypeError: for another keyword.
    """

    def __init__(
        self, trainable: bool = True, name: str | None = None, dtype: Any = None, **kwargs: Any
    ):
        for key in kwargs:
            if key not in _OPTIONS:
                raise TypeError("Keyword argument not understood:", key)
        self._trainable = trainable
        self.stateful = False
        self.built = False
        self.input_spec = None
        self.supports_masking = False
        self._init_set_name(name)
        self._activity_regularizer = kwargs.get("activity_regularizer")
        self._trainable_weights: list = getattr(self, "_trainable_weights", [])
        self._non_trainable_weights: list = getattr(self, "_non_trainable_weights", [])
        self._updates: list = []
        self._losses: list = []
        self._callable_losses: list[Callable] = []
        self._dtype_name = dtypes.as_dtype(dtype).name if dtype else None
        self._autocast = kwargs.get("autocast", False)
        if "batch_input_shape" in kwargs:
            self._batch_input_shape = tuple(kwargs["batch_input_shape"])
        elif "input_shape" in kwargs:
            self._batch_input_shape = (kwargs.get("batch_size"), *kwargs["input_shape"])

    # For derived classes -------------------------------------------------------------------------

    def build(self, input_shape: Any) -> None:
        """Makes the weights; called before the first `call`.

        Args:
          input_shape: the TensorShape of the inputs, in a structure like theirs.
        """
        self.built = True

    def call(self, inputs: Any, **kwargs: Any) -> Any:
        """Computes the outputs from the inputs; extra arguments are those of the layer's call."""
        return inputs

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The static shape of the outputs for one of the inputs, where a class says it."""
        raise NotImplementedError

    def add_weight(
        self,
        name: Any = None,
        shape: Any = None,
        dtype: Any = None,
        initializer: Any = None,
        regularizer: Any = None,
        trainable: bool | None = None,
        constraint: Any = None,
        partitioner: Any = None,
        use_resource: bool | None = None,
        synchronization: Any = VariableSynchronization.AUTO,
        aggregation: Any = VariableAggregation.NONE,
        **kwargs: Any,
    ) -> Any:
        """Makes a variable of the layer and returns it; arguments as in `tf.get_variable`.

        Raises:
          TypeError: for another keyword.
          ValueError: without an initializer for a dtype that has no default; if it is to be trained
            and synchronized on reading.
        """
        for key in kwargs:
            if key not in ("getter", "collections", "experimental_autocast"):
                raise TypeError("Unknown keyword argument:", key)
        dtype = dtypes.as_dtype(dtype or self.dtype or _FLOATX)
        if self._dtype_name is None:
            self._dtype_name = dtype.base_dtype.name
        initializer = find_initializer(initializer)
        trainable = trained(trainable, synchronization)
        if initializer is None:
            initializer = self._default_initializer(name, dtype)
        variable = kwargs.get("getter", make_variable)(
            name=name,
            shape=() if shape is None else shape,
            dtype=dtype,
            initializer=initializer,
            constraint=find_constraint(constraint),
            trainable=trainable,
            partitioner=partitioner,
            use_resource=use_resource,
            collections=kwargs.get("collections"),
            synchronization=synchronization,
            aggregation=aggregation,
        )
        if regularizer is not None:
            self._regularize_weight(variable.name.partition(":")[0], variable, regularizer)
        (self._trainable_weights if trainable else self._non_trainable_weights).append(variable)
        return variable

    @deprecated(None, "Please use `layer.add_weight` method instead.")
    def add_variable(self, *args: Any, **kwargs: Any) -> Any:
        """`add_weight`."""
        return self.add_weight(*args, **kwargs)

    def _default_initializer(self, name: Any, dtype: dtypes.DType) -> Any:
        if dtype.is_floating:
            return GlorotUniform()
        if dtype.is_integer or dtype.is_unsigned or dtype.is_bool:
            return Zeros()
        raise ValueError(
            f"An initializer for variable {name} of type {dtype.base_dtype} is required for layer "
            f"{self.name}"
        )

    def add_loss(self, losses: Any, inputs: Any = None) -> None:
        """Adds scalar losses to those of the layer.

        Args:
          losses: a tensor, a function without arguments that makes one, or a list of them.
          inputs: if given, the losses are taken to depend on the layer's inputs.
        """
        for loss in flatten(losses):
            if callable(loss):
                self._callable_losses.append(partial(_tagged, loss, inputs is None))
            elif loss is not None:
                self._losses.append(_tagged(loss, inputs is None))

    @deprecated_args(None, "`inputs` is now automatically inferred", "inputs")
    def add_update(self, updates: Any, inputs: Any = None) -> None:
        """Adds operations that are to run with each training step, such as those of moving averages.

        Args:
          updates: an operation, what has one (a tensor), a function that returns one, or a list.
          inputs: ignored.
        """
        call = current_call()
        relevant = call.inputs if call.in_call else []
        for update in updates if isinstance(updates, list) else [updates]:
            while callable(update):
                update = update()
            if not isinstance(update, Operation):
                update = getattr(update, "op", None) or ops.convert_to_tensor(update)
            update._unconditional_update = not reached(relevant, [update])
            self._updates.append(update)

    # Its call ------------------------------------------------------------------------------------

    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """The outputs for `inputs`; the first call makes the weights.

        Args:
          inputs: a tensor, or a structure of them; numpy arrays and numbers are converted.
          *args, **kwargs: passed to `call`. `training` is passed on to the layers in it too.

        Raises:
          ValueError: if the inputs are not what `input_spec` wants, or `call` returns None.
        """
        items = flatten(inputs)
        symbolic = all(isinstance(x, (Tensor, SparseTensor, Variable)) for x in items)
        if any(isinstance(x, (np.ndarray, float, int)) for x in items):
            inputs = map_structure(_converted, inputs)
        training = self._training(args, kwargs)
        with calling(self, inputs, training):
            if symbolic:
                check_inputs(self.input_spec, inputs, self.name)
            scope = self._name_scope()
            if not isinstance(scope, str):
                raise ValueError("name for name_scope must be a string.")
            with name_scope(scope):
                self._maybe_build(inputs)
                outputs = self.call(self._cast(inputs), *args, **kwargs)
                if outputs is None and symbolic:
                    raise ValueError(
                        "A layer's `call` method should return a Tensor or a list of Tensors, not "
                        f"None (layer: {self.name})."
                    )
                self._regularize_activity(inputs, outputs)
        return outputs

    @deprecated(None, "Please use `layer.__call__` method instead.")
    def apply(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """Calls the layer."""
        return self(inputs, *args, **kwargs)

    def _training(self, args: tuple, kwargs: dict) -> Any:
        """Whether this call is for training; what is known from around goes into `kwargs`."""
        takes, takes_any = self._call_arguments()
        expected = "training" in takes or takes_any
        if "training" in kwargs:
            return kwargs["training"] if expected else kwargs.pop("training")
        by_position = dict(zip(takes[1:], args))
        if "training" in by_position:
            return by_position["training"]
        training = current_call().training
        if training is not None and expected:
            is_tensor = isinstance(training, (Tensor, Variable))
            training = ops.cast(training, dtypes.bool) if is_tensor else bool(training)
            kwargs["training"] = training
        return training

    def _call_arguments(self) -> tuple[list[str], bool]:
        """The names of `call`'s arguments by position, and whether it takes any keyword."""
        spec = inspect.getfullargspec(self.call)
        names = spec.args[1:] if spec.args and spec.args[0] == "self" else spec.args
        return names, spec.varkw is not None

    def _maybe_build(self, inputs: Any) -> None:
        if not self.built:
            check_inputs(self.input_spec, inputs, self.name)
            items = flatten(inputs)
            if items and self._dtype_name is None:
                given = getattr(getattr(items[0], "dtype", None), "base_dtype", None)
                self._dtype_name = given and given.name
            shapes = None
            if all(hasattr(x, "shape") for x in items):
                shapes = map_structure(lambda x: x.shape, inputs)
            self.build(shapes)
            self.built = True

    def _cast(self, inputs: Any) -> Any:
        """Floating inputs in the layer's dtype, if it casts."""
        wanted = None if self.dtype is None else dtypes.as_dtype(self.dtype)
        if not self._autocast or wanted is None or not wanted.is_floating:
            return inputs

        def cast(x: Any) -> Any:
            is_tensor = isinstance(x, (Tensor, SparseTensor)) and x.dtype.is_floating
            return ops.cast(x, wanted) if is_tensor and x.dtype.base_dtype != wanted else x

        return map_structure(cast, inputs)

    def _regularize_weight(self, name: str, variable: Any, regularizer: Callable) -> None:
        def penalty(part: Any) -> Any:
            with name_scope(f"{name}/Regularizer"):
                return regularizer(part)

        whole = [variable]
        for part in variable if isinstance(variable, PartitionedVariable) else whole:
            self.add_loss(partial(penalty, part))

    def _regularize_activity(self, inputs: Any, outputs: Any) -> None:
        if not self._activity_regularizer:
            return
        with name_scope("ActivityRegularizer"):
            for output in flatten(outputs):
                loss = self._activity_regularizer(output)
                batch_size = ops.cast(ops.shape(output)[0], loss.dtype)
                self.add_loss(loss / batch_size, inputs=inputs)

    # What it is, and what it has -----------------------------------------------------------------

    @property
    def name(self) -> str:
        """Its name."""
        return self._name

    @property
    def dtype(self) -> str | None:
        """The name of its weights' dtype; None while it is not known."""
        return self._dtype_name

    @property
    def _dtype(self) -> str | None:
        return self._dtype_name

    @_dtype.setter
    def _dtype(self, dtype: Any) -> None:
        self._dtype_name = dtypes.as_dtype(dtype).name

    @property
    def trainable(self) -> bool:
        """Whether its weights are trained; may be set."""
        return self._trainable

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self._trainable = value

    @property
    def activity_regularizer(self) -> Any:
        """The function from an output to a loss, or None; may be set."""
        return self._activity_regularizer

    @activity_regularizer.setter
    def activity_regularizer(self, regularizer: Any) -> None:
        self._activity_regularizer = regularizer

    @property
    def input_spec(self) -> Any:
        """What it expects of its inputs: InputSpecs in their structure, or None; may be set."""
        return self._input_spec

    @input_spec.setter
    def input_spec(self, value: Any) -> None:
        for spec in flatten(value):
            if spec is not None and not isinstance(spec, InputSpec):
                raise TypeError(f"Layer input_spec must be an instance of InputSpec. Got: {spec}")
        self._input_spec = value

    @property
    def trainable_weights(self) -> list:
        """The variables to be trained; none if `trainable` is False."""
        return list(self._trainable_weights) if self.trainable else []

    @property
    def non_trainable_weights(self) -> list:
        """The other variables; all of them if `trainable` is False."""
        if self.trainable:
            return list(self._non_trainable_weights)
        return self._trainable_weights + self._non_trainable_weights

    @property
    def weights(self) -> list:
        """All its variables, those to be trained first."""
        return self.trainable_weights + self.non_trainable_weights

    @property
    def variables(self) -> list:  # type: ignore[override]  # lists, not the tuples of a Module
        """`weights`."""
        return self.weights

    @property
    def trainable_variables(self) -> list:  # type: ignore[override]
        """`trainable_weights`."""
        return self.trainable_weights

    @property
    def non_trainable_variables(self) -> list:
        """`non_trainable_weights`."""
        return self.non_trainable_weights

    @property
    def updates(self) -> list:
        """What `add_update` has added; nothing if it is neither trained nor stateful."""
        return list(self._updates) if self.trainable or self.stateful else []

    @property
    def losses(self) -> list:
        """What `add_loss` has added; the losses given as functions are made anew by each use."""
        made = [loss() for loss in self._callable_losses]
        return self._losses + [loss for loss in made if loss is not None]

    def get_updates_for(self, inputs: Any) -> list:
        """The updates that depend on `inputs`; with None those that depend on no inputs."""
        if inputs is None:
            return [u for u in self.updates if u._unconditional_update]
        return reached(inputs, [u for u in self.updates if not u._unconditional_update])

    def get_losses_for(self, inputs: Any) -> list:
        """The losses that depend on `inputs`; with None those that depend on no inputs."""
        if inputs is None:
            return [x for x in self.losses if x._unconditional_loss]
        return reached(inputs, [x for x in self.losses if not x._unconditional_loss])

    def count_params(self) -> int:
        """How many numbers its weights consist of.

        Raises:
          ValueError: before they are made.
        """
        if not self.built:
            raise ValueError(
                f"You tried to call `count_params` on {self.name}, but the layer isn't built. You "
                f"can build it manually via: `{self.name}.build(batch_input_shape)`."
            )
        return int(sum(np.prod(w.shape.as_list()) for w in self.weights))

    def _name_scope(self) -> Any:
        return self.name

    def _init_set_name(self, name: Any) -> None:
        self._name = name or unique_object_name(snake_case(type(self).__name__), first=0)


def make_variable(
    name: Any, shape: Any, dtype: Any, initializer: Any, use_resource: Any, **kwargs: Any
) -> Any:
    """A variable that no variable scope shares: it always is a new one."""
    kwargs.pop("partitioner")
    if callable(initializer):
        given, dtype = initializer, dtype.base_dtype

        def initializer() -> Any:
            return given(shape, dtype=dtype)
    else:
        dtype = None
    return Variable(
        initial_value=initializer,
        name=name,
        dtype=dtype,
        use_resource=True if use_resource is None else use_resource,
        shape=as_shape(shape) if shape else None,
        **kwargs,
    )


def trained(trainable: bool | None, synchronization: Any) -> bool:
    """`trainable`, if the variable may be trained; what it is by default."""
    if synchronization != VariableSynchronization.ON_READ:
        return True if trainable is None else trainable
    if trainable:
        raise ValueError(
            "Synchronization value can be set to VariableSynchronization.ON_READ only for "
            "non-trainable variables. You have specified trainable=True and "
            "synchronization=VariableSynchronization.ON_READ."
        )
    return False


def _tagged(loss: Any, unconditional: bool) -> Any:
    """The loss as a tensor that knows whether it depends on the layer's inputs."""
    if callable(loss):
        loss = loss()
    if loss is None:
        return None
    if not isinstance(loss, (Tensor, SparseTensor, Variable)):
        loss = ops.convert_to_tensor(loss, dtype=_FLOATX)
    loss._unconditional_loss = unconditional
    return loss


def _converted(x: Any) -> Any:
    return ops.convert_to_tensor(x) if isinstance(x, (np.ndarray, float, int)) else x


def snake_case(name: str) -> str:
    """The name of a class as a layer's: "BasicLSTMCell" is basic_lstm_cell."""
    spaced = re.sub("(.)([A-Z][a-z0-9]+)", r"\1_\2", name)
    name = re.sub("([a-z])([A-Z])", r"\1_\2", spaced).lower()
    return f"private{name}" if name.startswith("_") else name


def unique_object_name(name: str, first: int) -> str:
    """`name` with a number that no other object in the default graph has; no number for 0."""
    counts = _object_counts.setdefault(get_default_graph(), {})
    number = counts.get(name, 0)
    counts[name] = number + 1
    number += first
    return f"{name}_{number}" if number else name
