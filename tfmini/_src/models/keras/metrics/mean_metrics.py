"""Metrics that average a function of targets and predictions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.models.keras.losses import loss_functions as losses
from tfmini._src.models.keras.losses.computed_by import computed_by
from tfmini._src.models.keras.metrics import accuracy_functions
from tfmini._src.models.keras.metrics.reductions import Mean
from tfmini._src.nn.layers.backend.tensor_values import get_value, is_tensor
from tfmini._src.nn.layers.ragged_values import cast, flat_values
from tfmini._src.nn.layers.squeeze_or_expand_dimensions import squeeze_or_expand_dimensions
from tfmini._src.ops import ops

_ARGUMENTS = {"name, dtype": "as in `tf.keras.metrics.Metric`."}


class MeanMetricWrapper(Mean):
    """Mean value of a function over all examples so far.

    Args:
      fn: a function of targets and predictions.
      name, dtype: as in `tf.keras.metrics.Metric`.
      **kwargs: passed to `fn`.
    """

    def __init__(self, fn: Callable[..., Any], name: Any = None, dtype: Any = None, **kwargs: Any):
        super().__init__(name=name, dtype=dtype)
        self._fn = fn
        self._fn_kwargs = kwargs

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:  # type: ignore[override]
        """Adds examples.

        Args:
          y_true, y_pred: targets and predictions, as accepted by the function.
          sample_weight: example weights, or None.
        """
        y_true = cast(y_true, self.dtype)
        y_pred = cast(y_pred, self.dtype)
        (y_true, y_pred), sample_weight = flat_values([y_true, y_pred], sample_weight)
        y_pred, y_true = squeeze_or_expand_dimensions(y_pred, y_true)
        values = self._fn(y_true, y_pred, **self._fn_kwargs)
        return super().update_state(values, sample_weight=sample_weight)

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments as a dict, without the function."""
        arguments = {k: get_value(v) if is_tensor(v) else v for k, v in self._fn_kwargs.items()}
        return {**super().get_config(), **arguments}


