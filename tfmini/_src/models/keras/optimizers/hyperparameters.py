"""Hyperparameters of Keras optimizers (variables, functions or schedules) and the update count."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.shapes.tensor_shape import ShapeLike
from tfmini._src.models.keras.optimizers.learning_rate_schedule import LearningRateSchedule
from tfmini._src.nn.layers.backend.session import track
from tfmini._src.nn.layers.backend.tensor_values import get_value, is_tensor, set_value
from tfmini._src.nn.layers.deserialize import Identifier, to_config
from tfmini._src.nn.layers.initializers import find_initializer
from tfmini._src.nn.layers.weights import make_variable
from tfmini._src.ops import ops
from tfmini._src.variables.copy_modes import (
    VariableAggregation,
    VariableSynchronization,
)
from tfmini._src.variables.trackable import Trackable
from tfmini._src.variables.variable import Variable


class Hyperparameters(Trackable):
    """Hyperparameters of an optimizer, read and set as attributes."""

    _hyper: dict[str, Any]
    _hypers_created: bool
    _initial_decay: float
    _iterations: Any
    _weights: list

    def _set_hyper(self, name: str, value: Any) -> None:
        previous_value = self._hyper.get(name)
        if isinstance(previous_value, Variable) and not isinstance(value, LearningRateSchedule):
            set_value(previous_value, value)
        else:
            self._hyper[name] = value

    def _get_hyper(self, name: str, dtype: Any = None) -> Any:
        if not self._hypers_created:
            self._create_hypers()
        value = self._hyper[name]
        if isinstance(value, LearningRateSchedule):
            return value
        if callable(value) and not is_tensor(value):
            value = value()
        return ops.cast(value, dtype) if dtype else value

    def __getattr__(self, name: str) -> Any:
        if "_hyper" in vars(self):
            name = "learning_rate" if name == "lr" else name
            if name in self._hyper:
                return self._get_hyper(name)
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name: str, value: Any) -> None:
        name = "learning_rate" if name == "lr" else name
        if name in vars(self).get("_hyper", ()):
            self._set_hyper(name, value)
        else:
            object.__setattr__(self, name, value)

    def _create_hypers(self) -> None:
        if self._hypers_created:
            return
        for name, value in sorted(self._hyper.items()):
            if not is_tensor(value) and not callable(value):
                self._hyper[name] = self.add_weight(
                    name,
                    shape=[],
                    trainable=False,
                    initializer=value,
                    aggregation=VariableAggregation.ONLY_FIRST_REPLICA,
                )
        self._hypers_created = True

    def _decayed_lr(self, var_dtype: Any) -> Any:
        """Returns the current learning rate, with decay."""
        rate = self._get_hyper("learning_rate", var_dtype)
        if isinstance(rate, LearningRateSchedule):
            step = ops.cast(self.iterations, var_dtype)
            rate = ops.cast(rate(step), var_dtype)
        if self._initial_decay > 0.0:
            step = ops.cast(self.iterations, var_dtype)
            decay = self._get_hyper("decay", var_dtype)
            rate = rate / (1.0 + decay * step)
        return rate

    def _serialize_hyperparameter(self, name: str) -> Any:
        value = self._hyper[name]
        if isinstance(value, LearningRateSchedule):
            return to_config(value)
        if callable(value) and not is_tensor(value):
            return value()
        return get_value(value) if is_tensor(value) else value

    def _serialize_all(self, *names: str) -> dict[str, Any]:
        return {name: self._serialize_hyperparameter(name) for name in names}

    @property
    def iterations(self) -> Any:
        """The update count variable; settable before the first update."""
        if self._iterations is None:
            self._iterations = self.add_weight(
                "iter",
                shape=[],
                dtype=dtypes.int64,
                trainable=False,
                aggregation=VariableAggregation.ONLY_FIRST_REPLICA,
            )
            self._weights.append(self._iterations)
        return self._iterations

    @iterations.setter
    def iterations(self, variable: Any) -> None:
        if self._iterations is not None:
            raise RuntimeError(
                "Cannot set `iterations` to a new Variable after the Optimizer weights have been created"
            )
        self._iterations = variable
        self._weights.append(variable)

    def add_weight(
        self,
        name: str,
        shape: ShapeLike,
        dtype: DTypeLike | None = None,
        initializer: Identifier | None = "zeros",
        trainable: bool | None = None,
        synchronization: VariableSynchronization = VariableSynchronization.AUTO,
        aggregation: VariableAggregation = VariableAggregation.NONE,
    ) -> Any:
        """Creates a variable of the optimizer.

        Args:
          name, shape, dtype: as in `tf.Variable`, by default float32.
          initializer: an initializer, its name, or an initial value.
          trainable, synchronization, aggregation: as in `tf.get_variable`.
        """
        if isinstance(initializer, str) or callable(initializer):
            initializer = find_initializer(initializer)
        variable = make_variable(
            name=name,
            shape=shape,
            dtype=dtypes.as_dtype(dtype or dtypes.float32),
            initializer=initializer,
            use_resource=True,
            partitioner=None,
            trainable=True if trainable is None else trainable,
            synchronization=synchronization,
            aggregation=aggregation,
        )
        self._track_trackable(variable, name, overwrite=True)
        track(variable)
        return variable
