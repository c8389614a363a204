"""Random features whose inner products approximate a Gaussian kernel."""

from __future__ import annotations

import abc
import math
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops


class InvalidShapeError(Exception):
    """Raised for rows whose rank or length a mapper does not support."""


class DenseKernelMapper(abc.ABC):
    """Interface of mappers, which map rows of features to rows of kernel features."""

    @abc.abstractmethod
    def map(self, input_tensor: TensorLike) -> Tensor:
        """Maps rows, [batch, input_dim], to features, [batch, output_dim]."""

    @property
    @abc.abstractmethod
    def name(self) -> str:
        """Name of the mapper."""

    @property
    @abc.abstractmethod
    def output_dim(self) -> int:
        """Number of output features."""


class RandomFourierFeatureMapper(DenseKernelMapper):
    """Maps x to sqrt(2 / D) cos(x @ omega + b); inner products approximate exp(-|x - y|^2 / (2 stddev^2)).

    omega is normal with standard deviation 1 / stddev, b uniform in [0, 2 pi). Both are graph constants drawn by
    NumPy's global generator, which `seed` reseeds.

    Args:
      input_dim: number of features per row.
      output_dim: number of output features D.
      stddev: standard deviation of the kernel.
      seed: seed of NumPy's generator, for reproducible features.
      name: mapper name, by default its id.

    Rahimi and Recht, "Random Features for Large-Scale Kernel Machines", 2007.

    Example:
      mapper = tf.contrib.kernel_methods.RandomFourierFeatureMapper(784, 2000, stddev=5.0)
      features = mapper.map(images)  # [batch, 2000]
    """

    input_dim: int = read_only("Number of features in an input row.")
    output_dim: int = read_only("Number of output features.")

    def __init__(
        self,
        input_dim: int,
        output_dim: int,
        stddev: float = 1.0,
        seed: int = 1,
        name: str | None = None,
    ):
        self._input_dim = input_dim
        self._output_dim = output_dim
        self._stddev = stddev
        self._seed = seed
        self._name = name

    @property
    def name(self) -> str:
        """Name of the mapper."""
        return self._name or str(id(self))

    def map(self, input_tensor: Any) -> Tensor:
        """Maps rows to features.

        Args:
          input_tensor: [batch, input_dim] float32 tensor.

        Returns:
          [batch, output_dim] float32 tensor.

        Raises:
          InvalidShapeError: for any other rank or row length.
        """
        shape = input_tensor.get_shape()
        if len(shape) != 2:
            raise InvalidShapeError(
                f"The shape of the tensor should be 2. Got {len(shape)} instead."
            )
        if shape[1] != self._input_dim:
            raise InvalidShapeError(
                f"Invalid dimension: expected {self._input_dim} input features, got {shape[1]} instead."
            )
        np.random.seed(self._seed)  # TensorFlow's generator
        omega = np.random.normal(scale=1.0 / self._stddev, size=[self._input_dim, self._output_dim])
        bias = np.random.uniform(low=0.0, high=2 * np.pi, size=[self._output_dim])
        omega_tensor = ops.constant(omega, dtype=dtypes.float32)
        bias_tensor = ops.constant(bias, dtype=dtypes.float32)
        angles = ops.add(ops.matmul(input_tensor, omega_tensor), bias_tensor)
        return math.sqrt(2.0 / self._output_dim) * ops.cos(angles)
