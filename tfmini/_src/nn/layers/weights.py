"""Weights of a layer: their creation and values.

The functions with a parameter `self` are methods of `Layer` in `base_layer.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import as_shape
from tfmini._src.graph.scopes import name_scope
from tfmini._src.nn.layers.auto_cast import auto_cast
from tfmini._src.nn.layers.backend.session import set_values, track, variable_values
from tfmini._src.nn.layers.constraints import find_constraint
from tfmini._src.nn.layers.initializers import find_initializer
from tfmini._src.nn.layers.regularizers import get as find_regularizer
from tfmini._src.variables.copy_modes import VariableAggregation, VariableSynchronization
from tfmini._src.variables.initializers import GlorotUniform, Zeros
from tfmini._src.variables.partitioned_variable import PartitionedVariable
from tfmini._src.variables.variable import Variable

if TYPE_CHECKING:
    from tfmini._src.base.dtypes import DTypeLike
    from tfmini._src.nn.layers.deserialize import Identifier


_GLOROT_UNIFORM = GlorotUniform()
_ZEROS = Zeros()


def add_weight(
    self: Any,
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
    """Creates a variable of the layer; the arguments are as in `tf.get_variable`.

    Raises:
      TypeError: for an unknown keyword argument.
      ValueError: if no initializer is passed and the dtype does not have a default one; for `trainable` with
        ON_READ synchronization.
    """
    for key in kwargs:
        if key not in ("getter", "collections", "experimental_autocast"):
            raise TypeError("Unknown keyword argument:", key)
    weight_dtype = self._dtypes.weight_dtype(dtype)
    initializer = find_initializer(initializer)
    trainable = is_trained(trainable, synchronization)
    if initializer is None:
        initializer = _default_initializer(name, weight_dtype, self.name)
    variable = self._add_variable_with_custom_getter(
        name=name,
        getter=kwargs.get("getter", make_variable),
        overwrite=True,
        shape=() if shape is None else shape,
        dtype=weight_dtype,
        initializer=initializer,
        constraint=find_constraint(constraint),
        trainable=trainable,
        partitioner=partitioner,
        use_resource=use_resource,
        collections=kwargs.get("collections"),
        synchronization=synchronization,
        aggregation=aggregation,
    )
    if kwargs.get("experimental_autocast", True) and self._dtypes.compute != self._dtypes.weights:
        auto_cast(variable)
    track(variable)
    regularizer = find_regularizer(regularizer)
    if regularizer is not None:
        self._handle_weight_regularization(variable.name.partition(":")[0], variable, regularizer)
    (self._trainable_weights if trainable else self._non_trainable_weights).append(variable)
    return variable


def add_variable_with_custom_getter(
    self: Any, name: Any, getter: Any = None, overwrite: bool = False, **kwargs_for_getter: Any
) -> Any:
    """Returns the variable from `getter`, tracked by its name; libraries override this method to wrap the getter."""
    variable = getter(name=name, **kwargs_for_getter)
    if name is not None and isinstance(variable, Variable):
        self._track_trackable(variable, name, overwrite=overwrite)
    return variable


def add_role_weight(
    self: Any, role: str, shape: Any, name: str | None = None, **options: Any
) -> Any:
    """Creates a weight with the layer's initializer, regularizer and constraint for a role, by default its name."""
    return self.add_weight(
        name=name or role,
        shape=shape,
        initializer=self._role_initializer(role),
        regularizer=getattr(self, f"{role}_regularizer"),
        constraint=getattr(self, f"{role}_constraint"),
        **{"trainable": True, **options},
    )


def role_initializer(self: Any, role: str) -> Any:
    return getattr(self, f"{role}_initializer")


def _default_initializer(name: Any, dtype: dtypes.DType, layer: str) -> Any:
    if dtype.is_floating:
        return _GLOROT_UNIFORM
    if dtype.is_integer or dtype.is_unsigned or dtype.is_bool:
        return _ZEROS
    raise ValueError(
        f"An initializer for variable {name} of type {dtype.base_dtype} is required for layer "
        f"{layer}"
    )


def handle_weight_regularization(
    self: Any, name: str, variable: Any, regularizer: Callable
) -> None:
    def penalty(part: Any) -> Any:
        with name_scope(f"{name}/Regularizer"):
            return regularizer(part)

    parts = [variable]
    for part in variable if isinstance(variable, PartitionedVariable) else parts:
        self.add_loss(partial(penalty, part))


def count_params(self: Any) -> int:
    """Returns the total number of elements in the layer's weights.

    Raises:
      ValueError: before the weights are created.
    """
    if not self.built:
        raise ValueError(
            f"You tried to call `count_params` on {self.name}, but the layer isn't built. You "
            f"can build it manually via: `{self.name}.build(batch_input_shape)`."
        )
    return int(sum(np.prod(w.shape.as_list()) for w in self.weights))


def get_weights(self: Any) -> list[Any]:
    """Returns the values of `weights` as numpy arrays, read in the default session.

    Without a default session, reads them in a per-thread session that initializes weights
    on first use.
    """
    return variable_values(self.weights)


def set_weights(self: Any, weights: list[Any]) -> None:
    """Assigns values to `weights` in the session from which `get_weights` reads.

    Args:
      weights: a list of numpy arrays, one per weight, of the same shape.

    Raises:
      ValueError: if the number of arrays or a shape differs.
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


def make_variable(
    name: Any, shape: Any, dtype: Any, initializer: Any, use_resource: Any, **kwargs: Any
) -> Any:
    """Creates a variable that is not shared through variable scopes."""
    kwargs.pop("partitioner")
    if callable(initializer):
        initialize, dtype = initializer, dtype.base_dtype

        def initializer() -> Any:
            return initialize(shape, dtype=dtype)
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


def is_trained(trainable: bool | None, synchronization: Any) -> bool:
    """Whether a variable is trained, by `trainable` or its default; raises ValueError for trained ON_READ ones."""
    if synchronization != VariableSynchronization.ON_READ:
        return True if trainable is None else trainable
    if trainable:
        raise ValueError(
            "Synchronization value can be set to VariableSynchronization.ON_READ only for "
            "non-trainable variables. You have specified trainable=True and "
            "synchronization=VariableSynchronization.ON_READ."
        )
    return False
