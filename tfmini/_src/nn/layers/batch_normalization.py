"""`tf.layers.BatchNormalization` and `tf.layers.batch_normalization`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tfmini._src.base.names.signature import change_defaults
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.base import Layer
from tfmini._src.nn.layers.keras import batch_normalization as core
from tfmini._src.nn.layers.layer_function import arguments, layer_function
from tfmini._src.variables.initializers import Ones, Zeros

if TYPE_CHECKING:
    from tfmini._src.nn.layers.deserialize import Identifier


_ZEROS = Zeros()
_ONES = Ones()


@change_defaults(
    beta_initializer=_ZEROS,
    gamma_initializer=_ONES,
    moving_mean_initializer=_ZEROS,
    moving_variance_initializer=_ONES,
)
class BatchNormalization(core.BatchNormalization, Layer):
    def call(self, inputs: Tensor, training: TensorLike = False) -> Any:
        """Normalizes the inputs, by the batch's own statistics if `training`, a bool or bool tensor, is true."""
        return super().call(inputs, training=training)


@layer_function(
    BatchNormalization,
    "Use keras.layers.BatchNormalization instead.  In particular, "
    "`tf.control_dependencies(tf.GraphKeys.UPDATE_OPS)` should not be used (consult the "
    "`tf.keras.layers.batch_normalization` documentation).",
)
def batch_normalization(
    inputs: TensorLike,
    axis: TensorLike = -1,
    momentum: float = 0.99,
    epsilon: float = 0.001,
    center: bool = True,
    scale: bool = True,
    beta_initializer: str | Callable[..., Any] | None = _ZEROS,
    gamma_initializer: str | Callable[..., Any] | None = _ONES,
    moving_mean_initializer: Identifier | None = _ZEROS,
    moving_variance_initializer: Identifier | None = _ONES,
    beta_regularizer: str | Callable[..., Any] | None = None,
    gamma_regularizer: str | Callable[..., Any] | None = None,
    beta_constraint: str | Callable[..., Any] | None = None,
    gamma_constraint: str | Callable[..., Any] | None = None,
    training: TensorLike | None = False,
    trainable: bool = True,
    name: str | None = None,
    reuse: bool | None = None,
    renorm: bool = False,
    renorm_clipping: dict[Any, Any] | None = None,
    renorm_momentum: float = 0.99,
    fused: bool | None = None,
    virtual_batch_size: int | None = None,
    adjustment: Callable[..., Any] | None = None,
) -> Tensor:
    return arguments(locals())
