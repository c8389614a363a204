"""A head of `tf.contrib.learn` whose logits are the parameters of a distribution of the label."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.distributions import prefer_static
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.contrib.learn.heads import RegressionHead
from tfmini._src.contrib.learn.single_head import weighted_loss
from tfmini._src.graph.scopes import name_scope
from tfmini._src.ops import ops


@moved
def estimator_head_distribution_regression(
    make_distribution_fn: Callable[..., Any],
    label_dimension: int = 1,
    logits_dimension: int | None = None,
    label_name: str | None = None,
    weight_column_name: str | None = None,
    enable_centered_bias: bool = False,
    head_name: str | None = None,
) -> Any:
    """Returns a head that predicts the mean of a distribution, with the negative log-likelihood of labels as loss.

    Args:
      make_distribution_fn: a function from logits, [batch, logits_dimension], to a distribution.
      label_dimension, label_name, weight_column_name, enable_centered_bias, head_name: as in
        `tf.contrib.learn.regression_head`.
      logits_dimension: number of logits, by default `label_dimension`.

    Raises:
      TypeError: if `make_distribution_fn` is not callable.

    Example:
      def normal(logits):
          return c.Normal(logits[..., :1], tf.nn.softplus(logits[..., 1:]))
      head = c.estimator_head_distribution_regression(normal, logits_dimension=2)
    """
    if not callable(make_distribution_fn):
        raise TypeError("`make_distribution_fn` must be a callable function.")
    size = label_dimension if logits_dimension is None else logits_dimension
    head_args = (label_name, weight_column_name, enable_centered_bias, head_name)
    return DistributionHead(make_distribution_fn, size, *head_args)


class DistributionHead(RegressionHead):
    """Head returned by `estimator_head_distribution_regression`."""

    distributions: dict[Any, Any] = read_only("The distributions created, by logits.")

    def __init__(self, make_distribution: Callable, dimension: int, *args: Any):
        super().__init__(dimension, False, lambda logits: self.distribution(logits).mean(), *args)
        self._make_distribution = make_distribution
        self._distributions: dict[Any, Any] = {}

    def distribution(self, logits: Any, name: str | None = None) -> Any:
        """Returns the distribution for `logits`, which is cached."""
        with name_scope(name, "distribution", [logits]):
            if logits not in self._distributions:
                self._distributions[logits] = self._make_distribution(logits)
            return self._distributions[logits]

    def _loss(self, labels: Any, logits: Any, weights: Any) -> Any:
        distribution = self.distribution(logits)
        dims = labels.shape.with_rank_at_least(1)[:-1]
        batch: Any = dims.as_list() if dims.is_fully_defined() else ops.shape(labels)[:-1]
        event = distribution.event_shape_tensor()
        values = [prefer_static.static_value(batch), prefer_static.static_value(event)]
        if any(value is None for value in values):
            shape: Any = ops.concat([batch, event], axis=0)
        else:
            shape = [size for value in values for size in value]
        labels = ops.reshape(labels, shape=shape)
        return weighted_loss(-distribution.log_prob(labels), weights)
