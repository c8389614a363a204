"""The categorical distribution over one-hot vectors."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.contrib.distributions.one_hot_distribution import ClassDistribution
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.kullback_leibler import register_kl
from tfmini._src.probability.distributions.parameters import logits_and_probs
from tfmini._src.probability.distributions.reparameterization import NOT_REPARAMETERIZED


class OneHotCategorical(ClassDistribution):
    """Distribution of one-hot vectors of k classes. Pass either `logits` or `probs`.

    Args:
      logits: log-probabilities up to a constant, float, [..., k].
      probs: probabilities, float, [..., k].
      dtype: the DType of samples.
      validate_args: whether to check probabilities and values at run time.
      allow_nan_stats: see `tf.distributions.Distribution`.

    Raises:
      ValueError: if both or neither of `logits` and `probs` are given.
      TypeError: if they are not floats.
    """

    @moved
    def __init__(
        self,
        logits: TensorLike | None = None,
        probs: TensorLike | None = None,
        dtype: DTypeLike = dtypes.int32,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "OneHotCategorical",
    ):
        parameters = dict(locals())
        with name_scope(name, values=[logits, probs]) as name:
            self._logits, self._probs = logits_and_probs(
                logits, probs, validate_args, name, multidimensional=True
            )
            self._find_sizes()
        self._init(parameters, name, NOT_REPARAMETERIZED, [self._logits, self._probs], dtype=dtype)

    def _sample_n(self, n: Any, seed: Any = None) -> Tensor:
        shape = ops.concat([[n], ops.shape(self.logits)], 0)
        logits = self.logits
        if logits.get_shape().ndims != 2:
            logits = ops.reshape(logits, [-1, self.event_size])
        samples = ops.transpose(ops.multinomial(logits, n, seed=seed))
        return ops.reshape(ops.one_hot(samples, self.event_size, dtype=self.dtype), shape)

    def _log_prob(self, x: Tensor) -> Tensor:
        labels, logits, shape = self._rows(self._check_sample(x), -1)
        loss = ops.softmax_cross_entropy_with_logits(labels=labels, logits=logits)
        return ops.reshape(-loss, shape)

    def _entropy(self) -> Tensor:
        return -ops.reduce_sum(ops.log_softmax(self.logits) * self.probs, axis=-1)

    def _mode(self) -> Tensor:
        position = ops.argmax(self.logits, axis=self._batch_rank)
        mode = ops.one_hot(position, self.event_size, dtype=self.dtype)
        mode.set_shape(self.logits.get_shape())
        return mode

    def _covariance(self) -> Tensor:
        outer = ops.matmul(self.probs[..., None], self.probs[..., None, :])
        return ops.matrix_set_diag(-outer, self._variance())

    def _variance(self) -> Tensor:
        return self.probs * (1.0 - self.probs)


@register_kl(OneHotCategorical, OneHotCategorical)
@moved
def _kl_categorical_categorical(
    a: OneHotCategorical, b: OneHotCategorical, name: str | None = None
) -> Tensor:
    with name_scope(name, "kl_categorical_categorical", values=[a.logits, b.logits]):
        probs = ops.softmax(a.logits)
        return ops.reduce_sum(
            probs * (ops.log_softmax(a.logits) - ops.log_softmax(b.logits)), axis=-1
        )
