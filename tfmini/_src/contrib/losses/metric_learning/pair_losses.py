"""Losses on pairs of embeddings."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops


def contrastive_loss(
    labels: TensorLike,
    embeddings_anchor: TensorLike,
    embeddings_positive: TensorLike,
    margin: float = 1.0,
) -> Tensor:
    """Returns the mean of d^2 for pairs labeled 1 and max(margin - d, 0)^2 for pairs labeled 0, with distance d.

    Args:
      labels: [batch], 0 or 1.
      embeddings_anchor, embeddings_positive: float tensors [batch, width].
      margin: minimum distance of pairs labeled 0.

    Returns:
      A scalar.

    R. Hadsell et al., "Dimensionality reduction by learning an invariant mapping", CVPR 2006.
    """
    squares = ops.squared_difference(embeddings_anchor, embeddings_positive)
    distances = ops.sqrt(ops.reduce_sum(squares, 1))
    same_loss = ops.cast(labels, distances.dtype) * ops.square(distances)
    far = 1.0 - ops.cast(labels, distances.dtype)
    far = far * ops.square(ops.maximum(margin - distances, 0.0))
    return ops.reduce_mean(same_loss + far, name="contrastive_loss")


def _embedding_l2_loss(anchor: Any, positive: Any, scale: float) -> Tensor:
    """Returns an L2 penalty on the embeddings."""
    anchor_norm = ops.reduce_mean(ops.reduce_sum(ops.square(anchor), 1))
    positive_norm = ops.reduce_mean(ops.reduce_sum(ops.square(positive), 1))
    return ops.multiply(0.25 * scale, anchor_norm + positive_norm, name="l2loss")


def _cross_entropy(similar: Tensor, targets: Tensor, penalty: Tensor, print_losses: bool) -> Tensor:
    targets /= ops.reduce_sum(targets, 1, keepdims=True)
    loss = ops.softmax_cross_entropy_with_logits(logits=similar, labels=targets)
    loss = ops.reduce_mean(loss, name="xentropy")
    if print_losses:
        loss = ops.Print(loss, ["cross entropy:", loss, "l2loss:", penalty])
    return penalty + loss


def npairs_loss(
    labels: TensorLike,
    embeddings_anchor: TensorLike,
    embeddings_positive: TensorLike,
    reg_lambda: float = 0.002,
    print_losses: bool = False,
) -> Tensor:
    """Returns the cross entropy of all pairwise similarities, with equal labels as targets, plus an L2 penalty.

    Args:
      labels: [batch], class indices of the pairs.
      embeddings_anchor, embeddings_positive: float32 tensors [batch, width].
      reg_lambda: weight of the L2 regularization.
      print_losses: whether to write both parts to stderr at each evaluation.

    Returns:
      A scalar.

    K. Sohn, "Improved deep metric learning with multi-class n-pair loss objective", NIPS 2016.
    """
    penalty = _embedding_l2_loss(embeddings_anchor, embeddings_positive, reg_lambda)
    similar = ops.matmul(embeddings_anchor, embeddings_positive, False, True)
    shape = ops.shape(labels)
    assert shape.shape == 1
    labels = ops.reshape(labels, [shape[0], 1])
    same_label = ops.cast(ops.equal(labels, ops.transpose(labels)), dtypes.float32)
    return _cross_entropy(similar, same_label, penalty, print_losses)


def _common_labels(sparse_labels: list) -> Tensor:
    """Returns the number of common labels of each pair of rows, [batch, batch]."""
    count = len(sparse_labels)
    matrix = ops.zeros([count, count])
    for i in range(count):
        for j in range(count):
            common = ops.sparse_minimum(sparse_labels[i], sparse_labels[j])
            count_of_both = ops.cast(ops.sparse_reduce_sum(common), dtypes.float32)
            element = ops.expand_dims(ops.expand_dims(count_of_both, 0), 1)
            window = [[i, count - i - 1], [j, count - j - 1]]
            matrix += ops.pad(element, window, "CONSTANT")
    return matrix


def npairs_loss_multilabel(
    sparse_labels: list[Any],
    embeddings_anchor: TensorLike,
    embeddings_positive: TensorLike,
    reg_lambda: float = 0.002,
    print_losses: bool = False,
) -> Tensor:
    """Computes `npairs_loss` for pairs with several labels; targets are proportional to the number of common labels.

    Args:
      sparse_labels: a list of SparseTensors, one per row, with 1 at its labels.
      embeddings_anchor, embeddings_positive, reg_lambda, print_losses: as in `npairs_loss`.

    Returns:
      A scalar.

    Raises:
      TypeError: for labels of the wrong type.
    """
    if not all(isinstance(labels, SparseTensor) for labels in sparse_labels):
        raise TypeError(f"sparse_labels must be a list of SparseTensors, but got {sparse_labels}")
    with name_scope("NpairsLossMultiLabel"):
        penalty = _embedding_l2_loss(embeddings_anchor, embeddings_positive, reg_lambda)
        similar = ops.matmul(embeddings_anchor, embeddings_positive, False, True)
        shared = ops.cast(_common_labels(sparse_labels), dtypes.float32)
        return _cross_entropy(similar, shared, penalty, print_losses)
