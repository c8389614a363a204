"""Cohen's kappa, covariance and correlation over batches; counts; metrics aggregated into lists or dicts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.metrics.operands import fit_operands
from tfmini._src.nn.metrics.running_means import mean
from tfmini._src.nn.metrics.state import collect, metric_variable, value_and_update
from tfmini._src.ops import ops
from tfmini._src.ops.math.broadcast_weights import broadcast_weights
from tfmini._src.ops.math.confusion_matrix import confusion_matrix
from tfmini._src.variables.variable_scope import variable_scope


def aggregate_metrics(*value_update_tuples: tuple[Any, ...]) -> tuple[list[Any], list[Any]]:
    """Splits (metric, update) pairs into a list of metrics and a list of updates.

    Raises:
      ValueError: if there are no pairs.
    """
    if not value_update_tuples:
        raise ValueError("Expected at least one value_tensor/update_op pair")
    values, updates = zip(*value_update_tuples)
    return list(values), list(updates)


def aggregate_metric_map(names_to_tuples: dict[Any, Any]) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """Splits a dict of (metric, update) pairs into a dict of metrics and a dict of updates.

    Example:
      values, updates = tf.contrib.metrics.aggregate_metric_map({
          "accuracy": tf.metrics.accuracy(labels, predictions),
          "error": tf.metrics.mean_squared_error(labels, predictions),
      })
    """
    values, updates = zip(*names_to_tuples.values())
    return dict(zip(names_to_tuples, values)), dict(zip(names_to_tuples, updates))


@arguments_of(mean)
def count(values: Any, weights: Any, *options: Any) -> tuple[Tensor, Tensor]:
    """Returns the number of values over all batches so far, or the sum of their weights.

    Arguments and results as in `tf.metrics.mean`.
    """
    metrics_collections, updates_collections, name = options
    with variable_scope(name, "count", (values, weights)):
        total = metric_variable([], dtypes.float32, name="count")
        if weights is None:
            batch = ops.cast(ops.size(values), dtypes.float32)
        else:
            values = ops.cast(values, dtypes.float32)
            values, _, weights = fit_operands(values, None, weights)
            weights = broadcast_weights(ops.cast(weights, dtypes.float32), values)
            batch = ops.reduce_sum(weights)
        with control_dependencies([values]):
            update = ops.assign_add(total, batch)
        value = ops.identity(total)
        return collect(value, update, metrics_collections, updates_collections)


def _agreement(sums: tuple, name: str) -> Tensor:
    """Returns Cohen's kappa: agreement beyond chance, divided by its maximum."""
    right, predicted, labeled = sums
    agreement_total = ops.reduce_sum(right)
    total = ops.reduce_sum(predicted)
    products = ops.cast(predicted * labeled, dtypes.float64)
    chance_agreement = ops.reduce_sum(ops.div_no_nan(products, ops.cast(total, dtypes.float64)))
    agreement_total = ops.cast(agreement_total, dtypes.float64)
    chance_agreement = ops.cast(chance_agreement, dtypes.float64)
    total = ops.cast(total, dtypes.float64)
    return ops.div_no_nan(agreement_total - chance_agreement, total - chance_agreement, name=name)


