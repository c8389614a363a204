"""Loss classes, which reduce the values of a loss function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base.names.argument_descriptions import describe_arguments
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.models.keras.losses import loss_functions
from tfmini._src.models.keras.losses.computed_by import computed_by
from tfmini._src.models.keras.losses.loss import LossFunctionWrapper, Reduction

_ARGUMENTS = {"reduction": "one of `tf.keras.losses.Reduction`.", "name": "scope name."}


class _FunctionLoss(LossFunctionWrapper):
    """Loss computed by a function without further arguments."""

    _function: Callable[..., Any]

    def __init__(self, reduction: str = Reduction.AUTO, name: str = ""):
        super().__init__(self._function, reduction, name)


@computed_by(loss_functions.mean_squared_error, _ARGUMENTS)
class MeanSquaredError(_FunctionLoss):
    """Computes mean((y_pred - y_true)^2), reduced over examples."""


@computed_by(loss_functions.mean_absolute_error, _ARGUMENTS)
class MeanAbsoluteError(_FunctionLoss):
    """Computes mean(|y_pred - y_true|), reduced over examples."""


@computed_by(loss_functions.mean_absolute_percentage_error, _ARGUMENTS)
class MeanAbsolutePercentageError(_FunctionLoss):
    """Computes 100 mean(|y_true - y_pred| / |y_true|), reduced over examples."""


@computed_by(loss_functions.mean_squared_logarithmic_error, _ARGUMENTS)
class MeanSquaredLogarithmicError(_FunctionLoss):
    """Computes mean((log(y_pred + 1) - log(y_true + 1))^2), reduced over examples."""


@computed_by(loss_functions.hinge, _ARGUMENTS)
class Hinge(_FunctionLoss):
    """Computes mean(max(1 - y_true * y_pred, 0)), reduced over examples."""


@computed_by(loss_functions.squared_hinge, _ARGUMENTS)
class SquaredHinge(_FunctionLoss):
    """Computes mean(max(1 - y_true * y_pred, 0)^2), reduced over examples."""


@computed_by(loss_functions.categorical_hinge, _ARGUMENTS)
class CategoricalHinge(_FunctionLoss):
    """Computes max(largest wrong prediction - correct prediction + 1, 0), reduced over examples."""


@computed_by(loss_functions.poisson, _ARGUMENTS)
class Poisson(_FunctionLoss):
    """Computes mean(y_pred - y_true * log(y_pred)), reduced over examples."""


@computed_by(loss_functions.logcosh, _ARGUMENTS)
class LogCosh(_FunctionLoss):
    """Computes mean(log(cosh(y_pred - y_true))), reduced over examples."""


@computed_by(loss_functions.kullback_leibler_divergence, _ARGUMENTS)
class KLDivergence(_FunctionLoss):
    """Computes sum(y_true * log(y_true / y_pred)), reduced over examples."""


@describe_arguments(_ARGUMENTS)
class BinaryCrossentropy(LossFunctionWrapper):
    """Mean binary cross entropy over elements, reduced over examples.

    Args:
      from_logits: whether predictions are logits.
      label_smoothing: amount by which targets are moved towards 0.5.
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


@describe_arguments(_ARGUMENTS)
class CategoricalCrossentropy(LossFunctionWrapper):
    """Cross entropy between distributions along the last axis, reduced over examples.

    Args:
      from_logits: whether predictions are logits.
      label_smoothing: share of the targets spread evenly over all classes.
    """

    @arguments_of(BinaryCrossentropy, name="categorical_crossentropy")
    def __init__(self, **kwargs: Any):
        super().__init__(loss_functions.categorical_crossentropy, **kwargs)


@describe_arguments(_ARGUMENTS)
class SparseCategoricalCrossentropy(LossFunctionWrapper):
    """Cross entropy between class indices and distributions, reduced over examples.

    Args:
      from_logits: whether predictions are logits.
    """

    @arguments_of(BinaryCrossentropy, "label_smoothing", name="sparse_categorical_crossentropy")
    def __init__(self, **kwargs: Any):
        super().__init__(loss_functions.sparse_categorical_crossentropy, **kwargs)


@describe_arguments(_ARGUMENTS)
class Huber(LossFunctionWrapper):
    """Half the squared error for errors up to `delta`, linear beyond, reduced over examples.

    Args:
      delta: error above which the loss is linear.
    """

    def __init__(
        self, delta: float = 1.0, reduction: str = Reduction.AUTO, name: str = "huber_loss"
    ):
        super().__init__(loss_functions.huber_loss, name=name, reduction=reduction, delta=delta)


@describe_arguments(_ARGUMENTS)
class CosineSimilarity(LossFunctionWrapper):
    """Cosine similarity of vectors along `axis`, reduced over examples.

    Args:
      axis: axis of the vectors.
    """

    def __init__(
        self, axis: int = -1, reduction: str = Reduction.AUTO, name: str = "cosine_similarity"
    ):
        super().__init__(
            loss_functions.cosine_similarity, reduction=reduction, name=name, axis=axis
        )
