"""The relaxed one-hot categorical distribution, which is differentiable."""

from __future__ import annotations

from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.contrib.distributions.bijectors.power_transform import Exp
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.contrib.distributions.exp_relaxed_one_hot_categorical import (
    ExpRelaxedOneHotCategorical,
)
from tfmini._src.contrib.distributions.transformed.transformed_distribution import (
    TransformedDistribution,
)
from tfmini._src.graph.tensor import TensorLike


class RelaxedOneHotCategorical(TransformedDistribution):
    """Distribution of softmax((logits + Gumbel noise) / temperature), known as Gumbel-softmax or Concrete.

    Args:
      temperature, logits, probs, dtype, validate_args, allow_nan_stats: as in `ExpRelaxedOneHotCategorical`.

    Example: `tf.contrib.distributions.RelaxedOneHotCategorical(0.5, logits=scores).sample()`.
    """

    @moved
    def __init__(
        self,
        temperature: TensorLike,
        logits: TensorLike | None = None,
        probs: TensorLike | None = None,
        dtype: DTypeLike | None = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "RelaxedOneHotCategorical",
    ):
        logarithm = ExpRelaxedOneHotCategorical(
            temperature,
            logits=logits,
            probs=probs,
            dtype=dtype,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
        )
        super().__init__(logarithm, Exp(), name=name)
