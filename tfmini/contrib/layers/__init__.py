"""`tf.contrib.layers`: initializers."""

from tfmini.contrib.layers.initializers import (
    variance_scaling_initializer,
    xavier_initializer,
    xavier_initializer_conv2d,
)
from tfmini.hints import no_attributes as _no_attributes

__all__ = [
    "variance_scaling_initializer",
    "xavier_initializer",
    "xavier_initializer_conv2d",
]

__getattr__ = _no_attributes(__name__, globals())