def cohen_kappa(
    labels: Tensor,
    predictions_idx: Tensor,
    num_classes: int,
    weights: Tensor | None = None,
    metrics_collections: str | Sequence[str] | None = None,
    updates_collections: str | Sequence[str] | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Computes Cohen's kappa: agreement of predictions and labels beyond chance.

    Args:
      labels, predictions_idx: int tensors [batch] or [batch, 1], class indices.
      num_classes: number of classes.
      weights: None, or a tensor of the same shape.
      metrics_collections, updates_collections, name: as in `tf.metrics.mean`.

    Returns:
      As in `tf.metrics.mean`, float64 scalars.

    Raises:
      ValueError: if there are fewer than two classes, or the shapes do not match.
      InvalidArgumentError (at run time): for class indices out of range.
    """
    if num_classes < 2:
        raise ValueError(f"`num_classes` must be >= 2.Found: {num_classes}")
    with variable_scope(name, "cohen_kappa", (labels, predictions_idx, weights)):
        labels.get_shape().with_rank_at_most(2)
        if labels.shape.ndims == 2:
            labels = ops.squeeze(labels, axis=[-1])
        predictions, labels, weights = fit_operands(predictions_idx, labels, weights)
        predictions.shape.assert_is_compatible_with(labels.shape)
        has_integer_weights = weights is None or weights.dtype.is_integer
        dtype = dtypes.int64 if has_integer_weights else dtypes.float32
        sums = tuple(
            metric_variable((num_classes,), dtype, name=title)
            for title in ("po", "pe_row", "pe_col")
        )
        table = confusion_matrix(
            labels,
            predictions,
            num_classes=num_classes,
            weights=weights,
            dtype=dtype,
            name="counts_in_table",
        )
        right = ops.diag_part(table)
        batch = (right, ops.reduce_sum(table, axis=0), ops.reduce_sum(table, axis=1))
        updates = tuple(ops.assign_add(total, part) for total, part in zip(sums, batch))
        value, update = value_and_update(_agreement, sums, updates)
        return collect(value, update, metrics_collections, updates_collections)


def _sample_covariance(count: Any, comoment: Any, name: str) -> Tensor:
    """Returns comoment / (count - 1), NaN for a single value."""
    is_single = ops.less_equal(count, 1.0)
    return ops.where(is_single, float("nan"), ops.truediv(comoment, count - 1), name=name)


def streaming_covariance(
    predictions: Tensor,
    labels: Tensor,
    weights: TensorLike | None = None,
    metrics_collections: str | Sequence[str] | None = None,
    updates_collections: str | Sequence[str] | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Returns the covariance of predictions and labels over all batches so far.

    Arguments and results as in `tf.metrics.accuracy`; NaN for a single value.

    See T. Chan et al., "Updating formulae and a pairwise algorithm for computing sample variances", 1979.
    """
    with variable_scope(name, "covariance", (predictions, labels, weights)):
        predictions, labels, weights = fit_operands(predictions, labels, weights)
        predictions.shape.assert_is_compatible_with(labels.shape)
        total, mean_prediction, mean_label, comoment = (
            metric_variable([], dtypes.float32, name=title)
            for title in ("count", "mean_prediction", "mean_label", "comoment")
        )
        if weights is None:
            batch = ops.cast(ops.size(labels), dtypes.float32)
            weighted_predictions, weighted_labels = predictions, labels
        else:
            weights = broadcast_weights(weights, labels)
            batch = ops.reduce_sum(weights)
            weighted_predictions = ops.multiply(predictions, weights)
            weighted_labels = ops.multiply(labels, weights)
        count_update = ops.assign_add(total, batch)
        previous_count = count_update - batch

        def update_mean(weighted: Any, mean: Any) -> tuple[Tensor, Tensor]:
            """Updates the running mean; returns the mean of the batch and the mean of all previous batches."""
            batch_mean = ops.div_no_nan(ops.reduce_sum(weighted), batch)
            change = ops.div_no_nan((batch_mean - mean) * batch, count_update)
            return batch_mean, ops.assign_add(mean, change) - change

        batch_prediction, prediction_before = update_mean(weighted_predictions, mean_prediction)
        batch_label, label_before = update_mean(weighted_labels, mean_label)
        products = (predictions - batch_prediction) * (labels - batch_label)
        if weights is not None:
            products = products * weights
        within = ops.reduce_sum(products)
        deviation_product = (prediction_before - batch_prediction) * (label_before - batch_label)
        change = within + deviation_product * (previous_count * batch / count_update)
        comoment_update = ops.assign_add(comoment, change)
        value = _sample_covariance(total, comoment, "covariance")
        with control_dependencies([comoment_update]):
            update = _sample_covariance(total, comoment, "update_op")
    return collect(value, update, metrics_collections, updates_collections)


@arguments_of(streaming_covariance)
def streaming_pearson_correlation(
    predictions: Any, labels: Any, weights: TensorLike, name: str | None, **collections: Any
) -> tuple[Tensor, Tensor]:
    """Returns the Pearson correlation of predictions and labels over all batches so far; see `streaming_covariance`."""
    with variable_scope(name, "pearson_r", (predictions, labels, weights)):
        predictions, labels, weights = fit_operands(predictions, labels, weights)
        predictions.shape.assert_is_compatible_with(labels.shape)
        if weights is not None:
            weights = broadcast_weights(weights, labels)

        def covariance(first_predictions: Any, other: Any, name: str) -> tuple[Tensor, Tensor]:
            return streaming_covariance(first_predictions, other, weights=weights, name=name)

        both = covariance(predictions, labels, "covariance")
        prediction_variance = covariance(predictions, predictions, "variance_predictions")
        label_variance = covariance(labels, labels, "variance_labels")
        value, update = (
            ops.truediv(cov, ops.multiply(ops.sqrt(first), ops.sqrt(second)), name=title)
            for cov, first, second, title in zip(
                both, prediction_variance, label_variance, ("pearson_r", "update_op")
            )
        )
    return collect(value, update, **collections)
