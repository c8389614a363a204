"""The exponential distribution, a gamma distribution with concentration 1."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.deprecation import moved
from tfmini._src.probability.distributions.gamma import Gamma


class Exponential(Gamma):
    """Exponential distributions with density rate exp(-rate x) for x > 0.

    Args:
      rate: inverse means, a positive float tensor.
      validate_args: whether to check rates and values at run time.
      allow_nan_stats: see `Distribution`.
    """

    rate: Tensor = read_only("The inverse means.")

    @moved
    def __init__(
        self,
        rate: TensorLike,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Exponential",
    ):
        parameters = dict(locals())
        with name_scope(name, values=[rate]) as name:
            self._rate = convert_to_tensor(rate, name="rate")
        super().__init__(
            concentration=ops.ones([], dtype=self._rate.dtype),
            rate=self._rate,
            allow_nan_stats=allow_nan_stats,
            validate_args=validate_args,
            name=name,
        )
        self._parameters = parameters
        self._graph_parents += [self._rate]

    @classmethod
    def _param_shapes(cls, sample_shape: Any) -> dict[str, Tensor]:
        return {"rate": convert_to_tensor(sample_shape, dtype=dtypes.int32)}

    def _log_survival_function(self, value: Tensor) -> Tensor:
        return self._log_prob(value) - ops.log(self._rate)

    def _sample_n(self, n: Any, seed: Any = None) -> Tensor:
        shape = ops.concat([[n], ops.shape(self._rate)], 0)
        # Never 0, whose logarithm is infinite: the minimum is the smallest normal number.
        uniform = ops.random_uniform(
            shape,
            minval=np.finfo(self.dtype.as_numpy_dtype).tiny,
            maxval=1.0,
            seed=seed,
            dtype=self.dtype,
        )
        return -ops.log(uniform) / self._rate
