"""`tf.layers.Dense` and `tf.layers.dense`."""

from typing import Any

from tfmini._src.base.names.signature import change_defaults
from tfmini._src.graph.tensor import Tensor
from tfmini._src.nn.layers.base import Layer
from tfmini._src.nn.layers.keras import dense as core
from tfmini._src.nn.layers.layer_function import arguments, layer_function
from tfmini._src.variables.initializers import Zeros

_ZEROS = Zeros()


@change_defaults(kernel_initializer=None, bias_initializer=_ZEROS)
class Dense(core.Dense, Layer):
    pass


@layer_function(Dense, "Use keras.layers.Dense instead.")
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
) -> Tensor:
    return arguments(locals())
