"""Flows in which each element depends on its predecessors, enforced by masked layers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfmini._src.base.shapes import dimension_value
from tfmini._src.contrib.distributions.bijectors.bijector import Bijector
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.nn.layers.dense import Dense
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import get_variable_scope
from tfmini._src.variables.initializers import GlorotNormal
from tfmini._src.variables.template import make_template
from tfmini._src.variables.variable_scope import variable_scope


class MaskedAutoregressiveFlow(Bijector):
    """The bijector y[d] = x[d] exp(log_scale(y)[d]) + shift(y)[d], where [d] reads only y[:d].

    `inverse` calls the function once, `forward` once per element.

    Args:
      shift_and_log_scale_fn: a function of [..., n] tensors that returns shift and log scale, each [..., n] or
        None, such as the result of `masked_autoregressive_default_template`.
      is_constant_jacobian: whether log_scale is the same for all y.
      validate_args: unused.
      unroll_loop: whether `forward` unrolls its loop, which requires a static n.
      name: the name scope of the nodes, "masked_autoregressive_flow" by default.

    Raises:
      ValueError: in `forward`, if `unroll_loop` is set and n is unknown.

    Papamakarios et al., "Masked Autoregressive Flow for Density Estimation", 2017; inverted it is the
    flow of Kingma et al., "Improving Variational Inference with Inverse Autoregressive Flow", 2016.

    Example:
      c = tf.contrib.distributions
      net = c.bijectors.masked_autoregressive_default_template(hidden_layers=[64, 64])
      flow = c.TransformedDistribution(
          c.Normal(0.0, 1.0), c.bijectors.MaskedAutoregressiveFlow(net), event_shape=[3])
    """

    @moved
    def __init__(
        self,
        shift_and_log_scale_fn: Callable[..., Any],
        is_constant_jacobian: bool = False,
        validate_args: bool = False,
        unroll_loop: bool = False,
        name: str | None = None,
    ):
        name = name or "masked_autoregressive_flow"
        self._shift_and_log_scale_fn = shift_and_log_scale_fn
        self._unroll_loop = unroll_loop
        super().__init__(
            forward_min_event_ndims=1,
            is_constant_jacobian=is_constant_jacobian,
            validate_args=validate_args,
            name=name,
        )

    def _forward(self, x: Tensor) -> Tensor:
        width = dimension_value(x.shape.with_rank_at_least(1)[-1])
        if self._unroll_loop:
            if width is None:
                raise ValueError(
                    "The final dimension of `x` must be known at graph construction time if "
                    f"`unroll_loop=True`. `x.shape: {x.shape!r}`"
                )
            y = ops.zeros_like(x, name="y0")
            for _ in range(width):
                y = self._step(x, y)
            return y
        size = ops.shape(x)[-1]
        start = ops.zeros_like(x, name="y0")
        self._shift_and_log_scale_fn(start)  # creates the variables outside the loop

        def body(index: Any, y: Tensor) -> tuple[Any, Tensor]:
            with variable_scope(get_variable_scope()) as scope:
                if scope.caching_device is None:
                    scope.set_caching_device(lambda op: op.device)
                shift, log_scale = self._shift_and_log_scale_fn(y)
            y = _scale_and_shift(x, shift, log_scale)
            return index + 1, y

        return ops.while_loop(
            lambda index, _: index < size, body, loop_vars=(0, start), maximum_iterations=width
        )[1]

    def _step(self, x: Tensor, y: Tensor) -> Tensor:
        shift, log_scale = self._shift_and_log_scale_fn(y)
        return _scale_and_shift(x, shift, log_scale)

    def _inverse(self, y: Tensor) -> Tensor:
        shift, log_scale = self._shift_and_log_scale_fn(y)
        x = y if shift is None else y - shift
        return x if log_scale is None else x * ops.exp(-log_scale)

    def _inverse_log_det_jacobian(self, y: Tensor) -> Tensor:
        _, log_scale = self._shift_and_log_scale_fn(y)
        if log_scale is None:
            return ops.constant(0.0, dtype=y.dtype, name="ildj")
        return -ops.reduce_sum(log_scale, axis=-1)


def _scale_and_shift(x: Tensor, shift: Any, log_scale: Any) -> Tensor:
    if log_scale is not None:
        x *= ops.exp(log_scale)
    return x if shift is None else x + shift


def _mask(blocks: int, inputs: int, outputs: int, exclusive: bool) -> np.ndarray:
    """Returns an [inputs, outputs] mask: 1 for inputs of earlier blocks and, unless `exclusive`, the output's own."""
    mask = np.zeros([inputs, outputs], np.float32)
    inputs_per_block, outputs_per_block = inputs // blocks, outputs // blocks
    for block in range(blocks):
        first = (block + exclusive) * outputs_per_block
        mask[block * inputs_per_block : (block + 1) * inputs_per_block, first:] = 1
    return mask


