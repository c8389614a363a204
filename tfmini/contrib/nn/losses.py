"""Losses of `tf.contrib.nn`: a sampled one for single labels, and three with arguments the other way round."""

from __future__ import annotations

from typing import Any

from tfmini import dtypes
from tfmini.graph.opdef import ops
from tfmini.graph.tensor import Tensor
from tfmini.ops.nn.cross_entropies import (
    softmax_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
)
from tfmini.ops.nn.elementwise_losses import sigmoid_cross_entropy_with_logits
from tfmini.ops.nn.sampled_losses import compute_sampled_logits


def deprecated_flipped_softmax_cross_entropy_with_logits(
    logits: Any, labels: Any, dim: int = -1, name: str | None = None
) -> Tensor:
    """`tf.nn.softmax_cross_entropy_with_logits`, the logits first.

    Args:
      logits: floats [..., classes].
      labels: probabilities of the same shape.
      dim: the axis of the classes.
      name: the name of the scope.

    Returns:
      The losses, [...].
    """
    return softmax_cross_entropy_with_logits(labels=labels, logits=logits, dim=dim, name=name)


def deprecated_flipped_sparse_softmax_cross_entropy_with_logits(
    logits: Any, labels: Any, name: str | None = None
) -> Tensor:
    """`tf.nn.sparse_softmax_cross_entropy_with_logits`, the logits first.

    Args:
      logits: floats [..., classes].
      labels: int32 or int64 [...].
      name: the name of the scope.

    Returns:
      The losses, [...].

    Raises:
      ValueError: if the ranks do not fit.
    """
    return sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name=name)


def deprecated_flipped_sigmoid_cross_entropy_with_logits(
    logits: Any, targets: Any, name: str | None = None
) -> Tensor:
    """`tf.nn.sigmoid_cross_entropy_with_logits`, the logits first.

    Args:
      logits: floats.
      targets: probabilities of the same shape.
      name: the name of the scope.

    Returns:
      The losses, of the same shape.

    Raises:
      ValueError: if the shapes differ.
    """
    return sigmoid_cross_entropy_with_logits(labels=targets, logits=logits, name=name)


def sampled_sparse_softmax_loss(
    weights: Any,
    biases: Any,
    labels: Any,
    inputs: Any,
    num_sampled: int,
    num_classes: int,
    sampled_values: Any = None,
    remove_accidental_hits: bool = True,
    partition_strategy: str = "mod",
    name: str = "sampled_sparse_softmax_loss",
) -> Tensor:
    """`tf.nn.sampled_softmax_loss` for one true class each, by the sparse cross-entropy.

    Args:
      weights: [classes, width], or a list of tensors that are its parts.
      biases: [classes].
      labels: [batch, 1], int64.
      inputs: [batch, width].
      num_sampled: how many classes are sampled for the batch.
      num_classes: how many there are.
      sampled_values: what a candidate sampler gave; by default that of `tf.nn.log_uniform_candidate_sampler`.
      remove_accidental_hits: whether a sampled class that is the true one does not count.
      partition_strategy: "div" or "mod": how the parts share the classes.
      name: of the scope.

    Returns:
      The losses, [batch].

    Example:
      losses = tf.contrib.nn.sampled_sparse_softmax_loss(weights, biases, labels, hidden, 64, 50000)
    """
    logits, _ = compute_sampled_logits(
        *(weights, biases, labels, inputs, num_sampled, num_classes),
        sampled_values=sampled_values,
        remove_accidental_hits=remove_accidental_hits,
        partition_strategy=partition_strategy,
        name=name,
    )
    labels = ops.zeros([ops.shape(logits)[0], 1], dtype=dtypes.int64)
    return sparse_softmax_cross_entropy_with_logits(labels=ops.squeeze(labels), logits=logits)
