"""Base class of the Dirichlet and Dirichlet-multinomial distributions, which share a concentration vector."""

from __future__ import annotations

from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.distribution import Distribution


class ConcentratedDistribution(Distribution):
    """Base class of distributions of vectors with one element per concentration along the last axis."""

    concentration: Tensor = read_only("The concentrations of the classes.")
    total_concentration: Tensor = read_only("The concentrations' sum over the last axis.")
    _concentration: Tensor
    _total_concentration: Tensor

    def _batch_shape_tensor(self) -> Tensor:
        return ops.shape(self.total_concentration)

    def _batch_shape(self) -> TensorShape:
        return self.total_concentration.get_shape()

    def _event_shape_tensor(self) -> Tensor:
        return ops.shape(self.concentration)[-1:]

    def _event_shape(self) -> TensorShape:
        return self.concentration.get_shape().with_rank_at_least(1)[-1:]

    def _variance_scale(self) -> Tensor:
        raise NotImplementedError

    def _covariance(self) -> Tensor:
        x = self._variance_scale() * self._mean()
        outer = ops.matmul(x[..., None], x[..., None, :])
        return ops.matrix_set_diag(-outer, self._variance())
