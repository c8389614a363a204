"""`tf.keras.mixed_precision.experimental`."""

from tfmini.keras.mixed_precision.policies import Policy, global_policy, set_policy
from tfmini.keras.mixed_precision.scaled_optimizer import LossScaleOptimizer
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["LossScaleOptimizer", "Policy", "global_policy", "set_policy"]

_namespace(globals())
