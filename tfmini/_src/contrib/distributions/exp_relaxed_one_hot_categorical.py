"""The logarithm of a relaxed one-hot vector: a differentiable categorical sample.

C. J. Maddison, A. Mnih, Y. W. Teh, "The Concrete Distribution", arXiv:1611.00712.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.contrib.distributions.one_hot_distribution import ClassDistribution
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.parameters import logits_and_probs
from tfmini._src.probability.distributions.reparameterization import FULLY_REPARAMETERIZED


class ExpRelaxedOneHotCategorical(ClassDistribution):
    """Distribution of log softmax((logits + Gumbel noise) / temperature). Pass either `logits` or `probs`.

    Args:
      temperature: a positive float scalar, or a tensor of the batch shape; as it approaches 0, samples
        approach the logarithms of one-hot vectors.
      logits: log-probabilities up to a constant, float, [..., k].
      probs: probabilities, float, [..., k].
      dtype: the DType of samples, by default the dtype of `logits`.
      validate_args, allow_nan_stats: as in `tf.distributions.Distribution`.

    Raises:
      ValueError: if both or neither of `logits` and `probs` are given.
      TypeError: if they are not floats.
    """

    temperature: Tensor = read_only("The temperature.")

    @moved
    def __init__(
        self,
        temperature: TensorLike,
        logits: TensorLike | None = None,
        probs: TensorLike | None = None,
        dtype: DTypeLike | None = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "ExpRelaxedOneHotCategorical",
    ):
        parameters = dict(locals())
        with name_scope(name, values=[logits, probs, temperature]) as name:
            self._logits, self._probs = logits_and_probs(
                logits, probs, validate_args, name, multidimensional=True
            )
            if dtype is None:
                dtype = self._logits.dtype
                if not validate_args:
                    temperature = ops.cast(temperature, dtype)
            positive = [ops.assert_positive(temperature)] if validate_args else []
            with control_dependencies(positive):
                self._temperature = ops.identity(temperature, name="temperature")
                self._temperature_2d = ops.reshape(temperature, [-1, 1], name="temperature_2d")
            self._find_sizes()
        parents = [self._logits, self._probs, self._temperature]
        self._init(parameters, name, FULLY_REPARAMETERIZED, parents, dtype=dtype)

    def _sample_n(self, n: Any, seed: Any = None) -> Tensor:
        shape = ops.concat([[n], ops.shape(self.logits)], 0)
        logits = self.logits * ops.ones(shape, dtype=self.dtype)
        logits = ops.reshape(logits, [-1, self.event_size])
        uniform = ops.random_uniform(
            shape=ops.shape(logits),
            minval=np.finfo(self.dtype.as_numpy_dtype).tiny,  # log(0) is infinite
            maxval=1.0,
            dtype=self.dtype,
            seed=seed,
        )
        gumbel = -ops.log(-ops.log(uniform))
        noisy_logits = ops.div(gumbel + logits, self._temperature_2d)
        return ops.reshape(ops.log_softmax(noisy_logits), shape)

    def _log_prob(self, x: Tensor) -> Tensor:
        rows, logits, shape = self._rows(self._check_sample(x), [-1])
        k = ops.cast(self.event_size, rows.dtype)
        constant = ops.lgamma(k) + (k - 1.0) * ops.log(self.temperature)
        log_softmax = ops.log_softmax(logits - rows * self._temperature_2d)
        log_prob = constant + ops.reduce_sum(log_softmax, [-1], keepdims=False)
        return ops.reshape(log_prob, shape)
