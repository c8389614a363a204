"""Generalized divisive normalization: each channel divided by a root of a weighted sum of all squared channels.

J. Ballé, V. Laparra and E. Simoncelli, "Density modeling of images using a generalized normalization
transformation", ICLR 2016; the inverse: "End-to-end optimized image compression", ICLR 2017.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.autodiff.register_gradient import RegisterGradient
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.base import Layer
from tfmini._src.nn.layers.input_spec import InputSpec
from tfmini._src.ops import ops
from tfmini._src.variables.variable import Variable

_CHANNELS = {"channels_first": 1, "channels_last": -1}


@RegisterGradient("GDNLowerBound")
def _bound_gradient(op: Any, grad: Tensor) -> list:
    """Returns the gradient of a lower bound: below the bound, only gradients that raise the input pass."""
    inputs, bound = op.inputs
    passes = ops.logical_or(inputs >= bound, grad < 0)
    return [ops.cast(passes, grad.dtype) * grad, None]


def _lower_bound(inputs: Any, bound: Any) -> Tensor:
    """Returns the elementwise maximum with `bound`, with `_bound_gradient` as its gradient."""
    with name_scope(None, "GDNLowerBound", [inputs, bound]) as scope:
        inputs = convert_to_tensor(inputs, name="inputs")
        bound = convert_to_tensor(bound, name="bound")
        with get_default_graph().gradient_override_map({"Maximum": "GDNLowerBound"}):
            return ops.maximum(inputs, bound, name=scope)


class GDN(Layer):
    """Layer y[i] = x[i] / sqrt(beta[i] + sum over j of gamma[j, i] * x[j]^2), i and j over the channels.

    Its weights are `reparam_beta` [channels] and `reparam_gamma` [channels, channels]: the roots of beta and gamma with
    a small offset, which keeps both nonnegative and trainable near 0.

    Args:
      inverse: whether to multiply by the root instead.
      beta_min: minimum beta.
      gamma_init: initial diagonal of gamma; other elements are 0.
      reparam_offset: minimum of the trained roots.
      data_format: "channels_last" or "channels_first".
      activity_regularizer: a function of the outputs that returns a loss.
      trainable: whether its weights are trainable.
      name: layer name.

    Example: `y = tf.contrib.layers.GDN()(tf.layers.conv2d(images, 64, 5, 2))`
    """

    def __init__(
        self,
        inverse: bool = False,
        beta_min: float = 1e-6,
        gamma_init: float = 0.1,
        reparam_offset: float = 2**-18,
        data_format: str = "channels_last",
        activity_regularizer: Any = None,
        trainable: bool = True,
        name: str | None = None,
        **kwargs: Any,
    ):
        super().__init__(
            trainable=trainable, name=name, activity_regularizer=activity_regularizer, **kwargs
        )
        self.inverse = inverse
        self._beta_min = beta_min
        self._gamma_init = gamma_init
        self._reparam_offset = reparam_offset
        self.data_format = data_format
        self._channel_axis()
        self.input_spec = InputSpec(min_ndim=3, max_ndim=5)

    def _channel_axis(self) -> int:
        if self.data_format not in _CHANNELS:
            raise ValueError(f"Unsupported `data_format` for GDN layer: {self.data_format}.")
        return _CHANNELS[self.data_format]

    def build(self, input_shape: Any) -> None:
        """Creates the weights for inputs [batch, sizes ..., channels].

        Raises:
          ValueError: if the number of channels is unknown.
        """
        axis = self._channel_axis()
        input_shape = TensorShape(input_shape)
        channels = input_shape.dims[axis].value
        if channels is None:
            raise ValueError("The channel dimension of the inputs to `GDN` must be defined.")
        self._input_rank = input_shape.ndims
        self.input_spec = InputSpec(ndim=input_shape.ndims, axes={axis: channels})
        offset = self._reparam_offset
        pedestal = ops.constant(offset**2, dtype=self.dtype)
        least_beta = ops.constant((self._beta_min + offset**2) ** 0.5, dtype=self.dtype)
        least_gamma = ops.constant(offset, dtype=self.dtype)

        def beta_initializer(shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
            pedestal = ops.constant(offset**2, dtype=self.dtype)
            return ops.sqrt(ops.ones(shape, dtype=dtype) + pedestal)

        def gamma_initializer(shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
            eye = ops.eye(shape[0], dtype=dtype)
            pedestal = ops.constant(offset**2, dtype=self.dtype)
            return ops.sqrt(self._gamma_init * eye + pedestal)

        beta = self._weight("reparam_beta", [channels], beta_initializer)
        self.beta = ops.square(_lower_bound(beta, least_beta)) - pedestal
        gamma = self._weight("reparam_gamma", [channels, channels], gamma_initializer)
        self.gamma = ops.square(_lower_bound(gamma, least_gamma)) - pedestal
        self.built = True

    def _weight(self, name: str, shape: list, initializer: Any) -> Any:
        return self.add_weight(
            name, shape=shape, initializer=initializer, dtype=self.dtype, trainable=True
        )

    def call(self, inputs: TensorLike) -> Tensor:
        """Returns the normalized inputs, of the same shape."""
        inputs = convert_to_tensor(inputs, dtype=self.dtype)
        rank = self._input_rank
        gamma = ops.reshape(self.gamma, (rank - 2) * [1] + self.gamma.shape.as_list())
        if self.data_format == "channels_first":
            order = "NC" + "DHW"[-(rank - 2) :]
            pool = ops.convolution(ops.square(inputs), gamma, "VALID", data_format=order)
            pool = self._add_beta(pool)
        else:
            pool = ops.convolution(ops.square(inputs), gamma, "VALID")
            pool = ops.bias_add(pool, self.beta, data_format="NHWC")
        pool = ops.sqrt(pool)
        outputs = inputs * pool if self.inverse else inputs / pool
        outputs.set_shape(inputs.shape)
        return outputs

    def _add_beta(self, pool: Tensor) -> Tensor:
        """Adds beta along axis 1, after a reshape, as bias_add supports that layout for images only."""
        if self._input_rank == 3:
            pool = ops.expand_dims(pool, 2)
            pool = ops.bias_add(pool, self.beta, data_format="NCHW")
            return ops.squeeze(pool, [2])
        if self._input_rank == 4:
            return ops.bias_add(pool, self.beta, data_format="NCHW")
        shape = ops.shape(pool)
        pool = ops.reshape(pool, ops.concat([shape[:3], [-1]], 0))
        pool = ops.bias_add(pool, self.beta, data_format="NCHW")
        return ops.reshape(pool, shape)

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        """Returns the input shape."""
        axis = self._channel_axis()
        input_shape = TensorShape(input_shape)
        if not 3 <= input_shape.ndims <= 5:
            raise ValueError("`input_shape` must be of rank 3 to 5, inclusive.")
        if input_shape.dims[axis].value is None:
            raise ValueError("The channel dimension of `input_shape` must be defined.")
        return input_shape


def gdn(
    inputs: Tensor | Variable,
    inverse: bool = False,
    beta_min: float = 1e-6,
    gamma_init: float = 0.1,
    reparam_offset: float = 2**-18,
    data_format: str = "channels_last",
    activity_regularizer: str | Callable[..., Any] | None = None,
    trainable: bool = True,
    name: str | None = None,
    reuse: bool | None = None,
) -> Tensor:
    """Creates and calls a `GDN` layer.

    Args:
      inputs: a float tensor [batch, sizes ..., channels] of rank 3 to 5 with a known number of channels.
      reuse: whether to reuse the weights of the layer with that name.
      inverse, beta_min, gamma_init, reparam_offset, data_format, activity_regularizer, trainable, name: as in `GDN`.

    Returns:
      A tensor of the shape and dtype of `inputs`.

    Raises:
      ValueError: for any other rank or data format, or an unknown number of channels.
    """
    layer = GDN(
        inverse=inverse,
        beta_min=beta_min,
        gamma_init=gamma_init,
        reparam_offset=reparam_offset,
        data_format=data_format,
        activity_regularizer=activity_regularizer,
        trainable=trainable,
        name=name,
        dtype=inputs.dtype.base_dtype,
        _scope=name,
        _reuse=reuse,
    )
    return layer.apply(inputs)
