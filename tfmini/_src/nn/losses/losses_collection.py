"""The losses of a graph: results of `tf.losses` functions, and regularization penalties."""

from __future__ import annotations

from tfmini._src.graph.collections import add_to_collection, get_collection
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


def add_loss(loss: Tensor, loss_collection: str | None = GraphKeys.LOSSES) -> None:
    """Adds a loss to the collection summed by `get_total_loss`.

    Args:
      loss: a tensor.
      loss_collection: the collection, or None; ignored in eager mode.
    """
    if loss_collection and not executing_eagerly():
        add_to_collection(loss_collection, loss)


def get_losses(scope: str | None = None, loss_collection: str = GraphKeys.LOSSES) -> list[Tensor]:
    """Returns the list of losses in a collection; with `scope`, only losses whose names start with it."""
    return get_collection(loss_collection, scope)


def get_regularization_losses(scope: str | None = None) -> list[Tensor]:
    """Returns the list of regularization penalties of variables."""
    return get_collection(GraphKeys.REGULARIZATION_LOSSES, scope)


def get_regularization_loss(
    scope: str | None = None, name: str = "total_regularization_loss"
) -> Tensor:
    """Returns the sum of the regularization penalties, a scalar; 0 without penalties.

    Args:
      scope: prefix of the names of the losses.
      name: the name of the sum.
    """
    losses = get_regularization_losses(scope)
    return ops.add_n(losses, name=name) if losses else ops.constant(0.0)


def get_total_loss(
    add_regularization_losses: bool = True, name: str = "total_loss", scope: str | None = None
) -> Tensor:
    """Returns the sum of all losses, including regularization penalties by default.

    Args:
      add_regularization_losses: whether to add the penalties.
      name: the name of the sum.
      scope: prefix of the names of the losses.

    Returns:
      A tensor of the losses' dtype.

    Raises:
      ValueError: if there are no losses, or their dtypes or shapes differ.
    """
    losses = get_losses(scope=scope)
    if add_regularization_losses:
        losses += get_regularization_losses(scope=scope)
    return ops.add_n(losses, name=name)
