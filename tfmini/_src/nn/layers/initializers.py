"""Initializers with Keras's defaults, with lookup by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base.dtypes import DTypeLike, float32
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.nn.layers.deserialize import Identifier, deserialize_object, resolve, to_config
from tfmini._src.variables import initializers

# Layers use smaller default deviations for these than `tf.initializers`.


class RandomNormal(initializers.RandomNormal):
    """Initializer with a normal distribution, by default with standard deviation 0.05.

    Args:
      mean, stddev: parameters of the distribution.
      seed: an integer; see `tf.set_random_seed`.
      dtype: the default dtype of calls.
    """

    def __init__(
        self,
        mean: TensorLike = 0.0,
        stddev: TensorLike = 0.05,
        seed: int | None = None,
        dtype: DTypeLike = float32,
    ):
        super().__init__(mean=mean, stddev=stddev, seed=seed, dtype=dtype)


class RandomUniform(initializers.RandomUniform):
    """Initializer with a uniform distribution, by default from -0.05 to 0.05.

    Args:
      minval, maxval: the bounds.
      seed: an integer; see `tf.set_random_seed`.
      dtype: the default dtype of calls.
    """

    def __init__(
        self,
        minval: TensorLike = -0.05,
        maxval: TensorLike = 0.05,
        seed: int | None = None,
        dtype: Any = float32,
    ):
        super().__init__(minval=minval, maxval=maxval, seed=seed, dtype=dtype)


class TruncatedNormal(initializers.TruncatedNormal):
    """Initializer with a normal distribution truncated at two standard deviations; `stddev` defaults to 0.05.

    Args:
      mean, stddev: parameters of the distribution.
      seed: an integer; see `tf.set_random_seed`.
      dtype: the default dtype of calls.
    """

    def __init__(
        self,
        mean: TensorLike = 0.0,
        stddev: TensorLike = 0.05,
        seed: int | None = None,
        dtype: DTypeLike = float32,
    ):
        super().__init__(mean=mean, stddev=stddev, seed=seed, dtype=dtype)


INITIALIZERS: dict[str, Callable] = {
    "Constant": initializers.Constant,
    "GlorotNormal": initializers.GlorotNormal,
    "GlorotUniform": initializers.GlorotUniform,
    "Identity": initializers.Identity,
    "Ones": initializers.Ones,
    "Orthogonal": initializers.Orthogonal,
    "RandomNormal": RandomNormal,
    "RandomUniform": RandomUniform,
    "TruncatedNormal": TruncatedNormal,
    "VarianceScaling": initializers.VarianceScaling,
    "Zeros": initializers.Zeros,
    "constant": initializers.Constant,
    "glorot_normal": initializers.GlorotNormal,
    "glorot_uniform": initializers.GlorotUniform,
    "he_normal": initializers.he_normal,
    "he_uniform": initializers.he_uniform,
    "identity": initializers.Identity,
    "lecun_normal": initializers.lecun_normal,
    "lecun_uniform": initializers.lecun_uniform,
    "normal": RandomNormal,
    "one": initializers.Ones,
    "ones": initializers.Ones,
    "orthogonal": initializers.Orthogonal,
    "random_normal": RandomNormal,
    "random_uniform": RandomUniform,
    "truncated_normal": TruncatedNormal,
    "uniform": RandomUniform,
    "zero": initializers.Zeros,
    "zeros": initializers.Zeros,
}


def find_initializer(identifier: Any) -> Any:
    """Resolves a name, configuration or class to an initializer; functions are returned unchanged.

    Raises:
      ValueError: for an unknown name, or an `identifier` of an unsupported type.
    """
    if identifier is None:
        return None
    if isinstance(identifier, type):
        return identifier()
    return resolve(identifier, INITIALIZERS, "initializer")


def serialize(initializer: str | Callable[..., Any] | None) -> Any:
    """Returns the configuration of an initializer."""
    return to_config(initializer)


def deserialize(config: Identifier, custom_objects: dict[str, Any] | None = None) -> Any:
    """Creates an initializer from a name or configuration.

    Args:
      config: a name, or {"class_name": ..., "config": ...}.
      custom_objects: additional objects by name.
    """
    return deserialize_object(config, INITIALIZERS, custom_objects, "initializer")


get = find_initializer
