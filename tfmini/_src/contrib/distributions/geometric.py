"""The geometric distribution: number of failures before the first success."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.distributions import checks
from tfmini._src.probability.distributions.parameters import logits_and_probs
from tfmini._src.probability.distributions.reparameterization import NOT_REPARAMETERIZED
from tfmini._src.probability.distributions.scalar import ScalarDistribution


class Geometric(ScalarDistribution):
    """Distribution of integers k >= 0 with probability (1 - probs)^k probs. Pass either `logits` or `probs`.

    Args:
      logits: the log-odds of success, a float tensor.
      probs: the probabilities of success, above 0.
      validate_args: whether to check probabilities and counts at run time.
      allow_nan_stats: see `tf.distributions.Distribution`.

    Raises:
      ValueError: if both or neither of `logits` and `probs` are given.

    Example: `tf.contrib.distributions.Geometric(probs=0.25).mean()` is 3.
    """

    logits: Tensor = read_only("The log-odds of success.")
    probs: Tensor = read_only("The probabilities of success.")
    _batch_parameters = ("probs",)

    @moved
    def __init__(
        self,
        logits: TensorLike | None = None,
        probs: TensorLike | None = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Geometric",
    ):
        parameters = dict(locals())
        with name_scope(name, values=[logits, probs]) as name:
            self._logits, self._probs = logits_and_probs(logits, probs, validate_args, name)
            with control_dependencies([ops.assert_positive(self._probs)] if validate_args else []):
                self._probs = ops.identity(self._probs, name="probs")
        self._init(parameters, name, NOT_REPARAMETERIZED, [self._probs, self._logits])

    def _sample_n(self, n: Any, seed: Any = None) -> Tensor:
        uniform = ops.random_uniform(
            ops.concat([[n], ops.shape(self._probs)], 0),
            minval=np.finfo(self.dtype.as_numpy_dtype).tiny,
            maxval=1.0,
            seed=seed,
            dtype=self.dtype,
        )
        return ops.floor(ops.log(uniform) / ops.log1p(-self.probs))

    def _cdf(self, x: Tensor) -> Tensor:
        x = self._integer_counts(x)
        x *= ops.ones_like(self.probs)
        return ops.where(x < 0.0, ops.zeros_like(x), -ops.expm1((1.0 + x) * ops.log1p(-self.probs)))

    def _log_prob(self, x: Tensor) -> Tensor:
        x = self._integer_counts(x)
        x *= ops.ones_like(self.probs)
        probs = self.probs * ops.ones_like(x)
        # Avoids 0 * log(0) if x is 0 and the probability 1.
        safe = ops.where(ops.equal(x, 0.0), ops.zeros_like(probs), probs)
        return x * ops.log1p(-safe) + ops.log(probs)

    def _entropy(self) -> Tensor:
        probs = self._probs
        if self.validate_args:
            check = ops.assert_less(
                probs,
                ops.constant(1.0, probs.dtype),
                message="Entropy is undefined when logits = inf or probs = 1.",
            )
            probs = ops.with_dependencies([check], probs)
        return ops.softplus(self.logits) / probs - self.logits

    def _mean(self) -> Tensor:
        return ops.exp(-self.logits)

    def _variance(self) -> Tensor:
        return self._mean() / self.probs

    def _mode(self) -> Tensor:
        return ops.zeros(self.batch_shape_tensor(), dtype=self.dtype)

    def _integer_counts(self, x: Tensor) -> Tensor:
        return checks.counts(x) if self.validate_args else ops.floor(x)
