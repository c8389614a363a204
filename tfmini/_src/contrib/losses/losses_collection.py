"""The losses collection of a graph, under names that predate `tf.losses`."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.contrib.framework.arg_scope import add_arg_scope
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.tensor import Tensor
from tfmini._src.nn.losses import losses_collection

DATE = "2016-12-30"


@deprecated(DATE, "Use tf.losses.add_loss instead.")
@add_arg_scope
def add_loss(loss: Tensor, loss_collection: str | None = GraphKeys.LOSSES) -> None:
    """Same as `tf.losses.add_loss`."""
    losses_collection.add_loss(loss, loss_collection)


@deprecated(DATE, "Use tf.losses.get_losses instead.")
def get_losses(scope: str | None = None, loss_collection: str = GraphKeys.LOSSES) -> list[Any]:
    """Same as `tf.losses.get_losses`."""
    return losses_collection.get_losses(scope, loss_collection)


@deprecated(DATE, "Use tf.losses.get_regularization_losses instead.")
def get_regularization_losses(scope: str | None = None) -> list[Any]:
    """Same as `tf.losses.get_regularization_losses`."""
    return losses_collection.get_regularization_losses(scope)


@deprecated(DATE, "Use tf.losses.get_total_loss instead.")
def get_total_loss(add_regularization_losses: bool = True, name: str = "total_loss") -> Tensor:
    """Same as `tf.losses.get_total_loss`."""
    return losses_collection.get_total_loss(add_regularization_losses, name)
