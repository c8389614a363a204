"""The relaxed one-hot categorical distribution, which is differentiable."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.contrib.distributions.bijectors.power_transform import Exp
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.contrib.distributions.exp_relaxed_one_hot_categorical import (
    ExpRelaxedOneHotCategorical,
)
from tfmini._src.contrib.distributions.transformed.transformed_distribution import (
    TransformedDistribution,
)


class RelaxedOneHotCategorical(TransformedDistribution):
    """Distribution of softmax((logits + Gumbel noise) / temperature), known as Gumbel-softmax or Concrete.

    Args:
      temperature, logits, probs, dtype, validate_args, allow_nan_stats: as in `ExpRelaxedOneHotCategorical`.

    Example: `tf.contrib.distributions.RelaxedOneHotCategorical(0.5, logits=scores).sample()`.
    """

    @moved
    @arguments_of(ExpRelaxedOneHotCategorical, name="RelaxedOneHotCategorical")
    def __init__(self, name: str, **parameters: Any):
        super().__init__(ExpRelaxedOneHotCategorical(**parameters), Exp(), name=name)
