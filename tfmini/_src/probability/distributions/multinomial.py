"""The multinomial distribution of class counts."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.functions.functional_ops import map_fn
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.distributions import checks
from tfmini._src.probability.distributions.deprecation import moved
from tfmini._src.probability.distributions.distribution import Distribution
from tfmini._src.probability.distributions.parameters import log_combinations, logits_and_probs
from tfmini._src.probability.distributions.reparameterization import NOT_REPARAMETERIZED


class Multinomial(Distribution):
    """Distributions of counts of k classes in `total_count` independent draws. Pass either `logits` or `probs`.

    Args:
      total_count: number of draws, a float tensor of integer values with the batch shape.
      logits: float log-probabilities up to a constant, [..., k].
      probs: float probabilities, [..., k].
      validate_args: whether to check parameters and counts at run time.
      allow_nan_stats: see `Distribution`.

    Raises:
      ValueError: if both or neither of `logits` and `probs` are passed.
      TypeError: if they are not floats.

    Example: `tf.distributions.Multinomial(4.0, probs=[0.2, 0.3, 0.5]).prob([1.0, 0.0, 3.0])`.
    """

    total_count: Tensor = read_only("Number of draws.")
    logits: Tensor = read_only("Log-probabilities up to a constant.")
    probs: Tensor = read_only("The probabilities of the classes.")

    @moved
    def __init__(
        self,
        total_count: TensorLike,
        logits: TensorLike | None = None,
        probs: TensorLike | None = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Multinomial",
    ):
        parameters = dict(locals())
        with name_scope(name, values=[total_count, logits, probs]) as name:
            self._total_count = convert_to_tensor(total_count, name="total_count")
            if validate_args:
                self._total_count = checks.counts(self._total_count)
            self._logits, self._probs = logits_and_probs(
                logits, probs, validate_args, name, multidimensional=True
            )
            self._mean_val = self._total_count[..., None] * self._probs
        parents = [self._total_count, self._logits, self._probs]
        self._init(parameters, name, NOT_REPARAMETERIZED, parents, dtype=self._probs.dtype)

    def _batch_shape_tensor(self) -> Tensor:
        return ops.shape(self._mean_val)[:-1]

    def _batch_shape(self) -> TensorShape:
        return self._mean_val.get_shape().with_rank_at_least(1)[:-1]

    def _event_shape_tensor(self) -> Tensor:
        return ops.shape(self._mean_val)[-1:]

    def _event_shape(self) -> TensorShape:
        return self._mean_val.get_shape().with_rank_at_least(1)[-1:]

    def _sample_n(self, n: Any, seed: Any = None) -> Tensor:
        draws = ops.cast(self.total_count, dtype=dtypes.int32)
        k = self.event_shape_tensor()[0]
        draws = ops.ones_like(self.logits[..., 0], dtype=draws.dtype) * draws
        logits = ops.ones_like(draws[..., None], dtype=self.logits.dtype) * self.logits
        logits = ops.reshape(logits, [-1, k])
        draws = n * ops.reshape(draws, [-1])

        def member_counts(member: list[Tensor]) -> Tensor:
            classes = ops.multinomial(member[0][None, ...], member[1], seed)
            classes = ops.reshape(classes, shape=[n, -1])
            return ops.reduce_sum(ops.one_hot(classes, depth=k), axis=-2)

        counts = map_fn(member_counts, [logits, draws], dtype=self.dtype)
        counts = ops.transpose(counts, perm=[1, 0, 2])
        return ops.reshape(counts, ops.concat([[n], self.batch_shape_tensor(), [k]], 0))

    def _log_prob(self, counts: Tensor) -> Tensor:
        checked = self._check_sample(counts)
        unnormalized = ops.reduce_sum(checked * ops.log_softmax(self.logits), -1)
        constant = -log_combinations(self.total_count, self._check_sample(counts))
        return unnormalized - constant

    def _mean(self) -> Tensor:
        return ops.identity(self._mean_val)

    def _broadcast_probs(self) -> Tensor:
        return self.probs * ops.ones_like(self.total_count)[..., None]

    def _covariance(self) -> Tensor:
        probs = self._broadcast_probs()
        outer = ops.matmul(self._mean_val[..., None], probs[..., None, :])
        return ops.matrix_set_diag(-outer, self._variance())

    def _variance(self) -> Tensor:
        probs = self._broadcast_probs()
        return self._mean_val - self._mean_val * probs

    def _check_sample(self, counts: Tensor) -> Tensor:
        if not self.validate_args:
            return counts
        counts = checks.counts(counts)
        message = "counts must sum to `self.total_count`"
        total = ops.reduce_sum(counts, -1)
        check = ops.assert_equal(self.total_count, total, message=message)
        return ops.with_dependencies([check], counts)
