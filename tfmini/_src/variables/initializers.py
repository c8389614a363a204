"""Initializers: callables of shape and dtype that add the ops of an initial value.

Each adds the same ops in the same order as in TensorFlow, so that it produces the same numbers if only the graph
seed is set.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.names.deprecation import deprecated, deprecated_arg_values, deprecated_args
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops, raw
from tfmini._src.variables.save_slice_info import PartitionInfo

# Standard deviation of the standard normal distribution truncated at two standard deviations.
_TRUNCATED_STDDEV = 0.87962566103423978

_dtype_is_for_calls = deprecated_args(
    None,
    "Call initializer instance with the dtype argument instead of passing it to the constructor",
    "dtype",
)


class Initializer:
    """Base class of initializers.

    `initializer(shape, dtype=None, partition_info=None)` returns a tensor: `shape` is a list of int,
    `dtype` defaults to the constructor's, and `partition_info` is the part of a larger variable to initialize.
    """

    dtype: Any  # of all but this class

    def __call__(
        self,
        shape: TensorLike,
        dtype: DTypeLike | None = None,
        partition_info: PartitionInfo | None = None,
    ) -> Tensor:
        if dtype is None:
            dtype = getattr(self, "dtype", None)
        return self._initial_value(shape, dtype, partition_info)

    def _initial_value(self, shape: Any, dtype: Any, part: PartitionInfo | None) -> Tensor:
        """Computes the initial value; `dtype` overrides the constructor's dtype."""
        raise NotImplementedError

    _arguments: tuple[str, ...] = ()  # stored as attributes of the same names

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments by name, from which `from_config` recreates the initializer."""
        config = {name: getattr(self, name) for name in self._arguments}
        if "dtype" in config:
            config["dtype"] = self.dtype.name
        return config

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Initializer:
        """Creates an initializer from the result of `get_config`."""
        return cls(**config)


def floating(dtype: Any) -> dtypes.DType:
    """Converts `dtype` to a DType; raises ValueError unless it is floating-point."""
    dtype = dtypes.as_dtype(dtype)
    if not dtype.is_floating:
        raise ValueError(f"Expected floating point type, got {dtype}.")
    return dtype


class Zeros(Initializer):
    """Initializes to zeros; to False for bools, and to the empty string for strings.

    Args:
      dtype: default dtype of calls.

    Example: `tf.get_variable("b", [10], initializer=tf.zeros_initializer())`.
    """

    _arguments = ("dtype",)

    @_dtype_is_for_calls
    def __init__(self, dtype: Any = dtypes.float32):
        self.dtype = dtypes.as_dtype(dtype)

    def _initial_value(self, shape: Any, dtype: Any, part: PartitionInfo | None) -> Tensor:
        return ops.zeros(shape, dtype)


class Ones(Initializer):
    """Initializes to ones; to True for bools.

    Args:
      dtype: default dtype of calls.
    """

    _arguments = ("dtype",)

    @_dtype_is_for_calls
    def __init__(self, dtype: DTypeLike = dtypes.float32):
        self.dtype = dtypes.as_dtype(dtype)

    def _initial_value(self, shape: Any, dtype: Any, part: PartitionInfo | None) -> Tensor:
        return ops.ones(shape, dtype)


def check_constant(value: Any) -> None:
    """Raises TypeError unless a Constant initializer accepts the value."""
    if not (np.isscalar(value) or isinstance(value, list | tuple | np.ndarray)):
        raise TypeError(
            f"Invalid type for initial value: {type(value)} (expected Python scalar, list or tuple of values, or "
            "numpy.ndarray)."
        )


class Constant(Initializer):
    """Initializes to a constant value.

    Args:
      value: a scalar, list, tuple or numpy array; if it is shorter than the shape, the last element
        is repeated.
      dtype: default dtype of calls.
      verify_shape: whether the value must have exactly the requested shape.

    Raises:
      TypeError: for other values.

    Example: `tf.get_variable("v", [2, 3], initializer=tf.constant_initializer([1, 2, 3, 4, 5,
    6]))`.
    """

    _arguments = ("value", "dtype")

    @_dtype_is_for_calls
    @deprecated_args(
        None, "Objects must now be the required shape or no shape can be specified", "verify_shape"
    )
    def __init__(
        self, value: TensorLike = 0, dtype: Any = dtypes.float32, verify_shape: bool = False
    ):
        check_constant(value)
        self.value = value
        self.dtype = dtypes.as_dtype(dtype)
        self._verify_shape = verify_shape

    def __call__(
        self, shape: Any, dtype: Any = None, partition_info: Any = None, verify_shape: Any = None
    ) -> Tensor:
        return ops.constant(
            self.value,
            dtype=self.dtype if dtype is None else dtype,
            shape=shape,
            verify_shape=self._verify_shape if verify_shape is None else verify_shape,
        )


class RandomUniform(Initializer):
    """Initializer that draws from a uniform distribution over [minval, maxval); `maxval` defaults to 1 for floats."""

    _arguments = ("minval", "maxval", "seed", "dtype")

    @_dtype_is_for_calls
    def __init__(
        self,
        minval: TensorLike = 0,
        maxval: TensorLike | None = None,
        seed: int | None = None,
        dtype: Any = dtypes.float32,
    ):
        self.minval = minval
        self.maxval = maxval
        self.seed = seed
        self.dtype = dtypes.as_dtype(dtype)

    def _initial_value(self, shape: Any, dtype: Any, part: PartitionInfo | None) -> Tensor:
        return ops.random_uniform(shape, self.minval, self.maxval, dtype, seed=self.seed)


class _Normal(Initializer):
    _arguments = ("mean", "stddev", "seed", "dtype")

    def __init__(self, mean: TensorLike, stddev: TensorLike, seed: int | None, dtype: DTypeLike):
        self.mean = mean
        self.stddev = stddev
        self.seed = seed
        self.dtype = floating(dtype)


class RandomNormal(_Normal):
    """Initializer that draws from a normal distribution."""

    @_dtype_is_for_calls
    def __init__(
        self,
        mean: TensorLike = 0.0,
        stddev: TensorLike = 1.0,
        seed: int | None = None,
        dtype: DTypeLike = dtypes.float32,
    ):
        super().__init__(mean, stddev, seed, dtype)

    def _initial_value(self, shape: Any, dtype: Any, part: PartitionInfo | None) -> Tensor:
        return ops.random_normal(shape, self.mean, self.stddev, dtype, seed=self.seed)


class TruncatedNormal(_Normal):
    """Truncated normal distribution, in which values beyond two standard deviations are redrawn."""

    @_dtype_is_for_calls
    @arguments_of(RandomNormal)
    def __init__(self, *args: Any):
        super().__init__(*args)

    def _initial_value(self, shape: Any, dtype: Any, part: PartitionInfo | None) -> Tensor:
        return ops.truncated_normal(shape, self.mean, self.stddev, dtype, seed=self.seed)


class UniformUnitScaling(Initializer):
    """Uniform distribution within +-sqrt(3 / inputs) * factor, which preserves the scale of inputs.

    The number of inputs is the product of all dimensions except the last.
    """

    _arguments = ("factor", "seed", "dtype")

    @_dtype_is_for_calls
    @deprecated(
        None,
        "Use tf.initializers.variance_scaling instead with distribution="
        "uniform to get equivalent behavior.",
    )
    def __init__(
        self, factor: float = 1.0, seed: int | None = None, dtype: DTypeLike = dtypes.float32
    ):
        self.factor = factor
        self.seed = seed
        self.dtype = floating(dtype)

    def _initial_value(self, shape: Any, dtype: Any, part: PartitionInfo | None) -> Tensor:
        full_shape = shape if part is None else part.full_shape
        inputs = 1.0
        for size in full_shape[:-1]:
            inputs *= float(size)
        limit = math.sqrt(3 / max(inputs, 1.0)) * self.factor
        return ops.random_uniform(shape, -limit, limit, dtype, seed=self.seed)


def fans(shape: Sequence[int]) -> tuple[int, int]:
    """Returns the numbers of inputs and outputs of a layer with weights of this shape."""
    if len(shape) < 1:
        return 1, 1
    if len(shape) == 1:
        return int(shape[0]), int(shape[0])
    field = 1
    for size in shape[:-2]:
        field *= size
    return int(shape[-2] * field), int(shape[-1] * field)


def check_variance_scaling(scale: float, mode: str, distribution: str) -> str:
    """Checks the arguments of a VarianceScaling initializer; returns the distribution in lower case."""
    if scale <= 0.0:
        raise ValueError("`scale` must be positive float.")
    if mode not in ("fan_in", "fan_out", "fan_avg"):
        raise ValueError("Invalid `mode` argument:", mode)
    distribution = distribution.lower()
    if distribution not in ("normal", "uniform", "truncated_normal", "untruncated_normal"):
        raise ValueError("Invalid `distribution` argument:", distribution)
    return distribution


def scaled_distribution(
    scale: float, mode: str, distribution: str, shape: Sequence[int]
) -> tuple[str, float, float]:
    """Returns the random op for variance scale / n, and its two parameters; see VarianceScaling."""
    fan_in, fan_out = fans(shape)
    n = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2.0}[mode]
    variance = scale / max(1.0, n)
    if distribution == "uniform":
        limit = math.sqrt(3.0 * variance)
        return "random_uniform", -limit, limit
    stddev = math.sqrt(variance)
    if distribution == "untruncated_normal":
        return "random_normal", 0.0, stddev
    return "truncated_normal", 0.0, stddev / _TRUNCATED_STDDEV


class VarianceScaling(Initializer):
    """Random distribution with variance scale / n.

    Args:
      scale: a positive number.
      mode: definition of n: "fan_in" (inputs of the layer), "fan_out" (outputs) or "fan_avg" (their mean).
      distribution: "truncated_normal" (or "normal"), "untruncated_normal" or "uniform".
      seed: the op seed.
      dtype: default dtype of calls, floating-point.

    Raises:
      ValueError: for an invalid scale, mode, distribution or dtype.
    """

    _arguments: tuple[str, ...] = ("scale", "mode", "distribution", "seed", "dtype")

    @_dtype_is_for_calls
    @deprecated_arg_values(
        None,
        "`normal` is a deprecated alias for `truncated_normal`",
        distribution="normal",
    )
    def __init__(
        self,
        scale: float = 1.0,
        mode: str = "fan_in",
        distribution: str = "truncated_normal",
        seed: int | None = None,
        dtype: DTypeLike = dtypes.float32,
    ):
        self.distribution = check_variance_scaling(scale, mode, distribution)
        self.scale = scale
        self.mode = mode
        self.seed = seed
        self.dtype = floating(dtype)

    def _initial_value(self, shape: Any, dtype: Any, part: PartitionInfo | None) -> Tensor:
        full_shape = shape if part is None else part.full_shape
        name, *parameters = scaled_distribution(
            self.scale, self.mode, self.distribution, full_shape
        )
        return getattr(ops, name)(shape, *parameters, dtype, seed=self.seed)


class GlorotUniform(VarianceScaling):
    """Glorot (Xavier) uniform initializer, within +-sqrt(6 / (inputs + outputs)); the default of `get_variable`."""

    _arguments = ("seed", "dtype")

    @_dtype_is_for_calls
    def __init__(self, seed: int | None = None, dtype: DTypeLike = dtypes.float32):
        super().__init__(scale=1.0, mode="fan_avg", distribution="uniform", seed=seed)


class GlorotNormal(VarianceScaling):
    """Glorot (Xavier) normal initializer, truncated normal with standard deviation sqrt(2 / (inputs + outputs))."""

    _arguments = ("seed", "dtype")

    @_dtype_is_for_calls
    def __init__(self, seed: int | None = None, dtype: DTypeLike = dtypes.float32):
        super().__init__(scale=1.0, mode="fan_avg", distribution="truncated_normal", seed=seed)


def lecun_normal(seed: int | None = None) -> VarianceScaling:
    """Returns the LeCun normal initializer: truncated normal with standard deviation sqrt(1 / inputs)."""
    return VarianceScaling(1.0, "fan_in", "truncated_normal", seed=seed)


def lecun_uniform(seed: int | None = None) -> VarianceScaling:
    """Returns the LeCun uniform initializer: uniform within +-sqrt(3 / inputs)."""
    return VarianceScaling(1.0, "fan_in", "uniform", seed=seed)


def he_normal(seed: int | None = None) -> VarianceScaling:
    """Returns the He normal initializer: truncated normal with standard deviation sqrt(2 / inputs)."""
    return VarianceScaling(2.0, "fan_in", "truncated_normal", seed=seed)


def he_uniform(seed: int | None = None) -> VarianceScaling:
    """Returns the He uniform initializer: uniform within +-sqrt(6 / inputs)."""
    return VarianceScaling(2.0, "fan_in", "uniform", seed=seed)


class Orthogonal(Initializer):
    """Random orthogonal matrix times `gain`.

    For shapes of rank above 2, all dimensions except the last are flattened; the rows or the columns, whichever are
    fewer, are orthonormal.

    Raises, when called:
      ValueError: for a rank below 2.
    """

    _arguments = ("gain", "seed", "dtype")

    @_dtype_is_for_calls
    def __init__(
        self, gain: float = 1.0, seed: int | None = None, dtype: DTypeLike = dtypes.float32
    ):
        self.gain = gain
        self.dtype = floating(dtype)
        self.seed = seed

    def _initial_value(self, shape: Any, dtype: Any, part: PartitionInfo | None) -> Tensor:
        if len(shape) < 2:
            raise ValueError("The tensor to initialize must be at least two-dimensional")
        rows = 1
        for size in shape[:-1]:
            rows *= size
        rows, columns = int(rows), int(shape[-1])
        flat = (max(rows, columns), min(rows, columns))
        q = orthogonal_columns(flat, dtype, self.seed)
        if rows < columns:
            q = ops.matrix_transpose(q)
        return self.gain * ops.reshape(q, shape)


def orthogonal_columns(shape: Sequence[int], dtype: Any, seed: int | None, **qr: Any) -> Any:
    """Returns a random matrix with orthonormal columns, uniformly distributed owing to signs from R's diagonal."""
    a = ops.random_normal(shape, dtype=dtype, seed=seed)
    q, r = raw.Qr(a, **qr)
    return q * ops.sign(ops.diag_part(r))


class Identity(Initializer):
    """Identity matrix times `gain`, for shapes of rank 2.

    Raises, when called:
      ValueError: for other ranks.
    """

    _arguments = ("gain", "dtype")

    @_dtype_is_for_calls
    def __init__(self, gain: float = 1.0, dtype: DTypeLike = dtypes.float32):
        self.gain = gain
        self.dtype = floating(dtype)

    def _initial_value(self, shape: Any, dtype: Any, part: PartitionInfo | None) -> Tensor:
        full_shape = shape if part is None else part.full_shape
        if len(full_shape) != 2:
            raise ValueError("Identity matrix initializer can only be used for 2D matrices.")
        if isinstance(full_shape, TensorShape):
            full_shape = full_shape.as_list()
        rows, columns = full_shape
        value = ops.eye(rows, columns, dtype=dtype)
        if part is not None:
            value = ops.slice(value, part.var_offset, shape)
        return self.gain * value
