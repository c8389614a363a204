"""Optimizers by name, and the wrapper of `tf.train` optimizers for Keras."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.scopes import name_scope
from tfmini._src.models.keras.optimizers.moment_optimizers import Adam, Adamax, Nadam, RMSprop
from tfmini._src.models.keras.optimizers.optimizer_v2 import OptimizerV2
from tfmini._src.models.keras.optimizers.single_op_optimizers import (
    SGD,
    Adadelta,
    Adagrad,
    Ftrl,
)
from tfmini._src.nn.layers.backend.session import track
from tfmini._src.nn.layers.backend.tensor_values import variable
from tfmini._src.nn.layers.deserialize import deserialize_object, to_config
from tfmini._src.ops import ops
from tfmini._src.train.optimizers.optimizer import Optimizer as TrainOptimizer
from tfmini._src.variables.trackable import Trackable

OPTIMIZERS = {
    cls.__name__.lower(): cls
    for cls in (Adadelta, Adagrad, Adam, Adamax, Ftrl, Nadam, RMSprop, SGD)
}


class TFOptimizer(Trackable):
    """Wraps a `tf.train` optimizer for a Keras model.

    Args:
      optimizer: the `tf.train` optimizer.
      iterations: update count variable; by default a new one.
    """

    def __init__(self, optimizer: Any, iterations: Any = None):
        self.optimizer = optimizer
        if iterations is None:
            with name_scope(type(self).__name__):
                iterations = variable(0, dtype=dtypes.int64, name="iterations")
        self.iterations = iterations
        self.updates: list = []
        self._track_trackable(optimizer, "optimizer")
        self._track_trackable(iterations, "global_step")

    def apply_gradients(self, grads: Any) -> None:
        """Applies (gradient, variable) pairs."""
        self.optimizer.apply_gradients(grads, global_step=self.iterations)

    def get_grads(self, loss: Any, params: Any) -> list:
        """Returns (gradient, variable) pairs."""
        return self.optimizer.compute_gradients(loss, params)

    def get_updates(self, loss: Any, params: Any) -> list:
        """Returns the operations that minimize a loss."""
        if not params:
            self.updates = [ops.assign_add(self.iterations, 1)]
            return self.updates
        grads = self.optimizer.compute_gradients(loss, params)
        update = self.optimizer.apply_gradients(grads, global_step=self.iterations)
        for result in self.optimizer.variables():
            track(result)
        self.updates = [update]
        return self.updates

    @property
    def weights(self) -> list:
        """Raises NotImplementedError, since the variables belong to the wrapped optimizer."""
        raise NotImplementedError

    def get_config(self) -> dict[str, Any]:
        """Raises NotImplementedError, since a `tf.train` optimizer has no configuration."""
        raise NotImplementedError

    def from_config(self, config: dict[str, Any]) -> Any:
        """Raises NotImplementedError, like `get_config`."""
        raise NotImplementedError


def serialize(optimizer: OptimizerV2) -> Any:
    """Returns the configuration of an optimizer."""
    return to_config(optimizer)


def deserialize(config: dict[str, Any], custom_objects: dict[str, Any] | None = None) -> Any:
    """Creates an optimizer from {"class_name": ..., "config": ...}.

    Args:
      config: a result of `serialize`.
      custom_objects: custom optimizers, by name.

    Raises:
      ValueError: for an unknown optimizer.
    """
    if config["class_name"].lower() in OPTIMIZERS:
        config = {**config, "class_name": config["class_name"].lower()}
    return deserialize_object(config, OPTIMIZERS, custom_objects, "optimizer")


def get(identifier: object) -> Any:
    """Returns the optimizer for a name or configuration; wraps `tf.train` optimizers.

    Raises:
      ValueError: for an unknown optimizer or another type.
    """
    if isinstance(identifier, (OptimizerV2, TFOptimizer)):
        return identifier
    if isinstance(identifier, TrainOptimizer):
        return TFOptimizer(identifier)
    if isinstance(identifier, dict):
        return deserialize(identifier)
    if isinstance(identifier, str):
        return deserialize({"class_name": identifier, "config": {}})
    raise ValueError("Could not interpret optimizer identifier:", identifier)