@moved
def masked_dense(
    inputs: Any,
    units: int,
    num_blocks: int | None = None,
    exclusive: bool = False,
    kernel_initializer: Callable[..., Any] | None = None,
    reuse: bool | None = None,
    name: str | None = None,
    *args: Any,
    **kwargs: Any,
) -> Tensor:
    """Applies a dense layer whose units read only the inputs of blocks up to their own.

    Args:
      inputs: [..., n] float tensor with static n.
      units: number of outputs, an int.
      num_blocks: number of blocks of inputs and outputs.
      exclusive: whether to also mask the inputs of a unit's own block.
      kernel_initializer: initializer of the unmasked kernel; by default Glorot's normal one.
      reuse: whether to reuse the variables of a layer with this name.
      name: name of the layer.
      *args, **kwargs: further arguments of `tf.layers.Dense`, after `units`.

    Returns:
      [..., units] tensor.

    Raises:
      NotImplementedError: if n is unknown.
    """
    depth = dimension_value(inputs.shape.with_rank_at_least(1)[-1])
    if depth is None:
        raise NotImplementedError("Rightmost dimension must be known prior to graph execution.")
    blocks: Any = num_blocks
    mask = _mask(blocks, depth, units, exclusive)
    initializer = GlorotNormal() if kernel_initializer is None else kernel_initializer

    def masked_initializer(shape: Any, dtype: Any = None, partition_info: Any = None) -> Any:
        return mask * initializer(shape, dtype, partition_info)

    with name_scope(name, "masked_dense", [inputs, units, num_blocks]):
        make: Any = Dense
        layer = make(
            units,
            *args,
            kernel_initializer=masked_initializer,
            kernel_constraint=lambda kernel: mask * kernel,
            name=name,
            dtype=inputs.dtype.base_dtype,
            _scope=name,
            _reuse=reuse,
            **kwargs,
        )
        return layer.apply(inputs)


@moved
def masked_autoregressive_default_template(
    hidden_layers: Sequence[int],
    shift_only: bool = False,
    activation: str | Callable[..., Any] | None = ops.relu,
    log_scale_min_clip: float = -5.0,
    log_scale_max_clip: float = 3.0,
    log_scale_clip_gradient: bool = False,
    name: str | None = None,
    *args: Any,
    **kwargs: Any,
) -> Any:
    """Returns a function for `MaskedAutoregressiveFlow` that computes shift and log scale by masked layers (MADE).

    Args:
      hidden_layers: the units of each hidden layer.
      shift_only: whether to omit the scale.
      activation: activation function of the hidden layers, or None.
      log_scale_min_clip, log_scale_max_clip: bounds of the log scale.
      log_scale_clip_gradient: whether clipped log scales have gradient 0.
      name: name of the template, "masked_autoregressive_default_template" by default.
      *args, **kwargs: further arguments of `tf.layers.Dense`, after `units`.

    Returns:
      A `tf.make_template` function of [..., n] tensors that returns shift and log_scale, both of
      [..., n]; log_scale is None with `shift_only`.

    Raises:
      NotImplementedError: when called, if n is unknown.

    Germain et al., "MADE: Masked Autoencoder for Distribution Estimation", 2015.
    """
    name = name or "masked_autoregressive_default_template"
    dense: Any = masked_dense
    with name_scope(name, values=[log_scale_min_clip, log_scale_max_clip]):

        def shift_and_log_scale(x: Tensor) -> tuple[Tensor, Any]:
            depth = dimension_value(x.shape.with_rank_at_least(1)[-1])
            if depth is None:
                raise NotImplementedError(
                    "Rightmost dimension must be known prior to graph execution."
                )
            is_static = x.shape.is_fully_defined()
            shape: Any = np.array(x.shape.as_list(), np.int32) if is_static else ops.shape(x)
            for i, units in enumerate(hidden_layers):
                x = dense(
                    *args,
                    inputs=x,
                    units=units,
                    num_blocks=depth,
                    exclusive=i == 0,
                    activation=activation,
                    **kwargs,
                )
            outputs = depth if shift_only else 2 * depth
            x = dense(*args, inputs=x, units=outputs, num_blocks=depth, activation=None, **kwargs)
            if shift_only:
                return ops.reshape(x, shape=shape), None
            x = ops.reshape(x, shape=ops.concat([shape, [2]], axis=0))
            shift, log_scale = ops.unstack(x, num=2, axis=-1)
            clip = (
                ops.clip_by_value if log_scale_clip_gradient else _clip_by_value_preserve_gradient
            )
            return shift, clip(log_scale, log_scale_min_clip, log_scale_max_clip)

        return make_template(name, shift_and_log_scale)


def _clip_by_value_preserve_gradient(x: Tensor, minimum: Any, maximum: Any) -> Tensor:
    """Clips `x` but passes gradients through unclipped."""
    with name_scope(None, "clip_by_value_preserve_grad", [x, minimum, maximum]):
        clipped = ops.clip_by_value(x, minimum, maximum)
        return x + ops.stop_gradient(clipped - x)
