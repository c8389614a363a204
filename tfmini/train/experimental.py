"""`tf.train.experimental`: losses scaled for gradients of float16, Python's state in checkpoints."""

from tfmini.names.namespaces import namespace as _namespace
from tfmini.train.objects.python_state import PythonState
from tfmini.train.optimizers.loss_scale_optimizer import (
    MixedPrecisionLossScaleOptimizer,
    disable_mixed_precision_graph_rewrite,
    enable_mixed_precision_graph_rewrite,
)
from tfmini.train.optimizers.loss_scales import DynamicLossScale, FixedLossScale, LossScale

__all__ = [
    "DynamicLossScale",
    "FixedLossScale",
    "LossScale",
    "MixedPrecisionLossScaleOptimizer",
    "PythonState",
    "disable_mixed_precision_graph_rewrite",
    "enable_mixed_precision_graph_rewrite",
]

_namespace(globals())
