"""The Bernoulli distribution of 0 and 1."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.distributions import checks
from tfmini._src.probability.distributions.deprecation import moved
from tfmini._src.probability.distributions.kullback_leibler import register_kl
from tfmini._src.probability.distributions.parameters import logits_and_probs
from tfmini._src.probability.distributions.reparameterization import NOT_REPARAMETERIZED
from tfmini._src.probability.distributions.scalar import ScalarDistribution


class Bernoulli(ScalarDistribution):
    """Bernoulli distributions: 1 with probability `probs`, else 0. Pass either `logits` or `probs`.

    Args:
      logits: the log-odds of 1, log(probs / (1 - probs)), a float tensor.
      probs: the probabilities of 1, a float tensor.
      dtype: the DType of samples.
      validate_args: whether to check probabilities and values at run time.
      allow_nan_stats: see `Distribution`.

    Raises:
      ValueError: if both or neither of `logits` and `probs` are passed.
      TypeError: if they are not floats.

    Example: `tf.distributions.Bernoulli(probs=[0.2, 0.9]).sample(5)  # int32, [5, 2]`.
    """

    logits: Tensor = read_only("The log-odds of 1.")
    probs: Tensor = read_only("The probabilities of 1.")
    _shape_parameters = ("logits",)

    @moved
    def __init__(
        self,
        logits: TensorLike | None = None,
        probs: TensorLike | None = None,
        dtype: DTypeLike = dtypes.int32,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Bernoulli",
    ):
        parameters = dict(locals())
        with name_scope(name) as name:
            self._logits, self._probs = logits_and_probs(logits, probs, validate_args, name)
        self._init(parameters, name, NOT_REPARAMETERIZED, [self._logits, self._probs], dtype=dtype)

    def _sample_n(self, n: Any, seed: Any = None) -> Tensor:
        shape = ops.concat([[n], self.batch_shape_tensor()], 0)
        uniform = ops.random_uniform(shape, seed=seed, dtype=self.probs.dtype)
        return ops.cast(ops.less(uniform, self.probs), self.dtype)

    def _log_prob(self, event: Tensor) -> Tensor:
        if self.validate_args:
            event = checks.check_cast(event, dtypes.bool)
        event = ops.cast(event, self.logits.dtype)
        logits = self.logits
        shapes = event.get_shape(), logits.get_shape()
        is_static = all(shape.is_fully_defined() for shape in shapes)
        if not (is_static and shapes[0] == shapes[1]):
            # The cross entropy does not broadcast.
            broadcast = ops.ones_like(event) * logits
            event = ops.ones_like(logits) * event
            logits = broadcast
        return -ops.sigmoid_cross_entropy_with_logits(labels=event, logits=logits)

    def _entropy(self) -> Tensor:
        return -self.logits * (ops.sigmoid(self.logits) - 1) + ops.softplus(-self.logits)

    def _mean(self) -> Tensor:
        return ops.identity(self.probs)

    def _variance(self) -> Tensor:
        return self._mean() * (1.0 - self.probs)

    def _mode(self) -> Tensor:
        return ops.cast(self.probs > 0.5, self.dtype)


@register_kl(Bernoulli, Bernoulli)
def _kl_bernoulli_bernoulli(a: Bernoulli, b: Bernoulli, name: str | None = None) -> Tensor:
    with name_scope(name, "kl_bernoulli_bernoulli", values=[a.logits, b.logits]):
        zero_ratio = ops.softplus(-b.logits) - ops.softplus(-a.logits)
        one_ratio = ops.softplus(b.logits) - ops.softplus(a.logits)
        return ops.sigmoid(a.logits) * zero_ratio + ops.sigmoid(-a.logits) * one_ratio