class MeanRelativeError(Mean):
    """Mean of |y_true - y_pred| / normalizer.

    Args:
      normalizer: divisor of errors, in the predictions' shape.
      name, dtype: as in `tf.keras.metrics.Metric`.
    """

    def __init__(self, normalizer: TensorLike, name: Any = None, dtype: Any = None):
        super().__init__(name=name, dtype=dtype)
        self.normalizer = ops.cast(normalizer, self.dtype)

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:  # type: ignore[override]
        """Adds examples.

        Args:
          y_true, y_pred: targets and predictions, of the same shape.
          sample_weight: weights, or None.
        """
        y_true = cast(y_true, self.dtype)
        y_pred = cast(y_pred, self.dtype)
        (y_pred, y_true), sample_weight = flat_values([y_pred, y_true], sample_weight)
        y_pred, y_true = squeeze_or_expand_dimensions(y_pred, y_true)
        y_pred, self.normalizer = ops.remove_squeezable_dimensions(y_pred, self.normalizer)
        y_pred.shape.assert_is_compatible_with(y_true.shape)
        errors = ops.div_no_nan(ops.abs(y_true - y_pred), self.normalizer)
        return super().update_state(errors, sample_weight=sample_weight)

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments, as a dict."""
        return {**super().get_config(), "normalizer": get_value(self.normalizer)}


class RootMeanSquaredError(Mean):
    """Computes sqrt(mean((y_pred - y_true)^2)).

    Args:
      name, dtype: as in `tf.keras.metrics.Metric`.
    """

    def __init__(self, name: str = "root_mean_squared_error", dtype: DTypeLike | None = None):
        super().__init__(name, dtype=dtype)

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:  # type: ignore[override]
        """Adds examples.

        Args:
          y_true, y_pred: targets and predictions, of the same shape.
          sample_weight: weights, or None.
        """
        y_true = ops.cast(y_true, self.dtype)
        y_pred = ops.cast(y_pred, self.dtype)
        y_pred, y_true = squeeze_or_expand_dimensions(y_pred, y_true)
        return super().update_state(
            ops.squared_difference(y_pred, y_true), sample_weight=sample_weight
        )

    def result(self) -> Any:
        """Returns the root mean squared error over all examples so far."""
        return ops.sqrt(ops.div_no_nan(self.total, self.count))


class _MeanOfFunction(MeanMetricWrapper):
    """Mean value of a function without further arguments."""

    _function: Callable[..., Any]

    def __init__(self, name: str = "", dtype: DTypeLike | None = None):
        super().__init__(self._function, name, dtype)


@computed_by(accuracy_functions.accuracy, _ARGUMENTS)
class Accuracy(_MeanOfFunction):
    """Fraction of predictions that equal their targets, over all examples so far."""


@computed_by(accuracy_functions.categorical_accuracy, _ARGUMENTS)
class CategoricalAccuracy(_MeanOfFunction):
    """Fraction of examples whose prediction and one-hot target have the same argmax, over all examples so far."""


@computed_by(accuracy_functions.sparse_categorical_accuracy, _ARGUMENTS)
class SparseCategoricalAccuracy(_MeanOfFunction):
    """Fraction of examples whose target class is the argmax of the prediction, over all examples so far."""


@computed_by(losses.mean_squared_error, _ARGUMENTS)
class MeanSquaredError(_MeanOfFunction):
    """Computes mean((y_pred - y_true)^2) over all examples so far."""


@computed_by(losses.mean_absolute_error, _ARGUMENTS)
class MeanAbsoluteError(_MeanOfFunction):
    """Computes mean(|y_pred - y_true|) over all examples so far."""


@computed_by(losses.mean_absolute_percentage_error, _ARGUMENTS)
class MeanAbsolutePercentageError(_MeanOfFunction):
    """Computes 100 mean(|y_true - y_pred| / |y_true|) over all examples so far."""


@computed_by(losses.mean_squared_logarithmic_error, _ARGUMENTS)
class MeanSquaredLogarithmicError(_MeanOfFunction):
    """Computes mean((log(y_pred + 1) - log(y_true + 1))^2) over all examples so far."""


@computed_by(losses.hinge, _ARGUMENTS)
class Hinge(_MeanOfFunction):
    """Computes mean(max(1 - y_true * y_pred, 0)) over all examples so far."""


@computed_by(losses.squared_hinge, _ARGUMENTS)
class SquaredHinge(_MeanOfFunction):
    """Computes mean(max(1 - y_true * y_pred, 0)^2) over all examples so far."""


@computed_by(losses.categorical_hinge, _ARGUMENTS)
class CategoricalHinge(_MeanOfFunction):
    """Computes the mean of max(largest wrong prediction - correct prediction + 1, 0) over all examples so far."""


@computed_by(losses.logcosh, _ARGUMENTS)
class LogCoshError(_MeanOfFunction):
    """Computes mean(log(cosh(y_pred - y_true))) over all examples so far."""


@computed_by(losses.poisson, _ARGUMENTS)
class Poisson(_MeanOfFunction):
    """Computes mean(y_pred - y_true * log(y_pred)) over all examples so far."""


@computed_by(losses.kullback_leibler_divergence, _ARGUMENTS)
class KLDivergence(_MeanOfFunction):
    """Computes the mean of sum(y_true * log(y_true / y_pred)) over all examples so far."""


class BinaryAccuracy(MeanMetricWrapper):
    """Fraction of predictions on the correct side of `threshold`, over all examples so far.

    Args:
      threshold: predictions above it count as 1.
      name, dtype: as in `tf.keras.metrics.Metric`.
    """

    def __init__(
        self, name: str = "binary_accuracy", dtype: DTypeLike | None = None, threshold: float = 0.5
    ):
        super().__init__(accuracy_functions.binary_accuracy, name, dtype=dtype, threshold=threshold)


class TopKCategoricalAccuracy(MeanMetricWrapper):
    """Fraction of examples whose target class (one-hot) is among the `k` largest predictions, over all examples so far.

    Args:
      k: number of largest predictions to consider.
      name, dtype: as in `tf.keras.metrics.Metric`.
    """

    def __init__(
        self, k: int = 5, name: str = "top_k_categorical_accuracy", dtype: DTypeLike | None = None
    ):
        super().__init__(accuracy_functions.top_k_categorical_accuracy, name, dtype=dtype, k=k)


class SparseTopKCategoricalAccuracy(MeanMetricWrapper):
    """Fraction of examples whose target class is among the `k` largest predictions, over all examples so far.

    Args:
      k: number of largest predictions to consider.
      name, dtype: as in `tf.keras.metrics.Metric`.
    """

    @arguments_of(TopKCategoricalAccuracy, name="sparse_top_k_categorical_accuracy")
    def __init__(self, k: int, name: str, dtype: DTypeLike | None):
        function = accuracy_functions.sparse_top_k_categorical_accuracy
        super().__init__(function, name, dtype=dtype, k=k)


class BinaryCrossentropy(MeanMetricWrapper):
    """Mean binary cross entropy over the elements of all examples so far.

    Args:
      name, dtype: as in `tf.keras.metrics.Metric`.
      from_logits: whether predictions are logits.
      label_smoothing: amount by which targets are moved towards 0.5.
    """

    def __init__(
        self,
        name: str = "binary_crossentropy",
        dtype: DTypeLike | None = None,
        from_logits: bool = False,
        label_smoothing: TensorLike = 0,
    ):
        super().__init__(
            losses.binary_crossentropy,
            name,
            dtype=dtype,
            from_logits=from_logits,
            label_smoothing=label_smoothing,
        )


class CategoricalCrossentropy(MeanMetricWrapper):
    """Mean cross entropy between distributions, over all examples so far.

    Args:
      name, dtype: as in `tf.keras.metrics.Metric`.
      from_logits: whether predictions are logits.
      label_smoothing: share of the targets spread evenly over all classes.
    """

    @arguments_of(BinaryCrossentropy, name="categorical_crossentropy")
    def __init__(self, name: str | None, **kwargs: Any):
        super().__init__(losses.categorical_crossentropy, name, **kwargs)


class SparseCategoricalCrossentropy(MeanMetricWrapper):
    """Mean cross entropy between class indices and distributions, over all examples so far.

    Args:
      name, dtype: as in `tf.keras.metrics.Metric`.
      from_logits: whether predictions are logits.
      axis: axis of the classes.
    """

    def __init__(
        self,
        name: str = "sparse_categorical_crossentropy",
        dtype: DTypeLike | None = None,
        from_logits: bool = False,
        axis: int = -1,
    ):
        super().__init__(
            losses.sparse_categorical_crossentropy,
            name,
            dtype=dtype,
            from_logits=from_logits,
            axis=axis,
        )


class CosineSimilarity(MeanMetricWrapper):
    """Mean cosine similarity of vectors, over all examples so far.

    Args:
      name, dtype: as in `tf.keras.metrics.Metric`.
      axis: axis of the vectors.
    """

    def __init__(
        self, name: str = "cosine_similarity", dtype: DTypeLike | None = None, axis: int = -1
    ):
        super().__init__(losses.cosine_similarity, name, dtype=dtype, axis=axis)
