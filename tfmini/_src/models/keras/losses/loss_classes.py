"""Losses as classes: the functions, with a reduction and a name."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.models.keras.losses import loss_functions
from tfmini._src.models.keras.losses.loss import LossFunctionWrapper, Reduction


class MeanSquaredError(LossFunctionWrapper):
    """mean((y_pred - y_true)^2), reduced over examples.

    Args:
      reduction: one of `tf.keras.losses.Reduction`.
      name: scope name.
    """

    def __init__(self, reduction: str = Reduction.AUTO, name: str = "mean_squared_error"):
        super().__init__(loss_functions.mean_squared_error, name=name, reduction=reduction)


class MeanAbsoluteError(LossFunctionWrapper):
    """mean(|y_pred - y_true|), reduced over examples.

    Args:
      reduction: one of `tf.keras.losses.Reduction`.
      name: scope name.
    """

    def __init__(self, reduction: str = Reduction.AUTO, name: str = "mean_absolute_error"):
        super().__init__(loss_functions.mean_absolute_error, name=name, reduction=reduction)


class MeanAbsolutePercentageError(LossFunctionWrapper):
    """100 mean(|y_true - y_pred| / |y_true|), reduced over examples.

    Args:
      reduction: one of `tf.keras.losses.Reduction`.
      name: scope name.
    """

    @arguments_of(MeanSquaredError, name="mean_absolute_percentage_error")
    def __init__(self, **kwargs: Any):
        super().__init__(loss_functions.mean_absolute_percentage_error, **kwargs)


class MeanSquaredLogarithmicError(LossFunctionWrapper):
    """mean((log(y_pred + 1) - log(y_true + 1))^2), reduced over examples.

    Args:
      reduction: one of `tf.keras.losses.Reduction`.
      name: scope name.
    """

    @arguments_of(MeanSquaredError, name="mean_squared_logarithmic_error")
    def __init__(self, **kwargs: Any):
        super().__init__(loss_functions.mean_squared_logarithmic_error, **kwargs)


class Hinge(LossFunctionWrapper):
    """mean(max(1 - y_true * y_pred, 0)), reduced over examples.

    Args:
      reduction: one of `tf.keras.losses.Reduction`.
      name: scope name.
    """

    def __init__(self, reduction: str = Reduction.AUTO, name: str = "hinge"):
        super().__init__(loss_functions.hinge, name=name, reduction=reduction)


class SquaredHinge(LossFunctionWrapper):
    """mean(max(1 - y_true * y_pred, 0)^2), reduced over examples.

    Args:
      reduction: one of `tf.keras.losses.Reduction`.
      name: scope name.
    """

    def __init__(self, reduction: str = Reduction.AUTO, name: str = "squared_hinge"):
        super().__init__(loss_functions.squared_hinge, name=name, reduction=reduction)


class CategoricalHinge(LossFunctionWrapper):
    """max(largest wrong prediction - correct prediction + 1, 0), reduced over examples.

    Args:
      reduction: one of `tf.keras.losses.Reduction`.
      name: scope name.
    """

    def __init__(self, reduction: str = Reduction.AUTO, name: str = "categorical_hinge"):
        super().__init__(loss_functions.categorical_hinge, name=name, reduction=reduction)


class Poisson(LossFunctionWrapper):
    """mean(y_pred - y_true * log(y_pred)), reduced over examples.

    Args:
      reduction: one of `tf.keras.losses.Reduction`.
      name: scope name.
    """

    def __init__(self, reduction: str = Reduction.AUTO, name: str = "poisson"):
        super().__init__(loss_functions.poisson, name=name, reduction=reduction)


class LogCosh(LossFunctionWrapper):
    """mean(log(cosh(y_pred - y_true))), reduced over examples.

    Args:
      reduction: one of `tf.keras.losses.Reduction`.
      name: scope name.
    """

    def __init__(self, reduction: str = Reduction.AUTO, name: str = "logcosh"):
        super().__init__(loss_functions.logcosh, name=name, reduction=reduction)


class KLDivergence(LossFunctionWrapper):
    """sum(y_true * log(y_true / y_pred)), reduced over examples.

    Args:
      reduction: one of `tf.keras.losses.Reduction`.
      name: scope name.
    """

    def __init__(self, reduction: str = Reduction.AUTO, name: str = "kullback_leibler_divergence"):
        super().__init__(loss_functions.kullback_leibler_divergence, name=name, reduction=reduction)


class BinaryCrossentropy(LossFunctionWrapper):
    """The mean cross entropy of elements that are probabilities, reduced over examples.

    Args:
      from_logits: whether predictions are logits.
      label_smoothing: amount by which targets are moved towards 0.5.
      reduction: one of `tf.keras.losses.Reduction`.
      name: scope name.
    """

    def __init__(
        self,
        from_logits: bool = False,
        label_smoothing: TensorLike = 0,
        reduction: str = Reduction.AUTO,
        name: str = "binary_crossentropy",
    ):
        super().__init__(
            loss_functions.binary_crossentropy,
            name=name,
            reduction=reduction,
            from_logits=from_logits,
            label_smoothing=label_smoothing,
        )
        self.from_logits = from_logits


class CategoricalCrossentropy(LossFunctionWrapper):
    """The cross entropy between distributions along the last axis, reduced over examples.

    Args:
      from_logits: whether predictions are logits.
      label_smoothing: share of the targets spread evenly over all classes.
      reduction: one of `tf.keras.losses.Reduction`.
      name: scope name.
    """

    @arguments_of(BinaryCrossentropy, name="categorical_crossentropy")
    def __init__(self, **kwargs: Any):
        super().__init__(loss_functions.categorical_crossentropy, **kwargs)


class SparseCategoricalCrossentropy(LossFunctionWrapper):
    """The cross entropy between class indices and distributions, reduced over examples.

    Args:
      from_logits: whether predictions are logits.
      reduction: one of `tf.keras.losses.Reduction`.
      name: scope name.
    """

    @arguments_of(BinaryCrossentropy, "label_smoothing", name="sparse_categorical_crossentropy")
    def __init__(self, **kwargs: Any):
        super().__init__(loss_functions.sparse_categorical_crossentropy, **kwargs)


class Huber(LossFunctionWrapper):
    """Half the square of the error up to `delta`, linear from there, reduced over examples.

    Args:
      delta: the error above which the loss is linear.
      reduction: one of `tf.keras.losses.Reduction`.
      name: scope name.
    """

    def __init__(
        self, delta: float = 1.0, reduction: str = Reduction.AUTO, name: str = "huber_loss"
    ):
        super().__init__(loss_functions.huber_loss, name=name, reduction=reduction, delta=delta)


class CosineSimilarity(LossFunctionWrapper):
    """The cosine of the angle between vectors along `axis`, reduced over examples.

    Args:
      axis: axis of the vectors.
      reduction: one of `tf.keras.losses.Reduction`.
      name: scope name.
    """

    def __init__(
        self, axis: int = -1, reduction: str = Reduction.AUTO, name: str = "cosine_similarity"
    ):
        super().__init__(
            loss_functions.cosine_similarity, reduction=reduction, name=name, axis=axis
        )
