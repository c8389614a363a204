"""`tf.contrib.mixed_precision`: scaled losses, so that small float16 gradients are not 0."""

from tfmini.contrib.mixed_precision.managers import (
    ExponentialUpdateLossScaleManager,
    FixedLossScaleManager,
    LossScaleManager,
)
from tfmini.contrib.mixed_precision.scaled_optimizer import LossScaleOptimizer
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "ExponentialUpdateLossScaleManager",
    "FixedLossScaleManager",
    "LossScaleManager",
    "LossScaleOptimizer",
]

_namespace(globals())
