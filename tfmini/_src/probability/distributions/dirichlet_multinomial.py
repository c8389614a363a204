"""The Dirichlet-multinomial distribution, whose class probabilities have a Dirichlet distribution."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.distributions import checks
from tfmini._src.probability.distributions.deprecation import moved
from tfmini._src.probability.distributions.dirichlet_base import ConcentratedDistribution
from tfmini._src.probability.distributions.parameters import log_combinations, new_seed
from tfmini._src.probability.distributions.reparameterization import NOT_REPARAMETERIZED


class DirichletMultinomial(ConcentratedDistribution):
    """Distributions of counts of k classes in `total_count` draws with Dirichlet-distributed class probabilities.

    Args:
      total_count: number of draws, a float tensor of integer values with the batch shape.
      concentration: float concentrations of the Dirichlet distribution, [..., k].
      validate_args: whether to check parameters and counts at run time.
      allow_nan_stats: see `Distribution`.

    Example: `tf.distributions.DirichletMultinomial(3.0, [1.0, 2.0, 3.0]).prob([0.0, 1.0, 2.0])`.
    """

    total_count: Tensor = read_only("Number of draws.")

    @moved
    def __init__(
        self,
        total_count: TensorLike,
        concentration: TensorLike,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "DirichletMultinomial",
    ):
        parameters = dict(locals())
        with name_scope(name, values=[total_count, concentration]) as name:
            self._total_count = convert_to_tensor(total_count, name="total_count")
            if validate_args:
                self._total_count = checks.counts(self._total_count)
            self._concentration = _checked_concentration(
                convert_to_tensor(concentration, name="concentration"), validate_args
            )
            self._total_concentration = ops.reduce_sum(self._concentration, -1)
        parents = [self._total_count, self._concentration]
        self._init(parameters, name, NOT_REPARAMETERIZED, parents, dtype=self._concentration.dtype)

    def _sample_n(self, n: Any, seed: Any = None) -> Tensor:
        draws = ops.cast(self.total_count, dtype=dtypes.int32)
        k = self.event_shape_tensor()[0]
        gamma = ops.random_gamma(shape=[n], alpha=self.concentration, dtype=self.dtype, seed=seed)
        logits = ops.reshape(ops.log(gamma), shape=[-1, k])
        seed = new_seed(seed, salt="dirichlet_multinomial")
        classes = ops.multinomial(logits=logits, num_samples=draws, seed=seed)
        counts = ops.reduce_sum(ops.one_hot(classes, depth=k), -2)
        shape = ops.concat([[n], self.batch_shape_tensor(), [k]], 0)
        return ops.cast(ops.reshape(counts, shape), self.dtype)

    def _log_prob(self, counts: Tensor) -> Tensor:
        counts = self._check_sample(counts)
        ordered = ops.lbeta(self.concentration + counts) - ops.lbeta(self.concentration)
        return ordered + log_combinations(self.total_count, counts)

    def _prob(self, counts: Tensor) -> Tensor:
        return ops.exp(self._log_prob(counts))

    def _mean(self) -> Tensor:
        return self.total_count * (self.concentration / self.total_concentration[..., None])

    def _variance(self) -> Tensor:
        scale = self._variance_scale()
        x = scale * self._mean()
        return x * (self.total_count * scale - x)

    def _variance_scale(self) -> Tensor:
        total = self.total_concentration[..., None]
        return ops.sqrt((1.0 + total / self.total_count) / (1.0 + total))

    def _check_sample(self, counts: Tensor) -> Tensor:
        if not self.validate_args:
            return counts
        counts = checks.counts(counts)
        message = "counts last-dimension must sum to `self.total_count`"
        total = ops.reduce_sum(counts, -1)
        check = ops.assert_equal(self.total_count, total, message=message)
        return ops.with_dependencies([check], counts)


def _checked_concentration(concentration: Tensor, validate_args: bool) -> Tensor:
    if not validate_args:
        return concentration
    message = "Concentration parameter must be positive."
    return checks.positive(checks.categories(concentration), message)
