"""Weights of a layer: their creation, which of them are trained, their values and dtypes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from tfmini._src.base import dtypes, logs
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.nest.structure import map_structure
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import as_shape
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.nn.layers.auto_cast import auto_cast
from tfmini._src.nn.layers.backend.config import default_policy, floatx, v2_dtype_behavior_enabled
from tfmini._src.nn.layers.backend.session import set_values, track, values_of
from tfmini._src.nn.layers.constraints import find_constraint
from tfmini._src.nn.layers.initializers import find_initializer
from tfmini._src.nn.layers.layer_additions import Additions
from tfmini._src.nn.layers.regularizers import get as find_regularizer
from tfmini._src.ops import ops
from tfmini._src.variables.copy_modes import (
    VariableAggregation,
    VariableSynchronization,
)
from tfmini._src.variables.initializers import GlorotUniform, Zeros
from tfmini._src.variables.partitioned_variable import PartitionedVariable
from tfmini._src.variables.variable import Variable

if TYPE_CHECKING:
    from tfmini._src.base.dtypes import DTypeLike
    from tfmini._src.nn.layers.deserialize import Identifier


_GLOROT_UNIFORM = GlorotUniform()
_ZEROS = Zeros()


class Weights(Additions):
    """A module with weights, some of them trained."""

    built: bool
    _trainable: bool
    _dtype_name: str | None
    _computes_in: str | None
    _trainable_weights: list
    _non_trainable_weights: list
    _infers_dtype = False  # whether the first input determines the dtype, regardless of the policy
    _autocast: bool

    def add_weight(
        self,
        name: str | None = None,
        shape: Any = None,
        dtype: DTypeLike | None = None,
        initializer: Identifier | None = None,
        regularizer: Any = None,
        trainable: bool | None = None,
        constraint: Any = None,
        partitioner: Callable[..., Any] | None = None,
        use_resource: bool | None = None,
        synchronization: VariableSynchronization = VariableSynchronization.AUTO,
        aggregation: VariableAggregation = VariableAggregation.NONE,
        **kwargs: Any,
    ) -> Any:
        """Makes a variable of the layer and returns it; arguments as in `tf.get_variable`.

        Raises:
          TypeError: unknown keyword argument.
          ValueError: missing initializer for a dtype without a default one; `trainable` with ON_READ synchronization.
        """
        for key in kwargs:
            if key not in ("getter", "collections", "experimental_autocast"):
                raise TypeError("Unknown keyword argument:", key)
        dtype = dtypes.as_dtype(dtype or self._dtype_name or floatx())
        if self._dtype_name is None:
            self._dtype_name = self._computes_in = dtype.base_dtype.name
        initializer = find_initializer(initializer)
        trainable = trained(trainable, synchronization)
        if initializer is None:
            initializer = self._default_initializer(name, dtype)
        variable = self._add_variable_with_custom_getter(
            name=name,
            getter=kwargs.get("getter", make_variable),
            overwrite=True,
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
        if kwargs.get("experimental_autocast", True) and self._computes_in != self._dtype_name:
            auto_cast(variable)
        track(variable)
        regularizer = find_regularizer(regularizer)
        if regularizer is not None:
            self._regularize_weight(variable.name.partition(":")[0], variable, regularizer)
        (self._trainable_weights if trainable else self._non_trainable_weights).append(variable)
        return variable

    def _add_variable_with_custom_getter(
        self, name: Any, getter: Any = None, overwrite: bool = False, **kwargs_for_getter: Any
    ) -> Any:
        """The variable from `getter`, tracked by its name; libraries override it to wrap the getter."""
        variable = getter(name=name, **kwargs_for_getter)
        if name is not None and isinstance(variable, Variable):
            self._track_trackable(variable, name, overwrite=overwrite)
        return variable

    def _add_weight_of(self, role: str, shape: Any, name: str | None = None, **options: Any) -> Any:
        """A weight with the layer's initializer, regularizer and constraint of a role, which is its name by default."""
        return self.add_weight(
            name=name or role,
            shape=shape,
            initializer=self._initializer_of(role),
            regularizer=getattr(self, f"{role}_regularizer"),
            constraint=getattr(self, f"{role}_constraint"),
            **{"trainable": True, **options},
        )

    def _initializer_of(self, role: str) -> Any:
        return getattr(self, f"{role}_initializer")

    @deprecated(None, "Please use `layer.add_weight` method instead.")
    def add_variable(self, *args: Any, **kwargs: Any) -> Any:
        """`add_weight`."""
        return self.add_weight(*args, **kwargs)

    def _default_initializer(self, name: Any, dtype: dtypes.DType) -> Any:
        if dtype.is_floating:
            return _GLOROT_UNIFORM
        if dtype.is_integer or dtype.is_unsigned or dtype.is_bool:
            return _ZEROS
        raise ValueError(
            f"An initializer for variable {name} of type {dtype.base_dtype} is required for layer "
            f"{self.name}"
        )

    def _regularize_weight(self, name: str, variable: Any, regularizer: Callable) -> None:
        def penalty(part: Any) -> Any:
            with name_scope(f"{name}/Regularizer"):
                return regularizer(part)

        whole = [variable]
        for part in variable if isinstance(variable, PartitionedVariable) else whole:
            self.add_loss(partial(penalty, part))

    def _set_trainable(self, value: bool) -> None:
        self._trainable = value
        # Only a list or dict itself, not its contents.
        for child in vars(self).get("_layers", ()):
            if hasattr(child, "trainable"):
                child.trainable = value

    trainable: Any = property(
        attrgetter("_trainable"), _set_trainable, doc="Whether its weights are trained; may be set."
    )

    @property
    def trainable_weights(self) -> list:
        """The trainable variables; none if `trainable` is False."""
        if not self.trainable:
            return []
        return self._trainable_weights + self._of_children("trainable_weights")

    @property
    def non_trainable_weights(self) -> list:
        """The other variables; all of them if `trainable` is False."""
        if self.trainable:
            return self._non_trainable_weights + self._of_children("non_trainable_weights")
        own = self._trainable_weights + self._non_trainable_weights
        return own + self._of_children("weights")

    @property
    def weights(self) -> list:
        """All its variables, trainable ones first."""
        return self.trainable_weights + self.non_trainable_weights

    @property
    def variables(self) -> list:  # type: ignore[override]  # lists, not the tuples of a Module
        """`weights`."""
        return self.weights

    @property
    def trainable_variables(self) -> list:  # type: ignore[override]
        """`trainable_weights`."""
        return self.trainable_weights

    non_trainable_variables: list = read_only("`non_trainable_weights`.", "non_trainable_weights")

    def count_params(self) -> int:
        """Total number of elements in the layer's weights.

        Raises:
          ValueError: before they are created.
        """
        if not self.built:
            raise ValueError(
                f"You tried to call `count_params` on {self.name}, but the layer isn't built. You "
                f"can build it manually via: `{self.name}.build(batch_input_shape)`."
            )
        return int(sum(np.prod(w.shape.as_list()) for w in self.weights))

    def get_weights(self) -> list:
        """The values of `weights`: numpy arrays, read in the default session.

        Without a default session they are read in one that the thread keeps for this, in which weights
        are initialised at the first use.
        """
        return values_of(self.weights)

    def set_weights(self, weights: list) -> None:
        """Assigns values to `weights`, in the session that `get_weights` reads them in.

        Args:
          weights: numpy arrays, as many as there are weights, of their shapes.

        Raises:
          ValueError: if they are not.
        """
        variables = self.weights
        if len(variables) != len(weights):
            raise ValueError(
                f'You called `set_weights(weights)` on layer "{self.name}" with a  weight list of '
                f"length {len(weights)}, but the layer was expecting {len(variables)} weights. "
                f"Provided weights: {str(weights)[:50]}..."
            )
        for variable, value in zip(variables, weights):
            if not variable.shape.is_compatible_with(value.shape):
                raise ValueError(
                    f"Layer weight shape {variable.shape} not compatible with provided weight shape "
                    f"{value.shape}"
                )
        if variables:
            set_values(list(zip(variables, weights)))

    # Dtypes --------------------------------------------------------------------------------------

    dtype: str | None = read_only("Name of the weights' dtype; None until known.", "_dtype_name")

    @property
    def _dtype(self) -> str | None:
        return self._dtype_name

    @_dtype.setter
    def _dtype(self, dtype: Any) -> None:
        self._set_dtype_policy(dtypes.as_dtype(dtype).name)

    _compute_dtype: str | None = read_only(
        "Name of the compute dtype; None until known.", "_computes_in"
    )

    def _set_dtype_policy(self, dtype: Any) -> None:
        """Sets dtypes from a policy, from one dtype for computation and weights, or by the global policy."""
        policy = dtype if hasattr(dtype, "should_cast_variables") else None
        if not dtype:
            policy = None if self._infers_dtype else default_policy()
        self._has_dtype_of_floatx = (
            not (dtype or policy or self._infers_dtype) and v2_dtype_behavior_enabled()
        )
        if self._has_dtype_of_floatx:
            dtype = floatx()
        self._dtype_policy = policy
        if policy is None:
            self._dtype_name = self._computes_in = dtypes.as_dtype(dtype).name if dtype else None
        else:
            self._dtype_name, self._computes_in = policy.variable_dtype, policy.compute_dtype

    def _other_compute_dtype(self) -> Any:
        """The read dtype of variables, if it differs from their own."""
        if self._computes_in == self._dtype_name or self._computes_in is None:
            return None
        dtype = dtypes.as_dtype(self._computes_in)
        return dtype if dtype.is_floating else None

    def _cast_inputs(self, inputs: Any) -> Any:
        """Casts floating inputs to the layer's dtype, if autocasting is on."""
        if not self._autocast or self._compute_dtype is None:
            return inputs
        target = dtypes.as_dtype(self._compute_dtype)
        if not target.is_floating:
            return inputs

        def cast(x: Any) -> Any:
            is_tensor = isinstance(x, (Tensor, SparseTensor)) or hasattr(x, "flat_values")
            if not (is_tensor and x.dtype.is_floating) or x.dtype.base_dtype == target:
                return x
            if self._has_dtype_of_floatx:
                self._warn_of_casting(x.dtype.base_dtype.name)
            return ops.cast(x, target)

        return map_structure(cast, inputs)

    def _warn_of_casting(self, given: str) -> None:
        """Warns once that an input is cast to a dtype not chosen by the program."""
        own = self._compute_dtype
        logs.warn(
            f"Layer {self.name} is casting an input tensor from dtype {given} to the layer's dtype of {own}, which "
            f"is new behavior in TensorFlow 2.  The layer has dtype {own} because it's dtype defaults to floatx.\n\n"
            f"Pass dtype='{given}' to the layer to have it compute in that dtype, autocast=False to its base class to "
            f"have no inputs cast, or call `tf.keras.backend.set_floatx('{given}')` first."
        )
        self._has_dtype_of_floatx = False


def make_variable(
    name: Any, shape: Any, dtype: Any, initializer: Any, use_resource: Any, **kwargs: Any
) -> Any:
    """A new variable, which no variable scope shares."""
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
    """Whether a variable is trained: `trainable` or its default; raises if ON_READ variables are to be."""
    if synchronization != VariableSynchronization.ON_READ:
        return True if trainable is None else trainable
    if trainable:
        raise ValueError(
            "Synchronization value can be set to VariableSynchronization.ON_READ only for "
            "non-trainable variables. You have specified trainable=True and "
            "synchronization=VariableSynchronization.ON_READ."
        )
    return False
