"""`tf.layers.BatchNormalization` and `tf.layers.batch_normalization`."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.nn.layers.base import Layer
from tfmini._src.nn.layers.keras import batch_normalization as core
from tfmini._src.nn.layers.signatures import defaults
from tfmini._src.variables.initializers import Ones, Zeros

_ZEROS = Zeros()
_ONES = Ones()


@defaults(
    beta_initializer=_ZEROS,
    gamma_initializer=_ONES,
    moving_mean_initializer=_ZEROS,
    moving_variance_initializer=_ONES,
)
class BatchNormalization(core.BatchNormalization, Layer):
    __doc__ = core.BatchNormalization.__doc__

    def call(self, inputs: Any, training: Any = False) -> Any:
        """The normalized inputs; by the batch's own statistics if `training`, a bool or a bool tensor."""
        return super().call(inputs, training=training)


@deprecated(
    None,
    "Use keras.layers.BatchNormalization instead.  In particular, "
    "`tf.control_dependencies(tf.GraphKeys.UPDATE_OPS)` should not be used (consult the "
    "`tf.keras.layers.batch_normalization` documentation).",
)
def batch_normalization(
    inputs: Any,
    axis: Any = -1,
    momentum: float = 0.99,
    epsilon: float = 0.001,
    center: bool = True,
    scale: bool = True,
    beta_initializer: Any = _ZEROS,
    gamma_initializer: Any = _ONES,
    moving_mean_initializer: Any = _ZEROS,
    moving_variance_initializer: Any = _ONES,
    beta_regularizer: Any = None,
    gamma_regularizer: Any = None,
    beta_constraint: Any = None,
    gamma_constraint: Any = None,
    training: Any = False,
    trainable: bool = True,
    name: Any = None,
    reuse: Any = None,
    renorm: bool = False,
    renorm_clipping: dict | None = None,
    renorm_momentum: float = 0.99,
    fused: bool | None = None,
    virtual_batch_size: int | None = None,
    adjustment: Any = None,
) -> Any:
    """(x - mean) / sqrt(variance + epsilon) * gamma + beta; see `tf.layers.BatchNormalization`.

    Args:
      inputs: a float tensor of known rank.
      training: whether to normalize by the batch's own statistics: a bool, or a scalar bool tensor.
      reuse: whether to use the weights of the layer of that name.
      axis, momentum, epsilon, center, scale, beta_initializer, gamma_initializer, moving_mean_initializer,
        moving_variance_initializer, beta_regularizer, gamma_regularizer, beta_constraint, gamma_constraint, trainable,
        name, renorm, renorm_clipping, renorm_momentum, fused, virtual_batch_size, adjustment: as for the class.

    Returns:
      A tensor of the shape and dtype of `inputs`.

    Raises:
      ValueError: if the channels' number is not known statically, or arguments do not fit.

    Example:
      y = tf.layers.batch_normalization(x, training=is_training)
      with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
          train = optimizer.minimize(loss)
    """
    layer = BatchNormalization(
        axis=axis,
        momentum=momentum,
        epsilon=epsilon,
        center=center,
        scale=scale,
        beta_initializer=beta_initializer,
        gamma_initializer=gamma_initializer,
        moving_mean_initializer=moving_mean_initializer,
        moving_variance_initializer=moving_variance_initializer,
        beta_regularizer=beta_regularizer,
        gamma_regularizer=gamma_regularizer,
        beta_constraint=beta_constraint,
        gamma_constraint=gamma_constraint,
        renorm=renorm,
        renorm_clipping=renorm_clipping,
        renorm_momentum=renorm_momentum,
        fused=fused,
        trainable=trainable,
        virtual_batch_size=virtual_batch_size,
        adjustment=adjustment,
        name=name,
        _reuse=reuse,
        _scope=name,
    )
    return layer.apply(inputs, training=training)
