"""`RandomFourierFeatures`: random features whose dot products approximate a kernel.

The kernels and their features: Rahimi and Recht, "Random Features for Large-Scale Kernel Machines" (NIPS 2007).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.dtypes import float32
from tfmini._src.base.shapes import TensorShape, dimension_value
from tfmini._src.nn.layers.base_layer import Layer
from tfmini._src.nn.layers.deserialize import to_config
from tfmini._src.nn.layers.input_spec import InputSpec
from tfmini._src.ops import ops, raw
from tfmini._src.variables.initializers import Constant, Initializer, RandomNormal, RandomUniform

_KERNELS = ["gaussian", "laplacian"]


class RandomFourierFeatures(Layer):
    """Computes cos(inputs @ kernel / scale + bias), with a random kernel and bias.

    Up to a factor, the product of the features of x and y approximates a kernel: "gaussian" is
    exp(-|x - y|^2 / (2 scale^2)), by Euclidean distance, "laplacian" is exp(-|x - y|_1 / scale), by absolute distance.
    Inputs are [batch, depth], outputs [batch, output_dim] float32. A linear model on these features approximates
    a kernel machine.

    Args:
      output_dim: number of features.
      kernel_initializer: "gaussian", "laplacian", or an initializer of [depth, output_dim].
      scale: scale of the distance; by default sqrt(depth / 2) for "gaussian", else 1.
      trainable: whether the scale is trained.
      name: the layer's name.

    Raises:
      ValueError: for a dimension or scale that is not positive, or an unknown kernel name; when called, for inputs of
        the wrong rank or of unknown depth.
    """

    def __init__(
        self,
        output_dim: int,
        kernel_initializer: Any = "gaussian",
        scale: float | None = None,
        trainable: bool = False,
        name: str | None = None,
        **kwargs: Any,
    ):
        if output_dim <= 0:
            raise ValueError(f"`output_dim` should be a positive integer. Given: {output_dim}.")
        if isinstance(kernel_initializer, str) and kernel_initializer.lower() not in _KERNELS:
            raise ValueError(
                f"Unsupported kernel type: '{kernel_initializer}'. Supported kernel types: {_KERNELS}."
            )
        if scale is not None and scale <= 0.0:
            raise ValueError(f"When provided, `scale` should be a positive float. Given: {scale}.")
        super().__init__(trainable=trainable, name=name, **kwargs)
        self.output_dim = output_dim
        self.kernel_initializer = kernel_initializer
        self.scale = scale

    def build(self, input_shape: Any) -> None:
        """Draws kernel and bias for inputs of this shape."""
        shape = TensorShape(input_shape)
        if shape.ndims != 2:
            raise ValueError(
                f"The rank of the input tensor should be 2. Got {shape.ndims} instead."
            )
        depth = dimension_value(shape[1])
        if depth is None:
            raise ValueError(
                "The last dimension of the inputs to `RandomFourierFeatures` should be defined. Found `None`."
            )
        self.input_spec = InputSpec(ndim=2, axes={1: depth})
        unscaled = self.add_weight(
            "unscaled_random_features",
            shape=(depth, self.output_dim),
            dtype=float32,
            initializer=self._initializer(depth),
            trainable=False,
        )
        self.bias = self.add_weight(
            "random_features_bias",
            shape=(self.output_dim,),
            dtype=float32,
            initializer=RandomUniform(0.0, 2 * np.pi, dtype=float32),
            trainable=False,
        )
        if self.scale is None:
            self.scale = np.sqrt(depth / 2.0) if self._kernel_name == "gaussian" else 1.0
        scale = self.add_weight(
            "random_features_scale",
            shape=(1,),
            dtype=float32,
            initializer=Constant(self.scale),
            trainable=True,
            constraint="NonNeg",
        )
        self.kernel = (1.0 / scale) * unscaled
        self.built = True

    @property
    def _kernel_name(self) -> str | None:
        name = self.kernel_initializer
        return name.lower() if isinstance(name, str) else None

    def _initializer(self, depth: int) -> Any:
        if self._kernel_name == "gaussian":
            return RandomNormal(stddev=1.0)
        if self._kernel_name == "laplacian":  # its Fourier transform is a Cauchy distribution
            probabilities = np.random.uniform(0.0, 1.0, (depth, self.output_dim))
            return Constant(np.tan(np.pi * (probabilities - 0.5)))
        return self.kernel_initializer

    def call(self, inputs: Any) -> Any:
        """Computes the features: [batch, output_dim] float32."""
        x = raw.Cast(ops.convert_to_tensor(inputs, dtype=self.dtype), DstT=float32)
        return raw.Cos(ops.bias_add(raw.MatMul(x, self.kernel), self.bias))

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        """Returns [batch, output_dim]."""
        shape = TensorShape(input_shape).with_rank(2)
        if dimension_value(shape[-1]) is None:
            raise ValueError(
                f"The innermost dimension of input shape must be defined. Given: {shape}"
            )
        return shape[:-1].concatenate(self.output_dim)

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments, as plain data."""
        kernel = self.kernel_initializer
        return {
            **super().get_config(),
            "output_dim": self.output_dim,
            "kernel_initializer": to_config(kernel) if isinstance(kernel, Initializer) else kernel,
            "scale": self.scale,
        }
