"""`tf.layers.Dense` and `tf.layers.dense`: every output depends on every input."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.nn.layers.base import Layer
from tfmini._src.nn.layers.keras import dense as core
from tfmini._src.nn.layers.signatures import defaults
from tfmini._src.variables.initializers import Zeros

_ZEROS = Zeros()


@defaults(kernel_initializer=None, bias_initializer=_ZEROS)
class Dense(core.Dense, Layer):
    __doc__ = core.Dense.__doc__


@deprecated(None, "Use keras.layers.Dense instead.")
def dense(
    inputs: Any,
    units: int,
    activation: Any = None,
    use_bias: bool = True,
    kernel_initializer: Any = None,
    bias_initializer: Any = _ZEROS,
    kernel_regularizer: Any = None,
    bias_regularizer: Any = None,
    activity_regularizer: Any = None,
    kernel_constraint: Any = None,
    bias_constraint: Any = None,
    trainable: bool = True,
    name: Any = None,
    reuse: Any = None,
) -> Any:
    """activation(inputs @ kernel + bias), with a new kernel and bias; see `tf.layers.Dense`.

    Args:
      inputs: [..., depth], a float tensor.
      units: the size of the outputs' last axis.
      activation: a function of a tensor, or the name of one; None for none.
      use_bias: whether there is a bias.
      kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer,
        activity_regularizer, kernel_constraint, bias_constraint, trainable: as for `Dense`.
      name: the name of the layer and its variable scope, "dense" by default, made unique.
      reuse: whether to use the weights of the layer of that name.

    Returns:
      [..., units], a tensor of the same dtype.

    Raises:
      ValueError: if the depth is not known statically, or the inputs have less than two axes.

    Example: `logits = tf.layers.dense(tf.layers.dense(x, 128, tf.nn.relu), 10)`.
    """
    layer = Dense(
        units,
        activation=activation,
        use_bias=use_bias,
        kernel_initializer=kernel_initializer,
        bias_initializer=bias_initializer,
        kernel_regularizer=kernel_regularizer,
        bias_regularizer=bias_regularizer,
        activity_regularizer=activity_regularizer,
        kernel_constraint=kernel_constraint,
        bias_constraint=bias_constraint,
        trainable=trainable,
        name=name,
        _scope=name,
        _reuse=reuse,
    )
    return layer.apply(inputs)
