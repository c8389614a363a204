"""Losses of `tf.contrib.nn`: sampled softmax losses, and three with swapped arguments."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.nn.embedding_lookup import looked_up
from tfmini._src.ops.nn.sampled_losses import compute_sampled_logits, sampled_softmax_loss
from tfmini._src.ops.nn.sigmoid_cross_entropy import sigmoid_cross_entropy_with_logits
from tfmini._src.ops.nn.softmax_cross_entropy import (
    softmax_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
)


def deprecated_flipped_softmax_cross_entropy_with_logits(
    logits: TensorLike, labels: TensorLike, dim: int = -1, name: str | None = None
) -> Tensor:
    """Calls `tf.nn.softmax_cross_entropy_with_logits`, with the logits as first argument.

    Args:
      logits: floats [..., classes].
      labels: probabilities of the same shape.
      dim: class axis.

    Returns:
      The losses, [...].
    """
    return softmax_cross_entropy_with_logits(labels=labels, logits=logits, dim=dim, name=name)


def deprecated_flipped_sparse_softmax_cross_entropy_with_logits(
    logits: TensorLike, labels: TensorLike, name: str | None = None
) -> Tensor:
    """Calls `tf.nn.sparse_softmax_cross_entropy_with_logits`, with the logits as first argument.

    Args:
      logits: floats [..., classes].
      labels: int32 or int64 [...].

    Returns:
      The losses, [...].

    Raises:
      ValueError: if the ranks do not match.
    """
    return sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name=name)


def deprecated_flipped_sigmoid_cross_entropy_with_logits(
    logits: TensorLike, targets: TensorLike, name: str | None = None
) -> Tensor:
    """Calls `tf.nn.sigmoid_cross_entropy_with_logits`, with the logits as first argument.

    Args:
      logits: floats.
      targets: probabilities of the same shape.

    Returns:
      The losses, of the same shape.

    Raises:
      ValueError: if the shapes differ.
    """
    return sigmoid_cross_entropy_with_logits(labels=targets, logits=logits, name=name)


@arguments_of(sampled_softmax_loss, "num_true", "seed", name="sampled_sparse_softmax_loss")
def sampled_sparse_softmax_loss(**arguments: Any) -> Tensor:
    """Computes `tf.nn.sampled_softmax_loss` for a single true class per example, by sparse cross entropy.

    Args:
      weights: [classes, width], or a list of partitions.
      biases: [classes].
      labels: [batch, 1], int64.
      inputs: [batch, width].
      num_sampled: number of classes sampled per batch.
      num_classes: number of classes.
      sampled_values: the result of a candidate sampler; by default `tf.nn.log_uniform_candidate_sampler`.
      remove_accidental_hits: whether to ignore sampled classes that are true.
      partition_strategy: "div" or "mod"; see `tf.nn.embedding_lookup`.

    Returns:
      The losses, [batch].

    Example:
      losses = tf.contrib.nn.sampled_sparse_softmax_loss(weights, biases, labels, hidden, 64, 50000)
    """
    logits, _ = compute_sampled_logits(**arguments)
    labels = ops.zeros([ops.shape(logits)[0], 1], dtype=dtypes.int64)
    return sparse_softmax_cross_entropy_with_logits(labels=ops.squeeze(labels), logits=logits)


def rank_sampled_softmax_loss(
    weights: TensorLike,
    biases: TensorLike,
    labels: TensorLike,
    inputs: TensorLike,
    num_sampled: int,
    num_resampled: int,
    num_classes: int,
    num_true: int,
    sampled_values: tuple[Tensor, Tensor, Tensor],
    resampling_temperature: TensorLike,
    remove_accidental_hits: bool,
    partition_strategy: str,
    name: str | None = None,
) -> Tensor:
    """Computes `tf.nn.sampled_softmax_loss` with the most likely sampled classes of the batch.

    Of `num_sampled` classes, keeps the `num_resampled` whose log(sum over the batch of exp(logit / temperature))
    is largest (TAPAS, arXiv 1707.03073).

    Args:
      weights, biases, inputs, num_sampled, num_classes, partition_strategy: as in `sampled_sparse_softmax_loss`.
      labels: [batch, num_true], int64.
      num_resampled: number of sampled classes to keep.
      num_true: number of true classes per example.
      sampled_values: the result of a candidate sampler; by default `tf.nn.learned_unigram_candidate_sampler`.
      resampling_temperature: scalar Tensor; lower values select more of the predicted classes.
      remove_accidental_hits: whether to ignore sampled classes that are true.

    Returns:
      The losses, [batch].

    Raises:
      ValueError: if num_sampled exceeds num_classes, num_resampled exceeds num_sampled, or the strategy is unknown.
    """
    if num_sampled > num_classes:
        raise ValueError(
            f"num_sampled ({num_sampled}) cannot be greater than num_classes ({num_classes})"
        )
    if num_sampled <= num_resampled:
        raise ValueError(
            f"num_resampled ({num_resampled}) must be less than num_sampled ({num_sampled})"
        )
    if partition_strategy not in ("div", "mod"):
        raise ValueError(f"unsupported partition_strategy ({partition_strategy})")
    values = [weights, biases, labels, inputs, sampled_values, resampling_temperature]
    with name_scope(name, "rank_sampled_softmax_loss", values) as name:
        if not sampled_values:
            sampled_values = ops.learned_unigram_candidate_sampler(
                true_classes=labels,
                num_true=num_true,
                num_sampled=num_sampled,
                unique=True,
                range_max=num_classes,
            )
        likeliest_classes = _most_likely_classes(
            (weights, biases, inputs),
            sampled_values,
            num_resampled,
            resampling_temperature,
            partition_strategy,
        )
        return sampled_softmax_loss(
            weights=weights,
            biases=biases,
            labels=labels,
            inputs=inputs,
            num_sampled=num_resampled,
            num_classes=num_classes,
            num_true=num_true,
            sampled_values=likeliest_classes,
            remove_accidental_hits=remove_accidental_hits,
            partition_strategy=partition_strategy,
            name=name,
        )


def _most_likely_classes(
    model: tuple, sampled_values: Any, count: int, temperature: Any, strategy: str
) -> tuple[Tensor, Tensor, Tensor]:
    """Returns the sampled classes with the largest sums of logits over the batch, and their expected counts."""
    weights, biases, inputs = model
    sampled, true_expected, sampled_expected = sampled_values
    sampled = ops.cast(ops.stop_gradient(sampled), dtypes.int64)
    true_expected = ops.stop_gradient(true_expected)
    sampled_expected = ops.stop_gradient(sampled_expected)
    scaled = inputs / temperature

    def over_batch(rows: Tensor) -> Tensor:
        logits = ops.matmul(rows, scaled, transpose_b=True)
        return ops.reduce_logsumexp(logits, axis=1, keepdims=False)

    scores = looked_up(weights, sampled, strategy, None, None, over_batch)
    offsets = ops.reshape(ops.embedding_lookup(biases, sampled, strategy), [-1])
    scores += offsets / temperature
    _, top_indices = ops.top_k(scores, k=count, sorted=False)
    gathered = ops.gather(sampled, indices=top_indices)
    return gathered, true_expected, ops.gather(sampled_expected, indices=top_indices)
