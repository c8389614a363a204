"""Sampled losses for many classes, computed from the true classes and a few sampled classes."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.opdef import public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.nn.embedding_lookup import is_partitioned
from tfmini._src.ops.random.candidate_sampler import (
    compute_accidental_hits,
    log_uniform_candidate_sampler,
)


def _row_sums(matrix: Tensor) -> Tensor:
    """Returns row sums [rows], computed as a product with ones."""
    columns = ops.shape(matrix)[1]
    ones = ops.ones(ops.stack([columns, 1]), matrix.dtype)
    return ops.reshape(ops.matmul(matrix, ones), [-1])


def _lookup_rows(table: Any, ids: Tensor, strategy: str, dtype: Any) -> Tensor:
    rows = ops.embedding_lookup(table, ids, partition_strategy=strategy)
    return rows if rows.dtype == dtype else ops.cast(rows, dtype)


def _true_logits(inputs: Tensor, weights: Tensor, biases: Tensor, num_true: int) -> Tensor:
    """Returns logits [batch, num_true]: each input row times the weights of its true classes."""
    width = ops.shape(weights)[1:2]
    row_shape = ops.concat([[-1, num_true], width], 0)
    products = ops.multiply(ops.expand_dims(inputs, 1), ops.reshape(weights, row_shape))
    products = ops.reshape(products, ops.concat([[-1], width], 0))
    logits = ops.reshape(_row_sums(products), [-1, num_true])
    return logits + ops.reshape(biases, [-1, num_true])


def _mask_hits(
    logits: Tensor, labels: Tensor, sampled: Tensor, num_true: int, num_sampled: Any
) -> Tensor:
    """Returns the candidate logits, with the logits of true classes set to the lowest value."""
    rows, columns, lowest = compute_accidental_hits(labels, sampled, num_true=num_true)
    rows = ops.reshape(rows, [-1, 1])
    columns = ops.reshape(ops.cast(columns, dtypes.int32), [-1, 1])
    indices = ops.concat([rows, columns], 1, "sparse_indices")
    shape = ops.concat([ops.shape(labels)[:1], ops.expand_dims(num_sampled, 0)], 0)
    if logits.dtype != lowest.dtype:
        lowest = ops.cast(lowest, logits.dtype)
    return logits + raw.SparseToDense(
        indices, shape, lowest, default_value=0.0, validate_indices=False
    )


@public
def compute_sampled_logits(
    weights: Any,
    biases: Any,
    labels: Any,
    inputs: Any,
    num_sampled: int,
    num_classes: int,
    num_true: int = 1,
    sampled_values: Any = None,
    subtract_log_q: bool = True,
    remove_accidental_hits: bool = False,
    partition_strategy: str = "mod",
    name: str | None = None,
    seed: int | None = None,
) -> tuple[Tensor, Tensor]:
    """Computes logits and labels of the true classes and the candidates, [batch, num_true + num_sampled].

    Args:
      subtract_log_q: whether to subtract the logarithms of the expected counts.

    Other arguments are as in `tf.nn.nce_loss` and `tf.nn.sampled_softmax_loss`.
    """
    if is_partitioned(weights):
        weights = list(weights)
    if not isinstance(weights, list):
        weights = [weights]
    with name_scope(name, "compute_sampled_logits", weights + [biases, inputs, labels]):
        if labels.dtype != dtypes.int64:
            labels = ops.cast(labels, dtypes.int64)
        classes = ops.reshape(labels, [-1])
        if sampled_values is None:
            sampled_values = log_uniform_candidate_sampler(
                true_classes=labels,
                num_true=num_true,
                num_sampled=num_sampled,
                unique=True,
                range_max=num_classes,
                seed=seed,
            )
        sampled, true_count, sampled_count = (ops.stop_gradient(v) for v in sampled_values)
        sampled = ops.cast(sampled, dtypes.int64)
        ids = ops.concat([classes, sampled], 0)

        rows = _lookup_rows(weights, ids, partition_strategy, inputs.dtype)
        true_rows = ops.slice(rows, [0, 0], ops.stack([ops.shape(classes)[0], -1]))
        sampled_rows = ops.slice(rows, ops.stack([ops.shape(classes)[0], 0]), [-1, -1])
        sampled_logits = ops.matmul(inputs, sampled_rows, transpose_b=True)

        offsets = _lookup_rows(biases, ids, partition_strategy, inputs.dtype)
        true_offsets = ops.slice(offsets, [0], ops.shape(classes))
        sampled_offsets = ops.slice(offsets, ops.shape(classes), [-1])
        true_logits = _true_logits(inputs, true_rows, true_offsets, num_true)
        sampled_logits += sampled_offsets

        if remove_accidental_hits:
            sampled_logits = _mask_hits(sampled_logits, labels, sampled, num_true, num_sampled)
        if subtract_log_q:
            true_logits -= ops.log(true_count)
            sampled_logits -= ops.log(sampled_count)
        logits = ops.concat([true_logits, sampled_logits], 1)
        right = ops.ones_like(true_logits) / num_true
        return logits, ops.concat([right, ops.zeros_like(sampled_logits)], 1)


@public
def nce_loss(
    weights: TensorLike,
    biases: TensorLike,
    labels: TensorLike,
    inputs: TensorLike,
    num_sampled: int,
    num_classes: int,
    num_true: int = 1,
    sampled_values: tuple[Tensor, Tensor, Tensor] | None = None,
    remove_accidental_hits: bool = False,
    partition_strategy: str = "mod",
    name: str = "nce_loss",
) -> Tensor:
    """Computes the noise-contrastive estimation loss, which discriminates true classes from sampled ones.

    Args:
      weights: [num_classes, width], a float tensor or variable, a list of partitions, or a partitioned variable.
      biases: [num_classes].
      labels: an integer tensor [batch, num_true], the true classes.
      inputs: a float tensor [batch, width].
      num_sampled: the number of classes to sample per batch.
      num_classes: the number of classes.
      num_true: the number of true classes per row.
      sampled_values: the result of a `tf.random.*_candidate_sampler`; by default of the
        log-uniform sampler, for classes in order of decreasing frequency.
      remove_accidental_hits: whether to ignore a sampled class in rows where it is a true class.
      partition_strategy: "mod" or "div", as in `tf.nn.embedding_lookup`.

    Returns:
      [batch], a float tensor.

    Raises:
      InvalidArgumentError (when run): if labels are out of range, or more classes are sampled than exist.

    M. Gutmann and A. Hyvarinen, "Noise-contrastive estimation", AISTATS 2010.

    Example:
      loss = tf.reduce_mean(tf.nn.nce_loss(nce_weights, nce_biases, labels=words[:, None],
                                           inputs=embedded, num_sampled=64, num_classes=50000))
    """
    logits, right = compute_sampled_logits(**locals())
    losses = ops.sigmoid_cross_entropy_with_logits(
        labels=right, logits=logits, name="sampled_losses"
    )
    return _row_sums(losses)


@public
def sampled_softmax_loss(
    weights: TensorLike,
    biases: TensorLike,
    labels: TensorLike,
    inputs: TensorLike,
    num_sampled: int,
    num_classes: int,
    num_true: int = 1,
    sampled_values: tuple[Tensor, Tensor, Tensor] | None = None,
    remove_accidental_hits: bool = True,
    partition_strategy: str = "mod",
    name: str = "sampled_softmax_loss",
    seed: int | None = None,
) -> Tensor:
    """Computes softmax cross entropy over true and sampled classes, an underestimate of the full softmax loss.

    Args:
      weights, biases, labels, inputs, num_sampled, num_classes, num_true, sampled_values: same as for `tf.nn.nce_loss`.
      remove_accidental_hits, partition_strategy, name: same as for `tf.nn.nce_loss`.
      seed: the seed of the default sampler.

    Returns:
      [batch], a float tensor.

    Raises:
      InvalidArgumentError (when run): same as for `tf.nn.nce_loss`.

    S. Jean et al., "On using very large target vocabulary for neural machine translation", ACL 2015.
    """
    logits, right = compute_sampled_logits(**locals())
    right = ops.stop_gradient(right, name="labels_stop_gradient")
    return ops.softmax_cross_entropy_with_logits_v2(labels=right, logits=logits)
