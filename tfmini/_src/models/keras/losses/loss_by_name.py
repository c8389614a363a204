"""Losses by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.graph.tensor import TensorLike
from tfmini._src.models.keras.losses import loss_classes, loss_functions
from tfmini._src.models.keras.losses.loss import Loss, LossFunctionWrapper, Reduction
from tfmini._src.nn.layers.deserialize import Identifier, deserialize_object, to_config

_LOSSES: dict[str, Any] = {
    name: value
    for module in (loss_functions, loss_classes)
    for name, value in vars(module).items()
    if getattr(value, "__module__", "") == module.__name__
    and name[0] != "_"
    and name != "cosine"  # a public name, but unknown to `compile`
}
_LOSSES.update(Loss=Loss, LossFunctionWrapper=LossFunctionWrapper)


def serialize(loss: TensorLike) -> Any:
    """Returns the name of a function, or the configuration of an object."""
    return to_config(loss)


def deserialize(name: Identifier, custom_objects: dict[str, Any] | None = None) -> Any:
    """Creates a loss from a name or configuration.

    Args:
      name: a name, or {"class_name": ..., "config": ...}.
      custom_objects: additional objects by name.

    Raises:
      ValueError: for an unknown loss.
    """
    return deserialize_object(name, _LOSSES, custom_objects, "loss function")


def get(identifier: Identifier) -> Any:
    """Returns the loss for a name or configuration; returns None and functions unchanged.

    Raises:
      ValueError: for an unknown loss or another type.
    """
    if identifier is None or (callable(identifier) and not isinstance(identifier, (str, dict))):
        return identifier
    if isinstance(identifier, (str, dict)):
        return deserialize(identifier)
    raise ValueError("Could not interpret loss function identifier:", identifier)


def as_loss(loss: Any) -> Any:
    """Converts a loss passed to `compile` to a callable of targets, predictions and weights; None is unchanged."""
    if loss is None or isinstance(loss, Loss):
        return loss
    if isinstance(loss, dict):
        loss = get(loss)
    if callable(loss) and not hasattr(loss, "__name__"):
        return loss
    function = get(loss)
    return LossFunctionWrapper(
        function, name=function.__name__, reduction=Reduction.SUM_OVER_BATCH_SIZE
    )


def is_known_function(function: Callable) -> bool:
    """Whether a function has the name of a Keras loss."""
    return function.__name__ in _LOSSES
