"""Multiclass hinge loss."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.losses.compute_weighted_loss import compute_weighted_loss
from tfmini._src.nn.losses.reduction import Reduction
from tfmini._src.ops import ops


def sparse_multiclass_hinge_loss(
    labels: Any,
    logits: Any,
    weights: TensorLike = 1.0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Tensor:
    """Returns max(0, 1 + largest logit of another class - logit of the label), weighted and averaged.

    Args:
      labels: [batch] or [batch, 1] int32 or int64 tensor of classes.
      logits: [batch, classes] float tensor.
      weights: a scalar, or a [batch] or [batch, 1] tensor.
      scope: name scope of the nodes.
      loss_collection: collection to which to add the loss.
      reduction: a `tf.losses.Reduction`.

    Returns:
      float32 scalar; [batch] with `Reduction.NONE`.

    Raises:
      ValueError: for any other ranks, or labels of any other dtype.

    Crammer and Singer, "On the Algorithmic Implementation of Multiclass Kernel-based Vector Machines", 2001.

    Example: `tf.contrib.kernel_methods.sparse_multiclass_hinge_loss([0, 2], logits)`.
    """
    with name_scope(scope, "sparse_multiclass_hinge_loss", (logits, labels)) as scope:
        rank = logits.get_shape().ndims
        if rank != 2:
            raise ValueError(
                f"logits should have rank 2 ([batch_size, num_classes]). Given rank is {rank}"
            )
        shape = ops.shape(logits)
        batch_size, num_classes = shape[0], shape[1]
        logits = ops.cast(logits, dtypes.float32)
        if labels.dtype not in (dtypes.int32, dtypes.int64):
            raise ValueError(
                f"Invalid dtype for labels: {labels.dtype}. Acceptable dtypes: int32 and int64"
            )
        rank = labels.get_shape().ndims
        if rank not in (1, 2):
            raise ValueError(
                "labels should have rank 1 ([batch_size]) or 2 ([batch_size, 1]). "
                f"Given rank is {rank}"
            )
        check = ops.assert_less(labels, ops.cast(num_classes, labels.dtype))
        with control_dependencies([check]):
            labels = ops.reshape(labels, shape=[-1])
        weights = _check_weights(convert_to_tensor(weights), labels, rank)
        rows = ops.reshape(ops.range(batch_size), shape=[batch_size, 1])
        columns = ops.reshape(ops.cast(labels, rows.dtype), shape=[batch_size, 1])
        label_logits = ops.gather_nd(params=logits, indices=ops.concat([rows, columns], axis=1))
        label_logits = ops.reshape(label_logits, shape=[batch_size, 1])
        other_classes = ops.one_hot(indices=labels, depth=num_classes, on_value=0.0, off_value=1.0)
        margin = ops.relu(logits - label_logits + other_classes)
        loss = ops.reduce_max(margin, axis=1)
        return compute_weighted_loss(loss, weights, scope, loss_collection, reduction=reduction)


def _check_weights(weights: Tensor, labels: Tensor, labels_rank: int) -> Tensor:
    rank = weights.get_shape().ndims
    if rank not in (0, 1, 2):
        raise ValueError(
            "non-scalar weights should have rank 1 ([batch_size]) or 2 ([batch_size, 1]). "
            f"Given rank is {labels_rank}"
        )
    if rank > 0:
        weights = ops.reshape(weights, shape=[-1])
        weights.get_shape().assert_is_compatible_with(labels.get_shape())
    return weights
