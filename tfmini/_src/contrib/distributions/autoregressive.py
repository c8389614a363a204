"""Distributions whose parameters depend on previous draws."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.probability.distributions.distribution import Distribution
from tfmini._src.probability.distributions.parameters import new_seed


class Autoregressive(Distribution):
    """Distribution of events sampled element by element: p(x) = prod_i p(x_i | x_0 ... x_(i-1)).

    Args:
      distribution_fn: function from a sample to a distribution, whose parameters for an element may depend only
        on earlier elements.
      sample0: the argument of `distribution_fn` for the first draw; None to call it without arguments.
      num_steps: number of draws, each from the distribution for the previous sample; by default the number of
        event elements.
      validate_args, allow_nan_stats: as in `tf.distributions.Distribution`.

    Raises:
      ValueError: if `num_steps` is below 1, or neither it nor the event shape is known.
    """

    distribution_fn: Callable = read_only(
        "Function from a sample to the distribution of the next draw."
    )
    sample0: Any = read_only("Sample passed to `distribution_fn` for the first draw.")
    num_steps: int = read_only("Number of times that a sample is redrawn.")
    distribution0: Any = read_only("The distribution of the first draw.")

    @moved
    def __init__(
        self,
        distribution_fn: Callable[..., Any],
        sample0: TensorLike | None = None,
        num_steps: int | None = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Autoregressive",
    ):
        parameters = dict(locals())
        with name_scope(name) as name:
            self._distribution_fn = distribution_fn
            self._sample0 = sample0
            self._distribution0 = distribution_fn() if sample0 is None else distribution_fn(sample0)
            if num_steps is None:
                num_steps = self._distribution0.event_shape.num_elements()
                if num_steps is None:
                    raise ValueError(
                        "distribution_fn must generate a distribution with fully known "
                        "`event_shape`."
                    )
            if num_steps < 1:
                raise ValueError(f"num_steps ({num_steps}) must be at least 1.")
            self._num_steps = num_steps
        self._init(
            parameters,
            name,
            self._distribution0.reparameterization_type,
            self._distribution0._graph_parents,
            dtype=self._distribution0.dtype,
        )

    def _batch_shape(self) -> TensorShape:
        return self.distribution0.batch_shape

    def _batch_shape_tensor(self) -> Tensor:
        return self.distribution0.batch_shape_tensor()

    def _event_shape(self) -> TensorShape:
        return self.distribution0.event_shape

    def _event_shape_tensor(self) -> Tensor:
        return self.distribution0.event_shape_tensor()

    def _sample_n(self, n: Any, seed: Any = None) -> Tensor:
        if seed is None:  # shared by all draws
            seed = new_seed(np.random.randint(2**32 - 1), "autoregressive")
        samples = self.distribution0.sample(n, seed=seed)
        for _ in range(self._num_steps):
            samples = self.distribution_fn(samples).sample(seed=seed)
        return samples

    def _log_prob(self, value: Tensor) -> Tensor:
        return self.distribution_fn(value).log_prob(value)

    def _prob(self, value: Tensor) -> Tensor:
        return self.distribution_fn(value).prob(value)
