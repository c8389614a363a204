"""Heads for Estimators whose loss is the mean over a batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.base.names.argument_descriptions import describe_arguments
from tfmini._src.models.estimator.argument_descriptions import CONTRIB_HEAD
from tfmini._src.models.estimator.heads.classification_heads import (
    BinaryHead,
    MultiClassHead,
)
from tfmini._src.models.estimator.heads.head import Head
from tfmini._src.models.estimator.heads.multi_head import SeveralHeads
from tfmini._src.models.estimator.heads.multi_label_head import MultiLabelHead
from tfmini._src.models.estimator.heads.regression_head import (
    RegressionHead,
    logistic_loss,
    poisson_loss,
)
from tfmini._src.nn.losses.reduction import Reduction
from tfmini._src.ops import ops

if TYPE_CHECKING:
    from tfmini._src.models.feature_column.base_columns import FeatureColumn


_MEAN = Reduction.SUM_OVER_BATCH_SIZE


@describe_arguments(CONTRIB_HEAD)
def multi_class_head(
    n_classes: int,
    weight_column: str | FeatureColumn | None = None,
    label_vocabulary: Sequence[str] | None = None,
    loss_reduction: str = _MEAN,
    loss_fn: Callable[..., Any] | None = None,
    name: str | None = None,
) -> Head:
    """Returns a multi-class head for three or more classes, with a softmax.

    Args:
      n_classes: number of classes; labels are ints [batch, 1] or [batch] in 0 ... n_classes - 1, or strings.
      loss_fn: `loss_fn(labels, logits)`, optionally with `features`; returns [batch, 1].

    Raises:
      ValueError: for invalid arguments.

    Example: `tf.estimator.DNNEstimator(tf.contrib.estimator.multi_class_head(3), [8], columns)`.
    """
    return MultiClassHead(n_classes, weight_column, label_vocabulary, loss_reduction, loss_fn, name)


@describe_arguments(CONTRIB_HEAD)
def binary_classification_head(
    weight_column: str | FeatureColumn | None = None,
    thresholds: Iterable[float] | None = None,
    label_vocabulary: Sequence[str] | None = None,
    loss_reduction: str = _MEAN,
    loss_fn: Callable[..., Any] | None = None,
    name: str | None = None,
) -> Head:
    """Returns a binary classification head, with a sigmoid.

    Args:
      label_vocabulary: class names, for string labels.
      loss_fn: `loss_fn(labels, logits)`, optionally with `features`; returns [batch, 1].

    Raises:
      ValueError: for invalid arguments.
      TypeError: if the vocabulary is not a list.
    """
    return BinaryHead(weight_column, thresholds, label_vocabulary, loss_reduction, loss_fn, name)


@describe_arguments(CONTRIB_HEAD)
def regression_head(
    weight_column: str | FeatureColumn | None = None,
    label_dimension: int = 1,
    loss_reduction: str = _MEAN,
    loss_fn: Callable[..., Any] | None = None,
    inverse_link_fn: Callable[..., Any] | None = None,
    name: str | None = None,
) -> Head:
    """Returns a regression head.

    Args:
      loss_fn: `loss_fn(labels, logits)` or with `features`, which returns [batch, label_dimension].
      inverse_link_fn: a function from logits to predictions.

    Raises:
      ValueError: for invalid arguments.
    """
    return RegressionHead(
        weight_column, label_dimension, loss_reduction, loss_fn, inverse_link_fn, name
    )


@describe_arguments(CONTRIB_HEAD)
def poisson_regression_head(
    weight_column: str | FeatureColumn | None = None,
    label_dimension: int = 1,
    loss_reduction: str = _MEAN,
    compute_full_loss: bool = True,
    name: str | None = None,
) -> Head:
    """Returns a Poisson regression head, predicting mean counts.

    Args:
      label_dimension: number of counts per example.
      compute_full_loss: whether to include the loss terms that are independent of the model.
    """
    return RegressionHead(
        *(weight_column, label_dimension, loss_reduction),
        *(poisson_loss(compute_full_loss), ops.exp, name),
    )


@describe_arguments(CONTRIB_HEAD)
def logistic_regression_head(
    weight_column: str | FeatureColumn | None = None,
    loss_reduction: str = _MEAN,
    name: str | None = None,
) -> Head:
    """Returns a logistic regression head, predicting a number in [0, 1]."""
    return RegressionHead(weight_column, 1, loss_reduction, logistic_loss, ops.sigmoid, name)


@describe_arguments(CONTRIB_HEAD)
def multi_label_head(
    n_classes: int,
    weight_column: str | FeatureColumn | None = None,
    thresholds: Iterable[float] | None = None,
    label_vocabulary: Sequence[str] | None = None,
    loss_reduction: str = _MEAN,
    loss_fn: Callable[..., Any] | None = None,
    classes_for_class_based_metrics: Sequence[Any] | None = None,
    name: str | None = None,
) -> Head:
    """Returns a multi-label classification head, with a sigmoid per class.

    Args:
      n_classes: number of classes; labels are ints [batch, n_classes] of 0 and 1, or a SparseTensor of ids or names.
      loss_fn: `loss_fn(labels, logits)`, optionally with `features`; returns [batch, 1].
      classes_for_class_based_metrics: ids or names of classes with separate metrics.

    Raises:
      ValueError: for invalid arguments.
    """
    return MultiLabelHead(
        *(n_classes, weight_column, thresholds, label_vocabulary, loss_reduction, loss_fn),
        *(classes_for_class_based_metrics, name),
    )


def multi_head(heads: Sequence[Head], head_weights: Sequence[float] | None = None) -> Head:
    """Combines several heads on one model; labels are a dict by head name.

    Args:
      heads: heads with distinct names.
      head_weights: loss weights of the heads; equal by default.

    Raises:
      ValueError: if there are no heads, a head is unnamed, or the numbers of heads and weights differ.

    Example:
      price = tf.contrib.estimator.regression_head(name="price")
      kind = tf.contrib.estimator.multi_class_head(3, name="kind")
      model = tf.estimator.DNNEstimator(tf.contrib.estimator.multi_head([price, kind]), [8], columns)
    """
    return SeveralHeads(heads, head_weights)
