"""`tensorflow.python.ops.init_ops_v2`: initializers from `tf.compat.v2`, which receive the dtype when called.

With their own seed, they return the same numbers in each call, using stateless ops.
"""

from __future__ import annotations

import math
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops, raw
from tfmini._src.ops.random import stateless_random
from tfmini._src.variables.initializers import (
    check_constant,
    check_variance_scaling,
    floating,
    scaled_distribution,
)
from tfmini.compat.python.framework.constant_op import constant

__all__ = [
    "Constant",
    "GlorotNormal",
    "GlorotUniform",
    "Identity",
    "Initializer",
    "Ones",
    "Orthogonal",
    "RandomNormal",
    "RandomUniform",
    "TruncatedNormal",
    "VarianceScaling",
    "Zeros",
    "he_normal",
    "he_uniform",
    "lecun_normal",
    "lecun_uniform",
]

_STATELESS: dict[str, Any] = {
    "random_normal": stateless_random.stateless_normal,
    "random_uniform": stateless_random.stateless_uniform,
    "truncated_normal": stateless_random.stateless_truncated_normal,
}


class Initializer:
    """Base class of initializers, which are functions from shape and dtype to a tensor."""

    def __call__(self, shape: Any, dtype: Any = None) -> Tensor:
        raise NotImplementedError

    _arguments: tuple[str, ...] = ()  # which are attributes of the same names

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments by name, for `from_config`."""
        return {name: getattr(self, name) for name in self._arguments}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Initializer:
        """Returns an initializer with the arguments from `get_config`."""
        config.pop("dtype", None)
        return cls(**config)


class Zeros(Initializer):
    """Initializes all elements to 0."""

    def __call__(self, shape: Any, dtype: Any = dtypes.float32) -> Tensor:
        return ops.zeros(shape, dtypes.as_dtype(dtype))


class Ones(Initializer):
    """Initializes all elements to 1; raises ValueError for strings."""

    def __call__(self, shape: Any, dtype: Any = dtypes.float32) -> Tensor:
        dtype = dtypes.as_dtype(dtype)
        if not dtype.is_numpy_compatible or dtype == dtypes.string:
            raise ValueError(f"Expected numeric or boolean dtype, got {dtype}.")
        return ops.ones(shape, dtype)


class Constant(Initializer):
    """Initializes to a fixed value: a scalar, or a list or array of all elements in order."""

    _arguments = ("value",)

    def __init__(self, value: Any = 0):
        check_constant(value)
        self.value = value

    def __call__(self, shape: Any, dtype: Any = None) -> Tensor:
        if dtype is not None:
            dtype = dtypes.as_dtype(dtype)
        return constant(self.value, dtype=dtype, shape=shape)


class _Random(Initializer):
    """Base class of random initializers, which choose ops according to their seed."""

    seed: Any

    def _draw(self, name: str, shape: Any, *args: Any, dtype: Any) -> Tensor:
        if self.seed is None:
            return getattr(ops, name)(shape, *args, dtype=dtype, seed=None)
        return _STATELESS[name](shape, [self.seed, 0], *args, dtype=dtype)


class RandomUniform(_Random):
    """Uniform random numbers from `minval` (included) to `maxval` (excluded)."""

    _arguments = ("minval", "maxval", "seed")

    def __init__(self, minval: Any = -0.05, maxval: Any = 0.05, seed: Any = None):
        self.minval, self.maxval, self.seed = minval, maxval, seed

    def __call__(self, shape: Any, dtype: Any = dtypes.float32) -> Tensor:
        dtype = dtypes.as_dtype(dtype)
        if not dtype.is_floating and not dtype.is_integer:
            raise ValueError(f"Expected float or integer dtype, got {dtype}.")
        return self._draw("random_uniform", shape, self.minval, self.maxval, dtype=dtype)


class RandomNormal(_Random):
    """Normal random numbers."""

    _arguments = ("mean", "stddev", "seed")

    _distribution = "random_normal"

    def __init__(self, mean: Any = 0.0, stddev: Any = 0.05, seed: Any = None):
        self.mean, self.stddev, self.seed = mean, stddev, seed

    def __call__(self, shape: Any, dtype: Any = dtypes.float32) -> Tensor:
        dtype = floating(dtype)
        return self._draw(self._distribution, shape, self.mean, self.stddev, dtype=dtype)


class TruncatedNormal(RandomNormal):
    """Normal random numbers; numbers beyond two standard deviations are redrawn."""

    _distribution = "truncated_normal"


class VarianceScaling(_Random):
    """Random numbers with variance `scale` / n, for the number n of inputs or outputs, or their mean.

    Raises:
      ValueError: if `scale` is not positive, or `mode` or `distribution` is unknown.
    """

    _arguments: tuple[str, ...] = ("scale", "mode", "distribution", "seed")

    def __init__(
        self,
        scale: float = 1.0,
        mode: str = "fan_in",
        distribution: str = "truncated_normal",
        seed: Any = None,
    ):
        distribution = check_variance_scaling(scale, mode, distribution)
        if distribution == "normal":
            distribution = "truncated_normal"
        self.scale, self.mode, self.distribution, self.seed = scale, mode, distribution, seed

    def __call__(self, shape: Any, dtype: Any = dtypes.float32) -> Tensor:
        dtype = floating(dtype)
        name, *parameters = scaled_distribution(self.scale, self.mode, self.distribution, shape)
        return self._draw(name, shape, *parameters, dtype=dtype)


class Orthogonal(_Random):
    """A random orthogonal matrix times `gain`; all dimensions except the last are flattened into one."""

    _arguments = ("gain", "seed")

    def __init__(self, gain: float = 1.0, seed: Any = None):
        self.gain, self.seed = gain, seed

    def __call__(self, shape: Any, dtype: Any = dtypes.float32) -> Tensor:
        dtype = floating(dtype)
        if len(shape) < 2:
            raise ValueError("The tensor to initialize must be at least two-dimensional")
        *outer, columns = shape
        rows = math.prod(outer)
        size = (max(columns, rows), min(columns, rows))
        samples = self._draw("random_normal", size, 0.0, 1.0, dtype=dtype)
        q, r = raw.Qr(samples, full_matrices=False)
        q *= ops.sign(ops.diag_part(r))
        if rows < columns:
            q = ops.matrix_transpose(q)
        return self.gain * ops.reshape(q, shape)


class Identity(Initializer):
    """The identity matrix times `gain`; raises ValueError unless there are two dimensions."""

    _arguments = ("gain",)

    def __init__(self, gain: float = 1.0):
        self.gain = gain

    def __call__(self, shape: Any, dtype: Any = dtypes.float32) -> Tensor:
        dtype = floating(dtype)
        if len(shape) != 2:
            raise ValueError("Identity matrix initializer can only be used for 2D matrices.")
        rows, columns = shape
        return self.gain * ops.eye(rows, columns, dtype=dtype)


class GlorotUniform(VarianceScaling):
    """Uniform random numbers, scaled by the numbers of inputs and outputs."""

    _arguments = ("seed",)

    def __init__(self, seed: Any = None):
        super().__init__(scale=1.0, mode="fan_avg", distribution="uniform", seed=seed)


class GlorotNormal(VarianceScaling):
    """Truncated normal random numbers, scaled by the numbers of inputs and outputs."""

    _arguments = ("seed",)

    def __init__(self, seed: Any = None):
        super().__init__(scale=1.0, mode="fan_avg", distribution="truncated_normal", seed=seed)


def lecun_normal(seed: Any = None) -> VarianceScaling:
    """Returns an initializer of truncated normal random numbers with variance 1 / inputs."""
    return VarianceScaling(1.0, "fan_in", "truncated_normal", seed)


def lecun_uniform(seed: Any = None) -> VarianceScaling:
    """Returns an initializer of uniform random numbers with variance 1 / inputs."""
    return VarianceScaling(1.0, "fan_in", "uniform", seed)


def he_normal(seed: Any = None) -> VarianceScaling:
    """Returns an initializer of truncated normal random numbers with variance 2 / inputs."""
    return VarianceScaling(2.0, "fan_in", "truncated_normal", seed)


def he_uniform(seed: Any = None) -> VarianceScaling:
    """Returns an initializer of uniform random numbers with variance 2 / inputs."""
    return VarianceScaling(2.0, "fan_in", "uniform", seed)
