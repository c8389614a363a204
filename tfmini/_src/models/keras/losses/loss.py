"""Losses as objects: a function of targets and predictions, weighted and reduced."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.replica_modes import current_strategy
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.nn.layers.backend.tensor_values import get_value, is_tensor
from tfmini._src.nn.layers.squeeze_or_expand_dimensions import squeeze_or_expand_dimensions
from tfmini._src.ops import ops
from tfmini._src.ops.math.broadcast_weights import broadcast_weights


class Reduction:
    """Reductions of per-example losses to a scalar.

    Attributes:
      AUTO: determined by the context of use, usually SUM_OVER_BATCH_SIZE.
      NONE: no reduction.
      SUM: sum.
      SUM_OVER_BATCH_SIZE: sum divided by the number of losses.
    """

    AUTO = "auto"
    NONE = "none"
    SUM = "sum"
    SUM_OVER_BATCH_SIZE = "sum_over_batch_size"

    @classmethod
    def all(cls) -> tuple[str, ...]:
        """Returns all reductions."""
        return (cls.AUTO, cls.NONE, cls.SUM, cls.SUM_OVER_BATCH_SIZE)

    @classmethod
    def validate(cls, key: str) -> None:
        """Raises ValueError unless `key` is a valid reduction."""
        if key not in cls.all():
            raise ValueError(f"Invalid Reduction Key {key}.")


def reduce_loss(weighted: Any, reduction: str = Reduction.SUM_OVER_BATCH_SIZE) -> Any:
    """Reduces weighted losses."""
    if reduction == Reduction.NONE:
        return weighted
    loss = ops.reduce_sum(weighted)
    if reduction != Reduction.SUM_OVER_BATCH_SIZE:
        return loss
    with name_scope("num_elements") as scope:
        count = ops.cast(ops.size(weighted, name=scope), dtype=weighted.dtype)
    return ops.div_no_nan(ops.reduce_sum(loss), count, name="value")


def weighted_loss(losses: Any, sample_weight: Any, reduction: str) -> Any:
    """Returns the reduced losses, weighted by sample weights, in the dtype of the losses."""
    Reduction.validate(reduction)
    if reduction == Reduction.AUTO:
        reduction = Reduction.SUM_OVER_BATCH_SIZE
    weights = 1.0 if sample_weight is None else sample_weight
    with name_scope("weighted_loss"):
        losses = ops.convert_to_tensor(losses)
        dtype = losses.dtype
        values = ops.cast(losses, dtypes.float32)
        weights = ops.cast(weights, dtypes.float32)
        values, _, weights = squeeze_or_expand_dimensions(values, None, weights)
        weights = broadcast_weights(weights, values)
        return ops.cast(reduce_loss(ops.multiply(values, weights), reduction), dtype)


class Loss:
    """Base class of losses; subclasses compute one loss per example in `call`.

    Args:
      reduction: one of `tf.keras.losses.Reduction`.

    Raises:
      ValueError: for another reduction.

    Example:
      class Distance(tf.keras.losses.Loss):
          def call(self, y_true, y_pred):
              return tf.reduce_sum(tf.abs(y_true - y_pred), axis=-1)
    """

    def __init__(self, reduction: str = Reduction.AUTO, name: str | None = None):
        Reduction.validate(reduction)
        self.reduction = reduction
        self.name = name

    def __call__(
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> Any:
        """Computes the loss.

        Args:
          y_true, y_pred: targets and predictions, [batch, ...].
          sample_weight: example weights: a number, or a tensor that broadcasts to the losses' shape.

        Returns:
          A scalar; without reduction, one loss per example.

        Raises:
          ValueError: under a strategy, for AUTO and SUM_OVER_BATCH_SIZE.
        """
        name = "lambda" if self.name == "<lambda>" else self.name
        with name_scope(name or type(self).__name__):
            losses = self.call(y_true, y_pred)
            self._check_strategy()
            return weighted_loss(losses, sample_weight, self.reduction)

    def _check_strategy(self) -> None:
        """Raises ValueError under a strategy for a mean, which would be of the replica's batch only."""
        is_mean = self.reduction in (Reduction.AUTO, Reduction.SUM_OVER_BATCH_SIZE)
        if is_mean and current_strategy() is not None:
            raise ValueError(
                "Please use `tf.keras.losses.Reduction.SUM` or `tf.keras.losses.Reduction.NONE` for loss reduction "
                "when losses are used with `tf.distribute.Strategy` outside of the built-in training loops. You can "
                "implement `tf.keras.losses.Reduction.SUM_OVER_BATCH_SIZE` using global batch size like:\n```\n"
                "with strategy.scope():\n    loss_obj = tf.keras.losses.CategoricalCrossentropy("
                "reduction=tf.keras.losses.Reduction.NONE)\n....\n    loss = tf.reduce_sum(loss_obj(labels, "
                "predictions)) * (1. / global_batch_size)\n```\nPlease see "
                "https://www.tensorflow.org/alpha/tutorials/distribute/training_loops for more details."
            )

    def call(self, y_true: TensorLike, y_pred: TensorLike) -> Any:
        """Returns the per-example losses, [batch, ...] with one axis less than the predictions."""
        raise NotImplementedError("Must be implemented in subclasses.")

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """Creates a loss from a result of `get_config`."""
        return cls(**config)

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments, as a dict."""
        return {"reduction": self.reduction, "name": self.name}


class LossFunctionWrapper(Loss):
    """A loss that wraps a function.

    Args:
      fn: a function of targets and predictions.
      reduction: as in `Loss`.
      **kwargs: passed to `fn`.
    """

    def __init__(
        self,
        fn: Callable[..., Any],
        reduction: str = Reduction.AUTO,
        name: str | None = None,
        **kwargs: Any,
    ):
        super().__init__(reduction=reduction, name=name)
        self.fn = fn
        self._fn_kwargs = kwargs

    def call(self, y_true: Any, y_pred: Any) -> Any:
        """Returns the result of the wrapped function."""
        return self.fn(y_true, y_pred, **self._fn_kwargs)

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments, as a dict."""
        arguments = {k: get_value(v) if is_tensor(v) else v for k, v in self._fn_kwargs.items()}
        return {**super().get_config(), **arguments}
