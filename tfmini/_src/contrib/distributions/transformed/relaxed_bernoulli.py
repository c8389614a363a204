"""The relaxed Bernoulli distribution, which is differentiable."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.distributions.bijectors.sigmoid import Sigmoid
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.contrib.distributions.logistic import Logistic
from tfmini._src.contrib.distributions.transformed.transformed_distribution import (
    TransformedDistribution,
)
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.parameters import logits_and_probs


class RelaxedBernoulli(TransformedDistribution):
    """Distribution of sigmoid((logits + logistic noise) / temperature). Pass either `logits` or `probs`.

    Args:
      temperature: a positive float tensor; as it approaches 0, samples approach 0 or 1.
      logits: the log-odds of 1, a float tensor.
      probs: the probabilities of 1, a float tensor.
      validate_args: whether to check parameters at run time.
      allow_nan_stats: see `tf.distributions.Distribution`.

    Raises:
      ValueError: if both or neither of `logits` and `probs` are given.
      TypeError: if they are not floats.
    """

    temperature: Tensor = read_only("The temperature.")
    logits: Tensor = read_only("The log-odds of 1.")
    probs: Tensor = read_only("The probabilities of 1.")

    @moved
    def __init__(
        self,
        temperature: TensorLike,
        logits: TensorLike | None = None,
        probs: TensorLike | None = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "RelaxedBernoulli",
    ):
        parameters = dict(locals())
        with name_scope(name, values=[logits, probs, temperature]) as name:
            positive = [ops.assert_positive(temperature)] if validate_args else []
            with control_dependencies(positive):
                self._temperature = ops.identity(temperature, name="temperature")
            self._logits, self._probs = logits_and_probs(
                logits, probs, validate_args, "get_logits_and_probs"
            )
            super().__init__(
                distribution=Logistic(
                    self._logits / self._temperature,
                    1.0 / self._temperature,
                    validate_args=validate_args,
                    allow_nan_stats=allow_nan_stats,
                    name=name + "/Logistic",
                ),
                bijector=Sigmoid(validate_args=validate_args),
                validate_args=validate_args,
                name=name,
            )
        self._parameters = parameters

    @classmethod
    def _param_shapes(cls, sample_shape: Any) -> dict[str, Tensor]:
        return {"logits": convert_to_tensor(sample_shape, dtype=dtypes.int32)}
